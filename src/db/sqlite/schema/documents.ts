// Sources and documents: their texts, chunks and fingerprints, what reading them came to, and files that were uploaded.
export const documents = `
CREATE TABLE source (
  tenant TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, authority REAL, ttl_seconds REAL, connector TEXT,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

-- Which version of an item its connector named when its bytes had this hash: what has not changed since is not read again.
CREATE TABLE source_item (
  tenant TEXT NOT NULL, source TEXT NOT NULL, uri TEXT NOT NULL, version TEXT NOT NULL, content_hash TEXT NOT NULL,
  PRIMARY KEY (tenant, source, uri)
) STRICT, WITHOUT ROWID;

-- A schedule, a watch, and whether the owner of the machine said so, as JSON; no row where nobody said anything.
CREATE TABLE source_upkeep (
  tenant TEXT NOT NULL, name TEXT NOT NULL, upkeep TEXT NOT NULL,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

-- "container": the file out of which it came (an archive, a message), where its own facts and its uri both say so. Clients once wrote that fact,
-- and a document that names a file in which it does not lie belongs to none. "stores": those that it is meant for; none: all.
CREATE TABLE document (
  tenant TEXT NOT NULL, id TEXT NOT NULL, source TEXT NOT NULL, source_type TEXT NOT NULL, uri TEXT NOT NULL,
  path TEXT NOT NULL, title TEXT NOT NULL, mime TEXT NOT NULL, language TEXT, category TEXT, version TEXT,
  revision INTEGER NOT NULL, published_at TEXT, published_ms REAL, updated_at TEXT NOT NULL, updated_ms REAL,
  content_hash TEXT NOT NULL, text_hash TEXT NOT NULL, text_length INTEGER NOT NULL, chunk_count INTEGER NOT NULL,
  metadata TEXT NOT NULL, access TEXT, cite_by_line INTEGER NOT NULL, warnings TEXT NOT NULL, seal TEXT NOT NULL, reading TEXT, stores TEXT,
  container TEXT GENERATED ALWAYS AS (
  CASE WHEN json_valid(metadata) AND json_type(metadata, '$.container') = 'text'
    AND substr(uri, 1, length(json_extract(metadata, '$.container')) + 1) = json_extract(metadata, '$.container') || '/'
  THEN json_extract(metadata, '$.container') END
) VIRTUAL,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, source, uri)
) STRICT;
CREATE TRIGGER document_changed AFTER UPDATE ON document BEGIN
  INSERT INTO document_change VALUES (new.tenant, 1) ON CONFLICT DO UPDATE SET revision = revision + 1;
END;
CREATE TRIGGER document_removed AFTER DELETE ON document BEGIN
  INSERT INTO document_change VALUES (old.tenant, 1) ON CONFLICT DO UPDATE SET revision = revision + 1;
END;
CREATE INDEX document_restricted ON document (tenant) WHERE access IS NOT NULL;
CREATE INDEX document_by_kind ON document (tenant, source_type, source);

CREATE TABLE document_body (
  tenant TEXT NOT NULL, document_id TEXT NOT NULL, text TEXT NOT NULL, structure BLOB NOT NULL,
  file BLOB, file_hash TEXT,
  PRIMARY KEY (tenant, document_id),
  FOREIGN KEY (tenant, document_id) REFERENCES document (tenant, id) ON DELETE CASCADE
) STRICT;

-- "place": of formats without pages and lines.
CREATE TABLE chunk (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL, id TEXT NOT NULL, document_id TEXT NOT NULL, ordinal INTEGER NOT NULL,
  start_offset INTEGER NOT NULL, end_offset INTEGER NOT NULL, text TEXT NOT NULL, hash TEXT NOT NULL,
  heading_path TEXT NOT NULL, first_page INTEGER, last_page INTEGER, first_line INTEGER, last_line INTEGER,
  tokens INTEGER NOT NULL, seal TEXT NOT NULL, place TEXT,
  UNIQUE (tenant, id),
  UNIQUE (tenant, document_id, ordinal),
  FOREIGN KEY (tenant, document_id) REFERENCES document (tenant, id) ON DELETE CASCADE
) STRICT;
CREATE TRIGGER trace_text_kept BEFORE DELETE ON chunk WHEN EXISTS (SELECT 1 FROM trace_text WHERE chunk = old.row) BEGIN
  UPDATE trace_text SET chunk_id = old.id, text = old.text WHERE chunk = old.row
    AND NOT EXISTS (SELECT 1 FROM erasure WHERE tenant = old.tenant AND kind = 'document' AND id = old.document_id);
END;

-- Counts changes to what documents say of themselves. A trigger on inserts would make SQLite look into every table that refers to documents for each
-- new one, although none can name it yet; the transaction counts new documents itself.
CREATE TABLE document_change (tenant TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE document_opens (
  tenant TEXT NOT NULL, document_id TEXT NOT NULL, opens INTEGER NOT NULL, last_at TEXT NOT NULL,
  PRIMARY KEY (tenant, document_id),
  FOREIGN KEY (tenant, document_id) REFERENCES document (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Files that hold others: whether all of those have been taken.
CREATE TABLE container (
  tenant TEXT NOT NULL, source TEXT NOT NULL, uri TEXT NOT NULL, content_hash TEXT NOT NULL, readers TEXT NOT NULL,
  is_complete INTEGER NOT NULL,
  PRIMARY KEY (tenant, source, uri)
) STRICT, WITHOUT ROWID;

-- Files that could not be read, and how often that was tried.
CREATE TABLE reading_failure (
  tenant TEXT NOT NULL, source TEXT NOT NULL, uri TEXT NOT NULL, content_hash TEXT NOT NULL, kind TEXT NOT NULL, readers TEXT NOT NULL,
  tries INTEGER NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, failed_at TEXT NOT NULL,
  PRIMARY KEY (tenant, source, uri)
) STRICT, WITHOUT ROWID;
CREATE INDEX reading_failure_content ON reading_failure (tenant, content_hash, kind, tries);

CREATE TABLE ingestion (
  tenant TEXT NOT NULL, id TEXT NOT NULL, source TEXT NOT NULL, state TEXT NOT NULL, started_at TEXT NOT NULL,
  finished_at TEXT, counts TEXT NOT NULL, error TEXT,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ingestion_by_time ON ingestion (tenant, started_at, id);

CREATE TABLE ingestion_file (
  tenant TEXT NOT NULL, ingestion_id TEXT NOT NULL, uri TEXT NOT NULL, state TEXT NOT NULL, document_id TEXT,
  chunks INTEGER, error TEXT, warnings TEXT, change TEXT, kind TEXT,
  PRIMARY KEY (tenant, ingestion_id, uri),
  FOREIGN KEY (tenant, ingestion_id) REFERENCES ingestion (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Fingerprints of texts and the hashes by which they are found; rows are never used again. Texts with the same words are found by the beginning of their
-- hash: hashes come in no order, so the fewer pages an index of them has, the fewer a commit writes.
CREATE TABLE fingerprint (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant TEXT NOT NULL, document_id TEXT NOT NULL, words_hash TEXT NOT NULL, runs INTEGER NOT NULL, sketch BLOB NOT NULL, seal TEXT NOT NULL,
  UNIQUE (tenant, document_id),
  FOREIGN KEY (tenant, document_id) REFERENCES document (tenant, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX fingerprint_copies ON fingerprint (tenant, substr(words_hash, 1, 12));

CREATE TABLE fingerprint_key (
  tenant TEXT NOT NULL, key INTEGER NOT NULL, fingerprint INTEGER NOT NULL,
  PRIMARY KEY (tenant, key, fingerprint)
) STRICT, WITHOUT ROWID;

-- How far the hashes are in their table: all of texts up to row "whole", and those up to "pass_key" of texts up to row "pass_row".
CREATE TABLE fingerprint_reach (
  one INTEGER PRIMARY KEY CHECK (one = 1), whole INTEGER NOT NULL, pass_row INTEGER NOT NULL, pass_key INTEGER NOT NULL
) STRICT;
INSERT INTO fingerprint_reach VALUES (1, 0, 0, -1);

CREATE TABLE duplicate_link (
  tenant TEXT NOT NULL, document_id TEXT NOT NULL, other_id TEXT NOT NULL, kind TEXT NOT NULL, similarity REAL NOT NULL, seal TEXT NOT NULL,
  PRIMARY KEY (tenant, document_id, other_id),
  FOREIGN KEY (tenant, document_id) REFERENCES document (tenant, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant, other_id) REFERENCES document (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX duplicate_link_other ON duplicate_link (tenant, other_id);

-- Files that were uploaded and not read yet, what collections say of the sources that they are, and what became of files attached to these.
CREATE TABLE upload (
  tenant TEXT NOT NULL, id TEXT NOT NULL, principal TEXT NOT NULL, created_at TEXT NOT NULL, name TEXT NOT NULL, mime TEXT NOT NULL,
  purpose TEXT NOT NULL, size INTEGER NOT NULL, hash TEXT NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT;

CREATE TABLE collection (
  tenant TEXT NOT NULL, source TEXT NOT NULL, principal TEXT NOT NULL, created_at TEXT NOT NULL, facts TEXT NOT NULL,
  PRIMARY KEY (tenant, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE attached_file (
  tenant TEXT NOT NULL, source TEXT NOT NULL, uri TEXT NOT NULL, file_id TEXT NOT NULL, run_id TEXT NOT NULL, created_at TEXT NOT NULL,
  state TEXT NOT NULL, document_id TEXT, facts TEXT NOT NULL,
  PRIMARY KEY (tenant, source, uri)
) STRICT, WITHOUT ROWID;
CREATE INDEX attached_file_by_file ON attached_file (tenant, file_id);
CREATE INDEX attached_file_by_run ON attached_file (tenant, run_id);
`;
