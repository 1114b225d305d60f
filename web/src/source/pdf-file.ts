// A PDF, opened by pdf.js in a worker of its own, part by part where the server gives parts. It is loaded when the first PDF is shown.
import * as pdfjs from 'pdfjs-dist';
import workerScript from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { call, home, keyVersion } from '../shared/api.ts';
import { trustedScript } from '../shared/trusted.ts';

const folder = (name: string): string => new URL(`assets/pdf/${name}/`, home).href;

interface Opened {
  readonly name: string;
  readonly file: Promise<pdfjs.PDFDocumentProxy>;
  /** Rejects with what fails of any later part of the file. */
  readonly failed: Promise<never>;
  close(): void;
}

/** The file that was opened last, and the key it was opened with: the next page of it asks for nothing anew. */
let last: Opened | undefined;

function forget(): void {
  last?.close();
  last = undefined;
}

/** Of a canvas: some browsers draw none that is larger. */
const mostPixels = 16_777_216;

/** What is asked for at once: the pages of a book lie far apart, and each is looked up. */
const partBytes = 65_536;

function open(path: string): Opened {
  const name = `${keyVersion.value} ${path}`;
  if (last?.name === name) return last;
  forget();
  const stopped = new AbortController();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  // A worker that pdf.js starts itself would be refused: it gives its address as mere text.
  const port = new Worker(trustedScript(workerScript), { type: 'module' });
  port.addEventListener('error', () => reject(new Error('The reader of PDF could not be loaded.')));
  let task: pdfjs.PDFDocumentLoadingTask | undefined;
  const load = async (): Promise<pdfjs.PDFDocumentProxy> => {
    const source = await sourceOf(path, stopped.signal, reject);
    stopped.signal.throwIfAborted();
    task = pdfjs.getDocument({
      ...source,
      worker: pdfjs.PDFWorker.create({ port }),
      rangeChunkSize: partBytes,
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
    return task.promise;
  };
  const end = (): void => port.terminate();
  const close = (): void => {
    stopped.abort();
    if (task) task.destroy().then(end, end);
    else end();
  };
  last = { name, file: Promise.race([load(), failed]), failed, close };
  return last;
}

/** Asked for by pdf.js itself, the whole file would be under way until it is known that parts are given. */
async function sourceOf(path: string, stopped: AbortSignal, fail: (error: unknown) => void) {
  const part = (begin: number, end: number): Promise<Response> =>
    call(path, { accept: '*/*', range: `bytes=${begin}-${end - 1}`, signal: stopped });
  const bytesOf = async (reply: Response): Promise<Uint8Array> => new Uint8Array(await reply.arrayBuffer());
  const first = await part(0, partBytes);
  const length = Number(/\/(\d+)$/.exec(first.headers.get('content-range') ?? '')?.[1]);
  const data = await bytesOf(first);
  if (first.status !== 206 || !length) return { data };
  const range = new pdfjs.PDFDataRangeTransport(length, data);
  range.requestDataRange = (begin, end) => {
    part(begin, end)
      .then(bytesOf)
      .then((bytes) => range.onDataRange(begin, bytes), fail);
  };
  return { range };
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
    return await Promise.race([draw(await opened.file, number, drawing), opened.failed]);
  } catch (error) {
    if (!drawing.signal.aborted && last === opened) forget();
    throw error;
  }
}

async function draw(file: pdfjs.PDFDocumentProxy, number: number, { canvas, width, signal }: Drawing): Promise<number> {
  const page = await file.getPage(number);
  if (signal.aborted) return file.numPages;
  const own = page.getViewport({ scale: 1 });
  const wanted = (Math.max(width, 240) * Math.min(devicePixelRatio, 2)) / own.width;
  const viewport = page.getViewport({ scale: Math.min(wanted, Math.sqrt(mostPixels / (own.width * own.height))) });
  // What is shown stays until the whole page is drawn.
  const drawn = document.createElement('canvas');
  drawn.width = Math.round(viewport.width);
  drawn.height = Math.round(viewport.height);
  const render = page.render({ canvas: drawn, viewport });
  signal.addEventListener('abort', () => render.cancel(), { once: true });
  await render.promise;
  if (signal.aborted) return file.numPages;
  canvas.width = drawn.width;
  canvas.height = drawn.height;
  // In plain memory, as pdf.js draws too.
  canvas.getContext('2d', { alpha: false, willReadFrequently: true })?.drawImage(drawn, 0, 0);
  return file.numPages;
}
