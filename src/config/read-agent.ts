// How a question is thought through, as its settings say.

export interface AgentConfig {
  readonly isDecomposing: boolean;
  /** 0..1: from which complexity on a question is taken apart. */
  readonly threshold: number;
  readonly mostParts: number;
  /** The model of the planner role says what is looked up. */
  readonly isOrchestrating: boolean;
  readonly mostCalls: number;
  readonly mostRounds: number;
}

export function readAgent(values: ReadonlyMap<string, string | number | boolean>): AgentConfig {
  const number = (name: string): number => Number(values.get(name) ?? 0);
  return Object.freeze({
    isDecomposing: values.get('ENABLE_QUERY_DECOMPOSITION') === true,
    threshold: number('DECOMPOSITION_COMPLEXITY_THRESHOLD'),
    mostParts: number('DECOMPOSITION_MAX_SUBQUERIES'),
    isOrchestrating: values.get('ENABLE_ORCHESTRATOR') === true,
    mostCalls: number('ORCHESTRATOR_MAX_CALLS'),
    mostRounds: number('ORCHESTRATOR_MAX_ROUNDS'),
  });
}
