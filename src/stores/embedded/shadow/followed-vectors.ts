// The vectors of a space that follow a record on a network. They come with the log of the index in the same moments, so that both are of one commit;
// what is far behind is read ahead, in pieces.
import type { IndexLog } from '../../../db/repositories/index-log.ts';
import type { VectorDelta, VectorMark } from '../../../db/repositories/vectors.ts';
import { drive } from '../../../engine/threads/slices.ts';
import { createHeldVectors, type LoadedVectors, noVectorsOf } from '../held-vectors.ts';

type Log = Pick<IndexLog, 'changes' | 'bytesOf'>;

export interface FollowedVectors {
  /** The same log, by which these vectors are brought to the moment of its changes. Throws `conflict` where there are none. */
  through(log: Log): Log;
  /** As of the last change. */
  held(): LoadedVectors | undefined;
}

export function followVectors(tenant: string, name: string, ahead: Pick<IndexLog, 'vectorsAfter'>): FollowedVectors {
  let held: LoadedVectors | undefined;
  let mark: VectorMark = { space: name, born: undefined, sequence: 0, upTo: 0 };
  let isSettling = false;

  /** Merges and centres behind the searches: what they find depends on the vectors alone then. */
  function settle({ index }: LoadedVectors): void {
    if (isSettling || !index.unsettled()) return;
    isSettling = true;
    void drive(index.settle()).finally(() => {
      isSettling = false;
    });
  }

  /** In pieces: the next one when the one before was taken. */
  function* apply({ born, space, revision, blocks, isMore }: VectorDelta): Generator<undefined, undefined, undefined> {
    if (born !== mark.born || !held) {
      held = createHeldVectors(tenant, space);
      mark = { space: name, born, sequence: 0, upTo: revision };
    }
    // An iterator over a list goes on where the piece before ended.
    for (const left = blocks.values(); held.take(left); ) yield undefined;
    // Read ahead, blocks may be newer than the revision that was told before them.
    mark = { ...mark, sequence: isMore ? held.sequence() : Math.max(held.sequence(), revision) };
    if (!isMore) settle(held);
    return undefined;
  }

  /** Until little is left, which comes with the changes. */
  async function readAhead(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const delta = await ahead.vectorsAfter(mark);
      if (delta) await drive(apply(delta));
      isMore = delta?.isMore ?? false;
    }
  }

  return {
    held: () => held,
    through: ({ changes, bytesOf }) => ({
      bytesOf,
      async changes(since, version) {
        if (mark.born === undefined) await readAhead();
        for (;;) {
          const delta = await changes(since, version, { vectors: mark });
          if (!delta.vectors) {
            held = undefined;
            mark = { ...mark, born: undefined };
            throw noVectorsOf(name);
          }
          for (const _ of apply(delta.vectors));
          if (!delta.vectors.isMore) return delta;
          await readAhead();
        }
      },
    }),
  };
}
