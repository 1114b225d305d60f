// The file of a model in the format GGUF: where a name leads to, and that its head is one. Invariant: only its first bytes are read, whatever they claim.
import { open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';

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

export interface GgufFile {
  /** Of a model in parts the first one; the runtime finds the others. */
  readonly path: string;
  /** Of all parts. */
  readonly sizeBytes: number;
}

/** A `config-invalid` that names the fault for programs. */
export const ggufFault = (fault: string, message: string, cause?: unknown): FootnoteError =>
  new FootnoteError('config-invalid', message, { details: { fault }, ...(cause !== undefined && { cause }) });

/** The file of `gguf:<name>`: a name in the folder of models, or a path. Throws `config-invalid` with its fault. */
export async function ggufFileOf(modelsFolder: string, name: string): Promise<GgufFile> {
  const path = await placeOf(modelsFolder, name);
  await checkGguf(path).catch((thrown: unknown) => {
    const { message } = toFootnoteError(thrown);
    throw ggufFault('not-gguf', message, thrown);
  });
  const sizes = await Promise.all(
    partsOf(path).map(async (part) => {
      const found = await stat(part).catch(() => undefined);
      if (found?.isFile()) return found.size;
      throw ggufFault('part-missing', `${path} is a model in parts, and ${part} is not there. Download it too.`);
    }),
  );
  return { path, sizeBytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** The files of a model, as llama.cpp splits it: `-00001-of-00003.gguf`. */
function partsOf(path: string): readonly string[] {
  const [, head, count = '0'] = /^(.*-)\d{5}-of-(\d{5})\.gguf$/u.exec(path) ?? [];
  if (head === undefined || Number(count) === 0 || Number(count) > mostParts) return [path];
  return Array.from({ length: Number(count) }, (_, at) => `${head}${String(at + 1).padStart(5, '0')}-of-${count}.gguf`);
}
const mostParts = 1_000;

async function placeOf(modelsFolder: string, name: string): Promise<string> {
  const isPath = /[/\\]/u.test(name) || name.endsWith('.gguf');
  const places = isPath ? [resolve(modelsFolder, name), resolve(name)] : [join(modelsFolder, `${name}.gguf`)];
  for (const path of places) if ((await stat(path).catch(() => undefined))?.isFile()) return path;
  const found = isPath ? undefined : await findGguf(modelsFolder, name);
  if (found !== undefined) return found;
  throw ggufFault(
    'no-file',
    `There is no GGUF file for "gguf:${name}": neither a path nor a name in ${modelsFolder}. "footnote models list" names those that are there.`,
  );
}
