// Speed of the lexical engine against others: one synthetic corpus, one machine, the same queries, top 100, called from the main
// thread. Each engine runs in a process of its own, so that memory is its own; their rounds take turns, so that a machine that
// slows down slows all of them. Peers: npm install --prefix bench, or FOOTNOTE_BENCH_PEERS=<folder>.
// Usage: node bench/engine/engine.ts [chunks] [--engines=a,b] [--skip=a,b] [--rounds=3] [--keep]
// --keep writes each engine's outcome to a temporary folder by commit and chunks, and measures only what is not there yet: so a
// long run can be continued, or done in pieces with --engines. Kept engines had their turns in another sitting.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sharedData } from '../../testkit/shared-data.ts';
import { describeCommit } from '../environment.ts';
import { writeResult } from '../report.ts';
import { engineGoals, engineTables, type Measured } from './engine-goals.ts';
import { type Built, measuredEngines, type QueryKind, queryCount } from './engine-process.ts';
import { type EngineProcess, startEngineProcess } from './engine-turns.ts';

type Draft = { -readonly [Key in keyof Measured]: Measured[Key] } & {
  content: number[][];
  natural: number[][];
  oneClient: number[];
  twoClients: number[];
  oneWorker: (number | null)[];
};

interface Turn {
  readonly name: string;
  readonly folder: string;
  readonly draft: Draft;
  counts: Record<QueryKind, number>;
  running: EngineProcess;
}

export const judgedSets = ['cranfield/test', 'scifact/test'] as const;
const million = 1_000_000;
/** What a million chunks take too long or too much memory for. */
const smallOnly: ReadonlySet<string> = new Set(['MiniSearch', 'Orama']);
const fullSizes: ReadonlySet<number> = new Set([100_000, million]);
const dimensions = 384;
const comparedQueries = 50;
const processScript = join(import.meta.dirname, 'engine-process.ts');

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engines: { type: 'string' },
    skip: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    keep: { type: 'boolean', default: false },
  },
});
const chunks = Number(positionals[0] ?? 100_000);
const rounds = Number(flags.rounds);
if (!Number.isInteger(chunks) || chunks < 1 || !Number.isInteger(rounds) || rounds < 1)
  throw new Error('Chunks and rounds are whole numbers above 0.');
const all = Object.keys(measuredEngines).filter((name) => chunks < million || !smallOnly.has(name));
const list = (text: string): string[] => text.split(',').filter((name) => name !== '');
const wanted = (flags.engines === undefined ? all : list(flags.engines)).filter(
  (name) => !list(flags.skip).includes(name),
);
const unknown = [...wanted, ...list(flags.skip)].find((name) => !(name in measuredEngines));
if (unknown !== undefined)
  throw new Error(`No engine ${unknown}; there are ${Object.keys(measuredEngines).join(', ')}.`);

const commit = describeCommit();
if (flags.keep && commit.includes('+'))
  throw new Error('--keep goes by commit, and there are changes that are not committed.');
const keptFolder = join(tmpdir(), 'footnote-bench-kept', `${commit}-${chunks}-${rounds}`);
const keptPath = (name: string): string => join(keptFolder, `${name.replaceAll(' ', '-')}.json`);
const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

function readKept(name: string): Measured | undefined {
  try {
    return flags.keep ? (JSON.parse(readFileSync(keptPath(name), 'utf8')) as Measured) : undefined;
  } catch {
    return undefined;
  }
}

/** Builds, and leaves a process that is ready for its rounds; for durable engines another one than the one that built. */
async function prepare(name: string, folder: string): Promise<Turn> {
  const start = (): EngineProcess => startEngineProcess(processScript, [name, folder, String(chunks)]);
  let running = start();
  try {
    const quality: Record<string, number> = {};
    for (const set of judgedSets) {
      const [setName = '', split = ''] = set.split('/');
      const path = sharedData(setName);
      if (path !== undefined) quality[set] = await running.ask<number>('judge', { folder: path, split });
    }
    await running.stop();
    running = start();
    const built = await running.ask<Built>('build');
    let restartMs: number | null = null;
    let diskMb: number | null = null;
    if (measuredEngines[name]?.durable) {
      await running.ask('close');
      diskMb = await running.ask<number>('disk');
      await running.stop();
      running = start();
      restartMs = await running.ask<number>('open');
    }
    const counts = await running.ask<Record<QueryKind, number>>('warm');
    const draft: Draft = {
      engine: name,
      built,
      diskMb,
      restartMs,
      memoryMb: Number.NaN,
      memoryWithVectorsMb: null,
      content: [],
      natural: [],
      oneClient: [],
      twoClients: [],
      oneWorker: [],
      quality,
      best: await running.ask<number[][]>('best', { count: comparedQueries }),
    };
    say(`${name}: ready, ${Math.round(built.chunksPerSecond)} chunks/s`);
    return { name, folder, draft, counts, running };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function playRound({ running, draft, counts }: Turn): Promise<void> {
  for (const kind of ['content', 'natural'] as const)
    draft[kind].push(await running.ask<number[]>('round', { kind, count: counts[kind] }));
  draft.oneClient.push(await running.ask<number>('throughput', { clients: 1, count: counts.content }));
  draft.twoClients.push(await running.ask<number>('throughput', { clients: 2, count: counts.content }));
  draft.oneWorker.push(
    await running.ask<number | null>('throughput', { clients: 2, count: counts.content, oneWorker: true }),
  );
}

async function finish({ name, running, draft }: Turn): Promise<Measured> {
  draft.memoryMb = await running.ask<number>('memory');
  try {
    draft.memoryWithVectorsMb = await running.ask<number | null>('memoryWithVectors', { dimensions });
  } catch (error) {
    say(`${name}: no memory with vectors: ${String(error).split('\n')[0]}`);
  }
  await running.ask('close');
  if (flags.keep) {
    mkdirSync(keptFolder, { recursive: true });
    writeFileSync(keptPath(name), JSON.stringify(draft));
  }
  return draft;
}

const measured: Measured[] = [];
const kept: string[] = [];
const missing: string[] = [];
const turns: Turn[] = [];
const folders: string[] = [];
/** What one engine fails at must not end the others' measurement; it is named in the report. */
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

try {
  for (const name of wanted) {
    const known = readKept(name);
    if (known) {
      measured.push(known);
      kept.push(name);
      continue;
    }
    const folder = mkdtempSync(join(tmpdir(), 'footnote-engine-'));
    folders.push(folder);
    await attempt(name, async () => {
      turns.push(await prepare(name, folder));
    });
  }
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

measured.sort((left, right) => all.indexOf(left.engine) - all.indexOf(right.engine));
const goals = engineGoals(measured, chunks);
const tables = engineTables(measured);
const full = fullSizes.has(chunks) && all.every((name) => wanted.includes(name)) && rounds >= 3;
if (full)
  await writeResult(`engine-${chunks}`, {
    title: `Lexical engines at ${chunks} chunks`,
    command: `node bench/engine/engine.ts ${chunks}`,
    seed: 1,
    data: judgedSets.map((set) => sharedData(set.split('/')[0] ?? '')),
    metrics: { chunks, queries: queryCount, rounds },
    goals,
    tables,
    notes: [
      'Corpus: testkit/engine-corpus.ts. Chunks/s count analysis, not the making of the text; "store" also writes the record durably and merges.',
      'A round has up to 500 queries, fewer where they would take longer than 8 s; ratios are over the queries that both engines answered.',
      'FTS5, MiniSearch and Orama get the terms of our analyzer, stop words gone; LanceDB analyses by itself (stemming, stop words).',
      'RSS: after the rounds and a collection, in a process that opened the index; engines that are not durable are still the process that built.',
      'Engines take turns, three rounds each. Clients: queries a second of one client and of two in flight, called from one thread.',
      'nDCG@10: title and text as one text without fields, for all engines; bench/retrieval/retrieval.ts has ours with fields.',
      ...(kept.length > 0 ? [`Measured in an earlier sitting at the same commit: ${kept.join(', ')}.`] : []),
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
