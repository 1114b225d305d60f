// The engines that bench/engine.ts measures, each behind the same three calls: ours alone, ours as the store over the record,
// SQLite FTS5 over the same analysed terms, MiniSearch and LanceDB where they are installed (bench/package.json).
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { DocumentRecord } from '../src/core/document.ts';
import { chunkIdOf, sha256 } from '../src/core/ids.ts';
import { localScope } from '../src/core/scope.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../src/db/sqlite.ts';
import { buildSegment, type Entry } from '../src/engine/build-segment.ts';
import { createLexicalIndex } from '../src/engine/lexical.ts';
import { mergeNow } from '../src/engine/merge-segments.ts';
import { createEmbeddedStore, settleEmbeddedStore } from '../src/stores/embedded.ts';
import type { Store } from '../src/stores/store.ts';
import { analyzeQuery, analyzeText } from '../src/text/analyze.ts';

export interface MeasuredEngine {
  /** Indexes texts `first`, `first + 1` …; every call is durable where the engine can be. */
  add(first: number, texts: readonly string[]): Promise<void>;
  /** Everything is indexed: seal, merge, flush. */
  finish(): Promise<void>;
  /** Ids of the best 100. */
  search(text: string): Promise<readonly unknown[]>;
  /** Closes and opens again, until the first search is answered; undefined for engines in memory only. */
  restart?(text: string): Promise<void>;
  close(): Promise<void>;
}

const language = 'en';
const k = 100;
const terms = (text: string): string[] => analyzeText(text, { language });
const queryTerms = (text: string): string[] => analyzeQuery(text, { languages: [language] });

function openEngine(): Promise<MeasuredEngine> {
  const index = createLexicalIndex();
  let pending: Entry[] = [];
  const flush = (size: number): void => {
    if (pending.length === 0 || pending.length < size) return;
    index.replace([], [buildSegment(pending)]);
    pending = [];
    const last = index.segments().slice(-16);
    if (last.length < 16 || last.some(({ segment }) => segment.sizes.entries > 4096)) return;
    index.replace(
      last.map(({ segment }) => segment),
      [mergeNow(last)],
    );
  };
  return Promise.resolve({
    add: async (first, texts) => {
      for (const [at, text] of texts.entries())
        pending.push({
          row: first + at + 1,
          key: `c${first + at}`,
          group: `c${first + at}`,
          fields: [[], [], terms(text)],
          extra: [],
        });
      flush(4096);
    },
    finish: async () => flush(0),
    search: async (text) =>
      index.search({ terms: queryTerms(text).map((term) => ({ term, weight: 1 })), limit: k }).map(({ key }) => key),
    close: async () => undefined,
  });
}

async function openStore(folder: string): Promise<MeasuredEngine> {
  const scope = localScope();
  let database: SqliteRecordDatabase = openSqliteRecord({ folder });
  let store: Store = createEmbeddedStore({ database, scope });
  const search = async (text: string) =>
    (await store.search({ text, mode: 'lexical', limit: k })).hits.map(({ chunkId }) => chunkId);
  return {
    async add(first, texts) {
      const writes = texts.map((text, at) => toWrite(first + at, text));
      await database.forScope(scope).transact((transaction) => {
        for (const write of writes) transaction.putDocument(write);
        store.within?.(transaction).upsert(writes);
      });
    },
    finish: () => settleEmbeddedStore(database, scope.tenant),
    search,
    async restart(text) {
      await database.close();
      database = openSqliteRecord({ folder });
      store = createEmbeddedStore({ database, scope });
      await search(text);
    },
    close: () => database.close(),
  };
}

function toWrite(index: number, text: string) {
  const id = `d${index}`;
  const textHash = sha256(text);
  const span = { start: 0, end: text.length };
  const document: DocumentRecord = {
    id,
    source: 'speed',
    sourceType: 'docs',
    uri: `${id}.txt`,
    title: '',
    mime: 'text/plain',
    language,
    revision: 1,
    updatedAt: '2026-01-01T00:00:00.000Z',
    contentHash: textHash,
    textHash,
    textLength: text.length,
    chunkCount: 1,
    metadata: {},
    citeByLine: false,
    warnings: [],
  };
  const chunk = {
    id: chunkIdOf(id, textHash, span),
    documentId: id,
    ordinal: 0,
    ...span,
    text,
    hash: textHash,
    headingPath: [],
    tokens: 150,
  };
  return { document, text, chunks: [chunk], structure: { pages: [], headings: [], words: [] } };
}

/** Contentless, our terms, duplicates of the query kept, stop words gone: the fastest that FTS5 was seen to be. */
async function openFts5(folder: string): Promise<MeasuredEngine> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'fts5.sqlite');
  const open = (): DatabaseSync => {
    const made = new DatabaseSync(path);
    made.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -64000');
    made.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS f USING fts5(terms, content='', tokenize="ascii")`);
    return made;
  };
  let database = open();
  const search = async (text: string) =>
    database.prepare('SELECT rowid, bm25(f) AS s FROM f WHERE f MATCH ? ORDER BY s LIMIT 100').all(
      queryTerms(text)
        .map((term) => `"${term}"`)
        .join(' OR '),
    );
  return {
    async add(first, texts) {
      database.exec('BEGIN');
      const insert = database.prepare('INSERT INTO f (rowid, terms) VALUES (?, ?)');
      for (const [at, text] of texts.entries()) insert.run(first + at + 1, terms(text).join(' '));
      database.exec('COMMIT');
    },
    finish: async () => undefined,
    search,
    async restart(text) {
      database.close();
      database = open();
      await search(text);
    },
    close: async () => database.close(),
  };
}

/** A package of bench/package.json, or of the folder named by FOOTNOTE_BENCH_PEERS. */
async function importPeer(name: string): Promise<Record<string, unknown>> {
  const home = process.env['FOOTNOTE_BENCH_PEERS'] ?? import.meta.dirname;
  const path = createRequire(join(home, 'package.json')).resolve(name);
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
}

async function openMiniSearch(): Promise<MeasuredEngine> {
  interface MiniSearch {
    addAll(documents: readonly object[]): void;
    search(text: string): readonly { id: unknown }[];
  }
  const loaded = await importPeer('minisearch');
  const Constructor = (loaded['default'] ?? loaded) as new (options: object) => MiniSearch;
  const index = new Constructor({
    fields: ['text'],
    idField: 'id',
    tokenize: (text: string) => text.split(' '),
    processTerm: (term: string) => term,
    searchOptions: { bm25: { k: 1.2, b: 0.75, d: 0 } },
  });
  return {
    add: async (first, texts) =>
      index.addAll(texts.map((text, at) => ({ id: first + at, text: terms(text).join(' ') }))),
    finish: async () => undefined,
    search: async (text) => index.search(queryTerms(text).join(' ')).slice(0, k),
    close: async () => undefined,
  };
}

async function openLance(folder: string): Promise<MeasuredEngine> {
  interface Table {
    add(rows: readonly object[]): Promise<unknown>;
    createIndex(column: string, options: object): Promise<unknown>;
    search(
      text: string,
      kind: string,
      column: string,
    ): { select(c: string[]): { limit(n: number): { toArray(): Promise<unknown[]> } } };
  }
  const lance = (await importPeer('@lancedb/lancedb')) as unknown as {
    connect(path: string): Promise<{
      createTable(name: string, rows: readonly object[]): Promise<Table>;
      openTable(name: string): Promise<Table>;
    }>;
    Index: { fts(options: object): unknown };
  };
  let connection = await lance.connect(folder);
  let table: Table | undefined;
  const search = async (text: string) =>
    table ? table.search(text, 'fts', 'text').select(['id']).limit(k).toArray() : [];
  return {
    async add(first, texts) {
      const rows = texts.map((text, at) => ({ id: first + at, text }));
      if (table) await table.add(rows);
      else table = await connection.createTable('chunks', rows);
    },
    async finish() {
      await table?.createIndex('text', {
        config: lance.Index.fts({ stem: true, removeStopWords: true, asciiFolding: true, withPosition: false }),
      });
    },
    search,
    async restart(text) {
      connection = await lance.connect(folder);
      table = await connection.openTable('chunks');
      await search(text);
    },
    close: async () => undefined,
  };
}

export const measuredEngines: Readonly<Record<string, (folder: string) => Promise<MeasuredEngine>>> = {
  'footnote engine': openEngine,
  'footnote store': openStore,
  'SQLite FTS5': openFts5,
  LanceDB: openLance,
  MiniSearch: openMiniSearch,
};

/** Bytes of all files below a folder. */
export function folderBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
