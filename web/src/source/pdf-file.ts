// A PDF, opened by pdf.js in a worker of its own, part by part where the server gives parts. It is loaded when the first PDF is shown.
import * as pdfjs from 'pdfjs-dist';
import workerScript from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { home, keyHeaders, keyVersion } from '../shared/api.ts';
import { trustedScript } from '../shared/trusted.ts';

const folder = (name: string): string => new URL(`assets/pdf/${name}/`, home).href;

interface Opened {
  readonly name: string;
  readonly file: Promise<pdfjs.PDFDocumentProxy>;
  close(): void;
}

/** The file that was opened last, and the key it was opened with: the next page of it asks for nothing anew. */
let last: Opened | undefined;

function forget(): void {
  last?.close();
  last = undefined;
}

function open(path: string): Opened {
  const name = `${keyVersion.value} ${path}`;
  if (last?.name === name) return last;
  forget();
  // A worker that pdf.js starts itself would be refused: it gives its address as mere text.
  const port = new Worker(trustedScript(workerScript), { type: 'module' });
  const failed = new Promise<never>((_, reject) => {
    port.addEventListener('error', () => reject(new Error('The reader of PDF could not be loaded.')), { once: true });
  });
  const task = pdfjs.getDocument({
    worker: pdfjs.PDFWorker.create({ port }),
    url: new URL(path, home).href,
    httpHeaders: keyHeaders(),
    rangeChunkSize: 131_072,
    disableAutoFetch: true,
    disableStream: true,
    cMapUrl: folder('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: folder('standard_fonts'),
    wasmUrl: folder('wasm'),
    // The policy allows no WebAssembly: its decoders in plain script do the same.
    useWasm: false,
    enableXfa: false,
    verbosity: 0,
  });
  const end = (): void => port.terminate();
  last = { name, file: Promise.race([task.promise, failed]), close: () => task.destroy().then(end, end) };
  return last;
}

interface Drawing {
  readonly canvas: HTMLCanvasElement;
  /** In pixels of CSS. */
  readonly width: number;
  readonly signal: AbortSignal;
}

/** Draws a page, and gives the number of pages. A file of which anything failed is opened anew the next time. */
export async function drawPdf(path: string, number: number, drawing: Drawing): Promise<number> {
  const opened = open(path);
  try {
    return await draw(await opened.file, number, drawing);
  } catch (error) {
    if (!drawing.signal.aborted && last === opened) forget();
    throw error;
  }
}

async function draw(file: pdfjs.PDFDocumentProxy, number: number, { canvas, width, signal }: Drawing): Promise<number> {
  const page = await file.getPage(number);
  if (signal.aborted) return file.numPages;
  const own = page.getViewport({ scale: 1 }).width;
  const viewport = page.getViewport({ scale: (Math.max(width, 240) * Math.min(devicePixelRatio, 2)) / own });
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  const render = page.render({ canvas, viewport });
  signal.addEventListener('abort', () => render.cancel(), { once: true });
  await render.promise;
  return file.numPages;
}
