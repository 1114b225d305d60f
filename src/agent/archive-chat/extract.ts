// An answer out of turns, in their own words: the sentences that say most of what is asked, each with who said it and when. Invariant: a quote
// is a run of a message as it stands in the record, and what says too little of the question is told to be that.
import type { ArchiveCitation, ArchiveMessage, ReadTurn } from '../../core/archive.ts';
import { analyzeText } from '../../text/analyze.ts';
import { guessLanguage } from '../../text/language/language.ts';
import { segmentSentences } from '../../text/sentences.ts';
import { asksOfSpeech, isOfAsker, isOfSpeaker, speakerAsked } from './asked.ts';
import { tellsDecision } from './decisions.ts';
import type { Explored } from './explore.ts';
import { type Mark, toLine } from './lines.ts';
import { isOfAnother } from './of-another.ts';
import { quotedOf } from './quoted-mail.ts';
import { type TopicWord, weightIn, wholeWeight } from './topic.ts';

export interface Extracted {
  readonly citations: readonly ArchiveCitation[];
  /** One line for each citation. */
  readonly lines: readonly string[];
  readonly coverage: number;
  /** Someone else said it than the question says. */
  readonly isOfAnother: boolean;
}

const mostCitations = 4;
/** Sentences of a turn that are looked at. */
const mostSentences = 400;
/** A sentence that says this much less than the best is left out. */
const leastShare = 0.45;
/** A question that speaks of so much of what is asked repeats it, and answers nothing. */
const echoShare = 0.9;
/** The first or last turn has to speak of so much of what the best one does. */
const leastAtEdge = 0.5;
/** What a title says of the question counts for each sentence below it by so much. */
const titleShare = 0.5;

interface Candidate {
  readonly turn: ReadTurn;
  readonly message: ArchiveMessage;
  readonly quote: string;
  readonly score: number;
  /** The weight of what it speaks of itself. */
  readonly weight: number;
}

const timeOf = ({ timestamp }: Pick<ReadTurn, 'timestamp'>): number =>
  timestamp === undefined ? 0 : Date.parse(timestamp);

export function extractAnswer(question: string, explored: Explored): Extracted {
  const { turns, words, asked, leading, decided } = explored;
  const { edge } = asked;
  const { candidates, terms, coverage } = readCandidates(question, turns, words);
  const spoken = ofSpeaker(question, candidates);
  const heard = spoken === candidates ? spoken : spoken.map(asWhole);
  const edgeTurn =
    edge &&
    leading
      .flatMap((id) => turns.find(({ turn_id }) => turn_id === id) ?? [])
      .find((turn) => weightIn(words, terms.get(turn) ?? new Set()) >= leastAtEdge * coverage * wholeWeight(words));
  const told = heard.filter(
    ({ turn, message, quote }) => message.role === 'user' && decided.includes(turn.turn_id) && tellsDecision(quote),
  );
  const best = chooseCandidates(heard, { edgeTurn, told, isAsker: isOfAsker(question) && !speakerAsked(question) });
  if (told.length === 0 && edge)
    best.sort((left, right) => (edge === 'last' ? -1 : 1) * (timeOf(left.turn) - timeOf(right.turn)));
  const citations = best.map(({ turn, message, quote }, at) => toCitation(turn, { message, quote, index: at + 1 }));
  const atEdge = edgeTurn && best.find((one) => one.turn === edgeTurn);
  const newest = Math.max(...told.map(({ turn }) => timeOf(turn)));
  const isOfSeveral = told.some(({ turn }) => timeOf(turn) > 0 && timeOf(turn) < newest);
  const markOf = (one: Candidate): Mark | undefined => {
    if (one === atEdge) return edge;
    if (!isOfSeveral || !told.includes(one) || timeOf(one.turn) === 0) return undefined;
    return timeOf(one.turn) === newest ? 'latest' : 'earlier';
  };
  return {
    citations,
    lines: citations.map((one, at) => toLine(one, markOf(best[at] as Candidate))),
    coverage: Number(coverage.toFixed(3)),
    isOfAnother: isOfAnother(question, explored),
  };
}

function readCandidates(question: string, turns: readonly ReadTurn[], words: readonly TopicWord[]) {
  const total = wholeWeight(words);
  const known = new Set(words.flatMap((word) => [...word.terms]));
  const candidates: Candidate[] = [];
  const terms = new Map<ReadTurn, ReadonlySet<string>>();
  let coverage = 0;
  for (const [rank, turn] of turns.entries()) {
    const language = guessLanguage(turn.messages.map(({ text }) => text.slice(0, 500)).join('\n'));
    const ofTurn = new Set<string>();
    const own: Candidate[] = [];
    // What the conversation is called stands over each of its sentences that says anything else of the question.
    const titled = new Set(analyzeText(turn.title, { language }));
    const isTitled = ({ terms: named }: TopicWord): boolean => named.values().some((term) => titled.has(term));
    const [under, beside] = [words.filter(isTitled), words.filter((word) => !isTitled(word))];
    for (const message of turn.messages) {
      const isQuoted = quotedOf(message.text);
      for (const { start, end } of segmentSentences(message.text, { language }).slice(0, mostSentences)) {
        if (isQuoted(start)) continue;
        const quote = message.text.slice(start, end);
        const ofQuote = new Set(analyzeText(quote, { language }));
        for (const term of known) if (ofQuote.has(term)) ofTurn.add(term);
        const weight = weightIn(words, ofQuote);
        const above = weightIn(beside, ofQuote) > 0 ? titleShare * (wholeWeight(under) - weightIn(under, ofQuote)) : 0;
        const isAsking = quote.endsWith('?') ? 0.4 : 1;
        const isBrief = quote.length < 12 ? 0.3 : 1;
        own.push({ turn, message, quote, weight, score: (weight + above + 0.2) * isAsking * isBrief });
      }
    }
    terms.set(turn, ofTurn);
    const covered = weightIn(words, ofTurn);
    coverage = Math.max(coverage, total === 0 ? 0 : covered / total);
    // What the turn speaks of lifts its sentences, and so does its rank.
    const lift = (0.5 * covered) / Math.max(1, total) + 1 / (1 + rank / 4);
    for (const one of own) candidates.push({ ...one, score: one.score * (0.5 + lift) });
  }
  // Whoever asks for what was said may be told a question, too.
  const isEcho = ({ quote, weight }: Candidate): boolean => quote.endsWith('?') && weight >= echoShare * total;
  return {
    candidates: asksOfSpeech(question) ? candidates : candidates.filter((one) => !isEcho(one)),
    terms,
    coverage,
  };
}

/** A message of somebody who is asked for that is no longer than this is quoted whole. */
const longestWhole = 280;

/** Whose words are asked for is quoted, where anything of theirs was read; nobody else is. */
function ofSpeaker(question: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const speaker = speakerAsked(question);
  if (speaker === undefined) return candidates;
  const own = candidates.filter(({ message }) => isOfSpeaker(message.author, speaker));
  return own.some(({ weight }) => weight > 0) ? own : candidates;
}

/** What somebody said of it is what they said beside it, too: a brief message is one statement. */
function asWhole(one: Candidate): Candidate {
  const text = one.message.text.trim();
  const isWhole = text.length <= longestWhole && !text.includes('\n');
  return isWhole ? { ...one, quote: text } : one;
}

interface Chosen {
  /** The turn at the end of time that the question asks for: it is told, whatever the others say. */
  readonly edgeTurn: ReadTurn | undefined;
  /** Sentences that tell what was decided: the newest first, and nothing behind them. */
  readonly told: readonly Candidate[];
  /** It asks when those who ask spoke of it: what they said, however they said it. */
  readonly isAsker: boolean;
}

function chooseCandidates(candidates: readonly Candidate[], { edgeTurn, told, isAsker }: Chosen): Candidate[] {
  const perTurn = new Map<string, number>();
  const sorted = candidates.toSorted((left, right) => right.score - left.score);
  const chosen: Candidate[] = [];
  const choose = (one: Candidate): void => {
    const before = perTurn.get(one.turn.turn_id) ?? 0;
    const isSaid = chosen.some(
      ({ quote, message }) => quote === one.quote || (message === one.message && quote.includes(one.quote)),
    );
    if (before >= 2 || isSaid) return;
    perTurn.set(one.turn.turn_id, before + 1);
    chosen.push(one);
  };
  const atEnd = sorted.filter(({ turn }) => turn === edgeTurn);
  const asked = isAsker ? atEnd.find(({ message, weight }) => message.role === 'user' && weight > 0) : undefined;
  const end = asked ? asWhole(asked) : atEnd[0];
  if (end) choose(end);
  for (const one of told.toSorted((left, right) => timeOf(right.turn) - timeOf(left.turn)).slice(0, mostCitations))
    choose(one);
  if (told.length > 0) return chosen;
  for (const one of sorted) {
    if (chosen.length >= mostCitations || one.score < leastShare * (sorted[0]?.score ?? 0)) break;
    choose(one);
  }
  return chosen;
}

function toCitation(
  turn: ReadTurn,
  { message, quote, index }: { readonly message: ArchiveMessage; readonly quote: string; readonly index: number },
): ArchiveCitation {
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
