// How sources are kept fresh: a schedule, a watch, and whether the owner of the machine said so, as JSON; no row where nobody said anything.
export const sourceUpkeep = `
CREATE TABLE source_upkeep (
  tenant TEXT NOT NULL, name TEXT NOT NULL, upkeep TEXT NOT NULL,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;
`;
