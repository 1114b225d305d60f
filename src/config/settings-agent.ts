// Settings of how a question is thought through: its plan, its workers, its critic.
import { decimal, flag, integer, later, type Setting, text } from './setting-kinds.ts';

export const agentSettings: readonly Setting[] = [
  later('ENABLE_UNGROUNDED_ANSWERS', flag, { default: 'false', meaning: 'Answers without documents, marked as such' }),
  { name: 'MODEL_PLANNER', schema: text, meaning: 'Model of the planner role' },
  later('MODEL_CRITIC', text, { meaning: 'Model of the critic role' }),
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
  later('ENABLE_MULTI_AGENT', flag, { default: 'false', meaning: 'Workers answer parts of a question' }),
  later('MULTI_AGENT_COMPLEXITY_THRESHOLD', decimal(0, 1), {
    default: '0.7',
    meaning: 'Complexity from which on workers are used',
  }),
  later('MULTI_AGENT_MAX_WORKERS', integer(1, 5), { default: '5', meaning: 'Workers at the same time' }),
];
