// The step of the schema that keeps what judges said of answers. It holds figures alone and goes with the trace that it is of.
export const evaluations = `
CREATE TABLE evaluation (
  tenant TEXT NOT NULL, trace_id TEXT NOT NULL, judge TEXT NOT NULL, principal TEXT NOT NULL, answer_id TEXT NOT NULL, session_id TEXT, at TEXT NOT NULL,
  groundedness REAL, relevance REAL, retrieval REAL, coherence REAL, citation_precision REAL, critic_coverage REAL, critic_groundedness REAL,
  latency_ms REAL NOT NULL, error TEXT,
  PRIMARY KEY (tenant, trace_id, judge),
  FOREIGN KEY (tenant, trace_id) REFERENCES trace (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX evaluation_by_time ON evaluation (tenant, at, trace_id);
`;

/** How sure the plan of the question was. */
export const planConfidence = 'ALTER TABLE evaluation ADD COLUMN plan_confidence REAL;';
