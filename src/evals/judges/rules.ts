// All judges that need no model, in the order in which they are told.
import { abstention, coherence, completeness, groundedness, relevance } from './answers.ts';
import { citationPrecision, citationRecall, contextPrecision, contextRecall } from './citations.ts';
import type { Judge } from './judge.ts';

export const ruleJudges: readonly Judge[] = [
  groundedness,
  relevance,
  coherence,
  completeness,
  citationPrecision,
  citationRecall,
  contextPrecision,
  contextRecall,
  abstention,
];
