// A PDF, opened by pdf.js in a worker of its own, part by part where the server gives parts. It is loaded when the first PDF is shown.
import * as pdfjs from 'pdfjs-dist';
import worker from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { home, keyHeaders, keyVersion } from '../shared/api.ts';

pdfjs.GlobalWorkerOptions.workerSrc = worker;

const folder = (name: string): string => new URL(`assets/pdf/${name}/`, home).href;

/** The file that was opened last, and the key it was opened with: the next page of it asks for nothing anew. */
let last: { readonly name: string; readonly task: pdfjs.PDFDocumentLoadingTask } | undefined;

function forget(): void {
  last?.task.destroy().catch(() => undefined);
  last = undefined;
}

function taskFor(path: string): pdfjs.PDFDocumentLoadingTask {
  const name = `${keyVersion.value} ${path}`;
  if (last?.name === name) return last.task;
  forget();
  const task = pdfjs.getDocument({
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
  last = { name, task };
  return task;
}

interface Drawing {
  readonly canvas: HTMLCanvasElement;
  /** In pixels of CSS. */
  readonly width: number;
  readonly signal: AbortSignal;
}

/** Draws a page, and gives the number of pages. A file of which anything failed is opened anew the next time. */
export async function drawPdf(path: string, number: number, drawing: Drawing): Promise<number> {
  const task = taskFor(path);
  try {
    return await draw(await task.promise, number, drawing);
  } catch (error) {
    if (!drawing.signal.aborted && last?.task === task) forget();
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
