// Step of the schema: what each server follows of what the others write. Segments of the archive's index that were written before are made anew from
// the turns.

export const shared = `
CREATE TABLE archive_removed (
  seq bigint GENERATED ALWAYS AS IDENTITY, tenant word NOT NULL, row bigint NOT NULL, PRIMARY KEY (tenant, seq)
);
DELETE FROM archive_segment;
ALTER TABLE archive_segment ADD first_row bigint NOT NULL, ADD last_row bigint NOT NULL;
`;
