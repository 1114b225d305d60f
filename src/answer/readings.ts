// What is read of a text whatever is asked of it: its pieces, its terms, its words. The chunks that questions find again are read once
// (text-memory.ts); nothing here depends on what is remembered.
import type { TextPiece } from '../text/sentences.ts';
import { segmentPieces } from '../text/sentences.ts';
import { rememberTexts } from '../text/text-memory.ts';
import { termsOf } from './terms.ts';

/** Ten thousand chunks of a paragraph. Two generations of pieces take about 20 MB, of terms and of words 50 each. */
const characters = 4_000_000;

const remembered = rememberTexts<readonly TextPiece[]>(
  (text, language) => segmentPieces(text, language === '' ? {} : { language }),
  { characters },
);

/** Sentences, items, rows, headings, as they stand. `language` decides doubtful cases only. */
export const piecesOf = (text: string, language = ''): readonly TextPiece[] => remembered(text, language);

const termSets = rememberTexts<ReadonlySet<string>>(
  (text, language) => new Set(termsOf(text, language === '' ? undefined : language).map(({ term }) => term)),
  { characters: characters / 2 },
);

/** The content words of a text, each once, in the order in which they first stand. */
export const termSetOf = (text: string, language = ''): ReadonlySet<string> => termSets(text, language);

/** Words in lower case; pairs of characters in scripts without spaces, where words would be whole clauses. For overlap. */
export const wordSetOf: (text: string) => ReadonlySet<string> = rememberTexts(wordSet, { characters: characters / 2 });

function wordSet(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase();
  const words = lower.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length * 12 < lower.length) {
    const pairs = new Set<string>();
    for (let index = 0; index + 1 < lower.length; index += 1) pairs.add(lower.slice(index, index + 2));
    return pairs;
  }
  return new Set(words);
}
