// How a question is thought through: its settings, and what they say of its plan, its workers and its critic.
import type { Frozen } from './frozen.ts';
import { decimal, flag, integer, type SettingKinds, text, type ValuesOf } from './setting-kinds.ts';

/** `research 15, faq 10` */
const byIntent = text.regex(
  /^(?:faq|research|factual_lookup) [1-9]\d{0,4}(?:, ?(?:faq|research|factual_lookup) [1-9]\d{0,4}){0,2}$/,
  'must name intents with a number each, such as "faq 10, factual_lookup 10, research 15"',
);

export const agentSettings = {
  ENABLE_UNGROUNDED_ANSWERS: flag
    .default(false)
    .describe(
      'Where no document answers, the model of the answer role does from what it knows: without claims, marked as such',
    ),
  INTENT_DEPTHS: byIntent
    .default('faq 20, factual_lookup 20, research 20')
    .describe('Hits that are read for an answer where the request names no topK, by the intent of the question'),
  INTENT_CONTEXT_TOKENS: byIntent.describe(
    'Tokens of passages that an answer is composed from, by intent; an intent that is not named has CONTEXT_MAX_TOKENS',
  ),
  MODEL_PLANNER: text.describe('Model of the planner role'),
  ENABLE_ASSESSMENT: flag
    .default(false)
    .describe(
      'The model of MODEL_CRITIC looks at drafts of plain questions that are weak, and has searched what is missing; without a model it is not done',
    ),
  ASSESSMENT_MAX_ROUNDS: integer(1, 5).default(2).describe('Further searches for a question at most'),
  ENABLE_CRITIC: flag
    .default(false)
    .describe(
      'The model of MODEL_CRITIC looks at each draft before it is released; without a model it is not done. Answers do not stream meanwhile',
    ),
  MODEL_CRITIC: text.describe('Model of the critic role; not set: nobody criticises'),
  CRITIC_MAX_ROUNDS: integer(1, 5).default(2).describe('Looks of the critic at a draft at most'),
  ENABLE_JUDGED_CONFLICTS: flag
    .default(false)
    .describe(
      'Sentences of which rules cannot tell whether they contradict the answer are judged by the model of MODEL_JUDGE, else of MODEL_ANSWER: one call more at the end of an answer',
    ),
  ENABLE_LAZY_HYDRATION: flag
    .default(false)
    .describe(
      'A model that answers is shown one sentence of each passage first, and whole those that it names: fewer tokens, one call more where it names any',
    ),
  ENABLE_ORCHESTRATOR: flag
    .default(false)
    .describe('The model of the planner role says what is looked up, by calling tools'),
  ORCHESTRATOR_MAX_CALLS: integer(1, 64).default(8).describe('Calls of tools that it may make for a question'),
  ORCHESTRATOR_MAX_ROUNDS: integer(1, 32).default(5).describe('Turns that it may take for a question'),
  ENABLE_QUERY_DECOMPOSITION: flag
    .default(true)
    .describe('A question that asks several things is taken apart, by rules, and each part is searched and answered'),
  ENABLE_MODEL_DECOMPOSITION: flag
    .default(false)
    .describe('The model of the planner role takes questions apart that rules do not read as one plain question'),
  DECOMPOSITION_COMPLEXITY_THRESHOLD: decimal(0, 1)
    .default(0.6)
    .describe('Complexity (0..1) from which on a question is taken apart'),
  DECOMPOSITION_MAX_SUBQUERIES: integer(1, 8).default(8).describe('Parts at most; with 1 no question is taken apart'),
  ENABLE_ANSWER_CACHE: flag
    .default(false)
    .describe(
      'A question in the same words as one before it gets the same answer again, while nothing that it rests on has changed',
    ),
  ANSWER_CACHE_TTL_SECONDS: integer(1, 604_800).default(3600).describe('Age up to which an answer is given again'),
  ENABLE_MULTI_AGENT: flag
    .default(false)
    .describe(
      'Workers answer complex questions: they retrieve and search the web, synthesize, check the facts; without a model it is not done',
    ),
  MULTI_AGENT_COMPLEXITY_THRESHOLD: decimal(0, 1)
    .default(0.7)
    .describe('Complexity (0..1) from which on workers are used'),
  MULTI_AGENT_MAX_WORKERS: integer(1, 5).default(5).describe('Workers at the same time'),
} satisfies SettingKinds;

type Depths = Readonly<Partial<Record<'faq' | 'research' | 'factual_lookup', number>>>;

const depthsOf = (written = ''): Depths =>
  Object.fromEntries(
    written.split(',').flatMap((entry) => {
      const [intent, most] = entry.trim().split(' ');
      return intent === undefined || most === undefined ? [] : [[intent, Number(most)]];
    }),
  );

export type AgentConfig = Frozen<ReturnType<typeof readAgent>>;

export const readAgent = (
  values: ValuesOf<typeof agentSettings> & { readonly MODEL_CONVERSATIONAL: string | undefined },
) => ({
  /** How deep questions are read, by intent. */
  depths: { hits: depthsOf(values.INTENT_DEPTHS), contextTokens: depthsOf(values.INTENT_CONTEXT_TOKENS) },
  isDecomposing: values.ENABLE_QUERY_DECOMPOSITION,
  /** The model of the planner role takes questions apart, in the place of the rules. */
  isDecomposingByModel: values.ENABLE_MODEL_DECOMPOSITION,
  /** 0..1: from which complexity on a question is taken apart. */
  threshold: values.DECOMPOSITION_COMPLEXITY_THRESHOLD,
  mostParts: values.DECOMPOSITION_MAX_SUBQUERIES,
  /** A model is shown a sentence of each passage first. */
  isLazy: values.ENABLE_LAZY_HYDRATION,
  /** The model of the planner role says what is looked up. */
  isOrchestrating: values.ENABLE_ORCHESTRATOR,
  mostCalls: values.ORCHESTRATOR_MAX_CALLS,
  mostRounds: values.ORCHESTRATOR_MAX_ROUNDS,
  /** Whether what was found is enough is assessed, and gaps are searched for. */
  isAssessing: values.ENABLE_ASSESSMENT,
  assessmentRounds: values.ASSESSMENT_MAX_ROUNDS,
  /** A critic looks at drafts before they are released. */
  isCriticising: values.ENABLE_CRITIC,
  criticRounds: values.CRITIC_MAX_ROUNDS,
  /** A model says of sentences that rules cannot decide whether they contradict what is claimed. */
  isJudgingConflicts: values.ENABLE_JUDGED_CONFLICTS,
  /** Workers answer questions of this complexity and above. */
  isTeamed: values.ENABLE_MULTI_AGENT,
  teamThreshold: values.MULTI_AGENT_COMPLEXITY_THRESHOLD,
  mostWorkers: values.MULTI_AGENT_MAX_WORKERS,
  /** A model makes small talk. */
  isTalking: ![undefined, 'none'].includes(values.MODEL_CONVERSATIONAL),
  /** Where no document answers a model may, and it is said. */
  isUngroundedAllowed: values.ENABLE_UNGROUNDED_ANSWERS,
  /** Answers are given again. */
  isCachingAnswers: values.ENABLE_ANSWER_CACHE,
  answerCacheTtlSeconds: values.ANSWER_CACHE_TTL_SECONDS,
});
