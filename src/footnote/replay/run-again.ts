// What a replay has of a request, whichever ports it runs over.
import type { createArchiveChat, TracedChat } from '../../agent/archive-chat/archive-chat.ts';
import type { createRunner, Housekeeping, RequestCall } from '../../agent/run.ts';
import type { AskRequest, MessageRequest } from '../../core/answer.ts';
import type { AnalysisRequest } from '../../core/answers/analysis-request.ts';
import type { FootnoteEvent } from '../../core/events.ts';
import type { SearchRequest } from '../../core/search.ts';

/** A folder that is not there: no file may change a replay. */
export const nowhere = '/nonexistent/footnote-replay';

export interface RecordedRequest {
  readonly kind: Extract<FootnoteEvent, { type: 'request' }>['kind'];
  /** As it passed its schema then. */
  readonly body: unknown;
  readonly sessionId: string;
}

export interface AgainParts {
  readonly runner: ReturnType<typeof createRunner>;
  readonly chat: ReturnType<typeof createArchiveChat>;
}

export function runAgain(
  { runner, chat }: AgainParts,
  { kind, body, sessionId }: RecordedRequest,
  call: Omit<RequestCall, 'onEvent'>,
): Promise<unknown> {
  if (kind === 'search') return runner.search(body as SearchRequest, call);
  if (kind === 'chat') return chat.chat(body as TracedChat, call);
  if (kind === 'housekeeping') return runner.housekeep(body as Housekeeping, call);
  if (kind === 'analysis') return runner.analyse(body as AnalysisRequest, call);
  if (kind === 'ask') return runner.ask(body as AskRequest, call);
  return runner.send(sessionId, body as MessageRequest, call);
}
