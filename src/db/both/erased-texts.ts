// What stands in the place of saved texts once something that they spoke of was deleted: traces keep their outline, replies under an
// idempotency key stay answers where they are answers, and say in every other case that they were erased.
import { readSavedAnswer } from '../../core/answer.ts';
import { type CitedPlace, eraseFromAnswer } from '../../core/answers/erased-answer.ts';
import { errorTable } from '../../core/errors.ts';
import type { LoggedEvent } from '../../core/events.ts';

/** Types of events that hold numbers and fixed words only. */
const outlined: ReadonlySet<string> = new Set(['status', 'retrieval', 'reranking', 'erased']);

function withoutPassages(logged: LoggedEvent): LoggedEvent {
  if (logged.event.type !== 'reranking') return logged;
  const { first: _, ...event } = logged.event;
  return { ...logged, event };
}

/** The outline of a request's events: what it did and how long it took, without any word that was asked, found or said. */
export function outlineOf(events: readonly LoggedEvent[], at: string): readonly LoggedEvent[] {
  const kept = events.flatMap((logged) => (outlined.has(logged.event.type) ? [withoutPassages(logged)] : []));
  const lastMs = events.at(-1)?.atMs ?? 0;
  const gone = { type: 'erased', at, events: events.length - kept.length } as const;
  return [...kept, { atMs: lastMs, event: gone }].map((logged, place) => ({ ...logged, seq: place + 1 }));
}

export interface ErasedReply {
  readonly status: number;
  readonly body: string;
}

/** A reply that says that the one that was kept is gone. */
export function erasedReply(): ErasedReply {
  const { status, title } = errorTable['not-found'];
  const detail =
    'The reply to the first request under this Idempotency-Key was erased, because it, or a document or session that it was about, was deleted. Use a new key to ask again.';
  return {
    status,
    body: JSON.stringify({ type: 'about:blank', title, status, detail, code: 'not-found', requestId: 'erased' }),
  };
}

/** Without what was erased, for a reply that mentions it. An answer out of which it was taken before stays as it is. */
export function eraseReply(body: string, isErased: (place: CitedPlace) => boolean, at: string): ErasedReply {
  try {
    const { data } = readSavedAnswer(JSON.parse(body));
    const left = data && eraseFromAnswer(data, isErased, at);
    if (data) return { status: 200, body: left ? JSON.stringify(left) : body };
  } catch {
    // Not JSON: nothing of it is kept.
  }
  return erasedReply();
}

/**
 * Whether a text that was printed as JSON holds one of these ids as a string of its own. Looking for each costs less than reading it
 * all, until there are many.
 */
export function createMentions(ids: readonly string[]): (json: Buffer) => boolean {
  const quoted = ids.map((id) => JSON.stringify(id));
  if (quoted.length <= soughtOneByOne) {
    const needles = quoted.map((id) => Buffer.from(id));
    return (json) => needles.some((needle) => json.includes(needle));
  }
  const plain = new Set(quoted.filter((id) => !id.includes('\\')).map((id) => id.slice(1, -1)));
  const strange = quoted.filter((id) => id.includes('\\')).map((id) => Buffer.from(id));
  return (json) =>
    json
      .toString('utf8')
      .split('"')
      .some((piece) => plain.has(piece)) || strange.some((needle) => json.includes(needle));
}

const soughtOneByOne = 16;
