// Every setting that exists, with its name, default and meaning: the one table that the reader, the doctor and
// docs/configuration.md share. In footnote.yaml a setting has its environment name in lower camel case, without FOOTNOTE_.
import { modes } from '../core/search.ts';
import { ratePattern } from '../core/spending.ts';
import { agentSettings } from './agent.ts';
import { chatSettings } from './chat.ts';
import { evalsSettings } from './evals.ts';
import { memorySettings } from './memory.ts';
import { modelSettings } from './models.ts';
import {
  decimal,
  integer,
  oneOf,
  origins,
  publicUrl,
  type Setting,
  type SettingKinds,
  secret,
  settingsOf,
  text,
  url,
  type ValuesOf,
} from './setting-kinds.ts';
import { storeSettings } from './stores.ts';
import { tracesSettings } from './telemetry.ts';
import { webSettings } from './web.ts';

export const fusionMethods = ['min-max', 'rrf'] as const;
export const expansions = ['acronyms'] as const;

const expansionList = text.refine(
  (value) =>
    value === 'none' || value.split(',').every((name) => (expansions as readonly string[]).includes(name.trim())),
  'must be none or acronyms (feedback and multi-query ranked worse and were removed: leave them out)',
);

const general = {
  FOOTNOTE_DATA: text.default('./.footnote').describe('Folder that holds all data'),
  FOOTNOTE_DATABASE_URL: secret(
    'Address of a PostgreSQL database (15 or newer) that holds the record in the place of the data folder, `postgres://USER:PASSWORD@HOST:5432/DATABASE`; what works there yet says docs/postgresql.md. Not set: the data folder holds it',
  ),
  INDEX_MEMORY_MB: integer(1, 10_000_000).describe(
    'Memory that the indexes of tenants may take together in a server over PostgreSQL, in megabytes; beyond it those that were not asked for longest go, and are read again when they are. Not set: no limit',
  ),
  FOOTNOTE_HOST: text
    .default('127.0.0.1')
    .describe('Address that the server listens on; any other than the loopback needs an API key first'),
  FOOTNOTE_PORT: integer(0, 65_535).default(4180).describe('Port that the server listens on; 0 takes a free one'),
  FOOTNOTE_PUBLIC_URL: publicUrl.describe(
    'Where others find the server, such as `https://example.org/footnote`: links of citations begin with it, its host is allowed, and its path may stand before every address; not set: the address that the server listens on',
  ),
  FOOTNOTE_ALLOWED_ORIGINS: origins.describe(
    'Origins whose pages may call the server, exact and separated by commas, such as `https://app.example.org`; each call brings a key. Not set: no page but its own',
  ),
  FOOTNOTE_OIDC_ISSUER: url.describe(
    'OpenID provider whose tokens open MCP beside keys, as its tokens name it, such as `https://login.example.org/realms/team`; needs FOOTNOTE_PUBLIC_URL, and then every caller needs a token or a key. Not set: keys alone',
  ),
  FOOTNOTE_OIDC_AUDIENCE: text.describe(
    'What a token must be for; not set: the address of MCP, which is FOOTNOTE_PUBLIC_URL and `/mcp`',
  ),
  FOOTNOTE_OIDC_KEYS_URL: url.describe(
    'Where the keys of the issuer are (JWKS), if its metadata name another host than its own; not set: where they name',
  ),
  FOOTNOTE_OIDC_GROUPS_CLAIM: text
    .default('groups')
    .describe('Claim of a token that lists the groups of its user, as access lists of documents name them'),
  FOOTNOTE_OIDC_SOURCES: text
    .regex(
      /^[^=,;]+=[^=,;]+(?:,[^=,;]+)*(?:;[^=,;]+=[^=,;]+(?:,[^=,;]+)*)*$/u,
      'must be such as staff=handbook,wiki;sales=crm',
    )
    .describe(
      'Sources that the users of a group may read, such as `staff=handbook,wiki;sales=crm`; a user without such a group reads nothing. Not set: all, as far as access lists let',
    ),
  FOOTNOTE_CHAT_TEXT: oneOf(['marks', 'links'])
    .default('marks')
    .describe(
      'Text for clients of other protocols that ask for none: `marks` is that of the answer with its `[n]`, `links` is Markdown in which each mark is a link',
    ),
  FOOTNOTE_BOOTSTRAP_KEY_FILE: text.describe(
    'File that holds the secret of the first admin key, such as a secret of a container: `footnote serve` makes that key while none was ever made, and reads the file no more afterwards',
  ),
  DEFAULT_MODE: oneOf(modes).default('hybrid').describe('Search mode of requests that name none'),
  FUSION_METHOD: oneOf(fusionMethods)
    .default('min-max')
    .describe('How mode hybrid joins its legs: `min-max` by scores, `rrf` by reciprocal ranks'),
  SEMANTIC_WEIGHT: decimal(0, 1).describe(
    'Share of search by meaning in mode hybrid; not set: what was measured best for the kind of model',
  ),
  RRF_K_CONSTANT: integer(1, 1000).default(60).describe('k of reciprocal rank fusion'),
  FEEDBACK_WEIGHT: decimal(0, 0.2)
    .default(0)
    .describe(
      'What people said of answers to such a question adds to a hit, or takes from it, at most, as a share of the best score',
    ),
  SOURCE_AUTHORITY_WEIGHT: decimal(0, 1)
    .default(0.02)
    .describe(
      'What authority adds to a hit at most, as a share of the best score, where several kinds of source are searched',
    ),
  SOURCE_FRESHNESS_WEIGHT: decimal(0, 1)
    .default(0.02)
    .describe(
      'What a recent date adds to a hit at most, as a share of the best score, where several kinds of source are searched',
    ),
  SOURCE_DIVERSITY_WEIGHT: decimal(0, 1)
    .default(0.02)
    .describe('What is taken at most, as a share of the best score, from hits behind many of their own kind of source'),
  QUERY_EXPANSION: expansionList
    .default('none')
    .describe('What queries are widened by: `none`, or `acronyms`, the other names that the documents define'),
  CHUNK_MAX_TOKENS: integer(50, 8000).default(1000).describe('Longest chunk, in o200k_base tokens'),
  CHUNK_OVERLAP_TOKENS: integer(0, 4000).default(100).describe('Tokens that a chunk repeats of the one before'),
  CHUNK_MIN_TOKENS: integer(0, 8000)
    .default(100)
    .describe('Shorter chunks are merged with a neighbour of their section'),
  CONTEXT_MAX_TOKENS: integer(100, 50_000).describe(
    'Evidence that an answer is composed from, in tokens. Not set: 2000, and 8000 for a model that writes and takes them',
  ),
  OCR: oneOf(['on', 'off'])
    .default('on')
    .describe('Whether text is recognised in pictures and on pages that have none; some seconds a page'),
  OCR_LANGUAGES: text
    .default('eng')
    .describe('Languages of Tesseract that are recognised, joined by `+`; all but `eng` need OCR_FOLDER'),
  OCR_FOLDER: text.describe('Folder with further models of Tesseract, such as `deu.traineddata`'),
  MAX_FILE_BYTES: integer(1, 1_073_741_824).default(104_857_600).describe('Larger files are refused unread'),
  SOURCE_ROOTS: text.describe(
    'Folders below which admins with an API key may read folders of this machine in, separated by commas; not set: only the owner may',
  ),
  REQUEST_TIMEOUT_MS: integer(100, 600_000).default(60_000).describe('Time that one request may take'),
  REQUESTS_AT_ONCE: integer(1, 1000)
    .default(2)
    .describe(
      'Requests of a kind (questions, documents, reads) that are worked on at once; waiting for a model does not count',
    ),
  REQUESTS_WAITING: integer(0, 10_000)
    .default(256)
    .describe('Requests of a kind that wait for their turn; more are refused (429)'),
  REQUESTS_PATIENCE_MS: integer(100, 600_000)
    .default(30_000)
    .describe('Longest wait for a turn; then the request is refused (429)'),
  KEY_RATE: text
    .refine((value) => ratePattern.test(value), 'must be like 60/min, 5/s or 1000/h')
    .describe(
      'Requests that a key without a limit of its own may make in a second, a minute or an hour, such as `60/min`',
    ),
  KEY_DAILY_REQUESTS: integer(1, 1_000_000_000).describe('The same for a day (UTC)'),
  KEY_DAILY_BYTES: integer(1, 1_000_000_000_000).describe(
    'Bytes of documents that a key without a limit of its own may add or read in, in a day (UTC)',
  ),
} satisfies SettingKinds;

const kinds = {
  ...general,
  ...modelSettings,
  ...storeSettings,
  ...chatSettings,
  ...agentSettings,
  ...memorySettings,
  ...webSettings,
  ...evalsSettings,
  ...tracesSettings,
} satisfies SettingKinds;

export const settings: readonly Setting[] = settingsOf(kinds);
/** What all settings say. */
export type SettingValues = ValuesOf<typeof kinds>;

/** The key of a setting in footnote.yaml: `FOOTNOTE_PORT` is `port`, `CHUNK_MAX_TOKENS` is `chunkMaxTokens`. */
export function toFileKey(name: string): string {
  return name
    .replace(/^FOOTNOTE_/, '')
    .toLowerCase()
    .replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
