// The port of whoever says how much a question asks, and takes it apart. Its first implementation are rules; a model is another one. Invariant: what
// comes out was checked (plan.ts); a plan that is refused leaves the plain question.
import type { CallContext } from '../../core/context.ts';
import type { Degradation } from '../../core/search.ts';
import { type Complexity, complexityOf } from './complexity.ts';
import { checkPlan, type Plan } from './plan.ts';
import { split } from './split.ts';

export interface PlannedQuestion {
  readonly complexity: Complexity;
  /** Absent: the plain question is asked. */
  readonly plan?: Plan;
  /** What went wrong where a model was asked. */
  readonly degraded?: readonly Degradation[];
}

/** Throws only the request's own `cancelled` and `deadline-exceeded`. */
export type Planner = (question: string, context: CallContext) => Promise<PlannedQuestion>;

export interface PlanLimits {
  /** 0..1: from which complexity on a question is taken apart. */
  readonly threshold: number;
  /** Sub-queries at most, 2..8. */
  readonly most: number;
}

export function createRulePlanner({ threshold, most }: PlanLimits): Planner {
  return async (question) => planByRules(question, { threshold, most });
}

/** Pure. */
export function planByRules(question: string, { threshold, most }: PlanLimits): PlannedQuestion {
  const proposed = split(question, most);
  const complexity = complexityOf(question, proposed);
  if (!proposed || complexity.score < threshold) return { complexity };
  const checked = checkPlan(proposed, most);
  // A plan of the rules that does not hold is their mistake: to whoever asked nothing is missing.
  return { complexity, ...(checked.ok && { plan: checked.plan }) };
}
