// What keys take of the server: requests in their window and in a day, bytes of documents in a day (UTC). What models cost is in models/money. Invariants: what is
// taken is counted before it begins, so that many at once never pass a limit together, at however many servers; the record knows of no less than was taken, so
// that neither does a restart, nor a kill. A server takes a twentieth of a limit ahead: a kill can cost a key so much, and each other server may hold so much.
import { FootnoteError, isFootnoteError } from '../core/errors.ts';
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
  /** What this server may use; never less than was used. */
  granted: number;
  /** What the record gave to this server: less than `granted` while what it took on a full disk stands in memory alone. */
  recorded: number;
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

interface Known {
  readonly id: string;
  readonly limit: Limit;
  readonly since: string;
  readonly window: Promise<Window>;
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
  const windows = new Map<string, Known>();
  /** When the window began that began last. */
  let newest = '';
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

  const windowOf = (id: string, limit: Limit): Promise<Window> => {
    const { what, most, seconds } = limit;
    const since = new Date(Math.floor(nowMs() / (seconds * 1000)) * seconds * 1000).toISOString();
    const key = `${what} ${id}`;
    const known = windows.get(key);
    if (known?.since === since) return known.window;
    if (since > newest) {
      newest = since;
      for (const [other, { since: from, limit: of }] of windows)
        if (Date.parse(from) + of.seconds * 1000 <= nowMs()) windows.delete(other);
    }
    const window = keys.taken(id, what, since).then((taken): Window => {
      const left = Math.max(0, most - taken);
      return { since, used: 0, granted: 0, recorded: 0, left, wanted: 0, asking: undefined };
    });
    windows.set(key, { id, limit, since, window });
    window.catch(() => windows.delete(key));
    return window;
  };

  const leftOf = ({ used, granted, left }: Window): number => granted - used + left;

  const isFull = (error: unknown): boolean => isFootnoteError(error) && error.code === 'storage-full';

  /** Takes what is wanted, or gives back what is not. */
  async function ask(id: string, { what, most }: Limit, window: Window): Promise<void> {
    const { since, wanted, used, granted, recorded, left } = window;
    const ahead = what === 'bytes' ? 0 : Math.floor(most / 20);
    const amount = used + wanted + ahead - recorded;
    const lends = Math.min(0, amount);
    // Nobody uses what is on its way back, and whoever wants it waits for it.
    window.granted += lends;
    window.recorded += lends;
    window.left -= lends;
    try {
      const told = await keys.take(id, what, { since, amount, most });
      if (lends === 0) window.recorded += told.granted;
      window.granted = Math.max(window.used, window.recorded);
      window.left = told.left;
    } catch (error) {
      window.granted -= lends;
      window.recorded -= lends;
      window.left = left;
      if (!isFull(error)) throw error;
      // On a full disk it counts in memory, until it can be added.
      const more = Math.max(0, Math.min(used + wanted + ahead - granted, left));
      window.granted += more;
      window.left -= more;
    }
  }

  /** One at a time for a window; whoever asks in the same turn shares a write. */
  function asked(id: string, { limit, window }: Held): Promise<void> {
    window.asking ??= Promise.resolve()
      .then(() => ask(id, limit, window))
      .finally(() => {
        window.asking = undefined;
      });
    return window.asking;
  }

  /** What is left over other servers may have. What cannot be given back stays here. */
  const giveBack = async (id: string, held: Held): Promise<void> => {
    if (held.window.granted > held.window.used) await asked(id, held).catch(() => undefined);
  };

  /** Uses so much of each, or of none; the one that is used up. */
  async function use(id: string, held: readonly Held[], amount: number): Promise<Held | undefined> {
    for (const { window } of held) window.wanted += amount;
    const lacks = ({ window }: Held): boolean => window.used + amount > window.granted;
    const short = () => held.filter((one) => lacks(one) && one.window.left > 0);
    let full: Held | undefined;
    try {
      for (let lacking = short(); lacking.length > 0; lacking = short())
        await Promise.all(lacking.map((one) => asked(id, one)));
      full = held.find(lacks);
      if (!full) for (const { window } of held) window.used += amount;
    } finally {
      for (const { window } of held) window.wanted -= amount;
    }
    if (full) await giveBack(id, full);
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
        for (const one of held.splice(0)) {
          one.window.used -= amount;
          void giveBack(principal.id, one);
        }
      };
    },
    async close() {
      for (const { id, limit, window } of windows.values()) {
        const last = await window.catch(() => undefined);
        await last?.asking?.catch(() => undefined);
        if (!last || last.recorded === last.used) continue;
        const { since, used, recorded } = last;
        await keys.take(id, limit.what, { since, amount: used - recorded, most: limit.most }).catch(() => undefined);
      }
    },
  };
}
