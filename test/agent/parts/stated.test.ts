// What rows, sections and dated sentences state of a thing that is compared: the cell of the very thing under the very column, read back and verified.
import { describe, expect, it } from 'vitest';
import { datedClaims, featuredClaims, statedClaims } from '../../../src/agent/parts/stated.ts';
import type { SpanReader } from '../../../src/answer/claims/draft.ts';
import { columnsAbove } from '../../../src/answer/tables/columns.ts';
import { evidenceOf } from '../../../testkit/turn-library.ts';

const products = `Editors compared

| Product | Price (per month) | Plugins | First released |
|---|---|---|---|
| Alpha | $12 | 140 | 2004 |
| Beta | $9 | 85 | 2011 |
| Alpha Pro | $30 | 500 | 2019 |
`;
/** As it comes out of a PDF: names in several lines, cells that ran together. */
const models = `| BLEU |  | Training Cost (FLOPs)
Model
| EN-DE | EN-FR | EN-DE EN-FR
ByteNet [18] | 23.75
ConvS2S [9] | 25.16 | 40.46 | 9.6 1.5
Transformer (big) | 28.4 | 41.8 | 2.3
`;
const readme = `# fastlog

A small logger. MIT licensed.

## Features
- JSON lines
- child loggers

## Liability
Its liability is limited to EUR 50. Nothing else is owed. There is more.

## History
Version 1.0.0 was published on 2 February 2018. The current version is 4.2.1.
`;

const readSpanOf =
  (text: string, title: string): SpanReader =>
  async ({ documentId, chunkId, start, end }) => {
    const columns = columnsAbove(text, start);
    const quote = text.slice(start, end);
    return { documentId, chunkId, start, end, quote, title, uri: title, source: 's', ...(columns && { columns }) };
  };

const read = (kind: typeof statedClaims, [text, title]: readonly [string, string], criterion: string) => {
  const { signal } = new AbortController();
  return async (name: string, ...others: readonly string[]): Promise<readonly string[]> => {
    const claims = await kind({ criterion, thing: { name, others } }, [evidenceOf(title, text)], {
      readSpan: readSpanOf(text, title),
      signal,
    });
    return claims.map(({ text: said }) => said);
  };
};

const orders = `Date: 2024-01-15; Customer: C1001; Product: Fjord Pro; Quantity: 2; Unit Price: $999.99
Date: 2024-01-16; Customer: C1002; Product: Lane; Quantity: 5; Unit Price: $29.99
`;

const versions = `| Version | Release Date |
|---|---|
| 3.0.0 | 2020-07-07 |
| 4.0.0 | 2022-06-08 |
`;

describe('what is stated of a thing', () => {
  it('is that of its version, where rows are called by versions', async () => {
    const date = read(statedClaims, [versions, 'Fjord'], 'release date');
    expect(await date('Fjord 4.0.0', 'Fjord 3.0.0')).toEqual(['4.0.0: Release Date: 2022-06-08']);
  });

  it('is that of the first of its versions, in what is about the product alone', async () => {
    const date = read(statedClaims, [versions, 'Fjord'], 'release date');
    expect(await date('Fjord 4', 'Fjord 3')).toEqual(['4.0.0: Release Date: 2022-06-08']);
    expect(await date('Fjord v3.0', 'Fjord 4')).toEqual(['3.0.0: Release Date: 2020-07-07']);
    expect(await date('Fjord 5', 'Fjord 4')).toEqual([]);
    expect(await date('Lane 4', 'Lane 3')).toEqual([]);
    const support = versions.replaceAll('Release Date', 'End Of Support Date');
    expect(await read(statedClaims, [support, 'Fjord'], 'date')('Fjord 4', 'Fjord 3')).toEqual([]);
  });

  it('says in which currency a price is, and of what a bare word is', async () => {
    const text = 'Product: Fjord; Unit Price: 129.00; Currency: EUR\n';
    expect(await read(statedClaims, [text, 'prices'], 'price')('Fjord', 'Lane')).toEqual([
      'Fjord: Unit Price: 129.00; Currency: EUR',
    ]);
    const license = '# Fjord\n\nA logger.\n\n## License\n\nMIT\n';
    expect(await read(statedClaims, [license, 'Fjord'], 'license')('Fjord', 'Lane')).toEqual(['License MIT']);
  });

  it('says of which period a row is', async () => {
    const text =
      'Region: North; Year: 2024; Quarter: Q1; Staff: 45\nRegion: North; Year: 2024; Quarter: Q2; Staff: 47\n';
    expect(await read(statedClaims, [text, 'staff'], 'staff')('North', 'South')).toEqual([
      'North: Year: 2024; Quarter: Q1; Staff: 45',
    ]);
  });

  it('is the cell under the thing, where the criterion calls the row', async () => {
    const text = '| Norland | Westmark\nCapital | Oslin | Harbo\nCoin | | Krone\nPopulation | 273 | 8,935\n';
    const capital = read(statedClaims, [text, 'Countries'], 'capital');
    expect(await capital('Westmark', 'Norland')).toEqual(['Capital: Westmark: Harbo']);
    expect(await capital('Norland', 'Westmark')).toEqual(['Capital: Norland: Oslin']);
    // Nobody can tell of which one an empty cell leaves the other.
    expect(await read(statedClaims, [text, 'Countries'], 'coin')('Norland', 'Westmark')).toEqual([]);
  });

  it('is the cell of a row that a column of names calls by it, wherever that stands', async () => {
    const price = read(statedClaims, [orders, 'orders'], 'price');
    expect(await price('Fjord Pro', 'Lane')).toEqual(['Product: Fjord Pro; Unit Price: $999.99']);
    expect(await price('C1002', 'C1001')).toEqual([]);
  });

  it('is the cell of its row under the column of the criterion', async () => {
    const price = read(statedClaims, [products, 'Editors'], 'price');
    expect(await price('Alpha', 'Beta')).toEqual(['Alpha: Price (per month): $12']);
    expect(await price('Beta', 'Alpha')).toEqual(['Beta: Price (per month): $9']);
    expect(await price('Gamma', 'Alpha')).toEqual([]);
    expect(await read(statedClaims, [products, 'Editors'], 'weight')('Alpha', 'Beta')).toEqual([]);
    expect(await read(statedClaims, [products, 'Editors'], 'date')('Beta', 'Alpha')).toEqual([
      'Beta: First released: 2011',
    ]);
  });

  it('is the row with its header where nobody can say which line names which column', async () => {
    const header = '| BLEU | | Training Cost (FLOPs) Model | EN-DE | EN-FR | EN-DE EN-FR';
    const bleu = read(statedClaims, [models, 'Attention'], 'BLEU');
    expect(await bleu('the Transformer (big)', 'ConvS2S')).toEqual([`${header} Transformer (big) | 28.4 | 41.8 | 2.3`]);
    expect(await bleu('ConvS2S', 'ByteNet')).toEqual([`${header} ConvS2S [9] | 25.16 | 40.46 | 9.6 1.5`]);
    expect(await read(statedClaims, [models, 'Attention'], 'perplexity')('ConvS2S', 'ByteNet')).toEqual([]);
  });

  it('is the section of the criterion in a document of the thing, a list as a whole', async () => {
    const features = read(statedClaims, [readme, 'fastlog'], 'features');
    expect(await features('fastlog', 'slowlog')).toEqual(['Features - JSON lines - child loggers']);
    expect(await features('slowlog', 'fastlog')).toEqual([]);
    expect(await read(statedClaims, [readme, 'fastlog'], 'liability')('fastlog', 'slowlog')).toEqual([
      'Its liability is limited to EUR 50. Nothing else is owed.',
    ]);
  });

  it('is when it came about, in a document that is called like it', async () => {
    const dates = read(datedClaims, [readme, 'fastlog'], 'date');
    expect(await dates('fastlog', 'slowlog')).toEqual(['Version 1.0.0 was published on 2 February 2018.']);
    expect(await dates('slowlog', 'fastlog')).toEqual([]);
    expect(await read(datedClaims, [readme, 'fastlog'], 'price')('fastlog', 'slowlog')).toEqual([]);
  });

  it('is nothing where the record gives other words, and nothing endless of endless tables', async () => {
    const gone: SpanReader = async () => undefined;
    const { signal } = new AbortController();
    const thing = { name: 'Alpha', others: [] };
    const ask = (text: string, readSpan: SpanReader) =>
      statedClaims({ criterion: 'price', thing }, [evidenceOf('Editors', text)], { readSpan, signal });
    expect(await ask(products, gone)).toEqual([]);
    let reads = 0;
    const counting: SpanReader = async () => {
      reads += 1;
      return undefined;
    };
    await ask(`| Product | Price |\n|---|---|\n${'| Alpha | $1 |\n'.repeat(20_000)}`, counting);
    expect(reads).toBeGreaterThan(0);
    expect(reads).toBeLessThanOrEqual(12);
  });
});

describe('features that no heading and no row states', () => {
  const text =
    'The Bendix Uno is a grinder made in Leith. It has ceramic burrs, a scale and an app. Arnold has a timer.\n';
  it('are what a sentence says that the thing has, in what is about it', async () => {
    const features = read(featuredClaims, [text, 'Bendix Uno'], 'features');
    expect(await features('Bendix Uno', 'Arnold')).toEqual(['It has ceramic burrs, a scale and an app.']);
    expect(await features('Corvid', 'Bendix Uno')).toEqual([]);
    expect(await read(featuredClaims, [text, 'Grinders'], 'features')('Arnold', 'Bendix Uno')).toEqual([
      'Arnold has a timer.',
    ]);
    expect(await read(featuredClaims, [text, 'Bendix Uno'], 'price')('Bendix Uno', 'Arnold')).toEqual([]);
  });
});
