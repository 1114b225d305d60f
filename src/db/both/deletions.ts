// The guard at the door of what requests save, as each database knows it: what was deleted while a request was under way does not come back with
// what it saves.
import type { Answer } from '../../core/answer.ts';
import { documentsOf, withoutDocuments } from '../../core/answers/erased-answer.ts';
import type { Scope } from '../../core/scope.ts';
import type { Steps } from '../statements.ts';

export interface DeletionGuard {
  /** Whether the session of a message was deleted while it was answered: after this mark, or else is not there now. */
  isGone(scope: Scope, sessionId: string | undefined, since?: string): Steps<boolean>;
  /** Whether a document was deleted since a request began, or while any that still runs may have begun. */
  deletedSince(tenant: string, sinceMs?: number): Steps<boolean>;
  /** Those of these documents, and of all else that answers cite like them, that are not there (any more). */
  missing(tenant: string, ids: Iterable<string>): Steps<ReadonlySet<string>>;
  /** What was deleted stood nowhere else: only where it was written is to be cleaned. */
  notePages(tenant: string): Steps<void>;
}

/** Of what is known without a statement. */
export function* known<T>(value: T): Steps<T> {
  yield* [];
  return value;
}

/** The answer as it may be saved. Call in the transaction that saves it. */
export function* withoutDeleted(guard: DeletionGuard, tenant: string, answer: Answer): Steps<Answer> {
  if (!(yield* guard.deletedSince(tenant))) return answer;
  return withoutDocuments(answer, yield* guard.missing(tenant, documentsOf(answer)), new Date().toISOString());
}

const named = {
  documentId: /"documentId":("(?:[^"\\]|\\.)*")/g,
  chunkId: /"chunkId":("(?:[^"\\]|\\.)*")/g,
  sessionId: /"sessionId":("(?:[^"\\]|\\.)*")/g,
};

/** Ids that a JSON text gives under a name. */
export const idsIn = (json: string, name: keyof typeof named): ReadonlySet<string> =>
  new Set(Array.from(json.matchAll(named[name]), ([, quoted]) => JSON.parse(quoted as string) as string));

/** Ids of documents that a JSON text names as such. */
export const documentIdsIn = (json: string): ReadonlySet<string> => idsIn(json, 'documentId');
