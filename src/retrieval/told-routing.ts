// What a reply says of the kinds of source that were asked. Pure.
import type { SourceType } from '../core/document.ts';
import type { Routing } from '../core/search.ts';
import type { KindResult } from './federate.ts';
import type { JoinedResult } from './legs/join-legs.ts';

/** The decision with what came of it: who was asked, who was asked later and why, and what was kept from earlier. */
export function toldOfKinds(routing: Routing, kinds: readonly KindResult[], explain: boolean): Routing {
  const later = kinds
    .filter(({ isLater }) => isLater)
    .map(({ type, isOutside }) => (isOutside ? `a search of the ${type}` : type));
  const why =
    later.length === 0
      ? ''
      : `; what was found there says too little, so ${later.join(', ')} ${later.length === 1 ? 'was' : 'were'} asked, too`;
  return {
    ...routing,
    reason: `${routing.reason}${why}`,
    asked: [...new Set(kinds.map(({ type }) => type))],
    ...(kinds.some(({ kept }) => kept) && {
      kept: kinds.flatMap(({ type, kept }) => (kept ? toldKept(type, kept) : [])),
    }),
    ...(explain && { kinds: kinds.map(({ kept: _, ...kind }) => kind) }),
  };
}

export const toldKept = (type: SourceType, kept: NonNullable<JoinedResult['kept']>): NonNullable<Routing['kept']> => [
  { type, ageSeconds: Math.ceil(kept.ageMs / 1000), ...(kept.isStale && ({ isStale: true } as const)) },
];

/** The first, with what was kept for either. */
export function withKept(routing: Routing, { kept: more }: Pick<Routing, 'kept'>): Routing {
  if (!more || more === routing.kept) return routing;
  const oldest = new Map<SourceType, (typeof more)[number]>();
  for (const one of [...(routing.kept ?? []), ...more])
    if (one.ageSeconds > (oldest.get(one.type)?.ageSeconds ?? -1)) oldest.set(one.type, one);
  return { ...routing, kept: [...oldest.values()] };
}
