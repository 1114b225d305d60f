// Settings of models: which has which role, how providers are reached, and what they may take.
import { apiUrl, decimal, integer, oneOf, type Setting, secret, text, url } from './setting-kinds.ts';

export const claimPolicies = ['strict', 'judged'] as const;

const embeddingModel = text.regex(
  /^(corpus|none|local:[^/\\]+(\/[^/\\]+)*|(openai|azure|compatible):\S+)$/,
  'must be corpus, none, local:<folder>, or openai:, azure: or compatible:<model>',
);

const rerankModel = text.regex(
  /^(none|local:[^/\\]+(\/[^/\\]+)*|service:\S+|(openai|azure|anthropic|compatible):[^,\s]+(\s*,\s*[^,\s]+)*)$/,
  'must be none, local:<folder>, service:<model>, or language models as provider:model, in the order of trial',
);

/** Checked in full where it is read: here only that nothing else was meant. */
const limits = text.regex(
  /^(none|(calls|input-tokens|output-tokens|usd)\s+[\d.]+(\s*,\s*(calls|input-tokens|output-tokens|usd)\s+[\d.]+)*)$/,
  'must be none, or limits such as "calls 12, input-tokens 100000, output-tokens 20000, usd 0.50"',
);

const model = (role: string): Setting => ({
  name: `MODEL_${role.toUpperCase()}`,
  schema: text,
  meaning: `Model of the ${role} role`,
});

/** Roles and providers, then reranking, then limits. */
export const modelSettings: readonly Setting[] = [
  {
    name: 'MODEL_EMBED',
    schema: embeddingModel,
    default: 'corpus',
    meaning:
      'Model of search by meaning: `corpus` is learned from the documents themselves, `local:<folder>` is a model in MODELS_FOLDER, `openai:`, `azure:` or `compatible:<model>` (`@dimensions` after it cuts the vectors) is a provider’s, `none` switches it off. Not set, with OPENAI_API_KEY and no OPENAI_BASE_URL of your own: `openai:text-embedding-3-small`, which is told with its cost before the first passage is sent',
  },
  {
    name: 'MODELS_FOLDER',
    schema: text,
    default: './models',
    meaning: 'Folder that local models are looked up in, one folder each',
  },
  {
    name: 'EMBEDDING_CACHE_TTL_SECONDS',
    schema: integer(0, 31_536_000),
    default: '3600',
    meaning: 'Life of cached query embeddings of a model that is not learned here; 0 keeps none',
  },
  {
    name: 'EMBEDDING_TIMEOUT_MS',
    schema: integer(50, 60_000),
    default: '3000',
    meaning:
      'Time that a search waits for a provider’s embedding model, at most half of what the request has left; words serve after it',
  },
  secret('OPENAI_API_KEY', 'Key of OpenAI, or of the service at OPENAI_BASE_URL; with it alone, OpenAI writes answers'),
  {
    name: 'OPENAI_BASE_URL',
    schema: apiUrl,
    meaning:
      'Address of an OpenAI-compatible service, with its path: Ollama, vLLM, llama.cpp, gateways; an address of OpenAI itself is OpenAI',
  },
  secret('AZURE_OPENAI_API_KEY', 'Key of Azure OpenAI'),
  { name: 'AZURE_OPENAI_ENDPOINT', schema: apiUrl, meaning: 'Address of Azure OpenAI' },
  {
    name: 'AZURE_OPENAI_API_VERSION',
    schema: text,
    meaning: 'Dated API version of Azure OpenAI; not set: the v1 surface',
  },
  { name: 'AZURE_OPENAI_DEPLOYMENT', schema: text, meaning: 'Deployment that an Azure role means when it names none' },
  secret('ANTHROPIC_API_KEY', 'Key of Anthropic'),
  {
    ...model('answer'),
    meaning: 'Model that writes answers, `provider:model`, several in the order of trial, or `none`',
  },
  ...['faq', 'research', 'factual', 'conversational'].map((intent) => ({
    ...model(intent),
    meaning: `The same for ${intent} questions; not set: MODEL_ANSWER`,
  })),
  {
    name: 'ANSWER_MAX_OUTPUT_TOKENS',
    schema: integer(1, 100_000),
    default: '1500',
    meaning: 'Longest answer of a model, in its tokens',
  },
  {
    name: 'ANSWER_FIRST_TOKEN_TIMEOUT_MS',
    schema: integer(100, 600_000),
    meaning:
      'Time until the first words of a model that writes answers; after it the next of the list is asked, or the documents answer. Not set: two thirds of the request for one model (38 s), four fifths for a list of two, shared equally',
  },
  {
    name: 'ANSWER_IDLE_TIMEOUT_MS',
    schema: integer(100, 600_000),
    default: '15000',
    meaning: 'Longest silence of such a model in the middle of its answer; at most half of what the request has left',
  },
  {
    ...model('judge'),
    meaning:
      'Language model that checks claims once more: it refuses claims, and under CLAIM_POLICY judged it admits those that rules cannot decide on. Not set: the model that wrote is asked about the latter, and nobody about others',
  },
  {
    name: 'CLAIM_POLICY',
    schema: oneOf(claimPolicies),
    default: 'judged',
    meaning:
      'What admits a claim of a model: `strict` rules alone, `judged` also a judge where rules neither accept nor contradict; such claims are marked. Without a model that writes answers there are none',
  },
  {
    ...model('router'),
    meaning: 'Language model that is asked for the intent of a question where the rules are unsure. Not set: none',
  },
  {
    name: 'MODEL_RERANK',
    schema: rerankModel,
    default: 'none',
    meaning:
      'What orders the best hits anew: `local:<folder>` is a cross-encoder in MODELS_FOLDER, `service:<model>` is asked at RERANK_BASE_URL, `provider:model` is a language model, several in the order of trial',
  },
  {
    name: 'ENCODER',
    schema: oneOf(['on', 'off']),
    default: 'on',
    meaning:
      'Sentence encoder that comes with Footnote and says how near passages are to a question in meaning, in a process of its own on this machine; `off`: words alone order passages',
  },
  {
    name: 'ENCODER_TIMEOUT_MS',
    schema: integer(50, 60_000),
    default: '1500',
    meaning: 'Time that a question waits for it; the order by words stands after it',
  },
  { name: 'RERANK_BASE_URL', schema: url, meaning: 'Address of a rerank service, without `/rerank`' },
  secret('RERANK_API_KEY', 'Key of that service, where it wants one'),
  { name: 'RERANKING_TOP_K', schema: integer(1, 1000), default: '10', meaning: 'Hits that are ordered anew' },
  {
    name: 'RERANKER_THRESHOLD',
    schema: decimal(0, 1),
    default: '0',
    meaning: 'Hits that the reranker scores lower are left out',
  },
  {
    name: 'RERANK_TIMEOUT_MS',
    schema: integer(50, 60_000),
    default: '2000',
    meaning: 'Time that ordering anew may take; the order of before stands after it',
  },
  {
    name: 'LAZY_SUMMARY_MAX_CHARS',
    schema: integer(1, 100_000),
    default: '600',
    meaning: 'Longest summary by which a model sees evidence that does not fit in full',
  },
  {
    name: 'MODEL_PRICES',
    schema: text,
    meaning:
      'US dollars for a million tokens, `provider:model = input / output [/ cached input]` or `= free`, separated by commas; none ships with Footnote',
  },
  {
    name: 'MODEL_CONTEXT_TOKENS',
    schema: text,
    meaning: 'Longest input and output of a model together, `provider:model = tokens`, separated by commas',
  },
  {
    name: 'BUDGET_REQUEST',
    schema: limits,
    default: 'calls 20',
    meaning:
      'What one request may take: of models any of `calls`, `input-tokens`, `output-tokens`, `usd`; of searches `tools` (how many) and `bytes` (of the text that they find); or `none`',
  },
  {
    name: 'BUDGET_SESSION',
    schema: limits,
    meaning: 'What models may take for one session: `calls`, `input-tokens`, `output-tokens`, `usd`',
  },
  { name: 'BUDGET_KEY_DAY', schema: limits, meaning: 'The same for one API key in a day (UTC)' },
  { name: 'BUDGET_DAY', schema: limits, meaning: 'The same for a whole tenant in a day (UTC)' },
];
