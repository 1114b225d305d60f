// The record in PostgreSQL beside the one in SQLite, in the same run and in turns: how many chunks of one writer become durable and can be found in a
// second, what a search takes, and how soon a server that starts answers one. PostgreSQL runs on the same machine, with its default settings and fsync on.
//
//   npm run bench postgres-record [-- --chunks=20000] [--dry]     where the programs of PostgreSQL are installed
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openPostgresRecord } from '../../src/db/postgres/postgres-record.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import type { TenantRecord } from '../../src/db/tenant-record.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import type { WrittenStore } from '../../src/stores/embedded/port.ts';
import { createShadowStore } from '../../src/stores/embedded/shadow/shadow-store.ts';
import { createSpeedCorpus } from '../../testkit/engine-corpus.ts';
import { median, quantile } from '../../testkit/engine-timing.ts';
import { openPostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';
import { putAll } from '../../testkit/record-changes.ts';
import { startServerProcess } from '../../testkit/server-process.ts';
import { toWrite } from '../../testkit/store-system.ts';
import { toGoal } from '../engine/engine-goals.ts';
import { type BenchTable, writeResult } from '../report.ts';

const { values: flags } = parseArgs({
  options: { dry: { type: 'boolean', default: false }, chunks: { type: 'string', default: '100000' } },
});
const chunks = Number(flags.chunks);
const seed = 1;
/** Documents of one chunk each, as ingestion commits them together. */
const documentsACommit = 200;
const writeRounds = 10;
const searchRounds = 9;
const searchesARound = 100;
const starts = 3;
const topK = 10;
const names = ['SQLite', 'PostgreSQL'] as const;

const programs = postgresPrograms();
if (programs === undefined) throw new Error('The programs of PostgreSQL are not installed here.');
const place = mkdtempSync(join(tmpdir(), 'footnote-bench-record-'));
const server = await openPostgresServer(programs, { isDurable: true });
const address = await server.createDatabase();
const corpus = createSpeedCorpus(seed, chunks);
const scope = localScope();
const tables: BenchTable[] = [];
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));
const inTurns = <T>(items: readonly T[], turn: number): readonly T[] => (turn % 2 === 0 ? items : items.toReversed());

interface Writer {
  readonly name: string;
  readonly record: TenantRecord;
  readonly store: WrittenStore;
  readonly perSecond: number[];
}

/** Chunks a second of each round in both. */
async function write(): Promise<readonly Writer[]> {
  const sqlite = openSqliteRecord({ folder: join(place, 'SQLite') });
  const postgres = await openPostgresRecord(address);
  const writers: readonly Writer[] = [
    {
      name: 'SQLite',
      record: sqlite.forScope(scope),
      store: createEmbeddedStore({ database: sqlite, scope }),
      perSecond: [],
    },
    {
      name: 'PostgreSQL',
      record: postgres.forScope(scope),
      store: createShadowStore({ record: postgres, scope }),
      perSecond: [],
    },
  ];
  for (let turn = 0; turn < writeRounds; turn += 1) {
    const from = Math.round((chunks * turn) / writeRounds);
    const to = Math.round((chunks * (turn + 1)) / writeRounds);
    const writes = Array.from({ length: to - from }, (_, at) =>
      toWrite({ id: `d${from + at}`, title: `Note ${from + at}`, text: corpus.chunk(from + at) }),
    );
    const count = writes.reduce((sum, one) => sum + one.chunks.length, 0);
    for (const { record, store, perSecond } of inTurns(writers, turn)) {
      const startedMs = performance.now();
      for (let at = 0; at < writes.length; at += documentsACommit)
        await record.commit(putAll(writes.slice(at, at + documentsACommit), store));
      perSecond.push((count * 1000) / (performance.now() - startedMs));
    }
    console.log(
      `${to} chunks: ${writers.map(({ perSecond }) => Math.round(perSecond.at(-1) ?? 0)).join(', ')} a second`,
    );
  }
  await sqlite.close();
  await postgres.close();
  return writers;
}

const environmentOf = (name: string, data = name): Record<string, string> => ({
  FOOTNOTE_DATA: join(place, data),
  MODEL_EMBED: 'none',
  ENCODER: 'off',
  LOG_LEVEL: 'silent',
  ...(name === 'PostgreSQL' && { FOOTNOTE_DATABASE_URL: address }),
});

/** Milliseconds of each search in each round, by name. */
async function search(): Promise<ReadonlyMap<string, readonly (readonly number[])[]>> {
  const asked = await Promise.all(
    names.map(async (name) => {
      const opened = await openFootnote(loadConfig({ folder: place, environment: environmentOf(name) }));
      // Nothing is sealed or merged meanwhile.
      await opened.settle(scope.tenant);
      return { name, opened, footnote: opened.forScope(scope), rounds: [] as number[][] };
    }),
  );
  try {
    for (let turn = -1; turn < searchRounds; turn += 1) {
      const took = new Map(asked.map(({ name }) => [name, [] as number[]]));
      for (let at = 0; at < searchesARound; at += 1) {
        const query = corpus.query((turn + 1) * searchesARound + at, 'natural');
        const found = new Set<string>();
        for (const { name, footnote } of inTurns(asked, at)) {
          const startedMs = performance.now();
          const { results } = await footnote.search({ query, mode: 'embedded', topK });
          took.get(name)?.push(performance.now() - startedMs);
          found.add(JSON.stringify(results.map(({ chunkId, score }) => [chunkId, score])));
        }
        if (found.size > 1 || found.has('[]')) throw new Error(`"${query}" finds ${[...found].join(' and ')}.`);
      }
      // The first is no round: caches are cold.
      if (turn >= 0) for (const { name, rounds } of asked) rounds.push(took.get(name) ?? []);
    }
  } finally {
    for (const { opened } of asked) await opened.close();
  }
  return new Map(asked.map(({ name, rounds }) => [name, rounds]));
}

/** Seconds from the start of the process until it answered a search. */
async function start(name: string, data: string): Promise<number> {
  const { FOOTNOTE_DATA: folder = '', ...environment } = environmentOf(name, data);
  const startedMs = performance.now();
  const process = await startServerProcess(folder, { environment });
  const reply = await fetch(`${process.url}/v1/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: corpus.query(0, 'natural'), mode: 'embedded', topK }),
  });
  const { results } = (await reply.json()) as { readonly results: readonly unknown[] };
  const seconds = (performance.now() - startedMs) / 1000;
  await process.stop();
  if (results.length === 0) throw new Error(`${name} found nothing after its start.`);
  return seconds;
}

try {
  const [sqlite, postgres] = (await write()).map(({ perSecond }) => median(perSecond));
  const perSecond = [sqlite ?? 0, postgres ?? 0] as const;
  tables.push({
    title: `Chunks a second that one writer makes durable, median of ${writeRounds} rounds`,
    columns: ['', ...names, 'ratio'],
    rows: [
      [
        `${documentsACommit} documents a commit`,
        ...perSecond.map((one) => round(one, 0)),
        round(perSecond[1] / perSecond[0]),
      ],
    ],
  });
  // As the database does by itself within a minute or so.
  await server.run(address, 'VACUUM ANALYZE');

  const rounds = await search();
  const of = (name: string, share: number): readonly number[] =>
    (rounds.get(name) ?? []).map((took) => quantile(took, share));
  const compared = [0.5, 0.95].map((share) => {
    const [own, other] = [of('SQLite', share), of('PostgreSQL', share)];
    return {
      name: `p${share * 100}`,
      sqlite: median(own),
      postgres: median(other),
      more: median(other.map((one, at) => one - (own[at] ?? 0))),
    };
  });
  tables.push({
    title: `A search by words for ${topK} results, ms: medians of ${searchRounds} rounds of ${searchesARound} pairs`,
    columns: ['', ...names, 'ratio', 'difference'],
    rows: compared.map((one) => [
      one.name,
      round(one.sqlite),
      round(one.postgres),
      round(one.postgres / one.sqlite),
      round(one.more),
    ]),
  });

  const seconds = { own: [] as number[], cold: [] as number[], warm: [] as number[] };
  for (let turn = 0; turn < starts; turn += 1) {
    seconds.own.push(await start('SQLite', 'SQLite'));
    seconds.cold.push(await start('PostgreSQL', `cold ${turn}`));
    seconds.warm.push(await start('PostgreSQL', `cold ${turn}`));
  }
  const ready = { own: median(seconds.own), cold: median(seconds.cold), warm: median(seconds.warm) };
  tables.push({
    title: `Seconds from the start of a server until it answered a search, median of ${starts}`,
    columns: ['SQLite', 'PostgreSQL, a new data folder', 'PostgreSQL, its data folder kept'],
    rows: [[round(ready.own), round(ready.cold), round(ready.warm)]],
  });
  for (const { title, columns, rows } of tables)
    console.log([title, columns.join('  '), ...rows.map((row) => row.join('  '))].join('\n'));

  const [half, most] = compared;
  const goals = [
    toGoal({ what: 'durable chunks a second of one writer', limit: 2500, least: true, got: round(perSecond[1], 0) }),
    toGoal({ what: 'search p50, ms more than SQLite', limit: 1, got: round(half?.more ?? Number.NaN) }),
    toGoal({ what: 'search p95, ms more than SQLite', limit: 3, got: round(most?.more ?? Number.NaN) }),
    toGoal({ what: 'seconds until a server answers, a new data folder', limit: 10, got: round(ready.cold) }),
    toGoal({ what: 'seconds until a server answers, its data folder kept', limit: 3, got: round(ready.warm) }),
  ];
  if (!flags.dry)
    await writeResult(chunks === 100_000 ? 'postgres-record' : `postgres-record-${chunks}`, {
      title: `The record in PostgreSQL, ${chunks} chunks`,
      command: `npm run bench postgres-record${chunks === 100_000 ? '' : ` -- --chunks=${chunks}`}`,
      seed,
      metrics: {
        chunks,
        'durable chunks a second': round(perSecond[1], 0),
        'of those of SQLite': round(perSecond[1] / perSecond[0]),
        'search p50, ms': round(half?.postgres ?? Number.NaN),
        'search p95, ms': round(most?.postgres ?? Number.NaN),
        'seconds until ready, cold': round(ready.cold),
        'seconds until ready, warm': round(ready.warm),
      },
      goals,
      tables,
      notes: [
        'PostgreSQL stands on the same machine and shares its cores, with its default settings and fsync on.',
        'Documents of one chunk each are read and cut before they are timed; hashing, analysing and writing them is timed.',
        'Searches are asked of both in one process without the encoder, each query of one and then of the other, the first of each pair in turns.',
      ],
    });
  else
    for (const { what, wanted, got, met } of goals)
      console.log(`${met ? 'met   ' : 'MISSED'} ${what}: ${got} (wanted ${wanted})`);
} finally {
  server.remove();
  rmSync(place, { recursive: true, force: true });
}
