// Whether ingestion became faster or slower than another commit: the same JSONL is ingested by both in turns, each run in a process and
// a data folder of its own, and SQLite FTS5 indexes the same texts in the same rounds, so that the noise of the machine falls on all.
//
//   git worktree add ../before COMMIT && npm ci --prefix ../before
//   npm run bench ingest-paired ../before [--rounds 5] [--set records|abstracts] [--count 10000] [--settled] [--dry]
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { createSpeedCorpus } from '../../testkit/engine-corpus.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { writeResult } from '../report.ts';
import type { Cost } from './ingest-paired-process.ts';

const seed = 1;
const usualCounts: Readonly<Record<string, number>> = { records: 20_000, abstracts: 10_000 };
/** Of the figures of the other commit. */
const wantedShare = 0.8;
const wantedTimesFts5 = 5;
const abstractSets = ['scifact', 'cisi', 'cranfield', 'cacm'];

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    set: { type: 'string', default: 'records' },
    settled: { type: 'boolean', default: false },
    count: { type: 'string' },
    dry: { type: 'boolean', default: false },
  },
});
const count = Number(given.count ?? usualCounts[given.set]);
interface Line {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

function syntheticRecords(): readonly Line[] {
  const corpus = createSpeedCorpus(seed, count);
  return Array.from({ length: count }, (_, index) => ({ id: `d${index}`, title: '', text: corpus.chunk(index) }));
}

/** Abstracts of several collections. */
function abstracts(): readonly Line[] {
  const lines = corpora().flatMap(({ set, path }) =>
    gunzipSync(readFileSync(path))
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { _id, title, text } = JSON.parse(line) as { _id: string; title: string; text: string };
        return { id: `${set}-${_id}`, title, text };
      }),
  );
  return lines.slice(0, count);
}

function corpora(): readonly { readonly set: string; readonly path: string }[] {
  return abstractSets.flatMap((set) => {
    const path = sharedData(set, 'corpus.jsonl.gz');
    return path === undefined ? [] : [{ set, path }];
  });
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
};

const [before] = positionals;
if (before === undefined || !existsSync(join(before, 'src'))) throw new Error('Name a checkout of the other commit.');
const place = mkdtempSync(join(tmpdir(), 'footnote-bench-paired-'));
const docs = join(place, 'docs');
mkdirSync(docs);
const file = join(docs, 'corpus.jsonl');
const lines = given.set === 'abstracts' ? abstracts() : syntheticRecords();
writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);

const own = resolve(import.meta.dirname, '../..');
const ask = <T>(parameters: readonly string[]): T =>
  JSON.parse(
    execFileSync(process.execPath, [join(import.meta.dirname, 'ingest-paired-process.ts'), ...parameters], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  ) as T;
const settled = given.settled ? ['settled'] : [];
const costs = { before: [] as Cost[], after: [] as Cost[], fts5: [] as number[] };
for (let round = 0; round < Number(given.rounds); round += 1) {
  const turns = [
    () => costs.before.push(ask<Cost>([resolve(before), file, ...settled])),
    () => costs.after.push(ask<Cost>([own, file, ...settled])),
  ];
  for (const turn of round % 2 === 0 ? turns : turns.toReversed()) turn();
  costs.fts5.push(ask<{ seconds: number }>(['fts5', file]).seconds);
}
rmSync(place, { recursive: true, force: true });

const perChunkMs = (of: (cost: Cost) => number) => (cost: Cost) => (of(cost) * 1000) / cost.chunks;
const figures: readonly (readonly [string, (cost: Cost) => number])[] = [
  ['wall ms a chunk', perChunkMs(({ seconds }) => seconds)],
  ['CPU ms a chunk, main thread', perChunkMs(({ mainSeconds }) => mainSeconds)],
  ['CPU ms a chunk, other threads of the process', perChunkMs((cost) => cost.processSeconds - cost.mainSeconds)],
  ['CPU ms a chunk, processes that read files', perChunkMs((cost) => cost.childrenSeconds)],
  ['CPU ms a chunk, everything', perChunkMs((cost) => cost.processSeconds + cost.childrenSeconds)],
  ...(given.settled
    ? ([
        ['seconds until words and meaning are settled', (cost) => cost.settledSeconds],
        ['CPU seconds until then', (cost) => cost.settledCpuSeconds + cost.childrenSeconds],
      ] as const satisfies readonly (readonly [string, (cost: Cost) => number])[])
    : []),
];
const rows = figures.map(([what, of]) => {
  const [old, now] = [median(costs.before.map(of)), median(costs.after.map(of))];
  return [what, old, now, now / old] as const;
});
const fts5 = median(costs.fts5);
const settledNow = median(costs.after.map(({ settledSeconds }) => settledSeconds));
if (given.dry) {
  for (const [what, old, now, ratio] of rows)
    console.log(`${what.padEnd(50)} ${old.toFixed(3).padStart(9)} ${now.toFixed(3).padStart(9)} ${ratio.toFixed(2)}`);
  console.log(`SQLite FTS5: ${fts5.toFixed(2)} s; ours: ${(settledNow / fts5).toFixed(1)} times that`);
} else {
  const shareOf = (what: string): number => rows.find(([name]) => name === what)?.[3] ?? Number.NaN;
  await writeResult(`ingest-paired-${given.set}`, {
    title: `Durable ingestion of JSONL beside another commit: ${given.set}`,
    command: `npm run bench ingest-paired CHECKOUT --set ${given.set}${given.settled ? ' --settled' : ''}`,
    seed: given.set === 'records' ? seed : null,
    data: given.set === 'abstracts' ? corpora().map(({ path }) => path) : [],
    metrics: {
      rounds: Number(given.rounds),
      documents: lines.length,
      'the other commit': execFileSync('git', ['-C', before, 'rev-parse', '--short', 'HEAD'], {
        encoding: 'utf8',
      }).trim(),
      'SQLite FTS5, seconds': fts5,
      ...(given.settled && { 'times the time of SQLite FTS5 until words and meaning are settled': settledNow / fts5 }),
    },
    tables: [
      {
        title: 'Medians',
        columns: ['figure', 'the other commit', 'this one', 'ratio'],
        rows: rows.map((row) => [...row]),
      },
    ],
    goals: [
      ...['wall ms a chunk', 'CPU ms a chunk, everything'].map((what) => ({
        what: `${what}, share of the other commit`,
        wanted: `<= ${wantedShare}`,
        got: shareOf(what),
        met: shareOf(what) <= wantedShare,
      })),
      ...(given.settled
        ? [
            {
              what: 'times the time of SQLite FTS5 until words and meaning are settled',
              wanted: `<= ${wantedTimesFts5}`,
              got: settledNow / fts5,
              met: settledNow / fts5 <= wantedTimesFts5,
            },
          ]
        : []),
    ],
    notes: [
      'The runs take turns; a commit of before there were vectors settles nothing.',
      'Since c2dc3ad a document is also linked with those that say nearly the same (a fingerprint of its own, 64 hashes looked up, 16 written), its rows and texts are sealed, what is meant for other stores is queued, and its language is told: a quarter of the main thread is links alone.',
      'Tried for it: hashes held in memory and moved into their table in order, a filter in front of the table, one prepared statement for each row, copies looked up only where they matter, parsers that load less. What is left is the work itself.',
      'Words and meaning settled: FTS5 learns nothing and makes no vectors; both take as long as all of the ingestion, on the same two cores.',
    ],
  });
}
