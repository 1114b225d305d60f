// Step: traces are found by what makes them worth a look. What was saved before is not.
export const traceDoubts = `
ALTER TABLE trace ADD COLUMN doubts TEXT;
`;
