// What somebody said, and later said otherwise: the later stands first, and what it took the place of right behind it, as history.
import type { ReadTurn } from '../../core/archive.ts';
import { chanceThatSupersedes, supersedes } from '../../memory/facts/keys.ts';
import type { Reading } from './reading.ts';

export interface DatedSaying {
  readonly text: string;
  /** Who said it. */
  readonly by: string;
  /** Milliseconds; 0 where it is not known. */
  readonly at: number;
}

/** What takes the place of what was fitted on single statements: longer texts are none. */
const longestStatement = 160;
const isStatement = ({ text, at }: DatedSaying): boolean =>
  at > 0 && text.length <= longestStatement && !text.trimEnd().endsWith('?');

const followed = 2;
const mostSince = 3;

/** Turns since the first two of these statements that are near one of them in meaning, and had not been read. */
export async function readSince(sayings: readonly DatedSaying[], reading: Reading): Promise<readonly ReadTurn[]> {
  const known = new Set(reading.turns());
  for (const { text, at } of sayings.slice(0, followed).filter(isStatement)) {
    const request = { query: text, meaning: true, top_n_snippets: mostSince };
    const time_range = { from: new Date(at + 1).toISOString() };
    const { meaning, snippets } = await reading.peek({ ...request, time_range }, 'what was said of it since');
    if (!meaning) break;
    for (const { turn_id: id, conversation_id: conversationId } of snippets)
      if ('refused' in (await reading.read({ id, conversationId, query: text }))) break;
  }
  return reading.turns().filter((turn) => !known.has(turn));
}

export interface LaterFirst<One> {
  readonly order: readonly One[];
  /** Those of `order` that are over. */
  readonly over: ReadonlySet<One>;
}

/** From this chance on the later of two that are shown stands first; that the other is over is said only where it is likely. */
const leastForOrder = 0.3;

/** `shown` in this order, each behind what took its place; `others` are looked through for what was said before or after one of them. */
export function laterFirst<One>(
  shown: readonly One[],
  others: readonly One[],
  sayingOf: (one: One) => DatedSaying,
): LaterFirst<One> {
  const isSince = (before: One, after: One): boolean => {
    const [one, other] = [sayingOf(before), sayingOf(after)];
    return one.by === other.by && other.at > one.at && isStatement(one) && isStatement(other);
  };
  const isEnded = (before: One, after: One): boolean =>
    isSince(before, after) && supersedes(sayingOf(before), sayingOf(after));
  const latestFirst = others.toSorted((one, other) => sayingOf(other).at - sayingOf(one).at);
  const order = new Set<One>();
  const endedBy = new Map<One, One>();
  for (const one of shown) {
    const later = latestFirst.find((other) => isEnded(one, other));
    const earlier = later ? one : others.find((other) => isEnded(other, one));
    const next = shown.find(
      (other) => isSince(one, other) && chanceThatSupersedes(sayingOf(one), sayingOf(other)) >= leastForOrder,
    );
    order.add(later ?? next ?? one);
    if (earlier !== undefined) {
      order.add(earlier);
      endedBy.set(earlier, later ?? one);
    }
    order.add(one);
  }
  // What stands elsewhere than behind the later one is not told as over.
  const over = new Set<One>();
  let current: One | undefined;
  for (const one of order) {
    if (endedBy.has(one) && endedBy.get(one) === current) over.add(one);
    else current = one;
  }
  return { order: [...order], over };
}
