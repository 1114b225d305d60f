// Every hit of a search that goes no further is told once, with the reason of the step that left it behind.
import { expect, it } from 'vitest';
import type { FootnoteEvent } from '../../src/core/events.ts';
import { createLeavingOut } from '../../src/retrieval/left-out.ts';

const hits = ['a', 'b', 'c', 'd', 'e'].map((chunkId, place) => ({ chunkId, score: 5 - place }));
const some = (...ids: string[]) => ids.map((chunkId) => ({ chunkId }));

it('tells each hit with the step that left it behind, and nothing where all go on', () => {
  const events: FootnoteEvent[] = [];
  const leaving = createLeavingOut(hits);
  leaving.keep(some('a', 'b', 'c', 'd'), ({ score }) => (score < 2 ? 'below' : 'beyond'));
  leaving.keep(some('d', 'a', 'c'), (_, place) => `place ${place}`);
  leaving.keep(some('a'), () => 'beyond');
  leaving.tell((event) => events.push(event));
  expect(events).toEqual([
    {
      type: 'left-out',
      stage: 'search',
      passages: [
        { reason: 'below', chunkIds: ['e'] },
        { reason: 'place 1', chunkIds: ['b'] },
        { reason: 'beyond', chunkIds: ['c', 'd'] },
      ],
    },
  ]);
  const silent = createLeavingOut(hits);
  silent.keep(hits, () => 'never');
  silent.tell((event) => events.push(event));
  expect(events).toHaveLength(1);
});
