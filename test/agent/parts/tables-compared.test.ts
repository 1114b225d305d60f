// Price lists and tables with the things over their columns: what is asked of one row is told of that row under that column, and of no other.
import { describe, expect, it } from 'vitest';
import { createRulePlanner } from '../../../src/agent/plan/planner.ts';
import { createSearchGatherer } from '../../../src/agent/turn/gatherer.ts';
import { askLibrary, openLibrary } from '../../../testkit/turn-library.ts';

const library = openLibrary(
  {
    'Price list': `| Article | Model | Accuracy | Unit price | Delivery time |
|---|---|---|---|---|
| 11 | Finch | ±0.5 % | 410 | 12 days |
| 12 | Finch Plus | ±0.1 % | 1,290 | 20 days |
`,
    Zones: `| Zone | Price per pallet and week | Minimum |
|---|---|---|
| Cool | $9.50 | 10 pallets |
| Deep cool | $21.00 | 1 pallet |

Where is it?

Behind hall 3, by the river.
`,
    Sites: `| | Leith | Oban |
|---|---|---|
| Floor space | 1,850 m² | 2,400 m² |
| Monthly rent | EUR 11,400 | EUR 12,900 |
| Available from | 1 July 2031 | 1 October 2031 |
`,
  },
  {
    finds: (title, query) =>
      title === (/Leith|Oban/u.test(query) ? 'Sites' : /ool/u.test(query) ? 'Zones' : 'Price list'),
  },
);

async function told(question: string) {
  const gatherer = createSearchGatherer(library.retriever);
  const { answer } = await askLibrary(question, library, {
    ports: { planner: createRulePlanner({ threshold: 0.6, most: 8 }), gatherer },
  });
  return (answer.parts ?? []).map(({ claims }) => claims.map((place) => answer.claims[place - 1]?.text));
}

describe('tables of things that are compared', () => {
  it('tell of each row its own cells, whatever signs stand in them', async () => {
    expect(await told('Compare the Finch and the Finch Plus in accuracy and unit price.')).toEqual([
      ['Model: Finch; Accuracy: ±0.5 %'],
      ['Model: Finch; Unit price: 410'],
      ['Model: Finch Plus; Accuracy: ±0.1 %'],
      ['Model: Finch Plus; Unit price: 1,290'],
    ]);
    expect(await told('Which is cheaper, the Finch or the Finch Plus, and which is delivered faster?')).toEqual([
      ['Model: Finch; Unit price: 410'],
      ['Model: Finch Plus; Unit price: 1,290'],
      ['Model: Finch; Delivery time: 12 days'],
      ['Model: Finch Plus; Delivery time: 20 days'],
      ['The Finch is cheaper than the Finch Plus: 410 against 1,290.'],
      ['The Finch has a shorter delivery time than the Finch Plus: 12 days against 20 days.'],
    ]);
  });

  it('tell of things over their columns, and nothing of what only shares a word with a row', async () => {
    expect(await told('Compare Leith and Oban in rent and parking spaces.')).toEqual([
      ['Monthly rent: Leith: EUR 11,400'],
      [],
      ['Monthly rent: Oban: EUR 12,900'],
      [],
    ]);
    expect(await told('Which site is larger, Leith or Oban, and which is available earlier?')).toEqual([
      ['Floor space: Leith: 1,850 m²'],
      ['Floor space: Oban: 2,400 m²'],
      ['Available from: Leith: 1 July 2031'],
      ['Available from: Oban: 1 October 2031'],
      ['Oban is larger than Leith: 2,400 m² against 1,850 m².'],
      ['Leith came first: available on 1 July 2031, before Oban on 1 October 2031.'],
    ]);
  });

  it('tell of a row by its name with that of its column, and compare what it counts', async () => {
    expect(await told('What are the price and the minimum of the Cool zone?')).toEqual([
      ['Cool: Price per pallet and week: $9.50'],
      ['Cool: Minimum: 10 pallets'],
    ]);
    expect(await told('Which zone is cheaper, Cool or Deep cool, and which has the larger minimum?')).toEqual([
      ['Cool: Price per pallet and week: $9.50'],
      ['Deep cool: Price per pallet and week: $21.00'],
      ['Zone: Cool; Minimum: 10 pallets'],
      ['Zone: Deep cool; Minimum: 1 pallet'],
      ['Cool is cheaper than Deep cool: $9.50 per pallet and week against $21.00 per pallet and week.'],
      ['Cool has a larger minimum than Deep cool: 10 pallets against 1 pallet.'],
    ]);
  });
});
