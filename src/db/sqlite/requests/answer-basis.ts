// What answers rest on now, as one text.
import { prepared, type Reader } from '../file/connection.ts';

const basisSql = `SELECT
  (SELECT revision FROM document_change WHERE tenant = ?1) AS documents,
  (SELECT json_group_array(json_array(name, type, authority)) FROM (SELECT * FROM source WHERE tenant = ?1 ORDER BY name)) AS sources,
  (SELECT json_group_array(json_array(space, state, seal)) FROM (SELECT * FROM embedding_model WHERE tenant = ?1 ORDER BY space)) AS models,
  (SELECT json_group_array(json_array(space, revision)) FROM (SELECT * FROM vector_space WHERE tenant = ?1 ORDER BY space)) AS vectors,
  (SELECT json_array(COUNT(*), MAX(created_at)) FROM feedback WHERE tenant = ?1) AS feedback,
  json_array(EXISTS (SELECT 1 FROM archive_turn WHERE tenant = ?1),
    EXISTS (SELECT 1 FROM memory_owner WHERE tenant = ?1 AND memories > 0)) AS beside`;

/** Tells what answers rest on now: each change of documents and sources counts, the model of search by meaning and how far its vectors are, and what was said of answers. */
export const createAnswerBasis =
  (tenant: string, read: Reader): (() => Promise<string>) =>
  async () =>
    JSON.stringify(await read((database) => prepared(database, basisSql).get(tenant)));
