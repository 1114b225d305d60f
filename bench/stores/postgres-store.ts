// The store in PostgreSQL beside the one inside the record, over the same documents in the same run: ranking by words on judged sets, what a search takes,
// how fast documents go in, and what the index of neighbours finds of what an exact comparison does.
// Usage: node bench/stores/postgres-store.ts [vectors], where the programs of PostgreSQL are installed; vectors are left out without pgvector.
import { localScope } from '../../src/core/scope.ts';
import type { Filter } from '../../src/core/search.ts';
import { openRetrievalDataset, type RetrievalDataset } from '../../src/evals/datasets.ts';
import { evaluateRetrieval } from '../../src/evals/retrieval.ts';
import type { EvaluatedDocument, EvaluatedSystem } from '../../src/evals/system.ts';
import type { StoreDocument } from '../../src/stores/delivered.ts';
import type { PostgresStores } from '../../src/stores/postgres/postgres-store.ts';
import type { Store, StoreQuery } from '../../src/stores/store.ts';
import { createRandom } from '../../testkit/history.ts';
import { postgresPrograms } from '../../testkit/postgres/server.ts';
import { hasVectors, openStorePlace } from '../../testkit/postgres/store-place.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { openStoreSystem, toWrite } from '../../testkit/store-system.ts';
import { type BenchGoal, type BenchTable, writeResult } from '../report.ts';

const programs = postgresPrograms();
if (programs === undefined) throw new Error('The programs of PostgreSQL are not installed here.');
const place = await openStorePlace(programs);
const goals: BenchGoal[] = [];
const tables: BenchTable[] = [];
const metrics: Record<string, number> = {};
const read: string[] = [];
const round = (value: number, digits = 4): number => Number(value.toFixed(digits));
const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const dimensions = 384;
const vectors = { space: `bench@${dimensions}`, dimensions };
const batchDocuments = 200;

async function deliver(store: Store, documents: readonly StoreDocument[]): Promise<number> {
  const from = performance.now();
  for (let at = 0; at < documents.length; at += batchDocuments)
    for (const { error } of await store.upsert(documents.slice(at, at + batchDocuments))) if (error) throw error;
  return performance.now() - from;
}

/** As the database does by itself within a minute or so. */
const settled = (): Promise<unknown> => place.server.run(place.address, 'VACUUM ANALYZE');

async function allOf(dataset: RetrievalDataset): Promise<readonly EvaluatedDocument[]> {
  const all: EvaluatedDocument[] = [];
  for await (const one of dataset.documents()) all.push(one);
  return all;
}

/** The store as an evaluation asks it. */
function systemOf(stores: PostgresStores): EvaluatedSystem {
  const store = stores.store(localScope());
  return {
    async ingest(given) {
      const written: StoreDocument[] = [];
      for await (const one of given) written.push(toWrite(one));
      await deliver(store, written);
      return {
        documents: written.length,
        chunks: written.reduce((sum, { chunks }) => sum + chunks.length, 0),
        failed: [],
      };
    },
    search: async (text, { limit, filter }, signal) =>
      (await store.search({ text, mode: 'lexical', limit, ...(filter && { filter }) }, signal)).hits,
    ask: () => Promise.reject(new Error('It only searches.')),
    close: async () => stores.close(),
  };
}

/** Ranking by words: nDCG@10 of each set in both. */
async function judge(sets: readonly string[]): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const set of sets) {
    const folder = sharedData(set);
    if (folder === undefined) continue;
    const dataset = await openRetrievalDataset(folder, 'test');
    read.push(...dataset.files);
    const systems = [await openStoreSystem(), systemOf(place.open())];
    const [own = 0, postgres = 0] = [];
    const got: number[] = [own, postgres];
    for (const [at, system] of systems.entries()) {
      const { metrics: measured } = await evaluateRetrieval({ dataset, system, mode: 'embedded' });
      got[at] = measured.ndcg10.mean;
      await system.close();
    }
    const share = (got[1] ?? 0) / (got[0] ?? 1);
    rows.push([set, round(got[0] ?? 0), round(got[1] ?? 0), round(share)]);
    goals.push({
      what: `nDCG@10 on ${set}, of the store inside the record's`,
      wanted: '>= 0.99',
      got: round(share),
      met: share >= 0.99,
    });
    metrics[`${set} nDCG@10`] = round(got[1] ?? 0);
    console.log(rows.at(-1)?.join('  '));
  }
  tables.push({ title: 'Ranking by words', columns: ['set', 'embedded nDCG@10', 'postgres nDCG@10', 'share'], rows });
}

interface Asked {
  readonly name: string;
  readonly query: Omit<StoreQuery, 'text' | 'mode'>;
}

/** What a search by words takes in both, one after the other, over all documents of these sets. */
async function time(sets: readonly string[]): Promise<void> {
  const documents: EvaluatedDocument[] = [];
  const texts: string[] = [];
  for (const set of sets) {
    const folder = sharedData(set);
    if (folder === undefined) continue;
    const dataset = await openRetrievalDataset(folder, set === 'cosqa' ? 'dev' : 'test');
    read.push(...dataset.files);
    documents.push(...(await allOf(dataset)).map((one) => ({ ...one, id: `${set}/${one.id}` })));
    texts.push(...dataset.queries.slice(0, 40).map(({ text }) => text));
  }
  const own = await openStoreSystem();
  const { chunks } = await own.ingest(
    (async function* () {
      yield* documents;
    })(),
  );
  const store = place.open().store(localScope());
  const tookMs = await deliver(store, documents.map(toWrite));
  await settled();
  const some: Filter = { op: 'glob', field: 'path', value: '**7*' };
  const asked: readonly Asked[] = [
    { name: 'top 10', query: { limit: 10 } },
    { name: 'top 100', query: { limit: 100 } },
    { name: 'top 10 under a filter', query: { limit: 10, filter: some } },
  ];
  const rows = [];
  for (const { name, query } of asked) {
    const took: [number[], number[]] = [[], []];
    for (const text of [...texts.slice(0, 20), ...texts])
      for (const [at, one] of [own.store, store].entries()) {
        const from = performance.now();
        await one.search({ text, mode: 'lexical', ...query });
        took[at]?.push(performance.now() - from);
      }
    const [ownMs, postgresMs] = took.map((all) => middle(all.slice(20)));
    rows.push([name, round(ownMs ?? 0, 2), round(postgresMs ?? 0, 2)]);
    metrics[`${name}, p50 ms`] = round(postgresMs ?? 0, 2);
    console.log(rows.at(-1)?.join('  '));
  }
  metrics['chunks'] = chunks;
  metrics['delivered chunks a second, words alone'] = Math.round((chunks * 1000) / tookMs);
  console.log(chunks, 'chunks', metrics['delivered chunks a second, words alone'], 'a second');
  tables.push({
    title: `A search by words over ${chunks} chunks, p50 ms`,
    columns: ['', 'embedded', 'postgres'],
    rows,
  });
  await own.close();
}

/** Vectors in clusters, as those of texts are: each near one of two hundred centres. */
function clustered(count: number, seed: number): readonly Float32Array[] {
  const { next, below } = createRandom(seed);
  const normal = (): number => next() + next() + next() + next() - 2;
  const drawn = (): Float32Array => Float32Array.from({ length: dimensions }, normal);
  const centres = Array.from({ length: 200 }, drawn);
  return Array.from({ length: count }, () => {
    const centre = centres[below(centres.length)] as Float32Array;
    return drawn().map((one, at) => (centre[at] ?? 0) + 0.7 * one);
  });
}

const cosine = (left: Float32Array, right: Float32Array): number => {
  let [product, ofLeft, ofRight] = [0, 0, 0];
  for (const [at, one] of left.entries()) {
    const other = right[at] ?? 0;
    product += one * other;
    ofLeft += one * one;
    ofRight += other * other;
  }
  return product / Math.sqrt(ofLeft * ofRight);
};

/** What searches by vectors find of the ten that are nearest, and what they take, on both sides of where the index of neighbours begins. */
async function neighbours(): Promise<void> {
  const count = 25_000;
  const all = clustered(count + 50, 7);
  const stores = place.open({ vectors });
  const store = stores.store(localScope());
  const { next } = createRandom(8);
  // Some words stand in half of the texts, most in a few.
  const wordsOf = (many: number): string =>
    Array.from({ length: many }, () => `w${Math.floor(5000 ** next())}`).join(' ');
  const documents = all.slice(0, count).map((vector, at): StoreDocument => {
    const { document, chunks } = toWrite({
      id: `v${at}`,
      title: '',
      text: wordsOf(20),
      uri: `${at % 20}/v${at}.txt`,
    });
    return { document, chunks, vectors: vector };
  });
  const rows: (string | number | null)[][] = [];
  const measure = async (name: string, held: number, share?: number): Promise<number> => {
    const took: number[] = [];
    let found = 0;
    for (const vector of all.slice(count)) {
      const isIn = (at: number): boolean => share === undefined || (at % 20 === 0) === (share === 1);
      const right = documents
        .slice(0, held)
        .map(({ document, vectors: own }, at) => ({ id: document.id, at, near: cosine(vector, own as Float32Array) }))
        .filter(({ at }) => isIn(at))
        .sort((one, other) => other.near - one.near)
        .slice(0, 10)
        .map(({ id }) => id);
      const one: Filter = { op: 'prefix', field: 'path', value: '0/' };
      const filter: Filter = share === 1 ? one : { op: 'not', filter: one };
      const from = performance.now();
      const { hits } = await store.search({
        text: '',
        mode: 'vector',
        limit: 10,
        vector,
        space: vectors.space,
        ...(share !== undefined && { filter }),
      });
      took.push(performance.now() - from);
      found += hits.filter(({ documentId }) => right.includes(documentId)).length;
    }
    const recall = found / (10 * took.length);
    rows.push([name, held, round(recall), round(middle(took), 2)]);
    console.log(rows.at(-1)?.join('  '));
    return recall;
  };
  await deliver(store, documents.slice(0, 20_000));
  await settled();
  const exact = await measure('each compared', 20_000);
  // The first batch of them begins the index, which nothing is written to meanwhile.
  await deliver(store, documents.slice(20_000, 20_000 + batchDocuments));
  await stores.indexed();
  await deliver(store, documents.slice(20_000 + batchDocuments));
  await settled();
  const near = await measure('index of neighbours', count);
  const took: number[] = [];
  for (const vector of all.slice(count)) {
    const from = performance.now();
    await store.search({ text: wordsOf(3), mode: 'hybrid', limit: 10, vector, space: vectors.space });
    took.push(performance.now() - from);
  }
  rows.push(['words and vectors joined', count, null, round(middle(took), 2)]);
  console.log(rows.at(-1)?.join('  '));
  const few = await measure('a filter that leaves 5 %', count, 1);
  const most = await measure('a filter that leaves 95 %', count, 19);
  for (const [what, recall, wanted] of [
    ['each compared', exact, 0.99],
    ['index of neighbours', near, 0.95],
    ['a filter that leaves 5 %', few, 0.99],
    ['a filter that leaves 95 %', most, 0.95],
  ] as const)
    goals.push({ what: `recall@10, ${what}`, wanted: `>= ${wanted}`, got: round(recall), met: recall >= wanted });
  tables.push({
    title: `Searches by vectors of ${dimensions} numbers`,
    columns: ['', 'chunks', 'recall@10', 'p50 ms'],
    rows,
  });
}

const measured = process.argv[2];
if (measured !== 'vectors') {
  await judge(['scifact', 'cranfield', 'cacm']);
  await time(['scifact', 'cisi', 'cacm', 'cranfield', 'time', 'cosqa']);
}
if (hasVectors(programs)) await neighbours();
place.close();
if (measured === undefined)
  await writeResult('postgres-store', {
    title: 'The store in PostgreSQL',
    command: 'npm run bench postgres-store',
    seed: 7,
    data: [...new Set(read)],
    metrics,
    goals,
    tables,
    notes: [
      'Both stores hold the same documents and are asked one after the other in the same process; the database is PostgreSQL 15 on the same machine, with its default settings and fsync off.',
      'Vectors are drawn in 200 clusters; recall is over an exact comparison in single precision.',
    ],
  });
