// Step of the schema: vectors of chunks and the models that they are of. The number of a block grows with each one of its space, and the space tells the
// last: its row is changed under the lock of the tenant. A space that was dropped and begun again is another one (`born`).

export const vectors = (divided: (table: string) => string): string => `
CREATE TABLE vector_space (
  tenant word NOT NULL, space word NOT NULL, dimensions int NOT NULL, metric word NOT NULL, revision bigint NOT NULL,
  born uuid NOT NULL DEFAULT gen_random_uuid(),
  PRIMARY KEY (tenant, space)
);
CREATE TABLE vector_block (
  tenant word NOT NULL, space word NOT NULL, sequence bigint NOT NULL, document_id word NOT NULL, first_row bigint NOT NULL,
  last_row bigint NOT NULL, seal text NOT NULL, bytes bytea,
  PRIMARY KEY (tenant, space, sequence)
) PARTITION BY LIST (tenant);
CREATE INDEX vector_block_document ON vector_block (tenant, document_id, space) WHERE bytes IS NOT NULL;
${divided('vector_block')}

CREATE TABLE embedding_model (
  tenant word NOT NULL, space word NOT NULL, kind word NOT NULL, state word NOT NULL, dimensions int NOT NULL, metric word NOT NULL,
  facts text NOT NULL, parts int NOT NULL, seal text NOT NULL,
  PRIMARY KEY (tenant, space)
);
CREATE UNIQUE INDEX embedding_model_state ON embedding_model (tenant, state);
CREATE TABLE embedding_model_part (
  tenant word NOT NULL, space word NOT NULL, ordinal int NOT NULL, bytes bytea NOT NULL,
  PRIMARY KEY (tenant, space, ordinal)
);
ALTER TABLE embedding_model_part ALTER bytes SET STORAGE EXTERNAL;
CREATE TABLE embedding_memo (
  tenant word NOT NULL, space word NOT NULL, text_hash bytea NOT NULL, seal bytea NOT NULL, bytes bytea NOT NULL,
  PRIMARY KEY (tenant, space, text_hash)
);

CREATE TABLE encoded_passage (tenant word NOT NULL, key word NOT NULL, used word NOT NULL, vector bytea NOT NULL, PRIMARY KEY (tenant, key));
`;
