// Cuts a document into the pieces that are searched (SPEC I2): sections first, then paragraphs, lines, sentences, words.
// Every chunk is a slice of the canonical text, chunks are in order, and together they cover all of its non-space text that is not
// boilerplate, unless there is nothing else.
import type { Block, Chunk, ParsedDocument, SourceSpan } from '../../core/document.ts';
import { placeOf, placesOf } from '../../core/documents/places.ts';
import { chunkIdOf, sha256 } from '../../core/ids.ts';
import { countTokens, indexTokens, type TokenIndex } from '../../text/tokens/tokens.ts';
import { boilerplateOf } from './boilerplate.ts';
import { headingsWithin } from './chunk-headings.ts';
import { columnNames } from './table-headers.ts';

export interface ChunkOptions {
  readonly documentId: string;
  /** SHA-256 of the canonical text. */
  readonly textHash: string;
  /** Of the document: a heading that only repeats it is no place. Default: what the file says. */
  readonly title?: string;
  /** Most o200k_base tokens of a chunk, its overlap included. */
  readonly maxTokens?: number;
  /** Most tokens that a chunk repeats of the one before it, within one section. */
  readonly overlapTokens?: number;
  /** A section shorter than this joins a neighbour where both fit into one chunk. */
  readonly minTokens?: number;
}

/** A run of text under one path of headings or symbols. */
interface Section {
  readonly start: number;
  readonly end: number;
  readonly path: readonly string[];
  readonly tokens: number;
  /** It was joined of parts under different headings: it is no frame of what follows. */
  readonly isMixed?: boolean;
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly path: readonly string[];
}

interface CountedPiece extends Piece {
  readonly tokens: number;
}

export function chunkDocument(parsed: ParsedDocument, options: ChunkOptions): Chunk[] {
  const maxTokens = Math.max(8, options.maxTokens ?? 1000);
  const overlapTokens = Math.min(options.overlapTokens ?? 100, Math.floor(maxTokens / 2));
  const minTokens = Math.min(options.minTokens ?? 100, maxTokens);
  const { text } = parsed;
  const gaps = boilerplateOf(parsed);
  const limits = { maxTokens, overlapTokens, minTokens };
  const whole = gaps.length === 0 ? wholePiece(parsed, maxTokens) : undefined;
  const pieces = whole ?? cutPieces(parsed, gaps, limits);
  const lines = parsed.citeByLine ? lineStarts(text) : undefined;
  const columnsAt = columnNames(parsed);
  const headingsAt = headingsWithin(parsed);
  const places = placesOf(parsed, { title: options.title ?? parsed.title ?? '', citeByLine: parsed.citeByLine });
  return pieces.map((piece, ordinal) => {
    const content = text.slice(piece.start, piece.end);
    const pages = pagesOf(parsed, piece);
    const place = placeOf(places, piece);
    const columns = columnsAt(piece);
    return {
      id: chunkIdOf(options.documentId, options.textHash, piece),
      documentId: options.documentId,
      ordinal,
      start: piece.start,
      end: piece.end,
      text: content,
      hash: content.length === text.length ? options.textHash : sha256(content),
      headingPath: columns === undefined ? piece.path : [...piece.path, columns],
      ...(parsed.headings.length > 0 && { headings: headingsAt(piece) }),
      ...(pages === undefined ? {} : { pages }),
      ...(lines === undefined
        ? {}
        : { lines: [lineAt(lines, piece.start), lineAt(lines, Math.max(piece.start, piece.end - 1))] as const }),
      ...(place === undefined ? {} : { place }),
      tokens: piece.tokens,
    };
  });
}

/** A short text without sections that fits into one chunk: most lines of JSONL. It is counted once. */
function wholePiece({ text, headings, blocks }: ParsedDocument, maxTokens: number): CountedPiece[] | undefined {
  if (text.length > 4 * maxTokens || headings.length > 0 || blocks.some((block) => block.symbol !== undefined))
    return undefined;
  const trimmed = trim(text, 0, text.length);
  if (trimmed === undefined) return [];
  const tokens = countTokens(text.slice(trimmed.start, trimmed.end));
  return tokens <= maxTokens ? [{ ...trimmed, path: [], tokens }] : undefined;
}

function cutPieces(
  parsed: ParsedDocument,
  gaps: readonly SourceSpan[],
  limits: Pick<SplitContext, 'maxTokens' | 'overlapTokens' | 'minTokens'>,
): CountedPiece[] {
  const { text } = parsed;
  const tokens = indexTokens(text);
  const cuts = cutPoints(parsed);
  const sections = mergeShort(sectionsOf(parsed, gaps, tokens), gaps, limits);
  return sections.flatMap((section) => splitWithin(section, text, { tokens, cuts, ...limits }));
}

/** Cuts the text wherever its path of headings and symbols changes, and leaves the gaps out. */
function sectionsOf(
  { text, headings, blocks }: ParsedDocument,
  gaps: readonly SourceSpan[],
  tokens: TokenIndex,
): Section[] {
  const symbols = blocks.filter((block) => block.symbol !== undefined);
  const borders = new Set<number>([0, text.length]);
  for (const heading of headings) borders.add(heading.start).add(heading.end);
  for (const symbol of symbols) borders.add(symbol.start).add(symbol.end);
  for (const gap of gaps) borders.add(gap.start).add(gap.end);
  const sorted = [...borders].filter((border) => border >= 0 && border <= text.length).sort((a, b) => a - b);
  const governing = nested(headings);
  const enclosing = nested(symbols);
  const leftOut = nested(gaps);
  const sections: Section[] = [];
  for (let index = 0; index + 1 < sorted.length; index++) {
    const from = sorted[index] ?? 0;
    const trimmed = trim(text, from, sorted[index + 1] ?? 0);
    if (trimmed === undefined || leftOut(from).length > 0) continue;
    const symbol = enclosing(from).at(-1)?.symbol;
    const path = [
      ...governing(from).map((heading) => heading.title),
      ...(symbol === undefined ? [] : symbol.split(' > ')),
    ];
    sections.push({ ...trimmed, path, tokens: tokens.between(trimmed.start, trimmed.end) });
  }
  return sections;
}

/** Answers, for growing positions, which of some nested ranges hold the position, outermost first. */
function nested<T extends { readonly start: number; readonly end: number }>(
  ranges: readonly T[],
): (at: number) => readonly T[] {
  const sorted = [...ranges].sort((a, b) => a.start - b.start || b.end - a.end);
  const open: T[] = [];
  let next = 0;
  return (at) => {
    for (let range = sorted[next]; range !== undefined && range.start <= at; range = sorted[++next]) open.push(range);
    for (let index = open.length - 1; index >= 0; index--) if ((open[index]?.end ?? 0) <= at) open.splice(index, 1);
    return open;
  };
}

/**
 * Joins short sections: forward, since a heading with little under it introduces what follows, else to the one before.
 * A joined section keeps the path that its parts share, or that of the part which a short frame (a heading without
 * text, the braces of a class) only surrounds.
 */
function mergeShort(
  sections: readonly Section[],
  gaps: readonly SourceSpan[],
  limits: { minTokens: number; maxTokens: number },
): Section[] {
  const merged: Section[] = [];
  const gapStarts = gaps.map((gap) => gap.start);
  let current: Section | undefined;
  for (const section of sections) {
    if (current === undefined) {
      current = section;
    } else if (
      range(gapStarts, current.end, section.start).next().done &&
      (current.tokens < limits.minTokens || section.tokens < limits.minTokens) &&
      current.tokens + section.tokens + 2 <= limits.maxTokens
    ) {
      const path = joinedPath(current, section, limits.minTokens);
      const isMixed = current.isMixed || path.length < Math.min(current.path.length, section.path.length);
      const tokens = current.tokens + section.tokens + 2;
      current = { start: current.start, end: section.end, path, tokens, isMixed };
    } else {
      merged.push(current);
      current = section;
    }
  }
  if (current !== undefined) merged.push(current);
  return merged;
}

function joinedPath(left: Section, right: Section, minTokens: number): readonly string[] {
  const shared = sharedPath(left.path, right.path);
  if (shared.length === left.path.length && left.tokens < minTokens && !left.isMixed) return right.path;
  if (shared.length === right.path.length && right.tokens < minTokens) return left.path;
  return shared;
}

function sharedPath(left: readonly string[], right: readonly string[]): readonly string[] {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return left.slice(0, length);
}

interface SplitContext {
  readonly tokens: TokenIndex;
  readonly cuts: readonly number[];
  readonly maxTokens: number;
  readonly overlapTokens: number;
  readonly minTokens: number;
}

/** The index may count a token less than there is, at a cut inside a long run: then the section is split with that less. */
function splitWithin(section: Section, text: string, context: SplitContext): CountedPiece[] {
  for (let { maxTokens } = context; ; ) {
    const pieces = splitSection(section, text, { ...context, maxTokens }).map((piece) => ({
      ...piece,
      tokens: countTokens(text.slice(piece.start, piece.end)),
    }));
    const excess = pieces.reduce((most, piece) => Math.max(most, piece.tokens), 0) - context.maxTokens;
    if (excess <= 0 || maxTokens <= context.maxTokens * 0.75) return pieces;
    maxTokens -= 1;
  }
}

/** Splits a section that is too long into pieces of about equal length, each beginning with the end of the one before. */
function splitSection(section: Section, text: string, context: SplitContext): Piece[] {
  const { tokens, maxTokens, overlapTokens, minTokens } = context;
  const { path } = section;
  if (tokens.between(section.start, section.end) <= maxTokens)
    return [{ start: section.start, end: section.end, path }];
  const pieces: Piece[] = [];
  let cut = section.start;
  while (cut < section.end) {
    const start =
      cut === section.start
        ? cut
        : skipSpace(text, overlapStart(pieces.at(-1)?.start ?? section.start, cut, text, context));
    const rest = tokens.between(cut, section.end);
    if (tokens.between(start, section.end) <= maxTokens) {
      pieces.push({ start, end: section.end, path });
      break;
    }
    const count = Math.ceil(rest / (maxTokens - overlapTokens));
    const target = Math.max(Math.ceil(rest / Math.max(1, count)), minTokens);
    const furthest = Math.min(section.end, tokens.reach(start, maxTokens));
    const wanted = Math.min(furthest, tokens.reach(cut, target));
    const earliest = tokens.reach(cut, Math.floor(target / 2));
    const end = bestCut(
      text,
      { from: Math.max(cut + 1, earliest), wanted, to: Math.max(cut + 1, furthest) },
      context.cuts,
    );
    const trimmed = trim(text, start, end);
    if (trimmed !== undefined && trim(text, cut, end) !== undefined) pieces.push({ ...trimmed, path });
    cut = skipSpace(text, end);
  }
  return pieces;
}

/**
 * Where the overlap of a piece begins: a sentence or line, else a word, within the allowed tokens before the cut and after
 * `before`, where the piece before begins.
 */
function overlapStart(before: number, cut: number, text: string, context: SplitContext): number {
  // The index may count a token less than there is inside a long run: then a little less is repeated.
  for (let allowed = context.overlapTokens; allowed > 0; allowed = Math.floor(allowed * 0.9)) {
    const start = overlapWithin(allowed, { before, cut, text, tokens: context.tokens });
    if (countTokens(text.slice(start, cut)) <= context.overlapTokens) return start;
  }
  return cut;
}

function overlapWithin(
  allowed: number,
  { before, cut, text, tokens }: { before: number; cut: number; text: string; tokens: TokenIndex },
): number {
  const earliest = Math.max(before, tokens.reachBack(cut, allowed));
  if (earliest >= cut) return cut;
  const said = text.slice(earliest, cut).trimEnd();
  for (const pattern of [/\n\s*\n\s*/g, sentenceEnd(), /\n\s*/g, /\s+/g]) {
    const match = pattern.exec(said);
    if (match !== null && earliest + match.index + match[0].length < cut)
      return earliest + match.index + match[0].length;
  }
  const start = wholeCharacter(text, earliest);
  // The whole piece before would be said again: then nothing of it is.
  return start > before ? start : cut;
}

/** The best place to cut in a window: between blocks, then paragraphs, lines, sentences, words; else anywhere allowed. */
function bestCut(text: string, window: { from: number; wanted: number; to: number }, cuts: readonly number[]): number {
  const { from, wanted, to } = window;
  const nearest = (positions: Iterable<number>): number | undefined => {
    let best: number | undefined;
    for (const position of positions) {
      if (position < from || position > to) continue;
      if (best === undefined || Math.abs(position - wanted) < Math.abs(best - wanted)) best = position;
    }
    return best;
  };
  const between = nearest(range(cuts, from, to));
  if (between !== undefined) return between;
  const slice = text.slice(from, to);
  for (const pattern of [/\n[^\S\n]*\n/g, /\n/g, sentenceEnd(), /\s/g]) {
    const found = nearest(matchEnds(slice, pattern, from));
    if (found !== undefined) return found;
  }
  return Math.max(from, wholeCharacter(text, to));
}

function sentenceEnd(): RegExp {
  return /[.!?…][\p{Pe}\p{Pf}"']*\s+|[。！？｡][\p{Pe}\p{Pf}]*/gu;
}

function* matchEnds(text: string, pattern: RegExp, offset: number): Generator<number> {
  for (const match of text.matchAll(pattern)) yield offset + match.index + match[0].length;
}

function* range(sorted: readonly number[], from: number, to: number): Generator<number> {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  for (let index = low; index < sorted.length && (sorted[index] ?? 0) <= to; index++) yield sorted[index] ?? 0;
}

/** Starts of blocks, but for what follows a heading: a heading is not left alone at the end of a chunk. */
function cutPoints({ blocks }: ParsedDocument): number[] {
  const sorted = [...blocks].sort((a: Block, b: Block) => a.start - b.start);
  const points = sorted
    .filter((_, index) => index > 0 && sorted[index - 1]?.kind !== 'heading')
    .map((block) => block.start);
  return [...new Set(points)];
}

/** Moves a position back so that it does not cut a surrogate pair or part a character from its marks or joiners. */
function wholeCharacter(text: string, position: number): number {
  for (let at = position; at > Math.max(0, position - 32); at--) {
    const next = text.codePointAt(at);
    if (next === undefined) return at;
    const isTail = next >= 0xdc00 && next <= 0xdfff;
    const joins =
      text.charCodeAt(at - 1) === 0x200d ||
      /^(?:\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}])$/u.test(String.fromCodePoint(next));
    if (!isTail && !joins) return at;
  }
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff ? position - 1 : position;
}

/** The range without surrounding white space; undefined if nothing is left. */
function trim(text: string, from: number, to: number): { start: number; end: number } | undefined {
  const start = skipSpace(text, from);
  if (start >= to) return undefined;
  const content = text.slice(start, to);
  return { start, end: start + content.trimEnd().length };
}

function skipSpace(text: string, from: number): number {
  const pattern = /\S/g;
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

function pagesOf({ pages }: ParsedDocument, piece: Piece): readonly [number, number] | undefined {
  let first: number | undefined;
  let last: number | undefined;
  for (const page of pages) {
    if (page.start >= piece.end) break;
    if (page.end <= piece.start || page.start === page.end) continue;
    first ??= page.number;
    last = page.number;
  }
  return first === undefined || last === undefined ? undefined : [first, last];
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The line, from 1, that holds a position. */
function lineAt(starts: readonly number[], position: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
