// The port of judges: one answer in, what it is worth in one respect out. Invariant: a judge that has nothing to judge by says nothing, and is
// in no mean.
import type { Answer } from '../../core/answer.ts';
import type { SupportingSentence } from './matching.ts';

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

export type Scores = Readonly<Partial<Record<JudgeName, Judgement>>>;

/** A judge made of rules: pure, in the same words for all of them. */
export function byRules(
  name: JudgeName,
  threshold: number,
  rule: (judged: JudgedAnswer) => { readonly score: number; readonly reason: string } | undefined,
): Judge {
  return {
    name,
    threshold,
    by: 'rules',
    async judge(judged) {
      const found = rule(judged);
      return found && { ...found, passed: found.score >= threshold };
    },
  };
}

/** What each of the judges says of one answer. Throws what a judge throws. */
export async function scoresOf(judges: readonly Judge[], judged: JudgedAnswer, signal?: AbortSignal): Promise<Scores> {
  const scores: Partial<Record<JudgeName, Judgement>> = {};
  for (const judge of judges) {
    const judgement = await judge.judge(judged, signal);
    if (judgement) scores[judge.name] = judgement;
  }
  return scores;
}
