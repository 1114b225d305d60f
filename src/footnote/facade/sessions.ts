// What the doors may call of sessions.
import type { RequestCall } from '../../agent/run.ts';
import type { Answer, MessageRequest } from '../../core/answer.ts';
import type { Session, Turn } from '../../core/conversation.ts';
import type { PageOf, PageRequest } from '../../db/repositories/page.ts';
import type { TurnPageRequest } from '../../db/repositories/sessions.ts';

export interface SessionCalls {
  create(session: { title?: string }): Promise<Session>;
  get(id: string): Promise<Session>;
  list(request: PageRequest): Promise<PageOf<Session>>;
  update(id: string, change: { title: string }): Promise<Session>;
  delete(id: string): Promise<void>;
  /** The last turns, then by the cursor those before them. */
  page(id: string, request: TurnPageRequest): Promise<PageOf<Turn>>;
  /** Oldest first. */
  turns(id: string, limit?: number): Promise<readonly Turn[]>;
  /** An unknown session id is created. */
  send(sessionId: string, request: MessageRequest, options?: RequestCall): Promise<Answer>;
}
