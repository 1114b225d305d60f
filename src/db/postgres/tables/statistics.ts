// Statistics for PostgreSQL's planner while a database is filled. Its own upkeep looks once a minute: until then it takes what is new for empty, and reads
// a whole tenant where a key would do.
import type { PostgresClient } from '../client/client.ts';

/** Chunks that this process has written when the tables are looked at, and ten times as many each time after. */
const firstAt = 2_000;
const tables = ['document', 'document_body', 'chunk', 'ix_document', 'ix_log', 'fingerprint', 'fingerprint_key'];

/** To be told of chunks that were written; never throws, and nobody waits for it. */
export function createStatistics(client: Pick<PostgresClient, 'rows'>): (chunks: number) => void {
  let written = 0;
  let nextAt = firstAt;
  return (chunks) => {
    written += chunks;
    if (written < nextAt) return;
    nextAt *= 10;
    client.rows(`ANALYZE (SKIP_LOCKED) ${tables.join(', ')}`).catch(() => undefined);
  };
}
