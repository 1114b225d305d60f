// Kept results against a world that changes: documents are updated and deleted, permissions change, sources fail and answer late, time
// passes. Whatever is handed out was true for its scope no earlier than it says.
import { describe, expect, it } from 'vitest';
import { createKeptResults } from '../../../src/core/waiting/kept-results.ts';

const options = { ttlMs: 100, staleMs: 50, most: 1000, sizeOf: () => 1 };

/** A small generator of numbers: a schedule is its seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/** What can go on without anybody's doing has gone on. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
}

const scopes = ['ada', 'ben', 'eve'];
const schedules = 5000;

/** What each scope may read at each moment, as versions with the time from which they hold. */
class World {
  nowMs = 0;
  readonly #texts = new Map<string, string>([['a', 'v0']]);
  readonly #denied = new Set<string>();
  readonly history: { fromMs: number; views: Map<string, string> }[] = [];
  constructor() {
    this.note();
  }
  view(scope: string): string {
    const may = [...this.#texts].filter(([id]) => !this.#denied.has(`${scope} ${id}`));
    return `${scope}:${may.map(([id, text]) => `${id}=${text}`).join(',')}`;
  }
  note(): void {
    this.history.push({ fromMs: this.nowMs, views: new Map(scopes.map((scope) => [scope, this.view(scope)])) });
  }
  change(kind: number, id: string, scope: string): void {
    if (kind === 0) this.#texts.set(id, `v${this.history.length}`);
    else if (kind === 1) this.#texts.delete(id);
    else if (this.#denied.delete(`${scope} ${id}`)) void 0;
    else this.#denied.add(`${scope} ${id}`);
    this.note();
  }
  /** Whether a scope saw this at some moment since then. */
  wasTrue(scope: string, view: string, sinceMs: number): boolean {
    return this.history.some(({ fromMs, views }, at) => {
      const untilMs = this.history[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
      return untilMs >= sinceMs && fromMs <= this.nowMs && views.get(scope) === view;
    });
  }
}

describe('kept results', () => {
  it(`are never staler than they say, nor another scope's, in ${schedules} schedules`, {
    timeout: 120_000,
  }, async () => {
    const seen = { fresh: 0, kept: 0, stale: 0, failed: 0 };
    for (let seed = 1; seed <= schedules; seed += 1) {
      const random = randomOf(seed);
      const world = new World();
      const results = createKeptResults({ ...options, most: 1 + random(5), elapsedMs: () => world.nowMs });
      const open: (() => void)[] = [];
      const running = new Map<string, number>();
      const asked: Promise<void>[] = [];
      for (let step = 0; step < 40; step += 1) {
        const kind = random(10);
        const scope = scopes[random(3)] ?? '';
        if (kind < 3) world.change(random(3), 'abc'[random(3)] ?? '', scope);
        else if (kind < 5) world.nowMs += random(90);
        else if (kind < 7) open.splice(random(open.length + 1), 1)[0]?.();
        else {
          const key = `${scope} query-${random(2)}`;
          const get = results.get(key, async () => {
            running.set(key, (running.get(key) ?? 0) + 1);
            expect(running.get(key)).toBe(1);
            // It looks at some moment between being asked and answering.
            if (random(2) === 0) await new Promise<void>((resolve) => open.push(resolve));
            const view = world.view(scope);
            if (random(2) === 0) await new Promise<void>((resolve) => open.push(resolve));
            running.set(key, 0);
            if (random(8) === 0) throw new Error('down');
            return view;
          });
          asked.push(
            get.then(
              ({ value, ageMs, isStale }) => {
                seen[isStale ? 'stale' : ageMs > 0 ? 'kept' : 'fresh'] += 1;
                expect(world.wasTrue(scope, value, world.nowMs - ageMs), `seed ${seed}`).toBe(true);
                expect(ageMs > options.ttlMs + options.staleMs && isStale).toBe(false);
              },
              () => {
                seen.failed += 1;
              },
            ),
          );
        }
        await settled();
      }
      while (open.length > 0) {
        open.shift()?.();
        await settled();
      }
      await Promise.all(asked);
    }
    // Every case was met.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(1000);
  });

  it('are asked for as long as somebody waits, and the last to leave ends it', async () => {
    const results = createKeptResults({ ...options, elapsedMs: () => 0 });
    const [one, other] = [new AbortController(), new AbortController()];
    let left: AbortSignal | undefined;
    const load = (signal: AbortSignal) => {
      left = signal;
      return new Promise<number>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('ended')), { once: true });
      });
    };
    const first = results.get('a', load, one.signal);
    const second = results.get('a', load, other.signal);
    one.abort();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    expect(left?.aborted).toBe(false);
    other.abort();
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    expect(left?.aborted).toBe(true);
    expect(await results.get('a', async () => 7)).toMatchObject({ value: 7 });
  });

  it('hold no more than was allowed, and what was wanted last', async () => {
    let asked = 0;
    const results = createKeptResults({ ...options, most: 2, elapsedMs: () => 0 });
    const get = (key: string) => results.get(key, async () => (asked += 1));
    for (const key of ['a', 'b', 'a', 'c']) await get(key);
    expect(asked).toBe(3);
    await get('a');
    await get('c');
    expect(asked).toBe(3);
    await get('b');
    expect(asked).toBe(4);
    const large = createKeptResults({ ...options, most: 2, sizeOf: () => 3, elapsedMs: () => 0 });
    await large.get('a', async () => 1);
    expect(await large.get('a', async () => 2)).toMatchObject({ value: 2 });
  });
});
