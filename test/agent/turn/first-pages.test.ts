// Where a found document is the work that is asked about, its first pages are read as well.
import { expect, it } from 'vitest';
import { withFirstPages } from '../../../src/agent/turn/first-pages.ts';
import type { Gathering, TurnRequest } from '../../../src/agent/turn/turn-state.ts';
import type { Evidence } from '../../../src/core/search.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';
import { requestContext } from '../../../testkit/request-context.ts';

const found = (evidence: readonly Evidence[]): Gathering => ({
  evidence,
  routing: { sources: [], reason: 'all' },
  degraded: [],
  toolCalls: 1,
});
const page = (id: string, start: number, title = 'Tides and Men'): Evidence => ({
  ...evidenceOf({ id, text: `Page ${id}.`, score: 3 }),
  documentId: 'doc_tides',
  title,
  start,
});

async function gathered(question: string, first: readonly Evidence[], pages: readonly Evidence[]) {
  const asked: { query: string; filter: TurnRequest['filter'] }[] = [];
  const request: TurnRequest = { question, mode: 'embedded', degraded: [] };
  const result = await withFirstPages(
    found(first),
    {
      request,
      search: async (query, { request: { filter } }) => {
        asked.push({ query, filter });
        return found(pages);
      },
    },
    requestContext(),
  );
  return { asked, ids: result.evidence.map(({ chunkId }) => chunkId), toolCalls: result.toolCalls };
}

it('asks the work alone, and puts its beginning first, in its order', async () => {
  const { asked, ids, toolCalls } = await gathered(
    'Who wrote Tides and Men?',
    [page('late', 90_000)],
    [page('late', 90_000), page('second', 2_000), page('first', 0)],
  );
  expect(asked).toEqual([
    { query: expect.stringContaining('Tides and Men'), filter: { op: 'eq', field: 'id', value: 'doc_tides' } },
  ]);
  expect(ids).toEqual(['first', 'second', 'late']);
  expect(toolCalls).toBe(2);
});

it('asks nothing for another question, or where no found document is that work', async () => {
  expect((await gathered('Who built the quay?', [page('a', 0)], [])).asked).toEqual([]);
  expect((await gathered('Who wrote Ships of the North?', [page('a', 0)], [])).asked).toEqual([]);
});
