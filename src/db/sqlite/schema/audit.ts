// The audit log: rows that are only added, each with the hash of itself and of the one before, and where the chain ends. What begins it anew (a
// cut) and what settings were in force is looked up from its end.
export const auditLog = `
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY, at TEXT NOT NULL, request_id TEXT, tenant TEXT NOT NULL, principal TEXT NOT NULL, via TEXT NOT NULL,
  operation TEXT NOT NULL, targets TEXT NOT NULL, outcome TEXT NOT NULL, ms REAL NOT NULL, query TEXT, hash TEXT NOT NULL
) STRICT;
CREATE INDEX audit_mark ON audit (operation, seq) WHERE operation IN ('audit.cut', 'settings');

CREATE TABLE audit_head (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
`;
