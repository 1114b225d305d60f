// The step of the schema that lets traces be found, pinned and packed onto the record, and answers be found by what they rest on
// (schema-steps.ts has their order).
/**
 * Facts of a trace stand in columns of their own; what was saved before has none. `chunks`: JSON with the rows of the chunks whose texts the
 * packed events lean on; null where they lean on none. `trace_text` counts for each such chunk the traces that need it, and takes its text
 * over when the chunk goes, unless its document is deleted: then nothing may keep its words. `answer_use`: which chunks an answer was
 * composed from, and which of them it cites; it holds ids alone and stays when the document goes.
 */
export const traceFacts = `
ALTER TABLE trace ADD COLUMN status TEXT;
ALTER TABLE trace ADD COLUMN intent TEXT;
ALTER TABLE trace ADD COLUMN mode TEXT;
ALTER TABLE trace ADD COLUMN cost_usd REAL;
ALTER TABLE trace ADD COLUMN sources TEXT;
ALTER TABLE trace ADD COLUMN answer_id TEXT;
ALTER TABLE trace ADD COLUMN is_pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trace ADD COLUMN is_compact INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trace ADD COLUMN chunks TEXT;
CREATE INDEX trace_loose ON trace (started_at) WHERE is_compact = 0;
CREATE INDEX trace_age ON trace (started_at) WHERE is_pinned = 0;

CREATE TABLE trace_text (
  chunk INTEGER PRIMARY KEY, tenant TEXT NOT NULL, document_id TEXT NOT NULL, traces INTEGER NOT NULL, chunk_id TEXT, text TEXT
) STRICT;
CREATE INDEX trace_text_document ON trace_text (tenant, document_id);
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
CREATE TRIGGER trace_text_kept BEFORE DELETE ON chunk WHEN EXISTS (SELECT 1 FROM trace_text WHERE chunk = old.row) BEGIN
  UPDATE trace_text SET chunk_id = old.id, text = old.text WHERE chunk = old.row
    AND NOT EXISTS (SELECT 1 FROM erasure WHERE tenant = old.tenant AND kind = 'document' AND id = old.document_id);
END;
CREATE TRIGGER trace_text_erased AFTER INSERT ON erasure WHEN new.kind = 'document' BEGIN
  UPDATE trace_text SET chunk_id = NULL, text = NULL WHERE tenant = new.tenant AND document_id = new.id;
END;

CREATE TABLE answer_use (
  tenant TEXT NOT NULL, document_id TEXT NOT NULL, chunk_id TEXT NOT NULL, answer_id TEXT NOT NULL, is_cited INTEGER NOT NULL,
  PRIMARY KEY (tenant, document_id, chunk_id, answer_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_use_answer ON answer_use (tenant, answer_id);
CREATE TRIGGER answer_gone AFTER DELETE ON answer BEGIN
  DELETE FROM answer_use WHERE tenant = old.tenant AND answer_id = old.id;
END;
`;
