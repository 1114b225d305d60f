// Ends the streams of keys that were revoked at another server: whoever revokes one ends those of its own server at once.
import { principalOf } from '../../auth/credentials.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { HttpSystem } from './http-types.ts';
import type { EventStreams } from './sse.ts';

const lookEveryMs = 1000;
const prefix = principalOf('');

export const keyRevoked = (): FootnoteError =>
  new FootnoteError('unauthenticated', 'The key of this stream was revoked.');

/** Looks every second, as long as a stream is open; returns how to end that. */
export function watchRevoked(streams: EventStreams, others: HttpSystem['others']): () => Promise<void> {
  if (!others) return async () => undefined;
  async function look(): Promise<void> {
    // By the id of their key.
    const owners = Map.groupBy(streams.owners(), (owner) => owner.slice(owner.indexOf('\u0000') + 1 + prefix.length));
    const ids = [...owners].flatMap(([id, [owner = '']]) => (owner.includes(`\u0000${prefix}`) ? [id] : []));
    if (ids.length === 0) return;
    for (const id of (await others?.revoked(ids)) ?? [])
      for (const owner of owners.get(id) ?? []) streams.endOf(owner, keyRevoked());
  }
  // Where the database is away, the next look asks again.
  const timer = setInterval(() => void look().catch(() => undefined), lookEveryMs).unref();
  return async () => clearInterval(timer);
}
