// Long-term memories and the archive of conversations.
export const memories = `
-- Memories by whose they are, where each was said, and an index of their words: "memory_term" lists the memories that hold a term, "memory_word" counts them.
CREATE TABLE memory_owner (
  owner INTEGER PRIMARY KEY, tenant TEXT NOT NULL, principal TEXT NOT NULL, user TEXT NOT NULL, memories INTEGER NOT NULL DEFAULT 0,
  UNIQUE (tenant, principal, user)
) STRICT;

CREATE TABLE memory (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  owner INTEGER NOT NULL REFERENCES memory_owner (owner), id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, text TEXT NOT NULL,
  same_key TEXT NOT NULL, topic TEXT, terms TEXT NOT NULL, tags TEXT NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, valid_from TEXT NOT NULL, valid_until TEXT, superseded_by TEXT,
  usage_count INTEGER NOT NULL DEFAULT 0, last_accessed_at TEXT,
  seal TEXT
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

-- "brought_by": nobody else adds to a shared one.
CREATE TABLE archive_conversation (
  row INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, owner TEXT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL,
  format TEXT NOT NULL, language TEXT NOT NULL, imported_at TEXT NOT NULL, brought_by TEXT NOT NULL DEFAULT '',
  UNIQUE (tenant, owner, id)
) STRICT;
CREATE INDEX archive_conversation_id ON archive_conversation (tenant, id);

-- Rows ascend and are never used twice, so that the index names turns by them. "sequence" is the row under which a turn was first written.
CREATE TABLE archive_turn (
  row INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, owner TEXT NOT NULL, id TEXT NOT NULL, key TEXT NOT NULL,
  conversation INTEGER NOT NULL REFERENCES archive_conversation (row) ON DELETE CASCADE,
  at_ms REAL, position REAL NOT NULL, sequence INTEGER NOT NULL, author TEXT, hash TEXT NOT NULL, messages TEXT NOT NULL, seal TEXT,
  UNIQUE (conversation, key)
) STRICT;
CREATE UNIQUE INDEX archive_turn_id ON archive_turn (tenant, id, owner);
CREATE INDEX archive_turn_order ON archive_turn (conversation, position, sequence);
CREATE INDEX archive_turn_time ON archive_turn (conversation, at_ms);

-- What the sentence encoder makes of turns. They go with their turn.
CREATE TABLE archive_vector (
  turn INTEGER PRIMARY KEY REFERENCES archive_turn (row) ON DELETE CASCADE,
  tenant TEXT NOT NULL, encoder TEXT NOT NULL, hash TEXT NOT NULL, vectors BLOB NOT NULL
) STRICT;
CREATE INDEX archive_vector_tenant ON archive_vector (tenant, encoder, turn);

CREATE TABLE archive_segment (
  id INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, hash TEXT NOT NULL, bytes BLOB NOT NULL
) STRICT;
CREATE INDEX archive_segment_tenant ON archive_segment (tenant, id);

CREATE TABLE archive_chat (
  row INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, principal TEXT NOT NULL, id TEXT NOT NULL,
  question TEXT NOT NULL, answer TEXT NOT NULL, created_at TEXT NOT NULL
) STRICT;
CREATE INDEX archive_chat_id ON archive_chat (tenant, principal, id, row);

CREATE TABLE archive_chat_source (
  chat INTEGER NOT NULL REFERENCES archive_chat (row) ON DELETE CASCADE, conversation INTEGER NOT NULL,
  PRIMARY KEY (conversation, chat)
) STRICT, WITHOUT ROWID;
`;
