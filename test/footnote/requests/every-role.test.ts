// Every prompt of every role stands once in the trace of what it was asked for, with the words that were really sent: the provider on 127.0.0.1,
// which all roles ask under a model of their own, is the referee. A second model that was asked because the first failed is an attempt of the same call.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import type { PortCall } from '../../../src/core/events.ts';
import { localScope } from '../../../src/core/scope.ts';
import type { Footnote } from '../../../src/footnote/facade.ts';
import {
  answerOf,
  type FakeProviderServer,
  type FakeReply,
  type FakeRequest,
  startFakeOpenAI,
} from '../../../src/testing/index.ts';
import { type OpenedFootnote, openFootnote } from '../../../testkit/open-footnote.ts';

let folder: string;
let provider: FakeProviderServer;
let opened: OpenedFootnote;
let footnote: Footnote;

const sentence = (n: number): string => `The mill of basin ${n} was built in ${1800 + n} and grinds oats.`;
const tool = (id: string, name: string, given: object): FakeReply => ({
  toolCalls: [{ id, name, arguments: JSON.stringify(given) }],
});
const isFirst = ({ body }: FakeRequest): boolean =>
  !(body['messages'] as { role: string }[]).some(({ role }) => role === 'tool');
const quoteIn = ({ prompt }: FakeRequest): string =>
  /The mill of basin \d+ was built in \d+ and grinds oats\.|We decided that [^.|]+\./u.exec(prompt)?.[0] ?? '';

/** What a model of a role says, by its name. */
const says: Readonly<Record<string, (request: FakeRequest) => string | FakeReply>> = {
  down: () => ({ error: { status: 503, message: 'It is down.' } }),
  answer: (request) => answerOf([{ text: quoteIn(request), quote: quoteIn(request) }]),
  router: (request) =>
    request.prompt.includes('<kinds>')
      ? '{"sources": ["docs"], "reason": "it asks"}'
      : '{"intent": "research", "reason": "it asks"}',
  planner: (request) => (isFirst(request) ? tool('p', 'search_embedded', { query: 'mill oats', limit: 3 }) : 'Enough.'),
  critic: () =>
    '{"coverage": 1, "groundedness": 1, "claims": [{"id": 1, "verdict": "keep", "text": ""}], "queries": [], "read": [], "reason": "it holds"}',
  judge: ({ prompt }) =>
    prompt.includes('do they contradict each other?')
      ? '{"verdicts": [{"id": 1, "verdict": "unrelated"}]}'
      : '{"verdicts": [{"id": 1, "verdict": "supported", "reason": "it says so"}]}',
  rerank: () => '{"grades": [{"id": 1, "grade": 3}, {"id": 2, "grade": 2}]}',
  talk: () => '{"text": "It may be so."}',
  chat: (request) =>
    JSON.stringify(request.body).includes('"insufficient"')
      ? answerOf([{ text: quoteIn(request), quote: quoteIn(request) }])
      : isFirst(request)
        ? tool('a', 'retrieval_peek', { query: 'mill basin' })
        : 'Enough.',
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-roles-'));
  provider = await startFakeOpenAI((request) => says[String(request.body['model'])]?.(request) ?? 'No.');
  const environment = {
    ...provider.environment,
    FOOTNOTE_DATA: join(folder, 'data'),
    OCR: 'off',
    BUDGET_REQUEST: 'none',
    MODEL_ANSWER: 'compatible:down, compatible:answer',
    MODEL_ROUTER: 'compatible:router',
    MODEL_PLANNER: 'compatible:planner',
    MODEL_CRITIC: 'compatible:critic',
    MODEL_JUDGE: 'compatible:judge',
    MODEL_RERANK: 'compatible:rerank',
    MODEL_CONVERSATIONAL: 'compatible:talk',
    SUPER_MIND_BASE_URL: provider.environment['OPENAI_BASE_URL'] ?? '',
    SUPER_MIND_API_KEY: provider.environment['OPENAI_API_KEY'] ?? '',
    SUPER_MIND_MODEL: 'chat',
    RERANK_TIMEOUT_MS: '60000',
    ENABLE_ORCHESTRATOR: 'true',
    ENABLE_CRITIC: 'true',
    ENABLE_JUDGED_CONFLICTS: 'true',
    ENABLE_ASSESSMENT: 'true',
    ENABLE_UNGROUNDED_ANSWERS: 'true',
  };
  opened = await openFootnote(loadConfig({ folder, environment }));
  footnote = opened.forScope(localScope());
  await footnote.sources.put({ name: 'north', type: 'docs' });
  await footnote.sources.put({ name: 'south', type: 'guide' });
  for (let n = 0; n < 4; n += 1)
    await footnote.documents.add({ uri: `mill-${n}.md`, text: sentence(n), source: n % 2 === 0 ? 'north' : 'south' });
  await footnote.documents.add({
    uri: 'night.md',
    text: 'By night each mill grinds wheat, not oats.',
    source: 'south',
  });
  const turns = [1, 2, 3].map((n) => ({
    conversation_id: 'c1',
    turn_id: `t${n}`,
    role: 'user',
    text: `We decided that the mill of basin ${n} can wait until week ${n}.`,
    timestamp: `2024-0${n}-01T00:00:00Z`,
  }));
  const path = join(folder, 'talk.jsonl');
  await writeFile(path, turns.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await footnote.conversations.import({ content: { path }, details: { name: 'talk.jsonl' } });
});
afterAll(async () => {
  await opened.close();
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

interface ModelCall {
  readonly model: string;
  readonly messages: readonly { readonly content: string }[];
}
interface ModelSaid {
  readonly attempts?: readonly { readonly model: string; readonly code?: string; readonly latencyMs: number }[];
}

const isOfModel = ({ request }: PortCall): boolean => typeof request === 'object' && 'messages' in (request ?? {});

/** Asks, and holds what reached the provider against what the trace has. Gives the ports that asked, each with its models in order. */
async function portsOf(work: () => Promise<string>): Promise<Map<string, Set<string>>> {
  const from = provider.requests.length;
  const traceId = await work();
  const left = provider.requests.slice(from).map(({ body }) => ({ model: String(body['model']), sent: body }));
  const { events } = await footnote.traces.get(traceId);
  const calls = events.flatMap(({ event }) => (event.type === 'call' && isOfModel(event.call) ? [event.call] : []));
  const ports = new Map<string, Set<string>>();
  for (const { port, request, response, error } of calls) {
    const { messages, model: first } = request as ModelCall;
    const said = (response ?? error?.details ?? {}) as ModelSaid;
    const asked = (said.attempts ?? []).filter(({ latencyMs }) => latencyMs > 0).map(({ model }) => model);
    if (!error) expect(asked.length, `${port} says which models were asked`).toBeGreaterThan(0);
    for (const name of asked.length > 0 ? asked : [first]) {
      const model = name.replace(/^[^:]+:/u, '');
      const place = left.findIndex(
        (one) =>
          one.model === model &&
          messages.every(({ content }) => JSON.stringify(one.sent).includes(JSON.stringify(content).slice(1, -1))),
      );
      // One that was called off early may have ended before it left.
      if (place < 0 && error) continue;
      expect(place, `${port} of ${model} reached the provider`).toBeGreaterThanOrEqual(0);
      left.splice(place, 1);
      ports.set(port, (ports.get(port) ?? new Set()).add(model));
    }
  }
  expect(left.map(({ model }) => model)).toEqual([]);
  return ports;
}

it('of a question, a message, small talk and a chat is one call of its trace', async () => {
  const all = new Map<string, Set<string>>();
  const note = (ports: Map<string, Set<string>>): void => {
    for (const [port, models] of ports) all.set(port, new Set([...(all.get(port) ?? []), ...models]));
  };
  const question = 'When was the mill of basin 2 built, and what does it grind?';
  note(await portsOf(async () => (await footnote.ask({ question })).traceId));
  note(await portsOf(async () => (await footnote.sessions.send('s1', { content: question })).traceId));
  note(await portsOf(async () => (await footnote.ask({ question: 'hello there' })).traceId));
  note(await portsOf(async () => (await footnote.ask({ question: 'Tell me a joke about the sea.' })).traceId));
  const messages = [{ role: 'user' as const, content: 'What did we decide about the mill of basin 2?' }];
  note(await portsOf(async () => (await footnote.conversations.chat({ messages })).trace_id ?? ''));
  // None of it is in vain: every role was asked.
  expect(Object.fromEntries([...all].map(([port, models]) => [port, [...models].toSorted().join()]))).toEqual({
    'agent.critic': 'critic',
    'agent.planner': 'planner',
    'agent.router': 'router',
    'agent.talk': 'talk',
    'answer.conflicts': 'judge',
    'answer.judge': 'judge',
    'answer.model': 'answer,down',
    'chat.model': 'chat',
    'rerank.model': 'rerank',
    'retrieval.router': 'router',
  });
});
