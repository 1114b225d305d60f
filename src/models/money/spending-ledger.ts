// What models cost, kept across requests and restarts: a request's budget stands in that of its session, of its key's day and of its
// tenant's day. Invariants: every level reserves before a call or none does, concurrent requests share one budget for each level, and
// what was settled is on disk before the request that spent it is answered, at the latest a second after the call.
import {
  type CallFacts,
  type ModelBudget,
  type ModelBudgetLimits,
  orUndone,
  type RequestBudget,
  type RequestLimits,
  type Reservation,
  type Spending,
} from '../../core/budget.ts';
import { FootnoteError, isFootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import type { Principal, Scope } from '../../core/scope.ts';
import { dayAfter, type SpendingTotals } from '../../core/spending.ts';
import { defined } from '../../core/values/defined.ts';
import type {
  SharedReservation,
  SpendingEntry,
  SpendingRepository,
  SpendingWindow,
} from '../../db/repositories/spending.ts';
import { createModelBudget } from './model-budget.ts';
import { createServedRoles } from './served-roles.ts';
import { attemptsOf, noTotals, nothing, plus, type Settled, totalsOf } from './spending-totals.ts';
import { createToolBudget } from './tool-budget.ts';

export interface SpendingLimits {
  readonly request: RequestLimits;
  /** Of all time. */
  readonly session: ModelBudgetLimits;
  /** Of one principal in a day (UTC). */
  readonly keyDay: ModelBudgetLimits;
  /** Of one tenant in a day (UTC). */
  readonly day: ModelBudgetLimits;
}

export interface SpendingLedgerOptions {
  readonly limits: SpendingLimits;
  readonly repositoryOf: (scope: Scope) => SpendingRepository;
  readonly clock: Pick<Clock, 'now'>;
  /** A UUID for what is written together. Without it an unknown outcome may count twice. */
  readonly batchId?: () => string;
  /** Runs the work once after so long unless it is cancelled; does not keep the process alive. */
  readonly schedule?: (work: () => void, afterMs: number) => { cancel(): void };
}

/** How a budget above requests stands now. */
export interface BudgetStanding {
  readonly name: string;
  readonly setting: string;
  readonly limits: ModelBudgetLimits;
  /** Settled and reserved together. */
  readonly spent: Readonly<Record<keyof Spending, number>>;
  readonly opensAt?: string;
}

export interface SpendingLedger {
  /**
   * For a request of this principal, in a session or not. The day is that on which the request begins; calls of it that run past midnight
   * count there. `isIndexing`: work on documents that no request waits for, which the limits of requests do not bind. Throws what the
   * record throws. Must be closed.
   */
  budgetFor(request: {
    readonly scope: Scope;
    readonly sessionId?: string;
    readonly isIndexing?: boolean;
  }): Promise<RequestBudget>;
  /** The limits of today that hold for this principal; that of the tenant is shown to admins. Throws what the record throws. */
  standing(scope: Scope): Promise<readonly BudgetStanding[]>;
  /** Resolves when everything settled so far is on disk. */
  flush(): Promise<void>;
  /** The same, and nothing is written later by itself. */
  close(): Promise<void>;
}

interface Unwritten {
  readonly scope: Scope;
  readonly entry: SpendingEntry;
  /** Reservations in whose place it comes. */
  readonly settled: readonly string[];
}

/** What one principal spent, written together. */
interface Batch {
  readonly id: string | undefined;
  readonly spent: readonly Unwritten[];
}

const isUnknown = (error: unknown): boolean => isFootnoteError(error) && error.details['outcome'] === 'unknown';

/** A kill of the process can take what settled in this time of requests that are still running. */
const writeAfterMs = 1000;
/** Budgets of windows that nobody uses now, kept to spare the read. */
const mostIdle = 1000;

const later = (work: () => void, afterMs: number): { cancel(): void } => {
  const timer = setTimeout(work, afterMs);
  timer.unref();
  return { cancel: () => clearTimeout(timer) };
};

/** Whether what a principal of a tenant spent counts in a window of `scope`. */
function isWithin(window: SpendingWindow, scope: Scope, spent: Unwritten): boolean {
  if (spent.scope.tenant !== scope.tenant) return false;
  if (window.of === 'tenant') return spent.entry.day === window.day;
  if (spent.scope.principal.id !== scope.principal.id) return false;
  return window.of === 'session' ? spent.entry.sessionId === window.sessionId : spent.entry.day === window.day;
}

/** One budget above requests, shared by all that are under way. */
interface Level {
  /** Requests that are not closed and reservations that are not settled. */
  holders: number;
  readonly budget: Promise<ModelBudget>;
}

interface LevelPlan {
  readonly limits: ModelBudgetLimits;
  readonly window: SpendingWindow;
  readonly name: string;
  readonly setting: string;
  readonly opensAt?: string;
}

export function createSpendingLedger(options: SpendingLedgerOptions): SpendingLedger {
  const { limits, repositoryOf, clock, batchId, schedule = later } = options;
  const levels = new Map<string, Level>();
  let unwritten = new Map<string, Unwritten>();
  /** May be on record already: tried again as they were. */
  let doubtful: readonly Batch[] = [];
  const writing = new Set<Promise<void>>();
  let timer: { cancel(): void } | undefined;
  let isClosed = false;

  const writeLater = (): void => {
    if (!isClosed) timer ??= schedule(() => void flush().catch(() => undefined), writeAfterMs);
  };
  const record = ({ scope, entry, settled }: Unwritten): void => {
    const { day, sessionId, role, model } = entry;
    const key = JSON.stringify([scope.tenant, scope.principal.id, day, sessionId, role, model]);
    const present = unwritten.get(key);
    const sum = present ? { ...present.entry, ...plus(present.entry, entry) } : entry;
    unwritten.set(key, { scope, entry: sum, settled: [...(present?.settled ?? []), ...settled] });
    writeLater();
  };

  const write = async (batch: typeof unwritten, again: readonly Batch[]): Promise<void> => {
    const keyOf = ({ scope }: Unwritten): string => JSON.stringify([scope.tenant, scope.principal.id]);
    const fresh = Array.from(Map.groupBy(batch.values(), keyOf).values(), (spent) => ({ id: batchId?.(), spent }));
    const failures: unknown[] = [];
    await Promise.all(
      [...again, ...fresh].map(async (one) => {
        const { id, spent } = one;
        const { scope } = spent[0] as Unwritten;
        const entries = spent.map(({ entry }) => entry);
        const settled = spent.flatMap((some) => some.settled);
        try {
          await repositoryOf(scope).add(entries, settled, id);
        } catch (error) {
          failures.push(error);
          if (isUnknown(error) || again.includes(one)) {
            doubtful = [...doubtful, one];
            writeLater();
          } else for (const some of spent) record(some);
        }
      }),
    );
    if (failures.length > 0) throw failures[0];
  };

  const flush = async (): Promise<void> => {
    timer?.cancel();
    timer = undefined;
    if (unwritten.size > 0 || doubtful.length > 0) {
      const [batch, again] = [unwritten, doubtful];
      unwritten = new Map();
      doubtful = [];
      const work = write(batch, again).finally(() => writing.delete(work));
      writing.add(work);
    }
    const failed = (await Promise.allSettled(writing)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  };

  const openLevel = async (scope: Scope, plan: LevelPlan): Promise<ModelBudget> => {
    const { limits: own, window, ...facts } = plan;
    // What stands in memory alone must be in the sum; nobody who holds this window can add to it before it is open.
    await flush().catch((error: unknown) => {
      // A full disk: it stays in memory until there is room, and is added from there.
      if (!isFootnoteError(error) || error.code !== 'storage-full') throw error;
    });
    const recorded = await repositoryOf(scope).total(window);
    const inMemory = [...unwritten.values(), ...doubtful.flatMap(({ spent }) => spent)];
    const waiting = inMemory.filter((one) => isWithin(window, scope, one)).map(({ entry }) => entry);
    return createModelBudget(own, { ...facts, before: attemptsOf(waiting.reduce<SpendingTotals>(plus, recorded)) });
  };

  const hold = (scope: Scope, plan: LevelPlan): Level => {
    const { window } = plan;
    const key = JSON.stringify([scope.tenant, window.of === 'tenant' ? '' : scope.principal.id, window]);
    let level = levels.get(key);
    if (!level) {
      if (levels.size >= mostIdle) for (const [other, { holders }] of levels) if (holders === 0) levels.delete(other);
      const opening: Level = { holders: 0, budget: openLevel(scope, plan) };
      opening.budget.catch(() => levels.delete(key));
      levels.set(key, opening);
      level = opening;
    }
    level.holders += 1;
    return level;
  };

  const plansFor = (
    day: string,
    { limits: { dailyUsd, dailyTokens } = {} }: Principal,
    sessionId?: string,
  ): readonly LevelPlan[] => {
    const own = defined({ costUsd: dailyUsd, tokens: dailyTokens });
    const opensAt = `${dayAfter(day, 1)}T00:00:00.000Z`;
    const plans: readonly LevelPlan[] = [
      ...(sessionId === undefined
        ? []
        : [
            {
              limits: limits.session,
              window: { of: 'session', sessionId } as const,
              name: 'this session',
              setting: 'BUDGET_SESSION',
            },
          ]),
      {
        limits: { ...limits.keyDay, ...own },
        window: { of: 'principal', day },
        name: 'this key today',
        setting: Object.keys(own).length > 0 ? 'the limits of the key' : 'BUDGET_KEY_DAY',
        opensAt,
      },
      { limits: limits.day, window: { of: 'tenant', day }, name: 'this tenant today', setting: 'BUDGET_DAY', opensAt },
    ];
    // What is not limited needs no sum: its rows alone are kept.
    return plans.filter((plan) => Object.keys(plan.limits).length > 0);
  };

  /** Where other servers spend too, they know of a call before it is made. */
  function reserveForAll(
    scope: Scope,
    { plans, ...call }: Omit<SharedReservation, 'windows' | 'check'> & { readonly plans: readonly LevelPlan[] },
  ): Promise<string> | undefined {
    const { shared } = repositoryOf(scope);
    const windows = plans.map(({ window }) => window);
    const check: SharedReservation['check'] = (spent) => {
      for (const [at, { limits: own, window: _, ...facts }] of plans.entries())
        createModelBudget(own, { ...facts, before: attemptsOf(spent[at] ?? noTotals) }).reserve(call.most);
    };
    // What it settled counts as what it took, where that can be written.
    return (
      shared &&
      flush()
        .catch(() => undefined)
        .then(() => shared.reserve({ ...call, windows, check }))
    );
  }

  return {
    async budgetFor({ scope, sessionId, isIndexing = false }) {
      const day = clock.now().slice(0, 10);
      const plans = plansFor(day, scope.principal, sessionId);
      const held = plans.map((plan) => hold(scope, plan));
      const letGo = (): void => {
        for (const level of held) level.holders -= 1;
      };
      let above: readonly ModelBudget[];
      try {
        above = await Promise.all(held.map(({ budget }) => budget));
      } catch (error) {
        letGo();
        throw error;
      }
      const tookBy = new Map<string, SpendingTotals>();
      const served = createServedRoles();
      let isOver = false;
      let underWay = 0;
      const waiting = new Set<() => void>();
      const reserve = (most: Spending, facts: CallFacts = {}): Reservation => {
        if (isOver) throw new FootnoteError('cancelled', 'The request is over: no model is called for it any more.');
        const taken: Reservation[] = [];
        try {
          for (const budget of above) taken.push(budget.reserve(most, facts));
        } catch (error) {
          for (const reservation of taken) reservation.settle(nothing);
          throw error;
        }
        for (const level of held) level.holders += 1;
        underWay += 1;
        const shared = plans.length > 0 ? reserveForAll(scope, { plans, day, sessionId, most }) : undefined;
        let id: string | undefined;
        const known = shared?.then((reserved) => {
          id = reserved;
        });
        let isOpen = true;
        const end = (actual: Settled): boolean => {
          if (!isOpen) return false;
          isOpen = false;
          for (const reservation of taken) reservation.settle(actual);
          letGo();
          underWay -= 1;
          if (underWay === 0) for (const resolve of waiting) resolve();
          return true;
        };
        return {
          ...orUndone(known, () => end(nothing)),
          settle(actual) {
            if (!end(actual)) return;
            const { role = 'other', model = 'unknown' } = facts;
            const totals = totalsOf(actual);
            tookBy.set(role, plus(tookBy.get(role) ?? noTotals, totals));
            const entry = { day, ...(sessionId !== undefined && { sessionId }), role, model, ...totals };
            record({ scope, entry, settled: id === undefined ? [] : [id] });
            // Others count what it could have taken until they know what it took.
            if (id !== undefined) void flush().catch(() => undefined);
          },
        };
      };
      const budget = createModelBudget(isIndexing ? {} : limits.request, {
        name: isIndexing ? 'indexing' : 'this request',
        setting: 'BUDGET_REQUEST',
        above: { reserve },
        onServed: served.told,
      });
      return {
        ...budget,
        ...createToolBudget(isIndexing ? {} : limits.request),
        took: (role) =>
          role === undefined ? [...tookBy.values()].reduce(plus, noTotals) : (tookBy.get(role) ?? noTotals),
        servedRoles: served.roles,
        settled: (withinMs) =>
          underWay === 0
            ? Promise.resolve()
            : new Promise((resolve) => {
                const patience = schedule(() => done(), withinMs);
                const done = (): void => {
                  waiting.delete(done);
                  patience.cancel();
                  resolve();
                };
                waiting.add(done);
              }),
        async close() {
          if (!isOver) letGo();
          isOver = true;
          if (tookBy.size > 0) await flush();
        },
      };
    },
    async standing(scope) {
      const plans = plansFor(clock.now().slice(0, 10), scope.principal).filter(
        ({ window }) => window.of !== 'tenant' || scope.principal.role === 'admin',
      );
      const shared = await repositoryOf(scope).shared?.standing(plans.map(({ window }) => window));
      return Promise.all(
        plans.map(async (plan, at) => {
          const level = hold(scope, plan);
          try {
            const { name, setting, limits: own, opensAt } = plan;
            const known = shared?.[at];
            const spent = known ? attemptsOf(known) : (await level.budget).spent();
            return { name, setting, limits: own, spent, ...(opensAt !== undefined && { opensAt }) };
          } finally {
            level.holders -= 1;
          }
        }),
      );
    },
    flush,
    async close() {
      isClosed = true;
      await flush();
    },
  };
}
