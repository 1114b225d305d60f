// A valid answer of any length, for tests of the record.
import type { Answer } from '../../src/core/answer.ts';

/** An answer that says why it says nothing: valid by the schema, with a text of any length. */
export function createAnswer(id: string, text: string): Answer {
  return {
    id,
    traceId: `trc_of_${id}`,
    mode: 'embedded',
    intent: 'research',
    answer: text,
    claims: [],
    citations: [],
    conflicts: [],
    sources: [],
    abstained: true,
    abstainReason: 'a test',
    ragEnabled: true,
    confidence: 0,
    coverage: 0,
    routing: { sources: [], reason: 'a test' },
    degraded: [],
    usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: 0, costUsd: 0 },
    timings: { totalMs: 1 },
  };
}

export const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

/** The nth message of a session with its answer. */
export const createTurn = (sessionId: string, n: number) => ({
  id: `turn_${sessionId}_${n}`,
  sessionId,
  content: `question ${n}`,
  resolvedQuestion: `resolved ${n}`,
  answer: createAnswer(`ans_${sessionId}_${n}`, `answer ${n}`),
  createdAt: at(n),
});
