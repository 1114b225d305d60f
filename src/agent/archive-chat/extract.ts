// An answer out of turns, in their own words: the sentences that say most of what is asked, each with who said it and when. Invariant: a quote
// is a run of a message as it stands in the record, and what says too little of the question is told to be that.
import type { ArchiveCitation, ArchiveMessage, ReadTurn } from '../../core/archive.ts';
import { analyzeText } from '../../text/analyze.ts';
import { guessLanguage } from '../../text/language/language.ts';
import { segmentSentences } from '../../text/sentences.ts';
import type { Explored } from './explore.ts';

export interface Extracted {
  readonly citations: readonly ArchiveCitation[];
  /** One line for each citation. */
  readonly lines: readonly string[];
  readonly coverage: number;
  /** Someone else said it than the question says. */
  readonly isOfAnother: boolean;
}

interface Candidate {
  readonly turn: ReadTurn;
  readonly message: ArchiveMessage;
  readonly quote: string;
  readonly score: number;
}

const mostCitations = 4;
/** Sentences of a turn that are looked at. */
const mostSentences = 400;
/** A sentence that says this much less than the best is left out. */
const leastShare = 0.45;

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
  const { turns, weights, edge, leading } = explored;
  const wanted = cues.filter(([asked]) => asked.test(question)).map(([, told]) => told);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const candidates: Candidate[] = [];
  let coverage = 0;
  for (const [rank, turn] of turns.entries()) {
    const language = guessLanguage(turn.messages.map(({ text }) => text.slice(0, 500)).join('\n'));
    const ofTurn = new Set<string>();
    const own: Candidate[] = [];
    for (const message of turn.messages)
      for (const { start, end } of segmentSentences(message.text, { language }).slice(0, mostSentences)) {
        const quote = message.text.slice(start, end);
        const terms = new Set(analyzeText(quote, { language }));
        let weight = 0;
        for (const [term, own_] of weights)
          if (terms.has(term)) {
            weight += own_;
            ofTurn.add(term);
          }
        const isCue = wanted.some((told) => told.test(quote)) ? 1.3 : 1;
        const isAsking = quote.endsWith('?') ? 0.4 : 1;
        const isBrief = quote.length < 12 ? 0.3 : 1;
        own.push({ turn, message, quote, score: (weight + 0.2) * isCue * isAsking * isBrief });
      }
    const covered = [...ofTurn].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
    coverage = Math.max(coverage, total === 0 ? 0 : covered / total);
    // What the turn speaks of lifts its sentences, and so does its rank.
    const lift = (0.5 * covered) / Math.max(1, total) + 1 / (1 + rank / 4);
    for (const one of own) candidates.push({ ...one, score: one.score * (0.5 + lift) });
  }
  const best = chooseCandidates(candidates, leading);
  if (edge) best.sort((left, right) => timeOf(left.turn) - timeOf(right.turn));
  const citations = best.map(({ turn, message, quote }, at) => toCitation(turn, { message, quote, index: at + 1 }));
  return {
    citations,
    lines: citations.map(toLine),
    coverage: Number(coverage.toFixed(3)),
    isOfAnother: isOfAnother(question, explored),
  };
}

function chooseCandidates(candidates: readonly Candidate[], leading: readonly string[]): Candidate[] {
  const perTurn = new Map<string, number>();
  const sorted = candidates.toSorted((left, right) => right.score - left.score);
  // Who asks for the first time is told of the first turn, whatever the others say.
  const end = sorted.find(({ turn }) => turn.turn_id === leading[0]);
  const chosen: Candidate[] = end ? [end] : [];
  for (const one of sorted) {
    if (chosen.length >= mostCitations || one.score < leastShare * (sorted[0]?.score ?? 0)) break;
    const before = perTurn.get(one.turn.turn_id) ?? 0;
    if (before >= 2 || chosen.some(({ quote }) => quote === one.quote)) continue;
    perTurn.set(one.turn.turn_id, before + 1);
    chosen.push(one);
  }
  return chosen;
}

const timeOf = ({ timestamp }: ReadTurn): number => (timestamp === undefined ? 0 : Date.parse(timestamp));

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

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

function toLine({ index, timestamp, role, author, quote }: ArchiveCitation): string {
  const who = author ?? (role === 'user' ? 'you' : `the ${role}`);
  const when =
    timestamp === undefined ? 'At a time that is not known' : `On ${dateFormat.format(Date.parse(timestamp))}`;
  return `${when}, ${who} said: “${quote.replace(/\s+/gu, ' ').trim()}” [${index}]`;
}

const ofSelf = /\b(?:i|i'm|i've|my|me|we|our)\b/iu;
const ofTheOther = /\b(?:you|your|you're|you've)\b/iu;
/**
 * What of its weight a message keeps: who answers somebody repeats their words. Chosen, as `clearly`, on conversations 26 and 30 of LoCoMo
 * (npm run bench locomo-chat).
 */
const keeps = { self: 1, both: 0.8, neither: 0.9, theOther: 0.4 };
/** Another's word stands so far above that of the person who is asked for. */
const clearly = 1.2;

/** The question names one who speaks in what was read, and what it asks for is somebody else's word. */
function isOfAnother(question: string, { turns, weights }: Pick<Explored, 'turns' | 'weights'>): boolean {
  const messages = turns.flatMap((turn) => turn.messages);
  const authors = new Set(messages.flatMap(({ author }) => author ?? []));
  const partsOf = (author: string): readonly string[] => author.toLowerCase().split(/\s+/u);
  const words = new Set(question.toLowerCase().match(/\p{L}+/gu));
  const named = [...authors].filter((author) => partsOf(author).some((part) => part.length > 2 && words.has(part)));
  const [only] = named;
  if (only === undefined || named.length > 1) return false;
  // Whoever is spoken to is named, too.
  const names = new Set([...authors].flatMap((author) => analyzeText(author)));
  const best = { own: 0, other: 0 };
  for (const { author, text } of messages) {
    if (author === undefined) continue;
    const terms = new Set(analyzeText(text, { language: guessLanguage(text.slice(0, 500)) }));
    const [self, theOther] = [ofSelf.test(text), ofTheOther.test(text)];
    const kept = self ? (theOther ? keeps.both : keeps.self) : theOther ? keeps.theOther : keeps.neither;
    let weight = 0;
    for (const [term, own] of weights) if (!names.has(term) && terms.has(term)) weight += own;
    const side = author === only ? 'own' : 'other';
    best[side] = Math.max(best[side], weight * kept);
  }
  return best.other > clearly * best.own;
}
