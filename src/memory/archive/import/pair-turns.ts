// Messages in order to turns: what a person said and all that came back until the person spoke again. Invariant: the key of a turn is that
// of its first message, so that it is the same turn in a later export that has more of it.

import type { ArchiveMessage, ArchiveRole } from '../../../core/archive.ts';
import { defined } from '../../../core/values/defined.ts';
import { type IncomingTurn, toTimestamp } from './incoming.ts';

export interface IncomingMessage {
  readonly key: string;
  readonly role: ArchiveRole;
  readonly author?: string | undefined;
  readonly text: string;
  readonly atMs?: number | undefined;
}

export const toMessage = ({ role, author, text, atMs }: IncomingMessage): ArchiveMessage => {
  const timestamp = toTimestamp(atMs);
  return defined({ role, author, text, timestamp });
};

export function pairTurns(messages: readonly IncomingMessage[]): readonly IncomingTurn[] {
  const runs: IncomingMessage[][] = [];
  for (const message of messages) {
    const run = runs.at(-1);
    if (run === undefined || (message.role === 'user' && run.some(({ role }) => role === 'user'))) runs.push([message]);
    else run.push(message);
  }
  let positionMs: number | undefined;
  return runs.map((run) => {
    const [first] = run as [IncomingMessage];
    const atMs = run.find((message) => message.atMs !== undefined)?.atMs;
    // Their order is known, whatever the clocks said.
    if (atMs !== undefined) positionMs = Math.max(positionMs ?? atMs, atMs);
    return defined({ key: first.key, messages: run.map(toMessage), atMs, positionMs });
  });
}
