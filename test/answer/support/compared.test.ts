// Comparisons that figures of several quotes decide: named where a careful reader would name one, never where the figures are of something else.
import { describe, expect, test } from 'vitest';
import { relationOf } from '../../../src/agent/plan/weighing.ts';
import { compareBy, comparisonHeld } from '../../../src/answer/support/compared/compare.ts';
import { comparisons } from './comparisons.ts';

const told = comparisons.filter((one) => one.told !== undefined);
const untold = comparisons.filter((one) => one.told === undefined);

describe('comparisons by figures of several quotes', () => {
  test('the set has traps and comparisons enough', () => {
    expect(told.length).toBeGreaterThanOrEqual(30);
    expect(untold.length).toBeGreaterThanOrEqual(50);
  });

  test.each(told)('$asked $things: $told', ({ asked, things, passages, told: winner }) => {
    const quotes = passages.map((quote) => ({ quote }));
    const relation = relationOf(asked);
    if (!relation) throw new Error(`"${asked}" asks for no comparison.`);
    const compared = compareBy(relation, things, quotes);
    if ('missing' in compared) throw new Error(compared.missing);
    expect(compared.text.startsWith(`${winner} `), compared.text).toBe(true);
    expect(comparisonHeld(compared.text, quotes)).toMatchObject({ text: compared.text });
  });

  test.each(untold)('$asked $things: $passages tell nothing', ({ asked, things, passages }) => {
    const relation = relationOf(asked);
    const compared =
      relation &&
      compareBy(
        relation,
        things,
        passages.map((quote) => ({ quote })),
      );
    expect(compared === undefined || 'missing' in compared, JSON.stringify(compared)).toBe(true);
  });

  test.each(told)('a claim that turns it round is not held: $asked $things', ({ asked, things, passages }) => {
    const quotes = passages.map((quote) => ({ quote }));
    const relation = relationOf(asked);
    const compared = relation && compareBy(relation, things, quotes);
    if (!compared || 'missing' in compared) throw new Error('Nothing was compared.');
    for (const [a, b] of things.flatMap((one) =>
      things.filter((other) => other !== one).map((other) => [one, other]),
    )) {
      const capital = (name = ''): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const turned = compared.text
        .replaceAll(a ?? '', '\u0001')
        .replaceAll(capital(a), '\u0001')
        .replaceAll(b ?? '', a ?? '')
        .replaceAll(capital(b), capital(a))
        .replaceAll('\u0001', b ?? '');
      expect(comparisonHeld(capital(turned), quotes), turned).toBeUndefined();
    }
    expect(
      comparisonHeld(
        compared.text.replace(/\d/u, (digit) => String((Number(digit) + 1) % 10)),
        quotes,
      ),
    ).toBeUndefined();
    expect(
      comparisonHeld(
        compared.text,
        quotes.map(({ quote }) => ({ quote: quote.replaceAll(/\d/gu, '') })),
      ),
    ).toBeUndefined();
  });
});
