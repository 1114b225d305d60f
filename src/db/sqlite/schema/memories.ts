// The step of the schema that brought long-term memories (schema-steps.ts has their order).
/**
 * Memories by whose they are, where each was said, and an index of their words of its own: `memory_term` lists the memories that hold and
 * have a term, `memory_word` counts them, so that how rare a term is costs one look.
 */
export const memories = `
CREATE TABLE memory_owner (
  owner INTEGER PRIMARY KEY, tenant TEXT NOT NULL, principal TEXT NOT NULL, user TEXT NOT NULL, memories INTEGER NOT NULL DEFAULT 0,
  UNIQUE (tenant, principal, user)
) STRICT;

CREATE TABLE memory (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  owner INTEGER NOT NULL REFERENCES memory_owner (owner), id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, text TEXT NOT NULL,
  same_key TEXT NOT NULL, topic TEXT, terms TEXT NOT NULL, tags TEXT NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, valid_from TEXT NOT NULL, valid_until TEXT, superseded_by TEXT,
  usage_count INTEGER NOT NULL DEFAULT 0, last_accessed_at TEXT
) STRICT;
CREATE INDEX memory_same ON memory (owner, same_key) WHERE valid_until IS NULL;
CREATE INDEX memory_topic ON memory (owner, topic) WHERE topic IS NOT NULL AND valid_until IS NULL;
CREATE INDEX memory_owned ON memory (owner, row);

CREATE TABLE memory_origin (
  memory INTEGER NOT NULL REFERENCES memory (row) ON DELETE CASCADE, ordinal INTEGER NOT NULL,
  tenant TEXT NOT NULL, principal TEXT NOT NULL, session_id TEXT, turn_id TEXT, answer_id TEXT, said_at TEXT NOT NULL,
  PRIMARY KEY (memory, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_origin_session ON memory_origin (tenant, principal, session_id) WHERE session_id IS NOT NULL;

CREATE TABLE memory_word (
  owner INTEGER NOT NULL, term TEXT NOT NULL, memories INTEGER NOT NULL,
  PRIMARY KEY (owner, term)
) STRICT, WITHOUT ROWID;
CREATE TABLE memory_term (
  owner INTEGER NOT NULL, term TEXT NOT NULL, memory INTEGER NOT NULL,
  PRIMARY KEY (owner, term, memory)
) STRICT, WITHOUT ROWID;
`;
