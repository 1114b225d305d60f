// How long a server that starts over a record in PostgreSQL waits for the index of a tenant: read from the log, from segments that were sealed, or from files of these; how
// fast documents go in meanwhile, and what a search takes.
// Usage: node bench/stores/postgres-start.ts [chunks], where the programs of PostgreSQL are installed.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { localScope } from '../../src/core/scope.ts';
import { openPostgresRecord, type PostgresRecord } from '../../src/db/postgres/postgres-record.ts';
import type { RecordChange } from '../../src/db/repositories/changes.ts';
import { closeEngineThreads } from '../../src/engine/threads/engine-threads.ts';
import { ordinarySeals } from '../../src/stores/embedded/choose-segments.ts';
import { embeddedName } from '../../src/stores/embedded/port.ts';
import { createShadowStore } from '../../src/stores/embedded/shadow/shadow-store.ts';
import { type KeepOptions, keepShadows, shadowOf } from '../../src/stores/embedded/shadow/shadows.ts';
import { createRandom } from '../../testkit/history.ts';
import { openPostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';
import { createWrite, temporaryFolder } from '../../testkit/record-fixture.ts';
import { writeResult } from '../report.ts';

const programs = postgresPrograms();
if (programs === undefined) throw new Error('The programs of PostgreSQL are not installed here.');
const wanted = Number(process.argv[2] ?? 100_000);
const scope = localScope();
const random = createRandom(7);
const vocabulary = 30_000;
const documentsTogether = 20;

/** As often as words of a language are: the n-th most frequent has a share of 1 / n. */
const word = (): string => `w${Math.floor(vocabulary ** random.next())}`;
const textOf = (words: number): string => Array.from({ length: words }, word).join(' ');
const msOf = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};
const secondsOf = async (work: () => Promise<unknown>): Promise<number> =>
  Number(((await msOf(work)) / 1000).toFixed(2));
const at = (values: readonly number[], share: number): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length * share)] ?? 0;

const server = await openPostgresServer(programs);
const address = await server.createDatabase();

/** As a server that has just started. */
async function opened<T>(work: (record: PostgresRecord) => Promise<T>, options: KeepOptions = {}): Promise<T> {
  const record = await openPostgresRecord(address);
  await record.join({ version: 'bench' });
  const close = keepShadows(record, {
    sealFrom: 1e9,
    quietMs: 1e9,
    ...options,
  });
  shadowOf(record, scope.tenant);
  try {
    return await work(record);
  } finally {
    await close();
    await record.close();
  }
}
/** How long the first look takes, and how long it held up everything else of the process at most. */
async function ready(options?: KeepOptions): Promise<{ readonly seconds: number; readonly pauseMs: number }> {
  const pauses = monitorEventLoopDelay({ resolution: 2 });
  pauses.enable();
  const seconds = await opened(
    (record) => secondsOf(() => shadowOf(record, scope.tenant).follow({ needsFacts: true })),
    options,
  );
  pauses.disable();
  return { seconds, pauseMs: Math.round(pauses.max / 1e6) };
}

let chunks = 0;
let committedMs = 0;
await opened(async (record) => {
  for (let n = 0; chunks < wanted; ) {
    const documents = Array.from({ length: documentsTogether }, () => {
      n += 1;
      return createWrite(textOf(2000), { id: `d${n}`, uri: `${n}.md`, title: textOf(4) });
    });
    chunks += documents.reduce((sum, one) => sum + one.chunks.length, 0);
    const changes: RecordChange[] = documents.map((write) => ({ kind: 'put-document', write }));
    changes.push({ kind: 'put-entries', store: embeddedName, documents });
    committedMs += await msOf(() => record.forScope(scope).commit(changes));
  }
});
const perSecond = Math.round((chunks / committedMs) * 1000);
const fromLog = await ready();
const sealing = await opened(
  (record) => secondsOf(() => shadowOf(record, scope.tenant).upkeep.settle()),
  ordinarySeals,
);
const segments = await server.run(address, 'SELECT 1 FROM ix_segment');
if (segments.length === 0) throw new Error('Nothing was sealed.');
const fromSegments = await ready();
const { folder, remove } = temporaryFolder();
// The first time they are written.
await ready({ folder });
const fromFiles = await ready({ folder });
remove();
const searches = await opened(async (record) => {
  const store = createShadowStore({ record, scope });
  await store.search({ text: 'w1', mode: 'lexical', limit: 10 });
  const taken: number[] = [];
  for (let n = 0; n < 500; n++)
    taken.push(await msOf(() => store.search({ text: textOf(3), mode: 'lexical', limit: 10 })));
  return taken;
});
await closeEngineThreads();
server.remove();

const metrics = {
  chunks,
  'chunks written a second': perSecond,
  'ready from the log, s': fromLog.seconds,
  'sealed in, s': sealing,
  'ready from segments, s': fromSegments.seconds,
  'longest pause by segments, ms': fromSegments.pauseMs,
  'ready from files, s': fromFiles.seconds,
  'longest pause by files, ms': fromFiles.pauseMs,
  'search p50, ms': Number(at(searches, 0.5).toFixed(2)),
  'search p95, ms': Number(at(searches, 0.95).toFixed(2)),
};
console.log(metrics);
if (process.argv[2] === undefined)
  await writeResult('postgres-start', {
    title: 'A record in PostgreSQL: starting over it',
    command: 'npm run bench postgres-start',
    seed: 7,
    data: [],
    metrics,
    goals: [
      { what: 'ready without files, s', wanted: '<= 10', got: fromSegments.seconds, met: fromSegments.seconds <= 10 },
      { what: 'ready with files, s', wanted: '<= 3', got: fromFiles.seconds, met: fromFiles.seconds <= 3 },
    ],
    tables: [],
    notes: [
      'PostgreSQL 15 on the same machine, with its default settings and fsync off; words are drawn as those of a language are spread.',
    ],
  });
