// `footnote models get, add, verify, remove`: from the names of people and their configuration to the folder of models. Nothing is fetched but by these.
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Config, readProxies } from '../../config.ts';
import { FootnoteError } from '../../core/errors.ts';
import { type Hub, type HubListing, openHub } from '../../models/hub/hub.ts';
import {
  addModel,
  checkName,
  fetchModel,
  neededFiles,
  removeModel,
  type Verified,
  verifyModels,
} from '../../models/hub/models-folder.ts';
import { type Recommended, recommended } from '../../models/hub/recommended.ts';
import { findRuntime, installRuntime, runtimeBytes } from '../../models/hub/runtime.ts';
import { type LockedModel, readLock } from '../../models/local/lock.ts';

export { type Recommended, recommended, type Verified };
export type KeptConfig = Pick<Config, 'models' | 'hub' | 'web' | 'secret' | 'effective'>;

/** What is about to come, for a person to agree to. */
export interface Plan {
  readonly name: string;
  readonly repository?: string;
  readonly revision?: string;
  readonly license?: string;
  readonly terms?: string;
  /** Of the model; 0 where it is here already. */
  readonly bytes: number;
  /** Of what runs it, where that is missing. */
  readonly runtimeBytes?: number;
}

export interface CarriedOut extends LockedModel {
  readonly name: string;
}

export interface KeepOptions {
  readonly proxies?: ReturnType<typeof readProxies>;
  /** Asked before anything is fetched or copied; false ends it. */
  readonly agree: (plan: Plan) => Promise<boolean>;
  readonly onProgress?: (done: number, total: number, file: string) => void;
  /** An unpacked copy of what runs .gguf models. */
  readonly runtimeFrom?: string;
  readonly signal?: AbortSignal;
}

export interface GetOptions extends KeepOptions {
  /** Of the table, or OWNER/REPOSITORY. */
  readonly wanted: string;
  /** The file of another repository that is run. */
  readonly file?: string;
  readonly name?: string;
}

/** Throws `not-found` for a name that the table does not have. */
function modelOf({ wanted, file, name }: GetOptions): Omit<Recommended, 'kind'> & Partial<Pick<Recommended, 'kind'>> {
  const known = recommended.find((one) => one.name === wanted);
  if (known) return { ...known, ...(name !== undefined && { name }) };
  if (!wanted.includes('/'))
    throw new FootnoteError(
      'not-found',
      `There is no model ${wanted} in the table. "footnote models get" shows it; OWNER/REPOSITORY names any other of the hub.`,
    );
  const base = { repository: wanted, license: 'unknown', bytes: 0, memoryBytes: 0, languages: '', tried: false };
  return { ...base, name: name ?? basename(wanted).toLowerCase(), weights: file ?? 'onnx/model.onnx' };
}

async function agreed(options: KeepOptions, plan: Plan): Promise<void> {
  if (!(await options.agree(plan))) throw new FootnoteError('cancelled', 'Nothing was fetched.');
}

/** What has to come to run a model, as a plan tells it. */
async function missingRuntime(folder: string, isGguf: boolean): Promise<Pick<Plan, 'runtimeBytes'>> {
  return isGguf && (await findRuntime(folder)) === undefined ? { runtimeBytes } : {};
}

async function addRuntime(folder: string, { runtimeBytes: missing }: Pick<Plan, 'runtimeBytes'>, options: KeepOptions) {
  const { runtimeFrom, signal } = options;
  if (missing === undefined) return;
  await installRuntime({ folder, ...(runtimeFrom !== undefined && { runtimeFrom }), ...(signal && { signal }) });
}

/** Fetches a model of the table, or of another repository. Throws what the hub and the folder throw, `cancelled`. */
export async function getModel(config: KeptConfig, options: GetOptions): Promise<CarriedOut> {
  const { signal, onProgress, proxies } = options;
  const { folder } = config.models;
  const model = modelOf(options);
  const name = checkName(model.name);
  const token = config.secret('HF_TOKEN');
  const hub: Hub = openHub({
    endpoint: config.hub.endpoint,
    allowedHosts: config.web.allowHosts,
    ...(token !== undefined && { token }),
    ...(proxies && { proxies }),
  });
  try {
    const listing: HubListing = await hub.list(model.repository, 'main', signal);
    const files = neededFiles(listing, model.weights);
    const missing = await missingRuntime(folder, model.weights.endsWith('.gguf'));
    const license = listing.license ?? model.license;
    await agreed(options, {
      name,
      repository: listing.repository,
      revision: listing.revision,
      license,
      ...(model.terms !== undefined && { terms: model.terms }),
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      ...(options.runtimeFrom === undefined && missing),
    });
    await addRuntime(folder, missing, options);
    const come = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
    return { name, ...(await fetchModel({ hub, folder, name, listing, model, ...come })) };
  } finally {
    hub.close();
  }
}

export interface TakeOptions extends KeepOptions {
  readonly path: string;
  readonly name?: string;
  readonly isLinked?: boolean;
}

/** Takes in what is on this machine. Throws what the folder throws, `cancelled`. */
export async function takeModel(config: KeptConfig, options: TakeOptions): Promise<CarriedOut> {
  const { path, isLinked = false, signal } = options;
  const { folder } = config.models;
  const name = checkName(options.name ?? basename(path).replace(/\.gguf$/u, ''));
  const missing = await missingRuntime(folder, path.endsWith('.gguf'));
  if (missing.runtimeBytes !== undefined && options.runtimeFrom === undefined)
    await agreed(options, { name, bytes: 0, ...missing });
  const added = await addModel({ folder, path, name, isLinked, ...(signal && { signal }) });
  await addRuntime(folder, missing, options);
  return { name, ...added };
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
  effective.flatMap(({ name: setting, value }) =>
    setting.startsWith('MODEL_') &&
    String(value)
      .split(',')
      .some((one) => ['gguf', 'local', 'onnx'].some((provider) => one.trim() === `${provider}:${name}`))
      ? setting
      : [],
  );

export async function keptModels(config: KeptConfig): Promise<readonly KeptModel[]> {
  const { folder } = config.models;
  const lock = await readLock(folder);
  return Promise.all(
    Object.entries(lock).map(async ([name, { files, ...entry }]) => ({
      name,
      ...entry,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      usedBy: usersOf(config, name),
      isThere: await stat(join(folder, name)).then(
        () => true,
        () => false,
      ),
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
