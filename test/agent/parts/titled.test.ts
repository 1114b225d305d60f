// What a document that is called by the thing says of it without naming it again.
import { describe, expect, it } from 'vitest';
import { isTitledLike } from '../../../src/agent/parts/called/row-names.ts';
import { titledClaims } from '../../../src/agent/parts/titled.ts';
import { evidenceOf, openLibrary } from '../../../testkit/turn-library.ts';

const texts = {
  'Heron 200 lamp': `The Heron 200 is a lamp for desks. You can have one for three hundred and eighty euros. A spare bulb costs nine euros.`,
  'Finch P8: data sheet': `| Property | Value |
|---|---|
| Introduced | October 2030 |
| List price | $415 |
| Weight | 6.2 kg |
`,
  'lamp-3': `EGRET ECO - the small one

  * Capacity: 68 litres per hour
  * **Noise:** 44 dB
  * Guarantee: two years
`,
  Fees: `What our accounts cost

Everyday account
  Monthly fee: 3.50
  Card: free

Business account
  Monthly fee: 14.00
`,
};
type Title = keyof typeof texts;
const { readSpan } = openLibrary(texts);
const { signal } = new AbortController();
const evidence = (Object.keys(texts) as Title[]).map((title) => evidenceOf(title, texts[title]));

async function told(criterion: string, name: string, query = `What is the ${criterion} of ${name}?`) {
  const claims = await titledClaims({ criterion, thing: { name, others: [] }, query }, evidence, { readSpan, signal });
  return claims.map(({ text }) => text);
}

describe('documents that are called by the thing', () => {
  it.each([
    ['price', 'the Heron 200', ['You can have one for three hundred and eighty euros.']],
    ['price', 'the Finch P8', ['Property: List price; Value: $415']],
    ['date', 'the Finch P8', ['Property: Introduced; Value: October 2030']],
    ['flow rate', 'the Egret Eco', ['Capacity: 68 litres per hour']],
    ['noise', 'the Egret Eco', ['Noise: 44 dB']],
    ['warranty', 'the Egret Eco', ['Guarantee: two years']],
    ['monthly fee', 'the business account', ['Monthly fee: 14.00']],
    ['monthly fee', 'the student account', []],
    ['price', 'the Egret Eco', []],
    ['noise', 'the Finch P8', []],
    ['weight', 'the Finch', []],
  ])('tell the %s of %s', async (criterion, name, claims) => {
    const said = (await told(criterion, name)).map((text) => text.replaceAll('*', ''));
    expect(said).toEqual(claims);
  });

  it('are called by it, or by it and what it is', () => {
    for (const title of ['Heron 200', 'Heron 200 desk lamp', 'Heron 200: data sheet', 'HERON 200 - the small one'])
      expect(isTitledLike(title, 'the Heron 200'), title).toBe(true);
    for (const title of ['Heron 2000', 'Heron 200 Plus', 'All about the Heron 200', 'Heron'])
      expect(isTitledLike(title, 'the Heron 200'), title).toBe(false);
  });
});
