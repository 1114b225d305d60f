// One query in several modes side by side: rank and score of every hit in each, and how far two modes agree. A hit that a mode
// did not return among as many as were asked for has no rank there.
import type { Degradation, Evidence, Mode, SearchResponse } from '../../core/search.ts';
import { type Terminal, toPrintable, toTable } from '../terminal/terminal.ts';
import { oneLine, renderDegraded, shorten, spot } from './render.ts';

export interface Overlap {
  readonly modes: readonly [Mode, Mode];
  /** Hits that both have among their first `at`. */
  readonly shared: number;
  readonly at: number;
}

export interface Comparison {
  readonly query: string;
  /** In the order asked for. */
  readonly searches: readonly SearchResponse[];
  readonly overlap: readonly Overlap[];
}

/** Hits that the overlap counts: a page of results. */
const overlapDepth = 10;

/** The overlap of every two searches of one query; where both found fewer than ten, of as many as there are. */
export function compareSearches(query: string, searches: readonly SearchResponse[]): Comparison {
  const overlap: Overlap[] = [];
  for (const [place, left] of searches.entries()) {
    const first = new Set(left.results.slice(0, overlapDepth).map(({ chunkId }) => chunkId));
    for (const right of searches.slice(place + 1)) {
      const second = right.results.slice(0, overlapDepth);
      const shared = second.filter(({ chunkId }) => first.has(chunkId)).length;
      overlap.push({ modes: [left.mode, right.mode], shared, at: Math.max(first.size, second.length) });
    }
  }
  return { query, searches, overlap };
}

interface Row {
  readonly evidence: Evidence;
  /** By search: rank from 1 and score; undefined where it was not returned. */
  readonly standings: ({ rank: number; score: number } | undefined)[];
}

function rowsOf(searches: readonly SearchResponse[]): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const [place, { results }] of searches.entries())
    for (const [at, evidence] of results.entries()) {
      const row = rows.get(evidence.chunkId) ?? { evidence, standings: searches.map(() => undefined) };
      rows.set(evidence.chunkId, row);
      row.standings[place] = { rank: at + 1, score: evidence.score };
    }
  // By the best rank in any mode; of equals the one that comes first in the first mode.
  const bestOf = ({ standings }: Row): number => Math.min(...standings.map((one) => one?.rank ?? Infinity));
  return [...rows.values()].sort((left, right) => bestOf(left) - bestOf(right));
}

export function renderComparison(terminal: Terminal, { searches, overlap }: Comparison): void {
  const rows = rowsOf(searches);
  if (rows.length === 0) terminal.line('Nothing found.');
  else {
    const cells = rows.map(({ evidence, standings }) => {
      const path = evidence.headingPath.filter((heading) => heading !== evidence.title);
      const heading = path.length > 0 ? ` › ${path.join(' › ')}` : '';
      const title = `${oneLine(evidence.title)}${spot(evidence)}${heading}`;
      return [
        ...standings.map((one) => (one ? `${one.rank}`.padStart(2).padEnd(4) + one.score.toFixed(3) : ' -')),
        toPrintable(shorten(title, 60)),
      ];
    });
    const [head, ...lines] = toTable([[...searches.map(({ mode }) => mode), 'title'], ...cells]);
    terminal.line(terminal.paint('bold', head ?? ''));
    for (const line of lines) terminal.line(line);
    if (overlap.length > 0) terminal.line();
    for (const { modes, shared, at } of overlap)
      terminal.line(`${modes.join(' and ')}: ${shared} of the first ${at} in common`);
  }
  const notes = notesOf(searches);
  if (notes.length > 0) terminal.line();
  renderDegraded(terminal, notes);
}

/** What each mode had to do without, once each, with the modes that it befell where not all. */
function notesOf(searches: readonly SearchResponse[]): readonly Degradation[] {
  const notes = new Map<string, { one: Degradation; modes: Mode[] }>();
  for (const { mode, degraded } of searches)
    for (const one of degraded) {
      const key = JSON.stringify(one);
      const present = notes.get(key) ?? { one, modes: [] };
      notes.set(key, present);
      present.modes.push(mode);
    }
  return [...notes.values()].map(({ one, modes }) =>
    modes.length === searches.length ? one : { ...one, component: `${one.component}, mode ${modes.join(' and ')}` },
  );
}
