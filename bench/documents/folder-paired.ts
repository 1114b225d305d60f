// Whether reading a folder of PDFs and Markdown became slower than another commit: both ingest it in turns, each run in a process and a data
// folder of its own, so that the noise of the machine falls on both. Chunks are cut differently by both: all of the folder is compared.
//
//   git worktree add ../before COMMIT && npm ci --prefix ../before
//   npm run bench folder-paired ../before [--rounds 3] [--dry]
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../../testkit/engine-timing.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { toGoal } from '../engine/engine-goals.ts';
import { writeResult } from '../report.ts';
import type { Cost } from './ingest-paired-process.ts';

/** Two runs of one program differ by as much. */
const noise = 0.02;

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, dry: { type: 'boolean', default: false } },
});
const [before] = positionals;
if (before === undefined || !existsSync(join(before, 'src'))) throw new Error('Name a checkout of the other commit.');
const [pdfs, markdown] = [sharedData('documents', 'pdf'), sharedData('markdown')];
if (pdfs === undefined || markdown === undefined)
  throw new Error('This bench needs the shared evaluation data: set FOOTNOTE_SHARED_DATA.');

const place = mkdtempSync(join(tmpdir(), 'footnote-bench-folder-paired-'));
const folder = join(place, 'docs');
cpSync(pdfs, join(folder, 'pdf'), { recursive: true });
cpSync(markdown, join(folder, 'markdown'), { recursive: true });

const ingest = (program: string): Cost =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [join(import.meta.dirname, 'ingest-paired-process.ts'), program, join(folder, 'any')],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    ),
  ) as Cost;
const own = resolve(import.meta.dirname, '../..');
const costs = { before: [] as Cost[], after: [] as Cost[] };
for (let round = 0; round < Number(given.rounds); round += 1) {
  const turns = [() => costs.before.push(ingest(resolve(before))), () => costs.after.push(ingest(own))];
  for (const turn of round % 2 === 0 ? turns : turns.toReversed()) turn();
}
rmSync(place, { recursive: true, force: true });

const figures: readonly (readonly [string, (cost: Cost) => number])[] = [
  ['seconds', ({ seconds }) => seconds],
  ['CPU seconds, everything', (cost) => cost.processSeconds + cost.childrenSeconds],
  ['CPU seconds, processes that read files', ({ childrenSeconds }) => childrenSeconds],
  ['chunks', ({ chunks }) => chunks],
];
const rows = figures.map(([what, of]) => {
  const [old, now] = [median(costs.before.map(of)), median(costs.after.map(of))];
  return [what, old, now, now / old] as const;
});
const goals = rows
  .slice(0, 2)
  .map(([what, , , share]) => toGoal({ what: `${what}, share of the other commit`, limit: 1 + noise, got: share }));
console.log(goals, rows);
if (!given.dry)
  await writeResult('folder-paired', {
    title: 'A folder of PDFs and Markdown beside another commit',
    command: 'npm run bench folder-paired CHECKOUT',
    data: [pdfs, markdown],
    metrics: {
      rounds: Number(given.rounds),
      'the other commit': execFileSync('git', ['-C', before, 'rev-parse', '--short', 'HEAD'], {
        encoding: 'utf8',
      }).trim(),
    },
    goals,
    tables: [
      {
        title: 'Medians',
        columns: ['figure', 'the other commit', 'this one', 'ratio'],
        rows: rows.map((row) => [...row]),
      },
    ],
  });
