// What a document that is called by the thing says of it without naming it again, and what stands beside the claim that answered the part before.
import { describe, expect, it } from 'vitest';
import { besideClaims } from '../../../src/agent/parts/beside-earlier.ts';
import { isTitledLike } from '../../../src/agent/parts/called/row-names.ts';
import { outrightClaims } from '../../../src/agent/parts/outright.ts';
import { titledClaims } from '../../../src/agent/parts/titled.ts';
import type { VerifiedClaim } from '../../../src/answer/claims/draft.ts';
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
  Notes: `# Notes

## Notes 4.1 (28 January 2031)

Dark mode was built by Ada Brook. Thanks to all.

## Fares

Tickets are refunded up to two hours before. Later, half of the fare is kept.

Dogs ride free.
`,
  Fees: `What our accounts cost

Everyday account
  Monthly fee: 3.50
  Card: free

Business account
  Monthly fee: 14.00
`,
  Bolt: `(2) The shareholders ratified the appointment of Holt LLP as the public accounting firm of Bolt for fiscal year 2023:
For | | | 1,125
Against | | | 65
`,
  Firm: `Acme Pumps sells pumps in Ardley. It was set up in 1978 by eleven families. Acme Tours was founded by Tim Lane.`,
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

describe('beside the claim before', () => {
  const passage = evidenceOf('Notes', texts.Notes);
  const beside = async (query: string, quote: string): Promise<readonly string[]> => {
    const start = texts.Notes.indexOf(quote);
    const { documentId, chunkId } = passage;
    const span = await readSpan({ documentId, chunkId, start, end: start + quote.length });
    const earlier = [{ text: quote, spans: [span], support: 1, relevance: 1 }] as unknown as readonly VerifiedClaim[];
    return (await besideClaims({ query, earlier }, [passage], { readSpan, signal })).map(({ text }) => text);
  };
  const [refund, dark] = ['Tickets are refunded up to two hours before.', 'Dark mode was built by Ada Brook.'];

  it('stand what happens after that, and the version over it', async () => {
    expect(await beside('What happens after that?', refund)).toEqual(['Later, half of the fare is kept.']);
    expect(await beside('In which version did it come?', dark)).toEqual(['Notes 4.1 (28 January 2031)']);
  });

  it('stands nothing of another paragraph, and nothing that was not asked for', async () => {
    expect(await beside('What applies otherwise?', 'Later, half of the fare is kept.')).toEqual([]);
    expect(await beside('In which section does it stand?', refund)).toEqual([]);
    expect(await beside('What happens to dogs?', refund)).toEqual([]);
    expect(await beside('In which version did Ada Brook come?', dark)).toEqual([]);
  });
});

describe('who set something up', () => {
  it('is told of what the document is about, and of no other', async () => {
    const firm = [evidenceOf('Firm', texts.Firm)];
    const claims = await outrightClaims('Who founded Acme Pumps?', firm, { readSpan, signal });
    expect(claims.map(({ text }) => text)).toEqual(['It was set up in 1978 by eleven families.']);
  });

  it('and who audits it, also where what was resolved is numbered', async () => {
    const bolt = [evidenceOf('Bolt', texts.Bolt)];
    const claims = await outrightClaims('Who audits Bolt?', bolt, { readSpan, signal });
    expect(claims.map(({ text }) => text)).toEqual([texts.Bolt.split('\n')[0]]);
  });
});
