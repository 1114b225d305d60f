// What is judged: an answer with what it was composed from, and what people said that it should be.
import type { Answer } from '../../core/answer.ts';
import type { SupportingSentence } from './matching.ts';

/** A chunk that the answer was composed from, best first. */
export interface JudgedContext {
  readonly chunkId: string;
  readonly documentId: string;
  readonly text: string;
}

/** What people said the answer should be; each may be absent. */
export interface Expected {
  /** Any of these counts. */
  readonly answers?: readonly string[];
  /** Sentences that the answer should rest on. */
  readonly supporting?: readonly SupportingSentence[];
  readonly unanswerable?: boolean;
}

export interface JudgedAnswer {
  readonly question: string;
  readonly answer: Answer;
  readonly context: readonly JudgedContext[];
  readonly expected?: Expected;
}
