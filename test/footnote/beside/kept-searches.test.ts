// What hosted stores answered, kept, against a world that changes: documents come, change and go, permissions change, deliveries lag behind, the
// store fails, complains and answers late, time passes.
import { describe, expect, it } from 'vitest';
import { type Scope, tenantScope } from '../../../src/core/scope.ts';
import type { StorePage, StoreQuery } from '../../../src/core/store-query.ts';
import { createKeepSearches } from '../../../src/footnote/beside/kept-searches.ts';
import type { Searcher } from '../../../src/stores/store.ts';
import { historiesOfRun } from '../../../testkit/history.ts';

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
  for (let turn = 0; turn < 16; turn += 1) await Promise.resolve();
}

const { first, count: schedules } = historiesOfRun(25_000);
const ttlSeconds = 0.1;
const lasts = { ttlMs: 100, staleMs: 25 };
const scopes: readonly Scope[] = [tenantScope('one', 'ada'), tenantScope('one', 'ben'), tenantScope('two', 'ada')];
const queries: readonly StoreQuery[] = [
  { text: 'a', mode: 'vector', limit: 5 },
  { text: 'a', mode: 'lexical', limit: 5 },
  { text: 'a', mode: 'vector', limit: 6 },
  { text: 'a', mode: 'vector', limit: 5, explain: true },
  { text: 'a', mode: 'vector', limit: 5, statistics: 'own' },
  { text: 'a', mode: 'vector', limit: 5, filter: { op: 'eq', field: 'source', value: 'x' } },
  { text: 'a', mode: 'vector', limit: 5, filter: { op: 'eq', field: 'source', value: 'y' } },
  { text: 'a', mode: 'vector', limit: 5, vector: Float32Array.of(1, 0), space: 's' },
  { text: 'a', mode: 'vector', limit: 5, vector: Float32Array.of(0, 1), space: 's' },
];

type Held = ReadonlyMap<string, string>;

/** The record, and the store that is brought what changes in it, later. */
function createWorld() {
  const record = new Map([['a', 'v0']]);
  const denied = new Set<string>();
  let store: Held = new Map(record);
  let changes = 0;
  let pending = 0;
  /** Each state of the store, with the time from which it held. */
  const history: { readonly fromMs: number; readonly store: Held; readonly denied: ReadonlySet<string> }[] = [
    { fromMs: 0, store, denied: new Set(denied) },
  ];
  const world = {
    nowMs: 0,
    history,
    change(kind: number, id: string, who: number): void {
      changes += 1;
      const key = `${who} ${id}`;
      if (kind === 2) {
        if (!denied.delete(key)) denied.add(key);
      } else {
        if (kind === 0) record.set(id, `v${changes}`);
        else record.delete(id);
        pending += 1;
      }
      world.note();
    },
    deliver(): void {
      store = new Map(record);
      pending = 0;
      world.note();
    },
    note: (): void => void history.push({ fromMs: world.nowMs, store, denied: new Set(denied) }),
    version: async () => `${changes} ${pending}`,
    /** As the store shows it to a scope that asks this, at one of the moments. */
    view(who: number, asked: number, at = history.length - 1): string {
      const moment = history[at];
      const may = [...(moment?.store ?? [])].filter(([id]) => !moment?.denied.has(`${who} ${id}`));
      return `${who} ${asked}: ${may.map(([id, text]) => `${id}=${text}`).join(',')}`;
    },
  };
  return world;
}

const pageOf = (view: string, degraded: StorePage['degraded'] = []): StorePage => ({
  hits: [{ chunkId: view, documentId: 'd', score: 1, scores: {}, rank: 1 }],
  degraded,
});
const complaint = { component: 'cloud', code: 'upstream-invalid', detail: 'Half of it.', effect: 'Some are missing.' };

describe('kept searches', () => {
  it(`are never staler than they say, nor of another scope, filter, flag or version, in ${schedules} schedules`, {
    timeout: 240_000,
  }, async () => {
    const seen = { asked: 0, kept: 0, stale: 0, failed: 0, complained: 0 };
    for (let seed = first; seed < first + schedules; seed += 1) {
      const random = randomOf(seed);
      const world = createWorld();
      const keep = createKeepSearches({ ttlSeconds, timeoutMs: 60_000, elapsedMs: () => world.nowMs });
      const open: (() => void)[] = [];
      const atOnce = new Map<string, number>();
      const late = async (): Promise<void> => {
        if (random(2) === 0) await new Promise<void>((resolve) => open.push(resolve));
      };
      const searchers = scopes.map((scope, who): Searcher | undefined =>
        keep?.(
          {
            name: 'cloud',
            capabilities: { lexical: true, vector: true, hybrid: true, vectors: 'own', counts: false, explain: false },
            async search(query) {
              const asked = queries.indexOf(query);
              const key = `${who} ${asked} ${await world.version()}`;
              atOnce.set(key, (atOnce.get(key) ?? 0) + 1);
              expect(atOnce.get(key), `seed ${seed}: nobody asks twice at once`).toBe(1);
              await late();
              const view = world.view(who, asked);
              await late();
              atOnce.set(key, 0);
              const end = random(10);
              if (end === 0) throw new Error('down');
              return pageOf(view, end === 1 ? [complaint] : []);
            },
            health: async () => ({ status: 'ok', detail: '', documents: 0, chunks: 0 }),
            close: async () => undefined,
          },
          { scope, version: () => world.version(), sources: async () => [] },
        ),
      );
      const answers: Promise<void>[] = [];
      for (let step = 0; step < 40; step += 1) {
        const kind = random(12);
        if (kind === 0 && random(2) === 0) world.change(random(3), 'abc'[random(3)] ?? '', random(3));
        else if (kind === 1) world.deliver();
        else if (kind < 4) world.nowMs += random(60);
        else if (kind < 7) open.splice(random(open.length + 1), 1)[0]?.();
        else {
          const [who, asked] = [random(scopes.length), random(3) === 0 ? random(queries.length) : 0];
          const changesThen = world.history.length - 1;
          const found = searchers[who]?.search(queries[asked] as StoreQuery);
          if (!found) throw new Error('Nothing is kept.');
          answers.push(
            found.then(
              ({ hits, kept, degraded }) => {
                // Who joins a search that is under way is given what it finds, of the same version.
                const sinceMs = kept ? world.nowMs - kept.ageMs : 0;
                seen[kept?.isStale ? 'stale' : kept ? 'kept' : 'asked'] += 1;
                if (degraded.length > 0) seen.complained += 1;
                // What was kept is told as it was: without a complaint, and no older than is allowed.
                if (kept) expect([degraded, kept.ageMs < lasts.ttlMs + lasts.staleMs]).toEqual([[], true]);
                const view = hits[0]?.chunkId ?? '';
                const moments = world.history.flatMap(({ fromMs }, at) => {
                  const untilMs = world.history[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
                  return untilMs >= sinceMs && fromMs <= world.nowMs && world.view(who, asked, at) === view ? [at] : [];
                });
                expect(moments, `seed ${seed}`).not.toEqual([]);
                // And nothing that the record had noted when it was asked is missing but what was not delivered yet.
                expect(Math.max(...moments), `seed ${seed}`).toBeGreaterThanOrEqual(changesThen);
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
      await Promise.all(answers);
    }
    // Every case was met.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(schedules / 10);
  });

  it('are kept no longer than each source that is asked allows', async () => {
    let nowMs = 0;
    let calls = 0;
    const keep = createKeepSearches({ ttlSeconds: 10_000, timeoutMs: 1000, elapsedMs: () => nowMs });
    const searcher: Searcher = {
      name: 'cloud',
      capabilities: { lexical: true, vector: true, hybrid: true, vectors: 'own', counts: false, explain: false },
      async search() {
        calls += 1;
        return pageOf('');
      },
      health: async () => ({ status: 'ok', detail: '', documents: 0, chunks: 0 }),
      close: async () => undefined,
    };
    const sources = async () => [
      { name: 'prices', type: 'docs', ttlSeconds: 60 } as const,
      { name: 'program', type: 'code' } as const,
      { name: 'books', type: 'textbook' } as const,
    ];
    const kept = keep?.(searcher, { scope: scopes[0] as Scope, version: async () => 'v', sources });
    const callsOf = async (seconds: number, ...names: readonly string[]): Promise<number> => {
      const before = calls;
      const filter = { op: 'in', field: 'source', values: names } as const;
      const query = { text: 'a', mode: 'vector', limit: 5, ...(names.length > 0 && { filter }) } as const;
      await kept?.search(query);
      nowMs += seconds * 1000;
      await kept?.search(query);
      await settled();
      return calls - before;
    };
    expect(await callsOf(59, 'prices')).toBe(1);
    expect(await callsOf(76, 'prices', 'books')).toBe(2);
    // Without words of its own, what is usual of its type: half an hour, a day; never longer than is allowed for all.
    expect(await callsOf(1799, 'program')).toBe(1);
    expect(await callsOf(2251, 'program', 'books')).toBe(2);
    expect(await callsOf(12_501, 'books')).toBe(2);
    expect(await callsOf(9999, 'books')).toBe(0);
    // Any may be asked.
    expect(await callsOf(76)).toBe(2);
  });

  it('are not kept at all unless that is configured', () => {
    expect(createKeepSearches({ ttlSeconds: 0, timeoutMs: 1000, elapsedMs: () => 0 })).toBeUndefined();
  });
});
