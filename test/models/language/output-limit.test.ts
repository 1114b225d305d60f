import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toUsage } from '../../../src/models/language/model-usage.ts';
import { createOutputLimit } from '../../../src/models/language/output-limit.ts';
import { countTokens } from '../../../src/text/tokens/tokens.ts';

describe('createOutputLimit', () => {
  it('takes an answer of the length that was allowed whole, however it comes', () => {
    const text = 'The pier of Brenna is 340 metres long. '.repeat(200).trim();
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 60 }), (sizes) => {
        const limit = createOutputLimit(countTokens(text));
        let taken = '';
        let from = 0;
        for (const size of sizes) {
          taken += limit.take(text.slice(from, from + size));
          from += size;
        }
        expect(taken).toBe(text.slice(0, from));
      }),
    );
  });

  it.each(['pier ', '[', 'a', '\n', '水'])('cuts a flood of %j a quarter beyond it', (piece) => {
    for (const max of [1, 50, 2_000]) {
      const limit = createOutputLimit(max);
      let taken = '';
      for (let round = 0; round < 400; round += 1) taken += limit.take(piece.repeat(997));
      expect(countTokens(taken)).toBeLessThanOrEqual(max * 1.25 + 1_020);
      expect(taken.length).toBeLessThanOrEqual(max * 12);
      expect(limit.take('x')).toBe('');
    }
  });
});

describe('toUsage', () => {
  const request = { messages: [{ role: 'user' as const, content: 'How long is the pier?' }], maxOutputTokens: 500 };
  it.each([
    [{ input: 9e7, output: 9e7 }, true],
    [{ input: -5, output: -5 }, true],
    [{ input: 12, output: 9_000 }, true],
    [{ input: 12, output: 700 }, false],
    [{ input: 400, output: 40 }, false],
  ])('believes %j: only what can be', (reported, isEstimated) => {
    const usage = toUsage(reported, request, 'It is 340 metres long.');
    expect(usage.isEstimated).toBe(isEstimated);
    if (isEstimated) expect(usage.outputTokens).toBeLessThan(20);
    else expect(usage).toMatchObject({ inputTokens: reported.input, outputTokens: reported.output });
  });
});
