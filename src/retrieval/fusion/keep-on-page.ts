// What stands on a page whatever its score, such as what one store alone can have found. Invariants: no score changes and the order by score stays;
// what gives way is what stood last, and never what stands there for the same reason. Pure.

/** At most so much of a page is given to what would not have stood on it. */
const mostShare = 0.4;

interface Named {
  readonly chunkId: string;
}

/** The hits with these among the first `wanted`, as far as there is room for what would not stand there. */
export function keepOnPage<T extends Named>(
  hits: readonly T[],
  keep: ReadonlySet<string> | undefined,
  wanted: number,
): readonly T[] {
  return keep ? bringOn(hits, ({ chunkId }) => keep.has(chunkId), wanted) : hits;
}

/** Those of `alone` that a page of what their own store found would show. */
export function shownAlone(
  hits: readonly { readonly chunkId: string; readonly stores: readonly string[] }[],
  alone: ReadonlySet<string>,
  wanted: number,
): ReadonlySet<string> {
  const before = new Map<string, number>();
  const shown = new Set<string>();
  for (const { chunkId, stores } of hits) {
    if (alone.has(chunkId) && stores.some((store) => (before.get(store) ?? 0) < wanted)) shown.add(chunkId);
    for (const store of stores) before.set(store, (before.get(store) ?? 0) + 1);
  }
  return shown;
}

/** The hits with those that are wanted among the first so many. */
export function bringOn<T extends Named>(
  hits: readonly T[],
  isWanted: (hit: T) => boolean,
  wanted: number,
): readonly T[] {
  if (hits.length <= wanted) return hits;
  const missing = hits
    .slice(wanted)
    .filter(isWanted)
    .slice(0, Math.floor(wanted * mostShare));
  if (missing.length === 0) return hits;
  const page = hits.slice(0, wanted);
  const leaving = new Set(
    page
      .filter((hit) => !isWanted(hit))
      .slice(-missing.length)
      .map(({ chunkId }) => chunkId),
  );
  const stays = page.filter(({ chunkId }) => !leaving.has(chunkId));
  const brought = new Set(missing.slice(0, leaving.size));
  return [
    ...stays,
    ...brought,
    ...hits.filter((hit, at) => (at < wanted ? leaving.has(hit.chunkId) : !brought.has(hit))),
  ];
}
