import fc from 'fast-check';
import { countTokens as reference } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countMerged } from '../../../src/text/tokens/token-ranks.ts';

describe('countMerged', () => {
  it('counts the tokens of one piece as the encoder does', () => {
    // One piece each, so that the encoder cuts none of them again.
    const piece = fc.oneof(
      fc.stringMatching(/^ ?[a-z]{1,40}$/u),
      fc.stringMatching(/^[А-Яа-я]{1,20}$/u).map((word) => word.toLowerCase()),
      fc.stringMatching(/^[一-龥]{1,20}$/u),
      fc.stringMatching(/^[ก-ฮ]{1,20}$/u),
      fc.stringMatching(/^[!-.]{1,20}$/u),
      fc
        .array(fc.constantFrom('😀', '👩', '🏽', '∑', '—'), { minLength: 1, maxLength: 8 })
        .map((found) => found.join('')),
    );
    fc.assert(
      fc.property(piece, (text) => {
        expect(countMerged(text)).toBe(reference(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('knows the shortest pieces', () => {
    expect(countMerged('')).toBe(0);
    for (let code = 1; code < 0x80; code++) expect(countMerged(String.fromCharCode(code))).toBe(1);
  });
});
