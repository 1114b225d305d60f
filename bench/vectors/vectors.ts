// Speed and recall of the vector index against others: the same synthetic vectors (384 dimensions, cosine) and queries, top
// 100, called from the main thread; and recall on real vectors. Each index runs in a process of its own and their rounds take
// turns. Peers: npm install --prefix bench, or FOOTNOTE_BENCH_PEERS=<folder>.
// Usage: node bench/vectors/vectors.ts [vectors] [--indexes=a,b] [--skip=a,b] [--rounds=3] [--real=documents]
// --real embeds that many documents of SciFact with a small model from npm (2,000 by default, some 3 minutes; 0 for none) and
// keeps the vectors in a temporary folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { quantileOfRounds, timesFaster } from '../../testkit/engine-timing.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { type EngineProcess, startEngineProcess } from '../engine/engine-turns.ts';
import { type BenchTable, writeResult } from '../report.ts';
import { createVectorCorpus } from './vectors-corpus.ts';
import { findExact, recallOf } from './vectors-exact.ts';
import { type MeasuredIndex, vectorGoals } from './vectors-goals.ts';
import { filterStep } from './vectors-port.ts';
import { type BuiltVectors, measuredVectors, vectorSeed } from './vectors-process.ts';
import { measureRealVectors, type RealRecall } from './vectors-real.ts';

const million = 1_000_000;
const fullSizes: ReadonlySet<number> = new Set([100_000, million]);
/** The others need many minutes or many gigabytes for a million. */
const measuredAtMillion: ReadonlySet<string> = new Set(['footnote', 'footnote exact', 'LanceDB IVF_RQ']);
const dimensions = 384;
const defaultReal = 2000;
const processScript = join(import.meta.dirname, 'vectors-process.ts');

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    indexes: { type: 'string' },
    skip: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    real: { type: 'string' },
  },
});
const count = Number(positionals[0] ?? 100_000);
const rounds = Number(flags.rounds);
const realDocuments = Number(flags.real ?? defaultReal);
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(rounds) || rounds < 1 || Number.isNaN(realDocuments))
  throw new Error('Vectors and rounds are whole numbers above 0, --real is a number.');
const queryCount = count >= million ? 100 : 200;
const all = Object.keys(measuredVectors).filter((name) => count < million || measuredAtMillion.has(name));
const list = (text: string): string[] => text.split(',').filter((name) => name !== '');
const wanted = (flags.indexes === undefined ? all : list(flags.indexes)).filter(
  (name) => !list(flags.skip).includes(name),
);
const unknown = [...wanted, ...list(flags.skip)].find((name) => !(name in measuredVectors));
if (unknown !== undefined)
  throw new Error(`No index ${unknown}; there are ${Object.keys(measuredVectors).join(', ')}.`);
const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

interface Turn {
  readonly name: string;
  readonly built: BuiltVectors;
  readonly queries: number;
  readonly running: EngineProcess;
  readonly times: number[][];
  readonly filteredTimes: number[][];
}

const corpus = createVectorCorpus({ seed: vectorSeed, count, dimensions });
const queries = Array.from({ length: queryCount }, (_, at) => corpus.query(at));
const exact = findExact({ batches: corpus.batches(), queries, limit: 10 });
const exactFiltered = findExact({ batches: corpus.batches(), queries, limit: 10, step: filterStep });
say(`exact answers of ${queryCount} queries known`);

const turns: Turn[] = [];
const measured: MeasuredIndex[] = [];
const missing: string[] = [];
const folders: string[] = [];

/** What one index fails at must not end the others' measurement; it is named in the report. */
async function attempt(name: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    missing.push(name);
    console.error(`${name}: not measured: ${String(error).slice(0, 600)}`);
    return false;
  }
}

async function prepare(name: string): Promise<Turn> {
  const folder = mkdtempSync(join(tmpdir(), 'footnote-vectors-'));
  folders.push(folder);
  const running = startEngineProcess(processScript, [name, folder, String(count), String(dimensions)]);
  try {
    const built = await running.ask<BuiltVectors>('build');
    const warmed = await running.ask<number>('warm', { most: queryCount });
    say(`${name}: ready, ${Math.round(built.vectorsPerSecond)} vectors/s, ${Math.round(built.addedMb)} MB`);
    return { name, built, queries: warmed, running, times: [], filteredTimes: [] };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function playRound({ running, queries: asked, times, filteredTimes }: Turn): Promise<void> {
  times.push(await running.ask<number[]>('round', { count: asked }));
  const filtered = await running.ask<number[] | null>('filteredRound', { count: asked });
  if (filtered) filteredTimes.push(filtered);
}

async function finish({ name, built, running, times, filteredTimes }: Turn): Promise<MeasuredIndex> {
  const memoryMb = await running.ask<number>('memory');
  const found = await running.ask<number[][]>('found', { count: queryCount, filtered: false });
  const filtered = await running.ask<number[][] | null>('found', { count: queryCount, filtered: true });
  const restartMs = await running.ask<number | null>('restart');
  await running.ask('close');
  return {
    index: name,
    built,
    memoryMb,
    restartMs,
    times,
    recall: recallOf(found, exact),
    filtered: filtered && { times: filteredTimes, recall: recallOf(filtered, exactFiltered) },
  };
}

try {
  for (const name of wanted)
    await attempt(name, async () => {
      turns.push(await prepare(name));
    });
  for (let round = 1; round <= rounds; round++) {
    // Every other round goes the other way: nobody is always first.
    for (const turn of round % 2 === 1 ? [...turns] : turns.toReversed())
      if (!(await attempt(turn.name, () => playRound(turn)))) {
        turns.splice(turns.indexOf(turn), 1);
        await turn.running.stop();
      }
    say(`round ${round} of ${rounds} done`);
  }
  for (const turn of turns)
    await attempt(turn.name, async () => {
      measured.push(await finish(turn));
    });
} finally {
  for (const { running } of turns) await running.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

let real: readonly RealRecall[] = [];
if (realDocuments > 0 && count < million)
  await attempt('real vectors', async () => {
    real = await measureRealVectors({ documents: realDocuments, say });
  });

const significant = (value: number): number => Number(value.toPrecision(3));
const own = measured.find(({ index }) => index === 'footnote');
const tables: BenchTable[] = [
  {
    title: 'Milliseconds per query (top 100), medians of the rounds',
    columns: [
      'index',
      'p50',
      'p95',
      'recall@10',
      'queries a round',
      'footnote is faster by',
      'vectors/s',
      'RSS MB',
      'added by the index',
      'disk MB',
      'restart ms',
    ],
    rows: measured.map((one) => [
      one.index,
      significant(quantileOfRounds(one.times, 0.5)),
      significant(quantileOfRounds(one.times, 0.95)),
      Number(one.recall.toFixed(4)),
      one.times[0]?.length ?? 0,
      own && one !== own ? significant(timesFaster(own.times, one.times)) : null,
      Math.round(one.built.vectorsPerSecond),
      Math.round(one.memoryMb),
      Math.round(one.built.addedMb),
      Math.round(one.built.diskMb),
      one.restartMs === null ? null : Math.round(one.restartMs),
    ]),
  },
  {
    title: 'With a filter that leaves 1 % of the vectors',
    columns: ['index', 'p50', 'p95', 'recall@10'],
    rows: measured.flatMap(({ index, filtered }) =>
      filtered
        ? [
            [
              index,
              significant(quantileOfRounds(filtered.times, 0.5)),
              significant(quantileOfRounds(filtered.times, 0.95)),
              Number(filtered.recall.toFixed(4)),
            ],
          ]
        : [],
    ),
  },
  {
    title: 'Recall@10 on real vectors',
    columns: ['vectors', 'count', 'dimensions', 'queries', 'path', 'recall@10'],
    rows: real.map(({ name, vectors, dimensions: axes, queries: asked, path, recall }) => [
      name,
      vectors,
      axes,
      asked,
      path,
      Number(recall.toFixed(4)),
    ]),
  },
];
const goals = vectorGoals(measured, { count, real });
const full =
  fullSizes.has(count) && all.every((name) => wanted.includes(name)) && rounds >= 3 && realDocuments >= defaultReal;
if (full)
  await writeResult(`vectors-${count}`, {
    title: `Vector indexes at ${count} vectors`,
    command: `node bench/vectors/vectors.ts ${count}`,
    seed: vectorSeed,
    data: real.length > 0 ? [sharedData('scifact')] : [],
    metrics: { vectors: count, dimensions, queries: queryCount, rounds },
    goals,
    tables: tables.filter(({ rows }) => rows.length > 0),
    notes: [
      'Vectors: bench/vectors/vectors-corpus.ts. Recall is against an exact search by bench/vectors/vectors-exact.ts.',
      'A round has up to 200 queries (100 at a million), fewer where they would take longer than 10 s. Indexes take turns, three rounds each.',
      'The footnote indexes are searched on a worker thread, called from the main one; building is on one thread, usearch and LanceDB build on all cores. The store also writes a document and a chunk for each vector, durably.',
      ...(missing.length > 0 ? [`Not measured here: ${missing.join(', ')}.`] : []),
    ],
  });
else {
  for (const { title, columns, rows } of tables)
    console.log([title, columns.join(' | '), ...rows.map((row) => row.join(' | '))].join('\n'), '\n');
  for (const { met, what, got, wanted: limit } of goals)
    console.log(`${met ? 'met   ' : 'MISSED'} ${what}: ${got} (wanted ${limit})`);
  if (missing.length > 0) console.log(`Not measured: ${missing.join(', ')}`);
}
