// The port of whoever says how much a question asks, and takes it apart. Its first implementation are rules; a model is another one. Invariant: what
// comes out was checked (plan.ts); a plan that is refused leaves the plain question.
import type { CallContext } from '../../core/context.ts';
import type { Degradation } from '../../core/search.ts';
import { type Complexity, complexityOf } from './complexity.ts';
import { checkPlan, type Plan } from './plan.ts';
import { chanceOfSplit, split } from './split.ts';

export interface PlannedQuestion {
  readonly complexity: Complexity;
  /** The chance that it is taken apart, or left whole, as it is meant. Absent: nobody says. */
  readonly confidence?: number;
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
  const chance = chanceOfSplit(question);
  const planned = { complexity: complexityOf(question, proposed), ...(chance !== undefined && { confidence: chance }) };
  if (!proposed || planned.complexity.score < threshold) return planned;
  const checked = checkPlan(proposed, most);
  // A plan of the rules that does not hold is their mistake: to whoever asked nothing is missing.
  return { ...planned, ...(checked.ok && { plan: checked.plan }) };
}
