// An answer out of turns, in their own words: the sentences that say most of what is asked, each with who said it and when. Invariant: a quote
// is a run of a message as it stands in the record, and what says too little of the question is told to be that.
import type { ArchiveCitation, ArchiveMessage, ReadTurn } from '../../core/archive.ts';
import { analyzeText } from '../../text/analyze.ts';
import { guessLanguage } from '../../text/language/language.ts';
import { segmentSentences } from '../../text/sentences.ts';
import { asksForDecision, asksOfSpeech, asksWhy, isOfAsker, isOfSpeaker, readDeed, speakerAsked } from './asked.ts';
import { tellsChange } from './decisions.ts';
import { type Asked, type Explored, tellingOf } from './explore.ts';
import { type Mark, toLine } from './lines.ts';
import { isOfAnother } from './of-another.ts';
import { quotedOf, withoutEchoes } from './repeated.ts';
import { type Candidate, chooseTold, type Told, timeOf } from './told.ts';
import { type TopicWord, weightIn, wholeWeight } from './topic.ts';

export interface Extracted {
  readonly citations: readonly ArchiveCitation[];
  /** One line for each citation. */
  readonly lines: readonly string[];
  readonly coverage: number;
  /** Someone else said it than the question says. */
  readonly isOfAnother: boolean;
  /** What the quotes come to, where the question asks for that. */
  readonly opening?: string;
}

const mostCitations = 4;
/** Sentences of a turn that are looked at. */
const mostSentences = 400;
/** A sentence that says this much less than the best is left out. */
const leastShare = 0.45;
/** The same beside sentences that tell what was asked for. */
const leastBesideTold = 0.8;
/** A sentence with so much of the question's weight speaks of all of it. */
const wholeQuestion = 0.9;
/** The first or last turn has to speak of so much of what the best one does. */
const leastAtEdge = 0.5;
/** What a title says of the question counts for each sentence below it by so much. */
const titleShare = 0.5;

const cues: readonly (readonly [asked: RegExp, told: RegExp])[] = [
  [
    /\b(?:decid|decision|choose|chose|agree|conclu|settle)/iu,
    /\b(?:decid|chose|choose|agreed|settled|going with|go with|will take|ordered|bought|booked|final)/iu,
  ],
  [
    /^\s*(?:when|how long|what (?:date|day|month|year))\b/iu,
    /\b(?:yesterday|today|tomorrow|ago|last|next|since|this (?:week|month|year)|\w+day|january|february|march|april|june|july|august|september|october|november|december|\d{4})\b/iu,
  ],
  [
    /^\s*how (?:many|much|old|far|often)\b/iu,
    /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|once|twice|half)\b/iu,
  ],
  [/^\s*(?:why|what made)\b/iu, /\b(?:because|since|so that|due to|reason|wanted)\b/iu],
];

export function extractAnswer(question: string, explored: Explored): Extracted {
  const { turns, words, asked, leading, options } = explored;
  const { edge } = asked;
  const tells = tellingOf(asked);
  const { candidates, terms, coverage } = readCandidates(question, turns, words);
  const spoken = ofSpeaker(question, candidates);
  const heard = spoken !== candidates && !tells ? spoken.map(asWhole) : spoken;
  const edgeTurn =
    edge &&
    leading
      .flatMap((id) => turns.find(({ turn_id }) => turn_id === id) ?? [])
      .find((turn) => weightIn(words, terms.get(turn) ?? new Set()) >= leastAtEdge * coverage * wholeWeight(words));
  const told = tells ? inOrder(chooseTold(heard, { words, terms, options }, tells), question, asked) : [];
  const shown = told.map(({ one }) => one);
  const why =
    asksWhy(question) && shown.length === 0 ? heard.toSorted((left, right) => right.score - left.score)[0] : undefined;
  if (why && !why.quote.endsWith('?')) shown.push(why);
  if (asksWhy(question)) shown.push(...reasonsOf(shown, heard));
  const best = chooseCandidates(heard, {
    edgeTurn,
    told: shown,
    words,
    isToldFirst: asked.turning !== undefined,
    isAsker: isOfAsker(question) && !speakerAsked(question),
  });
  const marks = new Map<Candidate, Mark>(marksOf(told, asked));
  if (told.length === 0 && (edge || asked.count)) {
    const sign = edge === 'last' ? -1 : 1;
    best.sort((left, right) => sign * (timeOf(left.turn) - timeOf(right.turn)));
  }
  const citations = best.map(({ turn, message, quote }, at) => toCitation(turn, { message, quote, index: at + 1 }));
  const atEdge = edgeTurn && best.find((one) => one.turn === edgeTurn && !shown.includes(one));
  const markOf = (one: Candidate): Mark | undefined => marks.get(one) ?? (one === atEdge ? edge : undefined);
  const opening = openingOf(told, asked);
  return {
    citations,
    lines: citations.map((one, at) => toLine(one, markOf(best[at] as Candidate))),
    coverage: Number(Math.max(coverage, ...told.map(({ share }) => share)).toFixed(3)),
    isOfAnother: isOfAnother(question, explored),
    ...(opening !== undefined && { opening }),
  };
}

function readCandidates(question: string, turns: readonly ReadTurn[], words: readonly TopicWord[]) {
  const wanted = cues.filter(([asked]) => asked.test(question)).map(([, told]) => told);
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
        const isCue = wanted.some((told) => told.test(quote)) ? 1.3 : 1;
        const isAsking = quote.endsWith('?') ? 0.4 : 1;
        const isBrief = quote.length < 12 ? 0.3 : 1;
        own.push({ turn, message, quote, weight, score: (weight + above + 0.2) * isCue * isAsking * isBrief });
      }
    }
    terms.set(turn, ofTurn);
    const covered = weightIn(words, ofTurn);
    coverage = Math.max(coverage, total === 0 ? 0 : covered / total);
    // What the turn speaks of lifts its sentences, and so does its rank.
    const lift = (0.5 * covered) / Math.max(1, total) + 1 / (1 + rank / 4);
    for (const one of own) candidates.push({ ...one, score: one.score * (0.5 + lift) });
  }
  // Who asks for what was said or decided may be told a question, too.
  const keepsQuestions = asksOfSpeech(question) || asksForDecision(question);
  return {
    candidates: keepsQuestions ? candidates : withoutEchoes(candidates, { turns, whole: total }),
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

/** What was begun is told by the first who says so; all else by the last, with what it stands against behind it. */
function inOrder(all: readonly Told[], question: string, { turning }: Asked): readonly Told[] {
  const { told: deed } = readDeed(question);
  const done = deed ? all.filter(({ one }) => deed.test(one.quote)) : [];
  const told = done.length > 0 ? done : all;
  if (asksWhy(question)) return told.slice(0, 1);
  if (turning === undefined) return told.slice(0, mostCitations);
  const dated = told.filter(({ one }) => timeOf(one.turn) > 0);
  const lead = turning === 'start' ? dated.at(-1) : dated[0];
  return lead ? [lead] : told.slice(0, 1);
}

const reason =
  /\b(?:because|since|so that|due to|reason|as it|too \p{L}{1,20}|annoy|cost|price|expensive|cheap|better|worse|weil|denn)/iu;

/** What stands beside a decision in its message and tells why; where nothing does, what stands before it. */
function reasonsOf(told: readonly Candidate[], candidates: readonly Candidate[]): readonly Candidate[] {
  const [lead] = told;
  if (lead === undefined || reason.test(lead.quote)) return [];
  const beside = candidates.filter(
    ({ message, quote }) => message === lead.message && quote !== lead.quote && !quote.endsWith('?'),
  );
  const own = candidates.filter(({ message }) => message === lead.message);
  const at = own.indexOf(lead);
  // Who gives no word of a reason tells it before what was decided, or after it.
  const found = beside.find(({ quote }) => reason.test(quote)) ?? own[at - 1] ?? own[at + 1];
  return found ? [found] : [];
}

function marksOf(told: readonly Told[], { turning }: Asked): readonly (readonly [Candidate, Mark])[] {
  const latest = told[0]?.one.turn;
  if (turning !== undefined || told.every(({ one }) => one.turn === latest)) return [];
  return told.flatMap(({ one }, at): (readonly [Candidate, Mark])[] => {
    if (timeOf(one.turn) === 0) return [];
    if (one.turn === latest) return [[one, 'latest']];
    const later = told.slice(0, at).filter((other) => other.one.turn !== one.turn);
    const next = later.filter((other) => other.one.turn === later.at(-1)?.one.turn);
    return [[one, next.some((other) => tellsChange(other.one.quote)) ? 'changed' : 'earlier']];
  });
}

function openingOf(told: readonly Told[], { change }: Asked): string | undefined {
  const [latest] = told;
  if (!change || latest === undefined) return undefined;
  const oldest = told.at(-1)?.one.turn;
  const isChanged = told.some(
    ({ one }) => (one.turn !== oldest || one.turn === latest.one.turn) && tellsChange(one.quote),
  );
  if (isChanged) return 'It seems that this changed. The latest comes first.';
  return told.length > 1
    ? 'More than once something was said of it. The latest comes first.'
    : 'One thing was found that was said of it, and nothing that changes it.';
}

interface Chosen {
  /** The turn at the end of time that the question asks for: it is told, whatever the others say. */
  readonly edgeTurn: ReadTurn | undefined;
  readonly told: readonly Candidate[];
  readonly isToldFirst: boolean;
  /** It asks when those who ask spoke of it: what they said, however they said it. */
  readonly isAsker: boolean;
  readonly words: readonly TopicWord[];
}

function chooseCandidates(
  candidates: readonly Candidate[],
  { edgeTurn, told, words, isToldFirst, isAsker }: Chosen,
): Candidate[] {
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
  if (isToldFirst) for (const one of told) choose(one);
  if (end) choose(end);
  for (const one of told) choose(one);
  // Who asks when it began and what was decided has both now.
  if (told.length > 1 || (end && told.length > 0)) return chosen;
  // What names all that was asked for needs nothing beside it.
  if (told.some(({ weight }) => weight > 0 && weight >= wholeQuestion * wholeWeight(words))) return chosen;
  const least = told.length > 0 ? leastBesideTold : leastShare;
  for (const one of sorted) {
    if (chosen.length >= mostCitations || one.score < least * (sorted[0]?.score ?? 0)) break;
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
