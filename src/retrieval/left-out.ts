// Which hits of a search go no further, and why: told once, so that the trace says what became of each. Pure but for the event.
import type { EventSink } from '../core/events.ts';

interface Hit {
  readonly chunkId: string;
  readonly score: number;
}

export interface LeavingOut {
  /** These go on; of each other one `why` says why not, by its place among those that had gone on until now. */
  keep(some: readonly Pick<Hit, 'chunkId'>[], why: (hit: Hit, place: number) => string): void;
  tell(sink: EventSink): void;
}

export function createLeavingOut(hits: readonly Hit[]): LeavingOut {
  let left = hits;
  const byReason = new Map<string, string[]>();
  return {
    keep(some, why) {
      const kept = new Set(some.map(({ chunkId }) => chunkId));
      for (const [place, hit] of left.entries()) {
        if (kept.has(hit.chunkId)) continue;
        const reason = why(hit, place);
        const same = byReason.get(reason);
        if (same) same.push(hit.chunkId);
        else byReason.set(reason, [hit.chunkId]);
      }
      left = left.filter(({ chunkId }) => kept.has(chunkId));
    },
    tell(sink) {
      if (byReason.size === 0) return;
      sink({
        type: 'left-out',
        stage: 'search',
        passages: [...byReason].map(([reason, chunkIds]) => ({ reason, chunkIds })),
      });
    },
  };
}
