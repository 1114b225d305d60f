// What long-term memory takes of a sentence encoder. Invariant: whoever asks goes on by words alone where there is none, or it takes too long.
import type { Encoder } from '../../../models/encoder/encoder.ts';

/** Vectors of length 1 in the order of the texts; undefined where nobody can say now. */
export type VectorsOf = (texts: readonly string[]) => Promise<readonly Float32Array[] | undefined>;

export interface Meaning {
  /** Of what is remembered: kept, so that it is made once. */
  readonly ofMemories: VectorsOf;
  /** Of what is said or asked, which is kept nowhere. */
  readonly ofSaid: VectorsOf;
}

export const noMeaning: Meaning = { ofMemories: async () => undefined, ofSaid: async () => undefined };

export function meaningBy(
  { encode, encodeQuery }: Pick<Encoder, 'encode' | 'encodeQuery'>,
  timeoutMs: number,
): Meaning {
  const inTime = async (work: (signal: AbortSignal) => Promise<readonly Float32Array[]>) => {
    const signal = AbortSignal.timeout(timeoutMs);
    return work(signal).catch(() => undefined);
  };
  return {
    ofMemories: (texts) => inTime((signal) => encode(texts, signal)),
    ofSaid: (texts) =>
      inTime(async (signal) => {
        const vectors: Float32Array[] = [];
        for (const text of texts) vectors.push(await encodeQuery(text, signal));
        return vectors;
      }),
  };
}
