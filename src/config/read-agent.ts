// How a question is thought through, as its settings say.

type Depths = Readonly<Partial<Record<'faq' | 'research' | 'factual_lookup', number>>>;

export interface AgentConfig {
  /** How deep questions are read, by intent. */
  readonly depths: { readonly hits: Depths; readonly contextTokens: Depths };
  readonly isDecomposing: boolean;
  /** The model of the planner role takes questions apart, in the place of the rules. */
  readonly isDecomposingByModel: boolean;
  /** 0..1: from which complexity on a question is taken apart. */
  readonly threshold: number;
  readonly mostParts: number;
  /** A model is shown a sentence of each passage first. */
  readonly isLazy: boolean;
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
  /** A model says of sentences that rules cannot decide whether they contradict what is claimed. */
  readonly isJudgingConflicts: boolean;
  /** Workers answer questions of this complexity and above. */
  readonly isTeamed: boolean;
  readonly teamThreshold: number;
  readonly mostWorkers: number;
  /** A model makes small talk. */
  readonly isTalking: boolean;
  /** Where no document answers a model may, and it is said. */
  readonly isUngroundedAllowed: boolean;
  /** Answers are given again. */
  readonly isCachingAnswers: boolean;
  readonly answerCacheTtlSeconds: number;
}

export function readAgent(values: ReadonlyMap<string, string | number | boolean>): AgentConfig {
  const number = (name: string): number => Number(values.get(name) ?? 0);
  const byIntent = (name: string): Depths =>
    Object.fromEntries(
      String(values.get(name) ?? '')
        .split(',')
        .flatMap((entry) => {
          const [intent, most] = entry.trim().split(' ');
          return intent === undefined || most === undefined ? [] : [[intent, Number(most)]];
        }),
    );
  return Object.freeze({
    depths: { hits: byIntent('INTENT_DEPTHS'), contextTokens: byIntent('INTENT_CONTEXT_TOKENS') },
    isDecomposing: values.get('ENABLE_QUERY_DECOMPOSITION') === true,
    isDecomposingByModel: values.get('ENABLE_MODEL_DECOMPOSITION') === true,
    threshold: number('DECOMPOSITION_COMPLEXITY_THRESHOLD'),
    mostParts: number('DECOMPOSITION_MAX_SUBQUERIES'),
    isLazy: values.get('ENABLE_LAZY_HYDRATION') === true,
    isOrchestrating: values.get('ENABLE_ORCHESTRATOR') === true,
    mostCalls: number('ORCHESTRATOR_MAX_CALLS'),
    mostRounds: number('ORCHESTRATOR_MAX_ROUNDS'),
    isAssessing: values.get('ENABLE_ASSESSMENT') === true,
    assessmentRounds: number('ASSESSMENT_MAX_ROUNDS'),
    isCriticising: values.get('ENABLE_CRITIC') === true,
    criticRounds: number('CRITIC_MAX_ROUNDS'),
    isJudgingConflicts: values.get('ENABLE_JUDGED_CONFLICTS') === true,
    isTeamed: values.get('ENABLE_MULTI_AGENT') === true,
    teamThreshold: number('MULTI_AGENT_COMPLEXITY_THRESHOLD'),
    mostWorkers: number('MULTI_AGENT_MAX_WORKERS'),
    isTalking: ![undefined, 'none'].includes(values.get('MODEL_CONVERSATIONAL')?.toString()),
    isUngroundedAllowed: values.get('ENABLE_UNGROUNDED_ANSWERS') === true,
    isCachingAnswers: values.get('ENABLE_ANSWER_CACHE') === true,
    answerCacheTtlSeconds: number('ANSWER_CACHE_TTL_SECONDS'),
  });
}
