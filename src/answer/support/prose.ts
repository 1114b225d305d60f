// The sentences of a quote that are read in words of their own. Text that was taken apart for machines ("in bosnia , one of 16 .") has
// its full stops set off by spaces and opens no sentence with a capital: there the stop alone ends a sentence, and so does a line.
import { segmentSentences } from '../../text/sentences.ts';

export interface Prose {
  readonly sentences: readonly string[];
  /** Lines without a sentence's end, headings and captions: they state figures and names, and carry no claim. */
  readonly asides: readonly string[];
}

/** Longest sentence in words. */
const maxWords = 400;
const spacedStop = /\s[.!?](?:\s?["”'’`)\]]+)?(?=\s)/gu;
/** So many stops set off by a space tell such a text. */
const leastSpaced = 2;
const endsAsSentence = /[.!?…]["”’')\]]*$/u;

/** Pieces of English prose, in order. */
export function sentencesOfProse(quote: string): string[] {
  const pieces = segmentSentences(quote, { maxWords, language: 'en' }).map(({ start, end }) => quote.slice(start, end));
  const whole = pieces.length > 0 ? pieces : [quote];
  if ((quote.match(spacedStop)?.length ?? 0) < leastSpaced) return whole;
  return whole.flatMap((piece) =>
    piece
      .split('\n')
      .flatMap(atSpacedStops)
      .filter((part) => /[\p{L}\p{N}]/u.test(part)),
  );
}

function atSpacedStops(line: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const match of line.matchAll(spacedStop)) {
    const end = match.index + match[0].length;
    parts.push(line.slice(from, end).trim());
    from = end;
  }
  return [...parts, line.slice(from).trim()];
}

/** Parts them into what is read and what is only known; a quote of a single line is read whatever it ends with. */
export function proseOf(sentences: readonly string[], isOneLine: boolean): Prose {
  const ended = sentences.filter((sentence) => endsAsSentence.test(sentence));
  if (ended.length === 0) return { sentences: isOneLine ? sentences : [], asides: isOneLine ? [] : sentences };
  return { sentences: ended, asides: sentences.filter((sentence) => !endsAsSentence.test(sentence)) };
}
