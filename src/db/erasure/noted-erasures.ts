// What is noted as deleted in one tenant, read as one piece of work: which documents, sessions and sources, and which of them came
// back since. Invariant: what came back under the same id is told apart by its chunks, so that no answer about it is touched.
import type { DatabaseSync } from 'node:sqlite';
import type { CitedPlace } from '../../core/answers/erased-answer.ts';
import { prepared } from '../sqlite/file/connection.ts';

export interface NotedRow {
  readonly tenant: string;
  readonly kind: string;
  readonly id: string;
  readonly principal: string;
  readonly source: string | null;
  readonly uri: string | null;
  readonly noted_at: string;
}

export interface NotedErasures {
  readonly tenant: string;
  readonly rows: readonly NotedRow[];
  /** And memories, by id. */
  readonly documents: ReadonlyMap<string, NotedRow>;
  readonly sessions: readonly NotedRow[];
  /** By name. */
  readonly sources: ReadonlyMap<string, NotedRow>;
  /** The words of a document or of one of its revisions may stand in the index. */
  readonly touchesIndex: boolean;
  /** When the first of them was deleted. */
  readonly since: string;
  /** Whether a place of a saved text was deleted, and is not there again. */
  isErased(database: DatabaseSync): (place: CitedPlace) => boolean;
  /** The same of a text that names the document and was begun at this time. */
  isErasedAt(id: string, startedAt: string): boolean;
}

/** Rows that are worked on together: more wait for the next round. */
const together = 5000;

export function readNoted(database: DatabaseSync, tenant: string): NotedErasures | undefined {
  const rows = prepared(
    database,
    "SELECT * FROM erasure WHERE tenant = ? AND kind <> 'pages' ORDER BY kind, id, principal LIMIT ?",
  ).all(tenant, together) as unknown as readonly NotedRow[];
  if (rows.length === 0) return undefined;
  const of = (kind: string): readonly NotedRow[] => rows.filter((row) => row.kind === kind);
  // Memories are cited and recalled by their ids as documents are by theirs.
  const documents = new Map([...of('document'), ...of('memory')].map((row) => [row.id, row]));
  const find = prepared(database, 'SELECT 1 FROM document WHERE tenant = ? AND id = ?');
  const returned = new Set([...documents.keys()].filter((id) => find.get(tenant, id) !== undefined));
  return {
    tenant,
    rows,
    documents,
    sessions: of('session'),
    sources: new Map(of('source').map((row) => [row.id, row])),
    touchesIndex: of('document').length > 0 || of('revision').length > 0,
    since: rows.map((row) => row.noted_at).reduce((first, at) => (at < first ? at : first)),
    isErased: (connection) => {
      const chunk = prepared(connection, 'SELECT 1 FROM chunk WHERE tenant = ? AND id = ?');
      return ({ documentId, chunkId }) => {
        if (!documents.has(documentId)) return false;
        if (!returned.has(documentId)) return true;
        return chunkId !== undefined && chunk.get(tenant, chunkId) === undefined;
      };
    },
    isErasedAt(id, startedAt) {
      const noted = documents.get(id);
      return noted !== undefined && (!returned.has(id) || startedAt <= noted.noted_at);
    },
  };
}

export interface PendingErasure {
  readonly tenant: string;
  readonly documents: number;
  readonly sessions: number;
  /** When the first of them was deleted. */
  readonly since: string;
}

/** Tenants in which something is to be erased, what is only left in pages of the file among them. */
export function readPending(database: DatabaseSync, tenant?: string): readonly PendingErasure[] {
  const sql = `SELECT tenant, sum(kind = 'document') AS documents, sum(kind = 'session') AS sessions, min(noted_at) AS since
    FROM erasure ${tenant === undefined ? '' : 'WHERE tenant = ?'} GROUP BY tenant ORDER BY tenant`;
  return prepared(database, sql)
    .all(...(tenant === undefined ? [] : [tenant]))
    .map((row) => ({
      tenant: String(row['tenant']),
      documents: Number(row['documents']),
      sessions: Number(row['sessions']),
      since: String(row['since']),
    }));
}
