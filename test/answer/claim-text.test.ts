import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimTextOf } from '../../src/answer/claim-text.ts';
import { supportOf } from '../../src/answer/support.ts';
import { isBareLink } from '../../src/text/pointers.ts';
import { standingText } from '../../src/text/struck-text.ts';

/** Without marks: what is left is what is said. */
const squeezed = (text: string): string => text.replace(/[\s>]/g, '');

describe('claimTextOf', () => {
  it.each([
    [
      'links',
      'See the [pier plan](https://example.org/plan_(2).html "Plan") for **340 metres**.',
      'See the pier plan for 340 metres.',
    ],
    ['reference links', 'The [pier][1] is *very* long.', 'The pier is very long.'],
    ['images', 'The pier ![seen from the lake](pier.png) is long.', 'The pier seen from the lake is long.'],
    [
      'wrapped quotations',
      'The pier is long\n> and it was built\n> > in 1872.',
      'The pier is long and it was built in 1872.',
    ],
    [
      'words cut at the end of a line',
      'The special-\nization of the crane took years.',
      'The specialization of the crane took years.',
    ],
    [
      'links around code',
      'Use [`register`](../a.md) or [the API][api], not `[a](b)`.',
      'Use `register` or the API, not `[a](b)`.',
    ],
    ['code', 'Set `max_*_size` to **5**.', 'Set `max_*_size` to 5.'],
    [
      'names with underscores and products',
      'Here max_body_size is 3 * 4 and 2 * 5.',
      'Here max_body_size is 3 * 4 and 2 * 5.',
    ],
    ['names between underscores', '__init__ runs **once**.', '__init__ runs once.'],
    ['emphasis around code', 'Run **`a*b` once**.', 'Run `a*b` once.'],
    ['comparisons', 'The limit holds when a > b.', 'The limit holds when a > b.'],
    ['table rows', '| seal | 2 years |', '| seal | 2 years |'],
  ])('%s', (_, piece, text) => {
    expect(claimTextOf(piece)).toBe(text);
    expect(supportOf(claimTextOf(piece), piece).verdict).toBe('supported');
  });

  it('keeps a hyphen that the text around writes', () => {
    const around = 'A position-wise network follows. The position-\nwise network is small.';
    expect(claimTextOf('The position-\nwise network is small.', around)).toBe('The position-wise network is small.');
  });

  it('says only what the verifier accepts', () => {
    const part = fc.constantFrom(
      '*',
      '_',
      '**',
      '[',
      '](a)',
      '`',
      '> ',
      '\n',
      '-\n',
      ' ',
      'pier',
      '340',
      'not',
      'long',
      '.',
      '~~',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const piece = parts.join('');
        const exact = piece.replace(/\s+/g, ' ').trim();
        const text = claimTextOf(piece);
        // The verifier reads what stands, without what is struck out.
        expect(squeezed(text) === squeezed(exact) || supportOf(text, standingText(piece)).verdict === 'supported').toBe(
          true,
        );
      }),
    );
  });
});

it.each([
  ['Sensor XR-\n2040 is cold, as in 2019-\n2021.', 'Sensor XR-2040 is cold, as in 2019-2021.'],
  ['It is for self-\nemployed people.', 'It is for self-employed people.'],
])('a claim joins what the end of a line parts: %j', (piece, claim) => {
  expect(claimTextOf(piece)).toBe(claim);
});

describe('isBareLink', () => {
  it.each([
    ['[Encapsulation](./Plugins.md#encapsulation)', true],
    ['https://example.org/plan', true],
    ['See [the plan](plan.md)', false],
    ['The pier is long.', false],
    ['', false],
  ])('%s', (piece, bare) => expect(isBareLink(piece)).toBe(bare));
});
