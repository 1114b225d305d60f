// Finds what a name of a GGUF model means, and what runs it. Reads a few bytes of the file; nothing is loaded, fetched or installed.
import { open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';

export interface GgufFile {
  readonly path: string;
  readonly sizeBytes: number;
}

const fault = (name: string, message: string): FootnoteError =>
  new FootnoteError('config-invalid', message, { details: { fault: name } });

/** As `footnote models get` installs it, in the folder of models. */
export const runtimeFolder = 'runtime';
const runtimeEntry = 'node_modules/node-llama-cpp/dist/index.js';

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** The module's address. Throws `config-invalid` (`no-runtime`) with the command that installs it. */
export async function findLlamaRuntime(modelsFolder: string): Promise<string> {
  const path = join(modelsFolder, runtimeFolder, runtimeEntry);
  if (await isThere(path)) return pathToFileURL(path).href;
  try {
    return import.meta.resolve('node-llama-cpp');
  } catch {
    throw fault(
      'no-runtime',
      'GGUF models need the package node-llama-cpp, which is not installed: "footnote models add <file.gguf>" and "footnote models get" install it beside the models, after asking.',
    );
  }
}

/** The file of `gguf:<name>`: a path, or a file or folder in the folder of models. Throws `config-invalid` with its fault. */
export async function findGgufFile(modelsFolder: string, name: string): Promise<GgufFile> {
  const path = await placeOf(modelsFolder, name);
  try {
    const file = await open(path);
    try {
      const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
      if (buffer.toString('latin1') !== 'GGUF') throw fault('not-gguf', `${path} is no GGUF file.`);
      return { path, sizeBytes: (await file.stat()).size };
    } finally {
      await file.close();
    }
  } catch (thrown) {
    throw toFootnoteError(thrown);
  }
}

async function placeOf(modelsFolder: string, name: string): Promise<string> {
  if (/[/\\]/u.test(name) || name.endsWith('.gguf')) {
    for (const path of [resolve(modelsFolder, name), resolve(name)]) if (await isThere(path)) return path;
  } else {
    const path = join(modelsFolder, `${name}.gguf`);
    if (await isThere(path)) return path;
    // Of a model in parts the first one is named; the runtime finds the others.
    const files = (await readdir(join(modelsFolder, name)).catch(() => [])).filter((one) => one.endsWith('.gguf'));
    const [first] = files.sort();
    if (first !== undefined) return join(modelsFolder, name, first);
  }
  throw fault(
    'no-file',
    `There is no GGUF file for "gguf:${name}": neither a path nor a name in ${modelsFolder}. "footnote models list" names those that are there.`,
  );
}
