// The vectors of the simulated provider: one of 256, by the hash of the text, so that whoever reads the record can tell whether a
// chunk has the vector of its own text.
import { hash } from 'node:crypto';

const count = 256;

/** Of length 1, different from each other, always the same. */
export function vectorsOf(dimensions: number): readonly Float32Array<ArrayBuffer>[] {
  return Array.from({ length: count }, (_, number) => {
    const vector = new Float32Array(dimensions);
    let state = number + 1;
    for (let at = 0; at < dimensions; at++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      vector[at] = state / 4_294_967_296 - 0.5;
    }
    const length = Math.hypot(...vector);
    return vector.map((one) => one / length) as Float32Array<ArrayBuffer>;
  });
}

export function vectorNumberOf(text: string): { readonly number: number; readonly hash: string } {
  const digest = hash('sha256', text, 'hex');
  return { number: Number.parseInt(digest.slice(0, 2), 16), hash: digest.slice(0, 20) };
}
