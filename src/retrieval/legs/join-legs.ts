// Asks the legs of a mode at the same time and joins what they found. One leg alone is as it says; several are joined by ranks, because
// scores of different stores do not compare. Invariant: a leg that fails delays and takes nothing but itself, and is told; where all fail, so
// does the search, for unknown is never empty.
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Degradation, Explanation, SearchResponse } from '../../core/search.ts';
import { abortError } from '../../core/waiting/until-aborted.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import { notDeliveredCode } from '../../stores/store.ts';
import { explainLists } from '../fusion/explain-fused.ts';
import { fuseRanks, type ListedHit } from '../fusion/fuse.ts';
import { keepOnPage, shownAlone } from '../fusion/keep-on-page.ts';
import { tellingOf } from './failures-told.ts';
import type { Leg, LegQuery } from './leg.ts';
import type { LegResult, RankedHit } from './leg-result.ts';

/** Lists that are joined are looked at this deep at least: a hit deep in one may be high in another. */
const leastDepth = 50;

export interface JoinQuery extends LegQuery {
  readonly sources?: readonly string[] | undefined;
  /** Which stores hold the documents of chunks; asked where one of them lacks some. */
  readonly storesHolding?: TenantRecord['documents']['storesHolding'] | undefined;
}

export interface JoinedResult extends Omit<LegResult, 'hits' | 'name' | 'outage'> {
  readonly hits: readonly (RankedHit & { readonly stores: readonly string[] })[];
  /** Chunks that the other lists cannot speak for, and the best of each list: they are kept where their own list shows them. */
  readonly alone?: ReadonlySet<string>;
}

/** The rank in the joined list is called as the mode is. */
const joinedName = 'hybrid';

interface Asked {
  readonly leg: Leg;
  readonly result: LegResult;
}

const nameOf = ({ leg, result }: Asked): string => result.name ?? leg.name;

const isWanted = (leg: Leg, { mode, sources, sourceType }: JoinQuery): boolean =>
  leg.modes.includes(mode) &&
  (leg.sourceType === undefined || leg.sourceType === sourceType) &&
  (leg.source === undefined || sources === undefined || sources.length === 0 || sources.includes(leg.source));

function failed({ name }: Leg, error: FootnoteError): Degradation {
  return { component: name, code: error.code, detail: error.message, effect: `Searched without ${name}.` };
}

/** Throws what a leg throws that is the only one, or the first of several that all fail; `unsupported` where no leg serves the mode. */
export async function searchLegs(legs: readonly Leg[], query: JoinQuery, signal?: AbortSignal): Promise<JoinedResult> {
  const wanted = legs.filter((leg) => isWanted(leg, query));
  const [first, ...others] = wanted;
  if (first === undefined)
    throw new FootnoteError('unsupported', `No store that is configured serves the mode ${query.mode}.`);
  if (others.length === 0) {
    const { outage, ...result } = await first.search(query, signal);
    if (outage) throw tellingOf(outage, result.degraded);
    return { ...result, hits: result.hits.map((hit) => ({ ...hit, stores: hit.stores ?? [first.store] })) };
  }
  const depth = Math.max(leastDepth, query.limit);
  const settled = await Promise.allSettled(wanted.map((leg) => leg.search({ ...query, limit: depth }, signal)));
  if (signal?.aborted) throw abortError(signal);
  const asked: Asked[] = [];
  const degraded: Degradation[] = [];
  const failures: FootnoteError[] = [];
  let usedFallback = false;
  let reach: number | undefined;
  for (const [place, outcome] of settled.entries()) {
    const leg = wanted[place] as Leg;
    if (outcome.status === 'fulfilled') {
      const { outage } = outcome.value;
      if (outage) failures.push(outage);
      else asked.push({ leg, result: outcome.value });
      degraded.push(...outcome.value.degraded);
      usedFallback ||= outcome.value.usedFallback === true;
      if (outcome.value.reach !== undefined) reach = Math.max(reach ?? 0, outcome.value.reach);
    } else {
      const error = toFootnoteError(outcome.reason);
      failures.push(error);
      degraded.push(failed(leg, error));
    }
  }
  if (asked.length === 0) throw tellingOf(failures[0] as FootnoteError, degraded);
  return {
    ...join(asked, query, await lackedBy(asked, query, degraded)),
    degraded,
    ...(usedFallback && { usedFallback }),
    ...(reach !== undefined && { reach }),
    ...oldest(asked.flatMap(({ result }) => result.kept ?? [])),
    ...(query.explain && { legs: listsOf(asked, query.limit) }),
  };
}

/** How old what was handed out again is at most. */
export function oldest(kept: readonly NonNullable<LegResult['kept']>[]): Pick<LegResult, 'kept'> {
  if (kept.length === 0) return {};
  return { kept: { ageMs: Math.max(...kept.map(({ ageMs }) => ageMs)), isStale: kept.some(({ isStale }) => isStale) } };
}

type Lacks = (chunkId: string, list: string) => boolean;

/** What a list cannot have, because its store was not given it; asked where a store says that it lacks something. */
async function lackedBy(
  asked: readonly Asked[],
  { storesHolding }: JoinQuery,
  degraded: readonly Degradation[],
): Promise<Lacks> {
  if (!storesHolding || !degraded.some(({ code }) => code === notDeliveredCode)) return () => false;
  const stores = new Map(
    asked.map((one) => [nameOf(one), one.result.hits.flatMap((hit) => hit.stores ?? [])[0] ?? one.leg.store]),
  );
  const chunkIds = new Set(asked.flatMap(({ result }) => result.hits.map(({ chunkId }) => chunkId)));
  const holding = new Map((await storesHolding([...chunkIds])).map((one) => [one.chunkId, one.stores]));
  return (chunkId, list) => holding.get(chunkId)?.includes(stores.get(list) ?? '') === false;
}

function join(
  asked: readonly Asked[],
  { limit, explain }: JoinQuery,
  lacks: Lacks,
): Pick<JoinedResult, 'hits' | 'alone'> {
  const own = new Map(asked.map(({ leg, result }) => [leg, new Map(result.hits.map((hit) => [hit.chunkId, hit]))]));
  const names = asked.map(nameOf);
  const fused = fuseRanks(
    asked.map((one) => ({ name: nameOf(one), hits: one.result.hits })),
    lacks,
  );
  const isAlone = ({ chunkId, lists }: ListedHit): boolean =>
    lists.some(({ rank }) => rank === 1) || names.some((name) => lacks(chunkId, name));
  const alone = new Set(fused.filter(isAlone).map(({ chunkId }) => chunkId));
  const joined = fused.map((hit) => {
    const found = asked.flatMap(({ leg }) => {
      const ofLeg = own.get(leg)?.get(hit.chunkId);
      return ofLeg ? [{ leg, hit: ofLeg }] : [];
    });
    return {
      chunkId: hit.chunkId,
      score: hit.score,
      scores: Object.assign({}, ...found.map((one) => one.hit.scores).reverse()) as RankedHit['scores'],
      ranks: { ...ranksOf(hit, found), [joinedName]: hit.rank },
      ...nearestOf(found),
      stores: [...new Set(found.flatMap((one) => one.hit.stores ?? [one.leg.store]))],
      ...(explain && { explanation: explanationOf(hit, found) }),
    };
  });
  return { hits: keepOnPage(joined, shownAlone(joined, alone, limit), limit).slice(0, limit), alone };
}

interface Found {
  readonly leg: Leg;
  readonly hit: RankedHit;
}

/** One of them is enough to be near. */
function nearestOf(found: readonly Found[]): Pick<RankedHit, 'nearness'> {
  const near = found.flatMap(({ hit: { nearness } }) => nearness ?? []);
  const [nearness] = near.toSorted((left, right) => right.similarity - right.least - left.similarity + left.least);
  return nearness ? { nearness } : {};
}

/** A leg that joined lists itself keeps their ranks; its own place is told under its name. */
function ranksOf({ lists }: ListedHit, found: readonly Found[]): Record<string, number> {
  const within = found.flatMap(({ leg, hit }) => (leg.kind === 'hybrid' ? Object.entries(hit.ranks) : []));
  return Object.fromEntries([...within, ...lists.map(({ name, rank }) => [name, rank] as const)]);
}

const explanationOf = (hit: ListedHit, found: readonly Found[]): Explanation =>
  explainLists(
    hit,
    found.flatMap((one) => (one.hit.explanation ? [one.hit.explanation] : [])),
  );

function listsOf(asked: readonly Asked[], limit: number): NonNullable<SearchResponse['legs']> {
  const within = Object.assign({}, ...asked.map(({ result }) => result.legs ?? {})) as NonNullable<
    SearchResponse['legs']
  >;
  const lists = asked.map((one) => [nameOf(one), one.result.hits.slice(0, limit).map(({ chunkId }) => chunkId)]);
  return { ...within, lists: Object.fromEntries(lists) as Record<string, string[]> };
}
