// Every setting that exists, with its name, default and meaning: the one table that the reader, the doctor and
// docs/configuration.md share. In footnote.yaml a setting has its environment name in lower camel case, without FOOTNOTE_.
import { modes } from '../core/search.ts';
import { decimal, integer, oneOf, publicUrl, type Setting, text } from './setting-kinds.ts';
import { agentSettings } from './settings-agent.ts';
import { chatSettings } from './settings-chat.ts';
import { evalsSettings } from './settings-evals.ts';
import { memorySettings } from './settings-memory.ts';
import { modelSettings } from './settings-models.ts';
import { storeSettings } from './settings-stores.ts';
import { tracesSettings } from './settings-traces.ts';
import { webSettings } from './settings-web.ts';

export const fusionMethods = ['min-max', 'rrf'] as const;
export const expansions = ['acronyms'] as const;

const expansionList = text.refine(
  (value) =>
    value === 'none' || value.split(',').every((name) => (expansions as readonly string[]).includes(name.trim())),
  'must be none or acronyms (feedback and multi-query ranked worse and were removed: leave them out)',
);

const active: readonly Setting[] = [
  { name: 'FOOTNOTE_DATA', schema: text, default: './.footnote', meaning: 'Folder that holds all data' },
  {
    name: 'FOOTNOTE_HOST',
    schema: text,
    default: '127.0.0.1',
    meaning: 'Address that the server listens on; any other than the loopback needs an API key first',
  },
  {
    name: 'FOOTNOTE_PORT',
    schema: integer(0, 65_535),
    default: '4180',
    meaning: 'Port that the server listens on; 0 takes a free one',
  },
  {
    name: 'FOOTNOTE_PUBLIC_URL',
    schema: publicUrl,
    meaning:
      'Where others find the server, such as `https://example.org/footnote`: links of citations begin with it, its host is allowed, and its path may stand before every address; not set: the address that the server listens on',
  },
  { name: 'DEFAULT_MODE', schema: oneOf(modes), default: 'hybrid', meaning: 'Search mode of requests that name none' },
  {
    name: 'FUSION_METHOD',
    schema: oneOf(fusionMethods),
    default: 'min-max',
    meaning: 'How mode hybrid joins its legs: `min-max` by scores, `rrf` by reciprocal ranks',
  },
  {
    name: 'SEMANTIC_WEIGHT',
    schema: decimal(0, 1),
    meaning: 'Share of search by meaning in mode hybrid; not set: what was measured best for the kind of model',
  },
  {
    name: 'RRF_K_CONSTANT',
    schema: integer(1, 1000),
    default: '60',
    meaning: 'k of reciprocal rank fusion',
  },
  {
    name: 'FEEDBACK_WEIGHT',
    schema: decimal(0, 0.2),
    default: '0',
    meaning:
      'What people said of answers to such a question adds to a hit, or takes from it, at most, as a share of the best score',
  },
  {
    name: 'SOURCE_AUTHORITY_WEIGHT',
    schema: decimal(0, 1),
    default: '0.02',
    meaning:
      'What authority adds to a hit at most, as a share of the best score, where several kinds of source are searched',
  },
  {
    name: 'SOURCE_FRESHNESS_WEIGHT',
    schema: decimal(0, 1),
    default: '0.02',
    meaning:
      'What a recent date adds to a hit at most, as a share of the best score, where several kinds of source are searched',
  },
  {
    name: 'SOURCE_DIVERSITY_WEIGHT',
    schema: decimal(0, 1),
    default: '0.02',
    meaning: 'What is taken at most, as a share of the best score, from hits behind many of their own kind of source',
  },
  {
    name: 'QUERY_EXPANSION',
    schema: expansionList,
    default: 'none',
    meaning: 'What queries are widened by: `none`, or `acronyms`, the other names that the documents define',
  },
  {
    name: 'CHUNK_MAX_TOKENS',
    schema: integer(50, 8000),
    default: '1000',
    meaning: 'Longest chunk, in o200k_base tokens',
  },
  {
    name: 'CHUNK_OVERLAP_TOKENS',
    schema: integer(0, 4000),
    default: '100',
    meaning: 'Tokens that a chunk repeats of the one before',
  },
  {
    name: 'CHUNK_MIN_TOKENS',
    schema: integer(0, 8000),
    default: '100',
    meaning: 'Shorter chunks are merged with a neighbour of their section',
  },
  {
    name: 'CONTEXT_MAX_TOKENS',
    schema: integer(100, 50_000),
    meaning:
      'Evidence that an answer is composed from, in tokens. Not set: 2000, and 8000 for a model that writes and takes them',
  },
  {
    name: 'OCR',
    schema: oneOf(['on', 'off']),
    default: 'on',
    meaning: 'Whether text is recognised in pictures and on pages that have none; some seconds a page',
  },
  {
    name: 'OCR_LANGUAGES',
    schema: text,
    default: 'eng',
    meaning: 'Languages of Tesseract that are recognised, joined by `+`; all but `eng` need OCR_FOLDER',
  },
  { name: 'OCR_FOLDER', schema: text, meaning: 'Folder with further models of Tesseract, such as `deu.traineddata`' },
  {
    name: 'MAX_FILE_BYTES',
    schema: integer(1, 1_073_741_824),
    default: '104857600',
    meaning: 'Larger files are refused unread',
  },
  {
    name: 'SOURCE_ROOTS',
    schema: text,
    meaning:
      'Folders below which admins with an API key may read folders of this machine in, separated by commas; not set: only the owner may',
  },
  {
    name: 'REQUEST_TIMEOUT_MS',
    schema: integer(100, 600_000),
    default: '60000',
    meaning: 'Time that one request may take',
  },
  {
    name: 'REQUESTS_AT_ONCE',
    schema: integer(1, 1000),
    default: '2',
    meaning:
      'Requests of a kind (questions, documents, reads) that are worked on at once; waiting for a model does not count',
  },
  {
    name: 'REQUESTS_WAITING',
    schema: integer(0, 10_000),
    default: '256',
    meaning: 'Requests of a kind that wait for their turn; more are refused (429)',
  },
  {
    name: 'REQUESTS_PATIENCE_MS',
    schema: integer(100, 600_000),
    default: '30000',
    meaning: 'Longest wait for a turn; then the request is refused (429)',
  },
];

export const settings: readonly Setting[] = [
  ...active,
  ...modelSettings,
  ...storeSettings,
  ...chatSettings,
  ...agentSettings,
  ...memorySettings,
  ...webSettings,
  ...evalsSettings,
  ...tracesSettings,
];

/** The key of a setting in footnote.yaml: `FOOTNOTE_PORT` is `port`, `CHUNK_MAX_TOKENS` is `chunkMaxTokens`. */
export function toFileKey(name: string): string {
  return name
    .replace(/^FOOTNOTE_/, '')
    .toLowerCase()
    .replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
