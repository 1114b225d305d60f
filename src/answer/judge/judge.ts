// The judge role: a model says whether quotes carry claims (entailment, as in Honovich et al. 2022, "TRUE"). Invariant: it only
// judges; who asks it decides what its word counts for (judge-claims.ts, admission.ts), and never lets pass for it what rules contradict.
import type { RoleCall, RoleFailure, RoleSpending } from '../../models/role-question.ts';
import type { JudgedClaim } from '../prompts/judge-claim.ts';

export const judgeVerdicts = ['supported', 'unsupported', 'unclear'] as const;
/** `undecided`: a judge that is heard only where it is sure has no word on it. */
export type JudgeVerdict = (typeof judgeVerdicts)[number] | 'undecided';

export interface ClaimJudgement {
  readonly verdict: JudgeVerdict;
  /** The judge's words, on one line and cut: for the trace alone. */
  readonly reason: string;
}

export interface Judgement {
  /** One for each claim, in order; where it failed, those that were given before, which may be none. */
  readonly verdicts: readonly ClaimJudgement[];
  /** `provider:model` that gave them. */
  readonly model?: string;
  readonly failure?: RoleFailure;
  readonly spent: RoleSpending;
}

export type JudgeCall = Omit<RoleCall, 'budget'>;

export interface Judge {
  /** It is heard about claims that may be shown as reworded, and only to admit them: it is no judge of others, and refuses none. */
  readonly isOnlyOfReworded?: boolean;
  /** Throws only the request's own `cancelled` and `deadline-exceeded`. */
  judge(claims: readonly JudgedClaim[], call: JudgeCall): Promise<Judgement>;
}
