// Chats over the archive, by rules and by models of every manner, and turns with long-term memory come out the same, byte for byte, from their
// traces alone, with every way out of the process blocked.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { replayTrace } from '../../src/footnote/replay/replay.ts';
import { answerOf, type FakeReply, type FakeRequest, startFakeOpenAI } from '../../src/testing/index.ts';
import { openFootnote } from '../../testkit/open-footnote.ts';
import { withBlockedSockets } from './blocked-sockets.ts';

const isLong = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const topics = ['solar panels', 'tomatoes', 'the bicycle', 'the flat in Lisbon', 'violin lessons', 'the tax return'];
const lines = topics.flatMap((topic, t) =>
  Array.from({ length: 6 }, (_, n) => ({
    conversation_id: `c${t}`,
    turn_id: `t${t}-${n}`,
    role: 'user',
    text: [
      `I wonder about ${topic}, for the ${n + 1}. time.`,
      `We decided that ${topic} can wait until week ${10 + n}.`,
      `Somebody told me that ${topic} cost ${100 * t + n} euros.`,
    ][n % 3],
    timestamp: new Date(Date.UTC(2022 + (n % 3), (t * 2 + n) % 12, 3 + n)).toISOString(),
    title: `About ${topic}`,
  })),
);
const questions = topics.flatMap((topic) => [
  `When did I first talk about ${topic}, and what did we decide?`,
  `What did ${topic} cost?`,
  `What did I say about ${topic} in 2023?`,
  `Is there a spaceport for ${topic}?`,
]);

const isAnswering = ({ body }: FakeRequest): boolean => JSON.stringify(body).includes('"insufficient"');
const call = (id: string, name: string, given: object) => ({ id, name, arguments: JSON.stringify(given) });
const sentence = ({ prompt }: FakeRequest): string => /We decided that [^.|]+\./u.exec(prompt)?.[0] ?? 'Nothing of it.';

/** Looks, reads what the look shows, and is done. */
function explores(request: FakeRequest): FakeReply | string {
  const messages = request.body['messages'] as { role: string; content?: string }[];
  const asked = messages.filter(({ role }) => role === 'assistant').length;
  if (asked === 0)
    return {
      toolCalls: [
        call('1', 'retrieval_peek', {
          query: /solar|tomato|bicycle|Lisbon|violin|tax/u.exec(request.prompt)?.[0] ?? 'wonder',
        }),
      ],
    };
  const ids = [...new Set(request.prompt.match(/t\d-\d/gu))].slice(0, 3);
  if (asked === 1)
    return { toolCalls: [...ids, 'unknown'].map((id, at) => call(`${at + 2}`, 'retrieval_turn', { turn_id: id })) };
  return 'Enough.';
}

const manners: readonly ((request: FakeRequest) => string | FakeReply)[] = [
  (request) =>
    isAnswering(request) ? answerOf([{ text: sentence(request), quote: sentence(request) }]) : explores(request),
  (request) =>
    isAnswering(request) ? answerOf([{ text: 'It is made of cheese.', quote: 'cheese' }]) : explores(request),
  (request) => (isAnswering(request) ? '{"claims": [], "insufficient": true}' : explores(request)),
  (request) => (isAnswering(request) ? { error: { status: 500, message: 'It broke.' } } : explores(request)),
  () => ({ refusal: 'I will not.' }),
  () => ({ error: { status: 400, message: 'no' } }),
  () => ({ toolCalls: [call('1', 'retrieval_peek', { query: 'wonder' })] }),
];

async function openSystem(kind: 'rules' | 'model' | 'memory') {
  const folder = await mkdtemp(join(tmpdir(), `footnote-replay-${kind}-`));
  let place = 0;
  const fake =
    kind === 'model'
      ? await startFakeOpenAI((request) => (manners[place % manners.length] ?? (() => 'No.'))(request))
      : undefined;
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    ...(fake && {
      SUPER_MIND_BASE_URL: fake.environment['OPENAI_BASE_URL'] ?? '',
      SUPER_MIND_API_KEY: fake.environment['OPENAI_API_KEY'] ?? '',
      CHAT_MAX_HYDRATIONS: '7',
    }),
    ...(kind === 'memory' && { ENABLE_SEMANTIC_MEMORY: 'true' }),
  };
  const one = await openFootnote(loadConfig({ folder, environment }));
  opened.push(
    () => rm(folder, { recursive: true }),
    async () => fake?.close(),
    () => one.close(),
  );
  const footnote = one.forScope(localScope());
  const path = join(folder, 'x.jsonl');
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await footnote.conversations.import({ content: { path }, details: { name: 'x.jsonl' } });
  return { footnote, next: (n: number) => (place = n) };
}

async function replayed(footnote: Footnote, traceId: string, given: unknown) {
  const saved = await footnote.traces.get(traceId);
  const { value, tried } = await withBlockedSockets(() => replayTrace(saved));
  const { same, sameCalls, difference, divergences, answer } = value;
  const isWhole = answer === undefined || JSON.stringify(answer) === JSON.stringify(given);
  return same && sameCalls && isWhole && tried.length === 0 && divergences.length === 0
    ? []
    : [{ same, sameCalls, isWhole, difference, divergences, tried }];
}

describe('a replay of a chat gives what was said then', () => {
  it.each(['rules', 'model'] as const)('by %s', async (kind) => {
    const { footnote, next } = await openSystem(kind);
    const failures: object[] = [];
    const models = new Set<string | undefined>();
    let chat: string | undefined;
    for (let n = 0; n < (isLong ? 84 : 14); n += 1) {
      next(n);
      const content = n % 5 === 4 ? 'And what did it cost?' : (questions[(n * 5) % questions.length] ?? '');
      const goesOn = n % 5 === 4 && chat !== undefined ? { conversation_id: chat } : {};
      const done = await footnote.conversations.chat({ ...goesOn, messages: [{ role: 'user', content }] });
      chat = done.conversation_id;
      models.add(done.model);
      failures.push(...(await replayed(footnote, done.trace_id ?? '', done)));
    }
    expect(failures).toEqual([]);
    expect(models.has('super-mind:default')).toBe(kind === 'model');
  });

  it('also against the archive of now, with what differs', async () => {
    const { footnote } = await openSystem('rules');
    const ask = { messages: [{ role: 'user' as const, content: 'What did we decide about tomatoes?' }] };
    const done = await footnote.conversations.chat(ask);
    const trial = await footnote.traces.replay(done.trace_id ?? '', { against: 'current' });
    expect(trial).toMatchObject({ against: 'current', diff: { saysTheSame: true } });
    await footnote.conversations.addTurns('c1', {
      messages: [
        { role: 'user', text: 'We decided that tomatoes grow on the roof.', timestamp: '2024-11-01T10:00:00Z' },
      ],
    });
    const changed = await footnote.traces.replay(done.trace_id ?? '', { against: 'current' });
    expect(changed).toMatchObject({ diff: { saysTheSame: false } });
  });
});

describe('a replay of a turn with long-term memory', () => {
  it('recalls what was recalled then, and writes nothing', async () => {
    const { footnote } = await openSystem('memory');
    await footnote.documents.add({ text: 'The mill of Oban was built in 1820. It grinds oats.', uri: 'mill.md' });
    const said = [
      'I live in Lisbon.',
      'My favourite colour is teal.',
      'I prefer short answers.',
      'I work as a miller.',
    ];
    const asked = [
      'When was the mill of Oban built?',
      'Where do I live?',
      'What is my favourite colour?',
      'What do you know about me?',
    ];
    const failures: object[] = [];
    let told = 0;
    for (const content of [...said, ...asked, ...(isLong ? [...asked, ...asked] : [])]) {
      const answer = await footnote.sessions.send('s1', { content });
      told += answer.citations.filter(({ memoryId }) => memoryId !== undefined).length;
      const before = JSON.stringify(await footnote.memories.stats({}));
      failures.push(...(await replayed(footnote, answer.traceId, answer)));
      expect(JSON.stringify(await footnote.memories.stats({}))).toBe(before);
    }
    expect(failures).toEqual([]);
    expect(told).toBeGreaterThan(2);
  });
});
