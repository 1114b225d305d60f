// How often deliveries wait for a file that the vendor goes on indexing, until it is given up and its document sent anew. Invariant: each time that
// a document is sent anew it is waited for the longer, for its index may just be slow: whatever time it takes, it is reached.

export interface Patience {
  /** Whether this file was waited for often enough. */
  isOver(documentId: string, fileId: string): boolean;
  waitedInVain(fileId: string): void;
  sentAnew(documentId: string, fileId: string): void;
  ready(documentId: string, fileId: string): void;
}

const firstWaits = 2;
const growth = 4;

export function createPatience(): Patience {
  const waits = new Map<string, number>();
  const most = new Map<string, number>();
  const mostOf = (documentId: string): number => most.get(documentId) ?? firstWaits;
  return {
    isOver: (documentId, fileId) => (waits.get(fileId) ?? 0) >= mostOf(documentId),
    waitedInVain(fileId) {
      waits.set(fileId, (waits.get(fileId) ?? 0) + 1);
    },
    sentAnew(documentId, fileId) {
      waits.delete(fileId);
      most.set(documentId, mostOf(documentId) * growth);
    },
    ready(documentId, fileId) {
      waits.delete(fileId);
      most.delete(documentId);
    },
  };
}
