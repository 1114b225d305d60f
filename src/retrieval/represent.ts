// Which kinds of source an answer hears: the best hit of every kind that answers nearly the whole question is among those that are read, however much more
// another kind has to say, so that who agrees and who disagrees is seen. Invariants: no score changes and the order by score stays; what gives way is what stood
// last, and never the best hit of another kind. Pure.

/** A kind whose best hit answers so much of the question is heard. */
const leastReach = 0.8;
/** At most so much of a page is given to what would not have stood on it. */
const mostShare = 0.4;

export interface Kind {
  readonly type: string;
  /** What its best hit answers of the question. */
  readonly reach?: number;
  readonly isOutside?: true;
}

interface Ranked {
  readonly chunkId: string;
  readonly ranks: Readonly<Record<string, number>>;
}

/** The hits with the first `wanted` of them as they are read; the others follow. */
export function represent<T extends Ranked>(hits: readonly T[], kinds: readonly Kind[], wanted: number): readonly T[] {
  if (hits.length <= wanted) return hits;
  const heard = new Set(
    kinds.flatMap(({ type, isOutside, reach = 0 }) =>
      reach >= leastReach ? [isOutside ? `${type}-search` : type] : [],
    ),
  );
  const bestOf = ({ ranks }: T): boolean => Object.entries(ranks).some(([name, rank]) => rank === 1 && heard.has(name));
  const missing = hits
    .slice(wanted)
    .filter(bestOf)
    .slice(0, Math.floor(wanted * mostShare));
  if (missing.length === 0) return hits;
  const page = hits.slice(0, wanted);
  const leaving = new Set(
    page
      .filter((hit) => !bestOf(hit))
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
