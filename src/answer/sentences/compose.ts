// Composes an answer without a model: picks the sentences, list items and table rows of the context that answer the
// question, as they stand. A claim's text is its span with white space folded, so that nothing is said that is not written;
// whether the evidence answers at all is decided first (confidence.ts), and then said as a reason instead of a guess.

import { toInert } from '../../core/answers/inert-text.ts';
import { guessLanguage } from '../../text/language/language.ts';
import { isBareLink, isPointer, isSourceEntry } from '../../text/pointers.ts';
import { countWords } from '../../text/sentences.ts';
import { claimTextOf } from '../claim-text.ts';
import type { Context, Draft, DraftClaim } from '../claims/draft.ts';
import { abstainReasonOf, answerableOf, answerThreshold, confidenceOf, isOfOthers } from '../confidence.ts';
import { isCompound } from '../extract/agreement.ts';
import { announces, wholeOf } from '../extract/announced.ts';
import { fittingFirst, partsOf } from '../extract/asked-for.ts';
import { type Candidate, type CandidateSet, type CollectionStatistics, candidatesOf } from '../extract/candidates.ts';
import { signalsOf } from '../extract/coverage.ts';
import { ofOtherNumber } from '../extract/other-numbers.ts';
import { type RankedCandidate, rankCandidates } from '../extract/rank.ts';
import { isAboutAsking, isAsking } from '../extract/read-along.ts';
import { unknownLanguage } from '../extract/readings.ts';
import { ofOtherRelease } from '../extract/releases.ts';
import { surenessChannel, surenessOf } from '../extract/sureness.ts';
import { createMatcher } from '../question/matching.ts';
import { analyzeQuestion, type Question } from '../question/question.ts';
import { termsOf } from '../question/terms.ts';
import { supportOf } from '../support.ts';
import { explains } from '../tables/glossary.ts';
import { narrowRow } from '../tables/row-cells.ts';
import { besideOf, ofSureAnswer, sureAt } from './beside.ts';
import { givingOf } from './giving.ts';

export interface ComposeRequest {
  /** The question with references to earlier turns resolved. */
  readonly question: string;
  readonly context: Context;
  /** At most so many claims. Default: three for a question with one answer, five otherwise. */
  readonly maxClaims?: number;
  /** BCP 47 language of question and context. Default: detected from the context. */
  readonly language?: string;
  /** How rare words are in the whole collection; without it rarity is judged within the context. */
  readonly statistics?: CollectionStatistics;
}

const longestClaimWords = 60;
/** So many words without a sentence's end and without a figure are taken for a label. */
const shortestStatement = 4;
/** Weights of choosing further claims, beside the score of each for itself. */
const selection = {
  /** For question terms that no chosen claim holds. */
  gain: 3,
  /** For speaking of what a chosen claim has introduced (the second hop). */
  bridge: 4,
  /** Against saying the same again. */
  redundancy: 4,
  /** A further claim covers at least this share of what the first one covers, or is a second hop. */
  leastCoverage: 0.2,
  /** … and scores at least this share of the best score. */
  leastScore: 0.6,
  /** What says something scores at least this share of the best, else names and questions are claims as well. */
  leastTelling: 0.55,
};

/** Composes a draft. Never throws; without evidence the draft has no claims and says why. Pure and deterministic. */
export function composeAnswer(request: ComposeRequest): Draft {
  const { context } = request;
  if (context.blocks.length === 0) return nothing('Nothing in the searched documents matches the question.');
  const language = request.language ?? languageOf(request.question, context);
  const question = analyzeQuestion(request.question, language);
  if (question.terms.length === 0) return nothing('The question holds no word that could be looked up.');
  const set = candidatesOf(question, context, { language, statistics: request.statistics });
  const evidence = context.blocks.map((block) => block.evidence);
  const isOfOther = ofOtherNumber(question.text, evidence, language);
  const ranked = rankCandidates(
    set.candidates.filter((one) => canBeSaid(one) && !isOfOther(one.text, one.block.evidence)),
  );
  const judgement = signalsOf(question, set, ranked);
  const best = ranked[0];
  if (!best || !judgement) return nothing('The passages found hold no sentence that could be cited.');
  const { signals } = judgement;
  const answerable = answerableOf(question, judgement);
  if (answerable < answerThreshold) {
    const reason = abstainReasonOf(question, judgement, missingOf(request.question, question, set, best.candidate));
    return {
      claims: [],
      coverage: signals.window,
      confidence: answerable,
      answerable,
      abstainReason: reason,
      ...(isOfOthers(judgement) && { isOfOthers: true }),
    };
  }
  const parts = partsOf(question);
  const several = question.several || isCompound(question, signals.chunk);
  const limit = Math.max(1, request.maxClaims ?? (several ? 5 : 3));
  const isOther = ofOtherRelease(question.text);
  const telling = fittingFirst(
    parts,
    ranked.filter(
      ({ candidate }) =>
        saysSomething(candidate, question) && !isCutOff(candidate, set) && isOther?.(candidate.text) !== true,
    ),
  );
  // Where all that says something is far from the question, its name at least shows where to look.
  const isNear = (telling[0]?.score ?? 0) >= selection.leastTelling * best.score;
  const chosen = choose(isNear ? telling : ranked, set, { limit, language, question, isWide: several });
  const texts = chosen.map(({ text }) => text);
  const [first] = chosen;
  const giving = givingOf({ question, parts, set, chosen, language });
  const numbers = first && surenessOf({ question, parts, set, ranked, judgement, answerable, first, texts });
  if (surenessChannel.hasSubscribers)
    surenessChannel.publish({ question: question.text, type: question.type, numbers, giving, first: texts[0] });
  const confidence = numbers ? confidenceOf(numbers, giving) : answerable;
  // Who asks for so many chooses among them.
  const isSure = confidence >= sureAt && !several && request.maxClaims === undefined;
  const said = isSure ? ofSureAnswer(chosen, set, question) : chosen;
  return {
    claims: withoutInner(
      said.map((candidate) => toClaim(candidate, { set, context, tells: tellerOf(question, set, language) })),
    ),
    coverage: Math.min(1, shareOf(unionOf(said, set), set)),
    confidence,
    answerable,
  };
}

function nothing(abstainReason: string): Draft {
  return { claims: [], coverage: 0, confidence: 0, abstainReason };
}

/** The question's own where it tells, else that of the passages. */
function languageOf(question: string, context: Context): string {
  const own = guessLanguage(question, [unknownLanguage]);
  if (own !== unknownLanguage) return own;
  const sample = context.blocks
    .slice(0, 3)
    .map((block) => block.evidence.text)
    .join('\n');
  return guessLanguage(sample);
}

/** "5.3 Optimizer", as pages print it: a short numbered line in capitals without a sentence's end. */
const numberedHeading = /^(?:\d+(?:\.\d+)*\.?|[A-Z]\.\d*|[IVX]+\.)\s+\p{Lu}[^.!?:;]{0,60}$/u;

/** The labels of a figure, read as text: "Law Law Law will will will". */
const stutter = /(?<![\p{L}\p{M}])(\p{L}{2,})(?:\s+\1(?![\p{L}\p{M}])){2,}/u;

/** The number of a section or page, cut off from what it counts. */
const bareNumber = /^[\d.§)(\s]+$/u;

/** A sentence that only repeats the question may still be what another one builds on. */
const isStatement = (text: string): boolean => /[.!。]["'”’»)\]]{0,3}$/u.test(text.slice(-8));

/** A name may be asked for that the question holds. */
const asksForName = /\b(?:titles?|names?|named|called|headings?|subjects?|hei(?:ß|ss)t|titel)\b/iu;

/** An entry of a list of works says nothing but where to read. */
const reference =
  /\barXiv(?:\spreprint)?\s?(?:arXiv)?:?\s?\d{4}\.\d{4,5}|\b[Ii]n\s(?:Proceedings|Proc\.|Advances)\s(?:of|in)\b|,\spages\s\d{1,5}[–-]\d{1,5}|\bdoi:\s?10\.\d|^\[\d{1,3}\]\s\p{Lu}|^See\s\p{Lu}[^.]{3,80},\s[^.]{3,200}\(\D{0,80}\d{4}\)/u;
const asksForReference =
  /\b(?:cit\p{L}{1,8}|references?|papers?|publi\p{L}{2,12}|proceedings|journal|conference|arxiv|doi|pages?|wrote|written|authors?|see)\b/iu;

/**
 * Headings, heads of messages, labels and links name something and say nothing of it, echoes and questions ask it again; only a list may be made of
 * names.
 */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
function saysSomething(candidate: Candidate, question: Question): boolean {
  const { text, kind, isAside, isHeader, label, features, block } = candidate;
  if (kind === 'heading' || isAside || isHeader || bareNumber.test(text)) return false;
  const { title, headingPath } = block.evidence;
  const isName = text === title || headingPath.some((heading) => heading.includes(text));
  if (isName && kind !== 'row' && !asksForName.test(question.text)) return false;
  if (features.echo === 1 && !asksForName.test(question.text) && !isStatement(text)) return false;
  if (isAsking(text) && !isAboutAsking(question.text)) return false;
  if ((reference.test(text) || isSourceEntry(text)) && !asksForReference.test(question.text)) return false;
  if (isPointer(text)) return false;
  // A cell names what a row is of; it does not say what that is.
  if (question.type === 'definition' && kind === 'row' && features.sought === 0 && !explains(text)) return false;
  if (kind === 'code' || kind === 'row' || kind === 'entry') return true;
  if (label !== undefined) return true;
  if (stutter.test(text)) return false;
  if (kind === 'item' && question.type === 'list') return true;
  if (isBareLink(text) || (kind === 'sentence' && numberedHeading.test(text))) return false;
  return /[.!?:;。！？؟…)\]"”]\s*$|\p{Nd}|:\s/u.test(text) || countWords(text) > shortestStatement;
}

/** "The following steps happen in order:" says nothing where none of them can be said with it. */
const isCutOff = (candidate: Candidate, set: CandidateSet): boolean =>
  candidate.kind === 'sentence' &&
  announces(candidate.text) &&
  wholeOf(candidate, set.candidates, longestClaimWords).parts.length < 2;

function choose(
  ranked: readonly RankedCandidate[],
  set: CandidateSet,
  options: {
    readonly limit: number;
    readonly language: string;
    readonly question: Question;
    /** It asks for more than one thing, or is answered from several passages. */
    readonly isWide: boolean;
  },
): Candidate[] {
  const chosen: Candidate[] = [];
  const waiting = new Set(ranked.slice(0, 200));
  const introduced = new Set<string>();
  const covered = set.weights.map(() => 0);
  const titles = new Map<Candidate, readonly string[]>();
  const least = selection.leastCoverage * (ranked[0]?.candidate.features.coverage ?? 0);
  const leastScore = selection.leastScore * Math.max(0, ranked[0]?.score ?? 0);
  const isBeside = besideOf(set, options, titles);
  while (chosen.length < options.limit && waiting.size > 0) {
    let best: { item: RankedCandidate; value: number } | undefined;
    for (const item of waiting) {
      const { candidate } = item;
      const gain = shareOf(
        candidate.matches.map((match, index) => Math.max(0, match - (covered[index] ?? 0))),
        set,
      );
      const hop = chosen.length > 0 ? bridgeOf(candidate, introduced, chosen, titles, options.language) : 0;
      const weak = candidate.features.coverage < least || item.score < leastScore;
      if (chosen.length > 0 && weak && hop < 0.5) continue;
      const [first] = chosen;
      if (isBeside(candidate, first, hop)) continue;
      const overlap = Math.max(0, ...chosen.map((other) => overlapOf(candidate, other)));
      const value =
        item.score +
        (chosen.length > 0 ? selection.gain * gain + selection.bridge * hop - selection.redundancy * overlap : 0);
      if (overlap < 0.8 && (!best || value > best.value)) best = { item, value };
      // The first is chosen by the caller.
      if (chosen.length === 0) break;
    }
    if (!best) break;
    const { candidate } = best.item;
    waiting.delete(best.item);
    chosen.push(candidate);
    for (const [index, match] of candidate.matches.entries()) covered[index] = Math.max(covered[index] ?? 0, match);
    for (const term of candidate.terms) introduced.add(term);
  }
  return chosen;
}

/** Share of the candidate's title that chosen claims of other documents mention: it tells more about what they named. */
function bridgeOf(
  candidate: Candidate,
  introduced: ReadonlySet<string>,
  chosen: readonly Candidate[],
  titles: Map<Candidate, readonly string[]>,
  language: string,
): number {
  const { documentId, title } = candidate.block.evidence;
  if (chosen.some((other) => other.block.evidence.documentId === documentId)) return 0;
  let terms = titles.get(candidate);
  if (!terms) {
    terms = termsOf(title.replaceAll('_', ' ').replace(/^([^(]*)\(.*\)/, '$1'), language).map((term) => term.term);
    titles.set(candidate, terms);
  }
  if (terms.length === 0) return 0;
  const share = terms.filter((term) => introduced.has(term)).length / terms.length;
  return share * candidate.features.opening;
}

function overlapOf(a: Candidate, b: Candidate): number {
  const [small, large] = a.terms.size <= b.terms.size ? [a.terms, b.terms] : [b.terms, a.terms];
  if (small.size === 0) return 1;
  let common = 0;
  for (const term of small) if (large.has(term)) common += 1;
  return common / (a.terms.size + b.terms.size - common);
}

function shareOf(matches: readonly number[], set: CandidateSet): number {
  return matches.reduce((sum, match, index) => sum + match * (set.weights[index] ?? 0), 0);
}

function unionOf(chosen: readonly Candidate[], set: CandidateSet): number[] {
  return set.weights.map((_, index) =>
    Math.max(
      0,
      ...chosen.map((candidate) => candidate.matches[index] ?? 0),
      ...chosen.map((candidate) => set.titles[candidate.blockIndex]?.[index] ?? 0),
    ),
  );
}

/** Rows may be longer: of them only what was asked is said. */
const canBeSaid = ({ text, kind }: Candidate): boolean => kind === 'row' || countWords(text) <= longestClaimWords;

/** How much of the question the cell of a row holds. */
function tellerOf({ terms }: Question, set: CandidateSet, language: string): (cell: string) => number {
  const wanted = terms.map(({ term }) => term);
  return (cell) => {
    const held = termsOf(cell, language).map(({ term }) => term);
    return shareOf(createMatcher(wanted, new Set(held), language)(held).matches, set);
  };
}

interface Telling {
  readonly set: CandidateSet;
  readonly context: Context;
  readonly tells: (cell: string) => number;
}

function toClaim(candidate: Candidate, { set, context, tells }: Telling): DraftClaim {
  const { evidence } = candidate.block;
  const reference = context.blocks
    .filter((block) => block.evidence.documentId === evidence.documentId)
    .map((block) => block.evidence.text)
    .join('\n');
  const narrow = candidate.kind === 'row' ? narrowRow(candidate.text, tells, longestClaimWords) : undefined;
  const isNarrowed = narrow !== undefined && supportOf(narrow, candidate.text).verdict === 'supported';
  const own = { span: candidate.span, text: isNarrowed ? toInert(narrow) : claimTextOf(candidate.text, reference) };
  const { start, parts } = wholeOf(candidate, set.candidates, longestClaimWords);
  // What the verifier would not accept is said with fewer neighbours, or none.
  const said =
    [parts.length, 2].flatMap((count) => {
      const { end } = parts[count - 1] ?? candidate.span;
      if (parts.length < 2 || count > parts.length) return [];
      const written = parts.slice(0, count).map((part) => claimTextOf(part.text, reference));
      const quote = evidence.text.slice(start - evidence.start, end - evidence.start);
      const [head = '', ...items] = written;
      const joined = [
        written.join(' '),
        `${head} ${items.join('; ')}`,
        written.join('; '),
        claimTextOf(quote, reference),
      ];
      const text = joined.find((one) => supportOf(one, quote).verdict === 'supported');
      return text === undefined ? [] : [{ text, span: { start, end } }];
    })[0] ?? own;
  return {
    text: said.text,
    spans: [{ documentId: evidence.documentId, chunkId: evidence.chunkId, ...said.span }],
    relevance: Math.min(1, shareOf(unionOf([candidate], set), set)),
  };
}

/** What an earlier claim holds already is not said again. */
function withoutInner(claims: readonly DraftClaim[]): readonly DraftClaim[] {
  return claims.filter(({ spans: [span] }, at) =>
    claims.every(
      ({ spans: [other] }, place) =>
        place === at ||
        span === undefined ||
        other?.chunkId !== span.chunkId ||
        other.start > span.start ||
        other.end < span.end ||
        (other.start === span.start && other.end === span.end && place > at),
    ),
  );
}

/** Words of the question that the best piece and its surroundings lack, the rarest first. */
function missingOf(text: string, question: Question, set: CandidateSet, best: Candidate): string[] {
  const held = unionOf([best, ...set.candidates.filter((candidate) => candidate.blockIndex === best.blockIndex)], set);
  return question.terms
    .map((term, index) => ({
      word: text.slice(term.start, term.end),
      lack: (1 - (held[index] ?? 0)) * (set.weights[index] ?? 0),
    }))
    .filter((entry) => entry.lack > 0.08)
    .sort((a, b) => b.lack - a.lack)
    .map((entry) => entry.word);
}
