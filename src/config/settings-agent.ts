// Settings of how a question is thought through: its plan, its workers, its critic.
import { decimal, flag, integer, type Setting, text } from './setting-kinds.ts';

/** `research 15, faq 10` */
const byIntent = text.regex(
  /^(?:faq|research|factual_lookup) [1-9]\d{0,4}(?:, ?(?:faq|research|factual_lookup) [1-9]\d{0,4}){0,2}$/,
  'must name intents with a number each, such as "faq 10, factual_lookup 10, research 15"',
);

export const agentSettings: readonly Setting[] = [
  {
    name: 'ENABLE_UNGROUNDED_ANSWERS',
    schema: flag,
    default: 'false',
    meaning:
      'Where no document answers, the model of the answer role does from what it knows: without claims, marked as such',
  },
  {
    name: 'INTENT_DEPTHS',
    schema: byIntent,
    default: 'faq 10, factual_lookup 10, research 15',
    meaning: 'Hits that are read for an answer where the request names no topK, by the intent of the question',
  },
  {
    name: 'INTENT_CONTEXT_TOKENS',
    schema: byIntent,
    meaning:
      'Tokens of passages that an answer is composed from, by intent; an intent that is not named has CONTEXT_MAX_TOKENS',
  },
  { name: 'MODEL_PLANNER', schema: text, meaning: 'Model of the planner role' },
  {
    name: 'ENABLE_ASSESSMENT',
    schema: flag,
    default: 'false',
    meaning:
      'The model of MODEL_CRITIC looks at drafts of plain questions that are weak, and has searched what is missing; without a model it is not done',
  },
  {
    name: 'ASSESSMENT_MAX_ROUNDS',
    schema: integer(1, 5),
    default: '2',
    meaning: 'Further searches for a question at most',
  },
  {
    name: 'ENABLE_CRITIC',
    schema: flag,
    default: 'false',
    meaning:
      'The model of MODEL_CRITIC looks at each draft before it is released; without a model it is not done. Answers do not stream meanwhile',
  },
  {
    name: 'MODEL_CRITIC',
    schema: text,
    meaning: 'Model of the critic role; not set: nobody criticises',
  },
  { name: 'CRITIC_MAX_ROUNDS', schema: integer(1, 5), default: '2', meaning: 'Looks of the critic at a draft at most' },
  {
    name: 'ENABLE_JUDGED_CONFLICTS',
    schema: flag,
    default: 'false',
    meaning:
      'Sentences of which rules cannot tell whether they contradict the answer are judged by the model of MODEL_JUDGE, else of MODEL_ANSWER: one call more at the end of an answer',
  },
  {
    name: 'ENABLE_LAZY_HYDRATION',
    schema: flag,
    default: 'false',
    meaning:
      'A model that answers is shown one sentence of each passage first, and whole those that it names: fewer tokens, one call more where it names any',
  },
  {
    name: 'ENABLE_ORCHESTRATOR',
    schema: flag,
    default: 'false',
    meaning: 'The model of the planner role says what is looked up, by calling tools',
  },
  {
    name: 'ORCHESTRATOR_MAX_CALLS',
    schema: integer(1, 64),
    default: '8',
    meaning: 'Calls of tools that it may make for a question',
  },
  {
    name: 'ORCHESTRATOR_MAX_ROUNDS',
    schema: integer(1, 32),
    default: '5',
    meaning: 'Turns that it may take for a question',
  },
  {
    name: 'ENABLE_QUERY_DECOMPOSITION',
    schema: flag,
    default: 'true',
    meaning: 'A question that asks several things is taken apart, by rules, and each part is searched and answered',
  },
  {
    name: 'ENABLE_MODEL_DECOMPOSITION',
    schema: flag,
    default: 'false',
    meaning: 'The model of the planner role takes questions apart that rules do not read as one plain question',
  },
  {
    name: 'DECOMPOSITION_COMPLEXITY_THRESHOLD',
    schema: decimal(0, 1),
    default: '0.6',
    meaning: 'Complexity (0..1) from which on a question is taken apart',
  },
  {
    name: 'DECOMPOSITION_MAX_SUBQUERIES',
    schema: integer(1, 8),
    default: '8',
    meaning: 'Parts at most; with 1 no question is taken apart',
  },
  {
    name: 'ENABLE_ANSWER_CACHE',
    schema: flag,
    default: 'false',
    meaning:
      'A question that says the same as one before it gets the same answer again, while nothing that it rests on has changed',
  },
  {
    name: 'ANSWER_CACHE_TTL_SECONDS',
    schema: integer(1, 604_800),
    default: '3600',
    meaning: 'Age up to which an answer is given again',
  },
  {
    name: 'ENABLE_MULTI_AGENT',
    schema: flag,
    default: 'false',
    meaning:
      'Workers answer complex questions: they retrieve and search the web, synthesize, check the facts; without a model it is not done',
  },
  {
    name: 'MULTI_AGENT_COMPLEXITY_THRESHOLD',
    schema: decimal(0, 1),
    default: '0.7',
    meaning: 'Complexity (0..1) from which on workers are used',
  },
  { name: 'MULTI_AGENT_MAX_WORKERS', schema: integer(1, 5), default: '5', meaning: 'Workers at the same time' },
];
