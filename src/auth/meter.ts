// What keys take of the server: requests in their window and in a day, bytes of documents in a day (UTC). What models cost is in models/money. Invariants: what is
// taken is counted before it begins, so that many at once never pass a limit together; the record knows of no less than was taken, so that neither does a
// restart, nor a kill, which can cost a key a twentieth of a limit.
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
  /** What the record knows of; never less. */
  kept: number;
  writing: Promise<void> | undefined;
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
  /** Writes what was really taken. */
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

  const windowOf = (id: string, { what, seconds }: Limit): Promise<Window> => {
    const since = new Date(Math.floor(nowMs() / (seconds * 1000)) * seconds * 1000).toISOString();
    const key = `${what} ${id}`;
    const known = windows.get(key);
    if (known?.since === since) return known.window;
    const window = keys.taken(id, what, since).then((used) => ({ since, used, kept: used, writing: undefined }));
    windows.set(key, { since, window });
    window.catch(() => windows.delete(key));
    return window;
  };

  const write = (id: string, what: string, { since }: Window, amount: number): Promise<void> =>
    // On a full disk it counts in memory.
    keys.take(id, what, { since, amount }).catch(() => undefined);

  /** The record is told of more at a time than was taken, so that not every request waits for the disk. */
  async function keep(id: string, { what, most }: Limit, window: Window): Promise<void> {
    while (window.used > window.kept) {
      const amount = what === 'bytes' ? window.used : Math.min(most, window.used + Math.floor(most / 20));
      window.writing ??= write(id, what, window, amount).then(() => {
        window.kept = amount;
        window.writing = undefined;
      });
      await window.writing;
    }
  }

  function refusalOf({ what, most, seconds }: Limit, { since, used }: Window, amount: number): FootnoteError {
    const opensAt = new Date(Date.parse(since) + seconds * 1000).toISOString();
    const [unit, advice, setting] = words[what];
    const span = what === 'rate' ? ` in ${seconds} s` : '';
    return new FootnoteError(
      what === 'rate' ? 'rate-limited' : 'quota-exceeded',
      `This key may take ${most} ${unit}${span}; ${most - used} are left, and this needs ${amount}. It begins anew at ${opensAt}. ${advice}, or have the limit raised (${setting}).`,
      { details: { budget: 'this key', kind: what, limit: most, spent: used, asked: amount, opensAt } },
    );
  }

  async function take(principal: Principal, wanted: readonly What[], amount: number) {
    const { id } = principal;
    const limits = limitsOf(principal, wanted);
    const held = await Promise.all(limits.map(async (limit) => ({ limit, window: await windowOf(id, limit) })));
    const full = held.find(({ limit, window }) => window.used + amount > limit.most);
    if (!full) for (const { window } of held) window.used += amount;
    const refusal = full && refusalOf(full.limit, full.window, amount);
    const standings = held.map(({ limit, window }): LimitStanding => {
      const resetsInMs = Date.parse(window.since) + limit.seconds * 1000 - nowMs();
      return { ...limit, left: limit.most - window.used, resetsInSeconds: Math.max(1, Math.ceil(resetsInMs / 1000)) };
    });
    if (!full) await Promise.all(held.map(({ limit, window }) => keep(id, limit, window)));
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
        if (last && last.kept !== last.used) await write(id, what, last, last.used);
      }
    },
  };
}
