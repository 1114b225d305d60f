// The step of the schema that notes of which model the vectors are that a store beside the record was given (schema-steps.ts has the order).
/** Where the configured model is another one, or there was none before, every document is brought again. */
export const storeVectors = `
CREATE TABLE store_vectors (
  tenant TEXT NOT NULL, store TEXT NOT NULL, space TEXT NOT NULL,
  PRIMARY KEY (tenant, store)
) STRICT, WITHOUT ROWID;
`;
