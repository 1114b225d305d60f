// The step of the schema that brought the delivery queue (schema-steps.ts has their order).
/**
 * Deliveries to stores beside the record: what is still to be sent stays when its document goes, and is settled only by an attempt for the
 * same `change`. Documents name the stores that they are meant for (none: all).
 */
export const deliveryQueue = `
CREATE TABLE delivery_moved (
  tenant TEXT NOT NULL, document_id TEXT NOT NULL, store TEXT NOT NULL, status TEXT NOT NULL, revision INTEGER NOT NULL,
  attempts INTEGER NOT NULL, last_error TEXT, updated_at TEXT NOT NULL,
  operation TEXT, change INTEGER NOT NULL DEFAULT 0, next_attempt_ms REAL, store_document_id TEXT,
  PRIMARY KEY (tenant, document_id, store)
) STRICT, WITHOUT ROWID;
INSERT INTO delivery_moved (tenant, document_id, store, status, revision, attempts, last_error, updated_at)
  SELECT tenant, document_id, store, status, revision, attempts, last_error, updated_at FROM delivery;
DROP TABLE delivery;
ALTER TABLE delivery_moved RENAME TO delivery;
CREATE INDEX delivery_by_store ON delivery (tenant, store, status, document_id);
CREATE INDEX delivery_due ON delivery (tenant, store, next_attempt_ms) WHERE next_attempt_ms IS NOT NULL;
ALTER TABLE document ADD COLUMN stores TEXT;
CREATE TABLE store_pause (
  tenant TEXT NOT NULL, store TEXT NOT NULL, paused_at TEXT NOT NULL,
  PRIMARY KEY (tenant, store)
) STRICT, WITHOUT ROWID;
`;
