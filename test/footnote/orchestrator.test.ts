// The product as people run it, with a model of the planner role that is scripted: over a real folder, a real index and a provider's protocol.
import { afterEach, describe, expect, it } from 'vitest';
import { replayTrace } from '../../src/footnote/replay/replay.ts';
import { type FakeProviderServer, startFakeAzure, startFakeOpenAI } from '../../src/testing/index.ts';
import { openNotes } from '../../testkit/notes-system.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const documents = {
  'film.md': '# Harbour Lights\n\nHarbour Lights is a film of 1931. It was directed by Ada Brook.\n',
  'brook.md':
    '# Ada Brook\n\nAda Brook was an engineer who made films. She grew up in Leith, where she was born in 1870.\n',
  'pier.md': '# The pier\n\nThe pier was repaired in 1951. A film was shown there.\n',
};

const open = (fake: FakeProviderServer, settings: Readonly<Record<string, string>>) =>
  openNotes(fake, {
    documents,
    settings: { ENABLE_ORCHESTRATOR: 'true', DEFAULT_MODE: 'embedded', ...settings },
    ends,
  });
const question = 'Where was the director of Harbour Lights born?';
const toolCalls = [{ id: 'c1', name: 'search_embedded', arguments: '{"query":"Ada Brook born","limit":5}' }];

describe('with a planner that calls tools', () => {
  it.each([
    [
      'openai',
      () => startFakeOpenAI([{ reply: { toolCalls } }, { expect: 'Leith', reply: 'Enough.' }]),
      'compatible:gpt-5.2',
    ],
    ['azure', () => startFakeAzure([{ reply: { toolCalls } }, { expect: 'Leith', reply: 'Enough.' }]), 'azure:fake'],
  ] as const)('finds the second hop, and its trace says how (%s)', async (_, start, planner) => {
    const fake = await start();
    const footnote = await open(fake, { MODEL_PLANNER: planner });
    const answer = await footnote.ask({ question });
    fake.assertFinished();
    expect(answer.sources.map(({ title }) => title)).toContain('Ada Brook');
    expect(answer.models).toMatchObject([{ role: 'planner', model: planner }]);
    expect(answer.usage.toolCalls).toBe(2);
    expect(answer.usage.inputTokens).toBeGreaterThan(0);
    const trace = await footnote.traces.get(answer.traceId);
    const calls = trace?.events.flatMap(({ event }) =>
      event.type === 'call' ? [`${event.call.port} ${event.call.method}`] : [],
    );
    expect(calls).toEqual(expect.arrayContaining(['agent.planner plan-search@1', 'agent.tools search_embedded']));
    expect((await footnote.answers.verify(answer)).ok).toBe(true);
  });

  it('asks no planner unless it is enabled', async () => {
    const fake = await startFakeOpenAI([]);
    const footnote = await open(fake, { ENABLE_ORCHESTRATOR: 'false', MODEL_PLANNER: 'compatible:gpt-5.2' });
    await footnote.ask({ question });
    expect(fake.requests).toEqual([]);
  });

  it('recalls what the user said, looks for what that names, and tells what was recalled', async () => {
    const call = (id: string, name: string, given: object) => ({ id, name, arguments: JSON.stringify(given) });
    const fake = await startFakeOpenAI([
      { reply: { toolCalls: [call('m', 'recall_memory', { query: 'Where do I live?' })] } },
      {
        expect: '| I live in Leith.',
        reply: { toolCalls: [call('s', 'search_embedded', { query: 'ferry Leith ticket', limit: 3 })] },
      },
      { expect: 'costs 4 crowns', reply: 'Enough.' },
    ]);
    const ferries = Object.fromEntries(
      Array.from({ length: 15 }, (_, at) => [
        `ferry-${at}.md`,
        `# Ferry of town ${at}\n\nThe ferry of town ${at} takes people to work.\n`,
      ]),
    );
    const footnote = await openNotes(fake, {
      documents: { ...ferries, 'leith.md': '# Leith\n\nA ticket for the boat at Leith costs 4 crowns.\n' },
      settings: {
        ENABLE_ORCHESTRATOR: 'true',
        ENABLE_SEMANTIC_MEMORY: 'true',
        DEFAULT_MODE: 'embedded',
        MODEL_PLANNER: 'compatible:gpt-5.2',
      },
      ends,
    });
    await footnote.sessions.send('ses_a', { content: 'I live in Leith.' });
    const answer = await footnote.ask({ question: 'Which ferry takes people of the town where I live?' });
    fake.assertFinished();
    expect(answer.sources.map(({ title }) => title)).toContain('Leith');
    // Memories are no sources that were searched.
    expect(answer.sources.map(({ uri }) => uri).filter((uri) => uri.startsWith('memory:'))).toEqual([]);
    const { events } = await footnote.traces.get(answer.traceId);
    const recalled = events.flatMap(({ event }) => (event.type === 'semantic_memory' ? [event.recalled] : []));
    expect(recalled).toEqual([0, 1]);
    const [memory] = (await footnote.memories.list({})).data;
    expect(memory?.usageCount).toBe(1);
    expect((await replayTrace(await footnote.traces.get(answer.traceId))).same).toBe(true);
  });

  it('has no memory to recall from where memory is off, or the question says where to look', async () => {
    const fake = await startFakeOpenAI(() => 'Enough.');
    const footnote = await open(fake, { MODEL_PLANNER: 'compatible:gpt-5.2', ENABLE_SEMANTIC_MEMORY: 'true' });
    await footnote.ask({ question, sources: ['notes'] });
    expect(JSON.stringify(fake.requests.at(-1)?.body)).not.toContain('recall_memory');
    await footnote.ask({ question });
    expect(JSON.stringify(fake.requests.at(-1)?.body)).toContain('recall_memory');
    const forgetful = await open(await startFakeOpenAI(() => 'Enough.'), { MODEL_PLANNER: 'compatible:gpt-5.2' });
    const { traceId } = await forgetful.ask({ question });
    expect(JSON.stringify(await forgetful.traces.get(traceId))).not.toContain('recall_memory');
  });
});
