// Reads what an answer cites of its own conversation, as the session has it now.
import { sessionUrlBeside, withTurnSpans } from '../../agent/talk/from-conversation.ts';
import type { SpanReader } from '../../answer/claims/draft.ts';
import type { Answer } from '../../core/answer.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';

/** Turns of a session that are looked through: those that an answer of it can cite, and what came after. */
const mostTurns = 1_000;

/** Reads the session only where the answer cites a turn of it. */
export async function withSaid(
  readSpan: SpanReader,
  { citations, sessionId }: Pick<Answer, 'citations' | 'sessionId'>,
  record: Pick<TenantRecord, 'sessions'>,
): Promise<SpanReader> {
  const cites = citations?.some(({ documentId, turnId }) => turnId !== undefined && turnId === documentId) === true;
  if (!cites || sessionId === undefined) return readSpan;
  const page = await record.sessions.page(sessionId, { limit: mostTurns });
  return withTurnSpans(
    readSpan,
    page?.data ?? [],
    sessionUrlBeside(() => ''),
  );
}
