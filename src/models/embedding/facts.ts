// What is known of embedding models by their names: vector lengths, limits of a call, and the prefixes that a family was trained
// with. Invariant: a prefix is a part of the model's id, so what is learned about a family later makes new vectors, not mixed ones.
import { FootnoteError } from '../../core/errors.ts';
import type { Provider } from '../roles.ts';

const embeddingProviders = ['openai', 'azure', 'compatible'] as const satisfies readonly Provider[];
export type EmbeddingProvider = (typeof embeddingProviders)[number];

export interface EmbeddingReference {
  readonly provider: EmbeddingProvider;
  /** The deployment, for Azure. */
  readonly model: string;
  /** Asked of the provider, which then shortens its vectors. */
  readonly dimensions?: number;
}

export interface PrefixConvention {
  /** As ids name it. */
  readonly name: string;
  readonly query: string;
  readonly document: string;
}

export interface CallLimits {
  readonly texts: number;
  /** All texts of a call together. */
  readonly tokens: number;
  readonly tokensPerText: number;
}

const form = /^(?<provider>openai|azure|compatible):(?<model>\S+?)(?:@(?<dimensions>\d{1,5}))?$/u;

/** Undefined for what names no model of a provider, such as `corpus` or `onnx:…`. Throws `config-invalid` for 0 dimensions. */
export function parseEmbeddingReference(setting: string): EmbeddingReference | undefined {
  const parts = form.exec(setting)?.groups;
  if (parts?.['model'] === undefined) return undefined;
  const provider = parts['provider'] as EmbeddingProvider;
  if (parts['dimensions'] === undefined) return { provider, model: parts['model'] };
  const dimensions = Number(parts['dimensions']);
  if (dimensions === 0)
    throw new FootnoteError(
      'config-invalid',
      `"${setting}" asks for vectors of no dimensions. Write a number, or none.`,
    );
  return { provider, model: parts['model'], dimensions };
}

/** platform.openai.com/docs/guides/embeddings, "Embedding models". Deployments of Azure have names of their own. */
const lengths: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
};

/** Undefined where only a vector can tell. */
export function knownDimensions({ provider, model, dimensions }: EmbeddingReference): number | undefined {
  return dimensions ?? (provider === 'openai' ? lengths[model] : undefined);
}

/**
 * OpenAI takes 2,048 texts, 300,000 tokens, 8,191 tokens a text (API reference, "Create embeddings"), of which a hundred texts keep
 * a call short, so that little is lost with it. Servers of one's own take 32 texts where nobody changed it (text-embeddings-inference
 * `--max-client-batch-size`), and often less than 8,191 tokens: what is too long is then cut until they take it.
 */
export function limitsOf(provider: EmbeddingProvider): CallLimits {
  const texts = provider === 'compatible' ? 32 : 100;
  return { texts, tokens: 300_000, tokensPerText: 8191 };
}

const searchTask = 'Given a web search query, retrieve relevant passages that answer the query';
const representSentence = 'Represent this sentence for searching relevant passages: ';

const plain: PrefixConvention = { name: 'plain', query: '', document: '' };

/** In order, the first that fits; each as the model's own card on huggingface.co says. */
const families: readonly (readonly [RegExp, PrefixConvention])[] = [
  // Wang et al., "Multilingual E5 Text Embeddings", arXiv:2402.05672: instructions before queries only.
  [/e5-[a-z0-9-]{0,64}instruct/u, { name: 'e5-instruct', query: `Instruct: ${searchTask}\nQuery: `, document: '' }],
  // Wang et al., "Text Embeddings by Weakly-Supervised Contrastive Pre-training", arXiv:2212.03533.
  [/(^|[/_-])e5-/u, { name: 'e5', query: 'query: ', document: 'passage: ' }],
  // Nussbaum et al., "Nomic Embed", arXiv:2402.01613.
  [/nomic-embed/u, { name: 'nomic', query: 'search_query: ', document: 'search_document: ' }],
  // Xiao et al., "C-Pack", arXiv:2309.07597. BGE-M3 takes none.
  [/bge-(small|base|large)-zh/u, { name: 'bge-zh', query: '为这个句子生成表示以用于检索相关文章：', document: '' }],
  [/bge-(small|base|large)/u, { name: 'bge', query: representSentence, document: '' }],
  // mixedbread-ai/mxbai-embed-large-v1.
  [/mxbai-embed/u, { name: 'mxbai', query: representSentence, document: '' }],
  // Merrick et al., "Arctic-Embed", arXiv:2405.05374; version 2: arXiv:2412.04506.
  [/arctic-embed-[a-z]+-v2|arctic-embed2/u, { name: 'arctic-2', query: 'query: ', document: '' }],
  [/arctic-embed/u, { name: 'arctic', query: representSentence, document: '' }],
  // Zhang et al., "Qwen3 Embedding", arXiv:2506.05176: no space before the query.
  [/qwen3-embedding/u, { name: 'qwen3', query: `Instruct: ${searchTask}\nQuery:`, document: '' }],
  // google/embeddinggemma-300m, "Prompt instructions".
  [/embedding-?gemma/u, { name: 'gemma', query: 'task: search result | query: ', document: 'title: none | text: ' }],
];

/** Models of OpenAI take none; the name of a deployment says nothing. */
export function conventionOf({ provider, model }: EmbeddingReference): PrefixConvention {
  if (provider !== 'compatible') return plain;
  const name = model.toLowerCase();
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? plain;
}
