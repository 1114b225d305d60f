// Vectors of turns in memory: of each message one, in a byte a dimension, and how near each turn is to a question. Invariant: a turn is as near as the
// nearest of its messages, whatever else is in the archive.
import { inPieces } from '../../../core/waiting/pieces.ts';

/** One message: a byte for its role, four for the scale, one for each dimension. */
const headBytes = 5;
const mostByte = 127;

/** As they are kept: `messages` in their order, each with the bit of its role. */
export function packVectors(messages: readonly { readonly role: number; readonly vector: Float32Array }[]): Uint8Array {
  const size = headBytes + (messages[0]?.vector.length ?? 0);
  const bytes = new Uint8Array(size * messages.length);
  const view = new DataView(bytes.buffer);
  for (const [at, { role, vector }] of messages.entries()) {
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const scale = largest / mostByte;
    view.setUint8(at * size, role);
    view.setFloat32(at * size + 1, scale, true);
    for (const [dimension, value] of vector.entries())
      view.setInt8(at * size + headBytes + dimension, scale === 0 ? 0 : Math.round(value / scale));
  }
  return bytes;
}

export interface Nearness {
  /** By place: the cosine of its nearest message; 0 where it has no vector. */
  readonly cosines: Float32Array;
  /** By place: the bit of the role of that message. */
  readonly roles: Uint8Array;
  /** Turns that were read for it. */
  readonly turns: number;
}

export interface TurnVectors {
  has(place: number): boolean;
  /** Keeps the vectors of a place; empty bytes say that it has none. */
  add(place: number, bytes: Uint8Array): void;
  /** Of turns that `admits` leaves. */
  nearTo(query: Float32Array, size: number, admits: (place: number) => boolean): Promise<Nearness>;
}

export function createTurnVectors(dimensions: number): TurnVectors {
  let [data, count] = [new Int8Array(1024 * dimensions), 0];
  let scales = new Float32Array(1024);
  let places = new Uint32Array(1024);
  let roles = new Uint8Array(1024);
  const known = new Set<number>();

  function grow(): void {
    const larger = <Values extends Int8Array | Float32Array | Uint32Array | Uint8Array>(from: Values, made: Values) => {
      made.set(from);
      return made;
    };
    const size = scales.length * 2;
    data = larger(data, new Int8Array(size * dimensions));
    scales = larger(scales, new Float32Array(size));
    places = larger(places, new Uint32Array(size));
    roles = larger(roles, new Uint8Array(size));
  }

  return {
    has: (place) => known.has(place),
    add(place, bytes) {
      const size = headBytes + dimensions;
      if (known.has(place) || bytes.length % size !== 0) return;
      known.add(place);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let from = 0; from < bytes.length; from += size) {
        if (count === scales.length) grow();
        roles[count] = view.getUint8(from);
        scales[count] = view.getFloat32(from + 1, true);
        places[count] = place;
        data.set(new Int8Array(bytes.buffer, bytes.byteOffset + from + headBytes, dimensions), count * dimensions);
        count += 1;
      }
    },
    async nearTo(query, size, admits) {
      const pause = inPieces();
      const cosines = new Float32Array(size);
      const said = new Uint8Array(size);
      let turns = 0;
      for (const place of known) if (admits(place)) turns += 1;
      for (let at = 0; at < count; at += 1) {
        if (at % 1024 === 0) await pause();
        const place = places[at] as number;
        if (!admits(place)) continue;
        const from = at * dimensions;
        let sum = 0;
        for (let to = 0; to < dimensions; to += 1) sum += (data[from + to] as number) * (query[to] as number);
        const cosine = sum * (scales[at] as number);
        if (cosine <= (cosines[place] as number)) continue;
        cosines[place] = cosine;
        said[place] = roles[at] as number;
      }
      return { cosines, roles: said, turns };
    },
  };
}
