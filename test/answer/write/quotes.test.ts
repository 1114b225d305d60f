import { describe, expect, it } from 'vitest';
import { foldWithOffsets } from '../../../src/answer/write/fold.ts';
import { type LocatedQuote, locateQuote, toQuotedText } from '../../../src/answer/write/quotes.ts';

const locate = (quote: string, id: number, ...texts: string[]): LocatedQuote =>
  locateQuote(
    quote,
    id,
    texts.map((text, at) => toQuotedText(at + 1, text)),
  );
/** What is cited: the passage's own text. */
const cited = (located: LocatedQuote): string[] =>
  located.found ? located.places.map(({ block, start, end }) => block.text.slice(start, end)) : [];

const bridge =
  'The bridge over the Velden was opened on 3 May 1872 by the county.\nIt is not\nopen to lorries above 7.5 tonnes, and it carries 1,240 cars a day.';

describe('locateQuote', () => {
  it('finds the exact words, and every place where they stand', () => {
    expect(locate('opened on 3 May 1872', 1, bridge)).toMatchObject({ found: true, how: 'exact', notes: [] });
    expect(cited(locate('a day', 1, 'Two a day, or three a day.'))).toEqual(['a day', 'a day']);
  });

  it.each([
    ['white space and line breaks', 'It is not open to lorries', 'It is not\nopen to lorries'],
    ['the bars of the prompt', 'It is not\n| open to lorries', 'It is not\nopen to lorries'],
    ['case, in one place', 'THE BRIDGE OVER the velden', 'The bridge over the Velden'],
  ])('folds %s, and cites what stands there', (_, quote, wanted) => {
    const located = locate(quote, 1, bridge);
    expect(located).toMatchObject({ found: true });
    expect(cited(located)).toEqual([wanted]);
  });

  it.each([
    [
      'curly quotes',
      "the so-called 'first' bridge",
      'It is the so‑called ‘first’ bridge of all.',
      'the so‑called ‘first’ bridge',
    ],
    ['dashes', 'from 1914-1918 it was shut', 'And from 1914–1918 it was shut.', 'from 1914–1918 it was shut'],
    ['full-width letters', 'model AB-12 is new', 'The model ＡＢ－１２ is new.', 'model ＡＢ－１２ is new'],
    ['decomposed accents', 'café on the pier', 'The cafe\u0301 on the pier.', 'cafe\u0301 on the pier'],
    ['soft hyphens', 'information on tides', 'The infor\u00admation on tides.', 'infor\u00admation on tides'],
    [
      'words cut at the end of a line',
      'information on tides',
      'The infor-\nmation on tides.',
      'infor-\nmation on tides',
    ],
    ['emphasis', 'the pier is closed', 'Note: the **pier** is closed.', 'the **pier** is closed'],
    [
      'neutralised tags',
      'the ‹/passage> tag ends it',
      'Here the </passage> tag ends it.',
      'the </passage> tag ends it',
    ],
  ])('folds %s', (_, quote, text, wanted) => {
    expect(cited(locate(quote, 1, text))).toEqual([wanted]);
  });

  it('takes case away only where one place can be meant', () => {
    expect(locate('MARCH IS HERE', 1, 'The march is here. In spring March is here.').found).toBe(false);
  });

  it('finds whole words and whole numbers only', () => {
    for (const part of ['40 cars', '240 cars a day', '5 tonnes', 'idge over', '872 by', '1,240 cars a d'])
      expect(locate(part, 1, bridge), part).toMatchObject({ found: false });
    expect(locate('5 degrees', 1, 'It is -5 degrees.').found).toBe(false);
    expect(cited(locate('港口很深', 1, '这个港口很深。'))).toEqual(['港口很深']);
  });

  it('corrects the number of the passage, and says so', () => {
    const other = 'The pier is 340 metres long.';
    expect(locate(other, 1, bridge, other)).toMatchObject({ found: true, notes: ['quote-in-other-block: 1 → 2'] });
    expect(locate(other, 99, bridge, other)).toMatchObject({ found: true, notes: ['quote-id-unknown: 99 → 2'] });
  });

  it('never finds a quote that runs from one passage into the next', () => {
    expect(
      locate('the pier is long and the sea is deep', 1, 'Here the pier is long', 'and the sea is deep today').found,
    ).toBe(false);
  });

  it('aligns what differs in articles, endings, accents and slips', () => {
    const text = 'The new harbour walls protect small fishing boats from the strongest storms of the winter.';
    for (const quote of [
      'new harbour wall protects small fishing boats from the strongest storms of the winter',
      'The new harbour walls protect small fishing boats from strongest storms of the winter',
      'The new harbour walls protct small fishing boats from the strongest storms of the winter',
    ])
      expect(locate(quote, 1, text), quote).toMatchObject({ found: true, how: 'aligned' });
  });

  const sentence = 'Professor Maria Lindqvist did not find 12 large sealed vessels in the old harbour of Brenna.';
  it.each([
    ['number', sentence.replace('12', '21')],
    ['number as a word', sentence.replace('12', 'twelve')],
    ['negation', sentence.replace('did not find', 'did find')],
    ['name', sentence.replace('Maria', 'Mario')],
    ['prefix', sentence.replace('sealed', 'unsealed')],
    ['opposite', sentence.replace('large', 'small')],
    ['word more', sentence.replace('large', 'very large')],
    ['word less', sentence.replace('large ', '')],
    ['order', sentence.replace('large sealed', 'sealed large')],
    ['everything', 'The committee approved a budget of nine million for the coming year.'],
  ])('does not align another %s', (_, quote) => {
    expect(locate(quote, 1, sentence).found).toBe(false);
  });

  it('finds nothing in nothing, and bounds what is long', () => {
    for (const quote of ['', ' ', '.', '"…"', '\u200b']) expect(locate(quote, 1, bridge).found).toBe(false);
    expect(locate('a b '.repeat(2_000), 1, bridge)).toMatchObject({ found: false });
  });
});

describe('foldWithOffsets', () => {
  it('knows where every unit stands', () => {
    const text = 'A  “ﬁne”\u00a0 pier — ½ of it,\n\n İstanbul 𝒜 e\u0301';
    const { text: folded, lower, starts, ends } = foldWithOffsets(text);
    expect(folded).toBe('A "fine" pier - 1⁄2 of it, İstanbul A é');
    expect(lower).toHaveLength(folded.length);
    expect([starts.length, ends.length]).toEqual([folded.length, folded.length]);
    for (let at = 1; at < folded.length; at += 1) expect(starts[at]).toBeGreaterThanOrEqual(starts[at - 1] ?? 0);
    const pier = folded.indexOf('pier');
    expect(text.slice(starts[pier], ends[pier + 3])).toBe('pier');
  });
});
