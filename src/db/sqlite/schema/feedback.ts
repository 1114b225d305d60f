// Words on answers, and how often documents were opened. `citation` is 0 for the whole answer.
export const feedback = `
CREATE TABLE feedback (
  tenant TEXT NOT NULL, answer_id TEXT NOT NULL, principal TEXT NOT NULL, citation INTEGER NOT NULL, id TEXT NOT NULL, rating TEXT NOT NULL,
  comment TEXT, question TEXT, created_at TEXT NOT NULL,
  PRIMARY KEY (tenant, answer_id, principal, citation),
  FOREIGN KEY (tenant, answer_id) REFERENCES answer (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX feedback_by_time ON feedback (tenant, created_at, id);

CREATE TABLE document_opens (
  tenant TEXT NOT NULL, document_id TEXT NOT NULL, opens INTEGER NOT NULL, last_at TEXT NOT NULL,
  PRIMARY KEY (tenant, document_id),
  FOREIGN KEY (tenant, document_id) REFERENCES document (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
`;
