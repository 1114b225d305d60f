// Recall: the memories that cover most of a query's idf, found over an index of words. Invariant: only memories that hold are found, and what
// a query costs is bounded, however many memories there are: words are looked up from the rarest on, and those that can no longer lift a
// memory over the bar are only asked of memories that were found (Turtle and Flood 1995, MaxScore).
import type { DatabaseSync } from 'node:sqlite';
import { memoryDefaults, type RecalledMemory } from '../../../core/memory.ts';
import type { NewestMemory, RecallRequest } from '../../repositories/memories.ts';
import { isSound } from '../../sealed-rows.ts';
import { prepared } from '../file/connection.ts';
import { type MemoryRow, memoryColumns, toMemory, toTags, toType } from './rows.ts';

/** Of a word that more memories have, the newest are looked at. */
const mostOfWord = 1_024;
/** Best candidates that are read to see whether they are of the kind that is asked for. */
const mostRead = 512;
/** In a smaller collection how rare a word is says nothing yet: it is counted as if there were so many. */
const leastMemories = 1_000;

interface WeighedTerm {
  readonly term: string;
  readonly weight: number;
  readonly count: number;
}

function weigh(database: DatabaseSync, owner: number, terms: readonly string[]): readonly WeighedTerm[] {
  const held = prepared(database, 'SELECT memories FROM memory_owner WHERE owner = ?').get(owner)?.['memories'];
  const size = Math.max(leastMemories, Number(held ?? 0));
  const count = prepared(database, 'SELECT memories FROM memory_word WHERE owner = ? AND term = ?');
  return [...new Set(terms)]
    .map((term) => {
      const found = Math.max(0, Number(count.get(owner, term)?.['memories'] ?? 0));
      return { term, count: found, weight: Math.log(1 + Math.max(0.5, size - found + 0.5) / (found + 0.5)) };
    })
    .sort((a, b) => b.weight - a.weight);
}

interface Bar {
  readonly owner: number;
  /** Weight that a memory needs. */
  readonly least: number;
  /** As many as this are wanted; undefined where what is found is sifted afterwards. */
  readonly k: number | undefined;
  /** What tags may add to a weight. */
  readonly boost: number;
}

/** Weights of candidates, by row; most that cannot reach the bar are left out. */
function collect(database: DatabaseSync, bar: Bar, terms: readonly WeighedTerm[]): ReadonlyMap<number, number> {
  const { owner, k, boost } = bar;
  const weights = new Map<number, number>();
  const rowsOf = prepared(
    database,
    'SELECT memory FROM memory_term WHERE owner = ? AND term = ? ORDER BY memory DESC LIMIT ?',
  );
  const has = prepared(database, 'SELECT 1 FROM memory_term WHERE owner = ? AND term = ? AND memory = ?');
  let left = terms.reduce((sum, { weight }) => sum + weight, 0);
  let { least } = bar;
  for (const { term, weight, count } of terms) {
    // A memory with none of the words before could have all that are left, and no more.
    const isOpen = left >= least - tolerance;
    left -= weight;
    if (count === 0) continue;
    const scanned = new Set<number>();
    if (isOpen)
      for (const { memory } of rowsOf.all(owner, term, mostOfWord) as unknown as readonly { memory: number }[]) {
        weights.set(memory, (weights.get(memory) ?? 0) + weight);
        scanned.add(memory);
      }
    if (!isOpen || count > mostOfWord)
      for (const [memory, got] of weights) {
        if (scanned.has(memory)) continue;
        if (got + weight + left < least - tolerance) weights.delete(memory);
        else if (has.get(owner, term, memory)) weights.set(memory, got + weight);
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

/** Best first; of equals the one that was said last. */
export function recallRows(database: DatabaseSync, owner: number, request: RecallRequest): readonly RecalledMemory[] {
  const { k, minSimilarity, tags = [] } = request;
  const terms = weigh(database, owner, request.terms);
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
  if (whole === 0 || k < 1) return [];
  const { isSifted, isWanted } = sieveOf(database, request);
  const boost = tags.length * memoryDefaults.tagBoost * whole;
  const least = Math.max(0, minSimilarity * whole - boost);
  const weights = collect(database, { owner, least, k: isSifted ? undefined : k, boost }, terms);
  const ordered = [...weights]
    .filter(([, weight]) => weight >= least - tolerance)
    .sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  const rowOf = prepared(database, `SELECT ${memoryColumns} FROM memory WHERE row = ? AND owner = ?`);
  const found: { readonly row: MemoryRow; readonly similarity: number }[] = [];
  let worst = 0;
  for (const [at, [place, weight]] of ordered.entries()) {
    if (at >= mostRead || (found.length >= k && (weight + boost) / whole < worst - tolerance)) break;
    if (found.length >= k && boost === 0 && weight / whole < worst - tolerance) break;
    const row = rowOf.get(place, owner) as MemoryRow | undefined;
    if (row === undefined || row.valid_until !== null || !isSound('memory', row)) continue;
    if (!isWanted(row)) continue;
    const held = new Set(toTags(row.tags));
    const matching = tags.filter((tag) => held.has(tag)).length;
    const similarity = Math.min(1, weight / whole + matching * memoryDefaults.tagBoost);
    if (similarity < minSimilarity - tolerance) continue;
    found.push({ row, similarity });
    found.sort((a, b) => b.similarity - a.similarity || compareTimes(b.row, a.row));
    // Of many that are equally good the newest count, also among those that were said again.
    if (found.length > k && boost === 0 && found[k]?.similarity !== found[k - 1]?.similarity) found.length = k;
    worst = found[k - 1]?.similarity ?? 0;
  }
  return found.slice(0, k).map(({ row, similarity }) => ({ ...toMemory(database, row), similarity }));
}

/** The newest that hold, whatever their words. */
export function newestRows(
  database: DatabaseSync,
  owner: number,
  request: Omit<RecallRequest, 'minSimilarity'>,
): readonly NewestMemory[] {
  const { isWanted } = sieveOf(database, request);
  const sql =
    'SELECT row, id, type, text, tags, updated_at FROM memory WHERE owner = ? AND valid_until IS NULL ORDER BY row DESC';
  const found: NewestMemory[] = [];
  for (const one of prepared(database, sql).iterate(owner)) {
    if (found.length >= request.k) break;
    const row = one as unknown as MemoryRow;
    if (isWanted(row)) found.push({ id: row.id, text: row.text, tags: toTags(row.tags), updatedAt: row.updated_at });
  }
  return found;
}

/** What is asked of memories beside their words. */
function sieveOf(
  database: DatabaseSync,
  { types, since, sessionId }: Pick<RecallRequest, 'types' | 'since' | 'sessionId'>,
) {
  const saidIn = prepared(database, 'SELECT 1 FROM memory_origin WHERE memory = ? AND session_id = ?');
  const isWanted = ({ row, type, updated_at }: Pick<MemoryRow, 'row' | 'type' | 'updated_at'>): boolean =>
    (types === undefined || types.includes(toType(type))) &&
    (since === undefined || updated_at >= since) &&
    (sessionId === undefined || saidIn.get(row, sessionId) !== undefined);
  return { isSifted: types !== undefined || sessionId !== undefined || since !== undefined, isWanted };
}

const compareTimes = (a: MemoryRow, b: MemoryRow): number =>
  a.updated_at === b.updated_at ? a.row - b.row : a.updated_at < b.updated_at ? -1 : 1;
