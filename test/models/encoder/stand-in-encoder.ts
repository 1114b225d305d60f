// An encoder that needs no model: its vectors tell how many letters of a kind a text has, and it counts what it was asked for.
import { dot } from '../../../src/core/values/dot.ts';
import type { Encoder } from '../../../src/models/encoder/encoder.ts';
import { toUnitLength } from '../../../src/models/local/pooling.ts';

export interface StandInEncoder extends Encoder {
  readonly dimensions: number;
  /** Texts that it was asked for, call by call. */
  readonly calls: (readonly string[])[];
}

const vectorOf = (text: string): Float32Array =>
  toUnitLength(Float32Array.from(['a', 'b', 'c'], (letter) => text.split(letter).length - 1));

export function createStandInEncoder(id = 'stand-in'): StandInEncoder {
  const calls: (readonly string[])[] = [];
  const match: Encoder['match'] = async (query, texts, signal) => {
    signal?.throwIfAborted();
    calls.push([query, ...texts]);
    return texts.map((text) => dot(vectorOf(query), vectorOf(text)));
  };
  return {
    id,
    languages: ['en'],
    dimensions: 3,
    calls,
    async encode(texts, signal) {
      signal?.throwIfAborted();
      calls.push(texts);
      return texts.map(vectorOf);
    },
    async encodeQuery(query, signal) {
      signal?.throwIfAborted();
      calls.push([query]);
      return vectorOf(query);
    },
    match,
    leastMatch: match,
  };
}
