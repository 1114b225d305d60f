// What the head of a .gguf file says: that it is one. Invariant: only its first bytes are read, whatever they claim.
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FootnoteError } from '../../core/errors.ts';

/** Magic, version, numbers of tensors and of entries; then the first key, with its length before it. */
const [keyAt, headBytes] = [32, 256];

/** Throws `invalid-media` for what is no model in this format. */
export async function checkGguf(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    if (isHead(buffer.subarray(0, bytesRead))) return;
  } finally {
    await file.close();
  }
  throw new FootnoteError(
    'invalid-media',
    `${path} is not a GGUF file that can be read (version 2 or 3). Download it again, or take another one.`,
  );
}

function isHead(head: Buffer): boolean {
  if (head.length < headBytes || head.toString('latin1', 0, 4) !== 'GGUF') return false;
  const [version, tensors, entries, length] = [
    head.readUInt32LE(4),
    ...[8, 16, 24].map((at) => head.readBigUInt64LE(at)),
  ];
  if ((version !== 2 && version !== 3) || !tensors || !entries || !length || length > headBytes - keyAt) return false;
  return /^[\w.-]+$/u.test(head.toString('utf8', keyAt, keyAt + Number(length)));
}

/** The file of a model in the folder of models; undefined where it has none. */
export async function findGguf(folder: string, name: string): Promise<string | undefined> {
  if (/(^|[/\\])\.\.([/\\]|$)/u.test(name)) return undefined;
  const files = await readdir(join(folder, name)).catch(() => []);
  const first = files.filter((one) => one.endsWith('.gguf')).sort()[0];
  return first && join(folder, name, first);
}
