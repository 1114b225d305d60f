// Reads the configuration once, before anything else runs: footnote.yaml, `.env` and the environment over it, flags over
// all. Every mistake is reported at once with its place. The only reader of process.env; the result is frozen.
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { readAgent } from './config/agent.ts';
import { readChat } from './config/chat.ts';
import { readEvals } from './config/evals.ts';
import { type Frozen, frozen } from './config/frozen.ts';
import {
  type GivenSetting,
  isOfVendor,
  keyDestinations,
  misdirectedKeys,
  misplacedIssuers,
} from './config/key-destinations.ts';
import { type Given, type Layer, readDotEnv, readEnvironment, readFile, readIfPresent } from './config/layers.ts';
import { readMemory } from './config/memory.ts';
import { readBudgets, readLanguage, readReranking } from './config/models.ts';
import type { Setting } from './config/setting-kinds.ts';
import { expansions, type SettingValues, settings, toFileKey } from './config/settings.ts';
import { readStores } from './config/stores.ts';
import { readTelemetry } from './config/telemetry.ts';
import { readTrusted } from './config/trusted.ts';
import { readWeb } from './config/web.ts';
import { writeSettings } from './config/write-settings.ts';
import { FootnoteError } from './core/errors.ts';
import { isLoopbackHost } from './core/hosts/loopback.ts';
import { defined } from './core/values/defined.ts';

export interface EffectiveSetting {
  readonly name: string;
  /** Absent: not set. Of a secret only that it is set. */
  readonly value?: string | number | boolean;
  /** `default`, or where it stands: `footnote.yaml:3`, `.env:1`, `environment`, `--port`. */
  readonly origin: string;
  readonly unused: boolean;
}

export type Config = Frozen<ReturnType<typeof readValues>> & {
  /** A secret by the name of its setting. A function, so that no printed configuration holds one. */
  readonly secret: (name: string) => string | undefined;
  /** Every setting with its value and origin, secrets left out: what `footnote doctor` prints. */
  readonly effective: readonly EffectiveSetting[];
};

export interface ConfigSources {
  /** Folder that relative paths, footnote.yaml and `.env` are looked up in. Default: the working directory. */
  readonly folder?: string;
  /** Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** By setting name; `place` is how the person wrote it, such as `--port`. */
  readonly flags?: Readonly<Record<string, { readonly value: string; readonly place: string }>>;
  /** Path of the file, which then must exist. Default: FOOTNOTE_CONFIG, else footnote.yaml in `folder` if there is one. */
  readonly file?: string;
}

/** A value as it may be shown: addresses can hold user names, passwords and keys in their query. */
function shownOf<Value>({ name }: Setting, value: Value): Value | string {
  if (typeof value !== 'string' || !/_(?:URL|ENDPOINT)$/u.test(name)) return value;
  return value
    .replace(/^(\s*[a-z][a-z\d+.-]*:\/+(?!\/))?\S*@/iu, '$1(hidden)@')
    .replace(/([?&][^=&#?\s]+=)[^&#\s]+/gu, '$1(hidden)');
}

function check(setting: Setting, given: Given, mistakes: string[]): string | number | boolean | undefined {
  const parsed = setting.schema.safeParse(given.value);
  if (parsed.success) return parsed.data;
  const shown = setting.secret ? '' : `, not ${JSON.stringify(shownOf(setting, given.value))}`;
  const isFile = /\.ya?ml:\d+$/.test(given.place);
  const name = isFile ? toFileKey(setting.name) : setting.name;
  const where = given.place.startsWith('--') ? given.place : `${given.place}: ${name}`;
  mistakes.push(`${where} ${parsed.error.issues[0]?.message ?? 'is not valid'}${shown}.`);
  return undefined;
}

/** Who started this process, as its environment tells. */
export function readStarted(environment: ConfigSources['environment'] = process.env): {
  /** npx, or a script of this package that npm or a program like it runs. */
  readonly byNpm: boolean;
  /** The process of bin/footnote.mjs, where it started a newer Node. */
  readonly wrapper: number | undefined;
} {
  const wrapper = Number(environment['FOOTNOTE_WRAPPER_PID']);
  return {
    byNpm: environment['npm_lifecycle_event'] === 'npx' || environment['npm_package_name'] === 'footnote-server',
    wrapper: Number.isInteger(wrapper) && wrapper > 1 ? wrapper : undefined,
  };
}

/** Proxies, by the names that every program reads them from; empty: none. */
export function readProxies(environment: NonNullable<ConfigSources['environment']> = process.env): {
  readonly http: string;
  readonly https: string;
  readonly not: string;
} {
  const of = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  return { http: of('HTTP_PROXY'), https: of('HTTPS_PROXY') || of('ALL_PROXY'), not: of('NO_PROXY') };
}

interface ReadingOptions {
  readonly folder: string;
  readonly environment: NonNullable<ConfigSources['environment']>;
  readonly mistakes: string[];
}

/** Later layers win: the file, .env, the environment, flags. */
function readLayers(sources: ConfigSources, { folder, environment, mistakes }: ReadingOptions) {
  const dotEnv = readDotEnv(resolve(folder, '.env'), '.env');
  const named =
    sources.file ?? environment['FOOTNOTE_CONFIG'] ?? (dotEnv.get('FOOTNOTE_CONFIG')?.value as string | undefined);
  const shown = named ?? 'footnote.yaml';
  const source = readIfPresent(resolve(folder, shown), named !== undefined);
  const flags: Layer = new Map(Object.entries(sources.flags ?? {}));
  const files = [source === undefined ? new Map<string, Given>() : readFile(shown, source, mistakes), dotEnv];
  return { files, layers: [...files, readEnvironment(environment), flags] };
}

/** Throws one `config-invalid` that names every mistake with its place. */
export function loadConfig(sources: ConfigSources = {}): Config {
  const folder = resolve(sources.folder ?? process.cwd());
  const environment = sources.environment ?? process.env;
  const home = environment['HOME'] ?? homedir();
  const mistakes: string[] = [];
  const { files, layers } = readLayers(sources, { folder, environment, mistakes });
  const values = new Map<string, string | number | boolean>();
  const effective: EffectiveSetting[] = [];
  for (const setting of settings) {
    const given = layers.findLast((layer) => layer.has(setting.name))?.get(setting.name);
    const fallback = setting.default === undefined ? undefined : { value: setting.default, place: 'default' };
    const chosen = given ?? fallback;
    const value = chosen && check(setting, chosen, mistakes);
    if (value !== undefined) values.set(setting.name, value);
    effective.push({
      name: setting.name,
      ...(value !== undefined && { value: setting.secret ? '(set)' : shownOf(setting, value) }),
      origin: given?.place ?? (setting.default === undefined ? 'not set' : 'default'),
      unused: setting.unused,
    });
  }

  const givenTo = (name: string): GivenSetting | undefined => {
    const layer = layers.findLast((one) => one.has(name));
    const given = layer?.get(name);
    return layer && given && { ...given, value: String(given.value), isFromFile: files.includes(layer) };
  };
  const isTrusted = (address: string): boolean => readTrusted({ home }).addresses.includes(address);
  mistakes.push(...misdirectedKeys(givenTo, isTrusted), ...misplacedIssuers(givenTo, isTrusted));

  const optional = (name: string): string | undefined => (values.has(name) ? String(values.get(name)) : undefined);
  const isNamed = (name: string): boolean => layers.some((layer) => layer.has(name));
  const embedByKey = isNamed('MODEL_EMBED') ? undefined : usualEmbedding(optional);
  if (embedByKey !== undefined) {
    values.set('MODEL_EMBED', embedByKey);
    const at = effective.findIndex(({ name }) => name === 'MODEL_EMBED');
    effective[at] = {
      ...(effective[at] as EffectiveSetting),
      value: embedByKey,
      origin: 'default with OPENAI_API_KEY',
    };
  }
  // Whatever has a default has a value here, unless there are mistakes.
  const read = Object.fromEntries(values) as unknown as SettingValues;
  if (mistakes.length === 0) mistakes.push(...chunkingMistakes(read), ...tokenMistakes(read));
  if (mistakes.length > 0)
    throw new FootnoteError(
      'config-invalid',
      `The configuration has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`,
      { details: { mistakes } },
    );
  return Object.freeze({
    ...frozen(readValues(read, { folder, isEmbedByKey: embedByKey !== undefined })),
    secret: optional,
    effective: frozen(effective),
  });
}

/**
 * Writes settings into the file that says them, or that people have; its path. What the product would not read so afterwards is taken back. Throws
 * `conflict` where something wins over that file, `config-invalid` with the mistakes that it would have.
 */
export function saveSettings(
  values: Readonly<Record<string, string>>,
  sources: Omit<ConfigSources, 'flags'> = {},
): string {
  const folder = resolve(sources.folder ?? process.cwd());
  const file = sources.file ?? (sources.environment ?? process.env)['FOOTNOTE_CONFIG'];
  const { path, undo } = writeSettings(values, { folder, file });
  try {
    const { effective } = loadConfig(sources);
    const other = effective.find(({ name, value }) => Object.hasOwn(values, name) && String(value) !== values[name]);
    if (!other) return path;
    throw new FootnoteError(
      'conflict',
      `${other.name} was not written: ${other.origin} says ${other.value}, and wins over ${path}. Change it there to ${values[other.name]}.`,
    );
  } catch (thrown) {
    undo();
    throw thrown;
  }
}

function chunkingMistakes({
  CHUNK_MAX_TOKENS: most,
  CHUNK_OVERLAP_TOKENS: overlap,
  CHUNK_MIN_TOKENS: least,
}: SettingValues) {
  const mistakes: string[] = [];
  if (overlap * 2 > most)
    mistakes.push(`CHUNK_OVERLAP_TOKENS (${overlap}) must be at most half of CHUNK_MAX_TOKENS (${most}).`);
  if (least > most) mistakes.push(`CHUNK_MIN_TOKENS (${least}) must not exceed CHUNK_MAX_TOKENS (${most}).`);
  return mistakes;
}

function tokenMistakes(values: SettingValues): string[] {
  const { FOOTNOTE_OIDC_ISSUER: issuer, FOOTNOTE_OIDC_KEYS_URL: keysUrl } = values;
  if (issuer === undefined) return [];
  const open = Object.entries({ FOOTNOTE_OIDC_ISSUER: issuer, FOOTNOTE_OIDC_KEYS_URL: keysUrl }).flatMap(
    ([name, address = 'https://localhost']) => {
      const { protocol, hostname } = new URL(address);
      return protocol === 'https:' || isLoopbackHost(hostname) ? [] : [name];
    },
  );
  return [
    ...(values.FOOTNOTE_PUBLIC_URL === undefined
      ? ['FOOTNOTE_OIDC_ISSUER needs FOOTNOTE_PUBLIC_URL: tokens are for an address, and clients are told it.']
      : []),
    ...open.map((name) => `${name} must begin with https: whoever stands between could name keys of their own.`),
  ];
}

/** Who signs tokens, and what they stand for; undefined: nobody. */
function readTokens(values: SettingValues, publicUrl: string | undefined) {
  const { FOOTNOTE_OIDC_ISSUER: issuer, FOOTNOTE_OIDC_SOURCES: sources } = values;
  if (issuer === undefined || publicUrl === undefined) return undefined;
  const rows = sources?.split(';').map((row) => row.split('=').map((part) => part.trim()));
  return {
    issuer,
    /** The address of MCP. */
    resource: `${publicUrl}/mcp`,
    audience: values.FOOTNOTE_OIDC_AUDIENCE ?? `${publicUrl}/mcp`,
    keysUrl: values.FOOTNOTE_OIDC_KEYS_URL,
    groupsClaim: values.FOOTNOTE_OIDC_GROUPS_CLAIM,
    /** By group; undefined: each reads all. */
    sourcesOf:
      rows && new Map(rows.map(([group = '', names = '']) => [group, names.split(',').map((name) => name.trim())])),
  };
}

const publicUrlOf = ({ FOOTNOTE_PUBLIC_URL: given }: SettingValues): string | undefined =>
  given && new URL(given).href.replace(/\/$/u, '');

/** Paths are resolved against `folder`. */
const readValues = (
  values: SettingValues,
  { folder, isEmbedByKey }: { readonly folder: string; readonly isEmbedByKey: boolean },
) => ({
  /** Absolute path of the data folder. */
  data: resolve(folder, values.FOOTNOTE_DATA),
  host: values.FOOTNOTE_HOST,
  /** 0: any free port. */
  port: values.FOOTNOTE_PORT,
  /** Where others find the server, without a slash at its end; undefined: where it listens. */
  publicUrl: publicUrlOf(values),
  oidc: readTokens(values, publicUrlOf(values)),
  /** Absolute path of the file with the secret of the first key. */
  bootstrapKeyFile: values.FOOTNOTE_BOOTSTRAP_KEY_FILE && resolve(folder, values.FOOTNOTE_BOOTSTRAP_KEY_FILE),
  /** Of pages that may call the server. */
  allowedOrigins: (values.FOOTNOTE_ALLOWED_ORIGINS ?? '')
    .split(',')
    .flatMap((origin) => (origin.trim() === '' ? [] : [origin.trim()])),
  /** Text for clients of other protocols that ask for none. */
  chatText: values.FOOTNOTE_CHAT_TEXT,
  defaultMode: values.DEFAULT_MODE,
  chunking: {
    maxTokens: values.CHUNK_MAX_TOKENS,
    overlapTokens: values.CHUNK_OVERLAP_TOKENS,
    minTokens: values.CHUNK_MIN_TOKENS,
  },
  models: {
    /** `corpus`, `none`, `onnx:<folder>`, or `provider:model` with `@dimensions` or without. */
    embed: values.MODEL_EMBED,
    /** Nobody named it: it follows from a key, which is told before anything is sent. */
    isEmbedByKey,
    /** Absolute path of the folder of local models. */
    folder: resolve(folder, values.MODELS_FOLDER),
    queryTtlSeconds: values.EMBEDDING_CACHE_TTL_SECONDS,
    /** Longest wait of a search for a provider's model. */
    queryTimeoutMs: values.EMBEDDING_TIMEOUT_MS,
  },
  /** Where models are fetched from; its token is asked for with `secret`. */
  hub: { endpoint: values.HF_ENDPOINT },
  /** Whether servers of models on this machine are looked for. */
  isDetecting: values.MODEL_DETECT === 'on',
  /** The sentence encoder that comes with Footnote, and the longest wait of a question for it. */
  encoder: { isOn: values.ENCODER === 'on', timeoutMs: values.ENCODER_TIMEOUT_MS },
  language: readLanguage(values),
  agent: readAgent(values),
  budgets: readBudgets(values),
  reranking: readReranking(values),
  /** Stores beside the record. */
  stores: readStores(values),
  evals: readEvals(values),
  telemetry: readTelemetry(values),
  sourceWeights: {
    authority: values.SOURCE_AUTHORITY_WEIGHT,
    freshness: values.SOURCE_FRESHNESS_WEIGHT,
    diversity: values.SOURCE_DIVERSITY_WEIGHT,
  },
  /** Share of the best score that what people said of answers gives or takes at most. */
  feedbackWeight: values.FEEDBACK_WEIGHT,
  fusion: {
    method: values.FUSION_METHOD,
    /** Undefined: by the kind of model. */
    semanticWeight: values.SEMANTIC_WEIGHT,
    rankConstant: values.RRF_K_CONSTANT,
  },
  expansion: expansions.filter((name) => values.QUERY_EXPANSION.split(',').some((one) => one.trim() === name)),
  memory: readMemory(values),
  /** Undefined: by who writes. */
  contextMaxTokens: values.CONTEXT_MAX_TOKENS,
  chat: readChat(values),
  maxFileBytes: values.MAX_FILE_BYTES,
  /** Undefined: no limit. */
  indexMemoryMb: values.INDEX_MEMORY_MB,
  /** Absolute paths of the folders below which sources of keys may read. */
  sourceRoots: (values.SOURCE_ROOTS ?? '')
    .split(',')
    .flatMap((path) => (path.trim() === '' ? [] : [resolve(folder, path.trim())])),
  web: readWeb(values),
  recognition: {
    off: values.OCR === 'off',
    /** Codes of Tesseract's models, joined by `+`. */
    languages: values.OCR_LANGUAGES,
    /** Absolute path; undefined: the bundled English. */
    folder: values.OCR_FOLDER && resolve(folder, values.OCR_FOLDER),
  },
  requestTimeoutMs: values.REQUEST_TIMEOUT_MS,
  traceRetentionDays: values.TRACE_RETENTION_DAYS,
  /** Of keys that have none of their own; what models cost them is in `budgets`. */
  keyLimits: defined({
    rate: values.KEY_RATE,
    dailyRequests: values.KEY_DAILY_REQUESTS,
    dailyBytes: values.KEY_DAILY_BYTES,
  }),
  /** Of each kind of requests. */
  admission: {
    atOnce: values.REQUESTS_AT_ONCE,
    waiting: values.REQUESTS_WAITING,
    patienceMs: values.REQUESTS_PATIENCE_MS,
  },
});

const embeddingOfOpenai = 'openai:text-embedding-3-small';

/**
 * The model of search by meaning where nobody names one: OpenAI's with a key of OpenAI; undefined: as the setting's own default says. A key for an
 * address of one's own is no key of OpenAI: who knows what is served there.
 */
function usualEmbedding(optional: (name: string) => string | undefined): string | undefined {
  if (optional('OPENAI_API_KEY') === undefined) return undefined;
  const address = optional('OPENAI_BASE_URL');
  const vendor = keyDestinations.find(({ key }) => key === 'OPENAI_API_KEY')?.vendor;
  return address === undefined || isOfVendor(address, vendor) ? embeddingOfOpenai : undefined;
}
