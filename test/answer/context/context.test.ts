import { describe, expect, it } from 'vitest';
import { assembleContext } from '../../../src/answer/context/context.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';

const countTokens = (text: string): number => text.split(/\s+/).filter(Boolean).length;
const words = (word: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ');

describe('assembleContext', () => {
  it('keeps the best first within the budget and says why the rest was left out', () => {
    const evidence = [
      evidenceOf({ id: 'a', title: 'A', text: words('a', 50), score: 9 }),
      evidenceOf({ id: 'b', title: 'B', text: words('b', 60), score: 8 }),
      evidenceOf({ id: 'c', title: 'C', text: words('c', 30), score: 7 }),
    ];
    const context = assembleContext(evidence, { budgetTokens: 90, countTokens });
    expect(context.blocks.map((block) => block.evidence.chunkId)).toEqual(['a', 'c']);
    expect(context.tokens).toBeLessThanOrEqual(90);
    expect(context.tokens).toBe(context.blocks.reduce((sum, block) => sum + block.tokens, 0));
    expect(context.dropped).toEqual([{ chunkId: 'b', reason: expect.stringMatching(/needs 62 tokens/) }]);
  });

  it('drops what another chunk says already, and keeps what says more', () => {
    const text = words('w', 40);
    const context = assembleContext([
      evidenceOf({ id: 'a', text, score: 3 }),
      evidenceOf({ id: 'b', text: text.toUpperCase(), score: 2 }),
      evidenceOf({ id: 'c', text: `${text} ${words('x', 30)}`, score: 1 }),
    ]);
    expect(context.blocks.map((block) => block.evidence.chunkId)).toEqual(['a', 'c']);
    expect(context.dropped).toEqual([{ chunkId: 'b', reason: 'duplicate: says the same as a' }]);
  });

  it.each([
    ['5 °C is the lowest', '-5 °C is the lowest'],
    ['5 mg daily', '.5 mg daily'],
    ['The library supports C', 'The library supports C++'],
  ])('keeps %s beside %s', (short, long) => {
    const rest = words('w', 40);
    const [one, other] = short.endsWith('C')
      ? [`${rest} ${short}`, `${rest} ${long}`]
      : [`${short} ${rest}`, `${long} ${rest}`];
    const { dropped } = assembleContext([
      evidenceOf({ id: 'a', text: other, score: 2 }),
      evidenceOf({ id: 'b', text: one, score: 1 }),
    ]);
    expect(dropped).toEqual([]);
  });

  it('lets no document crowd out the others', () => {
    const crowd = Array.from({ length: 5 }, (_, index) =>
      evidenceOf({
        id: `c${index}`,
        documentId: 'one',
        start: index * 1000,
        text: words(`t${index}x`, 10),
        score: 10 - index,
      }),
    );
    const context = assembleContext([...crowd, evidenceOf({ id: 'z', text: words('z', 10), score: 1 })], {
      maxPerDocument: 2,
    });
    expect(context.blocks.map((block) => block.evidence.chunkId)).toEqual(['c0', 'c1', 'z']);
    expect(context.dropped.every((one) => /same document/.test(one.reason))).toBe(true);
  });

  it('prefers what is different among the equally good', () => {
    const shared = words('s', 40);
    const context = assembleContext([
      evidenceOf({ id: 'a', text: `${shared} one`, score: 10 }),
      evidenceOf({ id: 'b', text: `${shared} two three four five six`, score: 9 }),
      evidenceOf({ id: 'c', text: words('d', 40), score: 8.9 }),
    ]);
    expect(context.blocks.map((block) => block.evidence.chunkId)).toEqual(['a', 'c', 'b']);
  });

  it('is empty for no evidence, and takes scores of zero', () => {
    expect(assembleContext([])).toEqual({ blocks: [], tokens: 0, dropped: [] });
    expect(assembleContext([evidenceOf({ id: 'a', text: 'x y', score: 0 })]).blocks).toHaveLength(1);
    expect(assembleContext([evidenceOf({ id: 'a', text: '  ' })]).dropped).toEqual([
      { chunkId: 'a', reason: 'empty: it has no text' },
    ]);
  });

  it('keeps what differs in a sign alone', () => {
    const text = `${words('w', 40)} is`;
    for (const [one, other] of [
      ['C++', 'C#'],
      ['$29', '€29'],
      ['-5', '5'],
    ]) {
      const evidence = [one, other].map((sign, at) =>
        evidenceOf({ id: `c${at}`, text: `${text} ${sign}.`, score: 2 - at }),
      );
      expect(assembleContext(evidence).blocks).toHaveLength(2);
    }
  });
});
