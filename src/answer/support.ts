// Does a quote support a claim? A pure, deterministic function: every content word, number, date and name of the claim must
// be found in one sentence of the quote, in an order that changes nothing, under the same negation, doubt, condition and
// attribution. It errs towards refusal: a claim that it accepts is (nearly) said by the quote, one that it refuses may
// still follow from it. Method and measured rates: docs/verification.md.

import { withoutAnchors } from '../text/anchors.ts';
import { entryMarks } from '../text/language/log-entries.ts';
import type { ClaimVerdict } from './claims/draft.ts';
import { alignTokens, similarity } from './support/align.ts';
import { checkNotOnly, checkPair, checkQuantifiers, missing } from './support/checks.ts';
import { coverageOf } from './support/coverage.ts';
import { breaksOff, fragmentOf } from './support/fragments.ts';
import { withoutLayout } from './support/layout.ts';
import { findLookAlikes } from './support/lookalikes.ts';
import { findOrderProblem } from './support/order.ts';
import { foldSpace, isQuoteUnbroken, trimEnd, windowAround, withoutMarks } from './support/plain.ts';
import { keysOf, type QuoteReading, readQuote, sentencesOf, spokenIn } from './support/quote-reading.ts';
import { mostRefused, supportOfRefused } from './support/refused.ts';
import { restrictionsRemoved } from './support/restrictions/restrictions.ts';
import { smallWordsChanged } from './support/restrictions/small-words.ts';
import { readByColumns, supportOfRow } from './support/rows.ts';
import { markScopes } from './support/scopes.ts';
import { type Language, readTokens, type Token } from './support/tokens.ts';
import { cellsAsWritten } from './tables/as-written.ts';
import { type Columns, isFieldLine, type Row, rowsOf } from './tables/rows.ts';

export interface SupportOptions {
  /** Text around the quote, title, headings. It may say whom a pronoun means; it never supplies numbers or polarity. */
  readonly context?: string;
  /** The header above a quote that begins with a row whose cells are parted by bars. Read as part of the row. */
  readonly columns?: Columns;
}

/** Longest claim and quote that are compared word by word, in UTF-16 code units. */
const maxClaimLength = 2_000;
const maxQuoteLength = 40_000;
/** Sentences of a long quote that are compared in full: those that share most with the claim. */
const maxSentences = 6;
/** Pairs of words compared at most, after the first sentence: a bound for hostile input only. */
const maxCells = 40_000;
/** Rows of a quote that are read in full: those that share most with the claim. */
const maxRows = 6;
/** A claim that is read by its columns has other words than its row. */
const rowSupport = 0.9;
/** A claim is one sentence; a few are put up with. */
const maxPieces = 8;

interface Part {
  readonly text: string;
  /** It holds several cells, which only their columns keep apart. */
  readonly isTabular: boolean;
  readonly tokens: readonly Token[];
  readonly keys: ReadonlySet<string>;
}

/** Refused for what the claim or the quote is, not for what it says: how much of it stands there means nothing. */
const final =
  /^(?:empty-|no-statement|no-content|claim-too-long|quote-too-long|look-alike|hidden-character|cells-mixed|question-as-statement)/u;
/** A claim that shares so little with its quote keeps the support that it has. */
const leastGraded = 0.1;

/**
 * Whether `quote` supports `claim`. Support is 1 for words of the quote itself, less for each licence taken, and under 0.5 when unsupported:
 * the share of claims covered as far that people call carried. Reasons are `kind: detail`, the kinds stable.
 */
export function supportOf(written: string, cited: string, options: SupportOptions = {}): ClaimVerdict {
  const compared = compareWordByWord(withoutAnchors(written), withoutAnchors(cited), options);
  const { verdict, support, reasons } = compared;
  if (verdict === 'supported' || support < leastGraded || reasons.some((reason) => final.test(reason))) return compared;
  return { ...compared, support: Math.round(1000 * supportOfRefused(Math.min(1, support / mostRefused))) / 1000 };
}

/** The comparison word by word: everything that the claim says stands in one sentence, in the same roles and scopes. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function compareWordByWord(claim: string, quote: string, options: SupportOptions): ClaimVerdict {
  const said = foldSpace(withoutMarks(claim, quote));
  const source = foldSpace(quote);
  if (said === '' || !/[\p{L}\p{N}]/u.test(said)) return refusal(0, ['empty-claim']);
  if (source === '') return refusal(0, ['empty-quote']);
  if (said.length > maxClaimLength) return refusal(0, [`claim-too-long: ${said.length} characters`]);
  if (source.length > maxQuoteLength && !source.includes(said))
    return refusal(0, [`quote-too-long: ${source.length} characters`]);
  const fragment = fragmentOf(said, spokenIn(said));
  if (fragment) return refusal(0, [`no-statement: ${fragment}`]);
  const lookAlikes = findLookAlikes(claim, quote);
  if (lookAlikes.length > 0) return refusal(0.1, lookAlikes);
  const isWhole = trimEnd(said) === trimEnd(source) || trimEnd(said) === trimEnd(foldSpace(withoutLayout(quote)));
  if (isWhole || isQuoteUnbroken(said, quote)) return { support: 1, verdict: 'supported', reasons: ['verbatim'] };

  const language = spokenIn(source.length > 40 ? source : `${source} ${said}`);
  const window = source.length > maxQuoteLength ? windowAround(source, said) : source;
  const reading = readQuote(source.length > maxQuoteLength ? window : quote.normalize('NFC'), language);
  const { sentences } = reading;
  const whole = wholeSentences(said, sentences);
  if (whole) return { support: 1, verdict: 'supported', reasons: ['verbatim'] };

  if (language === 'en' && breaksOff(said, source)) return refusal(0.3, ['no-statement: breaks-off']);

  const rows = source.length > maxQuoteLength ? [] : rowsUnder(quote, reading, options.columns);
  const written = writtenInRow(withoutTitle(said, options.context ?? ''), rows);
  if (written) return written;
  const verbatim = window.includes(trimEnd(said)) && !crossesRows(said, sentences);
  let support = 1;
  const reasons: string[] = [];
  const parts = (verbatim ? coveringSentences(sentences, said, window) : sentences).map((text) => ({
    ...readPart(text, language),
    isTabular: reading.tabular().has(text),
  }));
  const pieces = verbatim ? [said] : sentencesOf(said, language);
  if (pieces.length > maxPieces) return refusal(0, [`claim-too-long: ${pieces.length} sentences`]);
  for (const piece of pieces) {
    const frame = { language, context: options.context ?? '', verbatim };
    const verdict = supportOfPiece(piece, { parts, rows }, frame);
    support = Math.min(support, verdict.support);
    for (const reason of verdict.reasons) if (!reasons.includes(reason)) reasons.push(reason);
  }
  return { support: Math.round(support * 1000) / 1000, verdict: support >= 0.5 ? 'supported' : 'unsupported', reasons };
}

const rowsUnder = (quote: string, reading: QuoteReading, columns: Columns | undefined): readonly Row[] =>
  columns ? rowsOf(quote.normalize('NFC'), columns) : reading.rows();

const refusal = (support: number, reasons: readonly string[]): ClaimVerdict => ({
  support,
  verdict: 'unsupported',
  reasons,
});

/** True if the claim is one or more complete sentences of the quote, one after the other. */
function wholeSentences(said: string, sentences: readonly string[]): boolean {
  const wanted = trimEnd(said);
  for (let from = 0; from < sentences.length; from += 1) {
    if (!trimEnd(sentences[from] as string).startsWith(wanted.slice(0, 12))) continue;
    let joined = '';
    for (let to = from; to < sentences.length && joined.length <= wanted.length; to += 1) {
      joined = joined === '' ? (sentences[to] as string) : `${joined} ${sentences[to]}`;
      // Trimming makes nothing longer, and reads all of it: a quote of many short lines would be read again for each of them.
      if (joined.length < wanted.length || !joined.includes(wanted)) continue;
      if (trimEnd(joined) === wanted) return !/\?$/u.test(joined.trim()) || /\?$/u.test(said);
    }
  }
  return false;
}

interface Frame {
  readonly language: Language;
  readonly context: string;
  readonly verbatim: boolean;
}

/** The words of one cell must not be read with those of another: rows carry what their columns say, or their own words as they stand. */
function supportOfPiece(
  piece: string,
  { parts, rows }: { readonly parts: readonly Part[]; readonly rows: readonly Row[] },
  frame: Frame,
): ClaimVerdict {
  const verdict = supportOfSentence(piece, parts, frame);
  if (verdict.verdict === 'supported' || rows.length === 0) return verdict;
  // Rows have no words that would tell their language.
  const language = spokenIn(piece) === 'de' ? 'de' : frame.language;
  const claim = readTokens(withoutTitle(piece, frame.context), language).tokens;
  const keys = new Set(claim.flatMap((token) => (token.content ? [token.lower] : [])));
  const ranked = rows
    .map((row) => ({
      row,
      shared: (row.text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => keys.has(word)).length,
    }))
    .sort((a, b) => b.shared - a.shared);
  let reasons: readonly string[] = [];
  for (const { row } of ranked.slice(0, maxRows)) {
    const read = supportOfRow(claim, row, language);
    if (read.isSupported) return { support: rowSupport, verdict: 'supported', reasons: read.reasons };
    if (reasons.length === 0) reasons = read.reasons;
  }
  return refusal(verdict.support, [...new Set([...reasons, ...verdict.reasons])].slice(0, 8));
}

/** Cells that are said just as they stand need no reading. */
function writtenInRow(said: string, rows: readonly Row[]): ClaimVerdict | undefined {
  for (const row of rows) {
    const names = cellsAsWritten(said, row, foldSpace);
    const reason = `${readByColumns}: ${names?.join(', ') ?? ''}`.slice(0, 200);
    if (names) return { support: rowSupport, verdict: 'supported', reasons: [reason] };
  }
  return undefined;
}

/** "Kestrel: plan: Team; price: $29": the title of the document in front of a row says where it stands, and nothing else. */
function withoutTitle(piece: string, title: string): string {
  const lead = `${title}: `;
  return title !== '' && piece.startsWith(lead) ? piece.slice(lead.length) : piece;
}

/** A claim that begins in one row or record and ends in another takes neither as it stands. */
function crossesRows(said: string, sentences: readonly string[]): boolean {
  const wanted = trimEnd(said);
  if (sentences.length < 2 || sentences.some((sentence) => sentence.includes(wanted))) return false;
  const marks = entryMarks(sentences);
  return sentences.some(
    (sentence, at) =>
      (isFieldLine(sentence) || marks[at + 1] !== undefined) && sharesEnd(wanted, sentence, sentences[at + 1]),
  );
}

/** The sentence's end and the next one's beginning stand in the claim. */
function sharesEnd(wanted: string, sentence: string, next: string | undefined): boolean {
  return next !== undefined && wanted.includes(`${sentence.slice(-12)} ${next.slice(0, 4)}`);
}

function supportOfSentence(piece: string, parts: readonly Part[], frame: Frame): ClaimVerdict {
  const claim = readTokens(piece, frame.language).tokens;
  const wanted = claim.filter((token) => token.content);
  const shared = (part: Part): number => wanted.reduce((sum, token) => sum + (carries(part, token) ? 1 : 0), 0);
  const ranked = parts
    .map((part, index) => ({ part, index, score: shared(part) }))
    .sort((a, b) => b.score - a.score || a.index - b.index);
  let best: ClaimVerdict | undefined;
  let cells = 0;
  for (const { part } of ranked.slice(0, maxSentences)) {
    if (cells > maxCells) break;
    cells += claim.length * part.tokens.length;
    const compared = compare(claim, part.tokens, { frame, least: best?.support ?? -1 });
    if (!compared) continue;
    const isMixed = part.isTabular && !frame.verbatim && compared.verdict === 'supported';
    const verdict = isMixed ? refusal(0.4, ['cells-mixed: words of several cells']) : compared;
    if (!best || verdict.support > best.support) best = verdict;
    if (best.verdict === 'supported') break;
  }
  return best ?? refusal(0, ['not-in-quote']);
}

function carries(part: Part, token: Token): boolean {
  if (token.quantity || token.date) return part.tokens.some((other) => similarity(token, other) > 0);
  return token.keys.some((key) => part.keys.has(key));
}

const readPart = (text: string, language: Language): Omit<Part, 'isTabular'> => ({
  text,
  tokens: readTokens(text, language).tokens,
  keys: keysOf(text, language),
});

/** The sentences that a verbatim claim runs over, as one text: a wrong cut must not split what stands there word for word. */
function coveringSentences(sentences: readonly string[], piece: string, window: string): string[] {
  const wanted = trimEnd(piece);
  const one = sentences.filter((sentence) => sentence.includes(wanted));
  if (one.length > 0) return one;
  const at = window.indexOf(wanted);
  let cursor = 0;
  const touched: string[] = [];
  for (const sentence of sentences) {
    const start = window.indexOf(sentence, cursor);
    if (start < 0) continue;
    cursor = start + sentence.length;
    if (start < at + wanted.length && cursor > at) touched.push(sentence);
  }
  return touched.length > 0 ? [touched.join(' ')] : [window];
}

interface SentenceFrame {
  readonly frame: Frame;
  /** Support that another sentence gives: a refusal that gives no more is not read to its end. */
  readonly least: number;
}

/** Undefined for a refusal that gives no more support than another sentence does. */
function compare(
  words: readonly Token[],
  sentence: readonly Token[],
  { frame, least }: SentenceFrame,
): ClaimVerdict | undefined {
  const alignment = alignTokens(words, sentence);
  const { total, covered, isWhole } = coverageOf(words, sentence, alignment);
  if (total === 0) return refusal(0, ['no-content']);
  if (covered === 0) return refusal(0, ['not-in-quote']);
  const coverage = Math.min(1, covered / total);
  if (!isWhole && mostRefused * coverage <= least) return undefined;
  const claim = markScopes(words, (at) => (alignment.toQuote[at] as number) >= 0);
  const quote = markScopes(sentence, (at) => alignment.used[at] === 1);
  const problems: string[] = [];
  for (const [at, token] of claim.entries()) {
    if (!token.content) continue;
    const other = alignment.toQuote[at] as number;
    if (other >= 0) checkPair(token, quote[other] as Token, { claim, quote, at, other, alignment }, problems);
    else problems.push(missing(token, at, claim, quote, alignment));
  }
  checkQuantifiers(claim, quote, alignment, problems);
  checkNotOnly(claim, quote, problems);
  const small = smallWordsChanged(claim, quote, alignment);
  if (small) problems.push(`small-words-changed: ${small.quote} → ${small.claim}`);
  const order = findOrderProblem(claim, quote, alignment);
  if (order) problems.push(`order-changed: ${order.quote} → ${order.claim}`);
  if (problems.length === 0 && frame.language === 'en')
    for (const words of restrictionsRemoved(claim, quote, alignment)) problems.push(`restriction-removed: ${words}`);
  if (problems.length > 0) return refusal(mostRefused * coverage, problems.slice(0, 8));
  const support = frame.verbatim ? 1 : Math.max(0.6, 0.99 * coverage);
  return { support, verdict: 'supported', reasons: frame.verbatim ? ['verbatim'] : [] };
}
