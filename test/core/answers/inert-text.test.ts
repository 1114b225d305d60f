import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimTextOf } from '../../../src/answer/claim-text.ts';
import { supportOf } from '../../../src/answer/support.ts';
import { toInert } from '../../../src/core/answers/inert-text.ts';

describe('toInert', () => {
  it.each([
    ['![x](https://evil.test/a)', '![x] (https://evil.test/a)'],
    ['[x](&#104;ttps://evil.test)', '[x] (&#104;ttps://evil.test)'],
    ['Baz](<//evil.test/a b>) is long.', 'Baz] (< //evil.test/a b>) is long.'],
    ['The <img src="//evil.test"> pier', 'The < img src="//evil.test"> pier'],
    ['The <img/onerror=x> pier', 'The < img/onerror=x> pier'],
    ['<script>x</script>', '< script>x< /script>'],
    ['The pier <!-- is long', 'The pier < !-- is long'],
    ['List<string> and <b>bold</b>, a < b, <3', 'List<string> and <b>bold</b>, a < b, <3'],
    // What is said next could end it.
    ['i<n', 'i< n'],
    ['arr[i](x) and [a](../b.md)', 'arr[i](x) and [a](../b.md)'],
  ])('%s', (claim, text) => {
    expect(toInert(claim)).toBe(text);
    expect(toInert(text)).toBe(text);
  });

  it('adds spaces alone', () => {
    const part = fc.constantFrom(
      '![',
      ']',
      '(',
      ')',
      'https://e.test/',
      '<img src=',
      '<script',
      '>',
      '<!--',
      '"',
      ' ',
      'a',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 16 }), (parts) => {
        const claim = parts.join('');
        expect(toInert(claim).replaceAll(' ', '')).toBe(claim.replaceAll(' ', ''));
        expect(toInert(toInert(claim))).toBe(toInert(claim));
      }),
    );
  });

  it('leaves the words that the verifier reads', () => {
    const part = fc.constantFrom(
      ...['the pier', 'is not', '340 metres', 'long', '![pier](https://e.test/)', 'see](https://e.test/)'],
      ...['<img src="https://e.test/">', '<script>', '<!-- 340', '-->', '<div style="x:y">'],
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 10 }), (parts) => {
        const claim = parts.join(' ');
        expect(supportOf(toInert(claim), claim).verdict).toBe(supportOf(claim, claim).verdict);
      }),
    );
  });

  it('is part of every sentence that is shown as it stands', () => {
    expect(claimTextOf('[![Build](https://ci.test/badge.svg)](https://ci.test) The pier is long.')).toBe(
      'Build The pier is long.',
    );
    expect(claimTextOf('Baz](https://evil.test/a) is long.')).toBe('Baz] (https://evil.test/a) is long.');
  });

  it('leaves a mailbox in brackets no link of Markdown', () => {
    const told = toInert('From: Mercury <hello@mercury.test>');
    expect(told).toBe('From: Mercury < hello@mercury.test>');
    expect(toInert(told)).toBe(told);
  });
});
