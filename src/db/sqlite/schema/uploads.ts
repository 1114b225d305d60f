// Files that were uploaded and not read yet, what collections say of the sources that they are, and what became of files that were attached to these.
export const uploads = `
CREATE TABLE upload (
  tenant TEXT NOT NULL, id TEXT NOT NULL, principal TEXT NOT NULL, created_at TEXT NOT NULL, name TEXT NOT NULL, mime TEXT NOT NULL,
  purpose TEXT NOT NULL, size INTEGER NOT NULL, hash TEXT NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (tenant, id)
) STRICT;
CREATE TABLE collection (
  tenant TEXT NOT NULL, source TEXT NOT NULL, principal TEXT NOT NULL, created_at TEXT NOT NULL, facts TEXT NOT NULL,
  PRIMARY KEY (tenant, source)
) STRICT, WITHOUT ROWID;
CREATE TABLE attached_file (
  tenant TEXT NOT NULL, source TEXT NOT NULL, uri TEXT NOT NULL, file_id TEXT NOT NULL, run_id TEXT NOT NULL, created_at TEXT NOT NULL,
  state TEXT NOT NULL, document_id TEXT, facts TEXT NOT NULL,
  PRIMARY KEY (tenant, source, uri)
) STRICT, WITHOUT ROWID;
CREATE INDEX attached_file_by_file ON attached_file (tenant, file_id);
CREATE INDEX attached_file_by_run ON attached_file (tenant, run_id);
`;
