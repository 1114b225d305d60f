// What a hosted store answered serves the same caller again for a time, where the configuration says so: each search of it costs a call and its wait. Invariants:
// what is handed out says how old it is; it is of the same scope, question, filter and flags, and of the record as it is now (documents,
// who may read them, sources, what was delivered); it is no older than each source that was asked allows; what a store answered with a
// complaint is not kept; and what is asked for anew has an end.
import type { Config } from '../../config.ts';
import { createDeadline } from '../../core/deadline.ts';
import { sourceTypeFacts } from '../../core/documents/source-types.ts';
import { systemClock } from '../../core/ids.ts';
import { readerKey, type Scope } from '../../core/scope.ts';
import type { Filter } from '../../core/search.ts';
import { createKeptResults, type KeptResults } from '../../core/waiting/kept-results.ts';
import type { SourceKind } from '../../db/repositories/sources.ts';
import type { Searcher, StorePage, StoreQuery } from '../../stores/store.ts';

export interface KeptSearchesOptions {
  /** So long a page is as good as new; 0: nothing is kept. */
  readonly ttlSeconds: number;
  /** Longest time of a search that nobody waits for any more. */
  readonly timeoutMs: number;
  readonly elapsedMs: () => number;
}

/** What pages of one scope rest on. */
export interface KeptScope {
  readonly scope: Scope;
  /** A text that changes with whatever would change what the store should answer. */
  version(store: string): Promise<string>;
  /** The sources that may be asked. */
  sources(): Promise<readonly SourceKind[]>;
}

export type KeepSearches = <Kept extends Searcher>(searcher: Kept, of: KeptScope) => Kept;

/** All scopes and stores together, in bytes. */
const mostBytes = 32 << 20;

const sizeOfPage = (value: unknown): number => {
  const { hits, degraded } = value as StorePage;
  // What is too large is not kept, nor is what a store complained about.
  if (degraded.length > 0) return Number.POSITIVE_INFINITY;
  return hits.reduce((sum, { passage }) => sum + 512 + 2 * (passage?.text.length ?? 0), 1024);
};

/** As the configuration says; undefined where nothing is to be kept. */
export function openKeepSearches({
  resultsTtlSeconds,
  searchTimeoutMs,
}: Pick<Config['stores'], 'resultsTtlSeconds' | 'searchTimeoutMs'>): KeepSearches | undefined {
  const { elapsedMs } = systemClock;
  return createKeepSearches({ ttlSeconds: resultsTtlSeconds, timeoutMs: searchTimeoutMs, elapsedMs });
}

/** One for the process: undefined where nothing is to be kept. */
export function createKeepSearches({
  ttlSeconds,
  timeoutMs,
  elapsedMs,
}: KeptSearchesOptions): KeepSearches | undefined {
  if (ttlSeconds === 0) return undefined;
  const ttlMs = ttlSeconds * 1000;
  const kept = createKeptResults({ ttlMs, staleMs: ttlMs / 4, most: mostBytes, sizeOf: sizeOfPage, elapsedMs });
  return (searcher, of) => ({ ...searcher, search: keptSearch(searcher, of, { kept, timeoutMs }) });
}

function keptSearch(
  searcher: Searcher,
  { scope, version, sources }: KeptScope,
  { kept, timeoutMs }: { readonly kept: KeptResults; readonly timeoutMs: number },
): Searcher['search'] {
  return async (query, signal) => {
    const key = JSON.stringify([readerKey(scope), searcher.name, await version(searcher.name), asked(query)]);
    const ask = (own: AbortSignal): Promise<StorePage> => searcher.search(query, createDeadline(timeoutMs, own).signal);
    const ttlMs = 1000 * ttlSecondsOf(await sources(), query.filter);
    const { value, isKept, ageMs, isStale } = await kept.get({ key, ttlMs }, ask, signal);
    return isKept ? { ...value, kept: { ageMs, isStale } } : value;
  };
}

/** The shortest of the sources that a search may find something in. */
function ttlSecondsOf(sources: readonly SourceKind[], filter: Filter | undefined): number {
  const asked = sourcesIn(filter);
  const times = sources.flatMap(({ name, type, ttlSeconds = sourceTypeFacts[type].ttlSeconds }) =>
    asked === undefined || asked.has(name) ? [ttlSeconds] : [],
  );
  return Math.min(...times);
}

/** The sources that a filter lets through by name; undefined where it may be any. */
function sourcesIn(filter: Filter | undefined): ReadonlySet<unknown> | undefined {
  if (filter?.op === 'and')
    return filter.filters
      .map(sourcesIn)
      .reduce((one, other) => (one && other ? one.intersection(other) : (one ?? other)), undefined);
  if (filter?.op === 'eq' && filter.field === 'source') return new Set([filter.value]);
  return filter?.op === 'in' && filter.field === 'source' ? new Set(filter.values) : undefined;
}

/** Everything that is asked, in one order. */
function asked({ vector, ...query }: StoreQuery): unknown {
  const bytes = vector && Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
  return [Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1)), bytes ?? null];
}
