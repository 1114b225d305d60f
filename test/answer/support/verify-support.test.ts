import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { supportOf } from '../../../src/answer/support.ts';
import { startProcessorTime } from '../../../testkit/processor-time.ts';
import { handPairs } from '../verify-pairs.ts';

/** True, and in other words than their quotes: left to the grade and to judges. */
const inOwnWords = new Set([
  'The village was destroyed.',
  'Obama visited Cuba.',
  "Austria's capital is Vienna.",
  'Vienna is the capital of Austria.',
  'Trade grew whilst prices fell.',
  'Alice founded Acme.',
  'Carol sold it to Bob.',
]);

describe('supportOf: pairs judged by hand', () => {
  it('has at least 150 of them, of both kinds', () => {
    expect(handPairs.length).toBeGreaterThanOrEqual(150);
    expect(handPairs.filter((pair) => pair.supported).length).toBeGreaterThan(50);
    expect(handPairs.filter((pair) => !pair.supported).length).toBeGreaterThan(80);
  });
  it.each(handPairs)('$topic: $claim | $quote', ({ claim, quote, supported, reason }) => {
    const verdict = supportOf(claim, quote);
    const isCarried = supported && !inOwnWords.has(claim);
    expect(verdict.verdict, verdict.reasons.join('; ')).toBe(isCarried ? 'supported' : 'unsupported');
    // Of several reasons the first one that is found is enough.
    const wanted = reason && [reason, 'small-words-changed', 'restriction-removed'];
    if (wanted)
      expect(
        verdict.reasons.some((given) => wanted.some((kind) => given.startsWith(kind))),
        verdict.reasons.join('; '),
      ).toBe(true);
    if (!supported) expect(verdict.reasons.length).toBeGreaterThan(0);
  });
});

describe('supportOf: context', () => {
  it('never takes numbers or polarity from the surroundings', () => {
    expect(
      supportOf('She sold 5 million albums.', 'She sold many albums.', { context: 'She sold 5 million albums.' })
        .verdict,
    ).toBe('unsupported');
    expect(supportOf('She did not win.', 'She won.', { context: 'She did not win.' }).verdict).toBe('unsupported');
  });
  it('does not let a context name replace another one of the quote', () => {
    expect(
      supportOf('Newton left his post in 1701.', 'Bentley left his post in 1701.', { context: 'Newton' }).verdict,
    ).toBe('unsupported');
  });
  it('does not take the subject of another sentence', () => {
    expect(supportOf('Ann was born in London.', 'Ann was born in Paris. Bob was born in London.').verdict).toBe(
      'unsupported',
    );
  });
});

describe('supportOf: verbatim', () => {
  it('gives 1 to the quote itself, to whole sentences of it and to harmless parts', () => {
    const quote = 'The tower was built in 1889.\n It is 330 metres tall, and it stands in Paris.';
    expect(supportOf(quote, quote).support).toBe(1);
    expect(supportOf('The tower was built in 1889.', quote).support).toBe(1);
    expect(supportOf('It is 330 metres tall', quote).support).toBe(1);
  });
  it('refuses parts that cut away what they stand under', () => {
    for (const [claim, quote] of [
      ['the tower is safe', 'It is false that the tower is safe.'],
      ['the tower is safe', 'The mayor said that the tower is safe.'],
      ['the tower is safe', 'Unless it rains, the tower is safe.'],
      ['the tower is safe', 'Perhaps the tower is safe.'],
      ['the tower is safe', 'Nobody knows whether the tower is safe.'],
    ] as const)
      expect(supportOf(claim, quote).verdict, quote).toBe('unsupported');
  });
  it('ignores citation marks of ours at the end of a claim', () => {
    expect(supportOf('The tower is safe. [1][2]', 'The tower is safe.').support).toBe(1);
  });
});

describe('supportOf: laws', () => {
  const sentence = fc
    .array(
      fc.constantFrom(
        'the',
        'tower',
        'is',
        '330',
        'm',
        'tall',
        'not',
        'Paris',
        'may',
        'in',
        '1889',
        'and',
        ',',
        'beat',
        'Lyon',
        '5',
        '%',
        'half',
        '(',
        ')',
        'who',
        'said',
        'if',
        '.',
      ),
      { minLength: 1, maxLength: 25 },
    )
    .map((words) => words.join(' '));
  it('every text with a letter or digit supports itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), (text) => {
        fc.pre(/[\p{L}\p{N}]/u.test(text) && text.trim() !== '');
        const verdict = supportOf(text, text);
        expect(verdict.support).toBe(1);
      }),
      { numRuns: 300 },
    );
  });
  it('is total, deterministic and bounded', () => {
    fc.assert(
      fc.property(sentence, sentence, (claim, quote) => {
        const first = supportOf(claim, quote);
        expect(supportOf(claim, quote)).toEqual(first);
        expect(first.support).toBeGreaterThanOrEqual(0);
        expect(first.support).toBeLessThanOrEqual(1);
        expect(first.verdict === 'supported').toBe(first.support >= 0.5);
      }),
      { numRuns: 300 },
    );
  });
  it('never throws on any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'binary', maxLength: 120 }),
        (claim, quote) => {
          supportOf(claim, quote);
        },
      ),
      { numRuns: 300 },
    );
  });
  it('takes no more than a moment on hostile input', () => {
    const hostile: readonly (readonly [string, string])[] = [
      ['x '.repeat(900), 'x '.repeat(19_000)],
      ['1'.repeat(1900), '1'.repeat(39_000)],
      ['1,234 '.repeat(300), '1,234 '.repeat(6_000)],
      ['(A B '.repeat(350), '(A B '.repeat(7_000)],
      [`a${' '.repeat(1900)}b`, `a${' '.repeat(39_000)}c`],
      ['Ab cd. '.repeat(280), 'Xy zw. '.repeat(5_600)],
      ['one hundred and '.repeat(120), 'two hundred and '.repeat(2_400)],
      ['a-'.repeat(950), 'b-'.repeat(19_000)],
    ];
    for (const [claim, quote] of hostile) {
      const tookMs = startProcessorTime();
      supportOf(claim, quote);
      expect(tookMs(), claim.slice(0, 20)).toBeLessThan(4_000);
    }
  });
});

describe('supportOf: words cut at the end of a line', () => {
  it('takes the quote with its words made whole, and nothing else', () => {
    const quote = 'The convolu-\ntional layers are applied position-\nwise.';
    expect(supportOf('The convolutional layers are applied positionwise.', quote).verdict).toBe('supported');
    expect(supportOf('The convoluted layers are applied positionwise.', quote).verdict).toBe('unsupported');
  });
});
