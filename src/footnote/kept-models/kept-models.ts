// `footnote models get, add, verify, remove`: from the names of people and their configuration to the folder of models. Nothing is fetched but by these.
import { basename, join } from 'node:path';
import type { Config, readProxies } from '../../config.ts';
import { FootnoteError } from '../../core/errors.ts';
import { exists } from '../../models/files.ts';
import { findRuntime, installRuntime, runtimeBytes } from '../../models/gguf/runtime.ts';
import { openHub } from '../../models/hub/hub.ts';
import {
  addModel,
  checkName,
  fetchModel,
  neededFiles,
  removeModel,
  type Verified,
  verifyModels,
} from '../../models/hub/models-folder.ts';
import { estimateAnswerMs, type Recommended, recommended } from '../../models/hub/recommended.ts';
import { type LockedModel, readLock } from '../../models/local/lock.ts';

export { estimateAnswerMs, recommended };
export type KeptConfig = Pick<Config, 'models' | 'hub' | 'web' | 'secret' | 'effective'>;

/** What is about to come, for a person to agree to. */
export interface Plan {
  readonly name: string;
  /** Of the model; absent where it is here already. */
  readonly model?: {
    readonly repository: string;
    readonly revision: string;
    readonly license: string;
    readonly terms: string | undefined;
    readonly bytes: number;
  };
  /** Of what runs it, where that has to come too. */
  readonly runtimeBytes: number | undefined;
}

export interface KeepOptions {
  /** Asked before anything is fetched; false ends it. */
  readonly agree: (plan: Plan) => Promise<boolean>;
  /** What it is called here. */
  readonly name?: string | undefined;
  /** An unpacked copy of what runs .gguf models. */
  readonly runtimeFrom?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GetOptions extends KeepOptions {
  /** Of the table, OWNER/REPOSITORY, or `runtime`: what runs .gguf models alone. */
  readonly wanted: string;
  /** The file of another repository that is run. */
  readonly file?: string | undefined;
  readonly proxies?: ReturnType<typeof readProxies> | undefined;
  readonly onProgress?: (done: number, total: number, file: string) => void;
}

export type NamedModel = LockedModel & { readonly name: string };

type Wanted = Pick<Recommended, 'name' | 'repository' | 'weights' | 'license' | 'terms' | 'prompts'> &
  Partial<Pick<Recommended, 'kind'>>;

/** Throws `not-found` for a name that the table does not have. */
function modelOf({ wanted, file = 'onnx/model.onnx' }: GetOptions): Wanted {
  const known = recommended.find((one) => one.name === wanted);
  if (known) return known;
  if (wanted.includes('/'))
    return { repository: wanted, license: 'unknown', name: basename(wanted).toLowerCase(), weights: file };
  throw new FootnoteError(
    'not-found',
    `There is no model ${wanted} in the table. "footnote models get" shows it; OWNER/REPOSITORY names any other of the hub.`,
  );
}

/** Asks for what has to come, and brings what runs a model first: without it the model is of no use. */
async function prepare(folder: string, isGguf: boolean, plan: Omit<Plan, 'runtimeBytes'>, options: KeepOptions) {
  const { agree, runtimeFrom, signal } = options;
  const isMissing = isGguf && (await findRuntime(folder)) === undefined;
  const coming = isMissing && runtimeFrom === undefined ? runtimeBytes : undefined;
  if ((plan.model || coming !== undefined) && !(await agree({ ...plan, runtimeBytes: coming })))
    throw new FootnoteError('cancelled', 'Nothing was fetched.');
  if (isMissing) await installRuntime({ folder, runtimeFrom, signal });
}

/** Fetches a model with what runs it. Throws what the hub and the folder throw, `cancelled`. */
export async function getModel(config: KeptConfig, options: GetOptions): Promise<NamedModel | undefined> {
  const { signal, onProgress, proxies, wanted } = options;
  const { folder } = config.models;
  if (wanted === 'runtime') {
    await prepare(folder, true, { name: wanted }, options);
    return undefined;
  }
  const model = modelOf(options);
  const name = checkName(options.name ?? model.name);
  const hub = openHub({
    endpoint: config.hub.endpoint,
    allowedHosts: config.web.allowHosts,
    token: config.secret('HF_TOKEN'),
    proxies,
  });
  try {
    const listing = await hub.list(model.repository, signal);
    const { repository, revision, license = model.license } = listing;
    const bytes = neededFiles(listing, model.weights).reduce((sum, file) => sum + file.bytes, 0);
    const plan = { name, model: { repository, revision, license, terms: model.terms, bytes } };
    await prepare(folder, model.weights.endsWith('.gguf'), plan, options);
    return { name, ...(await fetchModel({ hub, folder, name, listing, model, onProgress, signal })) };
  } finally {
    hub.close();
  }
}

export interface TakeOptions extends KeepOptions {
  readonly path: string;
  readonly isLinked?: boolean | undefined;
}

/** Takes in what is on this machine. Throws what the folder throws, `cancelled`. */
export async function takeModel(config: KeptConfig, options: TakeOptions): Promise<NamedModel> {
  const { path, isLinked, signal } = options;
  const { folder } = config.models;
  const name = checkName(options.name ?? basename(path).replace(/\.gguf$/u, ''));
  await prepare(folder, path.endsWith('.gguf'), { name }, options);
  return { name, ...(await addModel({ folder, path, name, isLinked, signal })) };
}

export interface KeptModel extends Omit<LockedModel, 'files'> {
  readonly name: string;
  readonly bytes: number;
  /** Settings that name it. */
  readonly usedBy: readonly string[];
  /** Whether its folder is there. */
  readonly isThere: boolean;
}

/** Settings that name a model of the folder. */
const usersOf = ({ effective }: Pick<KeptConfig, 'effective'>, name: string): readonly string[] =>
  effective.flatMap(({ name: setting, value }) => {
    const named = String(value).split(',');
    const isUser = named.some((one) => ['gguf', 'onnx'].includes(one.trim().replace(`:${name}`, '')));
    return setting.startsWith('MODEL_') && isUser ? setting : [];
  });

export async function keptModels(config: KeptConfig): Promise<readonly KeptModel[]> {
  const { folder } = config.models;
  return Promise.all(
    Object.entries(await readLock(folder)).map(async ([name, { files, ...entry }]) => ({
      name,
      ...entry,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      usedBy: usersOf(config, name),
      isThere: await exists(join(folder, name)),
    })),
  );
}

export const verifyKept = (
  config: KeptConfig,
  name: string | undefined,
  signal?: AbortSignal,
): Promise<readonly Verified[]> => verifyModels(config.models.folder, name, signal);

/** Throws `conflict` while a role is set to it, unless forced; `not-found`. */
export async function removeKept(config: KeptConfig, name: string, isForced: boolean): Promise<LockedModel> {
  const users = usersOf(config, name);
  if (users.length > 0 && !isForced)
    throw new FootnoteError(
      'conflict',
      `${users.join(' and ')} ${users.length === 1 ? 'is' : 'are'} set to ${name}. Set another model first, or remove it all the same with --force.`,
    );
  return removeModel(config.models.folder, name);
}
