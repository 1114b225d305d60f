// Documents that a newer edition of their reader read just as they stand in the record: that edition is noted, and nothing else changes.
// Many are noted in one transaction; one that is lost in a crash costs another reading.
import type { DocumentRecord } from '../../core/document.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';

const notedTogether = 200;

export interface ReadingStamps {
  /** `reading`: the one of which the same came out. */
  add(document: DocumentRecord, reading: string | undefined): Promise<void>;
  /** Resolves when all are noted. Throws what the record throws. */
  flush(): Promise<void>;
}

export function createReadingStamps(record: Pick<TenantRecord, 'commit'>): ReadingStamps {
  const waiting: { readonly id: string; readonly textHash: string; readonly reading: string }[] = [];
  async function flush(): Promise<void> {
    const batch = waiting.splice(0);
    if (batch.length === 0) return;
    await record.commit(
      batch.map(({ id, textHash, reading }) => ({ kind: 'put-reading', documentId: id, textHash, reading })),
    );
  }
  return {
    async add({ id, textHash, reading: before }, reading) {
      if (reading === undefined || reading === before) return;
      waiting.push({ id, textHash, reading });
      if (waiting.length >= notedTogether) await flush();
    },
    flush,
  };
}
