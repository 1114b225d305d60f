// Finds the turns of the archive that may answer a question, as a person would with a map: a look at everything, the time that the question
// names, a closer look at each peak, and then the turns that promise most are read. Invariant: never more turns and never more tokens are
// read than allowed, whatever the archive holds.
import type { Peek, PeekBin, PeekSnippet, ReadTurn, TimeRange } from '../../core/archive.ts';
import { calendarOf } from '../../memory/archive/time/calendar.ts';
import { readWhen } from '../../memory/archive/time/when.ts';
import type { PassageScorer } from '../../models/encoder/passage-scorer.ts';
import type { CollectionStatistics } from '../../passages/frame.ts';
import { termsOf } from '../../text/terms.ts';
import { type Edge, edgeAsked } from './asked.ts';
import { withoutSpeaking } from './meta-words.ts';
import { keyOf, type ReadableArchive, type Reading } from './reading.ts';

export interface ExplorePorts {
  readonly reading: Reading;
  /** Counts how many turns have a word: nothing of them is shown. */
  readonly archive: Pick<ReadableArchive, 'peek'>;
  /** Where there is one, turns are looked for by their meaning, too. */
  readonly passageScorer?: PassageScorer | undefined;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

export interface Explored {
  /** Turns that were read, most promising first. */
  readonly turns: readonly ReadTurn[];
  /** What was searched for: the question without its time. */
  readonly query: string;
  readonly timeRange?: TimeRange;
  readonly edge?: Edge;
  /** How many turns have each word of the query. */
  readonly statistics: CollectionStatistics;
  readonly degraded: readonly string[];
}

const zoomedPeaks = 3;
const broadSnippets = 30;
const zoomSnippets = 10;
const weighedWords = 8;
/** Turns that are read for their meaning, whatever their words. */
const meantTurns = 6;
/** Of so many turns that may be read one is left for what was said of it since. */
const spareOneOf = 8;
const mostSpared = 2;

export async function exploreArchive(question: string, ports: ExplorePorts): Promise<Explored> {
  const { reading, nowMs } = ports;
  const degraded: string[] = [];
  const look = (query: string, range: TimeRange | undefined, reason: string, most = broadSnippets): Promise<Peek> =>
    reading.peek({ query, top_n_snippets: most, ...(range && { time_range: range }) }, reason);

  const plain = withoutSpeaking(question);
  const whole = await look(plain, undefined, 'a look at everything');
  const last = whole.total.last_timestamp;
  const lastMs = last === undefined ? undefined : Date.parse(last);
  const when = readWhen(question, { calendar: calendarOf('UTC'), nowMs, lastMs });
  let [query, broad] = [plain, whole];
  let timeRange: TimeRange | undefined;
  if (when) {
    query = withoutSpeaking(remaining(question, when.phrase));
    timeRange = toRange(when);
    broad = await look(query, timeRange, 'the time that the question names');
    if (broad.total.hits === 0) {
      degraded.push('Nothing was said of it in the time that the question names; all times were looked at.');
      [query, broad, timeRange] = [plain, whole, undefined];
    }
  }
  const edge = edgeAsked(question);
  const bins = broad.histogram.filter(({ count }) => count > 0);
  const outermost = edge === 'first' ? bins.slice(0, 2) : edge === 'last' ? bins.slice(-2) : [];
  const zooms: readonly PeekBin[] = [...outermost, ...bins.filter((bin) => bin.peak).slice(0, zoomedPeaks)];
  const found = [...broad.snippets];
  if (bins.length > 1)
    for (const { from, to, label } of new Set(zooms))
      found.push(...(await look(query, { from, to }, `a closer look at ${label}`, zoomSnippets)).snippets);
  const meant = ports.passageScorer ? await byMeaning(query, timeRange, { reading, degraded }) : [];

  const spared = meant.length > 0 ? Math.min(mostSpared, Math.floor(reading.left() / spareOneOf)) : 0;
  const turns: ReadTurn[] = [];
  for (const { turn_id: id, conversation_id: conversationId } of withMeant(bestOf(found), meant)) {
    if (spared > 0 && reading.left() <= spared) {
      degraded.push(`Only ${turns.length} turns were read at first (CHAT_MAX_HYDRATIONS).`);
      break;
    }
    const outcome = await reading.read({ id, conversationId, query });
    if ('turn' in outcome) turns.push(outcome.turn);
    else if (outcome.refused !== 'too-long') break;
  }
  // What a model had read before it gave up was read for this question, too.
  turns.push(...reading.turns().filter((turn) => !turns.includes(turn)));
  const statistics = await statisticsOf(query, timeRange, ports);
  return { turns, query, ...(timeRange && { timeRange }), ...(edge && { edge }), statistics, degraded };
}

export const toRange = ({ fromMs, toMs }: { fromMs?: number; toMs?: number }): TimeRange => ({
  ...(fromMs !== undefined && { from: new Date(fromMs).toISOString() }),
  ...(toMs !== undefined && { to: new Date(toMs).toISOString() }),
});

/** The question without the words of its time, unless nothing else is in it. */
function remaining(question: string, phrase: string): string {
  const rest = question.replace(phrase, ' ').replace(/\s+/gu, ' ').trim();
  return /\p{L}{3}/u.test(rest) ? rest : question;
}

/** Turns that are near the question in meaning; none where nobody can say. */
async function byMeaning(
  query: string,
  timeRange: TimeRange | undefined,
  { reading, degraded }: { readonly reading: Reading; readonly degraded: string[] },
): Promise<readonly PeekSnippet[]> {
  const request = { query, top_n_snippets: meantTurns, meaning: true, ...(timeRange && { time_range: timeRange }) };
  const { meaning, total, snippets } = await reading.peek(request, 'a look at what is near in meaning');
  if (!meaning) return [];
  if (meaning.turns < total.turns)
    degraded.push(
      `Of ${total.turns} turns ${meaning.turns} can be found by their meaning so far; the others were searched by their words.`,
    );
  return snippets;
}

/** Snippets of several looks, each turn once with its best score, the best first. */
function bestOf(snippets: readonly PeekSnippet[]): readonly PeekSnippet[] {
  const sorted = snippets.toSorted((left, right) => right.score - left.score);
  return [...Map.groupBy(sorted, keyOf).values()].flatMap(([first]) => first ?? []);
}

/** What is found by words and what is near in meaning, in turn: scores of the two are of different kinds. */
function withMeant(byWords: readonly PeekSnippet[], meant: readonly PeekSnippet[]): readonly PeekSnippet[] {
  const most = Math.max(byWords.length, meant.length);
  const both = Array.from({ length: most }, (_, at) => [byWords[at] ?? [], meant[at] ?? []].flat()).flat();
  return [...new Map(both.map((one) => [keyOf(one), one])).values()];
}

async function statisticsOf(
  query: string,
  timeRange: TimeRange | undefined,
  { archive, signal }: Pick<ExplorePorts, 'archive' | 'signal'>,
): Promise<CollectionStatistics> {
  const frequencies: Record<string, number> = {};
  let chunks = 0;
  for (const { term, start, end } of termsOf(query).slice(0, weighedWords)) {
    signal.throwIfAborted();
    const word = query.slice(start, end);
    const { total } = await archive.peek({
      query: word,
      top_n_snippets: 0,
      bin: 'year',
      ...(timeRange && { time_range: timeRange }),
    });
    frequencies[term] = total.hits;
    chunks = total.turns;
  }
  return { chunks, frequencies };
}
