// Finds the turns of the archive that may answer a question, as a person would with a map: a look at everything, the time that the question
// names, a closer look at each peak, and then the turns that promise most are read. Invariant: never more turns and never more tokens are
// read than allowed, whatever the archive holds.
import type { PeekSnippet, ReadTurn, TimeRange } from '../../core/archive.ts';
import { calendarOf } from '../../memory/archive/time/calendar.ts';
import { readWhen } from '../../memory/archive/time/when.ts';
import { asksForDecision, type Edge, edgeAsked, speakerAsked, termsOfName } from './asked.ts';
import { lookForDecisions } from './decisions.ts';
import { lookAtEdge } from './edge-look.ts';
import { shownQuery, withoutSpeaking } from './meta-words.ts';
import type { ReadableArchive, Reading } from './reading.ts';
import { type TopicWord, weighTopic } from './topic.ts';

export interface ExplorePorts {
  readonly reading: Reading;
  /** Counts how many turns have a word: nothing of them is shown. */
  readonly archive: Pick<ReadableArchive, 'peek'>;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** The question asks for these beside its topic. */
export interface Asked {
  readonly decision: boolean;
  readonly edge?: Edge;
  readonly speaker?: string;
}

export function readAsked(question: string): Asked {
  const [edge, speaker] = [edgeAsked(question), speakerAsked(question)];
  return { decision: asksForDecision(question), ...(edge && { edge }), ...(speaker !== undefined && { speaker }) };
}

export interface Explored {
  /** Turns that were read, most promising first. */
  readonly turns: readonly ReadTurn[];
  /** What was searched for: the question without its time. */
  readonly query: string;
  readonly timeRange?: TimeRange;
  readonly asked: Asked;
  /** Turns at that end of time, the outermost first. */
  readonly leading: readonly string[];
  /** Turns that tell what was decided where the topic was spoken of, the newest first. */
  readonly decided: readonly string[];
  /** How much each word of the query tells, by how few turns have it. */
  readonly words: readonly TopicWord[];
  readonly hits: number;
  readonly degraded: readonly string[];
}

const zoomedPeaks = 3;
const broadSnippets = 30;
const zoomSnippets = 10;

export async function exploreArchive(question: string, ports: ExplorePorts): Promise<Explored> {
  const { reading, archive, nowMs, signal } = ports;
  const { speaker, ...others } = readAsked(question);
  const peek: Reading['peek'] = (request, reason, shown = shownQuery(request.query)) =>
    reading.peek(request, reason, shown);
  const degraded: string[] = [];

  const plain = withoutSpeaking(question);
  const whole = await peek({ query: plain, top_n_snippets: broadSnippets }, 'a look at everything');
  const { total } = whole;
  // Where nobody is named who speaks, as in chats with an assistant, a name is what was spoken of.
  const isNamed = whole.snippets.some(({ author }) => author !== undefined);
  const asked: Asked = { ...others, ...(speaker !== undefined && isNamed && { speaker }) };
  const lastMs = total.last_timestamp === undefined ? undefined : Date.parse(total.last_timestamp);
  const when = readWhen(question, { calendar: calendarOf('UTC'), nowMs, lastMs });
  let query = plain;
  let timeRange: TimeRange | undefined;
  let broad = whole;
  if (when) {
    query = withoutSpeaking(remaining(question, when.phrase));
    timeRange = toRange(when);
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
  const silent = asked.speaker === undefined ? new Set<string>() : termsOfName(asked.speaker);
  const words = await weighTopic(archive, { query, terms: broad.terms, silent, timeRange, signal });
  const { edge } = asked;
  const leading = edge ? await lookAtEdge({ edge, query, words, timeRange, reading: { peek } }, broad) : [];
  const decided =
    asked.decision && broad.total.hits > 0
      ? await lookForDecisions({ query, words, timeRange }, broad.snippets, peek)
      : [];
  found.lead([...leading, ...decided]);

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
    leading: leading.map(({ turn_id }) => turn_id),
    decided: decided.map(({ turn_id }) => turn_id),
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
