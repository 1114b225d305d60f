import { describe, expect, it } from 'vitest';
import { boundCovers, findQuantities, sameAmount } from '../../../src/text/quantities/quantities.ts';

const show = (text: string, language = 'en'): string[] =>
  findQuantities(text, { language }).map(({ value, high, unit, bound, kind }) =>
    [
      high === undefined ? value : `${value}..${high}`,
      unit?.name,
      bound === 'exact' ? undefined : bound,
      kind === 'cardinal' ? undefined : kind,
    ]
      .filter((part) => part !== undefined)
      .join(' '),
  );

describe('findQuantities', () => {
  it.each([
    ['1,234.5 and 1 234 and 1’234', ['1234.5', '1234', '1234']],
    ['1.234,5 € and 1.234.567', ['1234.5 €', '1234567']],
    ['four cats, twenty-five dogs, two hundred and five birds', ['4', '25', '205']],
    ['half, two-thirds, 3/4 and 6½ inches', ['0.5 fraction', `${2 / 3} fraction`, '0.75 fraction', '6.5 in']],
    ['5km, 5 km and 5,000 m', ['5 km', '5 km', '5000 m']],
    ['5–10 mg, between 5 and 10 kg, 5 to ten', ['5..10 mg', '5..10 kg', '5..10']],
    [
      'up to 12%, at least 3 weeks, about 5 million, 18 or more',
      ['12 percent at-most', '3 wk at-least', '5000000 about', '18 at-least'],
    ],
    ['$5m, £3bn, 10k, €41 to £36', ['5000000 $', '3000000000 £', '10000', '41 €', '36 £']],
    ['3rd, twenty-first, first', ['3 ordinal', '21 ordinal', '1 ordinal']],
    ['COVID-19, H1N1, 3D, 1.2.3, B12', []],
    ['3 percentage points and 5 per cent', ['3 percentage point', '5 percent']],
    ['1.2 × 10^6 and -5 °C', ['1200000', '-5 °C']],
    [
      '**-5 °C**, "−6 °C", |-7 °C|, [-8, 9], $-10 and -5–-3 m',
      ['-5 °C', '-6 °C', '-7 °C', '-8', '9', '-10', '-5', '-3 m'],
    ],
    ['最低温度：-5℃，今天是−6℃，明天－7', ['-5', '-6', '-7']],
    [
      '**5**-10 kg, 5%–10 %, 3个–5个, 1.–5. and 5 €–10 €',
      ['5', '10 kg', '5..10 percent', '3', '5', '1', '5', '5..10 €'],
    ],
    ['–5 °C to –1 °C, −7 m, 1990–1995 and 3 –4 kg', ['-5 °C', '-1 °C', '-7 m', '1990..1995', '3..4 kg']],
    ['5万 and 三百二十', ['50000', '320']],
  ])('%s', (text, expected) => expect(show(text)).toEqual(expected));
  it('reads German decimals and magnitudes', () => {
    expect(show('1.234 Menschen, 2,5 Millionen Euro, 7 Mrd. Dollar, dreiundzwanzig', 'de')).toEqual([
      '1234',
      '2500000 €',
      '7000000000 $',
      '23',
    ]);
  });
  it('gives spans that slice to what was read', () => {
    const text = 'It fell by about 3.5 percent to 12 km.';
    for (const quantity of findQuantities(text)) expect(text.slice(quantity.start, quantity.end)).toBe(quantity.text);
  });
});

describe('sameAmount and boundCovers', () => {
  const only = (text: string) => findQuantities(text)[0] as NonNullable<ReturnType<typeof findQuantities>[0]>;
  it.each([
    ['5 km', '5,000 m', true],
    ['500 mg', '0.5 g', true],
    ['half', '50%', true],
    ['1.5 hours', '90 minutes', true],
    ['5 mg', '5 g', false],
    ['5%', '5 percentage points', false],
    ['$5', '€5', false],
    ['30 °C', '30 °F', false],
    ['5', '5 km', false],
    ['5–10', '5', false],
    ['3rd', '3', false],
  ])('%s and %s: %s', (a, b, same) => {
    expect(sameAmount(only(a), only(b))).toBe(same);
    expect(sameAmount(only(b), only(a))).toBe(same);
  });
  it('weakens bounds, never sharpens them', () => {
    expect(boundCovers('exact', 'about')).toBe(true);
    expect(boundCovers('about', 'exact')).toBe(false);
    expect(boundCovers('more-than', 'at-least')).toBe(true);
    expect(boundCovers('at-least', 'more-than')).toBe(false);
    expect(boundCovers('at-most', 'exact')).toBe(false);
  });
});
