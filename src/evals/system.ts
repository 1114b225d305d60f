// The port that evaluations drive: whatever can take documents in, be searched and be asked. The product behind it is
// put together by the composition root, so that what is measured is what people use.
import type { Answer } from '../core/answer.ts';
import type { AnalysisRequest } from '../core/answers/analysis-request.ts';
import type { Metadata } from '../core/document.ts';
import type { Degradation, Filter, Mode } from '../core/search.ts';

/** A document of an evaluation set. `id` is kept as the document's id. */
export interface EvaluatedDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly metadata?: Metadata;
  readonly uri?: string;
}

export interface EvaluatedSearch {
  readonly mode: Mode;
  /** Chunks wanted, 1..1000. */
  readonly limit: number;
  /** Restricts the documents; `{op: 'prefix', field: 'id'}` keeps one conversation, `in` and `nin` on `id` choose documents. */
  readonly filter?: Filter;
  /** Called for each leg that could not do its part. */
  readonly onDegraded?: (degradation: Degradation) => void;
}

/** A chunk found; several may belong to one document. */
export interface EvaluatedHit {
  readonly documentId: string;
  readonly score: number;
}

export interface EvaluatedIngestion {
  readonly documents: number;
  readonly chunks: number;
  /** Documents refused, with the reason. */
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
}

/** What a person or the archive says in a chat, oldest first. */
export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface EvaluatedSystem {
  ingest(documents: AsyncIterable<EvaluatedDocument>, signal?: AbortSignal): Promise<EvaluatedIngestion>;
  /** Best first. */
  search(query: string, search: EvaluatedSearch, signal?: AbortSignal): Promise<readonly EvaluatedHit[]>;
  ask(
    question: string,
    options: { readonly mode: Mode; readonly filter?: Filter },
    signal?: AbortSignal,
  ): Promise<Answer>;
  /** Absent in systems that suites with analyses are not run on. */
  analyse?(request: AnalysisRequest, signal?: AbortSignal): Promise<Answer>;
  /** A question to past conversations, its answer in the shape of one from documents. Absent as above. */
  chat?(messages: readonly ChatMessage[], signal?: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}
