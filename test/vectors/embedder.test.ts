// Vectors behind the documents: once settled exactly they are a function of the corpus alone, whatever happened on the way;
// searches always have a model that is whole; and nothing that fails or is cut off is lost or done twice.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import type { EmbedderStatus } from '../../src/core/store-query.ts';
import { closeEngineThreads } from '../../src/engine/threads/engine-threads.ts';
import type { VectorKeeping } from '../../src/vectors/ports.ts';
import { createRandom } from '../../testkit/history.ts';
import { putAll } from '../../testkit/record-changes.ts';
import { scopeOf } from '../../testkit/record-fixture.ts';
import { shareOfDay } from '../../testkit/sample.ts';
import { documentOf, openPlace, type Place, type PlaceOptions, type Write } from '../ingest/embedder-place.ts';

const places: Place[] = [];
const open = (options: PlaceOptions = {}): Place => {
  const place = openPlace(options);
  places.push(place);
  return place;
};
afterEach(async () => {
  for (const place of places.splice(0)) await place.close();
});
afterAll(closeEngineThreads);

const documents = (count: number, from = 0): Write[] => Array.from({ length: count }, (_, at) => documentOf(from + at));

function shuffle<T>(items: readonly T[], seed: number): T[] {
  const random = createRandom(seed);
  const order = [...items];
  for (let at = order.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [order[at], order[other]] = [order[other] as T, order[at] as T];
  }
  return order;
}

/** Spaces that fail for good from a step on, before or after it was done: what a power cut leaves. */
function failingAt(step: number, done: boolean) {
  let steps = 0;
  const wrap = (spaces: VectorKeeping): VectorKeeping => {
    const cut = async <T>(work: () => Promise<T>): Promise<T> => {
      if (steps++ < step) return work();
      if (steps === step + 1 && done) await work();
      throw new FootnoteError('storage-denied', 'The power was cut.');
    };
    return {
      ...spaces,
      begin: (model, bytes) => cut(() => spaces.begin(model, bytes)),
      write: (space, batch) => cut(() => spaces.write(space, batch)),
      activate: (space) => cut(() => spaces.activate(space)),
    };
  };
  return { wrap, steps: () => steps };
}

describe('the embedder', () => {
  it('gives the same model and rankings for the same corpus in any order, cut off anywhere', async () => {
    const reference = open();
    await reference.put(documents(120));
    await reference.embedder.settle({ exact: true });
    const expected = await reference.rankings();
    const seeds = Array.from({ length: 20 }, (_, at) => at + 1);
    for (const seed of shareOfDay(seeds, 4)) {
      const random = createRandom(seed);
      const place = open();
      // Some come as another text first, and some that do not belong are taken out again.
      const strays = documents(random.below(40), 500);
      const early = shuffle(documents(120), seed + 100)
        .slice(0, random.below(60))
        .map((write) => documentOf(Number(write.document.id.slice(1)), 1));
      await place.put(shuffle([...early, ...strays], seed));
      if (random.below(2) === 0) await place.embedder.settle({ exact: random.below(2) === 0 });
      const order = shuffle(documents(120), seed);
      for (let at = 0; at < order.length; ) {
        const size = 1 + random.below(60);
        await place.put(order.slice(at, at + size));
        at += size;
        const what = random.below(4);
        if (what === 0) await place.kill();
        if (what === 1) await place.embedder.settle();
        if (what === 2) {
          // Cut off while it works.
          const { promise, resolve } = Promise.withResolvers<void>();
          const settling = place.embedder.settle({ onProgress: () => resolve() }).catch(() => undefined);
          await Promise.race([promise, settling]);
          await place.kill();
          await settling;
        }
      }
      if (strays.length > 0) await place.remove(strays.map(({ document }) => document.id));
      await place.embedder.settle({ exact: true });
      expect(await place.rankings(), `seed ${seed}`).toEqual(expected);
      await place.close();
      places.splice(places.indexOf(place), 1);
    }
  }, 600_000);

  it('goes on after a cut at any step', async () => {
    const whole = failingAt(Number.POSITIVE_INFINITY, false);
    const reference = open({ around: whole.wrap });
    await reference.put(documents(60));
    await reference.embedder.settle({ exact: true });
    const expected = await reference.rankings();
    expect(whole.steps()).toBeGreaterThanOrEqual(3);
    for (let step = 0; step < whole.steps(); step++)
      for (const done of [false, true]) {
        const fault = failingAt(step, done);
        const place = open({ around: fault.wrap });
        await place.put(documents(60));
        await expect(place.embedder.settle()).rejects.toMatchObject({ code: 'storage-denied' });
        expect(await place.embedder.status()).toMatchObject({ state: 'failed', failure: 'The power was cut.' });
        await place.kill({});
        await place.embedder.settle();
        expect(await place.rankings()).toEqual(expected);
        // What was learned and begun is not learned again.
        expect(place.trained).toBe(step === 0 && !done ? 2 : 1);
        expect((await place.spaces().models()).map(({ state }) => state)).toEqual(['active']);
      }
  });

  it('waits for the index to hold what the record holds', async () => {
    // Asking for its health makes the index go on being built, as in the product.
    const around = (spaces: VectorKeeping): VectorKeeping => ({
      ...spaces,
      async indexed() {
        const found = await spaces.indexed();
        if (found.incomplete) await place.store.health();
        return found;
      },
    });
    const place: Place = open({ around });
    await place.database.forScope(scopeOf()).commit(putAll(documents(60)));
    expect((await place.spaces().indexed()).incomplete).toBe(true);
    await place.embedder.settle({ exact: true });
    expect(await place.embedder.status()).toMatchObject({ state: 'ready', chunks: 60, embedded: 60 });
  });

  it('says why there is no model yet, and has one from 50 short documents on', async () => {
    const place = open();
    await place.put(documents(31));
    await place.embedder.settle();
    expect(await place.embedder.current()).toMatchObject({ ready: false, code: 'too-few-chunks' });
    expect(await place.embedder.status()).toEqual({ state: 'waiting', chunks: 31, embedded: 0 });
    await place.put(documents(19, 31));
    expect(await place.embedder.current()).toMatchObject({ ready: false, code: 'training' });
    await place.embedder.settle();
    const found = await place.embedder.current();
    expect(found).toMatchObject({ ready: true, learnedFrom: 50, model: { kind: 'corpus' } });
    expect(await place.embedder.status()).toMatchObject({ state: 'ready', chunks: 50, embedded: 50 });
    // The subject of a query is found by words that the hits share with it, not by its own alone.
    const [, byOtter] = (await place.rankings()) as [string, { hits: [string, string, number][] }];
    expect(byOtter.hits.slice(0, 5).every(([, id]) => Number(id.slice(1)) % 5 === 0)).toBe(true);
    // And is gone with the chunks it was learned from.
    await place.remove(documents(30).map(({ document }) => document.id));
    await place.embedder.settle();
    expect(await place.embedder.current()).toMatchObject({ ready: false, code: 'too-few-chunks' });
    expect(await place.spaces().models()).toEqual([]);
  });

  it('learns nothing from chunks that share no words, and says so', async () => {
    const place = open();
    const alone = Array.from({ length: 40 }, (_, at) => {
      const write = documentOf(at);
      const [chunk] = write.chunks;
      return {
        ...write,
        document: { ...write.document, title: `only${at}` },
        chunks: [{ ...chunk!, text: `unique${at}`, headingPath: [] }],
      };
    });
    await place.store.upsert(alone);
    await place.embedder.settle();
    expect(await place.embedder.current()).toMatchObject({ ready: false, code: 'too-few-chunks' });
    await place.embedder.settle();
    expect(place.trained).toBe(1);
  });

  it('folds new chunks in, and learns anew when the model has seen too little of what there is', async () => {
    const place = open();
    await place.put(documents(100));
    await place.embedder.settle();
    const first = (await place.spaces().models())[0]?.space.name;
    await place.put(documents(20, 100));
    const before = (await place.rankings()) as { degraded: { code: string }[] }[];
    expect(before[1]?.degraded).toMatchObject([{ code: 'vectors-missing' }]);
    await place.embedder.settle();
    expect(await place.spaces().models()).toMatchObject([{ state: 'active', space: { name: first } }]);
    expect(await place.embedder.status()).toMatchObject({ state: 'ready', chunks: 120, embedded: 120 });
    expect(place.trained).toBe(1);
    // A quarter more than it was learned from.
    await place.put(documents(6, 120));
    await place.embedder.settle();
    const second = (await place.spaces().models())[0]?.space.name;
    expect([place.trained, second === first]).toEqual([2, false]);
    // A fifth replaced.
    await place.put(documents(20).map((_, at) => documentOf(at, 1)));
    await place.embedder.settle();
    expect(place.trained).toBe(2);
    await place.put(documents(20, 20).map((_, at) => documentOf(20 + at, 1)));
    await place.embedder.settle();
    expect(place.trained).toBe(3);
    // Exactly: as soon as anything differs, and then no more.
    await place.put([documentOf(1, 2)]);
    await place.embedder.settle({ exact: true });
    await place.embedder.settle({ exact: true });
    expect(place.trained).toBe(4);
  });

  it('answers from the old model until the new one is whole, and folds into both what comes in meanwhile', async () => {
    /** Chunks without a vector of the model in use, when another took its place. */
    const lacking: number[] = [];
    const around = (spaces: VectorKeeping): VectorKeeping => ({
      ...spaces,
      async activate(space) {
        for (const { state, space: kept } of await spaces.models()) {
          if (state !== 'active') continue;
          const { chunks, embedded } = await spaces.coverage(kept.name);
          lacking.push(chunks - embedded);
        }
        return spaces.activate(space);
      },
    });
    const place = open({ around });
    await place.put(documents(60));
    await place.embedder.settle();
    const before = await place.embedder.current();
    await place.put(documents(600, 60));
    const seen = new Set<string>();
    const errors: unknown[] = [];
    let late = false;
    const settling = place.embedder.settle({
      onProgress({ state }) {
        if (state !== 'embedding' || late) return;
        late = true;
        void place.put(documents(5, 2000)).catch((error: unknown) => errors.push(error));
      },
    });
    let done = false;
    const ended = settling.finally(() => {
      done = true;
    });
    while (!done) {
      const [space, first] = (await place.rankings()) as [string, { hits: unknown[] }];
      seen.add(space);
      expect(first.hits.length).toBe(10);
      // Searches in place leave no turn to anybody else.
      await nextTurn();
    }
    await ended;
    expect(lacking).toEqual([0]);
    await place.embedder.settle();
    const after = await place.embedder.current();
    expect(errors).toEqual([]);
    expect([before, after]).toMatchObject([{ ready: true }, { ready: true }]);
    expect(seen.has((before as { space: string }).space)).toBe(true);
    expect((after as { space: string }).space).not.toBe((before as { space: string }).space);
    expect(await place.embedder.status()).toMatchObject({ state: 'ready', chunks: 665, embedded: 665 });
  });

  it('learns again what was damaged on disk', async () => {
    const place = open();
    await place.put(documents(60));
    await place.embedder.settle({ exact: true });
    const expected = await place.rankings();
    await place.database.write((connection) => {
      connection.prepare("UPDATE embedding_model_part SET bytes = x'010204'").run();
    });
    await place.kill();
    expect(await place.embedder.current()).toMatchObject({ ready: false, code: 'training' });
    await place.embedder.settle();
    expect(await place.rankings()).toEqual(expected);
    expect(place.trained).toBe(2);
  });

  it('is cancelled by its signal and by closing, and goes on later', async () => {
    const place = open();
    await place.put(documents(400));
    const controller = new AbortController();
    const states: EmbedderStatus['state'][] = [];
    const settling = place.embedder.settle({
      signal: controller.signal,
      onProgress({ state }) {
        states.push(state);
        controller.abort();
      },
    });
    await expect(settling).rejects.toMatchObject({ code: 'cancelled' });
    expect(states).toEqual(['training']);
    await expect(place.embedder.settle({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    expect(await place.embedder.status()).not.toHaveProperty('failure');
    const closed = place.embedder.settle();
    await place.embedder.close();
    await expect(closed).rejects.toMatchObject({ code: 'cancelled' });
    await place.kill();
    await place.embedder.settle();
    expect(await place.embedder.current()).toMatchObject({ ready: true });
  });

  it('keeps the event loop free', async () => {
    const place = open();
    // Some 3,000 chunks: to learn from them takes seconds.
    await place.put(Array.from({ length: 20 }, (_, at) => documentOf(at, 0, 5000)));
    await place.store.search({ text: 'otter', mode: 'lexical', limit: 1 });
    // What this thread computes without giving way; what other programs take meanwhile is not in it.
    let longestMs = 0;
    let wholeMs = 0;
    let last = process.threadCpuUsage();
    const look = (): void => {
      const { user, system } = process.threadCpuUsage(last);
      last = process.threadCpuUsage();
      longestMs = Math.max(longestMs, (user + system) / 1000);
      wholeMs += (user + system) / 1000;
    };
    const watch = setInterval(look, 5);
    await place.embedder.settle();
    look();
    clearInterval(watch);
    expect(await place.embedder.status()).toMatchObject({ state: 'ready' });
    expect(longestMs).toBeLessThan(Math.max(400, wholeMs / 3));
  });

  it('looks after the vectors by itself, soon after the changes', async () => {
    const place = open({ timing: { soonMs: 5, quietMs: 20, betweenMs: 10 } });
    await place.put(documents(60));
    await expect
      .poll(() => place.embedder.status(), { timeout: 120_000 })
      .toMatchObject({ state: 'ready', embedded: 60 });
    await place.put(documents(5, 60));
    await expect
      .poll(() => place.embedder.status(), { timeout: 120_000 })
      .toMatchObject({ state: 'ready', embedded: 65 });
    expect(place.trained).toBe(1);
  });

  it('rests after a failure, and tries again', async () => {
    let failures = 2;
    const around = (spaces: VectorKeeping): VectorKeeping => ({
      ...spaces,
      async write(space, batch) {
        if (failures-- > 0) throw new FootnoteError('storage-full', 'The disk is full.');
        return spaces.write(space, batch);
      },
    });
    const place = open({ around, timing: { soonMs: 5, quietMs: 5, betweenMs: 5, restMs: 10 } });
    await place.put(documents(60));
    await expect
      .poll(() => place.embedder.status(), { timeout: 120_000 })
      .toMatchObject({ state: 'ready', embedded: 60 });
    expect(failures).toBeLessThan(0);
  });

  it('serves what others activated after it could not activate its own', async () => {
    let isCut = false;
    const around = (spaces: VectorKeeping): VectorKeeping => ({
      ...spaces,
      async active() {
        const active = (await spaces.models()).find(({ state }) => state === 'active');
        return active && { space: active.space.name, seal: '' };
      },
      async activate(space) {
        if (isCut) throw new FootnoteError('storage-busy', 'The database does not answer.');
        return spaces.activate(space);
      },
    });
    const place = open({ around });
    await place.put(documents(60));
    await place.embedder.settle();
    const before = await place.embedder.current();
    await place.put(documents(600, 60));
    isCut = true;
    await expect(place.embedder.settle({ exact: true })).rejects.toMatchObject({ code: 'storage-busy' });
    const served = await place.embedder.current();
    expect(served.ready && served.space).toBe(before.ready && before.space);
  });

  it('is off where no model is wanted', async () => {
    const place = open({ model: 'none' });
    await place.put(documents(60));
    await place.embedder.settle({ exact: true });
    expect(await place.embedder.current()).toMatchObject({ ready: false, code: 'off' });
    expect(await place.embedder.status()).toEqual({ state: 'off', chunks: 60, embedded: 0 });
  });
});
