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
  /** Whether what was found is enough is assessed, and gaps are searched for. */
  readonly isAssessing: boolean;
  readonly assessmentRounds: number;
  /** A critic looks at drafts before they are released. */
  readonly isCriticising: boolean;
  readonly criticRounds: number;
  /** Workers answer questions of this complexity and above. */
  readonly isTeamed: boolean;
  readonly teamThreshold: number;
  readonly mostWorkers: number;
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
    isAssessing: values.get('ENABLE_ASSESSMENT') === true,
    assessmentRounds: number('ASSESSMENT_MAX_ROUNDS'),
    isCriticising: values.get('ENABLE_CRITIC') === true,
    criticRounds: number('CRITIC_MAX_ROUNDS'),
    isTeamed: values.get('ENABLE_MULTI_AGENT') === true,
    teamThreshold: number('MULTI_AGENT_COMPLEXITY_THRESHOLD'),
    mostWorkers: number('MULTI_AGENT_MAX_WORKERS'),
  });
}
