// Past conversations in `ask`, over a whole system: a question for what was said is answered out of turns, cited as turns; no other question is.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { asksForConversations } from '../../../src/agent/archive-chat/about-conversations.ts';
import { loadConfig } from '../../../src/config.ts';
import { localScope } from '../../../src/core/scope.ts';
import { replayTrace } from '../../../src/footnote/replay/replay.ts';
import { answerOf, type FakeReply, type FakeRequest, startFakeOpenAI } from '../../../src/testing/index.ts';
import { toJsonl } from '../../../testkit/archive-fixture.ts';
import { openFootnote } from '../../../testkit/open-footnote.ts';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const said = (conversation_id: string, turn_id: string, timestamp: string, text: string) => ({
  conversation_id,
  turn_id,
  role: 'user',
  text,
  timestamp,
  title: 'Home',
});
const lines = [
  said('a', 'a1', '2022-04-02T10:00:00Z', 'Could solar panels pay off for us? The roof faces south.'),
  said('b', 'b2', '2023-06-12T10:00:00Z', 'We decided to order twelve solar panels from Sunny Ltd.'),
  said('c', 'c1', '2024-03-15T10:00:00Z', 'The tomatoes on the balcony need a bigger pot.'),
];

async function openSystem(environment: Readonly<Record<string, string>> = {}, archive = lines) {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-past-'));
  const one = await openFootnote(
    loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data'), ...environment } }),
  );
  opened.push(
    () => rm(folder, { recursive: true }),
    () => one.close(),
  );
  const footnote = one.forScope(localScope());
  const path = join(folder, 'x.jsonl');
  await writeFile(path, toJsonl(archive));
  if (archive.length > 0) await footnote.conversations.import({ content: { path }, details: { name: 'x.jsonl' } });
  await footnote.documents.add({
    text: '# Solar panels\n\nSolar panels turn light into current. A panel lasts about thirty years.',
    uri: 'solar.md',
    mime: 'text/markdown',
  });
  return { footnote, settleErasures: () => one.settleErasures() };
}

describe('a question for what was said', () => {
  it('in a time is answered by the conversations of that time, in their first words', async () => {
    const { footnote } = await openSystem();
    const answer = await footnote.ask({ question: 'What did we talk about in June 2023?' });
    expect(answer.claims.map(({ text }) => text)).toEqual(['We decided to order twelve solar panels from Sunny Ltd.']);
    expect(answer.citations).toMatchObject([
      { quote: 'We decided to order twelve solar panels from Sunny Ltd.', turnId: 'b2', conversationId: 'b' },
    ]);
    expect(answer.routing.reason).toContain('conversations of that time');
    expect((await footnote.answers.verify(await footnote.answers.get(answer.id))).ok).toBe(true);
    expect(await footnote.traces.replay(answer.traceId)).toMatchObject({ same: true, sameCalls: true });
    const year = await footnote.ask({ question: 'What have we discussed since 2023?' });
    expect(year.citations.map(({ turnId }) => turnId)).toEqual(['b2', 'c1']);
    for (const question of ['Who started in 2023?', 'How much was it in June 2023?', 'And in 2023?'])
      expect((await footnote.ask({ question })).routing.reason).not.toContain('conversations of that time');
    // Nothing was said then: it is looked up as any other question.
    const none = await footnote.ask({ question: 'What did we talk about in 2019?' });
    expect(none.routing.reason).not.toContain('conversations of that time');
  });

  it('is told from one for what documents say', () => {
    const asking = [
      'What did we decide about solar panels?',
      'When did I first talk about the move?',
      'Have I ever mentioned a greyhound?',
      'What is in my old chats about taxes?',
      'Was habe ich über die Heizung gesagt?',
    ];
    const others = [
      'How long does a solar panel last?',
      'What did the board decide in 2020?',
      'Who wrote the report?',
      'How do I install the program?',
      'What does the contract say about notice?',
    ];
    expect(asking.filter((question) => !asksForConversations(question))).toEqual([]);
    expect(others.filter(asksForConversations)).toEqual([]);
  });

  it('is looked up again each time, as a conversation may be deleted', async () => {
    const { footnote } = await openSystem({ ENABLE_ANSWER_CACHE: 'true' });
    const question = 'What did we talk about in June 2023?';
    for (let time = 0; time < 2; time += 1) expect((await footnote.ask({ question })).reused).toBeUndefined();
  });

  it('is answered out of turns, which are cited as turns and never as documents', async () => {
    const { footnote } = await openSystem();
    const answer = await footnote.ask({ question: 'What did we decide about solar panels?' });
    expect(answer.abstained).toBe(false);
    const [first] = answer.citations;
    expect(first).toMatchObject({
      conversationId: 'b',
      turnId: 'b2',
      timestamp: '2023-06-12T10:00:00.000Z',
      quote: 'We decided to order twelve solar panels from Sunny Ltd.',
    });
    expect(first?.url).toMatch(/\/v1\/turns\/b2\?conversation_id=b$/u);
    expect(JSON.stringify(answer.sources)).not.toContain('conversation:');
    expect(answer.routing.reason).toContain('archive of conversations');
    expect(await footnote.answers.verify(answer)).toMatchObject({ ok: true });
    const forged = { ...answer, citations: answer.citations.map((one) => ({ ...one, conversationId: 'a' })) };
    expect(await footnote.answers.verify(forged)).toMatchObject({ ok: false });
    const replay = await replayTrace(await footnote.traces.get(answer.traceId));
    expect(replay).toMatchObject({ same: true, sameCalls: true, divergences: [] });
  });

  it('is not where the question is another, or names where to look', async () => {
    const { footnote } = await openSystem();
    const looked = async (traceId: string): Promise<boolean> =>
      (await footnote.traces.get(traceId)).events.some(
        ({ event }) => event.type === 'call' && event.call.port === 'archive',
      );
    const plain = await footnote.ask({ question: 'How long does a solar panel last?' });
    expect(plain.citations.every(({ conversationId }) => conversationId === undefined)).toBe(true);
    expect(await looked(plain.traceId)).toBe(false);
    const question = 'What did we decide about solar panels?';
    const named = await footnote.ask({ question, sources: ['uploads'] });
    expect(await looked(named.traceId)).toBe(false);
    const filter = { op: 'eq', field: 'uri', value: 'solar.md' } as const;
    expect(await looked((await footnote.ask({ question, filter })).traceId)).toBe(false);
  });

  it('loses its answer with the conversation', async () => {
    const { footnote, settleErasures } = await openSystem();
    const answer = await footnote.ask({ question: 'What did we decide about solar panels?' });
    await footnote.conversations.delete('b');
    await settleErasures();
    const left = await footnote.answers.get(answer.id);
    expect(JSON.stringify(left)).not.toContain('twelve');
    expect(left).toMatchObject({ erased: expect.anything() });
  });
});

describe('a model that says what to look up', () => {
  const script = (request: FakeRequest): string | FakeReply => {
    if (JSON.stringify(request.body).includes('"insufficient"')) {
      const quote = 'We decided to order twelve solar panels from Sunny Ltd.';
      return answerOf([{ text: quote, quote }]);
    }
    const tools = ((request.body['tools'] ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name);
    if (!tools.includes('retrieval_turn')) return 'Enough.';
    if (request.prompt.includes('content_used')) return 'Enough.';
    return {
      toolCalls: [
        { id: '1', name: 'retrieval_peek', arguments: '{"query": "solar panels"}' },
        { id: '2', name: 'retrieval_turn', arguments: '{"turn_id": "b2"}' },
      ],
    };
  };

  it('has the tools of the archive, where there is one', async () => {
    const provider = await startFakeOpenAI(script);
    opened.push(() => provider.close());
    const environment = { ...provider.environment, MODEL_PLANNER: 'compatible:fake', ENABLE_ORCHESTRATOR: 'true' };
    const { footnote } = await openSystem(environment);
    const answer = await footnote.ask({ question: 'How many solar panels were ordered?' });
    expect(answer.citations[0]).toMatchObject({ conversationId: 'b', turnId: 'b2' });
    const replay = await replayTrace(await footnote.traces.get(answer.traceId));
    expect(replay).toMatchObject({ same: true, sameCalls: true, divergences: [] });
    const empty = await openSystem(environment, []);
    const before = provider.requests.length;
    await empty.footnote.ask({ question: 'How many solar panels were ordered?' });
    const offered = provider.requests.slice(before).map(({ body }) => JSON.stringify(body['tools'] ?? []));
    expect(offered.join()).not.toContain('retrieval_turn');
  });
});
