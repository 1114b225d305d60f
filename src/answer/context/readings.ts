// What is read of a passage's text whatever is asked of it: its pieces, its terms, its words, its tokens. The chunks that questions find
// again are read once (text-cache.ts), each thing when it is first wanted; nothing here depends on what is remembered.
import { segmentPieces, type TextPiece } from '../../text/sentences.ts';
import { readTerms } from '../../text/terms.ts';
import { cacheTexts, type LastReading, readAs } from '../../text/tokens/text-cache.ts';

export interface ReadPiece extends TextPiece {
  /** Content words, each once, in the order in which they first stand. */
  readonly terms: ReadonlySet<string>;
}

/** Tokens of a text. */
export type Count = (text: string) => number;

interface Reading {
  termSet?: ReadonlySet<string>;
  pieces?: readonly TextPiece[];
  readPieces?: readonly ReadPiece[];
  words?: Uint32Array;
  tokens?: LastReading<Count, number>;
  lineTokens?: LastReading<Count, number>;
}

/** A text of English prose takes about 17 bytes a character with all that is read of it: 135 MB when both generations are full. */
const readingOf = cacheTexts((): Reading => ({}), { characters: 4_000_000, shortest: 0 });

/** Content words, each once, in the order in which they first stand. */
export function passageTermSet(text: string): ReadonlySet<string> {
  const reading = readingOf(text);
  reading.termSet ??= termSetIn(text);
  return reading.termSet;
}

const termSetIn = (text: string): ReadonlySet<string> => new Set(readTerms(text).map(({ term }) => term));

/** Sentences, items, rows, headings, as they stand. */
export function piecesOf(text: string): readonly TextPiece[] {
  const reading = readingOf(text);
  reading.pieces ??= segmentPieces(text);
  return reading.pieces;
}

/** The pieces of a text, each with its words. */
export function readPieces(text: string): readonly ReadPiece[] {
  const reading = readingOf(text);
  reading.readPieces ??= piecesOf(text).map((piece) => ({
    ...piece,
    terms: termSetIn(text.slice(piece.start, piece.end)),
  }));
  return reading.readPieces;
}

/** `count` of the text alone. */
export function passageTokens(text: string, count: Count): number {
  const reading = readingOf(text);
  reading.tokens = readAs(reading.tokens, count, () => count(text));
  return reading.tokens.value;
}

/** `count` of the text and the end of its line. */
export function lineTokens(text: string, count: Count): number {
  const reading = readingOf(text);
  reading.lineTokens = readAs(reading.lineTokens, count, () => count(`${text}\n`));
  return reading.lineTokens.value;
}

/**
 * Words in lower case as sorted 32-bit hashes (FNV-1a), each once; pairs of characters in scripts without spaces, where words would be
 * whole clauses. For the overlap of two texts.
 */
export function wordHashesOf(text: string): Uint32Array {
  const reading = readingOf(text);
  reading.words ??= wordHashes(text);
  return reading.words;
}

function wordHashes(text: string): Uint32Array {
  const lower = text.toLowerCase();
  const words = lower.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length * 12 >= lower.length) return Uint32Array.from(new Set(words.map(hashOf))).sort();
  const pairs = new Set<number>();
  for (let index = 0; index + 1 < lower.length; index += 1) pairs.add(hashOf(lower.slice(index, index + 2)));
  return Uint32Array.from(pairs).sort();
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
