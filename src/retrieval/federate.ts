// Kinds of source searched each by itself and joined into one list. Each kind has its own statistics, depth and time; what they found is
// compared by how much of the query its best hit answers (reach), because scores of different statistics do not compare. Invariants: a kind
// that is slow or dead takes nothing but itself, and is told; where all fail, so does the search; the printed weight times the printed share
// is the score.

import { createDeadline, type Deadline } from '../core/deadline.ts';
import type { SourceType } from '../core/document.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { Clock } from '../core/ids.ts';
import type { Degradation, Explanation, SearchResponse } from '../core/search.ts';
import { abortError, untilAborted } from '../core/waiting/until-aborted.ts';
import { failuresOf, tellingOf, unique } from './legs/failures-told.ts';
import type { JoinedResult } from './legs/join-legs.ts';
import { represent } from './represent.ts';
import type { SearchPlan } from './route/plan.ts';

/** One kind's search: of what is here, or of somebody outside. */
export type AskKind = (type: SourceType, signal: AbortSignal, isOutside: boolean) => Promise<JoinedResult>;

interface AskedKind {
  readonly type: SourceType;
  readonly isOutside: boolean;
}

export interface FederateOptions {
  /** Hits that a page wants: fewer are too few. */
  readonly wanted: number;
  readonly limit: number;
  readonly explain: boolean;
  readonly deadline: Deadline;
  readonly clock: Pick<Clock, 'elapsedMs'>;
}

export interface KindResult {
  readonly type: SourceType;
  readonly hits: number;
  readonly reach?: number;
  readonly latencyMs: number;
  /** It was asked since the first kinds said too little. */
  readonly isLater?: true;
  /** Somebody outside was asked for it. */
  readonly isOutside?: true;
  /** Something of it was kept from an earlier search. */
  readonly kept?: NonNullable<JoinedResult['kept']>;
  /** Why it is missing. */
  readonly failed?: string;
}

export interface FederatedResult extends JoinedResult {
  /** Every kind that was asked, in the order of asking. */
  readonly kinds: readonly KindResult[];
}

type Hit = JoinedResult['hits'][number];

interface Found extends AskedKind {
  readonly result: JoinedResult;
}

/** As its list is called. */
const nameOf = ({ type, isOutside }: AskedKind): string => (isOutside ? `${type}-search` : type);

/** A kind may take so much of what is left of the request: the others' answer is not to wait for it. */
const requestShare = 0.5;
/** Best hits that answer less of the query than this are too little to rest on. */
const leastReach = 0.6;
/** How strongly reach tells kinds apart where scores fall as BM25's do: chosen on four other judged sets (docs/federation.md). */
const reachPower = 2;
/** What a kind counts that the question does not ask for. */
const unaskedWeight = 0.7;
/** The same where the question leaves little doubt: on the odd queries of CoSQA as good as less. */
const unwantedWeight = 0.4;
/** The rank in the joined list. */
const federatedName = 'federated';

export async function federate(
  plan: SearchPlan,
  ask: AskKind,
  options: FederateOptions,
  signal?: AbortSignal,
): Promise<FederatedResult> {
  const { wanted, limit, explain, deadline, clock } = options;
  const found: Found[] = [];
  const kinds: KindResult[] = [];
  const degraded: Degradation[] = [];
  const failures: FootnoteError[] = [];

  const near = (types: readonly SourceType[]): AskedKind[] => types.map((type) => ({ type, isOutside: false }));
  const far = (types: readonly SourceType[] = []): AskedKind[] => types.map((type) => ({ type, isOutside: true }));

  async function askAll(asked: readonly AskedKind[], isLater: boolean): Promise<void> {
    const timeMs = deadline.remainingMs() * requestShare;
    await Promise.all(
      asked.map(async (kind) => {
        const { type, isOutside } = kind;
        const from = clock.elapsedMs();
        const own = createDeadline(timeMs, signal, clock).signal;
        const place = kinds.push({ type, hits: 0, latencyMs: 0 }) - 1;
        const end = (more: Omit<KindResult, 'type' | 'latencyMs'>): void => {
          const told = { ...more, ...(isLater && { isLater }), ...(isOutside && ({ isOutside } as const)) };
          kinds[place] = { type, latencyMs: clock.elapsedMs() - from, ...told };
        };
        try {
          const result = await untilAborted(ask(type, own, isOutside), own);
          found.push({ ...kind, result });
          const { reach, kept } = result;
          end({ hits: result.hits.length, ...(reach !== undefined && { reach }), ...(kept && { kept }) });
        } catch (thrown) {
          if (signal?.aborted) throw abortError(signal);
          const error = own.aborted
            ? new FootnoteError(
                'deadline-exceeded',
                `Sources of the kind ${type} gave no answer in the time they were given.`,
              )
            : toFootnoteError(thrown);
          // Whoever is outside adds to what is here: nothing found without them is an answer, and told.
          if (!isOutside) failures.push(error);
          degraded.push(...failuresOf(error));
          end({ hits: 0, failed: error.code });
          const effect = `Searched without ${nameOf(kind)}.`;
          degraded.push({ component: `source:${nameOf(kind)}`, code: error.code, detail: error.message, effect });
        }
      }),
    );
  }

  const { outside } = plan;
  await askAll([...near(plan.first), ...far(outside?.first)], false);
  if (plan.later.length > 0 && saysTooLittle(found, wanted)) await askAll(near(plan.later), true);
  if (outside && outside.later.length > 0 && answersTooLittle(found)) await askAll(far(outside.later), true);
  const [firstFailure] = failures;
  if (found.length === 0 && firstFailure) throw tellingOf(firstFailure, unique(degraded));
  // Whoever answers first must not come first.
  const order = [...near([...plan.first, ...plan.later]), ...far(outside?.first), ...far(outside?.later)].map(nameOf);
  found.sort((left, right) => order.indexOf(nameOf(left)) - order.indexOf(nameOf(right)));
  for (const { result } of found) degraded.push(...result.degraded);
  return {
    hits: represent(join(found, plan, explain), kinds, limit).slice(0, limit),
    degraded: unique(degraded),
    kinds,
    alone: new Set(found.flatMap(({ result }) => [...(result.alone ?? [])])),
    ...(found.some(({ result }) => result.usedFallback) && { usedFallback: true }),
    ...(explain && { legs: listsOf(found, limit) }),
  };
}

function saysTooLittle(found: readonly Found[], wanted: number): boolean {
  const hits = found.reduce((sum, { result }) => sum + result.hits.length, 0);
  return hits < wanted || answersTooLittle(found);
}

/** Few hits may be all that there is: nobody outside is asked for that alone. */
const answersTooLittle = (found: readonly Found[]): boolean =>
  Math.max(0, ...found.map(({ result: { hits, reach } }) => (hits.length === 0 ? 0 : (reach ?? 1)))) < leastReach;

/** What nobody can reach: a list that claims more is believed no further. */
const mostReach = 2;

const finite = (score: number): number => (Number.isFinite(score) ? score : 0);

/** Undefined where it is not known, or nonsense. */
const soundReach = (reach: number | undefined): number | undefined =>
  reach !== undefined && Number.isFinite(reach) ? Math.min(mostReach, Math.max(0, reach)) : undefined;

/** Each kind's list weighs what its best hit answers, and less where the question asks for others. */
function join(found: readonly Found[], { preferred, isPlain }: SearchPlan, explain: boolean): readonly Hit[] {
  const unasked = isPlain ? unwantedWeight : unaskedWeight;
  const known = found.flatMap(({ result: { hits, reach } }) => (hits.length > 0 ? (soundReach(reach) ?? []) : []));
  const best = Math.max(Number.MIN_VALUE, ...known);
  // A kind that nothing is known of is neither believed more than the others nor less.
  const usual = known.length === 0 ? best : known.reduce((sum, reach) => sum + reach, 0) / known.length;
  // Lists whose scores fall steeply put the best hit of a kind that says little before the second of one that says much, unless what tells
  // the kinds apart is as steep; and a list that falls less steeply than the others is made as steep.
  const steepest = Math.max(1, ...found.map(({ result: { sharpness = 1 } }) => sharpness));
  const power = Math.max(reachPower, steepest);
  const joined = found.flatMap(({ type, isOutside, result: { hits, reach, sharpness = 1 } }) => {
    const name = nameOf({ type, isOutside });
    const isAsked = preferred.length === 0 || preferred.includes(type);
    const weight = ((soundReach(reach) ?? usual) / best) ** power * (isAsked ? 1 : unasked);
    const top = finite(hits[0]?.score ?? 0);
    return hits.map((hit, place): Hit => {
      const share = top > 0 ? Math.min(1, Math.max(0, finite(hit.score) / top)) : 0;
      const normalised = share ** (steepest / sharpness);
      const standing = {
        rank: place + 1,
        score: finite(hit.score),
        normalised,
        weight,
        contribution: weight * normalised,
      };
      return {
        ...hit,
        score: standing.contribution,
        ranks: { ...hit.ranks, [name]: place + 1 },
        ...(explain && { explanation: explained(hit.explanation, { name, ...standing }) }),
      };
    });
  });
  joined.sort(
    (left, right) =>
      right.score - left.score || (left.chunkId < right.chunkId ? -1 : left.chunkId > right.chunkId ? 1 : 0),
  );
  return joined.map((hit, place) => ({ ...hit, ranks: { ...hit.ranks, [federatedName]: place + 1 } }));
}

function explained(own: Explanation | undefined, kind: NonNullable<Explanation['kind']>): Explanation {
  return { ...(own ?? { terms: [], notes: [] }), kind };
}

function listsOf(found: readonly Found[], limit: number): NonNullable<SearchResponse['legs']> {
  const lists = found.map(({ result, ...kind }) => [
    nameOf(kind),
    result.hits.slice(0, limit).map(({ chunkId }) => chunkId),
  ]);
  return { lists: Object.fromEntries(lists) as Record<string, string[]> };
}
