import fc from 'fast-check';
import { countTokens as reference } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countTokens, indexTokens } from '../../../src/text/tokens/tokens.ts';
import { startProcessorTime } from '../../../testkit/processor-time.ts';

const asText = { disallowedSpecial: new Set<string>() };
const words = fc.constantFrom(
  'the ',
  'Straße',
  '漢字',
  '。',
  ' 12345',
  "don't",
  '\n',
  '\n\n  ',
  '😀',
  '!!',
  ' — ',
  'fooBar',
  '\t',
  'é',
  ' ',
);
const texts = fc.array(words, { maxLength: 30 }).map((parts) => parts.join(''));

describe('countTokens', () => {
  it('remembers a text by all of it, and forgets without changing a count', () => {
    const long = (last: string): string => `${'It is remembered whole. '.repeat(20)}${last}`;
    for (let round = 0; round < 2; round++)
      for (let at = 0; at < 300; at++) {
        const text = long(`${'x '.repeat(at % 7)}${at}`);
        expect(countTokens(text)).toBe(reference(text, asText));
      }
  });

  it('agrees with the reference encoder', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(countTokens(text)).toBe(reference(text, asText));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        expect(countTokens(text.toWellFormed())).toBe(reference(text.toWellFormed(), asText));
      }),
    );
  });

  it('counts a prompt line by line as it counts the whole', () => {
    const line = fc.constantFrom(
      '| The river otter weighs 8.4 kg and swims at 12 km an hour, says the survey.',
      '| Straße — 漢字。 don’t 😀 and a line that is long enough to be remembered.\r',
      '/a/path/that/begins/with/a/slash/and/is/long/enough/to/be/remembered',
      '   an indented line that is long enough to be remembered, with a space at its end ',
      'short.',
      '|',
      '',
      '\u00a0',
      '\u0301 a mark that stands alone at the beginning of a line, long enough to be remembered',
    );
    const ends = fc.constantFrom('\n', '\r\n', '!!\n', '/\n', '\r');
    const prompt = fc.array(fc.tuple(line, ends), { maxLength: 12 }).map((lines) => lines.flat().join(''));
    fc.assert(
      fc.property(prompt, (text) => {
        expect(countTokens(text)).toBe(reference(text, asText));
      }),
      { numRuns: 500 },
    );
  });

  it('counts special tokens as the text they are', () => {
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('takes time linear in the text, whatever the text is', () => {
    for (const unit of ['a', '漢', ' ', '\n', '😀']) {
      const text = unit.repeat(300_000 / unit.length);
      const tookMs = startProcessorTime();
      expect(countTokens(text)).toBeGreaterThan(1000);
      // The encoder alone needs minutes for these; the bound leaves room for a busy machine.
      expect(tookMs()).toBeLessThan(8000);
    }
  });
});

describe('indexTokens', () => {
  it('never understates a range cut at spaces, and overstates it by little', () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (text, a, b) => {
        const [start, end] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y) as [number, number];
        const index = indexTokens(text);
        expect(index.between(0, text.length)).toBe(index.total);
        expect(index.between(start, end)).toBeLessThanOrEqual(index.total);
        expect(index.between(start, end) + index.between(end, text.length)).toBeGreaterThanOrEqual(
          index.between(start, text.length),
        );
      }),
    );
  });

  it('reaches no further than the tokens allowed, in both directions', () => {
    fc.assert(
      fc.property(texts, fc.nat(40), (text, tokens) => {
        const index = indexTokens(text);
        const end = index.reach(0, tokens);
        expect(index.between(0, end)).toBeLessThanOrEqual(tokens);
        const start = index.reachBack(text.length, tokens);
        expect(index.between(start, text.length)).toBeLessThanOrEqual(tokens);
        if (index.total > tokens) expect(start).toBeGreaterThan(0);
      }),
    );
  });
});
