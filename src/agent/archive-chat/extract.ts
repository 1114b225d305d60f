// An answer out of turns, in their own words: the passages of their messages that the order of all passages finds for the question, each with who said it and
// when. Invariant: a quote is a run of a message as it stands in the record, and what says too little of the question is told to be that.
import { toInert } from '../../core/answers/inert-text.ts';
import type { ArchiveCitation, ArchiveMessage, ReadTurn } from '../../core/archive.ts';
import { speaksOfSelf } from '../../memory/facts/questions.ts';
import { type PassageScorer, scorePassages } from '../../models/encoder/passage-scorer.ts';
import { choosePassages } from '../../passages/choose.ts';
import { coverOf, readFrame } from '../../passages/frame.ts';
import { pinpointOf } from '../../passages/pinpoint.ts';
import { type RankedPassage, rankByMeaning, rankByWords } from '../../passages/rank.ts';
import { termSet } from '../../text/terms.ts';
import { authorAsked, type Edge, isOfNobody } from './asked.ts';
import type { Explored } from './explore.ts';
import { quotedOf } from './quoted-mail.ts';
import type { Reading } from './reading.ts';
import { type DatedSaying, laterFirst, readSince } from './reversals.ts';
import { titleOf, toDay } from './turn-spans.ts';
import fitted from './weights.json' with { type: 'json' };

export interface Extracted {
  /** All that were read for it. */
  readonly turns: readonly ReadTurn[];
  readonly citations: readonly ArchiveCitation[];
  /** One line for each citation. */
  readonly lines: readonly string[];
  readonly coverage: number;
  /** A passage is near the question in meaning, whatever their words. */
  readonly isNear: boolean;
  /** Someone else said it than the question says. */
  readonly isOfAnother: boolean;
  readonly degraded: readonly string[];
}

const mostCitations = 4;
/** Messages are short: the encoder is shown more of them than of passages. */
const encodedMessages = 40;
/** So many of the first passages are looked through for what was said before or after one that is shown. */
const mostCompared = 12;
/** A passage that scores so much less than the best is left out. */
const leastShare = 0.45;
/** A question that speaks of so much of what is asked repeats it, and answers nothing. */
const echoShare = 0.9;
/**
 * A cosine from which on a passage may answer in other words. Of 40 such pairs 35 have it, and so have most questions to somebody else's archive: the answer is
 * said to be weak.
 */
const leastNear = 0.3;
/** Below this share of the question the words of the archive do not answer. */
export const abstainBelow = 0.2;
/** The first or last turn has to speak of so much of what the best one does. */
const leastAtEdge = 0.5;
/** Characters of what was asked that stand over what came back. */
const longestHead = 200;
/** A passage of more words is cited by the part that answers. */
const longestQuote = 60;
/** Another's words stand so far above those of the person who is asked for. */
const clearly = 1.2;

const ofSelf = /\b(?:i|i'm|i've|my|me|we|our)\b/iu;
const ofTheOther = /\b(?:you|your|you're|you've)\b/iu;
/** Who answers somebody repeats their words. Chosen, as `clearly`, on conversations 26 and 30 of LoCoMo: on three others 7 of 100 false answers less. */
const keptOf = (text: string): number => {
  const [self, theOther] = [ofSelf.test(text), ofTheOther.test(text)];
  return self ? (theOther ? 0.8 : 1) : theOther ? 0.4 : 0.9;
};

interface Said {
  readonly chunkId: string;
  readonly documentId: string;
  readonly turn: ReadTurn;
  readonly message: ArchiveMessage;
  readonly text: string;
  readonly title: string;
  readonly headingPath: string[];
  readonly start: number;
  readonly score: number;
}
type Ranked = RankedPassage<Said>;

const sayingOf = ({ passage, chunk }: Ranked): DatedSaying => ({
  text: passage.text,
  by: chunk.message.author ?? chunk.message.role,
  at: timeOf(chunk),
});

const timeOf = ({ turn }: Said): number => (turn.timestamp === undefined ? 0 : Date.parse(turn.timestamp));

/** Each message under who said it and when, without the mail that it repeats; what came back stands under what was asked. */
const messagesOf = (turn: ReadTurn, rank: number): readonly Said[] =>
  turn.messages.flatMap((message, at) =>
    ownRuns(message.text).map(({ start, end }) => ({
      chunkId: `${turn.conversation_id} ${turn.turn_id} ${at}`,
      documentId: `${turn.conversation_id} ${turn.turn_id} ${at}`,
      turn,
      message,
      text: message.text.slice(start, end),
      title: titleOf(turn, message),
      headingPath: at === 0 ? [] : [turn.messages[0]?.text.slice(0, longestHead) ?? ''],
      start,
      score: 1 / (1 + rank / 4),
    })),
  );

/** The runs of lines that a message does not repeat from another. */
function ownRuns(text: string): readonly { readonly start: number; readonly end: number }[] {
  const isQuoted = quotedOf(text);
  const runs: { start: number; end: number }[] = [];
  for (const { index, 0: line } of text.matchAll(/[^\n]+\n?/gu)) {
    const last = runs.at(-1);
    if (isQuoted(index)) continue;
    if (last && (last.end === index || text.slice(last.end, index).trim() === '')) last.end = index + line.length;
    else runs.push({ start: index, end: index + line.length });
  }
  return runs;
}

interface ExtractPorts {
  readonly passageScorer?: PassageScorer | undefined;
  readonly signal: AbortSignal;
  readonly reading: Reading;
}

/** The passages of turns in the order that promises an answer. */
export async function rankTurns(
  question: string,
  { turns, query, edge, statistics }: Explored,
  { passageScorer, signal }: Omit<ExtractPorts, 'reading'>,
) {
  const frame = readFrame(query, statistics);
  const messages = turns.flatMap(messagesOf);
  const authors = new Set(messages.flatMap(({ message }) => message.author ?? []));
  const author = authorAsked(question, authors);
  const isBySpeaker = speakerAsked(question, author);
  const isEcho = ({ passage: { text }, features }: Ranked): boolean =>
    edge === undefined && text.trimEnd().endsWith('?') && features.text >= echoShare;
  const byWords = rankByWords(frame, messages).filter((one) => !isEcho(one));
  const { ranked, said } = await rankByMeaning(
    question,
    interleaved(byWords, turns),
    (asked) => scorePassages(passageScorer, asked, signal),
    { weights: fitted.weights, encoded: encodedMessages, isChosen: true },
  );
  if (!said?.scores) return { frame, ranked, authors, author, isBySpeaker, degraded: said?.degraded };
  const head = ranked.slice(0, encodedMessages).map((one) => (isBySpeaker(one.chunk) ? bySpeaker(one) : one));
  const ordered = [...head.toSorted((one, other) => other.score - one.score), ...ranked.slice(encodedMessages)];
  return { frame, ranked: ordered, authors, author, isBySpeaker, degraded: said.degraded };
}

const bySpeaker = (one: Ranked): Ranked => ({ ...one, score: one.score + fitted.speaker });

/** Whether a message is by whom the question asks for: the one of those who speak that it names, or the user who asks about themselves. */
function speakerAsked(question: string, author: string | undefined): (said: Said) => boolean {
  if (author !== undefined) return ({ message }) => message.author === author;
  return speaksOfSelf(question) ? ({ message }) => isOwn(message) : () => false;
}

const isOwn = ({ role, author }: ArchiveMessage): boolean => role === 'user' && author === undefined;

export async function extractAnswer(question: string, explored: Explored, ports: ExtractPorts): Promise<Extracted> {
  const { edge, timeRange } = explored;
  const first = await rankTurns(question, explored, ports);
  // A question for a time asks for what was said then.
  const isOfNow = edge === undefined && timeRange === undefined;
  const since = isOfNow && ports.passageScorer ? await readSince(first.ranked.map(sayingOf), ports.reading) : [];
  const turns = [...explored.turns, ...since];
  const { frame, ranked, authors, author, degraded } =
    since.length === 0 ? first : await rankTurns(question, { ...explored, turns }, ports);
  // Whoever is spoken to is named, too.
  const names = termSet([...authors].join('\n'));
  const telling = frame.terms.filter(({ term }) => !names.has(term));
  const tells = ({ passage, chunk }: Ranked): number =>
    keptOf(chunk.message.text) * coverOf(telling, termSet(passage.text));
  const best = (isOwn: boolean): number =>
    Math.max(0, ...ranked.filter(({ chunk }) => (chunk.message.author === author) === isOwn).map(tells));
  const isOfAnother = author === undefined ? isOfNobody(question, authors) : best(false) > clearly * best(true);
  const coverage = Math.max(0, ...ranked.map(({ features }) => features.all));
  const near = ranked.reduce<Ranked | undefined>(
    (best, one) => (best && meant(best) >= meant(one) ? best : one),
    undefined,
  );
  const isNear = near !== undefined && meant(near) >= leastNear;
  const atEdge = edge && outermost(edge, ranked, coverage);
  const chosen = choosePassages(ranked, mostCitations).filter(
    ({ score }) => score >= leastShare * (ranked[0]?.score ?? 0),
  );
  const told = isNear ? withNear(chosen, near, coverage) : chosen;
  const compared = ranked.filter(({ chunk }, at) => at < mostCompared || since.includes(chunk.turn));
  const { order, over } = laterFirst(told, compared, sayingOf);
  const shown = (
    atEdge ? [atEdge, ...told.filter((one) => one !== atEdge)].slice(0, mostCitations).sort(byTime(edge)) : order
  ).slice(0, mostCitations);
  const citations = shown.map((one, at) => toCitation(one, quoteOf(one), at + 1));
  return {
    turns,
    citations,
    lines: citations.map((one, at) => {
      const passage = shown[at] as Ranked;
      return toLine(one, { edge: passage === atEdge ? edge : undefined, isOver: !atEdge && over.has(passage) });
    }),
    coverage: Number(Math.min(1, coverage).toFixed(3)),
    isNear,
    isOfAnother,
    degraded: degraded ? [`${degraded.detail} ${degraded.effect}`] : [],
  };

  function quoteOf({ passage, chunk, partCosines }: Ranked): string {
    const part = passage.words > longestQuote ? pinpointOf(frame, passage, partCosines)?.part : undefined;
    return part ? chunk.text.slice(part.start, part.end) : passage.text;
  }
}

/** Passages that words put first and the first ones of the turns that promise most, in turn: the encoder is shown those in front. */
function interleaved(byWords: readonly Ranked[], turns: readonly ReadTurn[]): readonly Ranked[] {
  const ofTurns = turns.flatMap((turn) => byWords.find(({ chunk }) => chunk.turn === turn) ?? []);
  return [...new Set(byWords.flatMap((one, at) => [ofTurns[at] ?? one, one]))];
}

/** How near a passage is in meaning, read whole or by its parts. */
const meant = ({ features: { cosine, partCosine } }: Ranked): number => Math.max(cosine, partCosine);

/** What is nearest in meaning is shown, too, and first where words say nothing. */
function withNear(chosen: readonly Ranked[], near: Ranked, coverage: number): readonly Ranked[] {
  const others = chosen.filter((one) => one !== near);
  if (coverage < abstainBelow) return [near, ...others].slice(0, mostCitations);
  return chosen.includes(near) ? chosen : [...others.slice(0, mostCitations - 1), near];
}

const byTime =
  (edge: Edge) =>
  (left: Ranked, right: Ranked): number =>
    (edge === 'last' ? -1 : 1) * (timeOf(left.chunk) - timeOf(right.chunk));

function outermost(edge: Edge, ranked: readonly Ranked[], coverage: number): Ranked | undefined {
  const telling = ranked.filter(
    ({ features, chunk }) =>
      features.all >= leastAtEdge * coverage && timeOf(chunk) > 0 && chunk.message.role === 'user',
  );
  return telling.toSorted(byTime(edge))[0];
}

function toCitation({ chunk: { turn, message } }: Ranked, quote: string, index: number): ArchiveCitation {
  const { turn_id, conversation_id, title } = turn;
  const timestamp = message.timestamp ?? turn.timestamp;
  return {
    index,
    turn_id,
    conversation_id,
    title,
    ...(timestamp !== undefined && { timestamp }),
    role: message.role,
    ...(message.author !== undefined && { author: message.author }),
    quote,
  };
}

/** When it was said, by whom, and what it is to the question; without the mark of its citation. */
function toLine(
  { timestamp, role, author, quote }: ArchiveCitation,
  { edge, isOver }: { readonly edge: Edge | undefined; readonly isOver: boolean },
): string {
  const who = author ?? (role === 'user' ? 'you' : `the ${role}`);
  const day = timestamp === undefined ? 'at a time that is not known' : `on ${toDay(timestamp)}`;
  const when = isOver ? `Before that, ${day}` : `${day[0]?.toUpperCase()}${day.slice(1)}`;
  const behind = edge ? ` the ${edge} time that was found,` : '';
  return toInert(`${when},${behind} ${who} said: “${quote.replace(/\s+/gu, ' ').trim()}”`);
}
