// The folder of models: what comes into it, whole or not at all, what lies in it, and what goes out of it. A model has a folder of its own; while it is
// fetched or copied that is `NAME.part`. Invariant: a folder under its name is complete and was checked, and nothing of a name leads out of the folder.
import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir, realpath, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { exists, hashFile } from '../files.ts';
import { checkGguf, findGguf } from '../gguf/gguf-file.ts';
import { asObject, openLocalFiles } from '../local/files.ts';
import { changeLock, type LockedFile, type LockedModel, lockModel, type ModelKind, readLock } from '../local/lock.ts';
import { downloadFile } from './download.ts';
import { type Hub, type HubFile, type HubListing, isInside, takeable } from './hub.ts';
import type { Recommended } from './recommended.ts';

/** Small files of a local model, as far as it has them. */
const smallFiles = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'modules.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
];
const promptsFile = 'config_sentence_transformers.json';
const isGguf = (path: string): boolean => path.endsWith('.gguf');
const sizeOf = async (folder: string, paths: readonly string[]): Promise<number> =>
  (await Promise.all(paths.map((path) => stat(join(folder, path))))).reduce((sum, { size }) => sum + size, 0);

/** Space that a disk keeps whatever comes. */
const spareBytes = 100e6;
export type FreeBytes = (folder: string) => Promise<number>;
const freeOnDisk: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Throws `invalid-request`. */
export function checkName(name: string): string {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(name) || /^(runtime|encoder)$|\.(part|json)$/u.test(name))
    throw new FootnoteError(
      'invalid-request',
      `"${name}" is no name for a model: letters, digits, ".", "_" and "-", and none of runtime, encoder, *.part and *.json. Choose one with --name.`,
    );
  return name;
}

async function checkFree(folder: string, bytes: number, freeBytes: FreeBytes = freeOnDisk): Promise<void> {
  const free = await freeBytes(folder);
  if (free < bytes + spareBytes)
    throw new FootnoteError(
      'storage-full',
      `${folder} has ${(free / 1e6).toFixed(0)} MB left on its disk; ${((bytes + spareBytes) / 1e6).toFixed(0)} MB are needed. Free some, or set MODELS_FOLDER to another disk.`,
    );
}

/** The files of a repository that a model needs. Throws `not-found` where its weights are not listed. */
export function neededFiles({ repository, files }: HubListing, weights: string): readonly HubFile[] {
  const graph = files.find(({ path }) => path === weights);
  if (!graph) {
    const others = files.flatMap(({ path }) => (/\.(onnx|gguf)$/u.test(path) ? path : []));
    throw new FootnoteError(
      'not-found',
      `${repository} lists no ${weights}${others.length > 0 ? `, only ${others.slice(0, 12).join(', ')}. Name one with --file` : ''}.`,
    );
  }
  if (isGguf(weights)) return [graph];
  return files.filter((file) => file === graph || file.path === `${weights}_data` || smallFiles.includes(file.path));
}

export interface FetchOptions {
  readonly hub: Hub;
  readonly folder: string;
  readonly name: string;
  readonly listing: HubListing;
  readonly pauseMs?: number;
  readonly model: Pick<Recommended, 'weights' | 'prompts' | 'license'> & Partial<Pick<Recommended, 'kind'>>;
  readonly onProgress?: ((done: number, total: number, file: string) => void) | undefined;
  readonly freeBytes?: FreeBytes;
  readonly signal?: AbortSignal | undefined;
}

/** Fetches a model, from where it broke off. Throws what downloads throw, `conflict` where the name is taken, `storage-full`. */
export async function fetchModel(options: FetchOptions): Promise<LockedModel> {
  const { hub, folder, listing, model, onProgress, signal, pauseMs } = options;
  const files = neededFiles(listing, model.weights);
  return bringIn(options, async (staging) => {
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const coming = new Set(files.flatMap(({ path }) => [path, `${path}.part`]));
    for (const path of await filesIn(staging)) if (!coming.has(path)) await rm(join(staging, path));
    const there = await sizeOf(staging, await filesIn(staging));
    await checkFree(folder, total - there, options.freeBytes);
    let before = 0;
    for (const file of files) {
      const onBytes = (done: number): void => onProgress?.(before + done, total, file.path);
      await downloadFile(file, join(staging, file.path), { hub, listing, onBytes, signal, pauseMs });
      before += file.bytes;
    }
    const { prompts } = model;
    if (prompts && !files.some(({ path }) => path === promptsFile))
      await writeFile(join(staging, promptsFile), `${JSON.stringify({ prompts })}\n`);
    const { repository, revision } = listing;
    return { repository, revision, license: listing.license ?? model.license };
  });
}

export interface AddOptions {
  readonly folder: string;
  /** A folder of a local model, or a .gguf file. */
  readonly path: string;
  readonly name: string;
  /** Linked instead of copied. */
  readonly isLinked?: boolean | undefined;
  readonly freeBytes?: FreeBytes;
  readonly signal?: AbortSignal | undefined;
}

/** Takes a model in that is on this machine. Throws `not-found`, `invalid-media`, `config-invalid` with `details.fault`, `conflict`, `storage-full`. */
export async function addModel(options: AddOptions): Promise<LockedModel> {
  const { folder, isLinked = false } = options;
  const path = await realpath(options.path).catch((thrown: unknown) => Promise.reject(toFootnoteError(thrown)));
  const found = await stat(path);
  const origin = found.isDirectory() ? path : dirname(path);
  const inside = found.isDirectory() ? await modelFilesIn(path) : [basename(path)];
  if (inside.every((one) => !/\.(onnx|gguf)$/u.test(one)))
    throw new FootnoteError(
      'invalid-request',
      `${path} is neither a .gguf file nor a folder of a model with an ONNX graph. docs/embeddings.md says which files a model needs.`,
    );
  // Told before anything is copied.
  for (const one of inside.filter(isGguf)) await checkGguf(join(origin, one));
  return bringIn(options, async (staging) => {
    if (!isLinked) await checkFree(folder, await sizeOf(origin, inside), options.freeBytes);
    await rm(staging, { recursive: true, force: true });
    for (const one of inside) {
      options.signal?.throwIfAborted();
      const target = join(staging, one);
      await mkdir(dirname(target), { recursive: true });
      if (isLinked) await link(join(origin, one), target);
      else await copyFile(join(origin, one), target, constants.COPYFILE_FICLONE);
    }
    return {};
  });
}

/** Of a folder: its data, without links. */
async function modelFilesIn(path: string): Promise<readonly string[]> {
  // Nothing else is looked through.
  if (!(await exists(join(path, 'config.json')))) return [];
  return (await filesIn(path)).filter((one) => (takeable.test(one) || one.endsWith('.onnx.data')) && isInside(one));
}

/** Has the files of a model put into a folder beside its own, checks them, and gives it its name. */
async function bringIn(
  {
    folder,
    name,
    model,
    signal,
  }: Pick<FetchOptions, 'folder' | 'name' | 'signal'> & Partial<Pick<FetchOptions, 'model'>>,
  fill: (staging: string) => Promise<Partial<Pick<LockedModel, 'repository' | 'revision' | 'license'>>>,
): Promise<LockedModel> {
  const target = join(folder, checkName(name));
  const staging = `${target}.part`;
  try {
    // Told before anything comes: a lock that cannot be read takes no entry.
    await readLock(folder);
    if (await exists(target))
      throw new FootnoteError(
        'conflict',
        `There is a model ${name} in ${folder}. Remove it with "footnote models remove ${name}", or choose another name with --name.`,
      );
    await mkdir(staging, { recursive: true });
    const origin = await fill(staging);
    const kind = await kindOf(folder, `${name}.part`);
    const files = await hashesOf(staging, signal);
    await rename(staging, target);
    return await lockModel(folder, name, { kind: model?.kind ?? kind, ...origin, files: [...files] });
  } catch (thrown) {
    throw toFootnoteError(thrown);
  }
}

/** What a model is for, by its files. Throws what reading a local model throws, `invalid-media`. */
export async function kindOf(folder: string, name: string): Promise<ModelKind> {
  const gguf = await findGguf(folder, name);
  if (gguf !== undefined) {
    await checkGguf(gguf);
    return 'writer';
  }
  const { classes, config } = await openLocalFiles(folder, name, {
    setting: 'MODEL_EMBED',
    task: 'feature-extraction',
  });
  if (!classes.some((one) => one.endsWith('ForSequenceClassification'))) return 'encoder';
  return Object.keys(asObject(config['id2label'])).length > 2 ? 'judge' : 'order';
}

/** Paths inside, `/` between. */
async function filesIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

async function hashesOf(path: string, signal?: AbortSignal): Promise<readonly LockedFile[]> {
  const files: LockedFile[] = [];
  for (const inside of await filesIn(path)) {
    const file = join(path, inside);
    files.push({ path: inside, bytes: (await stat(file)).size, sha256: await hashFile(file, signal) });
  }
  return files;
}

export interface Verified {
  readonly name: string;
  readonly ok: boolean;
  /** Files that are missing, or have other bytes. */
  readonly wrong: readonly string[];
}

/** Reads every byte again. Throws `not-found` for a name that the lock does not have. */
export async function verifyModels(folder: string, name?: string, signal?: AbortSignal): Promise<readonly Verified[]> {
  const lock = await readLock(folder);
  const names = name === undefined ? Object.keys(lock) : [name];
  const verified: Verified[] = [];
  for (const one of names) {
    const { files } = lockedOf(lock, one, folder);
    const path = join(folder, one);
    const present = (await exists(path)) ? await hashesOf(path, signal) : [];
    const hashes = new Map(present.map((file) => [file.path, file.sha256]));
    const wrong = files.flatMap((file) => (hashes.get(file.path) === file.sha256 ? [] : file.path));
    verified.push({ name: one, ok: wrong.length === 0, wrong });
  }
  return verified;
}

const lockedOf = (lock: Awaited<ReturnType<typeof readLock>>, name: string, folder: string): LockedModel => {
  const known = Object.hasOwn(lock, name) ? lock[name] : undefined;
  if (!known)
    throw new FootnoteError(
      'not-found',
      `${join(folder, 'lock.json')} has no model ${name}. "footnote models" shows what is there; what was put there by hand is removed by hand.`,
    );
  return known;
};

/** Takes a model away, with what an interrupted fetch of it left. Throws `not-found`, `storage-denied`. */
export async function removeModel(folder: string, name: string): Promise<LockedModel> {
  const known = lockedOf(await readLock(folder), checkName(name), folder);
  try {
    await rm(join(folder, `${name}.part`), { recursive: true, force: true });
    await rm(join(folder, name), { recursive: true, force: true });
  } catch (thrown) {
    throw toFootnoteError(thrown);
  }
  await changeLock(folder, ({ [name]: _, ...others }) => others);
  return known;
}
