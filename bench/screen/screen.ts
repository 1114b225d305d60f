// How quick the pages are in Chromium, against the product: first paint, use, claims as they come, pages of PDFs, long sessions and charts. What is measured
// stands in web/testkit/screen-times.ts. About three minutes.
//
//   npm run bench screen [-- --dry]
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { toGoal } from '../engine/engine-goals.ts';
import { writeResult } from '../report.ts';

const { values: flags } = parseArgs({ options: { dry: { type: 'boolean', default: false } } });
const web = join(import.meta.dirname, '../../web');

interface Row {
  readonly what: string;
  readonly limit: number;
  readonly got: number;
  readonly unit: string;
}

const ran = spawnSync(process.execPath, [join(web, 'testkit/screen-times.ts')], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
console.log(ran.stdout);
if (ran.status !== 0) throw new Error('The pages could not be measured.');
const told = ran.stdout
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row | { readonly busy: number });
const rows = told.filter((one) => 'what' in one);
const busy = told.find((one) => 'busy' in one)?.busy ?? null;
const { sizes } = JSON.parse(readFileSync(join(web, 'dist/built.json'), 'utf8')) as {
  readonly sizes: Readonly<Record<string, number>>;
};
if (!flags.dry)
  await writeResult('screen', {
    command: 'npm run bench screen',
    metrics: { busy },
    goals: rows.map(({ what, limit, got, unit }) => toGoal({ what: `${what} (${unit})`, limit, got })),
    tables: [
      {
        title: 'What the pages take',
        columns: ['what', 'measured', 'limit', 'unit'],
        rows: rows.map(({ what, limit, got, unit }) => [what, got, limit, unit]),
      },
      { title: 'Kilobytes by gzip', columns: ['what', 'kB'], rows: Object.entries(sizes) },
    ],
    notes: [
      '`busy`: how many times longer a fixed piece of work took in the middle of the run than at its best; times are as they were measured.',
    ],
  });
