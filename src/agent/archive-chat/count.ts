// How often something was said: turns that have all of the topic's words, counted over the whole archive from looks alone, never from a sample.
import type { Peek, TimeRange } from '../../core/archive.ts';
import { isOfSpeaker } from './asked.ts';
import type { Explored } from './explore.ts';
import type { ReadableArchive } from './reading.ts';

export interface Counted {
  readonly turns: number;
  /** Of them those in which a person has the words; absent where all of them are. */
  readonly byPeople?: number;
  /** Only of somebody who is asked for by name. */
  readonly isOfSpeaker?: boolean;
  readonly first?: string;
  readonly last?: string;
}

/** Words of a topic that all have to be there; of more the rarest. */
const countedWords = 4;
/** So many snippets may be looked through for who said them. */
const mostOfSpeaker = 100;

/** By the sums of looks at any of some words: turns with both words are those with the one, and the other, less those with either. */
export async function countTurns(
  { words, asked, timeRange }: Pick<Explored, 'words' | 'asked' | 'timeRange'>,
  archive: Pick<ReadableArchive, 'peek'>,
): Promise<Counted> {
  const counted = words.toSorted((left, right) => right.weight - left.weight).slice(0, countedWords);
  const range: { time_range?: TimeRange } = timeRange ? { time_range: timeRange } : {};
  const lists = counted.map(({ text }) => text);
  const look = (query: string, snippets = 0): Promise<Peek> =>
    archive.peek({ query, top_n_snippets: snippets, bin: 'year', by: ['role'], ...range });
  const whole = lists.join(' ');
  const { speaker } = asked;
  if (speaker !== undefined) {
    const { snippets, total } = await look(whole, mostOfSpeaker);
    const own = snippets.filter(({ hit, author }) => hit && isOfSpeaker(author, speaker));
    if (total.hits <= mostOfSpeaker && own.length > 0) {
      const times = own.flatMap(({ timestamp }) => timestamp ?? []).sort();
      return { turns: own.length, isOfSpeaker: true, ...spanOf(times[0], times.at(-1)) };
    }
  }
  let [turns, byPeople] = [0, 0];
  let only: Peek | undefined;
  for (let subset = 1; subset < 2 ** lists.length; subset++) {
    const chosen = lists.filter((_, at) => (subset & (1 << at)) !== 0);
    only = await look(chosen.join(' '));
    const sign = chosen.length % 2 === 1 ? 1 : -1;
    turns += sign * only.total.hits;
    byPeople += sign * (only.roles?.find(({ role }) => role === 'user')?.count ?? 0);
  }
  const span = lists.length === 1 && only ? spanOf(only.total.first_timestamp, only.total.last_timestamp) : {};
  return { turns, ...(byPeople !== turns && { byPeople }), ...span };
}

const spanOf = (first: string | undefined, last: string | undefined): Pick<Counted, 'first' | 'last'> => ({
  ...(first !== undefined && { first }),
  ...(last !== undefined && { last }),
});

const turnsOf = (count: number): string => `${count} ${count === 1 ? 'turn' : 'turns'}`;
const dayOf = (timestamp: string): string =>
  new Date(timestamp).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

export function tellCount(
  { turns, byPeople, isOfSpeaker: own, first, last }: Counted,
  topic: string,
  speaker?: string,
): string {
  const name = speaker === undefined ? '' : `${speaker.charAt(0).toUpperCase()}${speaker.slice(1)}`;
  const who = own ? ` of ${name}` : '';
  const span =
    first === undefined || last === undefined
      ? ''
      : dayOf(first) === dayOf(last)
        ? `, on ${dayOf(first)}`
        : `, from ${dayOf(first)} to ${dayOf(last)}`;
  const roles = byPeople === undefined ? '' : ` In ${byPeople} of them a person says so.`;
  return `${turnsOf(turns)}${who} ${turns === 1 ? 'speaks' : 'speak'} of “${speaker === undefined ? topic : withoutName(topic, speaker)}”${span}.${roles}`;
}

const withoutName = (topic: string, name: string): string =>
  topic
    .split(' ')
    .filter((word) => word.toLowerCase() !== name)
    .join(' ');
