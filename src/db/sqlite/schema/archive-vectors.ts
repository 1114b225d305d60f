// The step of the schema that keeps what the sentence encoder makes of turns of the archive. They go with their turn.
export const archiveVectors = `
CREATE TABLE archive_vector (
  turn INTEGER PRIMARY KEY REFERENCES archive_turn (row) ON DELETE CASCADE,
  tenant TEXT NOT NULL, encoder TEXT NOT NULL, hash TEXT NOT NULL, vectors BLOB NOT NULL
) STRICT;
CREATE INDEX archive_vector_tenant ON archive_vector (tenant, encoder, turn);
`;
