// Speed of the lexical engine against others: one synthetic corpus, one machine, the same queries, top 100, called from the main
// thread. Each engine runs in a process of its own, so that memory is its own.
// Usage: node bench/engine.ts [chunks] [engine …]; peers: npm install --prefix bench, or FOOTNOTE_BENCH_PEERS=<folder>.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSpeedCorpus } from './engine-corpus.ts';
import { folderBytes, measuredEngines } from './engine-peers.ts';
import { type BenchGoal, writeResult } from './report.ts';

const seed = 1;
const queryCount = 500;
const rounds = 3;
const batch = 500;

interface Measured {
  readonly engine: string;
  readonly chunksPerSecond: number;
  readonly diskMb: number;
  readonly memoryMb: number;
  readonly restartMs: number | null;
  readonly content: readonly number[];
  readonly natural: readonly number[];
  /** Ids of the best hit of the first queries: a sign that engines search the same. */
  readonly hits: number;
}

const quantile = (sorted: readonly number[], at: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0;
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

async function measure(name: string, chunks: number): Promise<Measured> {
  const open = measuredEngines[name];
  if (!open) throw new Error(`No engine ${name}; there are ${Object.keys(measuredEngines).join(', ')}.`);
  const folder = mkdtempSync(join(tmpdir(), 'footnote-engine-'));
  try {
    const corpus = createSpeedCorpus(seed, chunks);
    const engine = await open(folder);
    let spentMs = 0;
    for (let first = 0; first < chunks; first += batch) {
      const texts = Array.from({ length: Math.min(batch, chunks - first) }, (_, at) => corpus.chunk(first + at));
      const startedAt = performance.now();
      await engine.add(first, texts);
      spentMs += performance.now() - startedAt;
    }
    const finishedAt = performance.now();
    await engine.finish();
    spentMs += performance.now() - finishedAt;
    const timings: Record<'content' | 'natural', number[][]> = { content: [], natural: [] };
    let hits = 0;
    for (const kind of ['content', 'natural'] as const) {
      const queries = Array.from({ length: queryCount }, (_, at) => corpus.query(at, kind));
      for (let turn = 0; turn <= rounds; turn++) {
        const times: number[] = [];
        for (const query of queries) {
          const startedAt = performance.now();
          const found = await engine.search(query);
          times.push(performance.now() - startedAt);
          hits += found.length;
        }
        // The first turn warms up.
        if (turn > 0) timings[kind].push(times.sort((left, right) => left - right));
      }
    }
    (globalThis as { gc?: () => void }).gc?.();
    const memoryMb = process.memoryUsage().rss / 2 ** 20;
    const restartedAt = performance.now();
    await engine.restart?.(corpus.query(0, 'content'));
    const restartMs = engine.restart ? performance.now() - restartedAt : null;
    const diskMb = folderBytes(folder) / 2 ** 20;
    await engine.close();
    const median = (turns: readonly number[][], at: number): number =>
      quantile(
        turns.map((times) => quantile(times, at)).sort((left, right) => left - right),
        0.5,
      );
    const spread = (kind: 'content' | 'natural'): number[] => [0.5, 0.95, 0.99].map((at) => median(timings[kind], at));
    return {
      engine: name,
      chunksPerSecond: chunks / (spentMs / 1000),
      diskMb,
      memoryMb,
      restartMs,
      content: spread('content'),
      natural: spread('natural'),
      hits,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [first, ...rest] = process.argv.slice(2);
if (first === 'measure') {
  const [name = '', chunks = '100000'] = rest;
  console.log(JSON.stringify(await measure(name, Number(chunks))));
} else {
  const chunks = Number(first ?? 100_000);
  const names = rest.length > 0 ? rest : Object.keys(measuredEngines);
  const measured: Measured[] = [];
  const missing: string[] = [];
  for (const name of names) {
    try {
      const output = execFileSync(
        process.execPath,
        ['--expose-gc', import.meta.filename, 'measure', name, String(chunks)],
        {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
          maxBuffer: 2 ** 26,
        },
      );
      const one = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Measured;
      measured.push(one);
      console.log(JSON.stringify(one));
    } catch (error) {
      missing.push(name);
      console.error(`${name}: not measured (${String(error).split('\n')[0]})`);
    }
  }
  const of = (name: string): Measured | undefined => measured.find(({ engine }) => engine === name);
  const p50 = (name: string): number | undefined => of(name)?.content[0];
  const store = of('footnote store');
  const engine = of('footnote engine');
  const million = chunks >= 1_000_000;
  const goals: BenchGoal[] = [];
  const goal = (what: string, limit: number, got: number | undefined, least = false): void => {
    if (got === undefined) return;
    goals.push({
      what,
      wanted: `${least ? '>=' : '<='} ${limit}`,
      got: round(got),
      met: least ? got >= limit : got <= limit,
    });
  };
  goal('store, content queries, p50 ms', million ? 2 : 0.4, store?.content[0]);
  if (million) goal('store, content queries, p95 ms', 6, store?.content[1]);
  goal('store, natural p50 over content p50', 2, store && (store.natural[0] ?? 0) / (store.content[0] ?? 1));
  goal('engine, chunks/s with the full analyzer', 4000, engine?.chunksPerSecond, true);
  goal('store, ready after restart, ms', million ? 15_000 : 2000, store?.restartMs ?? undefined);
  const times = (peer: string): number | undefined => {
    const [own, other] = [p50('footnote store'), p50(peer)];
    return own && other ? other / own : undefined;
  };
  goal('times faster than FTS5', million ? 30 : 15, times('SQLite FTS5'), true);
  goal('times faster than LanceDB', million ? 5 : 8, times('LanceDB'), true);
  if (rest.length === 0)
    await writeResult(`engine-${chunks}`, {
      title: `Lexical engines at ${chunks} chunks`,
      command: `node bench/engine.ts ${chunks}`,
      seed,
      data: [],
      metrics: { chunks, queries: queryCount, rounds },
      goals,
      tables: [
        {
          title: 'Milliseconds per query (top 100), medians of the rounds',
          columns: [
            'engine',
            'chunks/s',
            'disk MB',
            'RSS MB',
            'restart ms',
            'content p50',
            'p95',
            'p99',
            'natural p50',
            'p95',
            'p99',
          ],
          rows: measured.map((one) => [
            one.engine,
            Math.round(one.chunksPerSecond),
            Math.round(one.diskMb),
            Math.round(one.memoryMb),
            one.restartMs === null ? null : Math.round(one.restartMs),
            ...[...one.content, ...one.natural].map((value) => round(value, 3)),
          ]),
        },
      ],
      notes: [
        'Corpus: bench/engine-corpus.ts. Chunks/s count analysis, not the making of the text; "store" also writes the record durably.',
        'FTS5 and MiniSearch get the terms of our analyzer; LanceDB analyses by itself (stemming, stop words).',
        ...(missing.length > 0 ? [`Not measured here: ${missing.join(', ')}.`] : []),
      ],
    });
}
