// The vectors of a space in memory, as blocks of the record's log make them. A block that is not as it was written is left out, told of, and taken for
// missing.
import { FootnoteError } from '../../core/errors.ts';
import { sealBlock, type VectorBlock, type VectorSpace } from '../../db/repositories/vectors.ts';
import { createVectorIndex, type VectorIndex } from '../../engine/vectors/vector-index.ts';

export interface HeldVectors {
  readonly space: VectorSpace;
  readonly index: VectorIndex;
  /** Blocks that were found damaged, by sequence. */
  damaged(): readonly number[];
  /** After those that `damaged` told were dropped. */
  repaired(): void;
}

export interface LoadedVectors extends HeldVectors {
  /** Of the last block that was seen. */
  sequence(): number;
  /** Takes the next blocks, some 5 ms of them; whether there may be more. */
  take(blocks: Iterable<VectorBlock>): boolean;
  /** Sequences of removals that were seen since the last call. */
  seenRemovals(): readonly number[];
}

export const noVectorsOf = (name: string): FootnoteError =>
  new FootnoteError('conflict', `There are no vectors of ${name}: they were dropped, or never made.`);

/** Bytes of blocks that are taken in one go, and blocks however small: some 5 ms with their seals. */
const pieceBytes = 4 * 1024 * 1024;
const pieceBlocks = 200;

export function createHeldVectors(tenant: string, space: VectorSpace): LoadedVectors {
  const { dimensions, metric, name } = space;
  const index = createVectorIndex({ dimensions, metric });
  let sequence = 0;
  let damaged: number[] = [];
  const removals: number[] = [];
  return {
    space,
    index,
    damaged: () => damaged,
    repaired() {
      damaged = [];
    },
    sequence: () => sequence,
    seenRemovals: () => removals.splice(0),
    take(blocks) {
      const rows: number[] = [];
      const pieces: Uint8Array[] = [];
      let bytes = 0;
      let count = 0;
      // Many blocks of one row are added as one run: each addition has its own cost.
      const add = (): void => {
        if (rows.length > 0) index.add(rows, new Float32Array(new Uint8Array(Buffer.concat(pieces)).buffer));
        rows.length = 0;
        pieces.length = 0;
      };
      for (const block of blocks) {
        sequence = block.sequence;
        count += 1;
        const { first_row, last_row } = block;
        const expected = block.bytes === null ? 0 : (last_row - first_row + 1) * dimensions * 4;
        if (block.seal !== sealBlock(tenant, name, block) || (block.bytes?.byteLength ?? 0) !== expected) {
          damaged.push(block.sequence);
          continue;
        }
        if (block.bytes === null || first_row <= (rows.at(-1) ?? 0)) add();
        if (block.bytes === null) {
          index.remove(first_row, last_row);
          removals.push(block.sequence);
        }
        // Without rows it waits for the rebuild that will give it some.
        else if (first_row > 0) {
          for (let at = first_row; at <= last_row; at++) rows.push(at);
          pieces.push(block.bytes);
          bytes += block.bytes.byteLength;
        }
        if (bytes >= pieceBytes || count >= pieceBlocks) {
          add();
          return true;
        }
      }
      add();
      return false;
    },
  };
}
