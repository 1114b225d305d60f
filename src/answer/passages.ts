// Narrows long chunks to the passages in them that speak of the question, so that a small token budget reads from many
// chunks instead of two. A passage is a run of whole sentences of one chunk: exact offsets, the same chunk. After passage
// retrieval by sliding windows (Callan 1994). Pure.
import type { Evidence } from '../core/search.ts';
import { passageTokens, readPieces } from './readings.ts';
import { headersOf, joinRecords } from './table-pieces.ts';
import { termsOf } from './terms.ts';

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
}

/** How much of a chunk's score its weakest passage keeps. */
const floor = 0.5;

/** Evidence in the same order, each long chunk replaced by its best passages, best first. */
export function narrowToPassages(question: string, evidence: readonly Evidence[], options: PassageOptions): Evidence[] {
  const wanted = new Set(termsOf(question, options.language).map(({ term }) => term));
  const long = new Map<Evidence, { pieces: Piece[]; windows: Window[] }>();
  for (const item of evidence) {
    // Four characters a token in Latin script, one or two elsewhere: only what may be long is counted.
    if (
      item.text.length <= options.passageTokens ||
      passageTokens(item.text, options.countTokens) <= options.passageTokens * 1.5
    )
      continue;
    const pieces = piecesOf(item.text, wanted, options);
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
    return choose(cut.windows, options.passagesPerChunk, weigh).map(({ from, to, found }) => {
      const start = cut.pieces[from]?.start ?? 0;
      const end = cut.pieces[to - 1]?.end ?? item.text.length;
      return {
        ...item,
        text: item.text.slice(start, end),
        start: item.start + start,
        end: item.start + end,
        score: item.score * (floor + (1 - floor) * (weigh(found) / best)),
      };
    });
  });
}

function piecesOf(text: string, wanted: ReadonlySet<string>, options: PassageOptions): Piece[] {
  const pieces = joinRecords(text, readPieces(text, options.language), (first, next) => ({
    ...first,
    terms: new Set([...first.terms, ...next.terms]),
  }));
  const headers = headersOf(pieces, text);
  return pieces.map((read) => {
    const { start, end, terms: all } = read;
    const piece = text.slice(start, end);
    // A row is read with the names of its columns, wherever its header stands.
    const terms = new Set([...all, ...(headers.get(read)?.terms ?? [])].filter((term) => wanted.has(term)));
    return { start, end, tokens: options.countTokens(piece), terms };
  });
}

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

/** The best windows that do not overlap; the opening of a chunk in which nothing was found. */
function choose(windows: readonly Window[], limit: number, weigh: (terms: Iterable<string>) => number): Window[] {
  const ranked = windows
    .map((window) => ({ window, weight: weigh(window.found) }))
    .sort((a, b) => b.weight - a.weight || a.window.from - b.window.from);
  const chosen: Window[] = [];
  const seen = new Set<string>();
  for (const { window, weight } of ranked) {
    if (chosen.length === limit) break;
    if (chosen.length > 0 && (weight === 0 || [...window.found].every((term) => seen.has(term)))) continue;
    if (chosen.some((other) => window.from < other.to && other.from < window.to)) continue;
    chosen.push(window);
    for (const term of window.found) seen.add(term);
  }
  return chosen;
}
