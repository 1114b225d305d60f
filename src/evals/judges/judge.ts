// The port of judges: one answer in, what it is worth in one respect out. Invariant: a judge that has nothing to judge by says nothing, and is
// in no mean.
import type { JudgedAnswer } from './judged-answer.ts';

export const judgeNames = [
  'groundedness',
  'relevance',
  'coherence',
  'completeness',
  'citation-precision',
  'citation-recall',
  'context-precision',
  'context-recall',
  'abstention',
] as const;
export type JudgeName = (typeof judgeNames)[number];

export interface Judgement {
  /** 0..1 */
  readonly score: number;
  readonly passed: boolean;
  /** Why, in a sentence. */
  readonly reason: string;
}

export interface Judge {
  readonly name: JudgeName;
  /** From this score on an answer passes. */
  readonly threshold: number;
  /** `rules`, or the model that judges. */
  readonly by: string;
  /** Undefined: there is nothing to judge by. Throws FootnoteError: the judge failed. */
  judge(judged: JudgedAnswer, signal?: AbortSignal): Promise<Judgement | undefined>;
}
