// One JSON file per measurement under bench/results; from them the headline page bench/REPORT.md and a page of details each under
// bench/report. Invariant: no page says what is in no result file, every goal that was missed stands first, and a result that is older than
// the code it measures says so.
//
// A bench does, at its end (its name stands in bench/names.ts):
//   await writeResult('retrieval-scifact', {
//     title: 'BM25 on SciFact, test split',
//     command: 'npm run bench retrieval scifact',
//     seed: 1,                                  // or null when nothing was drawn at random
//     data: [sharedData('scifact')],            // files and folders that were read: hashed into dataHash
//     metrics: { 'nDCG@10': 0.681, queries: 300 },
//     goals: [{ what: 'nDCG@10', wanted: '>= 0.6667', got: 0.681, met: true }],
//     tables: [{ title: 'By set', columns: ['set', 'nDCG@10'], rows: [['scifact', 0.681]] }],
//     notes: ['Parameters chosen on the train split.'],
//   });
// Machine, commit and time are added. `npm run bench report` rewrites the pages; `writeResult` does so too.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { describeCommit, describeMachine, hashData } from './environment.ts';
import { readStaleness, type Staleness, writeStaleness } from './staleness.ts';

const cellSchema = z.union([z.number(), z.string(), z.boolean(), z.null()]);
const goalSchema = z.strictObject({
  what: z.string(),
  /** As a reader would write it: `>= 0.78`, `0`, `<= 2 s`. */
  wanted: z.string(),
  got: z.union([z.number(), z.string()]),
  met: z.boolean(),
});
const tableSchema = z.strictObject({
  title: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(cellSchema)),
});

const resultSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  title: z.string(),
  command: z.string(),
  date: z.string(),
  commit: z.string(),
  machine: z.strictObject({
    cpu: z.string(),
    cores: z.number(),
    memoryGiB: z.number(),
    os: z.string(),
    node: z.string(),
  }),
  seed: z.number().nullable(),
  dataHash: z.string().nullable(),
  metrics: z.record(z.string(), cellSchema),
  goals: z.array(goalSchema),
  tables: z.array(tableSchema),
  notes: z.array(z.string()),
});

export type BenchResult = z.infer<typeof resultSchema>;
export type BenchGoal = z.infer<typeof goalSchema>;
export type BenchTable = z.infer<typeof tableSchema>;

export interface BenchInput {
  readonly title?: string;
  /** The command that repeats the measurement, without paths of this machine. */
  readonly command: string;
  readonly seed?: number | null;
  /** Files and folders that were read; hashed, their paths are not written. An undefined one is left out. */
  readonly data?: readonly (string | undefined)[];
  readonly metrics: Readonly<Record<string, number | string | boolean | null>>;
  readonly goals?: readonly BenchGoal[];
  readonly tables?: readonly BenchTable[];
  readonly notes?: readonly string[];
}

const resultsDirectory = join(import.meta.dirname, 'results');
const detailsDirectory = join(import.meta.dirname, 'report');

/**
 * Writes bench/results/<name>.json (kebab-case name) and rewrites the report; prints the goals. Numbers are kept to six
 * significant digits. Throws a ZodError on a result that the report could not show.
 */
export async function writeResult(name: string, input: BenchInput): Promise<BenchResult> {
  const data = (input.data ?? []).filter((path) => path !== undefined);
  const result = resultSchema.parse({
    name,
    title: input.title ?? name,
    command: input.command,
    date: new Date().toISOString().slice(0, 19).concat('Z'),
    commit: describeCommit(),
    machine: describeMachine(),
    seed: input.seed ?? null,
    dataHash: data.length === 0 ? null : await hashData(data),
    metrics: Object.fromEntries(Object.entries(input.metrics).map(([key, value]) => [key, rounded(value)])),
    goals: (input.goals ?? []).map((goal) => ({ ...goal, got: rounded(goal.got) })),
    tables: (input.tables ?? []).map((table) => ({ ...table, rows: table.rows.map((row) => row.map(rounded)) })),
    notes: [...(input.notes ?? [])],
  });
  await mkdir(resultsDirectory, { recursive: true });
  await writeFile(join(resultsDirectory, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  await writePages();
  for (const goal of result.goals) {
    console.log(`${goal.met ? 'met   ' : 'MISSED'} ${goal.what}: ${goal.got} (wanted ${goal.wanted})`);
  }
  return result;
}

/** Every committed result, sorted by name. Throws on a file that is not a result, naming it. */
export async function readResults(directory: string = resultsDirectory): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  const names = await readdir(directory).catch(() => [] as string[]);
  for (const file of names.filter((entry) => entry.endsWith('.json')).sort()) {
    const parsed = resultSchema.safeParse(JSON.parse(await readFile(join(directory, file), 'utf8')));
    if (!parsed.success) throw new Error(`bench/results/${file} is not a result: ${z.prettifyError(parsed.error)}`);
    results.push(parsed.data);
  }
  return results;
}

/** The headline page: what was missed, then one line for each measurement. */
export function renderReport(results: readonly BenchResult[], staleness: Staleness): string {
  const goals = results.flatMap((result) => result.goals.map((goal) => ({ ...goal, result })));
  const missed = goals.filter((goal) => !goal.met);
  const stale = results.filter(({ name }) => staleness[name] !== 0);
  const lines = [
    '# Benchmark report',
    '',
    'Generated from `bench/results/*.json` by `npm run bench report`; not edited by hand. Details stand on a page for each measurement.',
    '',
    `${goals.length - missed.length} of ${goals.length} goals met. ${stale.length} of ${results.length} results are older than the code they measure.`,
    '',
  ];
  const link = (name: string): string => `[${name}](report/${name}.md)`;
  if (missed.length > 0)
    lines.push(
      '## Missed',
      '',
      ...table(
        ['measurement', 'what', 'wanted', 'got', 'age'],
        missed.map(({ result, what, wanted, got }) => [link(result.name), what, wanted, got, age(result, staleness)]),
      ),
      '',
    );
  lines.push(
    '## Measurements',
    '',
    ...table(
      ['measurement', 'what', 'goals met', 'measured', 'age'],
      results.map((result) => [
        link(result.name),
        result.title,
        `${result.goals.filter(({ met }) => met).length} of ${result.goals.length}`,
        result.date.slice(0, 10),
        age(result, staleness),
      ]),
    ),
  );
  return `${lines.join('\n').trimEnd()}\n`;
}

function age({ name }: BenchResult, staleness: Staleness): string {
  const commits = staleness[name];
  if (commits === 0) return 'current';
  return commits === undefined || commits === null
    ? '**stale**'
    : `**stale** by ${commits} commit${commits === 1 ? '' : 's'}`;
}

/** The page of one measurement: its command, goals, metrics, tables and origin. */
export function renderDetails(result: BenchResult, staleness: Staleness): string {
  const { machine } = result;
  const lines = [
    `# ${result.name}`,
    '',
    result.title,
    '',
    `    ${result.command}`,
    '',
    `Age: ${age(result, staleness)}.`,
    '',
  ];
  if (result.goals.length > 0)
    lines.push(
      ...table(
        ['goal', 'wanted', 'got', ''],
        result.goals.map(({ what, wanted, got, met }) => [what, wanted, got, met ? 'met' : '**missed**']),
      ),
      '',
    );
  lines.push(...table(['metric', 'value'], Object.entries(result.metrics)), '');
  for (const one of result.tables) lines.push(`**${one.title}**`, '', ...table(one.columns, one.rows), '');
  for (const note of result.notes) lines.push(`- ${note}`);
  if (result.notes.length > 0) lines.push('');
  const seed = result.seed === null ? 'no random draws' : `seed ${result.seed}`;
  const data = result.dataHash === null ? 'no external data' : `data ${result.dataHash}`;
  lines.push(
    `<sub>${result.date} · commit ${result.commit} · ${seed} · ${data} · ${machine.cpu}, ${machine.cores} cores, ` +
      `${machine.memoryGiB} GiB, ${machine.os}, Node ${machine.node}</sub>`,
  );
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The committed pages by their names under bench/, from the results and the staleness that lie beside them. */
export async function renderPages(): Promise<ReadonlyMap<string, string>> {
  return pagesOf(await readResults(), await readStaleness());
}

function pagesOf(results: readonly BenchResult[], staleness: Staleness): ReadonlyMap<string, string> {
  return new Map([
    ['REPORT.md', renderReport(results, staleness)],
    ...results.map((result) => [`report/${result.name}.md`, renderDetails(result, staleness)] as const),
  ]);
}

async function writePages(): Promise<readonly BenchResult[]> {
  const results = await readResults();
  await rm(detailsDirectory, { recursive: true, force: true });
  await mkdir(detailsDirectory);
  for (const [name, text] of pagesOf(results, await writeStaleness(results)))
    await writeFile(join(import.meta.dirname, name), text);
  return results;
}

/** Asks git how old each result is, writes every page anew and prints what was met. */
export async function writeReport(): Promise<void> {
  const results = await writePages();
  const goals = results.flatMap((result) => result.goals);
  console.log(
    `bench/REPORT.md: ${results.length} results, ${goals.filter((goal) => goal.met).length} of ${goals.length} goals met`,
  );
}

function table(columns: readonly string[], rows: readonly (readonly (string | number | boolean | null)[])[]): string[] {
  const line = (cells: readonly (string | number | boolean | null)[]): string =>
    `| ${cells.map((cell) => String(cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)];
}

function rounded<T>(value: T): T | number {
  return typeof value === 'number' && Number.isFinite(value) ? Number(value.toPrecision(6)) : value;
}
