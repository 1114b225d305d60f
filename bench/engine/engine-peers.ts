// The engines of others that bench/engine/engine.ts measures ours against, each set up as its own documentation recommends for this
// task: SQLite FTS5, LanceDB, MiniSearch and Orama. Those that take analysed text get the very terms that ours gets.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import { documentTerms, queryTerms } from './engine-own.ts';
import { type EngineSource, hitLimit, importPeer, type MeasuredEngine } from './engine-port.ts';

/** Contentless, our terms, duplicates of the query kept, stop words gone: the fastest that FTS5 was seen to be. */
function openFts5(folder: string): MeasuredEngine {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'fts5.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -64000');
  database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS f USING fts5(terms, content='', tokenize="ascii")`);
  const insert = database.prepare('INSERT INTO f (rowid, terms) VALUES (?, ?)');
  const select = database.prepare(
    `SELECT rowid AS number, bm25(f) AS s FROM f WHERE f MATCH ? ORDER BY s LIMIT ${hitLimit}`,
  );
  return {
    batch: 5000,
    async add(first, texts) {
      database.exec('BEGIN');
      for (const [at, text] of texts.entries()) insert.run(first + at + 1, documentTerms(text).join(' '));
      database.exec('COMMIT');
    },
    finish: async () => database.exec(`INSERT INTO f (f) VALUES ('optimize'); PRAGMA wal_checkpoint(TRUNCATE)`),
    search: async (text) => {
      const terms = queryTerms(text).map((term) => `"${term.replaceAll('"', '""')}"`);
      return terms.length === 0 ? [] : select.all(terms.join(' OR '));
    },
    numberOf: (hit) => (hit as { number: number }).number - 1,
    close: async () => database.close(),
  };
}

interface LanceTable {
  add(rows: readonly object[]): Promise<unknown>;
  createIndex(column: string, options: object): Promise<unknown>;
  optimize(): Promise<unknown>;
  search(
    text: string,
    kind: string,
    column: string,
  ): { select(columns: string[]): { limit(count: number): { toArray(): Promise<unknown[]> } } };
}

async function openLance(folder: string): Promise<MeasuredEngine> {
  const lance = (await importPeer('@lancedb/lancedb')) as unknown as {
    connect(path: string): Promise<{
      tableNames(): Promise<string[]>;
      createTable(name: string, rows: readonly object[]): Promise<LanceTable>;
      openTable(name: string): Promise<LanceTable>;
    }>;
    Index: { fts(options: object): unknown };
  };
  const connection = await lance.connect(folder);
  let table = (await connection.tableNames()).includes('chunks') ? await connection.openTable('chunks') : undefined;
  return {
    batch: 5000,
    async add(first, texts) {
      const rows = texts.map((text, at) => ({ number: first + at, text }));
      if (table) await table.add(rows);
      else table = await connection.createTable('chunks', rows);
    },
    async finish() {
      await table?.optimize();
      await table?.createIndex('text', {
        config: lance.Index.fts({ stem: true, removeStopWords: true, asciiFolding: true, withPosition: false }),
      });
    },
    search: async (text) => table?.search(text, 'fts', 'text').select(['number']).limit(hitLimit).toArray() ?? [],
    numberOf: (hit) => Number((hit as { number: number | bigint }).number),
    close: async () => undefined,
  };
}

async function openMiniSearch(folder: string): Promise<MeasuredEngine> {
  interface MiniSearch {
    addAll(documents: readonly object[]): void;
    search(text: string): readonly { id: number }[];
  }
  const loaded = await importPeer('minisearch');
  const Constructor = (loaded['default'] ?? loaded) as (new (
    options: object,
  ) => MiniSearch) & {
    loadJSON(json: string, options: object): MiniSearch;
  };
  const options = {
    fields: ['text'],
    idField: 'id',
    tokenize: (text: string) => text.split(' '),
    processTerm: (term: string) => term,
    searchOptions: { bm25: { k: 1.2, b: 0.75, d: 0 } },
  };
  const path = join(folder, 'minisearch.json');
  const index = existsSync(path) ? Constructor.loadJSON(readFileSync(path, 'utf8'), options) : new Constructor(options);
  return {
    batch: 500,
    add: async (first, texts) =>
      index.addAll(texts.map((text, at) => ({ id: first + at, text: documentTerms(text).join(' ') }))),
    finish: async () => writeFileSync(path, JSON.stringify(index)),
    search: async (text) => index.search(queryTerms(text).join(' ')).slice(0, hitLimit),
    numberOf: (hit) => (hit as { id: number }).id,
    close: async () => undefined,
  };
}

async function openOrama(folder: string): Promise<MeasuredEngine> {
  const orama = (await importPeer('@orama/orama')) as unknown as {
    create(options: object): object;
    insertMultiple(database: object, documents: readonly object[], batch: number): Promise<unknown>;
    search(database: object, query: object): Promise<{ hits: readonly unknown[] }>;
    save(database: object): object;
    load(database: object, saved: object): void;
  };
  const database = orama.create({
    schema: { text: 'string' },
    components: {
      tokenizer: {
        language: 'english',
        normalizationCache: new Map(),
        tokenize: (text: string) => text.split(' '),
      },
    },
  });
  const path = join(folder, 'orama.bin');
  if (existsSync(path)) orama.load(database, deserialize(readFileSync(path)) as object);
  return {
    batch: 500,
    add: async (first, texts) => {
      const documents = texts.map((text, at) => ({ id: String(first + at), text: documentTerms(text).join(' ') }));
      await orama.insertMultiple(database, documents, texts.length);
    },
    finish: async () => writeFileSync(path, serialize(orama.save(database))),
    search: async (text) => {
      const relevance = { k: 1.2, b: 0.75, d: 0 };
      const term = queryTerms(text).join(' ');
      return (await orama.search(database, { term, properties: ['text'], limit: hitLimit, threshold: 1, relevance }))
        .hits;
    },
    numberOf: (hit) => Number((hit as { id: string }).id),
    close: async () => undefined,
  };
}

export const peerEngines = {
  'SQLite FTS5': { open: async (folder) => openFts5(folder), durable: true },
  LanceDB: { open: openLance, durable: true },
  MiniSearch: { open: openMiniSearch, durable: true },
  Orama: { open: openOrama, durable: true },
} as const satisfies Readonly<Record<string, EngineSource>>;
