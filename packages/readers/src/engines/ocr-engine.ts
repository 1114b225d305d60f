// The recogniser: Tesseract 5 (LSTM models) in WebAssembly, one worker thread for each choice of languages, kept for the next page.
// It reads its models from disk and nothing from the network. Boxes are in pixels of the picture that it was given.
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Tesseract from 'tesseract.js';
import { isReadError, ReadError } from '../read-error.ts';
import type { RecognitionChoice } from '../reader.ts';
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
  const models = findModels(languages, folder);
  const engine = createEngine(() => startThread(models));
  engines.set(key, engine);
  return engine;
}

/** A thread, and the failure that it may end with. */
interface Running {
  readonly thread: Thread;
  readonly broken: Promise<never>;
}

async function startThread({ languages, unpacked, packed }: Models): Promise<Running> {
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => undefined);
  const starting = Tesseract.createWorker([...languages], 1, {
    // Read before the packed ones, and never written.
    cachePath: unpacked,
    langPath: packed,
    cacheMethod: 'readOnly',
    // A model that cannot be read is told here and nowhere else.
    errorHandler: (said: unknown) => reject(said instanceof Error ? said : new Error(String(said))),
  }) as Promise<Thread>;
  const thread = await Promise.race([starting, broken]).catch((cause: unknown) => {
    throw new ReadError(
      'config-invalid',
      `Text in ${languages.join(', ')} cannot be recognised: the models in ${unpacked} cannot be used (${saidBy(cause)}). Put whole models of Tesseract 4 or newer there.`,
      { cause },
    );
  });
  thread.worker.on('error', reject);
  await thread.setParameters({ tessedit_pageseg_mode: Tesseract.PSM.AUTO });
  return { thread, broken };
}

/** Starts a thread when one is needed, and another one after a failure: then the module is in no known state. */
function createEngine(start: () => Promise<Running>): RecognitionEngine {
  let current: Promise<Running> | undefined;
  /** Models do not mend themselves, and a thread that did not start stays behind. */
  let unusable: ReadError | undefined;
  const end = async (): Promise<void> => {
    const ending = current;
    current = undefined;
    await (await ending?.catch(() => undefined))?.thread.terminate();
  };
  const using = async <Result>(use: (running: Running) => Promise<Result>): Promise<Result> => {
    if (unusable !== undefined) throw unusable;
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
      if (isReadError(cause)) unusable = cause;
      throw isReadError(cause) ? cause : failed(cause);
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

const saidBy = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause)).slice(0, 120);

function failed(cause: unknown): ReadError {
  return new ReadError('invalid-media', `Recognising text failed (${saidBy(cause)}). The picture may be damaged.`, {
    cause,
  });
}

interface Models {
  readonly languages: readonly string[];
  /** Folder of `LANGUAGE.traineddata`. */
  readonly unpacked: string;
  /** Folder of `LANGUAGE.traineddata.gz`, for the others. */
  readonly packed: string;
}

/** Before the engine is started, which says less about what is missing. */
function findModels(choice: string, folder: string | undefined): Models {
  const languages = choice
    .split('+')
    .map((language) => language.trim())
    .filter((language) => language !== '');
  const filesIn = (place: string | undefined): readonly string[] => {
    try {
      return place === undefined ? [] : readdirSync(place);
    } catch {
      return [];
    }
  };
  const [own, ours] = [new Set(filesIn(folder)), new Set(filesIn(bundled))];
  const files = [...own, ...ours];
  const known = new Set(files.flatMap((file) => /^(.+)\.traineddata(?:\.gz)?$/u.exec(file)?.[1] ?? []));
  const missing = languages.filter((language) => !known.has(language));
  if (missing.length > 0) {
    const where = folder === undefined ? 'OCR_FOLDER is not set' : `${folder} has no model for it`;
    throw new ReadError(
      'config-invalid',
      `Text in ${missing.join(', ')} cannot be recognised: ${where}. Put ${missing[0]}.traineddata into a folder that OCR_FOLDER names, or choose among ${[...known].join(', ')}.`,
      { details: { missing } },
    );
  }
  const packed = languages.filter((language) => !own.has(`${language}.traineddata`));
  for (const language of languages) {
    const path = join(folder ?? '', `${language}.traineddata`);
    if (packed.includes(language) || isWhole(path)) continue;
    throw new ReadError('config-invalid', `${path} is no whole model of Tesseract 4 or newer. Copy it again.`, {
      details: { path },
    });
  }
  const isIn = (place: ReadonlySet<string>): boolean =>
    packed.every((language) => place.has(`${language}.traineddata.gz`));
  if (folder !== undefined && isIn(own)) return { languages, unpacked: folder, packed: folder };
  if (isIn(ours)) return { languages, unpacked: folder ?? bundled, packed: bundled };
  // The engine reads packed models from one folder only.
  const zipped = packed.find((language) => own.has(`${language}.traineddata.gz`));
  throw new ReadError(
    'config-invalid',
    `Text in ${zipped} cannot be recognised together with other languages from a packed model. Unpack it: gunzip ${join(folder ?? '', `${zipped}.traineddata.gz`)}`,
    { details: { packed: zipped } },
  );
}

/**
 * A model says in its head how many parts it has and where each begins (Tesseract's `tessdatamanager.h`). One that was cut off does more than
 * fail: tesseract.js answers it twice, and the second answer ends the process.
 */
function isWhole(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(4 + 8 * mostParts);
    const read = readSync(file, head, 0, head.length, 0);
    const { size } = fstatSync(file);
    const parts = read < 4 ? 0 : head.readInt32LE(0);
    if (parts < 1 || parts > mostParts || read < 4 + 8 * parts) return false;
    return Array.from({ length: parts }, (_, part) => head.readBigInt64LE(4 + 8 * part)).every((at) => at < size);
  } finally {
    closeSync(file);
  }
}
const mostParts = 64;

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
