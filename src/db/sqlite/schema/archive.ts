// The conversation archive: rows of turns ascend and are never used twice, so that the index names turns by them.
// `sequence` is the row under which a turn was first written: it keeps its place when it is written anew.

export const archive = `
CREATE TABLE IF NOT EXISTS archive_conversation (
  row INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, owner TEXT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL,
  format TEXT NOT NULL, language TEXT NOT NULL, imported_at TEXT NOT NULL,
  UNIQUE (tenant, owner, id)
) STRICT;
CREATE INDEX IF NOT EXISTS archive_conversation_id ON archive_conversation (tenant, id);

CREATE TABLE IF NOT EXISTS archive_turn (
  row INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, owner TEXT NOT NULL, id TEXT NOT NULL, key TEXT NOT NULL,
  conversation INTEGER NOT NULL REFERENCES archive_conversation (row) ON DELETE CASCADE,
  at_ms REAL, position REAL NOT NULL, sequence INTEGER NOT NULL, author TEXT, hash TEXT NOT NULL, messages TEXT NOT NULL,
  UNIQUE (conversation, key)
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS archive_turn_id ON archive_turn (tenant, id, owner);
CREATE INDEX IF NOT EXISTS archive_turn_order ON archive_turn (conversation, position, sequence);

CREATE TABLE IF NOT EXISTS archive_segment (
  id INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, hash TEXT NOT NULL, bytes BLOB NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS archive_segment_tenant ON archive_segment (tenant, id);

CREATE TABLE IF NOT EXISTS archive_chat (
  row INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, principal TEXT NOT NULL, id TEXT NOT NULL,
  question TEXT NOT NULL, answer TEXT NOT NULL, created_at TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS archive_chat_id ON archive_chat (tenant, principal, id, row);
CREATE TABLE IF NOT EXISTS archive_chat_source (
  chat INTEGER NOT NULL REFERENCES archive_chat (row) ON DELETE CASCADE, conversation INTEGER NOT NULL,
  PRIMARY KEY (conversation, chat)
) STRICT, WITHOUT ROWID;
`;
