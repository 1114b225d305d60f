// Documents into the store and out of it, in one transaction: whatever stood there of them is replaced. Invariants: the tenant's row is locked first, so that
// numbers of chunks, frequencies and counters are of one moment; a chunk that goes takes its words and its vectors along; the same, whatever was
// written before and whichever answers were lost.
import type { Connection } from '../../db/postgres/client/client.ts';
import { blockOf, blockSize, maskOf, pack } from './pack.ts';
import { type PreparedChunk, type PreparedDocument, printVector } from './rows.ts';
import type { Tables } from './tables.ts';
import { makeSpace, type OwnSpace, removeVectors, spaceName, spacesOf } from './vectors.ts';

/** Rows of one statement: as many as are written in a second or two. */
const mostRows = 20_000;
const mostVectors = 500;

export interface Replacement {
  readonly tenant: string;
  readonly put: readonly PreparedDocument[];
  /** Ids of documents that go. */
  readonly gone: readonly string[];
  /** Where the vectors of what is put go. */
  readonly own?: OwnSpace | undefined;
}

/** The tenant's row, which whoever writes holds. */
interface Tenant {
  readonly number: number;
  nextChunk: number;
  documents: number;
  /** Documents that have an access list. */
  closed: number;
  chunks: number;
  length: number;
  readonly languages: Map<string, number>;
}

interface HeldDocument {
  readonly number: number;
  readonly id: string;
  readonly isClosed: boolean;
}

interface HeldChunk {
  readonly number: number;
  readonly document: number;
  readonly id: string;
  readonly length: number;
  readonly language: string;
  readonly stamp: string;
}

/** How many chunks the tenant has then, and its number. */
export async function replaceIn(
  connection: Connection,
  tables: Tables,
  { tenant: name, put, gone, own }: Replacement,
): Promise<{ readonly tenant: number; readonly chunks: number }> {
  const tenant = await lockTenant(connection, tables, name);
  const writing = { connection, tables, tenant };
  const held = await heldOf(writing, [...put.map(({ id }) => id), ...gone]);
  const spaces = await spacesOf(connection, tables, tenant.number);
  const chunks = await chunksOf(writing, held, spaces);
  const wanted = new Map(put.map((document) => [document.id, document]));
  const isKept = ({ number, id }: HeldDocument): boolean => {
    const document = wanted.get(id);
    return document !== undefined && areSame(chunks.get(number) ?? [], document.chunks);
  };
  const kept = new Set(held.filter(isKept).map(({ id }) => id));
  const removed = held.filter(({ id }) => !kept.has(id)).flatMap(({ number }) => chunks.get(number) ?? []);
  await removeChunks(writing, removed, own && spaceName(tenant.number, own.given));
  await removeDocuments(
    writing,
    held.filter(({ id }) => !wanted.has(id)),
  );
  const numbers = await putDocuments(writing, put, held);
  const fresh = put.filter(({ id }) => !kept.has(id));
  const free = removed.map(({ number }) => number).sort((left, right) => left - right);
  const numbered = fresh.flatMap((document) =>
    document.chunks.map((chunk) => ({
      chunk,
      document: numbers.get(document.id) as number,
      number: free.shift() ?? tenant.nextChunk++,
    })),
  );
  await putChunks(writing, numbered);
  await putPostings(writing, numbered);
  if (own) await putVectors(writing, numbered, own);
  await saveTenant(writing);
  return { tenant: tenant.number, chunks: tenant.chunks };
}

interface Writing {
  readonly connection: Connection;
  readonly tables: Tables;
  readonly tenant: Tenant;
}

interface NumberedChunk {
  readonly chunk: PreparedChunk;
  readonly document: number;
  readonly number: number;
}

async function lockTenant(connection: Connection, tables: Tables, name: string): Promise<Tenant> {
  const find = () =>
    connection.rows<Omit<Tenant, 'languages'> & { readonly languages: Readonly<Record<string, number>> }>(
      `SELECT number, next_chunk AS "nextChunk", documents, closed, chunks, length, languages FROM ${tables.tenant}
        WHERE name = $1 FOR UPDATE`,
      [name],
    );
  let [row] = await find();
  if (!row) {
    await connection.rows(`INSERT INTO ${tables.tenant} (name) VALUES ($1) ON CONFLICT DO NOTHING`, [name]);
    [row] = await find();
  }
  if (!row) throw new Error('A row that was written is not there.');
  return { ...row, languages: new Map(Object.entries(row.languages)) };
}

const heldOf = ({ connection, tables, tenant }: Writing, ids: readonly string[]) =>
  connection.rows<HeldDocument>(
    `SELECT number, id, access IS NOT NULL AS "isClosed" FROM ${tables.document} WHERE tenant = $1 AND id = ANY($2::text[])`,
    [tenant.number, ids],
  );

/** The stamp of a chunk whose vector is not there any more is none. */
export const stampSql = (tables: Tables, spaces: readonly string[]): string => {
  const among = spaces.map((name) => `EXISTS (SELECT 1 FROM ${tables.named(name)} v WHERE v.chunk = c.number)`);
  return `CASE WHEN c.has_vector AND NOT (${['false', ...among].join(' OR ')}) THEN '' ELSE c.stamp END`;
};

async function chunksOf(
  { connection, tables, tenant }: Writing,
  documents: readonly HeldDocument[],
  spaces: readonly string[],
): Promise<ReadonlyMap<number, readonly HeldChunk[]>> {
  if (documents.length === 0) return new Map();
  const rows = await connection.rows<HeldChunk>(
    `SELECT c.number, c.document, c.id, c.length, c.language, ${stampSql(tables, spaces)} AS stamp FROM ${tables.chunk} c
      WHERE c.tenant = $1 AND c.document = ANY($2::int[])`,
    [tenant.number, documents.map(({ number }) => number)],
  );
  return Map.groupBy(rows, ({ document }) => document);
}

function areSame(held: readonly HeldChunk[], wanted: readonly PreparedChunk[]): boolean {
  const stamps = new Map(held.map(({ id, stamp }) => [id, stamp]));
  return held.length === wanted.length && wanted.every(({ id, stamp }) => stamps.get(id) === stamp);
}

function count(tenant: Tenant, chunks: readonly Pick<HeldChunk, 'length' | 'language'>[], by: 1 | -1): void {
  for (const { length, language } of chunks) {
    tenant.chunks += by;
    tenant.length += by * length;
    const many = (tenant.languages.get(language) ?? 0) + by;
    if (many > 0) tenant.languages.set(language, many);
    else tenant.languages.delete(language);
  }
}

async function removeChunks(writing: Writing, removed: readonly HeldChunk[], keep: string | undefined): Promise<void> {
  if (removed.length === 0) return;
  const { connection, tables, tenant } = writing;
  const numbers = removed.map(({ number }) => number);
  const terms = await connection.rows<{ readonly number: number; readonly terms: string }>(
    `DELETE FROM ${tables.chunk} WHERE tenant = $1 AND number = ANY($2::int[]) RETURNING number, terms`,
    [tenant.number, numbers],
  );
  const byBlock = Map.groupBy(terms, ({ number }) => blockOf(number));
  for (const [block, own] of byBlock) {
    const mask = maskOf(own.map(({ number }) => number));
    const words = [...new Set(own.flatMap((one) => (one.terms === '' ? [] : one.terms.split(' '))))].sort();
    for (let at = 0; at < words.length; at += mostRows) {
      const values = [tenant.number, block, words.slice(at, at + mostRows)];
      await connection.rows(
        `UPDATE ${tables.posting} SET packed = ARRAY(SELECT one FROM unnest(packed) AS one
            WHERE get_bit($4::bytea, (one >> 20) & ${blockSize - 1}) = 0)
          WHERE tenant = $1 AND block = $2 AND term = ANY($3::text[])`,
        [...values, mask],
      );
      await connection.rows(
        `DELETE FROM ${tables.posting} WHERE tenant = $1 AND block = $2 AND term = ANY($3::text[]) AND cardinality(packed) = 0`,
        values,
      );
    }
  }
  await removeVectors(connection, tables, { tenant: tenant.number, chunks: numbers, ...(keep && { keep }) });
  count(tenant, removed, -1);
}

async function removeDocuments({ connection, tables, tenant }: Writing, gone: readonly HeldDocument[]): Promise<void> {
  if (gone.length === 0) return;
  await connection.rows(`DELETE FROM ${tables.document} WHERE tenant = $1 AND number = ANY($2::int[])`, [
    tenant.number,
    gone.map(({ number }) => number),
  ]);
  tenant.documents -= gone.length;
  tenant.closed -= gone.filter(({ isClosed }) => isClosed).length;
}

/** The number of each, by its id. */
async function putDocuments(
  { connection, tables, tenant }: Writing,
  put: readonly PreparedDocument[],
  held: readonly HeldDocument[],
): Promise<ReadonlyMap<string, number>> {
  if (put.length === 0) return new Map();
  const lists = put.map(({ access }) => (access === undefined ? null : JSON.stringify(access)));
  const rows = await connection.rows<{ readonly id: string; readonly number: number }>(
    `INSERT INTO ${tables.document} (tenant, id, stamp, chunks, access, facts)
      SELECT $1, given.id, given.stamp, given.chunks,
        CASE WHEN given.access IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(given.access::jsonb)) END, given.facts::jsonb
      FROM unnest($2::text[], $3::text[], $4::int[], $5::text[], $6::text[]) AS given (id, stamp, chunks, access, facts)
      ON CONFLICT (tenant, id) DO UPDATE SET stamp = excluded.stamp, chunks = excluded.chunks, access = excluded.access,
        facts = excluded.facts
      RETURNING id, number`,
    [
      tenant.number,
      put.map(({ id }) => id),
      put.map(({ stamp }) => stamp),
      put.map(({ chunks }) => chunks.length),
      lists,
      put.map(({ facts }) => facts),
    ],
  );
  const before = new Map(held.map((one) => [one.id, one]));
  for (const { id, access } of put) {
    const old = before.get(id);
    tenant.documents += old ? 0 : 1;
    tenant.closed += Number(access !== undefined) - Number(old?.isClosed ?? false);
  }
  return new Map(rows.map(({ id, number }) => [id, number]));
}

async function putChunks({ connection, tables, tenant }: Writing, numbered: readonly NumberedChunk[]): Promise<void> {
  for (let at = 0; at < numbered.length; at += mostRows / 10) {
    const some = numbered.slice(at, at + mostRows / 10);
    const column = <T>(pick: (one: NumberedChunk) => T): readonly T[] => some.map(pick);
    await connection.rows(
      `INSERT INTO ${tables.chunk} (tenant, number, document, id, length, language, terms, has_vector, stamp)
        SELECT $1, given.* FROM unnest($2::int[], $3::int[], $4::text[], $5::int[], $6::text[], $7::text[], $8::boolean[], $9::text[]) AS given`,
      [
        tenant.number,
        column(({ number }) => number),
        column(({ document }) => document),
        column(({ chunk }) => chunk.id),
        column(({ chunk }) => chunk.length),
        column(({ chunk }) => chunk.language),
        column(({ chunk }) => [...chunk.frequencies.keys()].join(' ')),
        column(({ chunk }) => (chunk.isBare ? null : chunk.vector !== undefined)),
        column(({ chunk }) => chunk.stamp),
      ],
    );
  }
  count(
    tenant,
    numbered.map(({ chunk }) => chunk),
    1,
  );
}

async function putPostings({ connection, tables, tenant }: Writing, numbered: readonly NumberedChunk[]): Promise<void> {
  for (const [block, own] of Map.groupBy(numbered, ({ number }) => blockOf(number))) {
    const byTerm = new Map<string, number[]>();
    for (const { number, chunk } of own)
      for (const [term, frequency] of chunk.frequencies) {
        const packed = pack({ number, frequency, length: chunk.length });
        const list = byTerm.get(term);
        if (list) list.push(packed);
        else byTerm.set(term, [packed]);
      }
    const rows = [...byTerm].sort(([left], [right]) => (left < right ? -1 : 1));
    for (let at = 0; at < rows.length; at += mostRows) {
      const some = rows.slice(at, at + mostRows);
      await connection.rows(
        `INSERT INTO ${tables.posting} AS held (tenant, term, block, packed)
          SELECT $1, given.term, $2, given.packed::int[] FROM unnest($3::text[], $4::text[]) AS given (term, packed)
          ON CONFLICT (tenant, term, block) DO UPDATE SET packed = held.packed || excluded.packed`,
        [tenant.number, block, some.map(([term]) => term), some.map(([, packed]) => `{${packed.join(',')}}`)],
      );
    }
  }
}

async function putVectors(
  { connection, tables, tenant }: Writing,
  numbered: readonly NumberedChunk[],
  own: OwnSpace,
): Promise<void> {
  const given = numbered.flatMap(({ number, document, chunk: { vector } }) =>
    vector ? [{ number, document, vector }] : [],
  );
  if (given.length === 0) return;
  const table = await makeSpace(connection, tables, { ...own, tenant: tenant.number });
  for (let at = 0; at < given.length; at += mostVectors) {
    const some = given.slice(at, at + mostVectors);
    await connection.rows(
      `INSERT INTO ${table} (chunk, document, vector) SELECT given.chunk, given.document, given.vector::${own.types.type}
        FROM unnest($1::int[], $2::int[], $3::text[]) AS given (chunk, document, vector)`,
      [
        some.map(({ number }) => number),
        some.map(({ document }) => document),
        some.map(({ vector }) => printVector(vector)),
      ],
    );
  }
}

async function saveTenant({ connection, tables, tenant }: Writing): Promise<void> {
  const { number, nextChunk, documents, closed, chunks, length, languages } = tenant;
  await connection.rows(
    `UPDATE ${tables.tenant} SET next_chunk = $2, documents = $3, closed = $4, chunks = $5, length = $6, languages = $7::jsonb
      WHERE number = $1`,
    [number, nextChunk, documents, closed, chunks, length, JSON.stringify(Object.fromEntries(languages))],
  );
}
