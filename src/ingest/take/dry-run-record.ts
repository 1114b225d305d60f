// A record for dry runs: reads come from the real record, writes are dropped, and a listener hears of each document that would be written.
// Invariant: nothing that ingestion writes reaches the record behind.
import type { DocumentWrite } from '../../db/repositories/changes.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';

export interface DryRunListener {
  /** A document that would have been written. */
  written(write: DocumentWrite): void;
}

export function createDryRunRecord(record: TenantRecord, { written }: DryRunListener): TenantRecord {
  const drop = async (): Promise<void> => undefined;
  return {
    ...record,
    // A dry run makes no missing fingerprints, since it could not keep them.
    documents: { ...record.documents, withoutFingerprint: async () => [] },
    ingestions: { ...record.ingestions, put: drop, putFiles: drop },
    readings: { ...record.readings, putFailure: drop, putContainer: drop, putItems: drop, forget: drop },
    async commit(changes) {
      for (const change of changes) if (change.kind === 'put-document') written(change.write);
      return { applied: changes.map(() => true), heldMs: 0 };
    },
    prepare: drop,
  };
}
