// What searches read beside the chunks (words, vectors, models), and what stores beside the record were given.
export const search = `
-- The lexical index of the embedded store (docs/engine.md).
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

-- Segments in parts, each written in a transaction of its own, so that no write of a large one holds up others. Parts whose segment was never
-- committed are orphans.
CREATE TABLE lexical_segment (
  tenant TEXT NOT NULL, first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, seal TEXT NOT NULL, parts INTEGER NOT NULL,
  PRIMARY KEY (tenant, first_row)
) STRICT, WITHOUT ROWID;

CREATE TABLE lexical_part (
  tenant TEXT NOT NULL, seal TEXT NOT NULL, ordinal INTEGER NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (tenant, seal, ordinal)
) STRICT;

-- Vectors by document, in named spaces: one model, one number of dimensions.
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

-- Which embedding model searches use, which one is being built, and the bytes of those that were trained here.
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

-- Vectors that a provider was paid for, by the first half of the SHA-256 of their text, so that no text is paid for twice.
CREATE TABLE embedding_memo (
  tenant TEXT NOT NULL, space TEXT NOT NULL, text_hash BLOB NOT NULL, seal BLOB NOT NULL, bytes BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX embedding_memo_text ON embedding_memo (tenant, space, text_hash);

-- Vectors of passages. What was deleted is not looked for among them: they go when anything of the tenant does.
CREATE TABLE encoded_passage (
  tenant TEXT NOT NULL, key TEXT NOT NULL, used TEXT NOT NULL, vector BLOB NOT NULL,
  PRIMARY KEY (tenant, key)
) STRICT;
CREATE INDEX encoded_passage_by_use ON encoded_passage (tenant, used);

-- What is still to be sent to stores beside the record stays when its document goes, and is settled only by an attempt for the same "change". Deliveries of
-- stores within the record are in no index of what is sent.
CREATE TABLE delivery (
  tenant TEXT NOT NULL, document_id TEXT NOT NULL, store TEXT NOT NULL, status TEXT NOT NULL, revision INTEGER NOT NULL,
  attempts INTEGER NOT NULL, last_error TEXT, updated_at TEXT NOT NULL,
  operation TEXT, change INTEGER NOT NULL DEFAULT 0, next_attempt_ms REAL, store_document_id TEXT,
  PRIMARY KEY (tenant, document_id, store)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_due ON delivery (tenant, store, next_attempt_ms) WHERE next_attempt_ms IS NOT NULL;
CREATE INDEX delivery_sent ON delivery (tenant, store, status, document_id) WHERE operation IS NOT NULL;

CREATE TABLE store_pause (
  tenant TEXT NOT NULL, store TEXT NOT NULL, paused_at TEXT NOT NULL,
  PRIMARY KEY (tenant, store)
) STRICT, WITHOUT ROWID;

-- Of which model the vectors are that a store beside the record was given. Where the configured one is another, every document is brought again.
CREATE TABLE store_vectors (
  tenant TEXT NOT NULL, store TEXT NOT NULL, space TEXT NOT NULL,
  PRIMARY KEY (tenant, store)
) STRICT, WITHOUT ROWID;
`;
