// Price lists and tables with the things over their columns: each part cites the table that names its thing.
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

/** Of each part the title of what it cites. */
async function told(question: string) {
  const gatherer = createSearchGatherer(library.retriever);
  const { answer } = await askLibrary(question, library, {
    ports: { planner: createRulePlanner({ threshold: 0.6, most: 8 }), gatherer },
  });
  return (answer.parts ?? []).flatMap(({ claims }) =>
    claims.map((place) => {
      const claim = answer.claims[place - 1];
      const cited = answer.citations.find(({ index }) => claim?.citations.includes(index));
      return [cited?.title, claim?.form].join(': ');
    }),
  );
}

describe('tables of things that are compared', () => {
  it('are cited whole by each part', async () => {
    const list = 'Price list: row';
    expect(await told('Compare the Finch and the Finch Plus in accuracy and unit price.')).toEqual([
      list,
      list,
      list,
      list,
    ]);
    expect(await told('Which is cheaper, the Finch or the Finch Plus, and which is delivered faster?')).toEqual([
      list,
      list,
      list,
      list,
    ]);
  });

  it('with the things over their columns too', async () => {
    const sites = 'Sites: row';
    expect(await told('Which site is larger, Leith or Oban, and which is available earlier?')).toEqual([
      sites,
      sites,
      sites,
      sites,
    ]);
  });

  it('of which a name holds the other', async () => {
    const zones = 'Zones: row';
    expect(await told('What are the price and the minimum of the Cool zone?')).toEqual([zones, zones]);
    expect(await told('Which zone is cheaper, Cool or Deep cool, and which has the larger minimum?')).toEqual([
      zones,
      zones,
      zones,
      zones,
    ]);
  });
});
