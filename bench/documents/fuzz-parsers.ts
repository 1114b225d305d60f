// Spoiled files of every kind against all parsers in their sandbox: how they end, what they cost, and which exceptions of libraries still
// reach people as they are. Seeds: files written by hand, and those of the evaluation data up to 200 KB. About 15 minutes for 20,000.
//
//   npm run bench fuzz-parsers [-- --count 1000] [--first 1] [--dry]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { fuzzSeeds, withMembers } from '../../packages/readers/testkit/fuzz-seeds.ts';
import type { Seed } from '../../packages/readers/testkit/mutate.ts';
import { createParserPool } from '../../src/ingest/read/parser-pool.ts';
import { fuzz } from '../../testkit/fuzz/documents.ts';
import { watchMemory } from '../../testkit/parser-children.ts';
import { writeResult } from '../report.ts';

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const count = Number(option('count') ?? 20_000);
const first = Number(option('first') ?? 1);
const maxSeedBytes = 200_000;

const data = process.env['FOOTNOTE_SHARED_DATA'] ?? resolve(import.meta.dirname, '../../../shared/data');
const documents = join(data, 'documents');

async function sharedSeeds(): Promise<readonly Seed[]> {
  if (!existsSync(documents)) return [];
  const files = readdirSync(documents, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.expected\.|documents\.tsv$|LICENSE/u.test(entry.name))
    .map((entry) => ({ name: entry.name, bytes: readFileSync(join(entry.parentPath, entry.name)) }))
    .filter(({ bytes }) => bytes.length <= maxSeedBytes)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return Promise.all(files.map(({ name, bytes }) => withMembers(name, bytes)));
}

const shared = await sharedSeeds();
const seeds = [...(await fuzzSeeds()), ...shared];
const pool = createParserPool({ size: 2 });
const memory = watchMemory(process.pid);
const begun = performance.now();
const report = await fuzz(pool, seeds, {
  count,
  first,
  onFinding: ({ seed, name, what }) => console.log(`${seed} ${name}: ${what}`),
});
const seconds = (performance.now() - begun) / 1000;
const { childMiB } = memory.stop();
await pool.close();

const kinds = new Set(seeds.map(({ name }) => extname(name)));
const goals = [
  { what: 'spoiled files', wanted: '>= 20000', got: count, met: count >= 20_000 },
  { what: 'untyped errors', wanted: '0', got: report.untyped.length, met: report.untyped.length === 0 },
  { what: 'files that did not end', wanted: '0', got: report.hung.length, met: report.hung.length === 0 },
  {
    what: 'slowest file (s; the limit, twice for a file in a queue of two)',
    wanted: '<= 40',
    got: Math.round(report.slowestMs / 100) / 10,
    met: report.slowestMs <= 40_000,
  },
];
const tables = [
  {
    title: 'How they ended',
    columns: ['outcome', 'files'],
    rows: [...report.outcomes].toSorted((a, b) => b[1] - a[1]).map(([outcome, files]) => [outcome, files]),
  },
  {
    title: 'Files that cost their process its life or all of its time (the first 40)',
    columns: ['seed', 'file', 'what'],
    rows: report.costly.slice(0, 40).map(({ seed, name, what }) => [seed, name, what]),
  },
  {
    title: 'Exceptions of libraries that reach people as they are (typed; the commonest 40)',
    columns: ['times', 'seed', 'file', 'what'],
    rows: [...report.vague.values()]
      .toSorted((a, b) => b.count - a.count)
      .slice(0, 40)
      .map(({ count: times, seed, name, what }) => [times, seed, name, what.slice(0, 200)]),
  },
];

for (const { title, columns, rows } of tables) {
  console.log(title);
  console.table(rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]]))));
}
for (const { seed, name, what } of report.untyped.slice(0, 40)) console.log(`UNTYPED ${seed} ${name}: ${what}`);
for (const goal of goals) console.log(`${goal.met ? 'met   ' : 'MISSED'} ${goal.what}: ${goal.got} (${goal.wanted})`);
if (!process.argv.includes('--dry'))
  await writeResult('fuzz-parsers', {
    title: 'Spoiled files of every kind against all parsers',
    command: 'npm run bench fuzz-parsers',
    seed: first,
    data: shared.length > 0 ? [documents] : [],
    metrics: {
      files: count,
      seeds: seeds.length,
      kinds: kinds.size,
      'files/s': Math.round(count / seconds),
      'memory of a child at most (MiB)': Math.round(childMiB),
      'processes that died or were ended': report.costly.length,
      'kinds of untranslated exceptions': report.vague.size,
    },
    goals,
    tables,
    notes: [
      'Mutations: bits flipped, ends cut off, pieces removed, doubled, taken from other files, numbers made extreme; three of four containers of the ZIP family are spoiled inside and packed again with right checksums.',
    ],
  });
