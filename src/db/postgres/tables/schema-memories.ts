// Step of the schema: long-term memories by whose they are, where each was said, and an index of their words. Rows grow with each memory of the tenant's
// users, and nobody follows them.

export const memories = `
CREATE TABLE memory_owner (
  owner bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tenant word NOT NULL, principal word NOT NULL, "user" word NOT NULL,
  memories bigint NOT NULL DEFAULT 0, UNIQUE (tenant, principal, "user")
);
CREATE TABLE memory (
  row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner bigint NOT NULL REFERENCES memory_owner (owner), id word NOT NULL UNIQUE,
  type word NOT NULL, text text NOT NULL, same_key text NOT NULL, topic text, terms text NOT NULL, tags word NOT NULL,
  created_at word NOT NULL, updated_at word NOT NULL, valid_from word NOT NULL, valid_until word, superseded_by word, seal text,
  usage_count bigint NOT NULL DEFAULT 0, last_accessed_at word
);
-- Of texts that may be longer than an ordered index takes.
CREATE INDEX memory_same ON memory USING hash (same_key) WHERE valid_until IS NULL;
CREATE INDEX memory_owned ON memory (owner, row);
CREATE TABLE memory_origin (
  memory bigint NOT NULL, ordinal bigint NOT NULL, tenant word NOT NULL, principal word NOT NULL, session_id word, turn_id word, answer_id word,
  said_at word NOT NULL,
  PRIMARY KEY (memory, ordinal)
);
CREATE INDEX memory_origin_session ON memory_origin (tenant, principal, session_id) WHERE session_id IS NOT NULL;
CREATE TABLE memory_word (owner bigint NOT NULL, term word NOT NULL, memories bigint NOT NULL, PRIMARY KEY (owner, term));
CREATE TABLE memory_term (owner bigint NOT NULL, term word NOT NULL, memory bigint NOT NULL, PRIMARY KEY (owner, term, memory));
CREATE INDEX memory_term_of ON memory_term (memory);
`;
