// The recogniser: Tesseract 5 (LSTM models) in WebAssembly, one worker thread for each choice of languages, kept for the next page.
// It reads its models from disk and nothing from the network. Boxes are in pixels of the picture that it was given.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Tesseract from 'tesseract.js';
import { FootnoteError } from '../../core/errors.ts';
import type { RecognitionChoice } from '../parse.ts';
import type { Raster } from './image-raster.ts';

export interface RecognitionSettings {
  /** Codes of Tesseract's models, joined by "+": `eng+deu`. Default `eng`, which comes with the program. */
  readonly languages?: string;
  /** Folder of further models (`deu.traineddata`). */
  readonly folder?: string;
}

export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface EngineWord extends Bounds {
  readonly text: string;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** A line in reading order. */
export interface EngineLine extends Bounds {
  readonly words: readonly EngineWord[];
  /** From the lowest descender to the highest ascender of its type. */
  readonly rowHeight: number;
}

export interface RecognitionEngine {
  /** `dpi` helps to tell text from specks. */
  recognise(raster: Raster, dpi: number): Promise<EngineLine[]>;
  /** Unpacks a picture whose format only the engine knows (WebP), as PNG. */
  unpack(bytes: Uint8Array): Promise<Uint8Array>;
}

/** Pictures larger than this leave a thread behind whose memory does not shrink: it is ended. */
const roomyPixels = 10_000_000;
const bundled = join(
  dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
  '4.0.0_best_int',
);

/** What a worker of tesseract.js is in Node: a thread. */
type Thread = Tesseract.Worker & { readonly worker: import('node:worker_threads').Worker };

const engines = new Map<string, RecognitionEngine>();

/** The one engine of this process for these languages. Throws `config-invalid` for a language without a model. */
export function openEngine({ languages = 'eng', folder }: RecognitionChoice = {}): RecognitionEngine {
  const key = `${languages} ${folder ?? ''}`;
  const known = engines.get(key);
  if (known !== undefined) return known;
  assertModels(languages, folder);
  const engine = createEngine(() => startThread(languages, folder));
  engines.set(key, engine);
  return engine;
}

/** A thread, and the failure that it may end with. */
interface Running {
  readonly thread: Thread;
  readonly broken: Promise<never>;
}

async function startThread(languages: string, folder: string | undefined): Promise<Running> {
  const thread = (await Tesseract.createWorker(languages.split('+'), 1, {
    langPath: bundled,
    // Read before the bundled ones, and never written.
    cachePath: folder ?? bundled,
    cacheMethod: 'readOnly',
    errorHandler: () => undefined,
  })) as Thread;
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => undefined);
  thread.worker.on('error', reject);
  await thread.setParameters({ tessedit_pageseg_mode: Tesseract.PSM.AUTO });
  return { thread, broken };
}

/** Starts a thread when one is needed, and another one after a failure: then the module is in no known state. */
function createEngine(start: () => Promise<Running>): RecognitionEngine {
  let current: Promise<Running> | undefined;
  const end = async (): Promise<void> => {
    const ending = current;
    current = undefined;
    await (await ending?.catch(() => undefined))?.thread.terminate();
  };
  const using = async <Result>(use: (running: Running) => Promise<Result>): Promise<Result> => {
    try {
      current ??= start();
      const running = await current;
      // A thread at rest does not keep the process alive.
      running.thread.worker.ref();
      const result = await Promise.race([use(running), running.broken]);
      running.thread.worker.unref();
      return result;
    } catch (cause) {
      await end();
      throw failed(cause);
    }
  };
  return {
    async recognise(raster, dpi) {
      const page = await using(async ({ thread }) => {
        await thread.setParameters({ user_defined_dpi: String(Math.round(dpi)) });
        return thread.recognize(pgmOf(raster) as Buffer, {}, { text: false, blocks: true });
      });
      if (raster.width * raster.height > roomyPixels) await end();
      return linesOf(page.data);
    },
    async unpack(bytes) {
      const page = await using(({ thread }) =>
        thread.recognize(bytes as Buffer, {}, { text: false, imageColor: true }),
      );
      return Buffer.from(page.data.imageColor?.split(',')[1] ?? '', 'base64');
    },
  };
}

function failed(cause: unknown): FootnoteError {
  const said = cause instanceof Error ? cause.message : String(cause);
  return new FootnoteError(
    'invalid-media',
    `Recognising text failed (${said.slice(0, 120)}). The picture may be damaged.`,
    {
      cause,
    },
  );
}

/** Before the engine is started, which says less about what is missing. */
function assertModels(languages: string, folder: string | undefined): void {
  const modelsIn = (place: string): string[] => {
    try {
      return readdirSync(place).flatMap((file) => /^(.+)\.traineddata(?:\.gz)?$/u.exec(file)?.[1] ?? []);
    } catch {
      return [];
    }
  };
  const known = new Set([...modelsIn(bundled), ...(folder === undefined ? [] : modelsIn(folder))]);
  const missing = languages.split('+').filter((language) => !known.has(language));
  if (missing.length === 0) return;
  const where = folder === undefined ? 'no folder of models is set' : `${folder} has none for it`;
  throw new FootnoteError(
    'config-invalid',
    `Text in ${missing.join(', ')} cannot be recognised: ${where}. Put ${missing[0]}.traineddata there, or choose among ${[...known].join(', ')}.`,
    { details: { missing } },
  );
}

/** Portable graymap. The comment keeps pixels out of the first 500 bytes, in which tesseract.js looks for an Exif orientation. */
function pgmOf({ width, height, pixels }: Raster): Uint8Array {
  const head = new TextEncoder().encode(`P5\n#${' '.repeat(500)}\n${width} ${height}\n255\n`);
  const bytes = new Uint8Array(head.length + pixels.length);
  bytes.set(head);
  bytes.set(pixels, head.length);
  return bytes;
}

function linesOf({ blocks }: Tesseract.Page): EngineLine[] {
  const lines = (blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines));
  return lines.map(({ words, bbox, rowAttributes }) => ({
    ...boundsOf(bbox),
    rowHeight: rowAttributes?.rowHeight || bbox.y1 - bbox.y0,
    words: words.map((word) => ({ ...boundsOf(word.bbox), text: word.text, confidence: word.confidence / 100 })),
  }));
}

const boundsOf = ({ x0, y0, x1, y1 }: Tesseract.Bbox): Bounds => ({ left: x0, top: y0, right: x1, bottom: y1 });
