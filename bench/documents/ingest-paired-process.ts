// One run of bench/documents/ingest-paired: a JSONL file ingested by the program of a checkout, or indexed by SQLite FTS5. Prints what it cost.
//
//   node bench/documents/ingest-paired-process.ts CHECKOUT|fts5 FILE [settled]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const clockTicksPerSecond = 100;
/** As many documents in a transaction as one of ours holds at most. */
const documentsPerCommit = 200;

export interface Cost {
  readonly chunks: number;
  readonly seconds: number;
  readonly mainSeconds: number;
  readonly processSeconds: number;
  /** Of the processes that read files, which have ended when this is looked at. */
  readonly childrenSeconds: number;
  /** From the start of ingestion until words and meaning are settled. */
  readonly settledSeconds: number;
  readonly settledCpuSeconds: number;
}

/** What this process and the children that it has waited for have used, in seconds of processor time. */
function childrenSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / clockTicksPerSecond;
}

const secondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

/** Ingests a file with the program of a checkout. */
async function measure(checkout: string, file: string): Promise<Cost> {
  const load = async (path: string) => (await import(join(checkout, 'src', path))) as Record<string, never>;
  const { loadConfig } = (await load('config.ts')) as unknown as typeof import('../../src/config.ts');
  const { openFootnote } = (await load(
    'footnote/compose.ts',
  )) as unknown as typeof import('../../src/footnote/compose.ts');
  const { localScope } = (await load('core/scope.ts')) as unknown as typeof import('../../src/core/scope.ts');
  const place = mkdtempSync(join(tmpdir(), 'footnote-bench-paired-'));
  const environment = { FOOTNOTE_DATA: join(place, 'data'), LOG_LEVEL: 'silent' };
  const opened = await openFootnote(loadConfig({ folder: place, environment }));
  const footnote = opened.forScope(localScope());
  await footnote.sources.put({ name: 'bench', type: 'docs', connector: { kind: 'folder', path: dirname(file) } });
  const childrenBefore = childrenSeconds();
  const [cpuBefore, threadBefore, startedAt] = [process.cpuUsage(), process.threadCpuUsage(), performance.now()];
  const run = await footnote.sources.sync('bench');
  const seconds = (performance.now() - startedAt) / 1000;
  const [mainSeconds, processSeconds] = [
    secondsOf(process.threadCpuUsage(threadBefore)),
    secondsOf(process.cpuUsage(cpuBefore)),
  ];
  // Programs of before there were vectors have nothing to settle.
  if (settled === 'settled') await opened.settle?.(localScope().tenant, { exact: true });
  const settledSeconds = (performance.now() - startedAt) / 1000;
  const settledCpuSeconds = secondsOf(process.cpuUsage(cpuBefore));
  // A folder of real files holds some that no commit can read.
  if (run.state !== 'done' || (file.endsWith('.jsonl') && run.counts.failed > 0))
    throw new Error(`The run ended as ${run.state}.`);
  await opened.close();
  rmSync(place, { recursive: true, force: true });
  return {
    chunks: run.counts.chunks,
    seconds,
    mainSeconds,
    processSeconds,
    childrenSeconds: childrenSeconds() - childrenBefore,
    settledSeconds,
    settledCpuSeconds,
  };
}

/** The same texts in a full-text index of SQLite, as durable as ours. */
function measureFts5(file: string): { readonly seconds: number } {
  const place = mkdtempSync(join(tmpdir(), 'footnote-bench-fts5-'));
  const startedAt = performance.now();
  const texts = readFileSync(file, 'utf8').trimEnd().split('\n');
  const database = new DatabaseSync(join(place, 'fts5.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec("CREATE VIRTUAL TABLE f USING fts5(id UNINDEXED, title, text, tokenize = 'porter unicode61')");
  const insert = database.prepare('INSERT INTO f VALUES (?, ?, ?)');
  for (let at = 0; at < texts.length; at += documentsPerCommit) {
    database.exec('BEGIN IMMEDIATE');
    for (const line of texts.slice(at, at + documentsPerCommit)) {
      const { id, title, text } = JSON.parse(line) as { id: string; title: string; text: string };
      insert.run(id, title, text);
    }
    database.exec('COMMIT');
  }
  database.close();
  const seconds = (performance.now() - startedAt) / 1000;
  rmSync(place, { recursive: true, force: true });
  return { seconds };
}

const [, , what = '', file = '', settled] = process.argv;
console.log(JSON.stringify(what === 'fts5' ? measureFts5(file) : await measure(what, file)));
