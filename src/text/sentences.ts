// Cuts text into pieces that can be quoted on their own: sentences, headings, list items, table rows, lines of code.
// Every piece is a trimmed half-open range of UTF-16 offsets, pieces are sorted and never overlap, and none has more than
// `maxWords` words. A scanner of our own instead of Intl.Segmenter: that one breaks at "Dr.", "U.S." and at every line of a
// wrapped paragraph, and its rules change with the ICU release, while citations must stay reproducible.
import type { SourceSpan } from '../core/document.ts';
import { type PieceKind, type Region, regionsOf } from './language/regions.ts';
import {
  germanMonths,
  letteredThings,
  neverFinalAbbreviations,
  otherAbbreviations,
  referenceAbbreviations,
  sentenceOpeners,
  titleAbbreviations,
} from './words/abbreviations.ts';

export interface SentenceOptions {
  /** BCP 47 language of the text, when known; German ordinals ("am 3. Oktober") need it in doubtful cases. */
  readonly language?: string;
  /** Longest piece in words (default 60). Longer ones are cut at clause boundaries. */
  readonly maxWords?: number;
}

export interface TextPiece extends SourceSpan {
  readonly kind: PieceKind;
}

/** Longest piece in UTF-16 code units, whatever its words: unbroken strings are no sentences. */
const maxCharacters = 1_500;
/** Scripts written without spaces: two characters count as a word. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u;
const unspacedRun = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]+/gu;

/** Words as a reader counts them: runs of non-space; in scripts without spaces two characters are one word. */
export function countWords(text: string): number {
  let count = 0;
  for (const match of text.matchAll(/\S+/g)) {
    const word = match[0];
    if (!unspaced.test(word)) {
      count += 1;
      continue;
    }
    let characters = 0;
    for (const run of word.matchAll(unspacedRun)) characters += run[0].length;
    count += Math.max(1, Math.ceil(characters / 2));
  }
  return count;
}

/** The pieces of `text` as trimmed half-open ranges, in order. See `segmentPieces` for their kinds. */
export function segmentSentences(text: string, options: SentenceOptions = {}): SourceSpan[] {
  return segmentPieces(text, options).map(({ start, end }) => ({ start, end }));
}

/** The pieces of `text` with what each is. Offsets are into `text`; pieces without a letter or digit are left out. */
export function segmentPieces(text: string, options: SentenceOptions = {}): TextPiece[] {
  const maxWords = options.maxWords ?? 60;
  const pieces: TextPiece[] = [];
  for (const region of regionsOf(text)) {
    const spans = spansOf(text, region, { language: options.language, maxWords });
    for (const span of spans) {
      const trimmed = trim(text, span.start, span.end);
      if (!trimmed || !/[\p{L}\p{N}]/u.test(text.slice(trimmed.start, trimmed.end))) continue;
      for (const part of bounded(text, trimmed, maxWords)) pieces.push({ ...part, kind: region.kind });
    }
  }
  return pieces;
}

/** An entry is read as one, with what names it, as long as it is no longer than a piece may be. */
function spansOf(
  text: string,
  region: Region,
  { language, maxWords }: { language: string | undefined; maxWords: number },
) {
  const { kind, start, end } = region;
  if (kind === 'sentence' || kind === 'item') return sentencesIn(text, region, language);
  if (kind !== 'entry' || (end - start <= maxCharacters && countWords(text.slice(start, end)) <= maxWords))
    return [region];
  const lines: SourceSpan[] = [];
  for (let from = start; from < end; ) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 ? end : Math.min(end, newline);
    const line = { start: from, end: to };
    if (countWords(text.slice(from, to)) > maxWords) lines.push(...sentencesIn(text, line, language));
    else lines.push(line);
    from = to + 1;
  }
  return lines;
}

function trim(text: string, start: number, end: number): SourceSpan | undefined {
  let from = start;
  let to = end;
  while (from < to && /\s/.test(text.charAt(from))) from += 1;
  while (to > from && /\s/.test(text.charAt(to - 1))) to -= 1;
  return from < to ? { start: from, end: to } : undefined;
}

/** Terminators, closing quotes and brackets after them, footnote references such as [12] or [3, 4]. */
const terminator = /[\p{STerm}…．｡]+['"’”»)\]」』）】]*(?:\[\d{1,3}(?:[,–-]\s?\d{1,3}){0,8}\])*/gu;
const eastAsian = /[。！？｡．]/;

function sentencesIn(text: string, region: SourceSpan, language: string | undefined): SourceSpan[] {
  const body = text.slice(region.start, region.end);
  const german = language === undefined ? looksGerman(body) : language.startsWith('de');
  const spans: SourceSpan[] = [];
  let from = 0;
  for (const match of body.matchAll(terminator)) {
    const end = match.index + match[0].length;
    if (end >= body.length) break;
    if (!isBoundary({ body, from, mark: match[0], at: match.index, end, german })) continue;
    spans.push({ start: region.start + from, end: region.start + end });
    from = end;
  }
  spans.push({ start: region.start + from, end: region.end });
  return spans;
}

interface Candidate {
  readonly body: string;
  /** Where the running sentence starts, where its mark starts and where the mark ends. */
  readonly from: number;
  readonly at: number;
  readonly end: number;
  readonly mark: string;
  readonly german: boolean;
}

function isBoundary(candidate: Candidate): boolean {
  const { body, mark, at, end } = candidate;
  if (eastAsian.test(mark)) return true;
  const rest = body.slice(end, end + 48);
  const space = /^\s+/.exec(rest);
  if (!space) return false;
  const next = rest.slice(space[0].length).replace(/^[\s"'“‘„«([¿¡「『]+/u, '');
  if (/^\p{Ll}/u.test(next)) return false;
  const nextWord = (/^[\p{L}\p{M}\p{N}'’-]+/u.exec(next)?.[0] ?? '').toLowerCase();
  // "posed . . . a complete reordering": points set apart are one mark, and the sentence goes on after the last of them.
  if (mark.startsWith('.') && /^\s{1,2}\.(?!\p{L})/u.test(rest)) return false;
  // A snippet's "… " set off by a space separates; an ellipsis at a word is a pause.
  if (/^(?:\.{2,}|…)/.test(mark) || /\.\s{1,2}$/u.test(body.slice(Math.max(candidate.from, at - 3), at)))
    return /\s/.test(body.charAt(at - 1)) || body.slice(candidate.from, at).trim().split(/\s+/).length >= 4;
  if (!mark.startsWith('.')) return true;
  // A closing quote or bracket after the period: abbreviations seldom stand there.
  if (mark.length > 1 && !/^\.[)\]]/.test(mark)) return true;
  const word =
    /[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}.'’-]*[\p{L}\p{M}\p{N}])?$/u.exec(
      body.slice(Math.max(candidate.from, at - 24), at),
    )?.[0] ?? '';
  return !periodContinues({ ...candidate, word, next, nextWord });
}

function periodContinues(candidate: Candidate & { word: string; next: string; nextWord: string }): boolean {
  const { body, from, at, word, next, nextWord } = candidate;
  const lower = word.toLowerCase();
  const opens = sentenceOpeners.has(nextWord);
  const label = /^(?:\p{N}|[IVXLC]{1,5}\b|[A-Za-z]\b)/u.test(next);
  if (titleAbbreviations.has(lower)) return true;
  if (referenceAbbreviations.has(lower) && label) return true;
  if (neverFinalAbbreviations.has(lower)) return !(opens && /^(?:st|mt|ft)$/.test(lower));
  if (lineLabel.test(body.slice(Math.max(from, at - 48), at)) && isLineStart(body, from)) return true;
  if (otherAbbreviations.has(lower)) return !opens;
  if (/^(?:\p{L}\.)+\p{L}$/u.test(word)) return !opens;
  // An initial, unless it is the letter of a thing ("Terminal C. Lunch is …").
  if (/^\p{Lu}$/u.test(word)) return !opens && !letteredThings.has(wordBefore(body.slice(from, at - 1)));
  // "1. First step": the number opens the sentence.
  if (/^\p{N}{1,3}$/u.test(word)) {
    if (body.slice(from, at).trim() === word) return true;
    if (germanMonths.has(nextWord)) return true;
    return candidate.german && word.length <= 2 && !opens;
  }
  return false;
}

/** What names a clause at the start of its line: "Clause 3. Fuel may not …", "Annex B. Fees". */
const lineLabel = /^\s*\p{Lu}\p{L}{1,20}\s(?:\p{N}{1,3}|[IVXLC]{1,6}|\p{Lu})$/u;

const isLineStart = (body: string, from: number): boolean =>
  from === 0 || /^[^\S\n]*\n/u.test(body.slice(from, from + 24));

const wordBefore = (text: string): string => /(\p{L}{1,20})\s$/u.exec(text.slice(-24))?.[1]?.toLowerCase() ?? '';

function looksGerman(body: string): boolean {
  const sample = body.slice(0, 2_000);
  return (
    (sample.match(/(?:^|\s)(?:der|die|das|und|ist|von|mit|den|im|auf|für|nicht|eine?)(?=\s)/g)?.length ?? 0) * 40 >
    sample.length / 5
  );
}

/** Where an overlong piece may be cut, best first. The cut falls after the match. */
const clauseMarks = [
  /[;；]\s*|\s[–—]\s|[。！？]/gu,
  /[:：]\s|\s\|\s|\t/g,
  /,\s+(?=(?:and|but|or|which|who|while|whereas|und|aber|oder|wobei|während)\s)/g,
  /,\s|[，、،]\s?/g,
  /\s+/g,
];

/** Cuts a piece into parts of at most `maxWords` words, at the clause boundary nearest to the middle. */
function bounded(text: string, span: SourceSpan, maxWords: number): SourceSpan[] {
  const parts: SourceSpan[] = [];
  const pending: SourceSpan[] = [span];
  while (pending.length > 0) {
    const part = pending.pop();
    if (!part) break;
    const body = text.slice(part.start, part.end);
    if (body.length <= maxCharacters && (body.length <= maxWords * 2 || countWords(body) <= maxWords)) {
      parts.push(part);
      continue;
    }
    const cut = part.start + cutOf(body, maxWords);
    const tail = trim(text, cut, part.end);
    const head = trim(text, part.start, cut);
    if (tail) pending.push(tail);
    if (head) pending.push(head);
  }
  return parts;
}

function cutOf(body: string, maxWords: number): number {
  // Looking at the first three pieces' worth at most keeps the cutting of one endless line linear.
  const limit = Math.min(body.length, maxCharacters);
  const window = body.slice(0, limit);
  const words = countWords(window);
  const reach = words > maxWords ? Math.floor((limit * maxWords) / words) : limit;
  const target = words > 2 * maxWords || body.length > limit ? Math.floor(reach * 0.75) : Math.floor(limit / 2);
  for (const mark of clauseMarks) {
    let best = -1;
    for (const match of window.matchAll(mark)) {
      const at = match.index + match[0].length;
      if (at < target * 0.4 || at > target * 1.6 || at >= body.length) continue;
      if (best < 0 || Math.abs(at - target) < Math.abs(best - target)) best = at;
    }
    if (best > 0) return best;
  }
  const at = Math.max(1, Math.min(target, body.length - 1));
  const low = body.charCodeAt(at);
  return low >= 0xdc00 && low <= 0xdfff && at + 1 < body.length ? at + 1 : at;
}
