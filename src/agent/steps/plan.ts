// The step of a turn that says how much is asked at once, and takes apart what asks several things.
import type { Planner } from '../plan/planner.ts';
import type { Planned, TurnContext, Understood } from '../turn/turn-state.ts';

export interface PlanPorts {
  /** Absent: every question is asked as a whole. */
  readonly planner?: Planner | undefined;
}

export async function plan(state: Understood, { planner }: PlanPorts, context: TurnContext): Promise<Planned> {
  if (!planner) return state;
  const { sink } = context;
  const {
    complexity,
    confidence,
    plan: made,
    degraded = [],
  } = await context.timed('planMs', () => planner(state.request.question, context));
  for (const degradation of degraded) sink({ type: 'degraded', degradation });
  const sure = confidence !== undefined && { confidence };
  sink({ type: 'complexity', ...complexity, needsDecomposition: made !== undefined, ...sure });
  if (made) {
    const subQueries = made.subQueries.map(({ id, query, dependencies }) => ({
      id,
      query,
      dependencies: [...dependencies],
    }));
    sink({ type: 'decomposition', subQueries, synthesisPrompt: made.synthesisPrompt });
  }
  return {
    ...state,
    degraded: [...state.degraded, ...degraded],
    complexity: complexity.score,
    ...(made && { plan: made }),
  };
}
