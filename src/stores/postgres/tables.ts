// Where the store stands: its tables in a schema of their own, made where they are missing, and what the server has for vectors. Invariants: every
// table is named with its schema, as no session keeps a state; nothing is made in a schema that holds tables of somebody else's by the same names.
import { type FootnoteError, isFootnoteError, toFootnoteError } from '../../core/errors.ts';
import { type Connection, type PostgresClient, takeAlone } from '../../db/postgres/client/client.ts';
import { failed, isMissing } from './errors.ts';

/** Of what the tables are; a program that does not know it leaves them alone. */
const layout = 1;
const oldestServer = 150_000;
const oldestVectors = [0, 8] as const;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export interface Tables {
  /** Quoted, as the others are. */
  readonly schema: string;
  readonly tenant: string;
  readonly document: string;
  readonly chunk: string;
  readonly posting: string;
  readonly space: string;
  /** One of the schema, by its plain name. */
  named(name: string): string;
}

export function tablesOf(schema: string): Tables {
  const named = (name: string): string => `${quoted(schema)}.${quoted(name)}`;
  const [tenant, document, chunk, posting, space] = ['tenant', 'document', 'chunk', 'posting', 'space'].map(named);
  return { schema: quoted(schema), tenant, document, chunk, posting, space, named } as Tables;
}

/** What pgvector gives, named with the schema that it is in. */
export interface VectorTypes {
  readonly type: string;
  readonly distance: string;
  readonly operators: string;
}

export interface Readiness {
  /** As people write it: `15.18`. */
  readonly server: string;
  /** A sentence where there are none: why. */
  readonly vectors: VectorTypes | string;
  /** The tables were made just now. */
  readonly isNew: boolean;
}

const statements = ({ tenant, document, chunk, posting, space, named }: Tables): readonly string[] => [
  `CREATE TABLE ${named('about')} (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), layout int NOT NULL)`,
  // What a search has to know of a tenant before it asks. Who writes holds its row.
  `CREATE TABLE ${tenant} (number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE,
    next_chunk int NOT NULL DEFAULT 0, documents int NOT NULL DEFAULT 0, closed int NOT NULL DEFAULT 0,
    chunks int NOT NULL DEFAULT 0, length bigint NOT NULL DEFAULT 0, languages jsonb NOT NULL DEFAULT '{}') WITH (fillfactor = 50)`,
  `CREATE TABLE ${document} (tenant int NOT NULL, number int GENERATED ALWAYS AS IDENTITY, id text COLLATE "C" NOT NULL,
    stamp text NOT NULL, chunks int NOT NULL, access text[] COLLATE "C", facts jsonb NOT NULL,
    PRIMARY KEY (tenant, number), UNIQUE (tenant, id))`,
  // Of few that somebody may see, none of the others is looked at.
  `CREATE INDEX ON ${document} USING gin (access)`,
  `CREATE INDEX ON ${document} (tenant, number) WHERE access IS NULL`,
  `CREATE TABLE ${chunk} (tenant int NOT NULL, number int NOT NULL, document int NOT NULL, id text COLLATE "C" NOT NULL,
    length int NOT NULL, language text NOT NULL, terms text NOT NULL, has_vector boolean, stamp text NOT NULL,
    PRIMARY KEY (tenant, number)) WITH (toast_tuple_target = 256)`,
  `CREATE INDEX ON ${chunk} (tenant, document)`,
  // `has_vector` is unknown where one was given and could not be kept.
  `CREATE INDEX ON ${chunk} (tenant) WHERE has_vector IS NULL`,
  // `packed`: of each chunk that holds the term its place in the block, frequency and length (pack.ts).
  `CREATE TABLE ${posting} (tenant int NOT NULL, term text COLLATE "C" NOT NULL, block int NOT NULL, packed int[] NOT NULL,
    PRIMARY KEY (tenant, term, block))`,
  `ALTER TABLE ${posting} ALTER packed SET STORAGE EXTERNAL`,
  // Vectors of a tenant and a model have a table of their own, so that an index of neighbours holds nobody else's.
  `CREATE TABLE ${space} (tenant int NOT NULL, space text COLLATE "C" NOT NULL, dimensions int NOT NULL, name text NOT NULL UNIQUE,
    PRIMARY KEY (tenant, space, dimensions))`,
  `INSERT INTO ${named('about')} (layout) VALUES (${layout})`,
];

interface Seen {
  readonly found: boolean;
  /** What is found has what a store writes there. */
  readonly isOurs: boolean;
  readonly hasSchema: boolean;
  readonly version: number;
  readonly server: string;
  readonly encoding: string;
  readonly extension: string | null;
  readonly place: string | null;
  readonly available: boolean;
}

const look = async (connection: Pick<Connection, 'rows'>, tables: Tables): Promise<Seen> => {
  const [seen] = await connection.rows<Seen>(
    `SELECT to_regclass($1) IS NOT NULL AS found, to_regnamespace($2) IS NOT NULL AS "hasSchema",
      EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = 'layout' AND NOT attisdropped) AS "isOurs",
      current_setting('server_version_num')::int AS version,
      split_part(current_setting('server_version'), ' ', 1) AS server, current_setting('server_encoding') AS encoding,
      (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS extension,
      (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE extname = 'vector')::text AS place,
      EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector') AS available`,
    [tables.named('about'), tables.schema],
  );
  return seen as Seen;
};

async function makeIn(client: PostgresClient, tables: Tables, signal?: AbortSignal): Promise<boolean> {
  try {
    return await client.write(
      async (connection) => {
        await takeAlone(connection, `store ${tables.schema}`);
        const { found, hasSchema } = await look(connection, tables);
        if (found) return false;
        // Of one that is there CREATE is asked for all the same, even with IF NOT EXISTS.
        if (!hasSchema) await connection.rows(`CREATE SCHEMA ${tables.schema}`);
        for (const statement of statements(tables)) await connection.rows(statement);
        return true;
      },
      { signal, isDone: async (connection) => (await look(connection, tables)).found },
    );
  } catch (thrown) {
    if (!isFootnoteError(thrown) || thrown.details['databaseCode'] !== '42P07') throw thrown;
    throw ofOthers(tables);
  }
}

const ofOthers = ({ schema }: Tables): FootnoteError =>
  failed('config-invalid', `has tables of somebody else in the schema ${schema}. Name another in DATABASE_SCHEMA.`);

const lacksVectors = (why: string): string =>
  `Search by meaning needs the extension pgvector 0.8 or newer, and ${why}.`;

function typesOf({ extension, place }: Seen): VectorTypes | string {
  if (extension === null || place === null) return lacksVectors('it was not made in this database');
  const [major = 0, minor = 0] = extension.split('.').map(Number);
  if (major === oldestVectors[0] && minor < oldestVectors[1]) return lacksVectors(`this database has ${extension}`);
  const within = quoted(place);
  return {
    type: `${within}.halfvec`,
    distance: `OPERATOR(${within}.<=>)`,
    operators: `${within}.halfvec_cosine_ops`,
  };
}

/** Made where the server has it and nobody made it here; a user that may not is told who may. */
async function withVectors(client: PostgresClient, seen: Seen, signal?: AbortSignal): Promise<string | undefined> {
  if (!seen.available) return lacksVectors('this server does not have it installed');
  try {
    await client.write(
      async (connection) => {
        await takeAlone(connection, 'extension vector');
        await connection.rows('CREATE EXTENSION IF NOT EXISTS vector');
      },
      { signal, isDone: async () => false },
    );
    return undefined;
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    // Without a schema in its search_path that it can be made in, nobody can make it like this.
    if (!['config-invalid', 'upstream-invalid'].includes(error.code) && !isMissing(error)) throw error;
    return lacksVectors(
      'its user could not make it: have the owner of the server run CREATE EXTENSION vector SCHEMA public in this database',
    );
  }
}

/** Makes what is missing. `makesVectors`: the extension too. Throws `config-invalid` for a place that cannot be used. */
export async function makeReady(
  client: PostgresClient,
  tables: Tables,
  { makesVectors, signal }: { readonly makesVectors: boolean; readonly signal?: AbortSignal | undefined },
): Promise<Readiness> {
  let seen = await client.read((connection) => look(connection, tables), signal);
  if (seen.version < oldestServer) throw failed('config-invalid', 'is older than PostgreSQL 15. Use a newer one.');
  if (seen.encoding !== 'UTF8') throw failed('config-invalid', 'has a database that is not in UTF8. Use one that is.');
  if (seen.found && !seen.isOurs) throw ofOthers(tables);
  const isNew = !seen.found && (await makeIn(client, tables, signal));
  const [about] = await client.rows<{ readonly layout: number }>(`SELECT layout FROM ${tables.named('about')}`);
  if (about?.layout !== layout)
    throw failed(
      'config-invalid',
      `has a store of another Footnote in the schema ${tables.schema}. Name another in DATABASE_SCHEMA.`,
    );
  const why = makesVectors && seen.extension === null ? await withVectors(client, seen, signal) : undefined;
  if (makesVectors && seen.extension === null && why === undefined)
    seen = await client.read((connection) => look(connection, tables), signal);
  return { server: seen.server, vectors: why ?? typesOf(seen), isNew };
}
