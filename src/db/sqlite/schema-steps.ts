// The steps of the schema, in order. Invariant: a step that was released is never edited; new ones are appended.

import { deliveryQueue } from './delivery/schema.ts';
import { archive } from './schema/archive.ts';
import { archiveOwners, archiveTimes } from './schema/archive-owners.ts';
import { archiveVectors } from './schema/archive-vectors.ts';
import { auditLog } from './schema/audit.ts';
import { documentTimes } from './schema/document-times.ts';
import { encodedPassages } from './schema/encoded-passages.ts';
import { evaluations, planConfidence } from './schema/evaluations.ts';
import { feedback } from './schema/feedback.ts';
import { keyGrants } from './schema/key-grants.ts';
import { keyUse } from './schema/key-use.ts';
import { leanerWrites } from './schema/leaner-writes.ts';
import { memories } from './schema/memories.ts';
import { seals } from './schema/seals.ts';
import { sourceKinds } from './schema/source-kinds.ts';
import { sourceUpkeep } from './schema/source-upkeep.ts';
import { storeVectors } from './schema/store-vectors.ts';
import { traceDoubts } from './schema/trace-doubts.ts';
import { traceQuestions } from './schema/trace-questions.ts';
import { traceFacts } from './schema/traces.ts';
import { uploads } from './schema/uploads.ts';

const foundation = `
CREATE TABLE source (
  tenant TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, authority REAL, ttl_seconds REAL, connector TEXT,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE document (
  tenant TEXT NOT NULL, id TEXT NOT NULL, source TEXT NOT NULL, source_type TEXT NOT NULL, uri TEXT NOT NULL,
  path TEXT NOT NULL, title TEXT NOT NULL, mime TEXT NOT NULL, language TEXT, category TEXT, version TEXT,
  revision INTEGER NOT NULL, published_at TEXT, published_ms REAL, updated_at TEXT NOT NULL, updated_ms REAL,
  content_hash TEXT NOT NULL, text_hash TEXT NOT NULL, text_length INTEGER NOT NULL, chunk_count INTEGER NOT NULL,
  metadata TEXT NOT NULL, access TEXT, cite_by_line INTEGER NOT NULL, warnings TEXT NOT NULL, seal TEXT NOT NULL,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, source, uri)
) STRICT;

CREATE TABLE document_body (
  tenant TEXT NOT NULL, document_id TEXT NOT NULL, text TEXT NOT NULL, structure BLOB NOT NULL,
  file BLOB, file_hash TEXT,
  PRIMARY KEY (tenant, document_id),
  FOREIGN KEY (tenant, document_id) REFERENCES document (tenant, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE chunk (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL, id TEXT NOT NULL, document_id TEXT NOT NULL, ordinal INTEGER NOT NULL,
  start_offset INTEGER NOT NULL, end_offset INTEGER NOT NULL, text TEXT NOT NULL, hash TEXT NOT NULL,
  heading_path TEXT NOT NULL, first_page INTEGER, last_page INTEGER, first_line INTEGER, last_line INTEGER,
  tokens INTEGER NOT NULL, seal TEXT NOT NULL,
  UNIQUE (tenant, id),
  UNIQUE (tenant, document_id, ordinal),
  FOREIGN KEY (tenant, document_id) REFERENCES document (tenant, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE delivery (
  tenant TEXT NOT NULL, document_id TEXT NOT NULL, store TEXT NOT NULL, status TEXT NOT NULL, revision INTEGER NOT NULL,
  attempts INTEGER NOT NULL, last_error TEXT, updated_at TEXT NOT NULL,
  PRIMARY KEY (tenant, document_id, store),
  FOREIGN KEY (tenant, document_id) REFERENCES document (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_by_store ON delivery (tenant, store, status, document_id);

CREATE TABLE session (
  tenant TEXT NOT NULL, principal TEXT NOT NULL, id TEXT NOT NULL, title TEXT, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, turn_count INTEGER NOT NULL,
  PRIMARY KEY (tenant, principal, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_time ON session (tenant, updated_at, id, principal);

CREATE TABLE turn (
  tenant TEXT NOT NULL, principal TEXT NOT NULL, session_id TEXT NOT NULL, ordinal INTEGER NOT NULL, id TEXT NOT NULL,
  answer_id TEXT NOT NULL, content TEXT NOT NULL, resolved_question TEXT NOT NULL, answer BLOB NOT NULL, created_at TEXT NOT NULL,
  PRIMARY KEY (tenant, principal, session_id, ordinal),
  UNIQUE (tenant, id),
  FOREIGN KEY (tenant, principal, session_id) REFERENCES session (tenant, principal, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE trace (
  tenant TEXT NOT NULL, id TEXT NOT NULL, principal TEXT NOT NULL, kind TEXT NOT NULL, session_id TEXT,
  started_at TEXT NOT NULL, total_ms REAL NOT NULL, event_count INTEGER NOT NULL, events BLOB NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT;
CREATE INDEX trace_by_time ON trace (tenant, started_at, id);

CREATE TABLE answer (
  tenant TEXT NOT NULL, id TEXT NOT NULL, principal TEXT NOT NULL, created_at TEXT NOT NULL, answer BLOB NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT;

CREATE TABLE ingestion (
  tenant TEXT NOT NULL, id TEXT NOT NULL, source TEXT NOT NULL, state TEXT NOT NULL, started_at TEXT NOT NULL,
  finished_at TEXT, counts TEXT NOT NULL, error TEXT,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ingestion_by_time ON ingestion (tenant, started_at, id);

CREATE TABLE ingestion_file (
  tenant TEXT NOT NULL, ingestion_id TEXT NOT NULL, uri TEXT NOT NULL, state TEXT NOT NULL, document_id TEXT,
  chunks INTEGER, error TEXT, warnings TEXT,
  PRIMARY KEY (tenant, ingestion_id, uri),
  FOREIGN KEY (tenant, ingestion_id) REFERENCES ingestion (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  tenant TEXT NOT NULL, principal TEXT NOT NULL, route TEXT NOT NULL, key TEXT NOT NULL, request_hash TEXT NOT NULL,
  created_ms REAL NOT NULL, status INTEGER, body TEXT,
  PRIMARY KEY (tenant, principal, route, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_time ON idempotency (created_ms);

CREATE TABLE api_key (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, tenant TEXT NOT NULL, role TEXT NOT NULL, groups TEXT NOT NULL,
  created_at TEXT NOT NULL, revoked_at TEXT, secret_hash TEXT NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;
`;

/** The lexical index of the embedded store (docs/engine.md), and a count of changes to what documents say about themselves. */
const lexical = `
CREATE TABLE document_change (tenant TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TRIGGER document_added AFTER INSERT ON document BEGIN
  INSERT INTO document_change VALUES (new.tenant, 1) ON CONFLICT DO UPDATE SET revision = revision + 1;
END;
CREATE TRIGGER document_changed AFTER UPDATE ON document BEGIN
  INSERT INTO document_change VALUES (new.tenant, 1) ON CONFLICT DO UPDATE SET revision = revision + 1;
END;
CREATE TRIGGER document_removed AFTER DELETE ON document BEGIN
  INSERT INTO document_change VALUES (old.tenant, 1) ON CONFLICT DO UPDATE SET revision = revision + 1;
END;
CREATE INDEX document_restricted ON document (tenant) WHERE access IS NOT NULL;

CREATE TABLE lexical_state (
  tenant TEXT PRIMARY KEY, version INTEGER NOT NULL, revision INTEGER NOT NULL, purged INTEGER NOT NULL,
  next_row INTEGER NOT NULL, rebuild_after TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE lexical_document (
  tenant TEXT NOT NULL, document_id TEXT NOT NULL, first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, language TEXT NOT NULL,
  PRIMARY KEY (tenant, document_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE lexical_language (
  tenant TEXT NOT NULL, language TEXT NOT NULL, chunks INTEGER NOT NULL,
  PRIMARY KEY (tenant, language)
) STRICT, WITHOUT ROWID;

CREATE TABLE lexical_log (
  tenant TEXT NOT NULL, row INTEGER NOT NULL, document_id TEXT NOT NULL, chunk_id TEXT NOT NULL, terms TEXT NOT NULL,
  seal TEXT NOT NULL,
  PRIMARY KEY (tenant, row)
) STRICT, WITHOUT ROWID;

CREATE TABLE lexical_removed (
  tenant TEXT NOT NULL, revision INTEGER NOT NULL, first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, seal TEXT NOT NULL,
  PRIMARY KEY (tenant, revision, first_row)
) STRICT, WITHOUT ROWID;

CREATE TABLE lexical_segment (
  tenant TEXT NOT NULL, first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, seal TEXT NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (tenant, first_row)
) STRICT;
`;

/**
 * Segments in parts, each written in a transaction of its own, so that no write of a large one holds up others; parts whose
 * segment was never committed are orphans. Vectors by document, in named spaces (one model, one dimension).
 */
const vectors = `
DROP TABLE lexical_segment;
CREATE TABLE lexical_segment (
  tenant TEXT NOT NULL, first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, seal TEXT NOT NULL, parts INTEGER NOT NULL,
  PRIMARY KEY (tenant, first_row)
) STRICT, WITHOUT ROWID;
CREATE TABLE lexical_part (
  tenant TEXT NOT NULL, seal TEXT NOT NULL, ordinal INTEGER NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (tenant, seal, ordinal)
) STRICT;
DELETE FROM lexical_log;
DELETE FROM lexical_removed;
DELETE FROM lexical_document;
DELETE FROM lexical_language;
UPDATE lexical_state SET version = 0;

CREATE TABLE vector_space (
  tenant TEXT NOT NULL, space TEXT NOT NULL, dimensions INTEGER NOT NULL, metric TEXT NOT NULL, revision INTEGER NOT NULL,
  PRIMARY KEY (tenant, space)
) STRICT, WITHOUT ROWID;

CREATE TABLE vector_block (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL, space TEXT NOT NULL, document_id TEXT NOT NULL, first_row INTEGER NOT NULL, last_row INTEGER NOT NULL,
  seal TEXT NOT NULL, bytes BLOB
) STRICT;
CREATE INDEX vector_block_document ON vector_block (tenant, document_id);
CREATE INDEX vector_block_space ON vector_block (tenant, space, sequence);
`;

/** Embedding models: which one searches use, which one is being built, and the bytes of those that were trained here. */
const embedding = `
CREATE TABLE embedding_model (
  tenant TEXT NOT NULL, space TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL, dimensions INTEGER NOT NULL, metric TEXT NOT NULL,
  facts TEXT NOT NULL, parts INTEGER NOT NULL, seal TEXT NOT NULL,
  PRIMARY KEY (tenant, space)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX embedding_model_state ON embedding_model (tenant, state);

CREATE TABLE embedding_model_part (
  tenant TEXT NOT NULL, space TEXT NOT NULL, ordinal INTEGER NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (tenant, space, ordinal)
) STRICT;
`;

/** What calls of models took, by day (UTC), caller, session (empty: none), role and model. Calls of unknown price are in no sum of dollars. */
const spending = `
CREATE TABLE model_spending (
  tenant TEXT NOT NULL, day TEXT NOT NULL, principal TEXT NOT NULL, session_id TEXT NOT NULL, role TEXT NOT NULL, model TEXT NOT NULL,
  calls INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cost_usd REAL NOT NULL,
  unpriced_calls INTEGER NOT NULL,
  PRIMARY KEY (tenant, day, principal, session_id, role, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX model_spending_session ON model_spending (tenant, principal, session_id);
`;

/**
 * Vectors that a provider was paid for, by the text that they are of (the first half of its SHA-256), so that no text is paid for
 * twice. Found by whoever has the text and by nobody else.
 */
const paidVectors = `
CREATE TABLE embedding_memo (
  tenant TEXT NOT NULL, space TEXT NOT NULL, text_hash BLOB NOT NULL, seal BLOB NOT NULL, bytes BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX embedding_memo_text ON embedding_memo (tenant, space, text_hash);
`;

/** Where chunks of formats without pages and lines stand. */
const places = `
ALTER TABLE chunk ADD COLUMN place TEXT;
`;

/** Files that could not be read (how often that was tried), and files that hold others (whether all of those have been taken). */
const readings = `
CREATE TABLE reading_failure (
  tenant TEXT NOT NULL, source TEXT NOT NULL, uri TEXT NOT NULL, content_hash TEXT NOT NULL, kind TEXT NOT NULL, readers TEXT NOT NULL,
  tries INTEGER NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, failed_at TEXT NOT NULL,
  PRIMARY KEY (tenant, source, uri)
) STRICT, WITHOUT ROWID;
CREATE INDEX reading_failure_content ON reading_failure (tenant, content_hash, kind, tries);

CREATE TABLE container (
  tenant TEXT NOT NULL, source TEXT NOT NULL, uri TEXT NOT NULL, content_hash TEXT NOT NULL, readers TEXT NOT NULL,
  is_complete INTEGER NOT NULL,
  PRIMARY KEY (tenant, source, uri)
) STRICT, WITHOUT ROWID;
`;

/** What reading a file of a run made of it. */
const fileOutcomes = `
ALTER TABLE ingestion_file ADD COLUMN change TEXT;
ALTER TABLE ingestion_file ADD COLUMN kind TEXT;
`;

/** Fingerprints of texts, the hashes by which they are found (rows are never used again), and the pairs that say nearly the same. */
const duplicates = `
CREATE TABLE fingerprint (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL, document_id TEXT NOT NULL, words_hash TEXT NOT NULL, runs INTEGER NOT NULL, sketch BLOB NOT NULL, seal TEXT NOT NULL,
  UNIQUE (tenant, document_id),
  FOREIGN KEY (tenant, document_id) REFERENCES document (tenant, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX fingerprint_words ON fingerprint (tenant, words_hash);

CREATE TABLE fingerprint_key (
  tenant TEXT NOT NULL, key INTEGER NOT NULL, fingerprint INTEGER NOT NULL,
  PRIMARY KEY (tenant, key, fingerprint)
) STRICT, WITHOUT ROWID;

CREATE TABLE duplicate_link (
  tenant TEXT NOT NULL, document_id TEXT NOT NULL, other_id TEXT NOT NULL, kind TEXT NOT NULL, similarity REAL NOT NULL, seal TEXT NOT NULL,
  PRIMARY KEY (tenant, document_id, other_id),
  FOREIGN KEY (tenant, document_id) REFERENCES document (tenant, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant, other_id) REFERENCES document (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX duplicate_link_other ON duplicate_link (tenant, other_id);
`;

/** Which edition of which reader read a document; not known of those that were read before. */
const documentReadings = `
ALTER TABLE document ADD COLUMN reading TEXT;
`;

/** Attempts that were refused, which `calls` leaves out from now on. */
const refusedCalls = `
ALTER TABLE model_spending ADD COLUMN refused_calls INTEGER NOT NULL DEFAULT 0;
`;

/**
 * What was deleted and whose words are still to be taken out of what else is kept, written with the deletion itself. `kind` is
 * `document`, `session`, `source`, `revision` (a document was replaced) or `pages` (only the file is left to be cleaned). Traces are
 * found by their session when it goes.
 */
const erasures = `
CREATE TABLE erasure (
  tenant TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, principal TEXT NOT NULL, source TEXT, uri TEXT, noted_at TEXT NOT NULL,
  PRIMARY KEY (tenant, kind, id, principal)
) STRICT, WITHOUT ROWID;
CREATE INDEX trace_session ON trace (tenant, principal, session_id) WHERE session_id IS NOT NULL;
`;

/**
 * How far the hashes of fingerprints are in their table: all of texts up to row `whole`, and those up to `pass_key` of texts up to row
 * `pass_row`. What earlier builds wrote is in it.
 */
const fingerprintReach = `
CREATE TABLE fingerprint_reach (
  one INTEGER PRIMARY KEY CHECK (one = 1), whole INTEGER NOT NULL, pass_row INTEGER NOT NULL, pass_key INTEGER NOT NULL
) STRICT;
INSERT INTO fingerprint_reach SELECT 1, coalesce(max(row), 0), coalesce(max(row), 0), -1 FROM fingerprint;
`;

/** Which version of an item its connector named when its bytes had this hash: what has not changed since is not read again. */
const sourceItems = `
CREATE TABLE source_item (
  tenant TEXT NOT NULL, source TEXT NOT NULL, uri TEXT NOT NULL, version TEXT NOT NULL, content_hash TEXT NOT NULL,
  PRIMARY KEY (tenant, source, uri)
) STRICT, WITHOUT ROWID;
`;

/**
 * The file out of which a document came (an archive, a message), where its own facts and its uri both say so: earlier builds let clients write
 * that fact, and a document that names a file in which it does not lie belongs to none.
 */
const documentContainers = `
ALTER TABLE document ADD COLUMN container TEXT GENERATED ALWAYS AS (
  CASE WHEN json_valid(metadata) AND json_type(metadata, '$.container') = 'text'
    AND substr(uri, 1, length(json_extract(metadata, '$.container')) + 1) = json_extract(metadata, '$.container') || '/'
  THEN json_extract(metadata, '$.container') END
) VIRTUAL;
`;

/** Ingestions, deliveries and models say in their own rows what became of them; until here they left traces, too. */
const withoutJobTraces = `
DELETE FROM trace WHERE kind IN ('ingestion', 'sync', 'embedding', 'learning', 'delivery', 'evaluation');
`;

/** In order; what a database of version n has had is the first n of them. */
export const steps: readonly string[] = [
  foundation,
  lexical,
  vectors,
  embedding,
  spending,
  paidVectors,
  places,
  readings,
  fileOutcomes,
  duplicates,
  documentReadings,
  refusedCalls,
  erasures,
  fingerprintReach,
  sourceItems,
  deliveryQueue,
  documentContainers,
  feedback,
  storeVectors,
  traceFacts,
  memories,
  sourceKinds,
  archive,
  sourceUpkeep,
  evaluations,
  leanerWrites,
  archiveOwners,
  archiveTimes,
  seals,
  encodedPassages,
  withoutJobTraces,
  uploads,
  keyGrants,
  keyUse,
  auditLog,
  archiveVectors,
  planConfidence,
  traceQuestions,
  traceDoubts,
  documentTimes,
];
