// The step of the schema that keeps vectors of passages. What was deleted is not looked for among them: they go when anything of the tenant does.
export const encodedPassages = `
CREATE TABLE encoded_passage (
  tenant TEXT NOT NULL, key TEXT NOT NULL, used TEXT NOT NULL, vector BLOB NOT NULL,
  PRIMARY KEY (tenant, key)
) STRICT;
CREATE INDEX encoded_passage_by_use ON encoded_passage (tenant, used);
`;
