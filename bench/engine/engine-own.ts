// Our engine as bench/engine/engine.ts measures it: alone in memory, and as the store over the durable record, the way that ingestion
// writes it and a request searches it.
import { localScope } from '../../src/core/scope.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { buildSegment, type Entry } from '../../src/engine/build-segment.ts';
import { createLexicalIndex } from '../../src/engine/lexical.ts';
import { mergeNow } from '../../src/engine/merge-segments.ts';
import { createEngineThreads } from '../../src/engine/threads/engine-threads.ts';
import { createEnginePool } from '../../src/engine/threads/pool.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import { settleEmbeddedStore } from '../../src/stores/embedded/shared.ts';
import type { StoreHit } from '../../src/stores/store.ts';
import { analyzeQuery, analyzeText } from '../../src/text/analyze.ts';
import { putAll } from '../../testkit/record-changes.ts';
import { createVectorCorpus } from '../vectors/vectors-corpus.ts';
import { ownVectors } from '../vectors/vectors-own.ts';
import { type EngineSource, hitLimit, type MeasuredEngine } from './engine-port.ts';
import { toWrite } from './engine-writes.ts';

const language = 'en';

/** The terms that all engines get which take analysed text: stemmed, stop words gone, repeated ones kept. */
export const documentTerms = (text: string): string[] => analyzeText(text, { language });
export const queryTerms = (text: string): string[] => analyzeQuery(text, { languages: [language] });

const sealedEntries = 4096;
const mergedSegments = 16;

function openEngine(): MeasuredEngine {
  const index = createLexicalIndex();
  let pending: Entry[] = [];
  const seal = (): void => {
    if (pending.length === 0) return;
    index.replace([], [buildSegment(pending)]);
    pending = [];
    const last = index.segments().slice(-mergedSegments);
    if (last.length < mergedSegments || last.some(({ segment }) => segment.sizes.entries > sealedEntries)) return;
    index.replace(
      last.map(({ segment }) => segment),
      [mergeNow(last)],
    );
  };
  return {
    batch: 512,
    add: async (first, texts) => {
      for (const [at, text] of texts.entries()) {
        const key = `d${first + at}`;
        pending.push({ row: first + at + 1, key, group: key, fields: [[], [], documentTerms(text)], extra: [] });
        if (pending.length >= sealedEntries) seal();
      }
    },
    finish: async () => seal(),
    search: async (text) =>
      index.search({ terms: queryTerms(text).map((term) => ({ term, weight: 1 })), limit: hitLimit }),
    numberOf: (hit) => Number((hit as { key: string }).key.slice(1)),
    close: async () => undefined,
  };
}

function openStore(folder: string): MeasuredEngine {
  const scope = localScope();
  const database = openSqliteRecord({ folder });
  const store = createEmbeddedStore({ database, scope });
  const pool = createEnginePool({ size: 1 });
  const oneWorker = createEmbeddedStore({ database, scope, threads: createEngineThreads(() => pool) });
  const held: unknown[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  return {
    batch: 500,
    // As ingestion does: a batch is analysed on other threads while the one before it is written.
    async add(first, texts) {
      const writes = texts.map((text, at) => toWrite(first + at, text));
      await Promise.all([store.prepare?.(writes), writing]);
      writing = database.forScope(scope).commit(putAll(writes, store));
    },
    async finish() {
      await writing;
      await settleEmbeddedStore(database, scope.tenant);
    },
    search: async (text) => (await store.search({ text, mode: 'lexical', limit: hitLimit })).hits,
    searchWithOneWorker: async (text) => (await oneWorker.search({ text, mode: 'lexical', limit: hitLimit })).hits,
    numberOf: (hit) => Number((hit as StoreHit).documentId.slice(1)),
    async holdVectors(count, dimensions) {
      const corpus = createVectorCorpus({ seed: 1, count, dimensions });
      const vectors = await ownVectors.footnote({ folder, dimensions, count });
      for (const batch of corpus.batches()) await vectors.add(batch.first, batch.vectors);
      await vectors.finish();
      await vectors.search(corpus.query(0));
      held.push(vectors);
    },
    async close() {
      await pool.close();
      await database.close();
    },
  };
}

export const ownEngines = {
  'footnote store': { open: async (folder) => openStore(folder), durable: true },
  'footnote engine': { open: async () => openEngine(), durable: false },
} as const satisfies Readonly<Record<string, EngineSource>>;
