// How fast documents become durable and searchable: one JSONL file of synthetic records read through the real pipeline into a
// fresh data folder (synchronous=FULL), with what it costs each process and how long it keeps the event loop from others.
//
//   npm run bench ingest [-- records]
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { createSpeedCorpus } from '../../testkit/engine-corpus.ts';
import { writeResult } from '../report.ts';

const seed = 1;
const wantedPerSecond = 2000;
const clockTicksPerSecond = 100;

const records = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 20_000);
const isDry = process.argv.includes('--dry');
const [, writeTo] = process.argv.slice(process.argv.indexOf('--write'));
if (process.argv.includes('--write') && writeTo !== undefined) {
  const corpus = createSpeedCorpus(seed, records);
  const lines = Array.from({ length: records }, (_, index) =>
    JSON.stringify({ id: `d${index}`, title: '', text: corpus.chunk(index) }),
  );
  writeFileSync(writeTo, `${lines.join('\n')}\n`);
  process.exit(0);
}
const place = mkdtempSync(join(tmpdir(), 'footnote-bench-ingest-'));
const docs = join(place, 'docs');
mkdirSync(docs);
const file = join(docs, 'corpus.jsonl');
// In a process of its own, so that the corpus is not in the memory that is measured.
execFileSync(process.execPath, [import.meta.filename, '--write', file, String(records)]);

interface ProcessCost {
  readonly cpuSeconds: number;
  readonly peakMiB: number;
}

/** What the children of this process have used so far, by pid; empty where the system has no /proc. */
function costOfChildren(): ReadonlyMap<string, ProcessCost> {
  const found = new Map<string, ProcessCost>();
  let pids: string[] = [];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return found;
  }
  for (const pid of pids) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // After the name, which is in brackets: state, parent, …, user ticks, system ticks.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[1]) !== process.pid) continue;
      const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
      const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
      found.set(pid, { cpuSeconds, peakMiB: Number(peak?.[1] ?? 0) / 1024 });
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

const scope = localScope();
const opened = await openFootnote(
  loadConfig({ folder: place, environment: { FOOTNOTE_DATA: join(place, 'data'), LOG_LEVEL: 'silent' } }),
);
const footnote = opened.forScope(scope);
await footnote.sources.put({ name: 'bench', type: 'docs', connector: { kind: 'folder', path: docs } });

const bytes = statSync(file).size;
const children = new Map<string, ProcessCost>();
const look = (): void => {
  for (const [pid, cost] of costOfChildren()) children.set(pid, cost);
};
const sampling = setInterval(look, 500);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const cpuBefore = process.cpuUsage();
const threadBefore = process.threadCpuUsage();
const startedAt = performance.now();
const run = await footnote.sources.sync('bench');
const seconds = (performance.now() - startedAt) / 1000;
const thread = process.threadCpuUsage(threadBefore);
const cpu = process.cpuUsage(cpuBefore);
delay.disable();
clearInterval(sampling);
look();
const { documents } = await footnote.documents.list({ limit: 1 }).then(async () => {
  const source = (await footnote.sources.list()).find(({ name }) => name === 'bench');
  return { documents: source?.documents ?? 0 };
});
await opened.close();
rmSync(place, { recursive: true, force: true });
if (run.state !== 'done' || documents !== records)
  throw new Error(`The run ended as ${run.state} with ${documents} of ${records} documents.`);

const { chunks } = run.counts;
const perSecond = chunks / seconds;
const secondsOf = (usage: { user: number; system: number }): number => (usage.user + usage.system) / 1e6;
const mainSeconds = secondsOf(thread);
const threadsSeconds = secondsOf(cpu) - mainSeconds;
const childrenSeconds = [...children.values()].reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
const perChunk = (value: number): number => (value * 1000) / chunks;
const metrics = {
  records,
  chunks,
  'bytes of the file': bytes,
  seconds,
  'chunks a second': perSecond,
  'CPU seconds, main thread': mainSeconds,
  'CPU seconds, worker and system threads of the process': threadsSeconds,
  'CPU seconds, parser children': childrenSeconds,
  'CPU ms a chunk, main thread': perChunk(mainSeconds),
  'CPU ms a chunk, everything': perChunk(mainSeconds + threadsSeconds + childrenSeconds),
  'peak memory of the process, MiB': process.resourceUsage().maxRSS / 1024,
  'peak memory of a parser child, MiB': Math.max(0, ...[...children.values()].map(({ peakMiB }) => peakMiB)),
  'longest event-loop delay, ms': delay.max / 1e6,
  'event-loop delay, 99th percentile, ms': delay.percentile(99) / 1e6,
};
if (isDry) console.log(metrics);
else
  await writeResult('ingest', {
    title: 'Durable ingestion of JSONL: one chunk a record',
    command: 'npm run bench ingest',
    seed,
    metrics,
    goals: [
      {
        what: 'Durable chunks a second from JSONL',
        wanted: `>= ${wantedPerSecond}`,
        got: perSecond,
        met: perSecond >= wantedPerSecond,
      },
    ],
    notes: [
      'From the start of the run to its end: every document is durable (synchronous=FULL) and searchable by then.',
      'Only the last figures of a parser child that was replaced meanwhile are known.',
    ],
  });
