import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forEachTokenPiece, tokenPattern } from '../../../src/text/tokens/token-pieces.ts';

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  forEachTokenPiece(text, (start, end) => pieces.push(text.slice(start, end)));
  return pieces;
}

const pattern = new RegExp(tokenPattern, 'gu');
const parts = fc.constantFrom(
  ...['a', 'b', 'A', 'Z', '漢', 'ʰ', 'ǅ', '\u0301', '5', 'Ⅷ', '½', ' ', ' ', '\u00a0', '\t', '\n', '\r', '.', '/', '_'],
  ...["'", "'s", "'LL", "'re", 'S', 'VE', '𝒳', '😀', '𝟘', '\ud800', '\udc00', '\ufeff', '\u2028'],
);

describe('forEachTokenPiece', () => {
  it('cuts as the published pattern does', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(parts, { maxLength: 12 }).map((found) => found.join('')),
          fc.string({ unit: 'binary', maxLength: 40 }),
        ),
        (text) => {
          expect(piecesOf(text)).toEqual(text.match(pattern) ?? []);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('keeps a space with the word after it, and the end of a line with the space before', () => {
    expect(piecesOf("I'll  call HTMLParser(x1234)!\n\n  Naïve 漢字")).toEqual([
      ...["I'll", ' ', ' call', ' HTMLParser', '(x', '123', '4', ')!\n\n', ' ', ' Naïve', ' 漢字'],
    ]);
  });
});
