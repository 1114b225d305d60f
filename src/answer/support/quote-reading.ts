// What is read of a quote before a claim is held against it: its sentences and which of them are rows. The claims of an answer
// cite the same passages, and each is compared more than once, so that readings are remembered by text; they are shared, and nobody may change one.
import { segmentSentences } from '../../text/sentences.ts';
import { cacheTexts } from '../../text/tokens/text-cache.ts';
import { isTabular, type Row, rowsOf } from '../tables/rows.ts';
import { foldSpace } from './plain.ts';
import { sentencesOfProse } from './prose.ts';
import { type Language, languageOf, readTokens } from './tokens.ts';

export interface QuoteReading {
  /** With one space between words. */
  readonly sentences: readonly string[];
  /** Those that hold several cells, which only their columns keep apart. */
  readonly tabular: () => ReadonlySet<string>;
  /** Its rows under no columns. */
  readonly rows: () => readonly Row[];
}

/** Characters of quotes that are remembered, in each of two generations. */
const characters = 60_000;

/** `text` is in NFC. */
export const readQuote = cacheTexts(
  (text, language): QuoteReading => {
    const written = sentencesOf(text, language as Language);
    const sentences = written.map(foldSpace);
    return {
      sentences,
      tabular: once(() => new Set(sentences.filter((_, at) => isTabular(written[at] as string)))),
      rows: once(() => rowsOf(text)),
    };
  },
  { characters },
);

/** Language of a quote or claim. */
export const spokenIn = cacheTexts(languageOf, { characters });

/** The inflection keys of a sentence's content words. */
export const keysOf = cacheTexts(
  (text, language): ReadonlySet<string> =>
    new Set(readTokens(text, language as Language).tokens.flatMap((token) => (token.content ? token.keys : []))),
  { characters },
);

export function sentencesOf(text: string, language: Language): string[] {
  if (text.length < 25) return [text];
  if (language === 'en') return sentencesOfProse(text);
  const spans = segmentSentences(text, { maxWords: 400, ...(language === 'other' ? {} : { language }) });
  const pieces = spans.map(({ start, end }) => text.slice(start, end)).filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  return pieces.length === 0 ? [text] : pieces;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
