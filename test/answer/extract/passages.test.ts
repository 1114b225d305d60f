import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { narrowToPassages } from '../../../src/answer/extract/passages.ts';
import type { Evidence } from '../../../src/core/search.ts';
import { countTokens } from '../../../src/text/tokens/tokens.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';

const options = { passageTokens: 60, passagesPerChunk: 2, countTokens };
const filler = (topic: string, count: number): string =>
  Array.from(
    { length: count },
    (_, n) => `The ${topic} number ${n} has nothing to do with anything that is asked here.`,
  ).join(' ');

const sentence = 'The kiln was fired for the first time in 1911.';
const long = `${filler('crate', 20)} ${sentence} ${filler('barrel', 20)}`;

describe('narrowToPassages', () => {
  it('reads a long chunk by the passage that speaks of the question', () => {
    const item = evidenceOf({ id: 'k', text: long });
    const passages = narrowToPassages('When was the kiln fired?', [item], options);
    expect(passages.length).toBeGreaterThanOrEqual(1);
    expect(passages[0]?.text).toContain(sentence);
    for (const passage of passages) {
      expect(countTokens(passage.text)).toBeLessThanOrEqual(options.passageTokens * 1.5);
      expect(passage.chunkId).toBe(item.chunkId);
    }
  });

  it('leaves short chunks as they are, and keeps the order of chunks', () => {
    const short = evidenceOf({ id: 'k', text: sentence });
    const passages = narrowToPassages(
      'When was the kiln fired?',
      [evidenceOf({ id: 'k', text: long }), short],
      options,
    );
    expect(passages.at(-1)).toBe(short);
    expect(narrowToPassages('When?', [short], options)).toEqual([short]);
  });

  it('begins with the question or heading that was found, so that its answer is in the passage', () => {
    const filler = (from: number): string =>
      Array.from(
        { length: 14 },
        (_, at) => `Room ${from + at} of the yard holds ropes, sails and oars of the boats.`,
      ).join(' ');
    const text = `${filler(1)}\n\nWhy is the glaze of the bowls green?\n\nCopper was added to it. ${filler(40)}`;
    const [passage] = narrowToPassages('Why is the glaze green?', [evidenceOf({ id: 'f', text })], {
      ...options,
      passagesPerChunk: 1,
    });
    expect(passage?.text.startsWith('Why is the glaze of the bowls green?')).toBe(true);
    expect(passage?.text).toContain('Copper was added to it.');
  });

  it('tells the caption over the rows with which a passage begins', () => {
    const rows = Array.from({ length: 60 }, (_, at) => `Town ${at} on the lake; ${500 + at}`).join('\n');
    const text = `Bowls fired in the year 2031\n\n${rows}`;
    const passages = narrowToPassages(
      'How many bowls were fired in 2031 in Town 47?',
      [evidenceOf({ id: 't', text })],
      options,
    );
    const passage = passages.find((one) => one.text.includes('Town 47'));
    expect(passage?.text).not.toContain('Bowls fired');
    expect(passage?.above).toBe('Bowls fired in the year 2031');
  });

  it('keeps the opening of a chunk in which no word of the question stands', () => {
    const passages = narrowToPassages('Where is Lisbon?', [evidenceOf({ id: 'k', text: long })], options);
    expect(passages).toHaveLength(1);
    expect(long.startsWith(passages[0]?.text ?? '?')).toBe(true);
  });

  it('cuts exactly: a passage is the chunk’s text at its offsets', () => {
    const words = fc.constantFrom(
      'kiln',
      'fired',
      'clay',
      'The',
      'in 1911.',
      'was',
      '窯は',
      '火。',
      'a\n\n',
      'Dr.',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 300 }), fc.nat(50), (parts, start) => {
        const text = parts.join(' ').trim() || 'x';
        const item: Evidence = { ...evidenceOf({ id: 'k', text }), start, end: start + text.length };
        for (const passage of narrowToPassages('When was the kiln fired?', [item], options)) {
          expect(passage.text).toBe(text.slice(passage.start - start, passage.end - start));
          expect(passage.text.length).toBeGreaterThan(0);
          expect(passage.score).toBeLessThanOrEqual(item.score);
        }
      }),
      { numRuns: 200 },
    );
  });
});
