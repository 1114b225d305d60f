// Step of the schema: the fingerprint of each text, the hashes by which others find it, and links between texts that resemble each other.

export const duplicates = `
CREATE TABLE fingerprint (
  tenant word NOT NULL, row bigint NOT NULL, document_id word NOT NULL, words_hash word NOT NULL, runs bigint NOT NULL, sketch bytea NOT NULL,
  seal text NOT NULL,
  PRIMARY KEY (tenant, document_id)
);
CREATE UNIQUE INDEX fingerprint_row ON fingerprint (tenant, row);
CREATE INDEX fingerprint_words ON fingerprint (tenant, words_hash, row);
CREATE TABLE fingerprint_key (
  tenant word NOT NULL, key bigint NOT NULL, row bigint NOT NULL, document_id word NOT NULL,
  PRIMARY KEY (tenant, key, row)
);
CREATE INDEX fingerprint_key_of ON fingerprint_key (tenant, document_id);
CREATE TABLE duplicate_link (
  tenant word NOT NULL, document_id word NOT NULL, other_id word NOT NULL, kind word NOT NULL, similarity double precision NOT NULL,
  seal text NOT NULL,
  PRIMARY KEY (tenant, document_id, other_id)
);
CREATE INDEX duplicate_link_other ON duplicate_link (tenant, other_id);
`;
