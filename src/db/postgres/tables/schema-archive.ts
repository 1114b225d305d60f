// Step of the schema: the archive of conversations with the pieces of its index. Rows of turns are never used twice, so that the index names turns by
// them, and become visible in their order: whoever writes turns of a tenant does so alone.

export const archive = `
CREATE TABLE archive_conversation (
  row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tenant word NOT NULL, owner word NOT NULL, id word NOT NULL, title text NOT NULL,
  format word NOT NULL, language word NOT NULL, imported_at word NOT NULL, brought_by word NOT NULL,
  UNIQUE (tenant, owner, id)
);
CREATE INDEX archive_conversation_id ON archive_conversation (tenant, id);
CREATE TABLE archive_turn (
  row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tenant word NOT NULL, owner word NOT NULL, id word NOT NULL, key word NOT NULL,
  conversation bigint NOT NULL REFERENCES archive_conversation (row) ON DELETE CASCADE, at_ms double precision, position double precision NOT NULL,
  sequence bigint NOT NULL, author word, hash text NOT NULL, messages text NOT NULL, seal text,
  UNIQUE (conversation, key)
);
CREATE UNIQUE INDEX archive_turn_id ON archive_turn (tenant, id, owner);
CREATE INDEX archive_turn_order ON archive_turn (conversation, position, sequence);
CREATE INDEX archive_turn_row ON archive_turn (tenant, row);
CREATE INDEX archive_turn_time ON archive_turn (conversation, at_ms);
CREATE TABLE archive_segment (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tenant word NOT NULL, hash text NOT NULL, bytes bytea NOT NULL
);
ALTER TABLE archive_segment ALTER bytes SET STORAGE EXTERNAL;
CREATE INDEX archive_segment_tenant ON archive_segment (tenant, id);
CREATE TABLE archive_vector (
  turn bigint PRIMARY KEY REFERENCES archive_turn (row) ON DELETE CASCADE, tenant word NOT NULL, encoder word NOT NULL, hash text NOT NULL,
  vectors bytea NOT NULL
);
CREATE INDEX archive_vector_tenant ON archive_vector (tenant, encoder, turn);
CREATE TABLE archive_chat (
  row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tenant word NOT NULL, principal word NOT NULL, id word NOT NULL, question text NOT NULL,
  answer text NOT NULL, created_at word NOT NULL
);
CREATE INDEX archive_chat_id ON archive_chat (tenant, principal, id, row);
CREATE TABLE archive_chat_source (
  chat bigint NOT NULL REFERENCES archive_chat (row) ON DELETE CASCADE, conversation bigint NOT NULL, PRIMARY KEY (conversation, chat)
);
CREATE INDEX archive_chat_source_of ON archive_chat_source (chat);
`;
