// Models that are recommended to begin with, as data: where each lies on the hub, what it is for, and what it takes. Sizes and licences are those of
// their pages; no checksum stands here, since the hub tells it of the revision that is fetched.
import type { ModelKind } from '../local/lock.ts';

export interface Recommended {
  readonly name: string;
  readonly kind: ModelKind;
  readonly repository: string;
  /** The file that is run; beside an ONNX graph come the small files that local models need. */
  readonly weights: string;
  readonly license: string;
  readonly bytes: number;
  /** While it works: a writer with 4,096 tokens of context. */
  readonly memoryBytes: number;
  readonly languages: string;
  /** Measured by this project. */
  readonly tried: boolean;
  /** What its licence asks for beside a notice. */
  readonly terms?: string;
  /** Words before queries and passages that it was trained with and no file of its repository says. */
  readonly prompts?: { readonly query: string; readonly passage: string };
}

/** Name, kind, repository, weights, licence, megabytes on disk and in memory, languages. */
type Row = readonly [string, ModelKind, string, string, string, number, number, string];

const rows: readonly Row[] = [
  ['qwen3-0.6b', 'writer', 'Qwen/Qwen3-0.6B-GGUF', 'Qwen3-0.6B-Q8_0.gguf', 'apache-2.0', 639, 1200, '119'],
  ['qwen3-1.7b', 'writer', 'Qwen/Qwen3-1.7B-GGUF', 'Qwen3-1.7B-Q8_0.gguf', 'apache-2.0', 1834, 2400, '119'],
  ['qwen3-4b', 'writer', 'Qwen/Qwen3-4B-GGUF', 'Qwen3-4B-Q4_K_M.gguf', 'apache-2.0', 2500, 3400, '119'],
  ['qwen3-8b', 'writer', 'Qwen/Qwen3-8B-GGUF', 'Qwen3-8B-Q4_K_M.gguf', 'apache-2.0', 5030, 6000, '119'],
  ['gemma-3-4b', 'writer', 'ggml-org/gemma-3-4b-it-GGUF', 'gemma-3-4b-it-Q4_K_M.gguf', 'gemma', 2490, 3300, '140'],
  ['multilingual', 'encoder', 'intfloat/multilingual-e5-small', 'onnx/model.onnx', 'mit', 487, 1000, '94'],
  ['minilm', 'order', 'cross-encoder/ms-marco-MiniLM-L6-v2', 'onnx/model.onnx', 'apache-2.0', 92, 200, 'English'],
  ['bge', 'order', 'onnx-community/bge-reranker-v2-m3-ONNX', 'onnx/model_int8.onnx', 'apache-2.0', 588, 1200, 'many'],
  ['nli', 'judge', 'cross-encoder/nli-deberta-v3-small', 'onnx/model.onnx', 'apache-2.0', 577, 1200, 'English'],
];

const more: Readonly<Record<string, Partial<Recommended>>> = {
  'gemma-3-4b': { terms: 'The Gemma terms bind its use and forbid some: https://ai.google.dev/gemma/terms' },
  multilingual: { prompts: { query: 'query: ', passage: 'passage: ' } },
};

export const recommended: readonly Recommended[] = rows.map(
  ([name, kind, repository, weights, license, megabytes, memoryMegabytes, languages]) => ({
    ...{ name, kind, repository, weights, license, languages, tried: false },
    ...{ bytes: megabytes * 1e6, memoryBytes: memoryMegabytes * 1e6, ...more[name] },
  }),
);

/** What was measured: Qwen2.5-Coder 1.5B (Q4_K_M) on two processors that nothing else used, passages read and two sentences written. */
const measuredOnce = { bytes: 1.12e9, processors: 2, answerMs: 5_000 };

export interface MeasuredWriter {
  readonly bytes: number;
  /** Absent: it was not measured here. */
  readonly answerMs?: number | undefined;
}

/** Of smaller ones most of the time is not their own. */
const leastTellingBytes = 3e8;

/** How long an answer of a writer of this size may take, milliseconds: in proportion to the largest that was measured on this machine, else to one on two processors. */
export function estimateAnswerMs(bytes: number, here: readonly MeasuredWriter[], processors: number): number {
  const [known] = here
    .filter(({ answerMs, bytes: own }) => answerMs !== undefined && own >= leastTellingBytes)
    .toSorted((a, b) => b.bytes - a.bytes);
  const { bytes: ofBytes, answerMs = 0 } = known ?? measuredOnce;
  const share = known ? 1 : measuredOnce.processors / Math.min(8, processors);
  return Math.round((answerMs * share * bytes) / ofBytes);
}
