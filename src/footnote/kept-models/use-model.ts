// `footnote models use`: a model is tried once as the settings would name it, and then they are written. And what runs on this machine already, which
// is told where no model writes answers. Invariant: nothing is used that nobody asked for.
import { type Config, loadConfig, saveSettings } from '../../config.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import {
  addressOf,
  type FindOptions,
  type FoundServer,
  findServers,
  type Ports,
  serverNames,
} from '../../models/hub/found.ts';
import { kindOf } from '../../models/hub/models-folder.ts';
import { type ModelKind, readLock } from '../../models/local/lock.ts';
import { resolveModels } from '../../models/open-models.ts';
import { modelSettingsOf } from '../roles/language-models.ts';
import type { TrialReport } from '../trials/role-trials.ts';
import { tryRoles } from '../trials/try-roles.ts';

type Values = Readonly<Record<string, string>>;

/** The setting that puts a model of the folder to work, and the role that it is tried in. */
const uses: Readonly<Record<ModelKind, { role: string; setting: string; provider: string }>> = {
  writer: { role: 'answer', setting: 'MODEL_ANSWER', provider: 'gguf' },
  encoder: { role: 'embed', setting: 'MODEL_EMBED', provider: 'onnx' },
  order: { role: 'rerank', setting: 'MODEL_RERANK', provider: 'onnx' },
  judge: { role: 'judge', setting: 'MODEL_JUDGE', provider: 'onnx' },
};

export interface UseOptions {
  /** A model of the folder, one of a server on this machine (`ollama:qwen3:4b`), or `compatible:NAME` with an address. */
  readonly reference: string;
  /** Of a server that speaks OpenAI's protocol. */
  readonly url?: string | undefined;
  /** The configuration file, where one is named. */
  readonly file?: string | undefined;
  /** Ports of servers of this machine, where they are others than usual. */
  readonly ports?: Ports | undefined;
  readonly clock: Clock;
  readonly folder?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

export interface Used {
  readonly values: Values;
  /** That the settings were written into. */
  readonly file: string;
  readonly trial: TrialReport & { readonly ok: true };
}

/** One address serves all that speaks OpenAI's protocol. Throws `conflict` where another would change more than who answers. */
function checkMove({ language, secret, effective }: MoveConfig, address: string): void {
  if (language.openaiBaseUrl === address) return;
  const others = effective.filter(
    ({ name, value }) => name !== 'MODEL_ANSWER' && /(^|,\s*)compatible:/u.test(String(value)),
  );
  const why =
    secret('OPENAI_API_KEY') !== undefined
      ? 'OPENAI_API_KEY is set, and would be sent there'
      : others.length > 0
        ? `${others.map(({ name }) => name).join(' and ')} would be asked there too`
        : undefined;
  if (why !== undefined)
    throw new FootnoteError(
      'conflict',
      `OPENAI_BASE_URL was not changed to ${address}: ${why}. Take that out first, or set OPENAI_BASE_URL and MODEL_ANSWER yourself.`,
    );
}

type MoveConfig = Pick<Config, 'models' | 'language' | 'secret' | 'effective'>;

async function settingsOf(config: MoveConfig, options: UseOptions): Promise<{ role: string; values: Values }> {
  const { reference, url, ports } = options;
  const colon = reference.indexOf(':');
  const [prefix, model] = [reference.slice(0, Math.max(0, colon)), reference.slice(colon + 1)];
  const server = serverNames.find((one) => one === prefix);
  if (server || prefix === 'compatible') {
    const address = url ?? (server && addressOf(server, ports));
    if (address !== undefined) checkMove(config, address);
    const values = { ...(address !== undefined && { OPENAI_BASE_URL: address }), MODEL_ANSWER: `compatible:${model}` };
    return { role: 'answer', values };
  }
  if (colon >= 0)
    throw new FootnoteError(
      'invalid-request',
      `"${reference}" is neither a model of the folder nor one of ${[...serverNames, 'compatible'].map((one) => `${one}:NAME`).join(', ')}. docs/providers.md says how those of a provider are set.`,
    );
  const { folder } = config.models;
  const lock = await readLock(folder);
  const kind = (Object.hasOwn(lock, reference) && lock[reference]?.kind) || (await kindOf(folder, reference));
  const { role, setting, provider } = uses[kind];
  return { role, values: { [setting]: `${provider}:${reference}` } };
}

/** Throws what the trial failed with, `conflict` where the environment says otherwise, `config-invalid`. */
export async function applyModel(options: UseOptions): Promise<Used> {
  const { file, folder, environment, clock, signal } = options;
  const sources = {
    ...(file !== undefined && { file }),
    ...(folder !== undefined && { folder }),
    ...(environment && { environment }),
  };
  const { role, values } = await settingsOf(loadConfig(sources), options);
  const flags = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { value, place: 'footnote models use' }]),
  );
  const text = 'How many days of leave do new employees get?';
  const { trials, skipped } = await tryRoles(loadConfig({ ...sources, flags }), { role, text, clock }, signal);
  const [trial] = trials;
  if (!trial)
    throw new FootnoteError(
      'unsupported',
      `${options.reference} could not be tried, so nothing was written: ${skipped[0]?.why ?? 'no role asks it'}.`,
    );
  if (!trial.ok)
    throw new FootnoteError(trial.code, `Nothing was written, because a test call failed: ${trial.reason}`);
  return { values, file: saveSettings(values, sources), trial };
}

/** Servers of this machine, where no model writes answers and nobody said that none should. Never throws. */
export async function findRunning(
  config: Pick<Config, 'language' | 'secret' | 'isDetecting'>,
  options?: FindOptions,
): Promise<readonly FoundServer[]> {
  try {
    const { models, from } = resolveModels(modelSettingsOf(config)).roles.answer;
    return config.isDetecting && models.length === 0 && from === 'default' ? await findServers(options) : [];
  } catch {
    return [];
  }
}

/** One line for a person. */
export function tellServer({ name, title, models }: FoundServer): string {
  const others = models.length > 1 ? ` and ${models.length - 1} more` : '';
  return `${title} is running with ${models[0]}${others}: footnote models use ${name}:${models[0]}`;
}
