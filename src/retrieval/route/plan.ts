// What a search asks, and in which order: the kinds of source that the question needs (route.ts) among those that there are. Invariants: never
// none; kinds that are left for later are asked as soon as the first ones say too little; a collection of one kind is searched as a whole.
import { type SourceType, sourceTypes, typeAuthority } from '../../core/document.ts';
import type { Routing } from '../../core/search.ts';
import { decideRoute, type RouteDecision, type RoutedSource } from './route.ts';

export interface SearchPlan {
  readonly routing: Routing;
  /** Asked at once. Empty: there is nothing to tell apart, and everything is searched as a whole. */
  readonly first: readonly SourceType[];
  /** Asked where the first say too little, the most authoritative first. */
  readonly later: readonly SourceType[];
  readonly preferred: readonly SourceType[];
  /** What is not preferred is hardly wanted. */
  readonly isPlain?: true;
  /** The one kind of source that there is, where everything is searched as a whole. */
  readonly only?: SourceType;
  /** Kinds that somebody outside is asked for: with the first, or where nothing near answers enough of the question. Absent: nobody. */
  readonly outside?: { readonly first: readonly SourceType[]; readonly later: readonly SourceType[] };
}

export interface PlanInput {
  /** Sources that hold documents which the caller may read and the request does not leave out. */
  readonly sources: readonly RoutedSource[];
  /** Kinds that somebody outside answers for, asked last. */
  readonly outside: readonly SourceType[];
  /** By a model, where one judged. */
  readonly decision?: RouteDecision | undefined;
}

export function planSearch(question: string, { sources, outside, decision }: PlanInput): SearchPlan {
  const { types, isCertain, isPlain, reason } = decision ?? decideRoute(question, sources);
  const near = sourceTypes.filter((type) => sources.some((source) => source.type === type));
  const there = [...new Set([...near, ...outside])];
  const needed = types.filter((type) => there.includes(type));
  const routed = types.length > 0 ? types : there.length === 0 ? sourceTypes : near.length > 0 ? near : there;
  const told = (why: string): Routing => ({ sources: [...routed], reason: why });
  if (outside.length === 0 && near.length < 2) {
    const only = there[0];
    const why = only === undefined || types.includes(only) ? reason : `${reason}; there is only ${only}`;
    return { routing: told(why), first: [], later: [], preferred: [], ...(only !== undefined && { only }) };
  }
  const missing = types.length > 0 && needed.length === 0 ? `; there is none of these, so all are asked` : '';
  const isAlone = isCertain && needed.length > 0;
  const first = isAlone ? near.filter((type) => needed.includes(type)) : near;
  const later = near
    .filter((type) => !first.includes(type))
    .sort((left, right) => typeAuthority[right] - typeAuthority[left]);
  // Where nothing is near there is nobody else to ask.
  const now = outside.filter((type) => needed.includes(type) || near.length === 0);
  const asked = [...new Set([...first, ...now])];
  return {
    routing: { ...told(`${reason}${missing}`), asked },
    first,
    later,
    preferred: needed,
    ...(isPlain && { isPlain }),
    ...(outside.length > 0 && { outside: { first: now, later: outside.filter((type) => !now.includes(type)) } }),
  };
}
