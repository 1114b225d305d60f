// The benchmark of the engine measures what it says: its arithmetic, its turns, its goals, and that engines which it compares
// search the same texts with the same terms.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSpeedCorpus } from '../../testkit/engine-corpus.ts';
import {
  median,
  quantile,
  quantileOfRounds,
  queriesPerSecond,
  queriesWithin,
  timeEach,
  timesFaster,
} from '../../testkit/engine-timing.ts';
import { clientRatio, engineGoals, engineTables, type Measured, overlap, toGoal, workerRatio } from './engine-goals.ts';
import { ownEngines, queryTerms } from './engine-own.ts';
import { peerEngines } from './engine-peers.ts';
import type { EngineSource, MeasuredEngine } from './engine-port.ts';
import { build } from './engine-process.ts';
import { startEngineProcess } from './engine-turns.ts';

describe('timings', () => {
  it('takes quantiles that were measured', () => {
    const times = [5, 1, 4, 2, 3];
    expect(median(times)).toBe(3);
    expect(quantile(times, 0)).toBe(1);
    expect(quantile(times, 0.8)).toBe(4);
    expect(quantile(times, 0.95)).toBe(5);
    expect(quantile([], 0.5)).toBeNaN();
    expect(times).toEqual([5, 1, 4, 2, 3]);
    const hundred = Array.from({ length: 100 }, (_, at) => at + 1);
    expect([0.5, 0.95, 0.99, 1].map((at) => quantile(hundred, at))).toEqual([50, 95, 99, 100]);
  });

  it('takes the median of the rounds, so that one slow round does not show', () => {
    expect(
      quantileOfRounds(
        [
          [1, 1],
          [90, 90],
          [2, 2],
        ],
        0.95,
      ),
    ).toBe(2);
    expect(quantileOfRounds([[1, 9, 9]], 0.5, 1)).toBe(1);
  });

  it('compares engines over the queries that both were asked', () => {
    // Beyond its second query the own engine is slow, where the other was not asked any more.
    const own = [[1, 1, 50, 50, 50]];
    expect(timesFaster(own, [[10, 10]])).toBe(10);
    expect(timesFaster([[2, 2]], [[1, 1]])).toBe(0.5);
  });

  it('gives slow engines fewer queries, never too few', () => {
    const budget = { budgetMs: 1000, least: 10, most: 500 };
    expect([0.01, 4, 1000].map((ms) => queriesWithin(ms, budget))).toEqual([500, 250, 10]);
    expect(queriesWithin(1000, { ...budget, most: 5 })).toBe(5);
  });

  it('times each query once, in order', async () => {
    const asked: number[] = [];
    const times = await timeEach([3, 1, 2], async (query) => {
      asked.push(query);
      return [];
    });
    expect(asked).toEqual([3, 1, 2]);
    expect(times).toHaveLength(3);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
  });

  it('keeps as many queries in flight as there are clients, and asks each once', async () => {
    for (const clients of [1, 2]) {
      let flying = 0;
      let most = 0;
      const asked: number[] = [];
      const queries = Array.from({ length: 20 }, (_, at) => at);
      const rate = await queriesPerSecond(queries, clients, async (query) => {
        asked.push(query);
        most = Math.max(most, ++flying);
        await new Promise(setImmediate);
        flying--;
        return [];
      });
      expect(most).toBe(clients);
      expect(asked.toSorted((left, right) => left - right)).toEqual(queries);
      expect(rate).toBeGreaterThan(0);
    }
  });
});

const measured = (engine: string, ms: number): Measured => ({
  engine,
  built: { chunksPerSecond: 5000, firstTenthPerSecond: 6000, memoryMb: 500 },
  diskMb: 10,
  restartMs: 100,
  memoryMb: 400,
  memoryWithVectorsMb: engine === 'footnote store' ? 550 : null,
  content: [[ms, ms, ms]],
  natural: [[ms * 1.5, ms * 1.5, ms * 1.5]],
  oneClient: [100, 100, 100],
  twoClients: [180, 190, 20],
  oneWorker: engine === 'footnote store' ? [100, 100, 10] : [null, null, null],
  quality: { 'scifact/test': 0.68 },
  best: [[1, 2]],
});

describe('goals', () => {
  const all = [
    measured('footnote store', 0.2),
    measured('footnote engine', 0.1),
    measured('SQLite FTS5', 6),
    measured('LanceDB', 1),
  ];
  const by = (name: string, chunks: number, from = all) =>
    engineGoals(from, chunks).find(({ what }) => what.startsWith(name));

  it('asks a million chunks for other numbers than a hundred thousand', () => {
    expect(
      engineGoals(all, 100_000)
        .filter(({ met }) => !met)
        .map(({ what }) => what),
    ).toEqual(['times faster than LanceDB']);
    expect(by('times faster than SQLite FTS5', 100_000)).toMatchObject({ wanted: '>= 15', got: 30, met: true });
    expect(by('times faster than LanceDB', 1_000_000)).toMatchObject({ wanted: '>= 5', got: 5, met: true });
    expect(by('store, two workers', 1_000_000)).toMatchObject({ wanted: '>= 1.7', got: 1.9, met: true });
    expect(by('store, time per chunk', 1_000_000)).toMatchObject({ wanted: '<= 1.5', got: 1.2, met: true });
    expect(by('store with 384-d vectors', 1_000_000)).toMatchObject({ wanted: '<= 3500', met: true });
  });

  it('shows what was not measured as missed', () => {
    const goals = engineGoals([], 1_000_000);
    expect(goals.length).toBe(engineGoals(all, 1_000_000).length);
    expect(goals.every(({ met, got }) => !met && got === 'not measured')).toBe(true);
    expect(by('times faster than LanceDB', 100_000, all.slice(0, 3))).toMatchObject({ met: false });
  });

  it('judges the number itself, not the one that is printed', () => {
    expect(toGoal({ what: 'ms', limit: 0.4, got: 0.4001 })).toEqual({
      what: 'ms',
      wanted: '<= 0.4',
      got: 0.4,
      met: false,
    });
    expect(toGoal({ what: 'times', limit: 15, got: 15, least: true }).met).toBe(true);
  });

  it('takes ratios of clients within a round, and overlaps by query', () => {
    expect(clientRatio({ oneClient: [100, 10, 100], twoClients: [180, 19, 20] })).toBeCloseTo(1.8);
    expect(workerRatio({ oneWorker: [100, 10, 100], twoClients: [180, 19, 20] })).toBeCloseTo(1.8);
    expect(
      overlap(
        [
          [1, 2],
          [3, 4],
        ],
        [
          [2, 1],
          [9, 4],
        ],
      ),
    ).toBe(0.75);
    expect(overlap([[1, 2], [3]], [[1]])).toBe(0.5);
  });

  it('has a row for every engine in every table', () => {
    for (const { columns, rows } of engineTables(all)) {
      expect(rows.map(([engine]) => engine)).toEqual(all.map(({ engine }) => engine));
      for (const row of rows) expect(row).toHaveLength(columns.length);
    }
  });
});

describe('engines', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'footnote-bench-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const chunks = 500;
  const corpus = createSpeedCorpus(1, chunks);
  const best = async (engine: MeasuredEngine, kind: 'content' | 'natural'): Promise<number[][]> => {
    const found: number[][] = [];
    for (let at = 0; at < 20; at++)
      found.push((await engine.search(corpus.query(at, kind))).slice(0, 10).map(engine.numberOf));
    return found;
  };

  it('makes a text and a query from its number alone', () => {
    const again = createSpeedCorpus(1, chunks);
    again.chunk(3);
    expect(again.chunk(7)).toBe(corpus.chunk(7));
    expect(again.query(2, 'natural')).toBe(corpus.query(2, 'natural'));
    expect(createSpeedCorpus(2, chunks).chunk(7)).not.toBe(corpus.chunk(7));
  });

  it('asks no engine for stop words', () => {
    const natural = Array.from({ length: 50 }, (_, at) => corpus.query(at, 'natural'))
      .join(' ')
      .split(' ');
    for (const word of ['the', 'of', 'and', 'to', 'in', 'is', 'that', 'it', 'was', 'for']) {
      expect(natural).toContain(word);
      expect(queryTerms(`${word} blorpt ${word}`)).toEqual(queryTerms('blorpt'));
    }
  });

  it('finds the same in our store, our engine and FTS5, before and after a restart', async () => {
    const sources: Record<string, EngineSource> = { ...ownEngines, 'SQLite FTS5': peerEngines['SQLite FTS5'] };
    const found: Record<string, number[][]> = {};
    for (const [name, source] of Object.entries(sources)) {
      const own = join(folder, name);
      let engine = await source.open(own);
      const built = await build(engine, corpus, chunks);
      expect(built.chunksPerSecond).toBeGreaterThan(0);
      expect(built.firstTenthPerSecond).toBeGreaterThan(0);
      found[name] = await best(engine, 'content');
      if (source.durable) {
        await engine.close();
        engine = await source.open(own);
        expect(await best(engine, 'content')).toEqual(found[name]);
      }
      await engine.close();
    }
    const [store = [], engine = [], fts5 = []] = Object.values(found);
    expect(store.every(({ length }) => length > 0)).toBe(true);
    expect(store.flat().length).toBeGreaterThan(100);
    expect(overlap(store, engine)).toBeGreaterThan(0.95);
    expect(overlap(engine, fts5)).toBeGreaterThan(0.9);
  });

  it('runs an engine in a process of its own, and survives its end', async () => {
    const script = join(import.meta.dirname, './engine-process.ts');
    const running = startEngineProcess(script, ['footnote engine', folder, '60']);
    expect(await running.ask('build')).toMatchObject({ chunksPerSecond: expect.any(Number) });
    const counts = await running.ask<{ content: number }>('warm');
    expect(counts.content).toBeGreaterThanOrEqual(60);
    expect(await running.ask<number[]>('round', { kind: 'content', count: 5 })).toHaveLength(5);
    expect(await running.ask<number[][]>('best', { count: 3 })).toHaveLength(3);
    await expect(running.ask('nothing')).rejects.toThrow('There is no call nothing');
    await running.stop();
    await expect(running.ask('memory')).rejects.toThrow('has ended');
    const wrong = startEngineProcess(script, ['no such engine', folder, '60']);
    await expect(wrong.ask('build')).rejects.toThrow('No engine no such engine');
    await wrong.stop();
  });
});
