// The lines of a JSONL file, plain or gzip, in runs of whole lines that are small enough to be handed to another process one
// by one. Invariant: every byte of the file is in exactly one run, and no run cuts a line.
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ReadError } from '../read-error.ts';

/** Whole lines of a file. */
export interface LineRun {
  readonly bytes: Uint8Array;
  /** Number of the first line, from 1. */
  readonly firstLine: number;
  readonly lineCount: number;
}

/** A run is about this long: work on it ends soon, and its fixed costs are shared. */
const runBytes = 384 * 1024;
const runLines = 400;
const lineFeed = 0x0a;

/** A gzip stream that grows more than this many times its size is a bomb; text shrinks 3 to 20 times. */
const maxRatio = 200;
const ratioFreeBytes = 64 * 1024 * 1024;
const maxLineBytes = 64 * 1024 * 1024;

/** Throws `too-large` for a bomb or an endless line, `invalid-media` for a damaged stream. */
export async function* lineRuns(input: Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<LineRun> {
  let firstLine = 1;
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let lineCount = 0;
  /** Bytes since the end of the last line. */
  let open = 0;
  const take = (): LineRun => {
    const run = { bytes: Buffer.concat(parts), firstLine, lineCount: lineCount + (open > 0 ? 1 : 0) };
    firstLine += lineCount;
    parts = [];
    bytes = 0;
    lineCount = 0;
    return run;
  };
  for await (const slice of unpacked(input)) {
    let from = 0;
    let lineEnd = 0;
    for (let at = slice.indexOf(lineFeed); at >= 0; at = slice.indexOf(lineFeed, lineEnd)) {
      lineEnd = at + 1;
      lineCount++;
      open = 0;
      if (lineCount < runLines && bytes + lineEnd - from < runBytes) continue;
      parts.push(slice.subarray(from, lineEnd));
      yield take();
      from = lineEnd;
    }
    parts.push(slice.subarray(from));
    bytes += slice.length - from;
    open += slice.length - lineEnd;
    if (open > maxLineBytes)
      throw new ReadError('too-large', `A line is longer than ${maxLineBytes} bytes: is this JSONL?`);
  }
  if (bytes > 0) yield take();
}

async function* unpacked(input: Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = input instanceof Uint8Array ? slicesOf(input) : input;
  const iterator = source[Symbol.asyncIterator]();
  // Two bytes tell gzip from text; a stream may bring them one by one.
  const opening: Uint8Array[] = [];
  let openingBytes = 0;
  while (openingBytes < 2) {
    const next = await iterator.next();
    if (next.done) break;
    opening.push(next.value);
    openingBytes += next.value.length;
  }
  const [first, second] = Buffer.concat(opening);
  const whole = (async function* () {
    yield* opening;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  })();
  if (!(first === 0x1f && second === 0x8b)) {
    yield* whole;
    return;
  }
  let packed = 0;
  let grown = 0;
  const counted = (async function* () {
    for await (const bytes of whole) {
      packed += bytes.length;
      yield bytes;
    }
  })();
  const gunzip = createGunzip();
  const reading = Readable.from(counted, { objectMode: false });
  reading.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const bytes of reading.pipe(gunzip) as AsyncIterable<Uint8Array>) {
      grown += bytes.length;
      if (grown > ratioFreeBytes && grown > packed * maxRatio)
        throw new ReadError('too-large', `The gzip stream grows more than ${maxRatio} times: refused as a bomb.`);
      yield bytes;
    }
  } catch (error) {
    if (error instanceof ReadError) throw error;
    throw new ReadError('invalid-media', 'The gzip stream is damaged. Pack the file again.', { cause: error });
  } finally {
    gunzip.destroy();
  }
}

async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = 1 << 20;
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
