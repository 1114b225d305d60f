// The sentences of English prose. Text that was taken apart for machines ("in bosnia , one of 16 .") has
// its full stops set off by spaces and opens no sentence with a capital: there the stop alone ends a sentence, and so does a line.
import { segmentSentences } from '../../text/sentences.ts';

/** Longest sentence in words. */
const maxWords = 400;
const spacedStop = /\s[.!?](?:\s?["”'’`)\]]+)?(?=\s)/gu;
/** So many stops set off by a space tell such a text. */
const leastSpaced = 2;

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
