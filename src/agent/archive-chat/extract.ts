// An answer out of turns, in their own words: the sentences that say most of what is asked, each with who said it and when. Invariant: a quote
// is a run of a message as it stands in the record, and what says too little of the question is told to be that.
import type { ArchiveCitation, ArchiveMessage, ReadTurn } from '../../core/archive.ts';
import { analyzeText } from '../../text/analyze.ts';
import { guessLanguage } from '../../text/language/language.ts';
import { segmentSentences } from '../../text/sentences.ts';
import { asksForDecision, isOfSpeaker, namedAuthors, speakerAsked } from './asked.ts';
import { tellsDecision } from './decisions.ts';
import type { Explored } from './explore.ts';
import { quotedOf } from './quoted-mail.ts';

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
  /** The weight of what it speaks of itself. */
  readonly weight: number;
}

const mostCitations = 4;
/** Sentences of a turn that are looked at. */
const mostSentences = 400;
/** A sentence that says this much less than the best is left out. */
const leastShare = 0.45;
/** The same beside sentences that tell the decision that was asked for. */
const leastBesideDecisions = 0.8;
const mostDecisions = 2;
/** A sentence with so much of the question's weight speaks of all of it. */
const wholeQuestion = 0.9;
/** A decision is of a topic when so much of it was spoken of around it, in the same conversation and within so long. */
const leastAround = 0.4;
const aroundMs = 3 * 3_600_000;
/** The first or last turn has to speak of so much of what the best one does. */
const leastAtEdge = 0.5;

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
  const weightOf = (terms: ReadonlySet<string>): number =>
    weights.entries().reduce((sum, [term, weight]) => sum + (terms.has(term) ? weight : 0), 0);
  const candidates: Candidate[] = [];
  const terms = new Map<ReadTurn, ReadonlySet<string>>();
  let coverage = 0;
  for (const [rank, turn] of turns.entries()) {
    const language = guessLanguage(turn.messages.map(({ text }) => text.slice(0, 500)).join('\n'));
    const ofTurn = new Set<string>();
    const own: Candidate[] = [];
    for (const message of turn.messages) {
      const isQuoted = quotedOf(message.text);
      for (const { start, end } of segmentSentences(message.text, { language }).slice(0, mostSentences)) {
        if (isQuoted(start)) continue;
        const quote = message.text.slice(start, end);
        const ofQuote = new Set(analyzeText(quote, { language }));
        for (const term of weights.keys()) if (ofQuote.has(term)) ofTurn.add(term);
        const weight = weightOf(ofQuote);
        const isCue = wanted.some((told) => told.test(quote)) ? 1.3 : 1;
        const isAsking = quote.endsWith('?') ? 0.4 : 1;
        const isBrief = quote.length < 12 ? 0.3 : 1;
        own.push({ turn, message, quote, weight, score: (weight + 0.2) * isCue * isAsking * isBrief });
      }
    }
    terms.set(turn, ofTurn);
    const covered = weightOf(ofTurn);
    coverage = Math.max(coverage, total === 0 ? 0 : covered / total);
    // What the turn speaks of lifts its sentences, and so does its rank.
    const lift = (0.5 * covered) / Math.max(1, total) + 1 / (1 + rank / 4);
    for (const one of own) candidates.push({ ...one, score: one.score * (0.5 + lift) });
  }
  const heard = ofSpeaker(question, candidates);
  const edgeTurn =
    edge &&
    leading
      .flatMap((id) => turns.find(({ turn_id }) => turn_id === id) ?? [])
      .find((turn) => weightOf(terms.get(turn) ?? new Set()) >= leastAtEdge * coverage * total);
  const decisions = asksForDecision(question) ? chooseDecisions(heard, { terms, weightOf, total }) : [];
  const best = chooseCandidates(heard, { edgeTurn, decisions: decisions.map(({ one }) => one), total });
  if (edge || decisions.length > 0) {
    const sign = edge === 'last' ? -1 : 1;
    best.sort((left, right) => sign * (timeOf(left.turn) - timeOf(right.turn)));
  }
  const citations = best.map(({ turn, message, quote }, at) => toCitation(turn, { message, quote, index: at + 1 }));
  return {
    citations,
    lines: citations.map((one) => toLine(one, edge && one.turn_id === edgeTurn?.turn_id ? edge : undefined)),
    coverage: Number(Math.max(coverage, ...decisions.map(({ share }) => share)).toFixed(3)),
    isOfAnother: isOfAnother(question, explored),
  };
}

/** Whose words are asked for is quoted, where anything of theirs was read; nobody else is. */
function ofSpeaker(question: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const speaker = speakerAsked(question);
  if (speaker === undefined) return candidates;
  const own = candidates.filter(({ message }) => isOfSpeaker(message.author, speaker));
  return own.some(({ weight }) => weight > 0) ? own : candidates;
}

interface Topic {
  readonly terms: ReadonlyMap<ReadTurn, ReadonlySet<string>>;
  weightOf(terms: ReadonlySet<string>): number;
  readonly total: number;
}

/** Sentences that tell what people decided of the topic. They seldom name it: what was said around them does. */
function chooseDecisions(candidates: readonly Candidate[], { terms, weightOf, total }: Topic) {
  const around = (turn: ReadTurn): number => {
    const near = [...terms].filter(
      ([other]) => other.conversation_id === turn.conversation_id && Math.abs(timeOf(other) - timeOf(turn)) <= aroundMs,
    );
    const spoken = new Set([...near.flatMap(([, own]) => [...own]), ...analyzeText(turn.title)]);
    return total === 0 ? 0 : weightOf(spoken) / total;
  };
  const told = candidates
    .filter(({ message, quote }) => message.role === 'user' && tellsDecision(quote))
    .map((one) => ({ one, share: around(one.turn) }))
    .filter(({ share }) => share >= leastAround)
    .map(({ one, share }) => ({ one, share, rank: share + (total === 0 ? 0 : (0.5 * one.weight) / total) }))
    .sort((left, right) => right.rank - left.rank || timeOf(right.one.turn) - timeOf(left.one.turn));
  return told.filter(({ rank }) => rank >= leastBesideDecisions * (told[0]?.rank ?? 0)).slice(0, mostDecisions);
}

interface Chosen {
  /** The turn at the end of time that the question asks for: it is told, whatever the others say. */
  readonly edgeTurn: ReadTurn | undefined;
  readonly decisions: readonly Candidate[];
  /** What of the question's weight is all of it. */
  readonly total: number;
}

function chooseCandidates(candidates: readonly Candidate[], { edgeTurn, decisions, total }: Chosen): Candidate[] {
  const perTurn = new Map<string, number>();
  const sorted = candidates.toSorted((left, right) => right.score - left.score);
  const chosen: Candidate[] = [];
  const choose = (one: Candidate): void => {
    const before = perTurn.get(one.turn.turn_id) ?? 0;
    if (before >= 2 || chosen.some(({ quote }) => quote === one.quote)) return;
    perTurn.set(one.turn.turn_id, before + 1);
    chosen.push(one);
  };
  const end = edgeTurn && sorted.find(({ turn }) => turn === edgeTurn);
  if (end) choose(end);
  for (const one of decisions) choose(one);
  // Who asks when it began and what was decided has both now.
  if (end && decisions.length > 0) return chosen;
  // A decision that names all that was asked for needs nothing beside it.
  if (total > 0 && decisions.some(({ weight }) => weight >= wholeQuestion * total)) return chosen;
  const least = decisions.length > 0 ? leastBesideDecisions : leastShare;
  for (const one of sorted) {
    if (chosen.length >= mostCitations || one.score < least * (sorted[0]?.score ?? 0)) break;
    choose(one);
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

function toLine({ index, timestamp, role, author, quote }: ArchiveCitation, edge?: 'first' | 'last'): string {
  const who = author ?? (role === 'user' ? 'you' : `the ${role}`);
  const when =
    timestamp === undefined ? 'At a time that is not known' : `On ${dateFormat.format(Date.parse(timestamp))}`;
  const found = edge === undefined ? '' : ` the ${edge} time that was found,`;
  return `${when},${found} ${who} said: “${quote.replace(/\s+/gu, ' ').trim()}” [${index}]`;
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
  const named = namedAuthors(question, turns);
  const [only] = named;
  if (only === undefined || named.size > 1) return false;
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
