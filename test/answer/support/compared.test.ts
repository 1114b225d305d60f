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

  test('a document that speaks of itself speaks of what its title names', () => {
    const things = ['the Acme contract', 'the Nordnet contract'];
    const quotes = [
      {
        quote: 'This agreement is made on 3 March 2021 between Birch Ltd and others.',
        title: 'Agreement with Acme',
      },
      { quote: 'This contract was signed on 14 June 2019.', title: 'Hosting contract with Nordnet' },
    ];
    const relation = relationOf('Which was signed first?');
    const compared = relation && compareBy(relation, things, quotes);
    expect(compared).toMatchObject({ text: expect.stringMatching(/^The Nordnet contract came first: signed on 14/u) });
    const untitled = quotes.map(({ quote }) => ({ quote }));
    expect(relation && compareBy(relation, things, untitled)).toHaveProperty('missing');
    const ofOthers = [quotes[0]!, { ...quotes[1]!, title: 'Hosting contract with Fenwick' }];
    expect(relation && compareBy(relation, things, ofOthers)).toHaveProperty('missing');
  });

  test('the first release is of what the document is called', () => {
    const quotes = [
      { quote: 'The first release was in 2015. The current version is 9.0.0.', title: 'slowlog' },
      { quote: 'fastlog was first released in 2018.', title: 'fastlog' },
    ];
    const relation = relationOf('Which came first?');
    const compare = (titled: typeof quotes) => relation && compareBy(relation, ['fastlog', 'slowlog'], titled);
    expect(compare(quotes)).toMatchObject({ text: 'Slowlog came first: released in 2015, before fastlog in 2018.' });
    expect(compare(quotes.map((one) => ({ ...one, title: 'Loggers' })))).toHaveProperty('missing');
    const its = (before: string) => [
      { quote: `${before} Its first public version appeared on 2 September 2013.`, title: 'Loggers' },
      quotes[1]!,
    ];
    expect(compare(its('Slowlog is a logger, made by Acme in Graz.'))).toMatchObject({
      text: expect.stringMatching(/^Slowlog came first: released on 2 September 2013/u),
    });
    expect(compare(its('Slowlog is a rival of Quicklog.'))).toHaveProperty('missing');
  });

  test('a document that is called like the thing means it behind a sentence about it, with an initial, and in a table of properties', () => {
    const relation = relationOf('Who is older?');
    const lives = [
      { quote: 'Jun H. Moll (born May 17, 1971) is a mayor.', title: 'Jun Moll' },
      { quote: 'Ada Brook (born June 17, 1966) is a judge.', title: 'Ada Brook' },
    ];
    const compare = (quotes: typeof lives) => relation && compareBy(relation, ['Jun Moll', 'Ada Brook'], quotes);
    expect(compare(lives)).toMatchObject({
      text: expect.stringMatching(/^Ada Brook came first: born on June 17, 1966/u),
    });
    expect(compare(lives.map((one) => ({ ...one, title: 'Mayors' })))).toHaveProperty('missing');

    const spans = [
      { quote: 'Jun Moll (Welsh: Iwan "Mol"; 15 June 1924 – 24 April 2005) was a judge.', title: 'Jun Moll' },
      {
        quote: 'Ada Lane Brook ( ; February 8, 1894 – November 1, 1982) was a judge for nearly ten years.',
        title: 'Ada Brook',
      },
    ];
    expect(compare(spans)).toMatchObject({
      text: expect.stringMatching(/^Ada Brook came first: born on February 8, 1894/u),
    });

    const founded = relationOf('Which was founded first?');
    const presses = [
      {
        quote: 'Bolt Press (Bolt: "Ofis") is the first press for books on Ardley. It was founded in 2003.',
        title: 'Bolt Press',
      },
      { quote: 'Acme Press was founded in 1869.', title: 'Acme Press' },
    ];
    const order = (quotes: typeof presses) => founded && compareBy(founded, ['Bolt Press', 'Acme Press'], quotes);
    expect(order(presses)).toMatchObject({
      text: 'Acme Press came first: founded in 1869, before Bolt Press in 2003.',
    });
    expect(order(presses.map((one) => ({ ...one, title: 'Presses' })))).toHaveProperty('missing');

    const cheaper = relationOf('Which is cheaper?');
    const columns = { names: ['Property', 'Value'], isMarkdown: true };
    const sheets = [
      { quote: '| List price | $415 |', title: 'Finch P8: data sheet', columns },
      { quote: '| List price | $380 |', title: 'Heron', columns },
    ];
    const weigh = (quotes: readonly { quote: string; title: string }[]) =>
      cheaper && compareBy(cheaper, ['Finch P8', 'Heron'], quotes);
    const told = 'Heron is cheaper than Finch P8: $380 against $415.';
    expect(weigh(sheets)).toMatchObject({ text: told });
    expect(comparisonHeld(told, sheets)).toMatchObject({ text: told });
    expect(weigh(sheets.map((one) => ({ ...one, columns: { ...columns, names: ['Model', 'Value'] } })))).toHaveProperty(
      'missing',
    );
    expect(weigh(sheets.map((one) => ({ ...one, title: `${one.title} Plus` })))).toHaveProperty('missing');
  });

  test('a row is of what its document is called by, where its label and the title name the thing and nothing beside them', () => {
    const columns = (price: string) => ({ names: ['Plan', price, 'Seats'], isMarkdown: true });
    const quotes = [
      { quote: '| Team | $79 | 15 |', title: 'Osprey', columns: columns('Price per month') },
      { quote: '| Cloud | $120 | 25 |', title: 'Magpie', columns: columns('Price per month') },
    ] as const;
    const relation = relationOf('Which is cheaper?');
    const compare = (a: string, b: string, [first, second]: readonly [object, object] = [{}, {}]) =>
      relation &&
      compareBy(
        relation,
        [a, b],
        [
          { ...quotes[0], ...first },
          { ...quotes[1], ...second },
        ],
      );
    for (const [a, b] of [
      ['the Team plan of Osprey', 'the Cloud plan of Magpie'],
      ['Osprey Team', 'Magpie Cloud'],
      ["Osprey's Team plan", 'Magpie’s Cloud plan'],
    ] as const) {
      const compared = compare(a, b);
      const told = `${a.replace(/^t/u, 'T')} is cheaper than ${b}: $79 per month against $120 per month.`;
      expect(compared).toMatchObject({ text: told });
      expect(comparisonHeld(told, quotes)).toMatchObject({ text: told });
      expect(comparisonHeld(told.replace('$79', '$78'), quotes)).toBeUndefined();
    }
    for (const [a, b] of [
      ['Osprey', 'Magpie'],
      ['the Team plan', 'the Cloud plan'],
      ['the Team support of Osprey', 'Magpie Cloud'],
      ['Osprey Pro Team', 'Magpie Cloud'],
      ['Magpie Team', 'Osprey Cloud'],
    ] as const)
      expect(compare(a, b), `${a}, ${b}`).toHaveProperty('missing');
    // A month is no year, and a price of something else is none of the plan.
    expect(compare('Osprey Team', 'Magpie Cloud', [{}, { columns: columns('Price per year') }])).toHaveProperty(
      'missing',
    );
    expect(compare('Osprey Team', 'Magpie Cloud', [{}, { columns: columns('Setup price') }])).toHaveProperty('missing');
  });

  test('what a column is called is compared as well, and things that stand over the columns', () => {
    const named = { names: ['Article', 'Model', 'Battery life', 'Delivery time'], isMarkdown: true };
    const models = [
      { quote: '| 7 | Finch | 18 months | 12 days |', columns: named },
      { quote: '| 8 | Heron | 30 months | 9 days |', columns: named },
    ];
    const across = { names: ['', 'Leith', 'Oban'], isMarkdown: true };
    const sites = [
      { quote: '| Floor space | 1,850 m² | 2,400 m² |', columns: across },
      { quote: '| Available from | 1 July 2031 | 1 October 2031 |', columns: across },
    ];
    const people = [{ quote: 'Name: Ada Brook; Joined: 2014-02-03' }, { quote: 'Name: Tim Lane; Joined: 2016-06-20' }];
    const things = [
      { quote: 'Tag: T1; Type: Van; Price EUR: 24300' },
      { quote: 'Tag: T2; Type: Press; Price EUR: 31700' },
    ];
    for (const [asked, names, quotes, told] of [
      [
        'Which has the longer battery life?',
        ['the Finch', 'the Heron'],
        models,
        'The Heron has a longer battery life than the Finch: 30 months against 18 months.',
      ],
      [
        'Which is delivered faster?',
        ['the Finch', 'the Heron'],
        models,
        'The Heron has a shorter delivery time than the Finch: 9 days against 12 days.',
      ],
      ['Which site is larger?', ['Leith', 'Oban'], sites, 'Oban is larger than Leith: 2,400 m² against 1,850 m².'],
      [
        'Which is available earlier?',
        ['Leith', 'Oban'],
        sites,
        'Leith came first: available on 1 July 2031, before Oban on 1 October 2031.',
      ],
      [
        'Who joined first?',
        ['Tim Lane', 'Ada Brook'],
        people,
        'Ada Brook came first: joined on 2014-02-03, before Tim Lane on 2016-06-20.',
      ],
      [
        'Which was more expensive?',
        ['the van', 'the press'],
        things,
        'The press is more expensive than the van: 31700 EUR against 24300 EUR.',
      ],
    ] as const) {
      const relation = relationOf(asked);
      expect(relation && compareBy(relation, names, quotes), asked).toMatchObject({ text: told });
      expect(comparisonHeld(told, quotes)).toMatchObject({ text: told });
      expect(comparisonHeld(told.replace(/\d/u, '4'), quotes)).toBeUndefined();
    }
    // Another column is another measure.
    const warranty = relationOf('Which has the longer warranty?');
    expect(warranty && compareBy(warranty, ['the Finch', 'the Heron'], models)).toHaveProperty('missing');
    // Two vans, two prices: of which is meant nobody can tell.
    const price = relationOf('Which was more expensive?');
    const more = [...things, { quote: 'Tag: T3; Type: Van; Price EUR: 40000' }];
    expect(price && compareBy(price, ['the van', 'the press'], more)).toHaveProperty('missing');
  });

  test('dates of different events are told and not compared', () => {
    const quotes = [
      { quote: 'The old bridge was opened in 1903.' },
      { quote: 'The new bridge was completed in 1988.' },
    ];
    const relation = relationOf('Which came first?');
    expect(relation && compareBy(relation, ['the old bridge', 'the new bridge'], quotes)).toEqual({
      missing:
        'The dates found are of different events: opened in 1903 (the old bridge), completed in 1988 (the new bridge).',
    });
  });
});
