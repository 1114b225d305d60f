// Narrows long chunks to the passages in them that speak of the question, so that a small token budget reads from many
// chunks instead of two. A passage is a run of whole sentences of one chunk: exact offsets, the same chunk. After passage
// retrieval by sliding windows (Callan 1994). Pure.
import type { Evidence } from '../../core/search.ts';
import { declarationTest } from '../../text/declarations.ts';
import { definedIn, isDefinition } from '../../text/definitions.ts';
import type { PassageEvidence } from '../claims/draft.ts';
import { termSet, termsOf } from '../question/terms.ts';
import { headersOf, joinRecords } from './joined-pieces.ts';
import { captionsOf, isAsking } from './read-along.ts';
import { passageTokens, readPieces } from './readings.ts';

export interface PassageOptions {
  /** Chunks up to this many tokens stay whole; passages aim at no more. */
  readonly passageTokens: number;
  /** Most passages of one chunk. */
  readonly passagesPerChunk: number;
  readonly countTokens: (text: string) => number;
  readonly language?: string;
}

interface Window {
  readonly from: number;
  readonly to: number;
  readonly found: ReadonlySet<string>;
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly terms: ReadonlySet<string>;
  /** Caption and header of the table that it is a row of. */
  readonly above: string;
  /** The question that it follows, as far as that is near. */
  readonly asked: string;
  /** Heading or question. */
  readonly opens: boolean;
}

/** How much of a chunk's score its weakest passage keeps. */
const floor = 0.5;

/** Evidence in the same order, each long chunk replaced by its best passages, best first. */
export function narrowToPassages(
  question: string,
  evidence: readonly Evidence[],
  options: PassageOptions,
): PassageEvidence[] {
  const wanted = termSet(question, options.language);
  const defined = definedIn(question);
  const declared = declarationTest(question);
  if (defined !== undefined || declared !== undefined) wanted.add(answering);
  const long = new Map<Evidence, { pieces: Piece[]; windows: Window[] }>();
  for (const item of evidence) {
    // Four characters a token in Latin script, one or two elsewhere: only what may be long is counted.
    if (
      item.text.length <= options.passageTokens ||
      passageTokens(item.text, options.countTokens) <= options.passageTokens * 1.5
    )
      continue;
    const isCode = item.sourceType === 'code';
    const answers = (piece: string): boolean =>
      (defined !== undefined && isDefinition(defined, piece)) || declared?.(piece, isCode) === true;
    const pieces = piecesOf(item.text, { wanted, answers }, options);
    long.set(item, { pieces, windows: windowsOf(pieces, options.passageTokens) });
  }
  if (long.size === 0) return [...evidence];
  const weights = rarity(
    wanted,
    [...long.values()].flatMap(({ windows }) => windows),
  );
  const weigh = (terms: Iterable<string>): number =>
    [...terms].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
  const best = Math.max(...[...long.values()].flatMap(({ windows }) => windows.map(({ found }) => weigh(found))), 1e-9);
  return evidence.flatMap((item) => {
    const cut = long.get(item);
    if (cut === undefined) return [item];
    return choose(cut, options.passagesPerChunk, weigh).map(({ from, to, found }) => {
      const first = cut.pieces[from];
      const start = first?.start ?? 0;
      const end = cut.pieces[to - 1]?.end ?? item.text.length;
      return {
        ...item,
        text: item.text.slice(start, end),
        start: item.start + start,
        end: item.start + end,
        score: item.score * (floor + (1 - floor) * (weigh(found) / best)),
        ...(first && from > 0 && first.above !== '' && { above: first.above }),
        ...(first && from > 0 && first.asked !== '' && { askedAbove: first.asked }),
      };
    });
  });
}

/** Stands for what the form of a question asks for, as if it were a word that the question wants: what something is, who wrote it. */
const answering = '\u0000answering';

interface Wanted {
  readonly wanted: ReadonlySet<string>;
  readonly answers: (piece: string) => boolean;
}

function piecesOf(text: string, { wanted, answers }: Wanted, options: PassageOptions): Piece[] {
  const pieces = joinRecords(text, readPieces(text, options.language), (first, next) => ({
    ...first,
    terms: new Set([...first.terms, ...next.terms]),
  }));
  const headers = headersOf(pieces, text);
  const written = pieces.map((piece) => ({ ...piece, text: text.slice(piece.start, piece.end) }));
  const captions = new Map<number, string>();
  for (const { caption, rows } of captionsOf(written))
    for (const { start } of rows) captions.set(start, `${captions.get(start) ?? ''} ${caption.text}`.trim());
  let asked = '';
  let distance = 0;
  let isRun = false;
  return written.map((read, at) => {
    const { start, end, kind, text: piece, terms: all } = read;
    const header = headers.get(pieces[at] as (typeof pieces)[number]);
    const caption = captions.get(start) ?? '';
    // A row is read with the names of its columns and its caption, wherever they stand.
    const named = [
      ...(header?.terms ?? []),
      ...(caption === '' ? [] : termsOf(caption, options.language).map(({ term }) => term)),
    ];
    const terms = new Set([...all, ...named].filter((term) => wanted.has(term)));
    const isAnswering = wanted.has(answering) && answers(piece);
    if (isAnswering) terms.add(answering);
    // Of several bylines the first opens.
    const opensRun = isAnswering && !isRun;
    isRun ||= isAnswering;
    const above = `${caption} ${header ? text.slice(header.start, header.end) : ''}`.trim();
    const follows = distance < nearestAsked ? asked : '';
    distance += 1;
    if (kind === 'heading' || isAsking(piece)) {
      asked = isAsking(piece) ? piece : '';
      distance = 0;
    }
    return {
      start,
      end,
      tokens: options.countTokens(piece),
      terms,
      above,
      asked: follows,
      opens: distance === 0 || opensRun,
    };
  });
}
/** Pieces after a question that may still be its answer. */
const nearestAsked = 4;

/** From every piece on, as many pieces as fit. */
function windowsOf(pieces: readonly Piece[], limit: number): Window[] {
  const windows: Window[] = [];
  for (let from = 0; from < pieces.length; from += 1) {
    const found = new Set<string>();
    let tokens = 0;
    let to = from;
    for (
      let piece = pieces[to];
      piece !== undefined && (to === from || tokens + piece.tokens <= limit);
      piece = pieces[to]
    ) {
      tokens += piece.tokens;
      for (const term of piece.terms) found.add(term);
      to += 1;
    }
    windows.push({ from, to, found });
    if (to === pieces.length) break;
  }
  return windows;
}

/** Inverse document frequency of each wanted term over the windows. */
function rarity(wanted: ReadonlySet<string>, windows: readonly Window[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const term of wanted) {
    const holding = windows.filter(({ found }) => found.has(term)).length;
    weights.set(term, Math.log(1 + (windows.length - holding + 0.5) / (holding + 0.5)));
  }
  return weights;
}

/**
 * Of windows that follow each other and hold the same, the last one that begins with a heading or question, else the one in the middle: what was found
 * has its neighbours on both sides.
 */
function beginOf(from: number, pieces: readonly Piece[], isAsGood: (from: number) => boolean): number {
  let to = from;
  while (isAsGood(to + 1)) to += 1;
  for (let at = to; at > from; at -= 1) if (pieces[at]?.opens) return at;
  return pieces[from]?.opens ? from : Math.floor((from + to) / 2);
}

/** The best windows that do not overlap; the opening of a chunk in which nothing was found. */
function choose(
  { windows, pieces }: { readonly windows: readonly Window[]; readonly pieces: readonly Piece[] },
  limit: number,
  weigh: (terms: Iterable<string>) => number,
): Window[] {
  const ranked = windows
    .map((window) => ({ window, weight: weigh(window.found) }))
    .sort((a, b) => b.weight - a.weight || a.window.from - b.window.from);
  const weights = new Map(ranked.map(({ window, weight }) => [window.from, weight]));
  const chosen: Window[] = [];
  const seen = new Set<string>();
  for (const { window: best, weight } of ranked) {
    const begin = weight === 0 ? best.from : beginOf(best.from, pieces, (from) => weights.get(from) === weight);
    const window = windows[begin] ?? best;
    if (chosen.length === limit) break;
    if (chosen.length > 0 && (weight === 0 || [...window.found].every((term) => seen.has(term)))) continue;
    if (chosen.some((other) => window.from < other.to && other.from < window.to)) continue;
    chosen.push(window);
    for (const term of window.found) seen.add(term);
  }
  return chosen;
}
