// What is read of a passage's text whatever is asked of it: its pieces, its records, its terms, its words, its tokens. The chunks that questions find
// again are read once (text-cache.ts), each thing when it is first wanted; nothing here depends on what is remembered.
import { guessLanguage } from '../../text/language/language.ts';
import { segmentPieces, type TextPiece } from '../../text/sentences.ts';
import { cacheTexts, type LastReading, readAs } from '../../text/tokens/text-cache.ts';
import { readTerms, type Term } from '../question/terms.ts';
import { type RecordBlock, recordBlocks } from '../tables/rows.ts';
import { partLines } from './line-pieces.ts';

export interface ReadPiece extends TextPiece {
  /** Content words, each once, in the order in which they first stand. */
  readonly terms: ReadonlySet<string>;
}

/** Tokens of a text. */
export type Count = (text: string) => number;

interface Reading {
  language?: string;
  terms?: LastReading<string, readonly Term[]>;
  termSet?: LastReading<string, ReadonlySet<string>>;
  pieces?: LastReading<string, readonly TextPiece[]>;
  readPieces?: LastReading<string, readonly ReadPiece[]>;
  records?: readonly RecordBlock[];
  words?: Uint32Array;
  tokens?: LastReading<Count, number>;
  lineTokens?: LastReading<Count, number>;
}

/** A text of English prose takes about 17 bytes a character with all that is read of it: 135 MB when both generations are full. */
const readingOf = cacheTexts((): Reading => ({}), { characters: 4_000_000, shortest: 0 });

const termSetIn = (text: string, language: string): ReadonlySet<string> =>
  new Set(readTerms(text, language).map(({ term }) => term));

/** What guessing a language gives where nothing tells. */
export const unknownLanguage = 'und';

/** The language that the text seems to be in, as far as that can be told without n-grams. */
export function passageLanguage(text: string): string {
  const reading = readingOf(text);
  reading.language ??= guessLanguage(text, [unknownLanguage]);
  return reading.language;
}

/** Content words in order, with their places. `language`: default the text's own, detected. */
export function passageTerms(text: string, language = ''): readonly Term[] {
  const reading = readingOf(text);
  reading.terms = readAs(reading.terms, language, () => readTerms(text, language));
  return reading.terms.value;
}

/** Content words, each once, in the order in which they first stand. */
export function passageTermSet(text: string, language = ''): ReadonlySet<string> {
  const reading = readingOf(text);
  reading.termSet = readAs(reading.termSet, language, () => termSetIn(text, language));
  return reading.termSet.value;
}

/** Sentences, items, rows, headings, as they stand. `language` decides doubtful cases only. */
export function piecesOf(text: string, language = ''): readonly TextPiece[] {
  const reading = readingOf(text);
  reading.pieces = readAs(reading.pieces, language, () =>
    partLines(text, segmentPieces(text, language === '' ? {} : { language })),
  );
  return reading.pieces.value;
}

/** The pieces of a text, each with its words, read in `language` (default: each piece's own, detected). */
export function readPieces(text: string, language = ''): readonly ReadPiece[] {
  const reading = readingOf(text);
  reading.readPieces = readAs(reading.readPieces, language, () =>
    partLines(text, segmentPieces(text)).map((piece) => ({
      ...piece,
      terms: termSetIn(text.slice(piece.start, piece.end), language),
    })),
  );
  return reading.readPieces.value;
}

/** The records that are written line by line. */
export function recordsOf(text: string): readonly RecordBlock[] {
  const reading = readingOf(text);
  reading.records ??= recordBlocks(text);
  return reading.records;
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
