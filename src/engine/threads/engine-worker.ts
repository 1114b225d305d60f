// A worker thread of the engine: searches published states, analyses, merges and hashes. It holds nothing but what it was
// given, and whatever its work throws goes back as a typed error.
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { FootnoteError } from '../../core/errors.ts';
import { isCancelled, reply, replyFailure } from '../../threads/replies.ts';
import { mergeNow } from '../merge-segments.ts';
import type { SearchState } from '../search-state.ts';
import { openSegment, type Segment } from '../segment.ts';
import type { VectorSnapshot } from '../vectors/vector-snapshot.ts';
import type { Order, PublishedState, Results, Work } from './protocol.ts';
import { expandTerms, searchState } from './search-work.ts';
import { nearestRows } from './vector-work.ts';

interface HeldIndex {
  readonly segments: ReadonlyMap<number, Segment>;
  readonly state: SearchState;
}

const indexes = new Map<number, HeldIndex>();
const vectors = new Map<number, VectorSnapshot>();

function publish(index: number, { parts, entries, norms, k1, b }: PublishedState): void {
  const before = indexes.get(index)?.segments;
  const segments = new Map<number, Segment>();
  const live = parts.map(({ segment: id, bytes, dead, deadCount }) => {
    const segment = bytes ? openSegment(bytes) : before?.get(id);
    if (!segment) throw new FootnoteError('internal', `Segment ${id} was never published to this thread.`);
    segments.set(id, segment);
    return { segment, dead, deadCount };
  });
  indexes.set(index, { segments, state: { parts: live, entries, norms, k1, b } });
}

function stateOf(index: number): SearchState {
  const held = indexes.get(index);
  if (held) return held.state;
  throw new FootnoteError('internal', `Index ${index} was never published to this thread.`);
}

async function perform(work: Work, cancelled: () => boolean): Promise<Results[keyof Results]> {
  if (cancelled()) throw new FootnoteError('cancelled', 'The request was cancelled.');
  switch (work.kind) {
    case 'search':
      return searchState(stateOf(work.index), { ...work.query, cancelled }, work.explained);
    case 'vectors': {
      const snapshot = vectors.get(work.index);
      if (!snapshot)
        throw new FootnoteError('internal', `Vectors of index ${work.index} were never published to this thread.`);
      return nearestRows({ state: stateOf(work.index), snapshot }, work.query, cancelled);
    }
    case 'expand':
      return expandTerms(stateOf(work.index), work.terms);
    case 'analyze': {
      // Loaded when it is needed: a thread that only searches starts faster and smaller without it.
      const { analyzeTexts } = await import('./analysis.ts');
      return analyzeTexts(work.texts);
    }
    case 'merge': {
      const { bytes } = mergeNow(
        work.sources.map((source) => ({ segment: openSegment(source.bytes), dead: source.dead })),
      );
      return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    }
    case 'digest':
      return createHash('sha256').update(work.bytes).digest('hex');
  }
}

parentPort?.on('message', (order: Order) => {
  if (order.kind === 'publish') publish(order.index, order.state);
  else if (order.kind === 'publish-vectors') vectors.set(order.index, order.snapshot);
  else if (order.kind === 'drop') {
    indexes.delete(order.index);
    vectors.delete(order.index);
  } else {
    const { task, work, cancel } = order;
    perform(work, () => isCancelled(cancel)).then(
      (result) => reply({ kind: 'done', task, result }),
      (thrown: unknown) => replyFailure(thrown, task),
    );
  }
});
reply({ kind: 'ready' });
