// What the record's engine costs: node:sqlite against better-sqlite3, the same statements with the same settings, in turns so
// that the noise of the machine falls on both. Decides docs/adr/0003.
//
//   npm install --prefix bench --no-save better-sqlite3@13.2.0   (a peer to measure against, never a dependency)
//   npm run bench sqlite
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createRandom } from '../../testkit/history.ts';
import { writeResult } from '../report.ts';

interface Statement {
  run(...values: unknown[]): unknown;
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
}
interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}
interface Engine {
  readonly name: string;
  open(path: string): Database;
}

const seed = 1;
const rounds = 3;
const rows = 20_000;
const singleCommits = 200;
const batch = 200;
const pointReads = 50_000;
const rangeReads = 1000;
const searches = 300;

const vocabulary = Array.from({ length: 5000 }, (_, index) => `w${index.toString(36)}`);
const random = createRandom(seed);
/** Words by a steep frequency curve, about 1 kB a chunk. */
const texts = Array.from({ length: rows }, () =>
  Array.from({ length: 170 }, () => vocabulary[Math.floor(vocabulary.length * random.next() ** 3)]).join(' '),
);

const settings =
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cache_size = -16000;';

/** Operations a second, by measurement. */
function measure(engine: Engine, path: string): Record<string, number> {
  const database = engine.open(path);
  database.exec(settings);
  database.exec(
    'CREATE TABLE chunk (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL, text TEXT NOT NULL); CREATE INDEX by_document ON chunk (document, row); CREATE VIRTUAL TABLE lexical USING fts5(terms, content="");',
  );
  const rates: Record<string, number> = {};
  const time = (name: string, count: number, work: () => void): void => {
    const startedAt = performance.now();
    work();
    rates[name] = (count / (performance.now() - startedAt)) * 1000;
  };
  const insert = database.prepare('INSERT INTO chunk VALUES (?, ?, ?, ?)');
  const inBatches = (each: (index: number) => void): void => {
    for (let at = 0; at < rows; at += batch) {
      database.exec('BEGIN IMMEDIATE');
      for (let index = at; index < Math.min(rows, at + batch); index += 1) each(index);
      database.exec('COMMIT');
    }
  };
  time(`rows inserted, ${batch} a commit`, rows, () =>
    inBatches((index) => insert.run(index + 1, `chk_${index}`, `doc_${index % 500}`, texts[index])),
  );
  const index = database.prepare('INSERT INTO lexical (rowid, terms) VALUES (?, ?)');
  time(`FTS5 rows inserted, ${batch} a commit`, rows, () => inBatches((at) => index.run(at + 1, texts[at])));
  const update = database.prepare('UPDATE chunk SET document = ? WHERE row = ?');
  time('commits of one row, synchronous=FULL', singleCommits, () => {
    for (let at = 0; at < singleCommits; at += 1) update.run('doc_x', at + 1);
  });
  const pick = createRandom(seed + 1);
  const point = database.prepare('SELECT * FROM chunk WHERE id = ?');
  time('point reads of 1 kB', pointReads, () => {
    for (let at = 0; at < pointReads; at += 1) point.get(`chk_${pick.below(rows)}`);
  });
  const range = database.prepare('SELECT * FROM chunk WHERE document = ? ORDER BY row');
  time('range reads of 40 rows of 1 kB', rangeReads, () => {
    for (let at = 0; at < rangeReads; at += 1) range.all(`doc_${pick.below(500)}`);
  });
  const search = database.prepare(
    'SELECT rowid, bm25(lexical) AS score FROM lexical WHERE lexical MATCH ? ORDER BY rank LIMIT 10',
  );
  time('FTS5 searches of 3 words, top 10 by BM25', searches, () => {
    for (let at = 0; at < searches; at += 1)
      search.all(Array.from({ length: 3 }, () => `"${vocabulary[100 + pick.below(2000)]}"`).join(' OR '));
  });
  database.close();
  return rates;
}

/** What a second connection to an existing WAL database syncs at when nobody asks: 2 is FULL, 1 is NORMAL. */
function synchronousOnReopen(engine: Engine, path: string): number {
  const database = engine.open(path);
  const row = database.prepare('PRAGMA synchronous').get();
  database.close();
  return Number(Object.values(row as object)[0]);
}

function versionOf(engine: Engine): string {
  const database = engine.open(':memory:');
  const row = database.prepare('SELECT sqlite_version()').get();
  database.close();
  return String(Object.values(row as object)[0]);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function findPeer(): Engine | undefined {
  const folder = process.env['FOOTNOTE_BENCH_PEERS'] ?? join(import.meta.dirname, '..');
  try {
    const BetterSqlite = createRequire(join(folder, 'package.json'))('better-sqlite3') as new (
      path: string,
    ) => Database;
    return { name: 'better-sqlite3', open: (path) => new BetterSqlite(path) };
  } catch {
    return undefined;
  }
}

const ours: Engine = { name: 'node:sqlite', open: (path) => new DatabaseSync(path) as unknown as Database };
const peer = findPeer();
if (peer === undefined) {
  console.log('skipped: the peer is not installed: npm install --prefix bench --no-save better-sqlite3@13.2.0');
  process.exit(0);
}
const engines = [ours, peer];
const place = mkdtempSync(join(tmpdir(), 'footnote-bench-sqlite-'));
const results = new Map<string, Record<string, number>[]>(engines.map(({ name }) => [name, []]));
const reopened = new Map<string, number>();
for (let round = 0; round < rounds; round += 1)
  for (const engine of round % 2 === 0 ? engines : engines.toReversed()) {
    const path = join(place, `${round}-${engine.name.replace(':', '-')}.sqlite`);
    results.get(engine.name)?.push(measure(engine, path));
    reopened.set(engine.name, synchronousOnReopen(engine, path));
    rmSync(path);
  }
rmSync(place, { recursive: true, force: true });

const names = Object.keys(results.get(ours.name)?.[0] ?? {});
const rateOf = (engine: Engine, name: string): number =>
  median((results.get(engine.name) ?? []).map((round) => round[name] ?? 0));
await writeResult('sqlite', {
  title: 'The engine of the record: node:sqlite against better-sqlite3',
  command: 'npm install --prefix bench --no-save better-sqlite3@13.2.0 && npm run bench sqlite',
  seed,
  metrics: {
    'SQLite of node:sqlite': versionOf(ours),
    'SQLite of better-sqlite3': versionOf(peer),
    'synchronous of node:sqlite when a WAL database is opened again (2 FULL, 1 NORMAL)':
      reopened.get(ours.name) ?? null,
    'synchronous of better-sqlite3 when a WAL database is opened again (2 FULL, 1 NORMAL)':
      reopened.get(peer.name) ?? null,
  },
  tables: [
    {
      title: 'Operations a second (median of three rounds in turns)',
      columns: ['operation', ours.name, peer.name, 'ratio'],
      rows: names.map((name) => [
        name,
        rateOf(ours, name),
        rateOf(peer, name),
        rateOf(ours, name) / rateOf(peer, name),
      ]),
    },
  ],
  notes: ['Both with the same pragmas (WAL, synchronous=FULL, secure_delete). A ratio above 1: node:sqlite is faster.'],
});
