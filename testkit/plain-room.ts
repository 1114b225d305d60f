// Rooms of products in plain TypeScript, which those in WebAssembly are held against, to the last bit.
import type { DenseRoom, MakeRoom } from '../src/models/corpus/dense-room.ts';

export const plainRoom: MakeRoom = (sizes) => {
  const left = new Float32Array(sizes.left);
  const right = new Float32Array(sizes.right);
  const target = new Float64Array(sizes.target);
  return {
    left,
    right,
    target,
    add({ starts, step, width, tiles, count, grow, to }) {
      for (let tile = 0; tile < tiles; tile += 1) {
        const lengths = { step, width, count: count + tile * grow };
        for (const [row, start] of starts.entries())
          addProducts({ left, right, target }, { start, column: tile * 4, to: to + row * width + tile * 4 }, lengths);
      }
    },
  };
};

/** One row times four columns. */
function addProducts(
  { left, right, target }: Pick<DenseRoom, 'left' | 'right' | 'target'>,
  { start, column, to }: { readonly start: number; readonly column: number; readonly to: number },
  { step, width, count }: { readonly step: number; readonly width: number; readonly count: number },
): void {
  let [one, two, three, four] = [0, 0, 0, 0];
  for (let at = 0, a = start, b = column; at < count; at += 1, a += step, b += width) {
    const factor = left[a] as number;
    one += factor * (right[b] as number);
    two += factor * (right[b + 1] as number);
    three += factor * (right[b + 2] as number);
    four += factor * (right[b + 3] as number);
  }
  target[to] = (target[to] as number) + one;
  target[to + 1] = (target[to + 1] as number) + two;
  target[to + 2] = (target[to + 2] as number) + three;
  target[to + 3] = (target[to + 3] as number) + four;
}
