// Step of the schema: files that were uploaded and not read yet, what collections say of the sources that they are, what became of files that were
// attached to these, and how often documents were opened.

export const uploads = `
CREATE TABLE upload (
  tenant word NOT NULL, id word NOT NULL, principal word NOT NULL, created_at word NOT NULL, name word NOT NULL, mime word NOT NULL,
  purpose word NOT NULL, size bigint NOT NULL, hash text NOT NULL, bytes bytea NOT NULL,
  PRIMARY KEY (tenant, id)
);
ALTER TABLE upload ALTER bytes SET STORAGE EXTERNAL;
CREATE TABLE collection (
  tenant word NOT NULL, source word NOT NULL, principal word NOT NULL, created_at word NOT NULL, facts text NOT NULL,
  PRIMARY KEY (tenant, source)
);
CREATE TABLE attached_file (
  tenant word NOT NULL, source word NOT NULL, uri word NOT NULL, file_id word NOT NULL, run_id word NOT NULL, created_at word NOT NULL,
  state word NOT NULL, document_id word, facts text NOT NULL
);
-- An address may be longer than an ordered index takes; whoever writes one removes what stood there before, alone.
CREATE INDEX attached_file_of ON attached_file (tenant, source);
CREATE INDEX attached_file_at ON attached_file USING hash (uri);
CREATE INDEX attached_file_by_file ON attached_file (tenant, file_id);
CREATE INDEX attached_file_by_run ON attached_file (tenant, run_id);
CREATE TABLE document_opens (
  tenant word NOT NULL, document_id word NOT NULL, opens bigint NOT NULL, last_at word NOT NULL,
  PRIMARY KEY (tenant, document_id)
);
`;
