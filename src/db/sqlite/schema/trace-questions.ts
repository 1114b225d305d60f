// Step: what was asked stands in the list of traces, shortened. What was saved before is listed without.
export const traceQuestions = `
ALTER TABLE trace ADD COLUMN question TEXT;
`;
