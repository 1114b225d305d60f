// Step of the schema: the servers that work on the record, what each of them holds (runs, keys of requests, files on their way in), and work that one of
// them does at a time. Who holds a row is written by whoever makes it: a transaction of a server names it (servers.ts). The lease that one process had
// on the whole record goes, so that a program of before writes nothing any more.

export const servers = `
CREATE TABLE server (
  id word PRIMARY KEY, version word NOT NULL, address text, is_alone boolean NOT NULL, started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp(), steady_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);
DROP TABLE lease;
CREATE TABLE lease (name word PRIMARY KEY, owner word NOT NULL REFERENCES server (id) ON DELETE CASCADE);
CREATE INDEX lease_by_owner ON lease (owner);
ALTER TABLE ingestion ADD held_by word DEFAULT current_setting('footnote.server', true);
ALTER TABLE idempotency ADD held_by word DEFAULT current_setting('footnote.server', true);
ALTER TABLE attached_file ADD held_by word DEFAULT current_setting('footnote.server', true);
CREATE INDEX ingestion_running ON ingestion (held_by) WHERE state = 'running';
CREATE INDEX idempotency_running ON idempotency (held_by) WHERE status IS NULL;
CREATE INDEX attached_file_pending ON attached_file (held_by) WHERE state = 'pending';
`;
