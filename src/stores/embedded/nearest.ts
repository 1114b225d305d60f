// Search by a given vector in the embedded store: the rows that the filter and the access lists leave are scanned, scores are
// exact, and equal ones are ordered by chunk id. A row that the words' index does not hold (any more) is never a hit.
import { FootnoteError } from '../../core/errors.ts';
import type { Degradation } from '../../core/search.ts';
import { hasBit } from '../../engine/bitmap.ts';
import { entryOfRow } from '../../engine/entry-of-row.ts';
import type { Selection } from '../../engine/query.ts';
import type { SearchState } from '../../engine/search-state.ts';
import { compareCodePoints, stringAt } from '../../engine/strings.ts';
import type { EngineThreads, Searched } from '../../engine/threads/engine-threads.ts';
import { selectVectorRows, type VectorSelection } from '../../engine/vectors/vector-selection.ts';
import type { VectorSnapshot } from '../../engine/vectors/vector-snapshot.ts';
import { parseCursor, printCursor } from '../cursor.ts';
import type { StoreHit, StorePage, StoreQuery } from '../store.ts';
import type { HeldVectors } from './held-vectors.ts';

export interface NearestSearch {
  readonly on: Searched & { readonly snapshot: VectorSnapshot };
  readonly selection: Selection | undefined;
  readonly vectors: HeldVectors;
}

/** How many hits one query can page through. */
const deepestRank = 10_000;

const known = new WeakMap<Selection, { readonly snapshot: VectorSnapshot; readonly selection: VectorSelection }>();

/** The selected entries as ranges of rows. */
function* rangesOf({ parts }: SearchState, selection: Selection): Generator<readonly [number, number]> {
  for (const [index, { segment }] of parts.entries()) {
    const bits = selection[index];
    if (!bits) continue;
    let first = -1;
    for (let slot = 0; slot <= segment.rows.length; slot++) {
      const inside = slot < segment.rows.length && hasBit(bits, slot);
      if (inside && first === -1) first = slot;
      if (inside || first === -1) continue;
      yield [segment.rows[first] as number, segment.rows[slot - 1] as number];
      first = -1;
    }
  }
}

function vectorSelectionOf(state: SearchState, selection: Selection, snapshot: VectorSnapshot): VectorSelection {
  const present = known.get(selection);
  if (present?.snapshot === snapshot) return present.selection;
  const made = selectVectorRows(snapshot, rangesOf(state, selection));
  known.set(selection, { snapshot, selection: made });
  return made;
}

/** What a search by vector cannot see. */
export function missingVectors({ index, damaged, space }: HeldVectors, chunks: number): Degradation[] {
  const missing = chunks - index.count();
  if (missing <= 0) return [];
  const damage = damaged().length > 0 ? '; some were damaged' : '';
  return [
    {
      component: 'embedded',
      code: 'vectors-missing',
      detail: `${missing} of ${chunks} chunks have no vector of ${space.name}${damage}`,
      effect: 'Some of what is there is found by its words alone, not by its meaning.',
    },
  ];
}

export interface NearestOptions {
  readonly threads: EngineThreads;
  readonly signal: AbortSignal | undefined;
  /** Told the row of each hit. */
  told(chunkId: string, row: number): void;
}

export async function findNearest(
  query: StoreQuery,
  { on, selection, vectors }: NearestSearch,
  { threads, signal, told }: NearestOptions,
): Promise<Omit<StorePage, 'degraded'>> {
  const { limit, vector } = query;
  if (!vector)
    throw new FootnoteError('invalid-request', 'A search by vector needs `vector`: the embedding of the query.');
  const after = parseCursor(query);
  const depth = (after?.rank ?? 0) + limit + 1;
  if (depth > deepestRank + 1)
    throw new FootnoteError('invalid-request', `At most ${deepestRank} hits of a query can be read page by page.`);
  const { state, snapshot } = on;
  const selected = selection && vectorSelectionOf(state, selection, snapshot);
  const nearest = await threads.nearest(
    on,
    { vector, limit: depth, ...(selected ? { selection: selected } : {}) },
    signal,
  );
  const found: StoreHit[] = [];
  for (const [place, row] of nearest.rows.entries()) {
    const entry = entryOfRow(state, row);
    const segment = entry && state.parts[entry.part]?.segment;
    if (!entry || !segment) continue;
    const score = nearest.scores[place] as number;
    const chunkId = stringAt(segment.keys, entry.slot);
    if (after && (score > after.score || (score === after.score && compareCodePoints(chunkId, after.chunkId) <= 0)))
      continue;
    told(chunkId, row);
    found.push({
      chunkId,
      documentId: stringAt(segment.groups, segment.groupOf[entry.slot] as number),
      score,
      scores: { vector: score },
      rank: (after?.rank ?? 0) + found.length + 1,
      ...(query.explain ? { explanation: explain(vectors, snapshot, score) } : {}),
    });
  }
  const hits = found.slice(0, limit);
  const last = hits.at(-1);
  return found.length > limit && last ? { hits, nextCursor: printCursor(query, last) } : { hits };
}

function explain({ space }: HeldVectors, { entries }: VectorSnapshot, score: number) {
  const measure = space.metric === 'cosine' ? 'cosine similarity' : 'dot product';
  return {
    terms: [],
    notes: [`${measure} ${score.toFixed(4)} with the query in ${space.name}, of ${entries} vectors; scored exactly`],
  };
}
