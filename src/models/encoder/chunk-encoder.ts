// Chunks as a sentence encoder knows them: of a chunk that is longer than its window the mean of its windows, each read under the titles above it.
// Invariants: the vector of a chunk depends on the encoder and on that chunk alone; a text in a language that the encoder does not know is all zeros.
import { isEnglishOrUnclear } from '../../text/language/language.ts';
import { toUnitLength } from '../local/pooling.ts';
import type { ChunkEncoder, Encoder } from './encoder.ts';

/** Some 200 tokens, so that a window of 256 holds them with their titles. */
const windowCharacters = 800;
/** A shorter rest belongs to the window before it. */
const leastCharacters = 120;
const headCharacters = 200;

export interface ChunkEncoderParts extends Pick<Encoder, 'encode' | 'encodeQuery'>, Pick<ChunkEncoder, 'about'> {
  /** Called before each window: whoever waits for something goes first. */
  readonly giveWay: () => Promise<void>;
}

export function createChunkEncoder({ about, encode, encodeQuery, giveWay }: ChunkEncoderParts): ChunkEncoder {
  const zeros = async (): Promise<Float32Array> => new Float32Array((await about()).dimensions);
  return {
    about,
    async encodeChunk({ head, text }, signal) {
      const sum = await zeros();
      if (!isEnglishOrUnclear(text)) return sum;
      for (const window of windowsOf(text)) {
        await giveWay();
        // One at a time: a question that comes waits for one run at most.
        const [vector] = await encode([`${head.slice(0, headCharacters)}\n${window}`], signal);
        for (const [at, value] of vector?.entries() ?? []) sum[at] = (sum[at] ?? 0) + value;
      }
      return toUnitLength(sum);
    },
    encodeQuery: (query, signal) => (isEnglishOrUnclear(query) ? encodeQuery(query, signal) : zeros()),
  };
}

/** Pieces of a text that end with a line or a sentence, or with a word at least. */
export function windowsOf(text: string): readonly string[] {
  const windows: string[] = [];
  for (let at = 0; at < text.length; ) {
    const piece = text.slice(at, at + windowCharacters);
    const isLast = at + piece.length >= text.length;
    const ends = [Math.max(piece.lastIndexOf('. '), piece.lastIndexOf('\n')) + 1, piece.lastIndexOf(' ')];
    const length = isLast ? piece.length : (ends.find((end) => end > windowCharacters / 2) ?? piece.length);
    const window = piece.slice(0, length).trim();
    const before = windows.at(-1);
    if (isLast && before !== undefined && window.length < leastCharacters)
      windows[windows.length - 1] = `${before} ${window}`;
    else if (window !== '') windows.push(window);
    at += length;
  }
  return windows;
}
