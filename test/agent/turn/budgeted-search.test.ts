// Searches on the budget of a request: what is left is used from the best on, and what a limit refused is told, never taken for nothing found.
import { describe, expect, it } from 'vitest';
import { budgetedSearch } from '../../../src/agent/turn/budgeted-search.ts';
import { createSearchGatherer } from '../../../src/agent/turn/gatherer.ts';
import { runTurn } from '../../../src/agent/turn.ts';
import type { RequestLimits } from '../../../src/core/budget.ts';
import type { FootnoteEvent } from '../../../src/core/events.ts';
import type { Retriever } from '../../../src/retrieval/retrieve.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';
import { requestContext, toolBudget } from '../../../testkit/request-context.ts';
import { readerOf } from '../../answer/model-turn.ts';

const texts = ['The reservoir was completed in 1974 in Zürich.', 'The weir is 12 metres wide.', 'The pump is new.'];
const evidence = texts.map((text, at) => evidenceOf({ id: `c${at}`, text, score: 9 - at }));
const bytesOf = (count: number): number => Buffer.byteLength(texts.slice(0, count).join(''));

function setup(limits: RequestLimits) {
  const events: FootnoteEvent[] = [];
  let searches = 0;
  const retriever: Retriever = {
    async retrieve() {
      searches += 1;
      return { evidence, routing: { sources: [], reason: 'all' }, degraded: [] };
    },
  };
  const context = requestContext({ budget: toolBudget(limits), sink: (event) => events.push(event) });
  const search = () => budgetedSearch(retriever, { query: 'q', mode: 'embedded', topK: 3 }, context);
  const ask = (question: string) =>
    runTurn(
      { question, mode: 'embedded', degraded: [] },
      {
        gatherer: createSearchGatherer(retriever),
        readSpan: readerOf(evidence),
        contextTokens: 2_000,
        spanUrl: () => '/',
      },
      context,
    );
  return { events, search, ask, searches: () => searches };
}

describe('budgetedSearch', () => {
  it('leaves everything as it was found where nothing is limited', async () => {
    const { search, events } = setup({ calls: 0 });
    expect(await search()).toEqual({
      evidence,
      routing: { sources: [], reason: 'all' },
      degraded: [],
      toolCalls: 1,
    });
    expect(events).toEqual([]);
  });

  it('makes as many calls as are left, and says of the others that nothing was searched', async () => {
    const { search, searches, events } = setup({ tools: 2 });
    expect((await search()).evidence).toHaveLength(3);
    expect((await search()).toolCalls).toBe(1);
    const { toolCalls, degraded, ...third } = await search();
    expect([searches(), toolCalls, third.evidence]).toEqual([2, 0, []]);
    expect(degraded).toMatchObject([
      { component: 'budget', code: 'quota-exceeded', detail: expect.stringContaining('2 times') },
    ]);
    expect(events).toContainEqual({ type: 'degraded', degradation: degraded[0] });
  });

  it('keeps the best of what fits into the bytes that are left, of one search and of those after it', async () => {
    const { search } = setup({ bytes: bytesOf(2) });
    const first = await search();
    expect(first.evidence.map(({ chunkId }) => chunkId)).toEqual(['c0', 'c1']);
    expect(first.degraded).toMatchObject([
      { code: 'quota-exceeded', effect: 'The last 1 of 3 passages were left out.' },
    ]);
    expect((await search()).evidence).toEqual([]);
    expect((await setup({ bytes: bytesOf(3) }).search()).degraded).toEqual([]);
    expect((await setup({ bytes: bytesOf(3) - 1 }).search()).evidence).toHaveLength(2);
  });
});

describe('a turn on a budget', () => {
  const question = 'When was the reservoir completed?';

  it('answers from what it could pay, and discloses the rest', async () => {
    const answer = await setup({ tools: 1, bytes: bytesOf(1) }).ask(question);
    expect(answer.claims[0]?.text).toContain('1974');
    expect(answer.degraded).toMatchObject([{ component: 'budget', code: 'quota-exceeded' }]);
    expect(answer.usage.toolCalls).toBe(1);
  });

  it.each<RequestLimits>([{ tools: 0 }, { bytes: 0 }])(
    'says that the budget left nothing to answer from: %o',
    async (limits) => {
      const answer = await setup(limits).ask(question);
      expect(answer).toMatchObject({ abstained: true, degraded: [{ component: 'budget', code: 'quota-exceeded' }] });
      expect(answer.abstainReason).toContain('BUDGET_REQUEST');
      expect(answer.usage.toolCalls).toBe('tools' in limits ? 0 : 1);
    },
  );
});
