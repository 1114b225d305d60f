// Recall: the memories that cover most of a query's idf, found over an index of words. Invariant: only memories that hold are found, and what
// a query costs is bounded, however many memories there are: words are looked up from the rarest on, and those that can no longer lift a
// memory over the bar are only asked of memories that were found (Turtle and Flood 1995, MaxScore).
import { memoryDefaults, type RecalledMemory } from '../../../core/memory.ts';
import type { NewestMemory, RecallRequest } from '../../repositories/memories.ts';
import { isSound } from '../../sealed-rows.ts';
import { first, rows, type Steps } from '../../statements.ts';
import { type MemoryRow, memoryColumns, rowNames, toMemories, toTags, toType } from './rows.ts';

/** Of a word that more memories have, the newest are looked at. */
const mostOfWord = 1_024;
/** Best candidates that are read to see whether they are of the kind that is asked for. */
const mostRead = 512;
/** In a smaller collection how rare a word is says nothing yet: it is counted as if there were so many. */
const leastMemories = 1_000;
/** Rows that are read at a time where nobody knows how many will be wanted. */
const readTogether = 200;

/** Which memories of an owner have which of some words. */
export interface TermLists {
  /** The newest. */
  newest(term: string): Steps<readonly number[]>;
  /** Those of these memories. */
  among(term: string, memories: readonly number[]): Steps<ReadonlySet<number>>;
}

export interface WantedTerms {
  readonly owner: number;
  readonly terms: readonly string[];
  /** What `newest` gives at most. */
  readonly limit: number;
}

/** As a database looks them up best. */
export type OpenTermLists = (wanted: WantedTerms) => TermLists;

interface WeighedTerm {
  readonly term: string;
  readonly weight: number;
  readonly count: number;
}

/** Memories that have each of these words; those that none has are left out. */
export function* countTerms(owner: number, terms: readonly string[]): Steps<ReadonlyMap<string, number>> {
  const sql = 'SELECT term, memories FROM memory_word WHERE owner = ? AND term = ANY(?) AND memories > 0';
  const found = yield* rows<{ readonly term: string; readonly memories: number }>(sql, owner, terms);
  return new Map(found.map(({ term, memories }) => [term, memories]));
}

function* weigh(owner: number, terms: readonly string[]): Steps<readonly WeighedTerm[]> {
  const sql = 'SELECT memories FROM memory_owner WHERE owner = ?';
  const held = yield* first<{ readonly memories: number }>(sql, owner);
  const size = Math.max(leastMemories, held?.memories ?? 0);
  const all = [...new Set(terms)];
  const counts = yield* countTerms(owner, all);
  return all
    .map((term) => {
      const count = counts.get(term) ?? 0;
      return { term, count, weight: Math.log(1 + Math.max(0.5, size - count + 0.5) / (count + 0.5)) };
    })
    .sort((a, b) => b.weight - a.weight);
}

interface Bar {
  /** Weight that a memory needs. */
  readonly least: number;
  /** As many as this are wanted; undefined where what is found is sifted afterwards. */
  readonly k: number | undefined;
  /** What tags may add to a weight. */
  readonly boost: number;
}

/** Weights of candidates, by row; most that cannot reach the bar are left out. */
function* collect(lists: TermLists, bar: Bar, terms: readonly WeighedTerm[]): Steps<ReadonlyMap<number, number>> {
  const { k, boost } = bar;
  const weights = new Map<number, number>();
  let left = terms.reduce((sum, { weight }) => sum + weight, 0);
  let { least } = bar;
  for (const { term, weight, count } of terms) {
    // A memory with none of the words before could have all that are left, and no more.
    const isOpen = left >= least - tolerance;
    left -= weight;
    if (count === 0) continue;
    const scanned = new Set<number>(isOpen ? yield* lists.newest(term) : []);
    for (const memory of scanned) weights.set(memory, (weights.get(memory) ?? 0) + weight);
    if (!isOpen || count > mostOfWord) {
      for (const [memory, got] of weights)
        if (!scanned.has(memory) && got + weight + left < least - tolerance) weights.delete(memory);
      const others = [...weights.keys()].filter((memory) => !scanned.has(memory));
      if (others.length > 0)
        for (const memory of yield* lists.among(term, others)) weights.set(memory, (weights.get(memory) ?? 0) + weight);
    }
    if (k !== undefined && weights.size > k) least = Math.max(least, kthBest(weights, k) - boost);
  }
  return weights;
}

/** The k-th best weight so far: a memory that cannot reach it is not among the k. */
function kthBest(weights: ReadonlyMap<number, number>, k: number): number {
  const best: number[] = [];
  for (const weight of weights.values()) {
    if (best.length === k && weight <= (best[0] ?? 0)) continue;
    if (best.length === k) best.shift();
    best.push(weight);
    best.sort((a, b) => a - b);
  }
  return best[0] ?? 0;
}

/** Of sums of the same weights in another order. */
const tolerance = 1e-9;

/** Memories by row, some at a time, in the order in which they are wanted. */
function* readRows(owner: number, places: readonly number[]): Steps<ReadonlyMap<number, MemoryRow>> {
  const sql = `SELECT ${memoryColumns} FROM memory WHERE row = ANY(?) AND owner = ?`;
  return new Map((yield* rows<MemoryRow>(sql, rowNames(places), owner)).map((row) => [row.row, row]));
}

/** Best first; of equals the one that was said last. */
export function* recallRows(
  owner: number,
  request: RecallRequest,
  open: OpenTermLists,
): Steps<readonly RecalledMemory[]> {
  const { k, minSimilarity, tags = [] } = request;
  const terms = yield* weigh(owner, request.terms);
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
  if (whole === 0 || k < 1) return [];
  const sieve = sieveOf(request);
  const boost = tags.length * memoryDefaults.tagBoost * whole;
  const least = Math.max(0, minSimilarity * whole - boost);
  const known = terms.filter(({ count }) => count > 0).map(({ term }) => term);
  const lists = open({ owner, terms: known, limit: mostOfWord });
  const weights = yield* collect(lists, { least, k: sieve.isSifted ? undefined : k, boost }, terms);
  const ordered = [...weights]
    .filter(([, weight]) => weight >= least - tolerance)
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, mostRead);
  const found: { readonly row: MemoryRow; readonly similarity: number }[] = [];
  let worst = 0;
  let held: ReadonlyMap<number, MemoryRow> = new Map();
  let read = 0;
  for (const [at, [place, weight]] of ordered.entries()) {
    if (found.length >= k && (weight + boost) / whole < worst - tolerance) break;
    if (found.length >= k && boost === 0 && weight / whole < worst - tolerance) break;
    if (at >= read) {
      // As many as are wanted, and where those were not enough as many as before again.
      const places = ordered.slice(at, at + Math.max(k, at)).map(([one]) => one);
      read = at + places.length;
      held = yield* sieve.sift(yield* readRows(owner, places));
    }
    const row = held.get(place);
    if (row === undefined || row.valid_until !== null || !isSound('memory', row)) continue;
    const own = new Set(toTags(row.tags));
    const matching = tags.filter((tag) => own.has(tag)).length;
    const similarity = Math.min(1, weight / whole + matching * memoryDefaults.tagBoost);
    if (similarity < minSimilarity - tolerance) continue;
    found.push({ row, similarity });
    found.sort((a, b) => b.similarity - a.similarity || compareTimes(b.row, a.row));
    // Of many that are equally good the newest count, also among those that were said again.
    if (found.length > k && boost === 0 && found[k]?.similarity !== found[k - 1]?.similarity) found.length = k;
    worst = found[k - 1]?.similarity ?? 0;
  }
  const best = found.slice(0, k);
  const memories = yield* toMemories(best.map(({ row }) => row));
  return best.map(({ similarity }, at) => ({ ...(memories[at] as RecalledMemory), similarity }));
}

/** The newest that hold, whatever their words. */
export function* newestRows(
  owner: number,
  request: Omit<RecallRequest, 'minSimilarity'>,
): Steps<readonly NewestMemory[]> {
  const { sift } = sieveOf(request);
  const sql = `SELECT row, id, type, text, tags, updated_at FROM memory WHERE owner = ? AND row < ? AND valid_until IS NULL
    ORDER BY row DESC LIMIT ?`;
  const found: NewestMemory[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const some = yield* rows<MemoryRow>(sql, owner, before, readTogether);
    const wanted = yield* sift(new Map(some.map((row) => [row.row, row])));
    for (const { id, text, tags, updated_at } of wanted.values())
      if (found.length < request.k) found.push({ id, text, tags: toTags(tags), updatedAt: updated_at });
    const last = some.at(-1);
    if (last === undefined || some.length < readTogether || found.length >= request.k) return found;
    before = last.row;
  }
}

/** What is asked of memories beside their words. */
function sieveOf({ types, since, sessionId }: Pick<RecallRequest, 'types' | 'since' | 'sessionId'>) {
  const isWanted = ({ type, updated_at }: MemoryRow): boolean =>
    (types === undefined || types.includes(toType(type))) && (since === undefined || updated_at >= since);
  /** Those that are wanted, in their order. */
  function* sift(found: ReadonlyMap<number, MemoryRow>): Steps<ReadonlyMap<number, MemoryRow>> {
    const wanted = [...found].filter(([, row]) => isWanted(row));
    if (sessionId === undefined || wanted.length === 0) return new Map(wanted);
    const sql = 'SELECT DISTINCT memory FROM memory_origin WHERE memory = ANY(?) AND session_id = ?';
    const places = rowNames(wanted.map(([place]) => place));
    const said = new Set(
      (yield* rows<{ readonly memory: number }>(sql, places, sessionId)).map(({ memory }) => memory),
    );
    return new Map(wanted.filter(([place]) => said.has(place)));
  }
  return { isSifted: types !== undefined || sessionId !== undefined || since !== undefined, sift };
}

const compareTimes = (a: MemoryRow, b: MemoryRow): number =>
  a.updated_at === b.updated_at ? a.row - b.row : a.updated_at < b.updated_at ? -1 : 1;
