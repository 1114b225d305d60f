// What requests leave behind: sessions, traces, answers, what was said of them, what they cost, who may ask, what was deleted.
export const requests = `
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
  started_at TEXT NOT NULL, total_ms REAL NOT NULL, event_count INTEGER NOT NULL, events BLOB NOT NULL, status TEXT, intent TEXT, mode TEXT,
  cost_usd REAL, sources TEXT, answer_id TEXT, is_pinned INTEGER NOT NULL DEFAULT 0, is_compact INTEGER NOT NULL DEFAULT 0, chunks TEXT,
  seal TEXT, question TEXT, doubts TEXT,
  PRIMARY KEY (tenant, id)
) STRICT;
CREATE INDEX trace_by_time ON trace (tenant, started_at, id);
CREATE INDEX trace_session ON trace (tenant, principal, session_id) WHERE session_id IS NOT NULL;
CREATE INDEX trace_loose ON trace (started_at) WHERE is_compact = 0;
CREATE INDEX trace_age ON trace (started_at) WHERE is_pinned = 0;
CREATE TRIGGER trace_leans AFTER UPDATE OF chunks ON trace BEGIN
  UPDATE trace_text SET traces = traces - 1 WHERE chunk IN (SELECT value FROM json_each(coalesce(old.chunks, '[]')));
  INSERT INTO trace_text (chunk, tenant, document_id, traces)
    SELECT c.row, c.tenant, c.document_id, 1 FROM json_each(coalesce(new.chunks, '[]')) AS j CROSS JOIN chunk AS c ON c.row = j.value WHERE true
    ON CONFLICT (chunk) DO UPDATE SET traces = traces + 1;
  DELETE FROM trace_text WHERE traces < 1 AND chunk IN (SELECT value FROM json_each(coalesce(old.chunks, '[]')));
END;
CREATE TRIGGER trace_gone AFTER DELETE ON trace WHEN old.chunks IS NOT NULL BEGIN
  UPDATE trace_text SET traces = traces - 1 WHERE chunk IN (SELECT value FROM json_each(old.chunks));
  DELETE FROM trace_text WHERE traces < 1 AND chunk IN (SELECT value FROM json_each(old.chunks));
END;

-- "trace.chunks": JSON with the rows of the chunks whose texts the packed events lean on. This counts for each such chunk the traces that need it, and takes
-- its text over when the chunk goes, unless its document is deleted: then nothing may keep its words.
CREATE TABLE trace_text (
  chunk INTEGER PRIMARY KEY, tenant TEXT NOT NULL, document_id TEXT NOT NULL, traces INTEGER NOT NULL, chunk_id TEXT, text TEXT
) STRICT;
CREATE INDEX trace_text_document ON trace_text (tenant, document_id);

CREATE TABLE answer (
  tenant TEXT NOT NULL, id TEXT NOT NULL, principal TEXT NOT NULL, created_at TEXT NOT NULL, answer BLOB NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT;
CREATE TRIGGER answer_gone AFTER DELETE ON answer BEGIN
  DELETE FROM answer_use WHERE tenant = old.tenant AND answer_id = old.id;
END;

-- Which chunks an answer was composed from, and which of them it cites. It holds ids alone and stays when the document goes.
CREATE TABLE answer_use (
  tenant TEXT NOT NULL, document_id TEXT NOT NULL, chunk_id TEXT NOT NULL, answer_id TEXT NOT NULL, is_cited INTEGER NOT NULL,
  PRIMARY KEY (tenant, document_id, chunk_id, answer_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_use_answer ON answer_use (tenant, answer_id);

-- "citation" is 0 for the whole answer.
CREATE TABLE feedback (
  tenant TEXT NOT NULL, answer_id TEXT NOT NULL, principal TEXT NOT NULL, citation INTEGER NOT NULL, id TEXT NOT NULL, rating TEXT NOT NULL,
  comment TEXT, question TEXT, created_at TEXT NOT NULL,
  PRIMARY KEY (tenant, answer_id, principal, citation),
  FOREIGN KEY (tenant, answer_id) REFERENCES answer (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX feedback_by_time ON feedback (tenant, created_at, id);

-- What judges said of answers, in figures alone.
CREATE TABLE evaluation (
  tenant TEXT NOT NULL, trace_id TEXT NOT NULL, judge TEXT NOT NULL, principal TEXT NOT NULL, answer_id TEXT NOT NULL, session_id TEXT, at TEXT NOT NULL,
  groundedness REAL, relevance REAL, retrieval REAL, coherence REAL, citation_precision REAL, critic_coverage REAL, critic_groundedness REAL,
  latency_ms REAL NOT NULL, error TEXT, plan_confidence REAL,
  PRIMARY KEY (tenant, trace_id, judge),
  FOREIGN KEY (tenant, trace_id) REFERENCES trace (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX evaluation_by_time ON evaluation (tenant, at, trace_id);

-- By day (UTC), caller, session (empty: none), role and model. Calls of unknown price are in no sum of dollars; refused ones are not in "calls".
CREATE TABLE model_spending (
  tenant TEXT NOT NULL, day TEXT NOT NULL, principal TEXT NOT NULL, session_id TEXT NOT NULL, role TEXT NOT NULL, model TEXT NOT NULL,
  calls INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cost_usd REAL NOT NULL,
  unpriced_calls INTEGER NOT NULL, refused_calls INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, day, principal, session_id, role, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX model_spending_session ON model_spending (tenant, principal, session_id);

CREATE TABLE idempotency (
  tenant TEXT NOT NULL, principal TEXT NOT NULL, route TEXT NOT NULL, key TEXT NOT NULL, request_hash TEXT NOT NULL,
  created_ms REAL NOT NULL, status INTEGER, body TEXT,
  PRIMARY KEY (tenant, principal, route, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_time ON idempotency (created_ms);

-- Two secrets while one replaces the other.
CREATE TABLE api_key (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, tenant TEXT NOT NULL, role TEXT NOT NULL, groups TEXT NOT NULL,
  created_at TEXT NOT NULL, revoked_at TEXT, secret_hash TEXT NOT NULL UNIQUE,
  expires_at TEXT, last_used_at TEXT, grants TEXT, previous_hash TEXT, previous_until TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX api_key_by_previous ON api_key (previous_hash) WHERE previous_hash IS NOT NULL;

-- What keys took of their limits, in the window that was open last.
CREATE TABLE key_use (
  principal TEXT NOT NULL, what TEXT NOT NULL, since TEXT NOT NULL, amount REAL NOT NULL,
  PRIMARY KEY (principal, what)
) STRICT, WITHOUT ROWID;

-- Rows are only added, each with the hash of itself and of the one before, and "audit_head" says where the chain ends.
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY, at TEXT NOT NULL, request_id TEXT, tenant TEXT NOT NULL, principal TEXT NOT NULL, via TEXT NOT NULL,
  operation TEXT NOT NULL, targets TEXT NOT NULL, outcome TEXT NOT NULL, ms REAL NOT NULL, query TEXT, hash TEXT NOT NULL
) STRICT;
CREATE INDEX audit_mark ON audit (operation, seq) WHERE operation IN ('audit.cut', 'settings');

CREATE TABLE audit_head (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;

-- What was deleted and whose words are still to be taken out of what else is kept, written with the deletion. "kind": "document", "session", "source",
-- "revision" (a document was replaced) or "pages" (only the file is left to be cleaned).
CREATE TABLE erasure (
  tenant TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, principal TEXT NOT NULL, source TEXT, uri TEXT, noted_at TEXT NOT NULL,
  PRIMARY KEY (tenant, kind, id, principal)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER trace_text_erased AFTER INSERT ON erasure WHEN new.kind = 'document' BEGIN
  UPDATE trace_text SET chunk_id = NULL, text = NULL WHERE tenant = new.tenant AND document_id = new.id;
END;
`;
