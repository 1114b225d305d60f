// Step: documents are listed by when they were read.
export const documentTimes = `
CREATE INDEX IF NOT EXISTS document_by_time ON document (tenant, updated_at, id);
`;
