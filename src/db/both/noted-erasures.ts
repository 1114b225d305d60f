// What is noted as deleted in one tenant, read as one piece of work: which documents, sessions and sources, and which of them came
// back since. Invariant: what came back under the same id is told apart by its chunks, so that no answer about it is touched.
import type { CitedPlace } from '../../core/answers/erased-answer.ts';
import { rows, type Statements, type Steps } from '../statements.ts';
import { documentIdsIn, idsIn } from './deletions.ts';

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
  /** Tells of places of a saved text (JSON) whether they were deleted, and are not there again. */
  isErasedIn(json: string): Steps<(place: CitedPlace) => boolean>;
  /** The same of a text that names the document and was begun at this time. */
  isErasedAt(id: string, startedAt: string): boolean;
}

/** Rows that are worked on together: more wait for the next round. */
const together = 5000;

function* toNoted(tenant: string, noted: readonly NotedRow[]): Steps<NotedErasures | undefined> {
  if (noted.length === 0) return undefined;
  const of = (kind: string): readonly NotedRow[] => noted.filter((row) => row.kind === kind);
  // Memories are cited and recalled by their ids as documents are by theirs.
  const documents = new Map([...of('document'), ...of('memory')].map((row) => [row.id, row]));
  type Named = { readonly id: string };
  const sql = 'SELECT id FROM document WHERE tenant = ? AND id = ANY(?)';
  const returned = new Set((yield* rows<Named>(sql, tenant, [...documents.keys()])).map(({ id }) => id));
  return {
    tenant,
    rows: noted,
    documents,
    sessions: of('session'),
    sources: new Map(of('source').map((row) => [row.id, row])),
    touchesIndex: of('document').length > 0 || of('revision').length > 0,
    since: noted.map((row) => row.noted_at).reduce((first, at) => (at < first ? at : first)),
    *isErasedIn(json) {
      const again = returned.size === 0 ? [] : [...documentIdsIn(json)].filter((id) => returned.has(id));
      const of = 'SELECT id FROM chunk WHERE tenant = ? AND document_id = ANY(?) AND id = ANY(?)';
      const found = again.length === 0 ? [] : yield* rows<Named>(of, tenant, again, [...idsIn(json, 'chunkId')]);
      const chunks = new Set(found.map(({ id }) => id));
      return ({ documentId, chunkId }) => {
        if (!documents.has(documentId)) return false;
        if (!returned.has(documentId)) return true;
        return chunkId !== undefined && !chunks.has(chunkId);
      };
    },
    isErasedAt(id, startedAt) {
      const row = documents.get(id);
      return row !== undefined && (!returned.has(id) || startedAt <= row.noted_at);
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

/** Called between pieces of work; waits where others are to have their turn. */
export type Pause = () => Promise<void> | undefined;

export interface Erasures {
  /** Calls `listener` with every deletion. Returns how to end that. */
  onNoted(listener: () => void): () => void;
  /** What is still to be erased; pages of the file that are to be cleaned count as nothing but their time. */
  pending(tenant?: string): Promise<readonly PendingErasure[]>;
  /** What of a tenant is to be swept. */
  noted(tenant: string): Promise<NotedErasures | undefined>;
  /** Takes it out of what is saved beside the index. May be repeated. */
  sweep(noted: NotedErasures, pause: Pause): Promise<void>;
  /** It is swept, and out of the index too: only pages of the file are left. */
  settle(noted: NotedErasures): Promise<void>;
  /** Cleans where it was written, as far as that can be done. False where somebody else reads the record: to be tried again. */
  cleanPages(pause: Pause): Promise<boolean>;
}

/** What is still to be erased, of the rows of `erasure` for which a condition holds; of all without one. */
export const readNotes = (
  statementsOf: (tenant: string) => Statements,
  condition = '',
): Pick<Erasures, 'pending' | 'noted'> => ({
  pending(tenant) {
    const sql = `SELECT tenant, count(*) FILTER (WHERE kind = 'document') AS documents, count(*) FILTER (WHERE kind = 'session') AS sessions,
      min(noted_at) AS since FROM erasure WHERE true${condition}${tenant === undefined ? '' : ' AND tenant = ?'} GROUP BY tenant ORDER BY tenant`;
    return statementsOf(tenant ?? '').rows<PendingErasure>(sql, ...(tenant === undefined ? [] : [tenant]));
  },
  noted: (tenant) =>
    statementsOf(tenant).read(function* () {
      const sql = `SELECT * FROM erasure WHERE tenant = ? AND kind <> 'pages'${condition} ORDER BY kind, id, principal LIMIT ${together}`;
      return yield* toNoted(tenant, yield* rows<NotedRow>(sql, tenant));
    }),
});
