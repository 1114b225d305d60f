// What a record consists of, for whoever carries it from one database to the other: each table that both keep, with what differs between them. Columns
// come from the schemas themselves. Invariant: a table or column that one schema has and nobody accounts for here is an error, never left out in silence.

import { randomUUID } from 'node:crypto';
import { keysOf } from '../../core/documents/fingerprint.ts';
import { FootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import type { StatementValue } from '../statements.ts';

/** As SQLite gives it: lists are texts in JSON. */
export type MovedRow = Readonly<Record<string, StatementValue>>;

export interface Column {
  readonly name: string;
  readonly type: string;
  /** The database counts it up itself. */
  readonly isCounted: boolean;
  /** Its place in the primary key, from 0; null: none. */
  readonly key: number | null;
}
/** By table, in the order of the schema. */
export type Columns = ReadonlyMap<string, readonly Column[]>;

/** A table that a row goes into: its columns, by those of the row that they hold. */
interface Into {
  readonly table: string;
  readonly columns: Readonly<Record<string, string>>;
  /** Only where this one is not null. */
  readonly where?: string;
}

interface Rule {
  /** What SQLite has in its place: a table, or what a SELECT gives. */
  readonly sqlite?: string;
  readonly into?: readonly Into[];
  /** Where PostgreSQL keeps rows that SQLite does not. */
  readonly postgresWhere?: string;
  /** The order of the rows, where it is not the primary key of PostgreSQL, else of SQLite. */
  readonly key?: string;
  /** Counts rows in their order: both databases number them anew. */
  readonly numbered?: string;
  /** Columns of either that are made by itself, or are nothing there. */
  readonly without?: string;
  /** A figure that each database counts for itself. */
  readonly unsealed?: string;
  /** Columns that PostgreSQL has alone. */
  readonly made?: Readonly<Record<string, (row: MovedRow) => StatementValue>>;
}

/** As both databases take names that are words of theirs too. */
export const quoted = (list: readonly string[]): string => list.map((name) => `"${name}"`).join(', ');

const names = (list: string | undefined): readonly string[] => list?.split(' ') ?? [];
const asThey = (list: string): Into['columns'] => Object.fromEntries(names(list).map((name) => [name, name]));

const printedAccess = ({ access }: MovedRow): StatementValue =>
  typeof access === 'string' ? (JSON.parse(access) as string[]) : null;

/** The same in both databases. */
const alike = (list: string): Readonly<Record<string, Rule>> =>
  Object.fromEntries(names(list).map((name) => [name, {}]));

/** In an order in which no row refers to one that comes later. */
const rules: Readonly<Record<string, Rule>> = {
  tenant_state: {
    sqlite: `(SELECT tenant, coalesce(s.revision, 0) AS revision, coalesce(c.revision, 0) AS documents_rev, coalesce(s.version, 0) AS index_version,
      coalesce(s.next_row, 1) AS next_row, coalesce(s.purged, 0) AS purged, s.rebuild_after FROM (SELECT tenant FROM lexical_state UNION
      SELECT tenant FROM document_change) LEFT JOIN lexical_state AS s USING (tenant) LEFT JOIN document_change AS c USING (tenant))`,
    into: [
      {
        table: 'lexical_state',
        columns: { ...asThey('tenant revision next_row purged rebuild_after'), version: 'index_version' },
      },
      { table: 'document_change', columns: { tenant: 'tenant', revision: 'documents_rev' } },
    ],
    made: { deletion_seq: () => 0, epoch: () => randomUUID() },
  },
  source: {
    sqlite: '(SELECT s.*, u.upkeep FROM source AS s LEFT JOIN source_upkeep AS u USING (tenant, name))',
    into: [
      { table: 'source', columns: asThey('tenant name type authority ttl_seconds connector') },
      { table: 'source_upkeep', columns: asThey('tenant name upkeep'), where: 'upkeep' },
    ],
  },
  document: {
    without: 'container',
    made: { uri_hash: ({ uri }) => sha256(String(uri)), readers: printedAccess, changed: () => 1 },
  },
  document_body: {},
  chunk: { without: 'row' },
  // What stores beside the record were given has no place in PostgreSQL yet.
  delivery: {
    sqlite: '(SELECT * FROM delivery WHERE operation IS NULL)',
    without: 'operation change next_attempt_ms store_document_id',
  },
  fingerprint: { key: 'tenant row', numbered: 'row' },
  ...alike('duplicate_link'),
  // Earlier versions could leave some of a document that was deleted meanwhile, which SQLite takes none of.
  document_opens: {
    postgresWhere:
      'EXISTS (SELECT 1 FROM document AS d WHERE d.tenant = document_opens.tenant AND d.id = document_opens.document_id)',
  },
  erasure: { postgresWhere: 'NOT settled', without: 'settled at' },
  ix_document: { sqlite: 'lexical_document', made: { revision: () => 1 } },
  vector_space: { without: 'born', unsealed: 'revision' },
  vector_block: {
    sqlite: '(SELECT * FROM vector_block WHERE bytes IS NOT NULL AND first_row > 0)',
    postgresWhere: 'bytes IS NOT NULL',
    numbered: 'sequence',
  },
  ...alike('embedding_model embedding_model_part embedding_memo encoded_passage session turn'),
  // Chunks that a trace leans on are named by rows of SQLite: it is read whole.
  trace: { without: 'is_compact' },
  ...alike('answer answer_use feedback citation_open evaluation model_spending model_spending_day'),
  idempotency: { without: 'held_by' },
  ingestion: { without: 'held_by is_cancelled' },
  ...alike('ingestion_file reading_failure container source_item api_key key_use audit audit_head upload collection'),
  attached_file: { without: 'held_by' },
  ...alike('memory_owner memory memory_origin memory_word memory_term'),
  ...alike('archive_conversation archive_turn archive_vector archive_chat archive_chat_source'),
};

/** Tables that are made anew from what was carried, that one database alone needs, or that hold nothing beyond an hour. */
const anew = {
  sqlite: names(
    'document_change lexical_state lexical_language lexical_log lexical_removed lexical_segment lexical_part fingerprint_key fingerprint_reach source_upkeep store_pause store_vectors trace_text archive_segment',
  ),
  postgres: names(
    'schema_version server lease commit_id deleted_session ix_language ix_log ix_removed ix_segment ix_part fingerprint_key archive_segment archive_removed model_reservation browser_login',
  ),
};

export interface MovedTable {
  /** As PostgreSQL calls it. */
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** What the comparison looks at. */
  readonly sealed: readonly string[];
  readonly numbered?: string | undefined;
  /** Columns of PostgreSQL that hold bytes: they may be of any size. */
  readonly large: readonly string[];
  readonly sqlite: { readonly from: string; readonly into: readonly Into[] };
  readonly postgres: {
    readonly from: string;
    readonly made: NonNullable<Rule['made']>;
    /** Columns that are bytes there and texts in SQLite, and those that are lists. */
    readonly bytes: ReadonlySet<string>;
    readonly lists: ReadonlySet<string>;
    /** The column that it counts up itself. */
    readonly counted: string | undefined;
  };
}

const unaccounted = (what: string): FootnoteError =>
  new FootnoteError(
    'unsupported',
    `${what} is none that this version of Footnote knows, and what would become of it is not said. Keep the record in a database or schema of its own.`,
  );

/** Of every table that is carried, in the order in which it is. `sqliteOf` tells the columns of a table of SQLite, or of a SELECT. */
export function movedTables(
  sqlite: Columns,
  postgres: Columns,
  sqliteOf: (from: string) => readonly Column[],
): readonly MovedTable[] {
  const plain = Object.values(rules).flatMap(({ sqlite: from, into }) => [
    from ?? [],
    into?.map(({ table }) => table) ?? [],
  ]);
  const inSqlite = new Set([...Object.keys(rules), ...plain.flat(2), ...anew.sqlite]);
  const inPostgres = new Set([...Object.keys(rules), ...anew.postgres]);
  for (const name of sqlite.keys()) if (!inSqlite.has(name)) throw unaccounted(`The table ${name} of SQLite`);
  for (const name of postgres.keys()) if (!inPostgres.has(name)) throw unaccounted(`The table ${name} of PostgreSQL`);
  return Object.entries(rules).map(([name, rule]): MovedTable => {
    const from = rule.sqlite ?? name;
    const mine = sqliteOf(from);
    const theirs = postgres.get(name) ?? [];
    const without = new Set(names(rule.without));
    const made = rule.made ?? {};
    const columns = theirs.filter((one) => mine.some((other) => other.name === one.name)).map((one) => one.name);
    const isKnown = (column: string): boolean => columns.includes(column) || without.has(column);
    for (const column of mine)
      if (!isKnown(column.name)) throw unaccounted(`The column ${name}.${column.name} of SQLite`);
    for (const column of theirs)
      if (!isKnown(column.name) && made[column.name] === undefined)
        throw unaccounted(`The column ${name}.${column.name} of PostgreSQL`);
    const typeIn = (list: readonly Column[], column: string) => list.find((one) => one.name === column)?.type;
    const keyOf = (list: readonly Column[]): readonly string[] =>
      list
        .filter(({ key }) => key !== null)
        .sort((a, b) => Number(a.key) - Number(b.key))
        .map((column) => column.name);
    const key = [names(rule.key), keyOf(theirs), keyOf(mine)].find((list) => list.length > 0) ?? [];
    const where = rule.postgresWhere === undefined ? '' : ` WHERE ${rule.postgresWhere}`;
    return {
      name,
      key,
      columns,
      sealed: columns.filter((column) => column !== rule.numbered && column !== rule.unsealed),
      numbered: rule.numbered,
      large: columns.filter((column) => typeIn(theirs, column) === 'bytea'),
      sqlite: {
        from,
        into: rule.into ?? [{ table: /^\w+$/u.test(from) ? from : name, columns: asThey(columns.join(' ')) }],
      },
      postgres: {
        from: `${name}${where}`,
        made,
        bytes: new Set(columns.filter((one) => typeIn(theirs, one) === 'bytea' && typeIn(mine, one) === 'TEXT')),
        lists: new Set(columns.filter((one) => typeIn(theirs, one) === 'text[]')),
        counted: theirs.find(({ isCounted }) => isCounted)?.name,
      },
    };
  });
}

/** The rows of `fingerprint_key` of fingerprints: their tenants, hashes, rows and documents. */
export const keyRows = (fingerprints: readonly MovedRow[]): readonly (readonly StatementValue[])[] =>
  fingerprints.flatMap(({ tenant = null, row = null, document_id = null, sketch }) => {
    if (!(sketch instanceof Uint8Array) || sketch.byteLength % 8 !== 0) return [];
    const keys = new Set(keysOf({ sketch: new Float64Array(new Uint8Array(sketch).buffer) }));
    return Array.from(keys, (key) => [tenant, key, row, document_id]);
  });
