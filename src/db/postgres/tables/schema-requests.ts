// Step of the schema: what requests leave behind, what reading files taught, keys and the audit log. Columns are those of SQLite, as the same
// statements write them; what goes with a row of which there are few goes by a key of its own.

export const requests = `
CREATE FUNCTION instr(word, word) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN strpos($1, $2);
CREATE FUNCTION lowered(word) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN lower(normalize($1::text, NFC) COLLATE "und-x-icu");

CREATE TABLE lease (name word PRIMARY KEY, owner text NOT NULL, fence bigint NOT NULL, expires_at timestamptz NOT NULL);

CREATE TABLE trace (
  tenant word NOT NULL, id word NOT NULL, principal word NOT NULL, kind word NOT NULL, session_id word, started_at word NOT NULL,
  total_ms double precision NOT NULL, event_count bigint NOT NULL, events bytea NOT NULL, status word, intent word, mode word,
  cost_usd double precision, sources text, answer_id word, question text, is_pinned int NOT NULL DEFAULT 0, chunks text, seal text,
  PRIMARY KEY (tenant, id)
);
CREATE INDEX trace_by_time ON trace (tenant, started_at, id);
CREATE INDEX trace_session ON trace (tenant, principal, session_id) WHERE session_id IS NOT NULL;
CREATE INDEX trace_age ON trace (started_at) WHERE is_pinned = 0;

CREATE TABLE answer (
  tenant word NOT NULL, id word NOT NULL, principal word NOT NULL, created_at word NOT NULL, answer bytea NOT NULL,
  PRIMARY KEY (tenant, id)
);
CREATE TABLE answer_use (
  tenant word NOT NULL, document_id word NOT NULL, chunk_id word NOT NULL, answer_id word NOT NULL, is_cited int NOT NULL,
  PRIMARY KEY (tenant, document_id, chunk_id, answer_id),
  FOREIGN KEY (tenant, answer_id) REFERENCES answer (tenant, id) ON DELETE CASCADE
);
CREATE INDEX answer_use_answer ON answer_use (tenant, answer_id);
CREATE TABLE feedback (
  tenant word NOT NULL, answer_id word NOT NULL, principal word NOT NULL, citation int NOT NULL, id word NOT NULL, rating word NOT NULL,
  comment text, question text, created_at word NOT NULL,
  PRIMARY KEY (tenant, answer_id, principal, citation),
  FOREIGN KEY (tenant, answer_id) REFERENCES answer (tenant, id) ON DELETE CASCADE
);
CREATE INDEX feedback_by_time ON feedback (tenant, created_at, id);
CREATE TABLE evaluation (
  tenant word NOT NULL, trace_id word NOT NULL, judge word NOT NULL, principal word NOT NULL, answer_id word NOT NULL, session_id word,
  at word NOT NULL, groundedness double precision, relevance double precision, retrieval double precision, coherence double precision,
  citation_precision double precision, critic_coverage double precision, critic_groundedness double precision,
  latency_ms double precision NOT NULL, error text, plan_confidence double precision,
  PRIMARY KEY (tenant, trace_id, judge),
  FOREIGN KEY (tenant, trace_id) REFERENCES trace (tenant, id) ON DELETE CASCADE
);
CREATE INDEX evaluation_by_time ON evaluation (tenant, at, trace_id);

CREATE TABLE model_spending (
  tenant word NOT NULL, day word NOT NULL, principal word NOT NULL, session_id word NOT NULL, role word NOT NULL, model word NOT NULL,
  calls bigint NOT NULL, input_tokens bigint NOT NULL, output_tokens bigint NOT NULL, cost_usd double precision NOT NULL,
  unpriced_calls bigint NOT NULL, refused_calls bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, day, principal, session_id, role, model)
);
CREATE INDEX model_spending_session ON model_spending (tenant, principal, session_id);

CREATE TABLE idempotency (
  tenant word NOT NULL, principal word NOT NULL, route word NOT NULL, key word NOT NULL, request_hash text NOT NULL,
  created_ms double precision NOT NULL, status int, body text,
  PRIMARY KEY (tenant, principal, route, key)
);
CREATE INDEX idempotency_by_time ON idempotency (created_ms);

CREATE TABLE ingestion (
  tenant word NOT NULL, id word NOT NULL, source word NOT NULL, state word NOT NULL, started_at word NOT NULL, finished_at word,
  counts text NOT NULL, error text,
  PRIMARY KEY (tenant, id)
);
CREATE INDEX ingestion_by_time ON ingestion (tenant, started_at, id);
CREATE TABLE ingestion_file (
  tenant word NOT NULL, ingestion_id word NOT NULL, uri word NOT NULL, state word NOT NULL, document_id word, chunks bigint, error text,
  warnings text, change word, kind word,
  FOREIGN KEY (tenant, ingestion_id) REFERENCES ingestion (tenant, id) ON DELETE CASCADE
);
-- An address may be longer than an ordered index takes; whoever writes one removes what stood there before, alone.
CREATE INDEX ingestion_file_of ON ingestion_file (tenant, ingestion_id);
CREATE INDEX ingestion_file_at ON ingestion_file USING hash (uri);
CREATE TABLE reading_failure (
  tenant word NOT NULL, source word NOT NULL, uri word NOT NULL, content_hash text NOT NULL, kind word NOT NULL, readers word NOT NULL,
  tries bigint NOT NULL, code text NOT NULL, message text NOT NULL, failed_at word NOT NULL
);
CREATE INDEX reading_failure_content ON reading_failure (tenant, content_hash, tries);
CREATE INDEX reading_failure_at ON reading_failure USING hash (uri);
CREATE TABLE container (
  tenant word NOT NULL, source word NOT NULL, uri word NOT NULL, content_hash text NOT NULL, readers word NOT NULL, is_complete int NOT NULL
);
CREATE INDEX container_of ON container (tenant, source);
CREATE INDEX container_at ON container USING hash (uri);
CREATE TABLE source_item (
  tenant word NOT NULL, source word NOT NULL, uri word NOT NULL, version text NOT NULL, content_hash text NOT NULL
);
CREATE INDEX source_item_of ON source_item (tenant, source);
CREATE INDEX source_item_at ON source_item USING hash (uri);

CREATE TABLE api_key (
  id word PRIMARY KEY, name word NOT NULL, tenant word NOT NULL, role word NOT NULL, groups text NOT NULL, created_at word NOT NULL,
  revoked_at word, secret_hash word NOT NULL UNIQUE, expires_at word, last_used_at word, grants text, previous_hash word, previous_until word
);
CREATE INDEX api_key_by_previous ON api_key (previous_hash) WHERE previous_hash IS NOT NULL;
CREATE TABLE key_use (
  principal word NOT NULL, what word NOT NULL, since word NOT NULL, amount double precision NOT NULL, PRIMARY KEY (principal, what)
);

CREATE TABLE audit (
  seq bigint PRIMARY KEY, at word NOT NULL, request_id word, tenant word NOT NULL, principal word NOT NULL, via word NOT NULL,
  operation word NOT NULL, targets text NOT NULL, outcome word NOT NULL, ms double precision NOT NULL, query text, hash text NOT NULL
);
CREATE INDEX audit_mark ON audit (operation, seq) WHERE operation IN ('audit.cut', 'settings');
CREATE TABLE audit_head (one int PRIMARY KEY CHECK (one = 1), seq bigint NOT NULL, hash text NOT NULL);
`;
