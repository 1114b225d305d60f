// What keys take of the server: requests in their window and in a day, bytes of documents in a day (UTC). What models cost is in models/money. Invariants: what is
// taken is counted before it begins, so that many at once never pass a limit together, at however many servers; the record knows of no less than was taken, so
// that neither does a restart, nor a kill. A server takes a twentieth of a limit ahead: a kill can cost a key so much, and each other server may hold so much.
import { FootnoteError } from '../core/errors.ts';
import type { Clock } from '../core/ids.ts';
import type { Principal } from '../core/scope.ts';
import { daySeconds, type KeyLimits, secondsOfRate } from '../core/spending.ts';
import { defined } from '../core/values/defined.ts';
import type { KeyRepository } from '../db/repositories/api-keys.ts';
import { isLimited } from './credentials.ts';

type What = 'rate' | 'requests' | 'bytes';

interface Limit {
  readonly what: What;
  readonly most: number;
  readonly seconds: number;
}

interface Window {
  readonly since: string;
  used: number;
  /** What the record gave to this server; never less than was used. */
  granted: number;
  /** What the record has left for all. */
  left: number;
  /** By those who wait for it. */
  wanted: number;
  asking: Promise<void> | undefined;
}

interface Held {
  readonly limit: Limit;
  readonly window: Window;
}

export interface LimitStanding extends Limit {
  readonly left: number;
  readonly resetsInSeconds: number;
}

export interface Meter {
  /** Counts a request of a key. Where it passes a limit it is not counted, and `refusal` says when to come again. */
  request(
    principal: Principal,
  ): Promise<{ readonly limits: readonly LimitStanding[]; readonly refusal?: FootnoteError }>;
  /** Counts so many bytes of a document; the result takes them back, where nothing came of them. Throws `quota-exceeded`. */
  bytes(principal: Principal, amount: number): Promise<() => void>;
  /** Gives back what was taken ahead. */
  close(): Promise<void>;
}

const words = {
  rate: ['requests', 'Ask again then', '--rate, KEY_RATE'],
  requests: ['requests a day', 'Ask again then', '--daily-requests, KEY_DAILY_REQUESTS'],
  bytes: ['bytes of documents a day', 'Add the rest then', '--daily-bytes, KEY_DAILY_BYTES'],
} as const;

export interface MeterOptions {
  readonly keys: Pick<KeyRepository, 'taken' | 'take'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Of keys that have none of their own. */
  readonly usual: KeyLimits;
}

export function createMeter({ keys, clock, usual }: MeterOptions): Meter {
  const windows = new Map<string, { readonly since: string; readonly window: Promise<Window> }>();
  const nowMs = (): number => Date.parse(clock.now());

  const limitsOf = (principal: Principal, wanted: readonly What[]): readonly Limit[] => {
    if (!isLimited(principal)) return [];
    const { rate, dailyRequests, dailyBytes } = { ...usual, ...principal.limits };
    const most = { rate: rate && Number.parseInt(rate, 10), requests: dailyRequests, bytes: dailyBytes };
    return wanted.flatMap((what) => {
      const limit = most[what];
      return limit ? [{ what, most: limit, seconds: what === 'rate' ? secondsOfRate(rate ?? '') : daySeconds }] : [];
    });
  };

  const windowOf = (id: string, { what, most, seconds }: Limit): Promise<Window> => {
    const since = new Date(Math.floor(nowMs() / (seconds * 1000)) * seconds * 1000).toISOString();
    const key = `${what} ${id}`;
    const known = windows.get(key);
    if (known?.since === since) return known.window;
    const window = keys.taken(id, what, since).then((taken): Window => {
      const left = Math.max(0, most - taken);
      return { since, used: 0, granted: 0, left, wanted: 0, asking: undefined };
    });
    windows.set(key, { since, window });
    window.catch(() => windows.delete(key));
    return window;
  };

  const leftOf = ({ used, granted, left }: Window): number => granted - used + left;

  async function ask(id: string, { what, most }: Limit, window: Window): Promise<void> {
    const { since, wanted, used, granted, left } = window;
    const ahead = what === 'bytes' ? 0 : Math.floor(most / 20);
    const amount = wanted + ahead - (granted - used);
    // On a full disk it counts in memory.
    const inMemory = { granted: Math.min(amount, left), left: left - Math.min(amount, left) };
    const told = await keys.take(id, what, { since, amount, most }).catch(() => inMemory);
    window.granted += told.granted;
    window.left = told.left;
  }

  /** Uses so much of each, or of none; the one that is used up. Whoever asks in the same turn shares a write. */
  async function use(id: string, held: readonly Held[], amount: number): Promise<Held | undefined> {
    for (const { window } of held) window.wanted += amount;
    const lacks = ({ window }: Held): boolean => window.used + amount > window.granted;
    const short = () => held.filter((one) => lacks(one) && one.window.left > 0);
    for (let lacking = short(); lacking.length > 0; lacking = short())
      await Promise.all(
        lacking.map(({ limit, window }) => {
          window.asking ??= Promise.resolve()
            .then(() => ask(id, limit, window))
            .finally(() => {
              window.asking = undefined;
            });
          return window.asking;
        }),
      );
    const full = held.find(lacks);
    for (const { window } of held) {
      window.wanted -= amount;
      if (!full) window.used += amount;
    }
    return full;
  }

  function refusalOf({ what, most, seconds }: Limit, window: Window, amount: number): FootnoteError {
    const { since } = window;
    const left = leftOf(window);
    const opensAt = new Date(Date.parse(since) + seconds * 1000).toISOString();
    const [unit, advice, setting] = words[what];
    const span = what === 'rate' ? ` in ${seconds} s` : '';
    return new FootnoteError(
      what === 'rate' ? 'rate-limited' : 'quota-exceeded',
      `This key may take ${most} ${unit}${span}; ${left} are left, and this needs ${amount}. It begins anew at ${opensAt}. ${advice}, or have the limit raised (${setting}).`,
      { details: { budget: 'this key', kind: what, limit: most, spent: most - left, asked: amount, opensAt } },
    );
  }

  async function take(principal: Principal, wanted: readonly What[], amount: number) {
    const { id } = principal;
    const limits = limitsOf(principal, wanted);
    const held = await Promise.all(limits.map(async (limit) => ({ limit, window: await windowOf(id, limit) })));
    const full = await use(id, held, amount);
    const refusal = full && refusalOf(full.limit, full.window, amount);
    const standings = held.map(({ limit, window }): LimitStanding => {
      const resetsInMs = Date.parse(window.since) + limit.seconds * 1000 - nowMs();
      return { ...limit, left: leftOf(window), resetsInSeconds: Math.max(1, Math.ceil(resetsInMs / 1000)) };
    });
    return { held, standings, refusal };
  }

  return {
    async request(principal) {
      const { standings: limits, refusal } = await take(principal, ['rate', 'requests'], 1);
      return defined({ limits, refusal });
    },
    async bytes(principal, amount) {
      const { held, refusal } = await take(principal, ['bytes'], amount);
      if (refusal) throw refusal;
      return () => {
        for (const { window } of held.splice(0)) window.used -= amount;
      };
    },
    async close() {
      for (const [key, { window }] of windows) {
        const [what = '', id = ''] = key.split(' ');
        const last = await window.catch(() => undefined);
        if (!last || last.granted === last.used) continue;
        const amount = last.used - last.granted;
        await keys.take(id, what, { since: last.since, amount, most: 0 }).catch(() => undefined);
      }
    },
  };
}
