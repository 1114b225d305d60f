// All turns that share a term with a query, with BM25 scores (k1 0.9, b 0.5; Robertson and Zaragoza 2009) and whose words matched. Scores
// rest on what the caller may see and on the conversation that is looked into, so that what is hidden from somebody does not show in them.
import { inPieces } from '../../../core/waiting/pieces.ts';
import type { ArchiveIndex } from './index.ts';
import { frequencyOf, type Postings, rolesOf } from './postings.ts';

export interface TurnSearch {
  /** As the analyzer gives them: a term that stands twice counts twice. */
  readonly terms: readonly string[];
  /** Of those whose conversations may be read; undefined: all. */
  readonly owners?: ReadonlySet<string>;
  /** Row of the only conversation that is looked into. */
  readonly conversation?: number;
  /** Half open. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

export interface TurnHits {
  /** Places of hits, in no order. */
  readonly places: Uint32Array;
  /** By place: 0 where there is no hit. */
  readonly scores: Float32Array;
  /** By place: bits of the roles whose words matched. */
  readonly roles: Uint8Array;
  /** Turns that the filters leave, whether they hit or not. */
  readonly turns: number;
  /** Whether the filters leave a turn. */
  admits(place: number): boolean;
  /** Authors whom the query names. */
  readonly authors: ReadonlySet<number>;
}

const k1 = 0.9;
const b = 0.5;
/** Names of those who speak say whom to listen to, not what is spoken of: they hardly count as words. */
const nameWeight = 0.05;

interface ScoredTerm {
  readonly term: string;
  readonly weight: number;
}

function termsOf(index: ArchiveIndex, terms: readonly string[]) {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const named = new Map([...counts.keys()].map((term) => [term, index.authorsNamed(term)] as const));
  const isNameOnly = [...named.values()].every(({ length }) => length > 0);
  const authors = new Set([...named.values()].flat());
  const scored: ScoredTerm[] = [...counts].map(([term, count]) => ({
    term,
    weight: !isNameOnly && (named.get(term)?.length ?? 0) > 0 ? nameWeight * count : count,
  }));
  return { scored, authors };
}

export async function searchTurns(index: ArchiveIndex, search: TurnSearch): Promise<TurnHits> {
  const { columns, pieces } = index;
  const { size, conversations, atMs, owners, lengths } = columns;
  const pause = inPieces();
  const mayRead = Uint8Array.from(index.owners, (owner) => (search.owners?.has(owner) === false ? 0 : 1));
  const { conversation, fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY } = search;
  const isTimed = search.fromMs !== undefined || search.toMs !== undefined;
  const isOpen = conversation === undefined && !mayRead.includes(0);
  const inScope = (place: number): boolean => {
    const own = conversations[place] as number;
    return own !== 0 && (conversation === undefined || own === conversation) && mayRead[owners[place] as number] === 1;
  };
  const inTime = (place: number): boolean => {
    if (!isTimed) return true;
    const ms = atMs[place] as number;
    return ms >= fromMs && ms < toMs;
  };

  let turns = 0;
  let admitted = 0;
  let length = 0;
  for (let place = 0; place < size; place++)
    if (inScope(place)) {
      turns += 1;
      length += lengths[place] as number;
      if (inTime(place)) admitted += 1;
    }
  const average = turns === 0 ? 1 : Math.max(1, length / turns);

  const { scored, authors } = termsOf(index, search.terms);
  const scores = new Float32Array(size);
  const roles = new Uint8Array(size);
  const places = new Uint32Array(size);
  let found = 0;
  const located = pieces.map(({ piece, places: own }) => ({ own, lists: scored.map(({ term }) => piece.find(term)) }));
  const frequencies = new Float64Array(scored.length);
  for (const { own, lists } of located) {
    for (const [at, list] of lists.entries())
      if (list)
        frequencies[at] =
          (frequencies[at] as number) + (isOpen ? list.to - list.from : countInScope(list, own, inScope));
    await pause();
  }
  const impacts = scored.map(({ weight }, at) => {
    const known = Math.min(frequencies[at] as number, turns);
    return weight * Math.log(1 + (turns - known + 0.5) / (known + 0.5));
  });
  for (const { own, lists } of located) {
    for (const [at, list] of lists.entries()) {
      if (!list) continue;
      const impact = impacts[at] as number;
      const { slots, weights, from, to } = list;
      for (let posting = from; posting < to; posting++) {
        const place = own[slots[posting] as number] as number;
        if (place === -1 || place >= size || !inScope(place) || !inTime(place)) continue;
        const weight = weights[posting] as number;
        if (roles[place] === 0) places[found++] = place;
        roles[place] = (roles[place] as number) | rolesOf(weight);
        const tf = frequencyOf(weight);
        const norm = k1 * (1 - b + (b * (lengths[place] as number)) / average);
        scores[place] = (scores[place] as number) + (impact * tf) / (tf + norm);
      }
    }
    await pause();
  }
  return {
    places: places.slice(0, found),
    scores,
    roles,
    turns: admitted,
    admits: (place) => place >= 0 && place < size && inScope(place) && inTime(place),
    authors,
  };
}

function countInScope(
  { slots, from, to }: Postings,
  own: ArrayLike<number>,
  inScope: (place: number) => boolean,
): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    const place = own[slots[at] as number] as number;
    if (place !== -1 && inScope(place)) count += 1;
  }
  return count;
}
