// Finds the turns of the archive that may answer a question, as a person would with a map: a look at everything, the time that the question
// names, a closer look at each peak, and then the turns that promise most are read. Invariant: never more turns and never more tokens are
// read than allowed, whatever the archive holds.
import type { Peek, PeekSnippet, ReadTurn, TimeRange } from '../../core/archive.ts';
import { calendarOf } from '../../memory/archive/time/calendar.ts';
import { readEventWhen, readWhen } from '../../memory/archive/time/when.ts';
import { type Edge, edgeAsked, speakerAsked, termsOfName } from './asked.ts';
import { eventTimeOf } from './event-time.ts';
import { isWeightless, withoutSpeaking } from './meta-words.ts';
import type { ReadableArchive, Reading } from './reading.ts';

export interface ExplorePorts {
  readonly reading: Reading;
  /** Counts how many turns have a word: nothing of them is shown. */
  readonly archive: Pick<ReadableArchive, 'peek'>;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

export interface Explored {
  /** Turns that were read, most promising first. */
  readonly turns: readonly ReadTurn[];
  /** What was searched for: the question without its time. */
  readonly query: string;
  readonly timeRange?: TimeRange;
  /** The question asks for the first or the last time of something. */
  readonly edge?: Edge;
  /** Turns at that end of time, the outermost first. */
  readonly leading: readonly string[];
  /** How much each term of the query tells, by how few turns have it. */
  readonly weights: ReadonlyMap<string, number>;
  readonly hits: number;
  readonly degraded: readonly string[];
}

const zoomedPeaks = 3;
const broadSnippets = 30;
const zoomSnippets = 10;
/** A first time is looked for in ever finer bins, at most so often. */
const mostEdgeZooms = 4;
const weighedTerms = 8;
/** In a small archive everything is common. */
const leastWeight = 0.7;

/** Places that are asked when something happened. */
const eventSnippets = 10;

// oxlint-disable-next-line max-lines-per-function -- The rounds share the budget and what was read.
export async function exploreArchive(question: string, ports: ExplorePorts): Promise<Explored> {
  const { reading, archive, nowMs, signal } = ports;
  const { peek } = reading;
  const degraded: string[] = [];

  const plain = withoutSpeaking(question);
  const whole = await peek({ query: plain, top_n_snippets: broadSnippets }, 'a look at everything');
  const { total } = whole;
  const lastMs = total.last_timestamp === undefined ? undefined : Date.parse(total.last_timestamp);
  const when = readWhen(question, { calendar: calendarOf('UTC'), nowMs, lastMs });
  const event = when ? undefined : readEventWhen(question);
  let query = plain;
  let timeRange: TimeRange | undefined;
  let broad = whole;
  if (when) {
    query = withoutSpeaking(remaining(question, when.phrase));
    timeRange = toRange(when);
  } else if (event) {
    const happened = await peek({ query: event.event, top_n_snippets: eventSnippets }, `when was “${event.event}”?`);
    const at = eventTimeOf(event.event, happened.snippets);
    if (at !== undefined) {
      query = withoutSpeaking(remaining(question, event.phrase));
      timeRange = event.relation === 'before' ? { to: at } : { from: at };
    }
  }
  if (timeRange) {
    broad = await peek(
      { query, time_range: timeRange, top_n_snippets: broadSnippets },
      'the time that the question names',
    );
    const isOfTopic = broad.total.hits > 0 && (event === undefined || (await hasTopic(timeRange)));
    if (!isOfTopic) {
      degraded.push('Nothing was said of it in the time that the question names; all times were looked at.');
      timeRange = undefined;
      query = plain;
      broad = whole;
    }
  }

  /** When something happened is guessed: a time in which the rarest word of the question is not said at all is the wrong one. */
  async function hasTopic(range: TimeRange): Promise<boolean> {
    const [rarest] = [...(await weigh(broad.terms))].sort(([, left], [, right]) => right - left);
    if (rarest === undefined) return true;
    const inside = await archive.peek({ query: rarest[0], time_range: range, top_n_snippets: 0, bin: 'year' });
    return inside.total.hits > 0;
  }

  const found = createFound();
  found.take(broad.snippets);
  for (const bin of broad.histogram.filter((one) => one.peak).slice(0, zoomedPeaks)) {
    if (broad.histogram.length < 2) break;
    const range = { from: bin.from, to: bin.to };
    const closer = await peek(
      { query, time_range: range, top_n_snippets: zoomSnippets },
      `a closer look at ${bin.label}`,
    );
    found.take(closer.snippets);
  }
  const edge = edgeAsked(question);
  const leading = edge ? await edgeOf(edge, broad) : [];
  found.lead(leading);

  /** Zooms to the bin with the first, or the last, hits that have what the query is about. */
  async function edgeOf(side: Edge, from: Peek): Promise<readonly PeekSnippet[]> {
    let view = from;
    for (let step = 0; step < mostEdgeZooms; step++) {
      const bins = view.histogram.filter(({ top_k }) => top_k > 0);
      const bin = side === 'first' ? bins[0] : bins.at(-1);
      if (!bin || view.total.hits <= zoomSnippets || view.bin === 'hour') break;
      const range = { from: bin.from, to: bin.to };
      view = await peek({ query, time_range: range, top_n_snippets: zoomSnippets }, `the ${side} time: ${bin.label}`);
    }
    const dated = view.snippets.filter(({ hit, timestamp }) => hit && timestamp !== undefined);
    const sign = side === 'first' ? 1 : -1;
    return dated
      .toSorted((left, right) => sign * (Date.parse(left.timestamp ?? '') - Date.parse(right.timestamp ?? '')))
      .slice(0, 3);
  }

  /** How much each of the telling terms weighs. Of somebody who is asked for by name the name weighs nothing: they do not say it. */
  async function weigh(terms: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const weights = new Map<string, number>();
    const speaker = speakerAsked(question);
    const name = speaker === undefined ? new Set<string>() : termsOfName(speaker);
    const telling = terms.filter((term) => !isWeightless(term) && !name.has(term));
    for (const term of (telling.length > 0 ? telling : terms).slice(0, weighedTerms)) {
      signal.throwIfAborted();
      const { total: own } = await archive.peek({ query: term, top_n_snippets: 0, bin: 'year' });
      weights.set(term, Math.max(leastWeight, Math.log(1 + (total.turns - own.hits + 0.5) / (own.hits + 0.5))));
    }
    return weights;
  }
  const weights = await weigh(broad.terms);

  const turns: ReadTurn[] = [];
  for (const { turn_id: id, conversation_id: conversationId } of found.best()) {
    const outcome = await reading.read({ id, conversationId, query });
    if ('turn' in outcome) turns.push(outcome.turn);
    else if (outcome.refused !== 'too-long') break;
  }
  // What a model had read before it gave up was read for this question, too.
  turns.push(...reading.turns().filter((turn) => !turns.includes(turn)));
  return {
    turns,
    query,
    ...(timeRange && { timeRange }),
    ...(edge && { edge }),
    leading: leading.map(({ turn_id }) => turn_id),
    weights,
    hits: broad.total.hits,
    degraded,
  };
}

const toRange = ({ fromMs, toMs }: { fromMs?: number; toMs?: number }): TimeRange => ({
  ...(fromMs !== undefined && { from: new Date(fromMs).toISOString() }),
  ...(toMs !== undefined && { to: new Date(toMs).toISOString() }),
});

/** The question without the words of its time, unless nothing else is in it. */
function remaining(question: string, phrase: string): string {
  const rest = question.replace(phrase, ' ').replace(/\s+/gu, ' ').trim();
  return /\p{L}{3}/u.test(rest) ? rest : question;
}

/** Snippets of several looks, each turn once with its best score. */
function createFound() {
  const all = new Map<string, PeekSnippet>();
  const leading: string[] = [];
  const keyOf = ({ conversation_id, turn_id }: PeekSnippet): string => JSON.stringify([conversation_id, turn_id]);
  const take = (snippets: readonly PeekSnippet[]): void => {
    for (const snippet of snippets) {
      const known = all.get(keyOf(snippet));
      if (!known || known.score < snippet.score) all.set(keyOf(snippet), snippet);
    }
  };
  return {
    take,
    /** These are read first. */
    lead(snippets: readonly PeekSnippet[]) {
      take(snippets);
      leading.push(...snippets.map(keyOf));
    },
    best(): readonly PeekSnippet[] {
      const first = leading.flatMap((key) => all.get(key) ?? []);
      const rest = [...all].filter(([key]) => !leading.includes(key)).map(([, snippet]) => snippet);
      return [...first, ...rest.sort((left, right) => right.score - left.score)];
    },
  };
}
