// Finds the turns of the archive that may answer a question, as a person would with a map: a look at everything, the time that the question
// names, a closer look at each peak, and then the turns that promise most are read. Invariant: never more turns and never more tokens are
// read than allowed, whatever the archive holds.
import type { PeekSnippet, ReadTurn, TimeRange } from '../../core/archive.ts';
import { calendarOf } from '../../memory/archive/time/calendar.ts';
import { readEventWhen, readWhen } from '../../memory/archive/time/when.ts';
import {
  asksForChange,
  asksForCount,
  asksForDecision,
  asksForOpinion,
  type Edge,
  edgeAsked,
  readDeed,
  speakerAsked,
  type Turning,
  termsOfName,
  turningOf,
  withoutTurning,
} from './asked.ts';
import { lookCloser, type Option } from './closer-look.ts';
import { tellsDecision } from './decisions.ts';
import { lookAtEdge } from './edge-look.ts';
import { eventTimeOf } from './event-time.ts';
import { shownQuery, withoutSpeaking } from './meta-words.ts';
import type { ReadableArchive, Reading } from './reading.ts';
import { tellsOpinion, tellsTurning } from './told.ts';
import { type TopicWord, weighTopic } from './topic.ts';

export interface ExplorePorts {
  readonly reading: Reading;
  /** Counts how many turns have a word: nothing of them is shown. */
  readonly archive: Pick<ReadableArchive, 'peek'>;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** What is asked for beside the topic. */
export interface Asked {
  readonly decision: boolean;
  readonly change: boolean;
  readonly opinion: boolean;
  readonly count: boolean;
  readonly turning?: Turning;
  readonly edge?: Edge;
  readonly speaker?: string;
}

export function readAsked(question: string): Asked {
  const [turning, edge, speaker] = [turningOf(question), edgeAsked(question), speakerAsked(question)];
  return {
    decision: asksForDecision(question),
    change: asksForChange(question),
    opinion: asksForOpinion(question),
    count: asksForCount(question),
    ...(turning && { turning }),
    ...(edge && { edge }),
    ...(speaker !== undefined && { speaker }),
  };
}

/** Whether a sentence tells what is asked for; undefined where that is told by no kind of sentence. */
export function tellingOf({ decision, change, opinion, turning }: Asked): ((sentence: string) => boolean) | undefined {
  if (turning) return (sentence) => tellsTurning(sentence, turning);
  if (decision && !change) return tellsDecision;
  if (change) return (sentence) => tellsDecision(sentence) || tellsOpinion(sentence);
  return opinion ? tellsOpinion : undefined;
}

export interface Explored {
  /** Turns that were read, most promising first. */
  readonly turns: readonly ReadTurn[];
  /** What was searched for: the question without its time. */
  readonly query: string;
  readonly timeRange?: TimeRange;
  readonly asked: Asked;
  /** What there was to choose from, where a decision is asked for. */
  readonly options: readonly Option[];
  /** Turns at that end of time, the outermost first. */
  readonly leading: readonly string[];
  /** How much each word of the query tells, by how few turns have it. */
  readonly words: readonly TopicWord[];
  readonly hits: number;
  readonly degraded: readonly string[];
}

const zoomedPeaks = 3;
const broadSnippets = 30;
const zoomSnippets = 10;
/** Places that are asked when something happened. */
const eventSnippets = 10;

// oxlint-disable-next-line max-lines-per-function -- The rounds share the budget and what was read.
export async function exploreArchive(question: string, ports: ExplorePorts): Promise<Explored> {
  const { reading, archive, nowMs, signal } = ports;
  const { speaker, ...others } = readAsked(question);
  const tells = tellingOf(others);
  const strip = (text: string): string =>
    withoutSpeaking(others.turning ? withoutTurning(text) : readDeed(text).rest, { deciding: tells !== undefined });
  const peek: Reading['peek'] = (request, reason, shown = shownQuery(request.query)) =>
    reading.peek(request, reason, shown);
  const degraded: string[] = [];

  const plain = strip(question);
  const whole = await peek({ query: plain, top_n_snippets: broadSnippets }, 'a look at everything');
  const { total } = whole;
  // Where nobody is named who speaks, as in chats with an assistant, a name is what was spoken of.
  const isNamed = whole.snippets.some(({ author }) => author !== undefined);
  const asked: Asked = { ...others, ...(speaker !== undefined && isNamed && { speaker }) };
  const lastMs = total.last_timestamp === undefined ? undefined : Date.parse(total.last_timestamp);
  const when = readWhen(question, { calendar: calendarOf('UTC'), nowMs, lastMs });
  const event = when ? undefined : readEventWhen(question);
  let query = plain;
  let timeRange: TimeRange | undefined;
  let broad = whole;
  if (when) {
    query = strip(remaining(question, when.phrase));
    timeRange = toRange(when);
  } else if (event) {
    const happened = await peek({ query: event.event, top_n_snippets: eventSnippets }, `when was “${event.event}”?`);
    const at = eventTimeOf(event.event, happened.snippets);
    if (at !== undefined) {
      query = strip(remaining(question, event.phrase));
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
    const { words: own } = await weigh(undefined);
    const [rarest] = own.toSorted((left, right) => right.weight - left.weight);
    if (rarest === undefined) return true;
    const inside = await archive.peek({
      query: rarest.text,
      time_range: range,
      top_n_snippets: 0,
      bin: 'year',
    });
    return inside.total.hits > 0;
  }

  function weigh(range: TimeRange | undefined) {
    const silent = asked.speaker === undefined ? new Set<string>() : termsOfName(asked.speaker);
    return weighTopic(archive, { query, terms: broad.terms, silent, timeRange: range, signal });
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
  const { words, spokenIn } = await weigh(timeRange);
  const { edge } = asked;
  const leading = edge ? await lookAtEdge({ edge, query, words, timeRange, reading: { peek } }, broad) : [];
  const closer =
    tells && words.length > 0 && broad.total.hits > 0
      ? await lookCloser({ query, spokenIn, timeRange, reading: { peek, read: reading.read }, tells })
      : { telling: [], beside: [], options: [] };
  found.lead([...leading, ...closer.telling, ...closer.beside]);

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
    asked,
    options: closer.options,
    leading: leading.map(({ turn_id }) => turn_id),
    words,
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
