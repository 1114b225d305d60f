// Finds the turns of the archive that may answer a question, as a person would with a map: a look at everything, the time that the question
// names, a closer look at each peak, and then the turns that promise most are read. Invariant: never more turns and never more tokens are
// read than allowed, whatever the archive holds.
import type { ArchiveChatEvent, Peek, PeekRequest, PeekSnippet, ReadTurn, TimeRange } from '../../core/archive.ts';
import type { Archive } from '../../memory/archive/archive.ts';
import { calendarOf } from '../../memory/archive/time/calendar.ts';
import { readEventWhen, readWhen } from '../../memory/archive/time/when.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import { isWeightless, withoutSpeaking } from './meta-words.ts';

export interface ExploreLimits {
  readonly maxHydrations: number;
  readonly maxTokens: number;
  readonly turnMaxTokens: number;
}

export interface ExplorePorts {
  readonly archive: Pick<Archive, 'peek' | 'turn'>;
  readonly limits: ExploreLimits;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  tell(event: ArchiveChatEvent): void;
}

export interface Explored {
  /** Turns that were read, most promising first. */
  readonly turns: readonly ReadTurn[];
  /** What was searched for: the question without its time. */
  readonly query: string;
  readonly timeRange?: TimeRange;
  /** The question asks for the first or the last time of something. */
  readonly edge?: 'first' | 'last';
  /** Turns at that end of time. */
  readonly leading: readonly string[];
  /** How much each term of the query tells, by how few turns have it. */
  readonly weights: ReadonlyMap<string, number>;
  readonly hits: number;
  readonly peeks: number;
  readonly tokens: number;
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
/** Less than this is not worth reading a turn for. */
const leastTokens = 50;

const firstPattern = /\b(?:first|earliest|originally|begin|began|start(?:ed)?)\b(?! (?:half|quarter|name))/iu;
const lastPattern = /\b(?:last time|latest|most recent(?:ly)?|lately)\b/iu;

export async function exploreArchive(question: string, ports: ExplorePorts): Promise<Explored> {
  const { archive, limits, nowMs, signal, tell } = ports;
  const degraded: string[] = [];
  let peeks = 0;
  async function peek(request: PeekRequest, reason: string): Promise<Peek> {
    signal.throwIfAborted();
    peeks += 1;
    const found = await archive.peek(request);
    const peaks = found.histogram.flatMap((bin) => (bin.peak ? [bin.label] : []));
    tell({ type: 'peek', reason, query: request.query, time_range: request.time_range, hits: found.total.hits, peaks });
    return found;
  }

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
    const happened = await peek({ query: event.event, top_n_snippets: 1 }, `when was “${event.event}”?`);
    const at = happened.snippets[0]?.timestamp;
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
    if (broad.total.hits === 0) {
      degraded.push('Nothing was said of it in the time that the question names; all times were looked at.');
      timeRange = undefined;
      query = plain;
      broad = whole;
    }
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
  const edge = lastPattern.test(question) ? 'last' : firstPattern.test(question) ? 'first' : undefined;
  const leading = edge ? await edgeOf(edge, broad) : [];
  found.lead(leading);

  /** Zooms to the bin with the first, or the last, hits that have what the query is about. */
  async function edgeOf(side: 'first' | 'last', from: Peek): Promise<readonly PeekSnippet[]> {
    let view = from;
    for (let step = 0; step < mostEdgeZooms; step++) {
      const bins = view.histogram.filter(({ top_k }) => top_k > 0);
      const bin = side === 'first' ? bins[0] : bins.at(-1);
      if (!bin || view.total.hits <= zoomSnippets || view.bin === 'hour') break;
      const range = { from: bin.from, to: bin.to };
      view = await peek({ query, time_range: range, top_n_snippets: zoomSnippets }, `the ${side} time: ${bin.label}`);
    }
    const dated = view.snippets.filter(({ hit, timestamp }) => hit && timestamp !== undefined);
    return dated
      .toSorted((left, right) => Date.parse(left.timestamp ?? '') - Date.parse(right.timestamp ?? ''))
      .slice(side === 'first' ? 0 : -3, side === 'first' ? 3 : undefined);
  }

  const weights = new Map<string, number>();
  const telling = broad.terms.filter((term) => !isWeightless(term));
  for (const term of (telling.length > 0 ? telling : broad.terms).slice(0, weighedTerms)) {
    signal.throwIfAborted();
    const { total: own } = await archive.peek({ query: term, top_n_snippets: 0, bin: 'year' });
    weights.set(term, Math.max(leastWeight, Math.log(1 + (total.turns - own.hits + 0.5) / (own.hits + 0.5))));
  }

  const turns: ReadTurn[] = [];
  let tokens = 0;
  for (const snippet of found.best()) {
    signal.throwIfAborted();
    if (turns.length >= limits.maxHydrations) {
      degraded.push(`Only ${limits.maxHydrations} turns were read (CHAT_MAX_HYDRATIONS).`);
      break;
    }
    const room = limits.maxTokens - tokens;
    if (room < leastTokens) {
      degraded.push(`Only ${limits.maxTokens} tokens were read (CHAT_MAX_TOKENS).`);
      break;
    }
    const maxTokens = Math.min(limits.turnMaxTokens, room);
    const turn = await archive.turn(snippet.turn_id, { conversationId: snippet.conversation_id, maxTokens, query });
    const read = turn.messages.reduce((sum, { text }) => sum + countTokens(text), 0);
    if (read > room) continue;
    tokens += read;
    turns.push(turn);
    tell({ type: 'turn', turn_id: turn.turn_id, content_used: turn.content_used, tokens: read });
  }
  return {
    turns,
    query,
    ...(timeRange && { timeRange }),
    ...(edge && { edge }),
    leading: leading.map(({ turn_id }) => turn_id),
    weights,
    hits: broad.total.hits,
    peeks,
    tokens,
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
