// Claims about rows of tables and records: true in other words and another order, and forged by taking a cell from somewhere else.
import { describe, expect, it } from 'vitest';
import type { SpanReader } from '../../src/answer/claims/draft.ts';
import { supportOf } from '../../src/answer/support.ts';
import { columnsAbove } from '../../src/answer/tables/columns.ts';
import { type Columns, rowsOf } from '../../src/answer/tables/rows.ts';
import { verifyDraft } from '../../src/answer/verify.ts';
import {
  type TableClaim,
  tableClaims,
  tableForgeries,
  tableReadings,
  writings,
} from '../../testkit/forge/forge-tables.ts';

const isSupported = (claim: string, quote: string, columns?: Columns): boolean =>
  supportOf(claim, quote, columns ? { columns } : {}).verdict === 'supported';

const record = 'Station: Q350; Salinity: 5.6; Depth (m): 12; Share (%): 7; Oxygen (mg/L): 9.1';
const yearly: Columns = { names: ['', '2022', '2023'], isMarkdown: false };
const revenue = 'Revenue (million) | 3.9 | 4.1';

describe('a row says what its columns say', () => {
  it.each([
    'The salinity of Station Q350 was 5.6.',
    'Q350 had a salinity of 5.6 and a depth of 12 m.',
    'The share of Q350 was 7 percent.',
  ])('accepts: %s', (claim) => {
    expect(supportOf(claim, record)).toMatchObject({
      verdict: 'supported',
      reasons: [expect.stringMatching(/^read-by-columns: /)],
    });
  });
  it.each([
    ['under another column', 'The salinity of Station Q350 was 12 m.'],
    ['without its column', 'Station: Q350; Salinity: 12'],
    ['swapped', 'Q350 had a salinity of 12 m and a depth of 5.6.'],
    ['swapped in lists', 'The salinity and depth of Q350 were 12 m and 5.6.'],
    ['another row', 'The salinity of Station Q351 was 5.6.'],
    ['changed figure', 'The salinity of Station Q350 was 6.5.'],
    ['changed unit', 'The depth of Q350 was 12 km.'],
    ['dropped unit', 'The depth of Q350 was 12.'],
    ['denied', 'The salinity of Station Q350 was not 5.6.'],
    ['compared', 'The salinity of Station Q350 was higher than 5.6.'],
    ['bounded', 'The salinity of Station Q350 was at least 5.6.'],
    ['doubted', 'The salinity of Station Q350 may be 5.6.'],
    ['all rows', 'All stations had a salinity of 5.6.'],
    ['a name without its value', 'The depth and salinity of Q350 was 5.6.'],
    ['negative', 'The salinity of Station Q350 was -5.6.'],
    ['asked', 'Was the salinity of Station Q350 5.6?'],
  ])('refuses: %s', (_, claim) => {
    expect(isSupported(claim, record)).toBe(false);
  });
  it('reads rows parted by bars with the header above them, and the unit of the row', () => {
    expect(isSupported('Revenue in 2023 was 4.1 million.', revenue, yearly)).toBe(true);
    for (const claim of [
      'Revenue in 2022 was 4.1 million.',
      'Revenue was 4.1 million in 2022 and 3.9 million in 2023.',
      'Revenue was 4.1 million.',
      'Revenue in 2023 was 4.1 billion.',
      'Revenue in 2023 was 4.1.',
      'Revenue rose to 4.1 million in 2023.',
    ])
      expect(isSupported(claim, revenue, yearly), claim).toBe(false);
    expect(isSupported('Revenue in 2023 was 4.1 million.', revenue)).toBe(false);
  });
  it('reads figures in brackets as no positive ones', () => {
    expect(isSupported('Costs in 2023 were 2.5.', 'Costs | 2.0 | (2.5)', yearly)).toBe(false);
  });
  it('does not read a row by a value that is not its first', () => {
    expect(isSupported('The salary of Lee is 50.', 'Team: Sales; Employee: Lee; Salary: 50')).toBe(false);
  });
  it('mixes no rows and no records', () => {
    const rows = 'Station: Q350; Salinity: 5.6\nStation: Q351; Salinity: 4.2';
    expect(isSupported('The salinity of Q351 was 5.6.', rows)).toBe(false);
    expect(isSupported('Salinity: 5.6 Station: Q351', rows)).toBe(false);
    expect(isSupported('The salinity of Q351 was 4.2.', rows)).toBe(true);
    const cards = 'Jane Doe\n\nPhone: 555-1\nTown: Oslo\n\nAnn Lee\n\nPhone: 555-2\nTown: Turin';
    expect(isSupported("Ann Lee's phone is 555-2.", cards)).toBe(true);
    expect(isSupported("Ann Lee's phone is 555-1.", cards)).toBe(false);
    expect(isSupported("Jane Doe's phone is 555-2.", cards)).toBe(false);
  });
  it('reads no name of a nested field by a part of it', () => {
    const settings = 'name: Alpha\nserver.port: 8080\nclient.port: 9090\nserver.maxWait: 30 s';
    expect(isSupported('The port of Alpha is 8080.', settings)).toBe(false);
    expect(isSupported('The client port of Alpha is 8080.', settings)).toBe(false);
  });
  it('says nothing of a column whose name another one has', () => {
    expect(isSupported('The income of Acme was 7.', 'Firm: Acme; Income: 7; Income: 5')).toBe(false);
  });
  it('reads German rows', () => {
    const german = 'Station: Q350; Salzgehalt: 5,6; Tiefe (m): 12';
    expect(isSupported('Der Salzgehalt der Station Q350 betrug 5,6.', german)).toBe(true);
    expect(isSupported('Die Tiefe der Station Q350 betrug 5,6 m.', german)).toBe(false);
  });
  it('leaves prose with colons to the rules of prose', () => {
    expect(isSupported('The valve was closed.', 'The valve was closed: the crew says so.')).toBe(true);
  });
});

describe('a row below the title of its document', () => {
  const row = '| Team | $29 per month |';
  const columns: Columns = { names: ['plan', 'price'], isMarkdown: true };
  const isSaid = (claim: string, context: string): boolean =>
    supportOf(claim, row, { context, columns }).verdict === 'supported';

  it('may be said with the title in front of it, and with no other name', () => {
    expect(isSaid('Kestrel: plan: Team; price: $29 per month', 'Kestrel')).toBe(true);
    expect(isSaid('Heron: plan: Team; price: $29 per month', 'Kestrel')).toBe(false);
    expect(isSaid('Kestrel: plan: Team; price: $29 per month', 'Kestrel and Heron')).toBe(false);
    expect(isSaid('Kestrel: plan: Team; price: $49 per month', 'Kestrel')).toBe(false);
    expect(isSaid('plan: Kestrel: Team; price: $29 per month', 'Kestrel')).toBe(false);
  });
});

describe('the columns above a row', () => {
  const at = (text: string, row: string): readonly string[] | undefined => columnsAbove(text, text.indexOf(row))?.names;
  it('are those that Markdown marks, also without figures', () => {
    expect(at('| A | B |\n|---|:-:|\n| x | y |\n| z | w |', '| z')).toEqual(['A', 'B']);
  });
  it('are words and years over figures, an empty first cell kept', () => {
    expect(at('Text.\n\n| 2022 | 2023\nRevenue | 3.9 | 4.1\nCosts | 2.0 | 2.5', 'Costs')).toEqual(['', '2022', '2023']);
    expect(at('In euros\n\n | Year ended\nItem | 2022 | 2023\nRent | 3.9 | 4.1', 'Rent')?.[1]).toBe('Year ended 2022');
  });
  it('are unknown where the top of the table is not seen, or another header stands between', () => {
    const text = 'Alpha | Beta\nx | 5\ny | 7';
    expect(at(text, 'y | 7')).toEqual(['Alpha', 'Beta']);
    expect(at(text.replace('x | 5\n', 'x | 5\n'.repeat(10_100)), 'y | 7')).toBeUndefined();
    expect(at('Item | 2022\nRent | 5\nItem | 2023\nRent too | 7', 'Rent too')).toBeUndefined();
    expect(at('Name | Town\nAnn | Oslo\nJane | Turin', 'Jane')).toBeUndefined();
  });
  it('are unknown where a row is cut by the farthest place that is looked at', () => {
    const below = `North | Fields\n${'x | 5\n'.repeat(9_000)}`;
    const cut = `wheat | ${'7'.repeat(60_000 - below.length)}`;
    expect(at(`Item | Yield\n${cut}\n${below}y | 7`, 'y | 7')).toBeUndefined();
    expect(at(`Item | Yield\nwheat | 7\n\n${below}y | 7`, 'y | 7')).toEqual(['North', 'Fields']);
  });
  it('may stand apart from the rows, as HTML parts them', () => {
    expect(at('Ferries.\n\nFerry | Pier\n\nMS A | 12\nMS B | 13', 'MS B')).toEqual(['Ferry', 'Pier']);
    expect(at('Ferries.\n\nFerry | Pier | Deck\n\nMS A | 12\nMS B | 13', 'MS B')).toBeUndefined();
  });
  it('are what stands over each cell but the first, where nothing stands over that', () => {
    const text = '| Norland | Westmark\nCapital | Oslin | Harbo\nCoin | | Krone';
    expect(at(text, 'Capital')).toEqual(['', 'Norland', 'Westmark']);
    expect(at(text, 'Coin')).toBeUndefined();
    expect(at('Item | Norland | Westmark\nCapital | Oslin | Harbo', 'Capital')).toBeUndefined();
  });
  it('name no row that has more cells', () => {
    expect(rowsOf('a | 1 | 2', { names: ['Name', 'First'], isMarkdown: false })).toEqual([]);
  });
});

const judge = ({ claim, text, start, end }: TableClaim): boolean =>
  isSupported(claim, text.slice(start, end), columnsAbove(text, start));

describe('forged and true claims about rows', () => {
  it('makes every kind in every writing', () => {
    const made = tableClaims({ count: 500, seed: 1, kinds: tableForgeries });
    expect(new Set(made.map(({ kind }) => kind))).toEqual(new Set(Object.keys(tableForgeries)));
    expect(new Set(made.map(({ writing }) => writing))).toEqual(new Set(writings));
  });
  it.each([11, 12, 13])('accepts none of 2,000 forgeries, seed %i', { timeout: 60_000 }, (seed) => {
    const forged = tableClaims({ count: 2_000, seed, kinds: tableForgeries });
    expect(forged).toHaveLength(2_000);
    expect(forged.filter(judge).slice(0, 5)).toEqual([]);
  });
  it('accepts at least three quarters of 1,000 true ones', { timeout: 60_000 }, () => {
    const told = tableClaims({ count: 1_000, seed: 11, kinds: tableReadings });
    expect(told.filter((one) => !judge(one)).length).toBeLessThanOrEqual(250);
  });
});

describe('a draft over a table', () => {
  const before = 'The accounts of the year follow.\n\n';
  const table = `| 2022 | 2023\n${revenue}\nCosts (million) | 2.0 | 2.5`;
  const text = `${before}${table}`;
  const reads: [number, number][] = [];
  const readSpan: SpanReader = async ({ documentId, chunkId, start, end }) => {
    reads.push([start, end]);
    const columns = columnsAbove(text, start);
    return {
      ...(columns && { columns }),
      documentId,
      chunkId,
      start,
      end,
      quote: text.slice(start, end),
      title: 'Accounts',
      uri: 'a.pdf',
      source: 's',
    };
  };
  const start = text.indexOf(revenue);
  const span = { documentId: 'd', chunkId: 'c', start, end: start + revenue.length };
  const claimOf = (claim: string) => ({
    claims: [{ text: claim, spans: [span], relevance: 1 }],
    coverage: 1,
    confidence: 1,
  });

  it('reads the header above the row, cites the row alone, and says so', async () => {
    const { claims, dropped } = await verifyDraft(claimOf('Revenue in 2023 was 4.1 million.'), readSpan);
    expect(dropped).toEqual([]);
    expect(claims[0]).toMatchObject({ spans: [{ start, quote: revenue }], notes: ['read-by-columns: 2023'] });
  });
  it('refuses what the header gives to another column', async () => {
    const { claims, dropped } = await verifyDraft(claimOf('Revenue in 2022 was 4.1 million.'), readSpan);
    expect(claims).toEqual([]);
    expect(dropped[0]?.reasons[0]).toMatch(/^not-in-row: /);
  });
  it.each([revenue, 'Revenue in 2023 was 4.1 million.'])('reads its quote and nothing more: %s', async (claim) => {
    reads.length = 0;
    await verifyDraft(claimOf(claim), readSpan);
    expect(reads).toEqual([[span.start, span.end]]);
  });
  it('takes the columns that the reader knows', async () => {
    const knowing: SpanReader = async (reference) => {
      const read = await readSpan(reference);
      return read && { ...read, columns: { names: ['', '2023', '2022'], isMarkdown: false } };
    };
    const { claims } = await verifyDraft(claimOf('Revenue in 2022 was 4.1 million.'), knowing);
    expect(claims).toHaveLength(1);
  });
  it('does not take a line of one quote for the heading of another', async () => {
    const cards = 'Jane Doe\n\nPhone: 555-1\nTown: Oslo\n\nAnn Lee\n\nPhone: 555-2\nTown: Turin';
    const reader: SpanReader = async ({ documentId, chunkId, start: from, end }) => ({
      documentId,
      chunkId,
      start: from,
      end,
      quote: cards.slice(from, end),
      title: 'Cards',
      uri: 'a.vcf',
      source: 's',
    });
    const at = cards.lastIndexOf('Phone');
    const spans = [
      { documentId: 'd', chunkId: 'c', start: 0, end: 8 },
      { documentId: 'd', chunkId: 'c', start: at, end: cards.length },
    ];
    const draft = { claims: [{ text: "Jane Doe's phone is 555-2.", spans, relevance: 1 }] };
    expect((await verifyDraft(draft, reader)).claims).toEqual([]);
  });
});
