// Rows of sessions and turns to values. What damage left of them is told, and the conversation around it stays.
import { type Answer, readSavedAnswer } from '../core/answer.ts';
import { type Session, titleOf } from '../core/conversation.ts';
import { FootnoteError } from '../core/errors.ts';
import { unpackJson } from './packed.ts';

export interface SessionRow {
  readonly principal: string;
  readonly id: string;
  readonly title: string | null;
  /** Absent: no turn. */
  readonly first_question?: unknown;
  readonly created_at: string;
  readonly updated_at: string;
  readonly turn_count: number;
}

/** What damage left of a text. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

function titled({ title, first_question: question }: SessionRow): Pick<Session, 'title'> {
  if (title !== null) return { title: toText(title) };
  const made = titleOf(toText(question));
  return made === '' ? {} : { title: made };
}

export const toSession = (row: SessionRow): Session => ({
  id: row.id,
  ...titled(row),
  createdAt: toText(row.created_at),
  updatedAt: toText(row.updated_at),
  turnCount: Number.isSafeInteger(row.turn_count) ? row.turn_count : 0,
});

export interface TurnRow {
  readonly session_id: string;
  readonly ordinal: number;
  readonly id: string;
  readonly answer_id: string;
  readonly content: string;
  readonly resolved_question: string;
  readonly answer: Uint8Array;
  readonly created_at: string;
}

/** Throws `data-corrupt` if the bytes are not an answer any more. */
export function unpackAnswer(bytes: Uint8Array, id: string): Answer {
  const parsed = readSavedAnswer(unpackJson(bytes, `Answer ${id}`));
  if (parsed.success) return parsed.data;
  throw new FootnoteError('data-corrupt', `Answer ${id} is damaged in the record and is not served.`, {
    cause: parsed.error,
  });
}

/** Says in its place that an answer is damaged, so that the conversation around it stays. */
export function toStandIn(row: TurnRow, error: FootnoteError): Answer {
  const text = 'This answer is damaged in the record and cannot be shown.';
  return {
    id: String(row.answer_id),
    sessionId: row.session_id,
    turnId: row.id,
    traceId: '',
    mode: 'embedded',
    intent: 'factual_lookup',
    answer: text,
    claims: [],
    citations: [],
    conflicts: [],
    sources: [],
    abstained: true,
    abstainReason: text,
    ragEnabled: false,
    confidence: 0,
    coverage: 0,
    routing: { sources: [], reason: text },
    degraded: [{ component: 'record', code: error.code, detail: error.message, effect: text }],
    usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: 0, costUsd: 0 },
    timings: { totalMs: 0 },
  };
}
