// Counts which documents are opened, in memory, and writes the counts a few seconds later: nobody who opens a document waits for the disk.
// What a kill takes is a few counts, which nothing rests on but what is recommended.
import type { OpenCount } from '../../db/repositories/document-opens.ts';

const writeAfterMs = 3000;

export interface OpenCounts {
  count(tenant: string, documentId: string): void;
  close(): Promise<void>;
}

export function createOpenCounts(write: (tenant: string, counts: readonly OpenCount[]) => Promise<void>): OpenCounts {
  let counted = new Map<string, Map<string, number>>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const due = counted;
    counted = new Map();
    for (const [tenant, counts] of due)
      await write(
        tenant,
        [...counts].map(([documentId, opens]) => ({ documentId, opens })),
        // A full disk is told where something is lost that matters.
      ).catch(() => undefined);
  }

  return {
    count(tenant, documentId) {
      const counts = counted.get(tenant) ?? new Map<string, number>();
      counted.set(tenant, counts.set(documentId, (counts.get(documentId) ?? 0) + 1));
      timer ??= setTimeout(() => void flush(), writeAfterMs).unref();
    },
    close: flush,
  };
}
