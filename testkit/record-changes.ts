// Changes of the record as tests write them: many documents at once, with their entries where a store within the record is given.
import type { DocumentWrite, RecordChange } from '../src/db/repositories/changes.ts';
import type { WrittenStore } from '../src/stores/embedded/port.ts';

type Within = Pick<WrittenStore, 'entries'>;

export const putAll = (writes: readonly DocumentWrite[], store?: Within): RecordChange[] => [
  ...writes.map((write): RecordChange => ({ kind: 'put-document', write })),
  ...(store?.entries ? [store.entries.put(writes)] : []),
];

export const deleteAll = (ids: readonly string[], store?: Within): RecordChange[] => [
  ...(store?.entries ? [store.entries.delete(ids)] : []),
  ...ids.map((id): RecordChange => ({ kind: 'delete-document', id })),
];

/** A change that cannot be made: whatever stands before it in its commit is taken back. */
export const failing: RecordChange = { kind: 'add-target', documentId: 'doc_of_nobody', store: 'nowhere' };
