// The vector indexes of others that bench/vectors/vectors.ts measures ours against, with the settings that their documentation
// recommends for this size: sqlite-vec, LanceDB, usearch, Orama, and a plain loop in JavaScript. All by cosine.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { importPeer } from '../engine/engine-port.ts';
import { createNearest } from './vectors-exact.ts';
import { type MeasuredVectors, type VectorSettings, vectorHits } from './vectors-port.ts';

type Open = (settings: VectorSettings) => Promise<MeasuredVectors>;

/** Every row of every batch: its number and its vector. */
function forEachVector(
  first: number,
  { vectors, dimensions }: { vectors: Float32Array; dimensions: number },
  visit: (number: number, vector: Float32Array) => void,
): void {
  for (let at = 0; at < vectors.length / dimensions; at++)
    visit(first + at, vectors.subarray(at * dimensions, (at + 1) * dimensions));
}

const openPlain: Open = async ({ dimensions, count }) => {
  const rows = new Float32Array(count * dimensions);
  return {
    add: async (first, vectors) => rows.set(vectors, first * dimensions),
    finish: async () => undefined,
    search: async (query) => {
      const nearest = createNearest(vectorHits);
      for (let number = 0, from = 0; number < count; number++, from += dimensions) {
        let sum = 0;
        for (let at = 0; at < dimensions; at++) sum += (rows[from + at] as number) * (query[at] as number);
        nearest.offer(number, sum);
      }
      return nearest.numbers();
    },
    numberOf: Number,
    close: async () => undefined,
  };
};

const rescored = 500;
/** How sqlite-vec's documentation stores and asks for each kind of column. */
const sqliteVecKinds = {
  float: {
    columns: (dimensions: number) => `embedding float[${dimensions}] distance_metric=cosine`,
    insert: 'INSERT INTO v (rowid, embedding) VALUES (?1, ?2)',
    select: `SELECT rowid AS number FROM v WHERE embedding MATCH ?1 AND k = ${vectorHits} ORDER BY distance`,
  },
  int8: {
    columns: (dimensions: number) => `embedding int8[${dimensions}] distance_metric=cosine`,
    insert: `INSERT INTO v (rowid, embedding) VALUES (?1, vec_quantize_int8(?2, 'unit'))`,
    select: `SELECT rowid AS number FROM v WHERE embedding MATCH vec_quantize_int8(?1, 'unit') AND k = ${vectorHits} ORDER BY distance`,
  },
  bit: {
    columns: (dimensions: number) => `coarse bit[${dimensions}], embedding float[${dimensions}] distance_metric=cosine`,
    insert: 'INSERT INTO v (rowid, coarse, embedding) VALUES (?1, vec_quantize_binary(?2), ?2)',
    select: `WITH near AS (SELECT rowid, embedding FROM v WHERE coarse MATCH vec_quantize_binary(?1) AND k = ${rescored})
      SELECT rowid AS number FROM near ORDER BY vec_distance_cosine(embedding, ?1) LIMIT ${vectorHits}`,
  },
} as const;

const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

function openSqliteVec(kind: keyof typeof sqliteVecKinds): Open {
  return async ({ folder, dimensions }) => {
    const { columns, insert, select } = sqliteVecKinds[kind];
    const { getLoadablePath } = (await importPeer('sqlite-vec')) as unknown as { getLoadablePath(): string };
    const database = new DatabaseSync(join(folder, 'vectors.sqlite'), { allowExtension: true });
    database.loadExtension(getLoadablePath());
    database.exec('PRAGMA journal_mode = WAL; PRAGMA cache_size = -512000');
    database.exec(`CREATE VIRTUAL TABLE v USING vec0(${columns(dimensions)})`);
    const inserted = database.prepare(insert);
    const selected = database.prepare(select);
    return {
      async add(first, vectors) {
        database.exec('BEGIN');
        forEachVector(first, { vectors, dimensions }, (number, vector) =>
          inserted.run(BigInt(number + 1), bytesOf(vector)),
        );
        database.exec('COMMIT');
      },
      finish: async () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
      search: async (query) => selected.all(bytesOf(query)),
      numberOf: (hit) => (hit as { number: number }).number - 1,
      close: async () => database.close(),
    };
  };
}

interface LanceQuery {
  distanceType(name: string): LanceQuery;
  nprobes(count: number): LanceQuery;
  refineFactor(factor: number): LanceQuery;
  select(columns: string[]): LanceQuery;
  limit(count: number): LanceQuery;
  toArray(): Promise<unknown[]>;
}
interface LanceTable {
  add(rows: object): Promise<unknown>;
  createIndex(column: string, options: object): Promise<unknown>;
  optimize(): Promise<unknown>;
  vectorSearch(query: Float32Array): LanceQuery;
}

function openLance(indexed: boolean): Open {
  return async ({ folder, dimensions }) => {
    const lance = (await importPeer('@lancedb/lancedb')) as unknown as {
      connect(path: string): Promise<{ createTable(name: string, rows: object): Promise<LanceTable> }>;
      Index: { ivfRq(options: object): unknown };
    };
    const arrow = (await importPeer('apache-arrow')) as unknown as {
      readonly Float32: new () => object;
      readonly FixedSizeList: new (size: number, field: object) => object;
      readonly Field: new (name: string, type: object, nullable: boolean) => object;
      readonly Vector: new (data: readonly object[]) => object;
      readonly Table: new (columns: Readonly<Record<string, object>>) => object;
      makeData(options: object): object;
      vectorFromArray(values: Int32Array): object;
    };
    const connection = await lance.connect(folder);
    const type = new arrow.FixedSizeList(dimensions, new arrow.Field('item', new arrow.Float32(), true));
    const toTable = (first: number, vectors: Float32Array): object => {
      const length = vectors.length / dimensions;
      const child = arrow.makeData({ type: new arrow.Float32(), length: vectors.length, nullCount: 0, data: vectors });
      return new arrow.Table({
        number: arrow.vectorFromArray(Int32Array.from({ length }, (_, at) => first + at)),
        vector: new arrow.Vector([arrow.makeData({ type, length, nullCount: 0, child })]),
      });
    };
    let table: LanceTable | undefined;
    return {
      async add(first, vectors) {
        if (table) await table.add(toTable(first, vectors));
        else table = await connection.createTable('vectors', toTable(first, vectors));
      },
      async finish() {
        await table?.optimize();
        if (indexed) await table?.createIndex('vector', { config: lance.Index.ivfRq({ distanceType: 'cosine' }) });
      },
      search: async (query) => {
        if (!table) return [];
        const asked = table.vectorSearch(query).distanceType('cosine').select(['number']).limit(vectorHits);
        return (indexed ? asked.nprobes(20).refineFactor(5) : asked).toArray();
      },
      numberOf: (hit) => Number((hit as { number: number }).number),
      close: async () => undefined,
    };
  };
}

function openUsearch(quantization: 'f16' | 'i8'): Open {
  return async ({ folder, dimensions }) => {
    const { Index } = (await importPeer('usearch')) as unknown as {
      Index: new (
        options: object,
      ) => {
        add(keys: BigUint64Array, vectors: Float32Array, threads: number): void;
        search(query: Float32Array, count: number, threads: number): { keys: BigUint64Array };
        save(path: string): void;
      };
    };
    const index = new Index({
      dimensions,
      metric: 'cos',
      quantization,
      connectivity: 16,
      expansion_add: 128,
      expansion_search: 64,
      multi: false,
    });
    return {
      add: async (first, vectors) =>
        index.add(
          BigUint64Array.from({ length: vectors.length / dimensions }, (_, at) => BigInt(first + at)),
          vectors,
          0,
        ),
      finish: async () => index.save(join(folder, 'vectors.usearch')),
      search: async (query) => index.search(query, vectorHits, 1).keys,
      numberOf: Number,
      close: async () => undefined,
    };
  };
}

const openOrama: Open = async ({ dimensions }) => {
  const orama = (await importPeer('@orama/orama')) as unknown as {
    create(options: object): object;
    insertMultiple(database: object, documents: readonly object[], batch: number): Promise<unknown>;
    search(database: object, query: object): Promise<{ hits: readonly unknown[] }>;
  };
  const database = orama.create({ schema: { vector: `vector[${dimensions}]` } });
  return {
    async add(first, vectors) {
      const documents: object[] = [];
      forEachVector(first, { vectors, dimensions }, (number, vector) =>
        documents.push({ id: String(number), vector: Array.from(vector) }),
      );
      await orama.insertMultiple(database, documents, documents.length);
    },
    finish: async () => undefined,
    search: async (query) => {
      // Without includeVectors Orama writes null over the vectors of the documents that it found.
      const asked = { mode: 'vector', vector: { value: Array.from(query), property: 'vector' } };
      return (await orama.search(database, { ...asked, similarity: 0, limit: vectorHits, includeVectors: true })).hits;
    },
    numberOf: (hit) => Number((hit as { id: string }).id),
    close: async () => undefined,
  };
};

export const peerVectors = {
  'sqlite-vec float': openSqliteVec('float'),
  'sqlite-vec int8': openSqliteVec('int8'),
  'sqlite-vec bit + rescore 500': openSqliteVec('bit'),
  'LanceDB flat': openLance(false),
  'LanceDB IVF_RQ': openLance(true),
  'usearch f16': openUsearch('f16'),
  'usearch i8': openUsearch('i8'),
  Orama: openOrama,
  'plain JavaScript': openPlain,
} as const satisfies Readonly<Record<string, Open>>;
