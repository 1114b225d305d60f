// The tables of the record in PostgreSQL, in numbered steps. Conventions: texts that are compared or sorted are in the order of their code points
// (COLLATE "C"), as in SQLite and in cursors; there are no triggers, no cascades and no sequences that anybody
// follows, for a commit counts and deletes itself; tables
// that grow with the corpus are divided by tenant, and one that outgrows the others can be given a part of its own.

import { closeFailures, fillSpendingDays } from '../../both/schema-fills.ts';
import { archive } from './schema-archive.ts';
import { duplicates } from './schema-duplicates.ts';
import { memories } from './schema-memories.ts';
import { requests } from './schema-requests.ts';
import { servers } from './schema-servers.ts';
import { shared } from './schema-shared.ts';
import { uploads } from './schema-uploads.ts';
import { vectors } from './schema-vectors.ts';

/** Parts of a table that all tenants share who have none of their own. */
const shares = 16;

const divided = (table: string): string =>
  [
    `CREATE TABLE ${table}_shared PARTITION OF ${table} DEFAULT PARTITION BY HASH (tenant);`,
    ...Array.from(
      { length: shares },
      (_, at) =>
        `CREATE TABLE ${table}_shared_${at} PARTITION OF ${table}_shared FOR VALUES WITH (MODULUS ${shares}, REMAINDER ${at});`,
    ),
  ].join('\n');

const foundation = `
CREATE DOMAIN word AS text COLLATE "C";

CREATE TABLE tenant_state (
  tenant word PRIMARY KEY, revision bigint NOT NULL, documents_rev bigint NOT NULL, deletion_seq bigint NOT NULL, epoch uuid NOT NULL,
  index_version int NOT NULL, next_row bigint NOT NULL, purged bigint NOT NULL, rebuild_after word
) WITH (fillfactor = 50);
CREATE TABLE commit_id (
  tenant word NOT NULL, id uuid NOT NULL, revision bigint NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant, id)
);
CREATE INDEX commit_id_by_time ON commit_id (tenant, at);

CREATE TABLE source (
  tenant word NOT NULL, name word NOT NULL, type text NOT NULL, authority double precision, ttl_seconds double precision,
  connector text, upkeep text,
  PRIMARY KEY (tenant, name)
);

CREATE TABLE document (
  tenant word NOT NULL, id word NOT NULL, source word NOT NULL, source_type word NOT NULL, uri word NOT NULL, title word NOT NULL,
  mime word NOT NULL, language word, category word, version word, revision bigint NOT NULL, published_at word, updated_at word NOT NULL,
  content_hash text NOT NULL, text_hash text NOT NULL, text_length bigint NOT NULL, chunk_count bigint NOT NULL, metadata text NOT NULL,
  access text, cite_by_line int NOT NULL, warnings text NOT NULL, reading text, seal text NOT NULL,
  path word NOT NULL, published_ms double precision, updated_ms double precision, stores text[], readers text[], uri_hash text NOT NULL,
  changed bigint NOT NULL,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, source, uri_hash)
) PARTITION BY LIST (tenant);
-- An entry of an index has no room for a long address: this one leads to where it stands in the order.
CREATE INDEX document_by_uri ON document (tenant, source, left(uri, 200));
-- Of the tenant's revisions the one that wrote it: what an index in memory knows of it is no older.
CREATE INDEX document_by_change ON document (tenant, changed);
${divided('document')}

CREATE TABLE document_body (
  tenant word NOT NULL, document_id word NOT NULL, text bytea NOT NULL, structure bytea NOT NULL, file bytea, file_hash text,
  PRIMARY KEY (tenant, document_id)
) PARTITION BY LIST (tenant);
${divided('document_body')}

CREATE TABLE chunk (
  tenant word NOT NULL, id word NOT NULL, document_id word NOT NULL, ordinal bigint NOT NULL, start_offset bigint NOT NULL,
  end_offset bigint NOT NULL, hash text NOT NULL, heading_path text NOT NULL, first_page bigint, last_page bigint, first_line bigint,
  last_line bigint, tokens bigint NOT NULL, place text, text text NOT NULL, seal text NOT NULL,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, document_id, ordinal)
) PARTITION BY LIST (tenant);
${divided('chunk')}

CREATE TABLE delivery (
  tenant word NOT NULL, document_id word NOT NULL, store word NOT NULL, status word NOT NULL, revision bigint NOT NULL,
  attempts bigint NOT NULL, last_error text, updated_at word NOT NULL,
  PRIMARY KEY (tenant, document_id, store)
);
CREATE INDEX delivery_by_store ON delivery (tenant, store, status, document_id);

CREATE TABLE erasure (
  tenant word NOT NULL, kind word NOT NULL, id word NOT NULL, principal word NOT NULL, source word, uri word, noted_at word NOT NULL,
  settled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant, kind, id, principal)
);

CREATE TABLE ix_document (
  tenant word NOT NULL, document_id word NOT NULL, first_row bigint NOT NULL, last_row bigint NOT NULL, language word NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (tenant, document_id)
);
CREATE INDEX ix_document_by_revision ON ix_document (tenant, revision);
CREATE TABLE ix_language (tenant word NOT NULL, language word NOT NULL, chunks bigint NOT NULL, PRIMARY KEY (tenant, language));
CREATE TABLE ix_log (
  tenant word NOT NULL, row bigint NOT NULL, document_id word NOT NULL, chunk_id word NOT NULL, terms text NOT NULL, seal text NOT NULL,
  PRIMARY KEY (tenant, row)
) PARTITION BY LIST (tenant);
${divided('ix_log')}
CREATE TABLE ix_removed (
  tenant word NOT NULL, revision bigint NOT NULL, first_row bigint NOT NULL, last_row bigint NOT NULL, seal text NOT NULL,
  PRIMARY KEY (tenant, revision, first_row)
);
CREATE TABLE ix_segment (
  tenant word NOT NULL, first_row bigint NOT NULL, last_row bigint NOT NULL, seal word NOT NULL, parts int NOT NULL,
  PRIMARY KEY (tenant, first_row)
);
CREATE TABLE ix_part (
  tenant word NOT NULL, seal word NOT NULL, ordinal int NOT NULL, bytes bytea NOT NULL, owner text NOT NULL,
  staged_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant, seal, ordinal)
);
ALTER TABLE ix_part ALTER bytes SET STORAGE EXTERNAL;
`;

/** Sessions with their turns, and for an hour the names of those that were deleted, with the number of the deletion. */
const sessions = `
CREATE TABLE session (
  tenant word NOT NULL, principal word NOT NULL, id word NOT NULL, title text, created_at word NOT NULL, updated_at word NOT NULL,
  turn_count bigint NOT NULL,
  PRIMARY KEY (tenant, principal, id)
);
CREATE INDEX session_by_time ON session (tenant, updated_at, id, principal);
CREATE TABLE turn (
  tenant word NOT NULL, principal word NOT NULL, session_id word NOT NULL, ordinal bigint NOT NULL, id word NOT NULL,
  answer_id word NOT NULL, content text NOT NULL, resolved_question text NOT NULL, answer bytea NOT NULL, created_at word NOT NULL,
  PRIMARY KEY (tenant, principal, session_id, ordinal),
  UNIQUE (tenant, id)
);
CREATE TABLE deleted_session (
  tenant word NOT NULL, principal word NOT NULL, id word NOT NULL, seq bigint NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant, principal, id)
);
`;

/** When the database had a note, by its own clock. */
const noteTimes = 'ALTER TABLE erasure ADD at timestamptz NOT NULL DEFAULT clock_timestamp()';

/** What makes a trace worth a look. */
const traceDoubts = 'ALTER TABLE trace ADD COLUMN doubts text;';

/** Documents are listed by when they were read. */
const documentTimes = 'CREATE INDEX document_by_time ON document (tenant, updated_at, id);';

/** What was made under a key whose request was not replied to. */
const keyEffects = 'ALTER TABLE idempotency ADD effect text;';

const failureAccess = `ALTER TABLE reading_failure ADD access text;
${closeFailures}`;

const spendingDays = `
CREATE TABLE model_spending_day (
  tenant word NOT NULL, day word NOT NULL, principal word NOT NULL, calls bigint NOT NULL, input_tokens bigint NOT NULL, output_tokens bigint NOT NULL,
  cost_usd double precision NOT NULL, unpriced_calls bigint NOT NULL, refused_calls bigint NOT NULL,
  PRIMARY KEY (tenant, day, principal)
);
${fillSpendingDays}`;

/** Who opened which citation of an answer, once each; and whose question it was that something was said of, where a key serves several people. */
const citationOpens = `
CREATE TABLE citation_open (
  tenant word NOT NULL, answer_id word NOT NULL, principal word NOT NULL, citation int NOT NULL,
  PRIMARY KEY (tenant, answer_id, principal, citation),
  FOREIGN KEY (tenant, answer_id) REFERENCES answer (tenant, id) ON DELETE CASCADE
);
ALTER TABLE feedback ADD person word;`;

/** In order; what a database of version n has had is the first n of them. */
export const steps: readonly string[] = [
  foundation,
  sessions,
  requests,
  traceDoubts,
  noteTimes,
  vectors(divided),
  memories,
  archive,
  uploads,
  duplicates,
  servers,
  shared,
  documentTimes,
  keyEffects,
  failureAccess,
  spendingDays,
  // Where headings stand in a chunk.
  'ALTER TABLE chunk ADD headings text;',
  citationOpens,
  // The revision of the index that it was made of: of what was removed later it holds the words.
  'ALTER TABLE ix_segment ADD revision bigint NOT NULL DEFAULT 0;',
];
export const schemaVersion = steps.length;
/**
 * The oldest program that can work on these tables: one that does not know of other servers takes what they hold for its own, one that does not sum up
 * what is spent lets others spend more than their budgets, and one that does not seal settles deletions while segments hold their words.
 */
export const oldestReader = 19;
