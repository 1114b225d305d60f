import { expect, it } from 'vitest';
import type { FootnoteEvent, LoggedEvent } from '../../../src/core/events.ts';
import { outlineOf } from '../../../src/db/both/erased-texts.ts';

it('leaves numbers and fixed words of a request, and names no passage', () => {
  const events: FootnoteEvent[] = [
    { type: 'status', stage: 'searching' },
    {
      type: 'reranking',
      inputCount: 4,
      outputCount: 3,
      method: 'web-ranks',
      first: { before: ['chk_a'], after: ['chk_b'] },
    },
    { type: 'delta', text: 'The owl weighs 500 grams.' },
  ];
  const logged = events.map((event, at): LoggedEvent => ({ seq: at + 1, atMs: at, event }));
  expect(outlineOf(logged, 'now').map(({ seq, event }) => [seq, event])).toEqual([
    [1, { type: 'status', stage: 'searching' }],
    [2, { type: 'reranking', inputCount: 4, outputCount: 3, method: 'web-ranks' }],
    [3, { type: 'erased', at: 'now', events: 1 }],
  ]);
});
