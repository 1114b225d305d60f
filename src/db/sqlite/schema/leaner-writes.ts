// The step of the schema that lets a new document touch fewer pages (schema-steps.ts has the order).
/**
 * A trigger on inserts made SQLite look into every table that refers to documents for each new one, although none can name it yet; the
 * transaction counts its documents itself, once. Deliveries of stores within the record, written with each document and looked up by it, are
 * in no index of what is sent. Texts with the same words are found by the beginning of their hash: hashes come in no order, so the
 * fewer pages an index of them has, the fewer a commit writes.
 */
export const leanerWrites = `
DROP TRIGGER IF EXISTS document_added;
DROP INDEX IF EXISTS delivery_by_store;
CREATE INDEX IF NOT EXISTS delivery_sent ON delivery (tenant, store, status, document_id) WHERE operation IS NOT NULL;
DROP INDEX IF EXISTS fingerprint_words;
CREATE INDEX IF NOT EXISTS fingerprint_copies ON fingerprint (tenant, substr(words_hash, 1, 12));
`;
