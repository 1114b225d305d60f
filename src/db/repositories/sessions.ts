// Sessions and their turns.
import type { Session, Turn } from '../../core/conversation.ts';
import type { PageOf, PageRequest } from './page.ts';

export interface TurnPageRequest extends PageRequest {
  /** Within the page, whose cursor leads to earlier turns either way. Default: `oldest` first. */
  readonly order?: 'oldest' | 'newest';
}

export interface SessionRepository {
  create(session: { id: string; title?: string; createdAt: string }): Promise<Session>;
  get(id: string): Promise<Session | undefined>;
  list(request: PageRequest): Promise<PageOf<Session>>;
  /** Undefined: there is none. */
  update(id: string, change: { readonly title: string }): Promise<Session | undefined>;
  /** An admin deletes another's, too, but not by asking twice for the own one. */
  delete(id: string): Promise<boolean>;
  /** Which sessions were deleted until now: what a message that begins now gives to `appendTurn`. */
  deletionMark(): Promise<string>;
  /** Appends a turn; the session is created when it does not exist. Throws `not-found` if it was deleted after the mark `since`. */
  appendTurn(turn: Omit<Turn, 'ordinal'>, options?: { readonly since?: string }): Promise<Turn>;
  /** The first or the last `limit` turns of the principal's own session, oldest first: none of another's, even for an admin. Default: the last. */
  turns(sessionId: string, limit: number, from?: 'first' | 'last'): Promise<readonly Turn[]>;
  /** The last turns, then those before them; for an admin also of another's session. Undefined: there is no such session. */
  page(sessionId: string, request: TurnPageRequest): Promise<PageOf<Turn> | undefined>;
}
