// The files of a TAR (POSIX.1-1988 ustar, POSIX.1-2001 pax, GNU), read as a stream: links and devices are refused, nothing is held but
// the file at hand.
import type { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { overLimit } from '../file-size.ts';
import { createPathRules, type SafePath } from '../inner-paths.ts';
import { ReadError } from '../read-error.ts';
import type { UnpackedFile } from '../reader.ts';
import { tooMany, tooMuch, type UnpackRules } from './archive-limits.ts';

/** The format as it is, for files of ours. */
export { extract, pack } from 'tar-stream';

/** What may be in one that is no file and no harm. */
const silent: ReadonlySet<string> = new Set(['directory', 'pax-header', 'pax-global-header']);

/** Before 1988, and by some to this day, heads name no format: their sum tells that they are some. Its types do not have it. */
const anyFormat: Parameters<typeof extract>[0] & { allowUnknownFormat: true } = { allowUnknownFormat: true };

export async function* filesOfTar(
  name: string,
  source: Readable,
  { maxFiles, maxFileBytes, maxTotalBytes, isLeftOut }: UnpackRules,
): AsyncGenerator<UnpackedFile> {
  const safe = createPathRules(isLeftOut);
  let files = 0;
  let total = 0;
  const unpacking = extract(anyFormat);
  source.on('error', (error) => unpacking.destroy(error));
  source.pipe(unpacking);
  try {
    for await (const entry of unpacking) {
      const { name: raw, type, size = 0 } = entry.header;
      const path = silent.has(type ?? 'file') ? undefined : safe(raw);
      if (path === undefined) {
        entry.resume();
        continue;
      }
      files += 1;
      if (files > maxFiles) throw tooMany(name, maxFiles);
      const refusal = refusalOf(path, { type: type ?? 'file', size, maxFileBytes });
      if (refusal) {
        entry.resume();
        yield { path: path.path, content: refusal };
        continue;
      }
      total += size;
      if (total > maxTotalBytes) throw tooMuch(name, maxTotalBytes);
      const pieces: Uint8Array[] = [];
      for await (const piece of entry as AsyncIterable<Uint8Array>) pieces.push(piece);
      yield { path: path.path, content: Buffer.concat(pieces) };
    }
  } catch (thrown) {
    if (thrown instanceof ReadError) throw thrown;
    throw new ReadError(
      'invalid-media',
      `${name} is damaged: ${faultOf(String((thrown as Error).message))}. ${files > 0 ? `The ${files} files before were read. ` : ''}Copy or pack it anew.`,
      { cause: thrown },
    );
  } finally {
    unpacking.destroy();
    source.destroy();
  }
}

/** In the words of tar-stream, which asks whether the file is packed. */
function faultOf(message: string): string {
  if (/^Unexpected end/u.test(message)) return 'it ends too early';
  return /^Invalid tar header/u.test(message) ? 'the head of a file in it is broken' : message.slice(0, 100);
}

function refusalOf(
  path: NonNullable<SafePath>,
  { type, size, maxFileBytes }: { readonly type: string; readonly size: number; readonly maxFileBytes: number },
): Exclude<UnpackedFile['content'], Uint8Array> | undefined {
  if ('refused' in path) return { code: 'invalid-media', message: path.refused };
  if (type !== 'file' && type !== 'contiguous-file')
    return {
      code: 'unsupported-media',
      message: `It is a ${type} of the archive and no file: links and devices are never followed. Pack the file itself.`,
    };
  if (size > maxFileBytes)
    return {
      code: 'too-large',
      message: `It has ${overLimit(size, maxFileBytes)} of a file in an archive.`,
    };
  return undefined;
}
