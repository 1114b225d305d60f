// What stands in a session for the answer to a message whose client left before it was whole. Invariant: it claims nothing, says that it is
// no answer, and tells what models took by then.
import { type Answer, answerVersion, type Usage } from '../core/answer.ts';
import { classifyIntent } from './intent/intent.ts';
import type { TurnRequest } from './turn/turn-state.ts';

const why = 'Whoever asked left before the answer was whole.';

export function unanswered(
  { question, mode, sessionId, turnId }: TurnRequest,
  facts: {
    readonly id: string;
    readonly traceId: string;
    readonly spent: Omit<Usage, 'toolCalls'>;
    readonly totalMs: number;
  },
): Answer {
  return {
    id: facts.id,
    version: answerVersion,
    ...(sessionId !== undefined && { sessionId }),
    ...(turnId !== undefined && { turnId }),
    traceId: facts.traceId,
    mode,
    intent: classifyIntent(question).intent,
    answer: `There is no answer to this. ${why}`,
    marks: [],
    claims: [],
    citations: [],
    conflicts: [],
    sources: [],
    abstained: true,
    abstainReason: why,
    ragEnabled: false,
    confidence: 0,
    coverage: 0,
    routing: { sources: [], reason: 'the request was cancelled' },
    degraded: [
      { component: 'answer', code: 'cancelled', detail: why, effect: 'The message was kept without an answer.' },
    ],
    usage: { ...facts.spent, toolCalls: 0 },
    timings: { totalMs: facts.totalMs },
  };
}
