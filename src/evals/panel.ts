// The port of judges that are asked elsewhere, a service or a model: many answers in, what each is worth out. Invariants: one verdict for each
// answer, in their order; what failed says so and has no score.
import type { ErrorCode } from '../core/errors.ts';
import type { EvaluationScores } from '../core/evaluation.ts';
import type { Judgement, JudgeName } from './judges/judge.ts';
import type { JudgedAnswer } from './judges/judged-answer.ts';

export interface PanelFailure {
  readonly code: ErrorCode;
  /** One sentence without anything that the service wrote. */
  readonly detail: string;
}

export interface PanelVerdict {
  readonly judgements: Readonly<Partial<Record<JudgeName, Judgement>>>;
  readonly failures: readonly PanelFailure[];
}

export interface Panel {
  /** Who judges: `azure-ai-foundry`, or the model. */
  readonly by: string;
  /** As names of measures have it: `groundedness by foundry`. */
  readonly label: string;
  readonly judges: readonly { readonly name: JudgeName; readonly threshold: number }[];
  /** Throws only `cancelled`. */
  judge(all: readonly JudgedAnswer[], signal?: AbortSignal): Promise<readonly PanelVerdict[]>;
}

/** An answer that says nothing of the documents has nothing to judge. */
export const hasClaims = ({ answer }: Pick<JudgedAnswer, 'answer'>): boolean =>
  !answer.abstained && answer.claims.length > 0 && answer.intent !== 'conversational';

const online: Readonly<Partial<Record<JudgeName, keyof EvaluationScores>>> = {
  groundedness: 'groundedness',
  relevance: 'relevance',
  coherence: 'coherence',
  'citation-precision': 'citationPrecision',
  'context-precision': 'retrieval',
};

/** Those that are kept of a running server's answers. */
export function toOnlineScores(judgements: PanelVerdict['judgements']): EvaluationScores {
  const scores: Partial<Record<keyof EvaluationScores, number>> = {};
  for (const [name, judgement] of Object.entries(judgements)) {
    const kept = online[name as JudgeName];
    if (kept) scores[kept] = judgement.score;
  }
  return scores;
}
