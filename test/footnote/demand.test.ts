// The facade tells the demand who is served, and what takes long lets those go first.
import { expect, it } from 'vitest';
import { localScope } from '../../src/core/scope.ts';
import { createDemand } from '../../src/core/waiting/demand.ts';
import type { HandleOptions } from '../../src/footnote/handle/options.ts';
import { createHandle } from '../../src/footnote/handle.ts';

it('counts searches, questions and messages as served, and adds documents after them', async () => {
  const events: string[] = [];
  let nowMs = 0;
  const real = createDemand({ elapsedMs: () => nowMs });
  const demand: HandleOptions['demand'] = {
    ...real,
    async serve(work) {
      events.push('served');
      return real.serve(work);
    },
    async giveWay() {
      events.push('gave way');
    },
    inPieces: () => () => {
      events.push('piece');
      return undefined;
    },
  };
  const work = async (name: string) => {
    nowMs += 1;
    events.push(name);
  };
  const added = { id: 'd', uri: 'u', status: 'created', chunks: 1, warnings: [], deliveries: [] };
  const handle = createHandle({
    demand,
    stores: [{ name: 'embedded' }],
    record: { scope: localScope(), documents: { duplicates: async () => [] } },
    pipeline: {
      async addDocument() {
        await work('add');
        return [added, added];
      },
    },
    conversations: { limits: {} },
    openVisitor: () => ({}),
    requests: { search: () => work('search'), ask: () => work('ask'), send: () => work('send') },
  } as unknown as HandleOptions);
  await handle.search({ query: 'q' });
  await handle.ask({ question: 'q' });
  await handle.sessions.send('s', { content: 'c' });
  expect(events.splice(0)).toEqual(['served', 'search', 'served', 'ask', 'served', 'send']);
  await handle.documents.add({ text: 'x' });
  await handle.stores.add('embedded', { text: 'x' });
  expect(events).toEqual(['gave way', 'add', 'piece', 'piece', 'gave way', 'add', 'piece', 'piece']);
});
