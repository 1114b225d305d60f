// What answers rest on, in SQLite: the revision of documents (each change of one counts, its access too), the sources and their authority, which
// models search by meaning goes by, how far their vectors are, what was said of answers, and whether turns or memories lie beside the documents.
import { prepared, type Reader } from '../file/connection.ts';

const basisSql = `SELECT
  (SELECT revision FROM document_change WHERE tenant = ?1) AS documents,
  (SELECT json_group_array(json_array(name, type, authority)) FROM (SELECT * FROM source WHERE tenant = ?1 ORDER BY name)) AS sources,
  (SELECT json_group_array(json_array(space, state, seal)) FROM (SELECT * FROM embedding_model WHERE tenant = ?1 ORDER BY space)) AS models,
  (SELECT json_group_array(json_array(space, revision)) FROM (SELECT * FROM vector_space WHERE tenant = ?1 ORDER BY space)) AS vectors,
  (SELECT json_array(COUNT(*), MAX(created_at)) FROM feedback WHERE tenant = ?1) AS feedback,
  json_array(EXISTS (SELECT 1 FROM archive_turn WHERE tenant = ?1),
    EXISTS (SELECT 1 FROM memory_owner WHERE tenant = ?1 AND memories > 0)) AS beside`;

export const createAnswerBasis =
  (tenant: string, read: Reader): (() => Promise<string>) =>
  async () =>
    JSON.stringify(await read((database) => prepared(database, basisSql).get(tenant)));
