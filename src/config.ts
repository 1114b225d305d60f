// Reads the configuration once, before anything else runs: footnote.yaml, `.env` and the environment over it, flags over
// all. Every mistake is reported at once with its place. The only reader of process.env; the result is frozen.
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { misdirectedKeys } from './config/key-destinations.ts';
import { type Given, type Layer, readDotEnv, readEnvironment, readFile, readIfPresent } from './config/layers.ts';
import { type AgentConfig, readAgent } from './config/read-agent.ts';
import { type ChatConfig, readChat } from './config/read-chat.ts';
import { type EvalsConfig, readEvals } from './config/read-evals.ts';
import { type MemoryConfig, readMemory } from './config/read-memory.ts';
import {
  type RerankingConfig,
  readReranking,
  readSourceWeights,
  type SourceWeightsConfig,
} from './config/read-ranking.ts';
import { readStores, type StoresConfig } from './config/read-stores.ts';
import { readTelemetry, type TelemetryConfig } from './config/read-telemetry.ts';
import { readWeb, type WebConfig } from './config/read-web.ts';
import type { Setting } from './config/setting-kinds.ts';
import { expansions, type fusionMethods, settings, toFileKey } from './config/settings.ts';
import type { claimPolicies } from './config/settings-models.ts';
import { readTrusted } from './config/trusted.ts';
import { usualEmbedding } from './config/usual-embedding.ts';
import { FootnoteError } from './core/errors.ts';
import type { Mode } from './core/search.ts';

export interface EffectiveSetting {
  readonly name: string;
  /** Absent: not set. Of a secret only that it is set. */
  readonly value?: string | number | boolean;
  /** `default`, or where it stands: `footnote.yaml:3`, `.env:1`, `environment`, `--port`. */
  readonly origin: string;
  readonly unused: boolean;
}

export interface Config {
  /** Absolute path of the data folder. */
  readonly data: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Where others find the server, without a slash at its end; undefined: where it listens. */
  readonly publicUrl: string | undefined;
  readonly defaultMode: Mode;
  readonly chunking: { readonly maxTokens: number; readonly overlapTokens: number; readonly minTokens: number };
  readonly models: {
    /** `corpus`, `none`, `local:<folder>`, or `provider:model` with `@dimensions` or without. */
    readonly embed: string;
    /** Nobody named it: it follows from a key, which is told before anything is sent. */
    readonly isEmbedByKey: boolean;
    /** Absolute path of the folder of local models. */
    readonly folder: string;
    readonly queryTtlSeconds: number;
    /** Longest wait of a search for a provider's model. */
    readonly queryTimeoutMs: number;
  };
  /** The sentence encoder that comes with Footnote. */
  readonly encoder: {
    readonly isOn: boolean;
    /** Longest wait of a question for it. */
    readonly timeoutMs: number;
  };
  /** Models that write; keys are asked for with `secret`. */
  readonly language: {
    /** What is written for a role or an intent, by its name in lower case. */
    readonly roles: Readonly<Record<string, string>>;
    readonly openaiBaseUrl: string | undefined;
    readonly azure: {
      readonly endpoint: string | undefined;
      readonly apiVersion: string | undefined;
      readonly deployment: string | undefined;
    };
    readonly maxOutputTokens: number;
    /** How long silence of a model that writes is waited for; `firstTokenMs` undefined: a share of the request. */
    readonly patience: { readonly firstTokenMs: number | undefined; readonly idleMs: number };
    /** Whose word admits a claim of a model: of rules alone, or of a judge where rules cannot decide. */
    readonly claimPolicy: (typeof claimPolicies)[number];
    /** Longest summary by which a model sees evidence that does not fit in full. */
    readonly summaryCharacters: number;
    /** As it is written; empty: none. */
    readonly prices: string;
    readonly contextTokens: string;
  };
  readonly agent: AgentConfig;
  /** What models may take, as it is written; `none`: no limit. */
  readonly budgets: Readonly<Record<'request' | 'session' | 'keyDay' | 'day', string>>;
  readonly reranking: RerankingConfig;
  /** Stores beside the record. */
  readonly stores: StoresConfig;
  readonly evals: EvalsConfig;
  readonly telemetry: TelemetryConfig;
  /** A secret by the name of its setting. A function, so that no printed configuration holds one. */
  readonly secret: (name: string) => string | undefined;
  readonly sourceWeights: SourceWeightsConfig;
  /** Share of the best score that what people said of answers gives or takes at most. */
  readonly feedbackWeight: number;
  readonly fusion: {
    readonly method: (typeof fusionMethods)[number];
    /** Undefined: by the kind of model. */
    readonly semanticWeight: number | undefined;
    readonly rankConstant: number;
  };
  readonly expansion: readonly (typeof expansions)[number][];
  readonly memory: MemoryConfig;
  /** Undefined: by who writes. */
  readonly contextMaxTokens: number | undefined;
  readonly chat: ChatConfig;
  readonly maxFileBytes: number;
  /** Absolute paths of the folders below which sources of keys may read. */
  readonly sourceRoots: readonly string[];
  readonly web: WebConfig;
  readonly recognition: {
    readonly off: boolean;
    /** Codes of Tesseract's models, joined by `+`. */
    readonly languages: string;
    /** Absolute path; undefined: the bundled English. */
    readonly folder: string | undefined;
  };
  readonly requestTimeoutMs: number;
  readonly traceRetentionDays: number;
  /** Of each kind of requests. */
  readonly admission: { readonly atOnce: number; readonly waiting: number; readonly patienceMs: number };
  /** Every setting with its value and origin, secrets left out: what `footnote doctor` prints. */
  readonly effective: readonly EffectiveSetting[];
}

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

/** Settings whose names begin like those of roles. */
const otherModelSettings: ReadonlySet<string> = new Set(['MODEL_EMBED', 'MODEL_PRICES', 'MODEL_CONTEXT_TOKENS']);

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

/** Throws one `config-invalid` that names every mistake with its place. */
// oxlint-disable-next-line complexity, house/own-lines -- One setting is read after another, group by group.
export function loadConfig(sources: ConfigSources = {}): Config {
  const folder = resolve(sources.folder ?? process.cwd());
  const environment = sources.environment ?? process.env;
  const home = environment['HOME'] ?? homedir();
  const mistakes: string[] = [];
  const dotEnv = readDotEnv(resolve(folder, '.env'), '.env');
  const named =
    sources.file ?? environment['FOOTNOTE_CONFIG'] ?? (dotEnv.get('FOOTNOTE_CONFIG')?.value as string | undefined);
  const shown = named ?? 'footnote.yaml';
  const source = readIfPresent(resolve(folder, shown), named !== undefined);
  const flags: Layer = new Map(Object.entries(sources.flags ?? {}));
  // Later layers win: the file, .env, the environment, flags.
  const files = [source === undefined ? new Map<string, Given>() : readFile(shown, source, mistakes), dotEnv];
  const layers = [...files, readEnvironment(environment), flags];

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
      unused: setting.unused ?? false,
    });
  }

  mistakes.push(
    ...misdirectedKeys(
      (name) => {
        const layer = layers.findLast((one) => one.has(name));
        const given = layer?.get(name);
        return layer && given && { ...given, value: String(given.value), isFromFile: files.includes(layer) };
      },
      (address) => readTrusted({ home }).addresses.includes(address),
    ),
  );

  const number = (name: string): number => Number(values.get(name) ?? 0);
  const string = (name: string): string => String(values.get(name) ?? '');
  const optional = (name: string): string | undefined => (values.has(name) ? string(name) : undefined);
  const isNamed = (name: string): boolean => layers.some((layer) => layer.has(name));
  const modelsFolder = resolve(folder, string('MODELS_FOLDER'));
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
  const chunking = {
    maxTokens: number('CHUNK_MAX_TOKENS'),
    overlapTokens: number('CHUNK_OVERLAP_TOKENS'),
    minTokens: number('CHUNK_MIN_TOKENS'),
  };
  if (mistakes.length === 0) {
    if (chunking.overlapTokens * 2 > chunking.maxTokens)
      mistakes.push(
        `CHUNK_OVERLAP_TOKENS (${chunking.overlapTokens}) must be at most half of CHUNK_MAX_TOKENS (${chunking.maxTokens}).`,
      );
    if (chunking.minTokens > chunking.maxTokens)
      mistakes.push(
        `CHUNK_MIN_TOKENS (${chunking.minTokens}) must not exceed CHUNK_MAX_TOKENS (${chunking.maxTokens}).`,
      );
  }
  if (mistakes.length > 0)
    throw new FootnoteError(
      'config-invalid',
      `The configuration has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`,
      { details: { mistakes } },
    );

  return Object.freeze({
    data: resolve(folder, string('FOOTNOTE_DATA')),
    host: string('FOOTNOTE_HOST'),
    port: number('FOOTNOTE_PORT'),
    publicUrl: values.has('FOOTNOTE_PUBLIC_URL')
      ? new URL(string('FOOTNOTE_PUBLIC_URL')).href.replace(/\/$/u, '')
      : undefined,
    defaultMode: string('DEFAULT_MODE') as Mode,
    chunking: Object.freeze(chunking),
    models: Object.freeze({
      embed: string('MODEL_EMBED'),
      isEmbedByKey: embedByKey !== undefined,
      folder: modelsFolder,
      queryTtlSeconds: number('EMBEDDING_CACHE_TTL_SECONDS'),
      queryTimeoutMs: number('EMBEDDING_TIMEOUT_MS'),
    }),
    encoder: Object.freeze({ isOn: string('ENCODER') === 'on', timeoutMs: number('ENCODER_TIMEOUT_MS') }),
    language: Object.freeze({
      roles: Object.freeze(
        Object.fromEntries(
          settings
            .filter(({ name }) => name.startsWith('MODEL_') && !otherModelSettings.has(name) && values.has(name))
            .map(({ name }) => [name.slice('MODEL_'.length).toLowerCase(), string(name)])
            // A cross-encoder and a rerank service are no language models.
            .filter(([role, value]) => role !== 'rerank' || !/^(local|service):/u.test(value ?? '')),
        ),
      ),
      openaiBaseUrl: optional('OPENAI_BASE_URL'),
      azure: Object.freeze({
        endpoint: optional('AZURE_OPENAI_ENDPOINT'),
        apiVersion: optional('AZURE_OPENAI_API_VERSION'),
        deployment: optional('AZURE_OPENAI_DEPLOYMENT'),
      }),
      maxOutputTokens: number('ANSWER_MAX_OUTPUT_TOKENS'),
      patience: Object.freeze({
        firstTokenMs: values.has('ANSWER_FIRST_TOKEN_TIMEOUT_MS') ? number('ANSWER_FIRST_TOKEN_TIMEOUT_MS') : undefined,
        idleMs: number('ANSWER_IDLE_TIMEOUT_MS'),
      }),
      claimPolicy: string('CLAIM_POLICY') as (typeof claimPolicies)[number],
      summaryCharacters: number('LAZY_SUMMARY_MAX_CHARS'),
      prices: string('MODEL_PRICES'),
      contextTokens: string('MODEL_CONTEXT_TOKENS'),
    }),
    agent: readAgent(values),
    budgets: Object.freeze({
      request: optional('BUDGET_REQUEST') ?? 'none',
      session: optional('BUDGET_SESSION') ?? 'none',
      keyDay: optional('BUDGET_KEY_DAY') ?? 'none',
      day: optional('BUDGET_DAY') ?? 'none',
    }),
    reranking: readReranking(values),
    stores: readStores(values),
    evals: readEvals(values),
    telemetry: readTelemetry(values),
    secret: optional,
    sourceWeights: readSourceWeights(values),
    feedbackWeight: Number(values.get('FEEDBACK_WEIGHT') ?? 0),
    fusion: Object.freeze({
      method: string('FUSION_METHOD') as Config['fusion']['method'],
      semanticWeight: values.has('SEMANTIC_WEIGHT') ? number('SEMANTIC_WEIGHT') : undefined,
      rankConstant: number('RRF_K_CONSTANT'),
    }),
    expansion: Object.freeze(
      expansions.filter((name) =>
        string('QUERY_EXPANSION')
          .split(',')
          .some((one) => one.trim() === name),
      ),
    ),
    memory: readMemory(values),
    contextMaxTokens: values.has('CONTEXT_MAX_TOKENS') ? number('CONTEXT_MAX_TOKENS') : undefined,
    chat: readChat(values),
    maxFileBytes: number('MAX_FILE_BYTES'),
    sourceRoots: Object.freeze(
      string('SOURCE_ROOTS')
        .split(',')
        .flatMap((path) => (path.trim() === '' ? [] : [resolve(folder, path.trim())])),
    ),
    web: readWeb(values),
    recognition: Object.freeze({
      off: string('OCR') === 'off',
      languages: string('OCR_LANGUAGES'),
      folder: values.has('OCR_FOLDER') ? resolve(folder, string('OCR_FOLDER')) : undefined,
    }),
    requestTimeoutMs: number('REQUEST_TIMEOUT_MS'),
    traceRetentionDays: number('TRACE_RETENTION_DAYS'),
    admission: Object.freeze({
      atOnce: number('REQUESTS_AT_ONCE'),
      waiting: number('REQUESTS_WAITING'),
      patienceMs: number('REQUESTS_PATIENCE_MS'),
    }),
    effective: Object.freeze(effective),
  });
}
