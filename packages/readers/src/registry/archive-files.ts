// Takes archives apart, one file at a time and only when asked for the next: ZIP, TAR, and what GZIP, BZIP2, XZ and Zstandard hold (a TAR or one file).
// Limits are checked before anything is unpacked where the archive says what it holds, and while it is unpacked everywhere.
import { Readable } from 'node:stream';
import { isTarHeader } from '../archive-kind.ts';
import { tooMuch, type UnpackRules } from '../containers/archive-limits.ts';
import { type PackedStream, unpackedName, unpackStream } from '../containers/archive-streams.ts';
import { filesOfTar } from '../containers/archive-tar.ts';
import { filesOfZip } from '../containers/archive-zip.ts';
import type { IsLeftOut } from '../inner-paths.ts';
import { formatOfMime } from '../media-types.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, UnpackedFile, UnpackLimits } from '../reader.ts';
import { sniffMedia } from './sniff.ts';

/**
 * Yields the files of an archive, without those whose names the caller leaves out. Throws `unsupported-media` (with `details.document`, where the file is a document and no archive),
 * `invalid-media` for a damaged or empty one, `too-large` for one that unpacks to too much.
 */
export async function* openArchive(
  input: ParseInput,
  limits: UnpackLimits,
  isLeftOut: IsLeftOut = () => false,
): AsyncGenerator<UnpackedFile> {
  const mime = await sniffMedia(input);
  if (!formatOfMime(mime)?.isArchive)
    throw new ReadError('unsupported-media', `${input.name} is ${mime}, not an archive. Ingest it as a document.`, {
      details: { document: mime },
    });
  let count = 0;
  for await (const file of filesOf(mime, input, { ...limits, isLeftOut })) {
    count += 1;
    yield file;
  }
  if (count === 0)
    throw new ReadError('invalid-media', `${input.name} holds no file that could be read. Pack it anew.`);
}

function filesOf(mime: string, input: ParseInput, limits: UnpackRules): AsyncGenerator<UnpackedFile> {
  if (mime === 'application/zip') return filesOfZip(input, limits);
  if (mime === 'application/x-tar') return filesOfTar(input.name, Readable.from([input.bytes]), limits);
  return filesOfStream({ mime, bytes: input.bytes, name: input.name }, limits);
}

async function* filesOfStream(packed: PackedStream, limits: UnpackRules): AsyncGenerator<UnpackedFile> {
  const { name } = packed;
  const unpacked = unpackStream(packed, limits.maxTotalBytes);
  const head: Uint8Array[] = [];
  let length = 0;
  while (length < 512) {
    const next = await unpacked.next();
    if (next.done) break;
    head.push(next.value);
    length += next.value.length;
  }
  const start = Buffer.concat(head);
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield start;
    yield* unpacked;
  }
  if (isTarHeader(start)) yield* filesOfTar(name, Readable.from(whole(), { objectMode: false }), limits);
  else yield { path: unpackedName(packed), content: await collect(name, whole(), limits.maxFileBytes) };
}

async function collect(name: string, pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > maxBytes) throw tooMuch(name, maxBytes);
    kept.push(piece);
  }
  return Buffer.concat(kept);
}
