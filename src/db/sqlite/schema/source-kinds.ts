// Step: which kinds of source there are is asked by every question, so an index leads from one to the next.
export const sourceKinds = `
CREATE INDEX IF NOT EXISTS document_by_kind ON document (tenant, source_type, source);
`;
