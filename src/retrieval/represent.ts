// Which kinds of source an answer hears: the best hit of every kind that answers nearly the whole question is among those that are read, however much more
// another kind has to say, so that who agrees and who disagrees is seen. Pure.
import { bringOn } from './fusion/keep-on-page.ts';

/** A kind whose best hit answers so much of the question is heard. */
const leastReach = 0.8;

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
  const heard = new Set(
    kinds.flatMap(({ type, isOutside, reach = 0 }) =>
      reach >= leastReach ? [isOutside ? `${type}-search` : type] : [],
    ),
  );
  return bringOn(
    hits,
    ({ ranks }) => Object.entries(ranks).some(([name, rank]) => rank === 1 && heard.has(name)),
    wanted,
  );
}
