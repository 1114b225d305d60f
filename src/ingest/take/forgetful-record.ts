// A record that reads like the one behind it and forgets what is written to it: what would be written is told to whoever wants to know.
// Invariant: nothing that ingestion writes reaches the record behind.
import type { DocumentWrite, TenantRecord } from '../../db/record.ts';

export interface Foretold {
  /** A document that would have been written. */
  written(write: DocumentWrite): void;
}

export function createForgetfulRecord(record: TenantRecord, { written }: Foretold): TenantRecord {
  const forget = async (): Promise<void> => undefined;
  return {
    ...record,
    // What is made up for in passing would be made up for in vain.
    documents: { ...record.documents, withoutFingerprint: async () => [] },
    ingestions: { ...record.ingestions, put: forget, putFiles: forget },
    readings: { ...record.readings, putFailure: forget, putContainer: forget, putItems: forget, forget },
    async commit(changes) {
      for (const change of changes) if (change.kind === 'put-document') written(change.write);
      return { applied: changes.map(() => true), heldMs: 0 };
    },
    prepare: forget,
  };
}
