// The text of claims and quotes as the comparison reads it: one space between words, no marks of citations, no signs around.
import { joinLineEndHyphens } from '../../text/line-end-hyphens.ts';
import { tighten } from './tokens.ts';

/** Citation marks of ours go, unless the quote has such marks itself. */
export const withoutMarks = (claim: string, quote: string): string =>
  /\[\d{1,3}\]/u.test(quote) ? claim : claim.replace(/(?<!\[\d{1,3}\])(?:\s?\[\d{1,3}\])+(?=[\s.,;:!?]|$)/gu, '');
export const foldSpace = (text: string): string =>
  tighten(
    text.normalize('NFC').replace(/[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/gu, ' '),
  ).trim();
/** A hyphen before white space is layout, one before a figure is a sign. */
export const trimEnd = (text: string): string =>
  text.replace(/^(?:["“”'‘’«»*_\s]|-+(?=\s))+|(?<!["“”'‘’«»*_\s.;:,])["“”'‘’«»*_\s.;:,]+$/gu, '');

/** True if the claim is the whole quote with the words made whole that were cut at the ends of its lines. */
export function isQuoteUnbroken(said: string, quote: string): boolean {
  return /[\p{L}\p{N}][-\u2010]\s*\n/u.test(quote) && trimEnd(said) === trimEnd(foldSpace(joinLineEndHyphens(quote)));
}

export function windowAround(source: string, said: string): string {
  const at = source.indexOf(said);
  return source.slice(Math.max(0, at - 2000), at + said.length + 2000);
}
