// Models: which has which role, how providers are reached, and what they may take.
import {
  apiUrl,
  decimal,
  integer,
  oneOf,
  type SettingKinds,
  secret,
  text,
  url,
  type ValuesOf,
} from './setting-kinds.ts';

export const claimPolicies = ['strict', 'judged'] as const;
export const answerForms = ['auto', 'claims', 'prose'] as const;

const embeddingModel = text.regex(
  /^(corpus|none|onnx:[^/\\]+(\/[^/\\]+)*|(openai|azure|compatible):\S+)$/,
  'must be corpus, none, onnx:<folder> (which was local:<folder> before), or openai:, azure: or compatible:<model>',
);

const rerankModel = text.regex(
  /^(none|onnx:[^/\\]+(\/[^/\\]+)*|service:\S+|(openai|azure|anthropic|compatible):[^,\s]+(\s*,\s*[^,\s]+)*)$/,
  'must be none, onnx:<folder> (which was local:<folder> before), service:<model>, or language models as provider:model, in the order of trial',
);

/** Checked in full where it is read: here only that nothing else was meant. */
const limits = text.regex(
  /^(none|(calls|input-tokens|output-tokens|usd)\s+[\d.]+(\s*,\s*(calls|input-tokens|output-tokens|usd)\s+[\d.]+)*)$/,
  'must be none, or limits such as "calls 12, input-tokens 100000, output-tokens 20000, usd 0.50"',
);

/** Roles and providers, then reranking, then limits. */
export const modelSettings = {
  MODEL_EMBED: embeddingModel
    .default('corpus')
    .describe(
      'Model of search by meaning: `corpus` is learned from the documents themselves, `onnx:<folder>` is a model in MODELS_FOLDER, `openai:`, `azure:` or `compatible:<model>` (`@dimensions` after it cuts the vectors) is a provider’s, `none` switches it off. Not set, with OPENAI_API_KEY and no OPENAI_BASE_URL of your own: `openai:text-embedding-3-small`, which is told with its cost before the first passage is sent',
    ),
  MODELS_FOLDER: text.default('./models').describe('Folder that local models are looked up in, one folder each'),
  HF_ENDPOINT: url
    .default('https://huggingface.co')
    .describe('Hub that `footnote models get` fetches from, or a mirror of it; nothing else asks there'),
  HF_TOKEN: secret('Token of that hub, for models whose owners want terms agreed to'),
  MODEL_DETECT: oneOf(['on', 'off'])
    .default('on')
    .describe(
      'Whether `footnote models` and `footnote serve` look for Ollama, LM Studio, llama.cpp and vLLM on this machine, where no model writes answers',
    ),
  EMBEDDING_CACHE_TTL_SECONDS: integer(0, 31_536_000)
    .default(3600)
    .describe('Life of cached query embeddings of a model that is not learned here; 0 keeps none'),
  EMBEDDING_TIMEOUT_MS: integer(50, 60_000)
    .default(3000)
    .describe(
      'Time that a search waits for a provider’s embedding model, at most half of what the request has left; words serve after it',
    ),
  OPENAI_API_KEY: secret('Key of OpenAI, or of the service at OPENAI_BASE_URL; with it alone, OpenAI writes answers'),
  OPENAI_BASE_URL: apiUrl.describe(
    'Address of an OpenAI-compatible service, with its path: Ollama, vLLM, llama.cpp, gateways; an address of OpenAI itself is OpenAI',
  ),
  AZURE_OPENAI_API_KEY: secret('Key of Azure OpenAI'),
  AZURE_OPENAI_ENDPOINT: apiUrl.describe('Address of Azure OpenAI'),
  AZURE_OPENAI_API_VERSION: text.describe('Dated API version of Azure OpenAI; not set: the v1 surface'),
  AZURE_OPENAI_DEPLOYMENT: text.describe('Deployment that an Azure role means when it names none'),
  ANTHROPIC_API_KEY: secret('Key of Anthropic'),
  MODEL_ANSWER: text.describe('Model that writes answers, `provider:model`, several in the order of trial, or `none`'),
  MODEL_FAQ: text.describe('The same for faq questions; not set: MODEL_ANSWER'),
  MODEL_RESEARCH: text.describe('The same for research questions; not set: MODEL_ANSWER'),
  MODEL_FACTUAL: text.describe('The same for factual questions; not set: MODEL_ANSWER'),
  MODEL_CONVERSATIONAL: text.describe('The same for conversational questions; not set: MODEL_ANSWER'),
  ANSWER_MAX_OUTPUT_TOKENS: integer(1, 100_000).default(1500).describe('Longest answer of a model, in its tokens'),
  ANSWER_FIRST_TOKEN_TIMEOUT_MS: integer(100, 600_000).describe(
    'Time until the first words of a model that writes answers; after it the next of the list is asked, or the documents answer. Not set: two thirds of the request for one model (38 s), four fifths for a list of two, shared equally',
  ),
  ANSWER_PROSE_TOKENS: integer(100, 100_000)
    .default(600)
    .describe(
      'Tokens of passages that a model is shown which answers in plain sentences, two passages at least and eight at most. A file of this machine is shown two thirds of them first: two processors read 90 a second with 1.5 billion parameters',
    ),
  ANSWER_FORM: oneOf(answerForms)
    .default('auto')
    .describe(
      'How a model is asked for an answer: `claims` with quotes as JSON, `prose` as plain sentences whose passages the program finds, `auto` sentences of GGUF files and of models that fail to write claims',
    ),
  ANSWER_IDLE_TIMEOUT_MS: integer(100, 600_000)
    .default(15_000)
    .describe('Longest silence of such a model in the middle of its answer; at most half of what the request has left'),
  MODEL_JUDGE: text.describe(
    'Model that checks claims once more: it refuses claims, and under CLAIM_POLICY judged it admits those that rules cannot decide on. `onnx:<folder>` is a model of natural language inference in MODELS_FOLDER. Not set: the model that wrote is asked about the latter, and nobody about others; `none`: nobody is',
  ),
  CLAIM_POLICY: oneOf(claimPolicies)
    .default('judged')
    .describe(
      'What admits a claim of a model: `strict` rules alone, `judged` also a judge where rules neither accept nor contradict; such claims are marked. Without a model that writes answers there are none',
    ),
  MODEL_ROUTER: text.describe(
    'Language model that is asked for the intent of a question where the rules are unsure. Not set: none',
  ),
  MODEL_RERANK: rerankModel
    .default('none')
    .describe(
      'What orders the best hits anew: `onnx:<folder>` is a cross-encoder in MODELS_FOLDER, `service:<model>` is asked at RERANK_BASE_URL, `provider:model` is a language model, several in the order of trial',
    ),
  ENCODER: oneOf(['on', 'off'])
    .default('on')
    .describe(
      'Sentence encoder that comes with Footnote and says how near passages are to a question in meaning, in a process of its own on this machine; `off`: words alone order passages',
    ),
  ENCODER_TIMEOUT_MS: integer(50, 60_000)
    .default(1500)
    .describe('Time that a question waits for it; the order by words stands after it'),
  RERANK_BASE_URL: url.describe('Address of a rerank service, without `/rerank`'),
  RERANK_API_KEY: secret('Key of that service, where it wants one'),
  RERANKING_TOP_K: integer(1, 1000).default(10).describe('Hits that are ordered anew'),
  RERANKER_THRESHOLD: decimal(0, 1).default(0).describe('Hits that the reranker scores lower are left out'),
  RERANK_TIMEOUT_MS: integer(50, 60_000)
    .default(2000)
    .describe('Time that ordering anew may take; the order of before stands after it'),
  LAZY_SUMMARY_MAX_CHARS: integer(1, 100_000)
    .default(600)
    .describe('Longest summary by which a model sees evidence that does not fit in full'),
  MODEL_PRICES: text.describe(
    'US dollars for a million tokens, `provider:model = input / output [/ cached input]` or `= free`, separated by commas; none ships with Footnote',
  ),
  MODEL_CONTEXT_TOKENS: text.describe(
    'Longest input and output of a model together, `provider:model = tokens`, separated by commas',
  ),
  BUDGET_REQUEST: limits
    .default('calls 20')
    .describe(
      'What one request may take: of models any of `calls`, `input-tokens`, `output-tokens`, `usd`; of searches `tools` (how many) and `bytes` (of the text that they find); or `none`',
    ),
  BUDGET_SESSION: limits.describe(
    'What models may take for one session: `calls`, `input-tokens`, `output-tokens`, `usd`',
  ),
  BUDGET_KEY_DAY: limits.describe('The same for one API key in a day (UTC)'),
  BUDGET_DAY: limits.describe('The same for a whole tenant in a day (UTC)'),
} satisfies SettingKinds;

/** Settings whose names begin like those of roles. */
const otherModelSettings: ReadonlySet<string> = new Set([
  'MODEL_EMBED',
  'MODEL_DETECT',
  'MODEL_PRICES',
  'MODEL_CONTEXT_TOKENS',
]);

type ModelValues = ValuesOf<typeof modelSettings>;

/** Models that write; keys are asked for with `secret`. */
export const readLanguage = (values: ModelValues) => ({
  /** What is written for a role or an intent, by its name in lower case. A cross-encoder and a rerank service are no language models. */
  roles: Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      !name.startsWith('MODEL_') ||
      otherModelSettings.has(name) ||
      value === undefined ||
      (name === 'MODEL_RERANK' && /^(onnx|service):/u.test(String(value)))
        ? []
        : [[name.slice('MODEL_'.length).toLowerCase(), String(value)] as const],
    ),
  ) as Readonly<Record<string, string>>,
  openaiBaseUrl: values.OPENAI_BASE_URL,
  azure: {
    endpoint: values.AZURE_OPENAI_ENDPOINT,
    apiVersion: values.AZURE_OPENAI_API_VERSION,
    deployment: values.AZURE_OPENAI_DEPLOYMENT,
  },
  maxOutputTokens: values.ANSWER_MAX_OUTPUT_TOKENS,
  /** How long silence of a model that writes is waited for; `firstTokenMs` undefined: a share of the request. */
  patience: { firstTokenMs: values.ANSWER_FIRST_TOKEN_TIMEOUT_MS, idleMs: values.ANSWER_IDLE_TIMEOUT_MS },
  /** Whose word admits a claim of a model: of rules alone, or of a judge where rules cannot decide. */
  claimPolicy: values.CLAIM_POLICY,
  answerForm: values.ANSWER_FORM,
  proseTokens: values.ANSWER_PROSE_TOKENS,
  /** Longest summary by which a model sees evidence that does not fit in full. */
  summaryCharacters: values.LAZY_SUMMARY_MAX_CHARS,
  /** As it is written; empty: none. */
  prices: values.MODEL_PRICES ?? '',
  contextTokens: values.MODEL_CONTEXT_TOKENS ?? '',
});

export const readReranking = (values: ModelValues) => ({
  /** `none`, `onnx:<folder>`, `service:<model>` or `provider:model`. */
  model: values.MODEL_RERANK,
  address: values.RERANK_BASE_URL,
  topK: values.RERANKING_TOP_K,
  /** 0..1 */
  threshold: values.RERANKER_THRESHOLD,
  timeoutMs: values.RERANK_TIMEOUT_MS,
});

/** What models may take, as it is written; `none`: no limit. */
export const readBudgets = (values: ModelValues) => ({
  request: values.BUDGET_REQUEST,
  session: values.BUDGET_SESSION ?? 'none',
  keyDay: values.BUDGET_KEY_DAY ?? 'none',
  day: values.BUDGET_DAY ?? 'none',
});
