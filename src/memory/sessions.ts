// Sessions: turns persist by session id and the most recent ones are loaded with each request, so that a follow-up can
// be resolved against them.
import type { Session, Turn } from '../core/conversation.ts';
import { FootnoteError } from '../core/errors.ts';
import type { Clock, Ids } from '../core/ids.ts';
import type { TenantRecord } from '../db/tenant-record.ts';

/** Turns that a follow-up may refer to. */
export const recentTurns = 6;

export interface Sessions {
  create(session: { title?: string }): Promise<Session>;
  get(id: string): Promise<Session>;
  delete(id: string): Promise<void>;
  /** The first or the last of the own session, oldest first. */
  turns(id: string, limit: number, from?: 'first' | 'last'): Promise<readonly Turn[]>;
  recent(id: string): Promise<readonly Turn[]>;
  /** What a message that begins now gives to `append`. */
  deletionMark(): Promise<string>;
  /** Throws `not-found` if the session was deleted after the mark `since`: while the message was answered. */
  append(turn: Omit<Turn, 'ordinal' | 'createdAt'>, options?: { readonly since?: string }): Promise<Turn>;
}

const idPattern = /^[A-Za-z0-9._:@-]{1,128}$/;

export function createSessions(record: TenantRecord, clock: Clock, ids: Ids): Sessions {
  const missing = (id: string): FootnoteError => new FootnoteError('not-found', `There is no session "${id}".`);
  return {
    create: ({ title }) =>
      record.sessions.create({ id: ids.next('ses'), ...(title !== undefined && { title }), createdAt: clock.now() }),
    async get(id) {
      const session = await record.sessions.get(id);
      if (session === undefined) throw missing(id);
      return session;
    },
    async delete(id) {
      if (!(await record.sessions.delete(id))) throw missing(id);
    },
    async turns(id, limit, from) {
      if ((await record.sessions.get(id)) === undefined) throw missing(id);
      return record.sessions.turns(id, limit, from);
    },
    async recent(id) {
      if (!idPattern.test(id))
        throw new FootnoteError('invalid-request', 'A session id has 1 to 128 letters, digits or . _ : @ - signs.');
      return record.sessions.turns(id, recentTurns);
    },
    deletionMark: () => record.sessions.deletionMark(),
    append: (turn, options) => record.sessions.appendTurn({ ...turn, createdAt: clock.now() }, options),
  };
}
