// What each door adds to an answer: the same `ask`, an instant one that says its claims at once, called in this process and through every door, in turns, so
// that the noise of the machine falls on all. Client and server share the process, so what the client takes counts as well. About a minute.
//
//   npm run bench doors [-- --dry]
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFootnote } from '../../src/footnote/compose.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { startHttpServer } from '../../src/http/server.ts';
import { median, quantile } from '../../testkit/engine-timing.ts';
import { createAgent } from '../../testkit/load/client.ts';
import { toGoal } from '../engine/engine-goals.ts';
import { writeResult } from '../report.ts';

const { values: flags } = parseArgs({ options: { dry: { type: 'boolean', default: false } } });
const [warmUp, rounds, many] = [100, 300, 51];
const question = 'How tall is the lighthouse of Cabo Frio?';

const place = mkdtempSync(join(tmpdir(), 'footnote-doors-'));
const environment = { FOOTNOTE_DATA: join(place, 'data'), LOG_LEVEL: 'silent' };
const opened = await openFootnote(loadConfig({ folder: place, environment }));
const footnote = opened.forScope(localScope());
await footnote.documents.add({
  text: 'The lighthouse of Cabo Frio is 43 metres tall.',
  uri: 'tower.md',
  source: 'coast',
});
const real = await footnote.ask({ question });

/** The same answer with its one claim said so often, each time with a citation of its own. */
function answerOf(count: number): Answer {
  const [claim, citation] = [real.claims[0], real.citations[0]];
  if (!claim || !citation) throw new Error('The question was not answered.');
  const citations = Array.from({ length: count }, (_, at) => ({ ...citation, index: at + 1 }));
  let answer = '';
  const marks = citations.map(({ index }) => {
    answer += `${answer === '' ? '' : ' '}${claim.text} `;
    const start = answer.length;
    answer += `[${index}]`;
    return { start, end: answer.length, citation: index };
  });
  return {
    ...real,
    answer,
    marks,
    citations,
    claims: citations.map(({ index }) => ({ ...claim, citations: [index] })),
  };
}

/** Says one claim after the other, as they are verified. */
const instant =
  (answer: Answer): Footnote['ask'] =>
  async (_, { onEvent } = {}) => {
    onEvent?.({ type: 'status', stage: 'answering' });
    let from = 0;
    for (const [at, mark] of (answer.marks ?? []).entries()) {
      onEvent?.({ type: 'citation', citation: answer.citations[at] as Answer['citations'][number] });
      onEvent?.({ type: 'delta', text: answer.answer.slice(from, mark.end), marks: [mark] });
      from = mark.end;
      await Promise.resolve();
    }
    onEvent?.({ type: 'done', answer });
    return answer;
  };

/** `kept`: the real one, which is kept before it is told. */
const asks = { few: instant(answerOf(1)), many: instant(answerOf(many)), kept: footnote.ask };
let size: keyof typeof asks = 'few';
const server = await startHttpServer({
  system: {
    ...opened,
    forScope: (...given) => ({ ...opened.forScope(...given), ask: (...asked) => asks[size](...asked) }),
  },
  authenticate: async () => localScope(),
  hasKeys: async () => false,
  idempotency: opened.idempotency,
  version: 'bench',
  host: '127.0.0.1',
  port: 0,
});
const agent = createAgent();

function post(path: string, body: object): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const outgoing = request(server.url + path, { method: 'POST', agent, headers });
  outgoing.on('error', reject).on('response', (incoming) => {
    incoming
      .on('data', () => undefined)
      .on('end', () => {
        if (incoming.statusCode === 200) resolve();
        else reject(new Error(`${path} answered ${incoming.statusCode}.`));
      });
  });
  outgoing.end(JSON.stringify(body));
  return promise;
}

const messages = [{ role: 'user', content: question }];
const uiMessages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: question }] }];
const called = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask', arguments: { question } } };
const model = 'footnote';
const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  'in process': () => asks[size]({ question }),
  'our API': () => post('/v1/ask', { question }),
  'our API, streamed': () => post('/v1/ask', { question, stream: true }),
  completions: () => post('/v1/chat/completions', { model, messages }),
  'completions, streamed': () => post('/v1/chat/completions', { model, messages, stream: true }),
  responses: () => post('/v1/responses', { model, input: question, store: false }),
  'responses, streamed': () => post('/v1/responses', { model, input: question, store: false, stream: true }),
  'responses, streamed and kept': () => post('/v1/responses', { model, input: question, stream: true }),
  'AI SDK, streamed': () => post('/v1/ui/chat', { id: 'chat', messages: uiMessages }),
  messages: () => post('/v1/messages', { model, messages, max_tokens: 100_000 }),
  'messages, streamed': () => post('/v1/messages', { model, messages, max_tokens: 100_000, stream: true }),
  MCP: () => post('/mcp', called),
};

const times = {
  few: new Map<string, number[]>(),
  many: new Map<string, number[]>(),
  kept: new Map<string, number[]>(),
};
/** What keeps a response, beside what keeps the answer alone. */
const keeping = ['in process', 'responses, streamed', 'responses, streamed and kept'];
try {
  for (let round = -warmUp; round < rounds; round += 1)
    for (size of ['few', 'many', 'kept'] as const)
      for (const [name, ask] of Object.entries(ways)) {
        if (size === 'kept' && !keeping.includes(name)) continue;
        const from = performance.now();
        await ask();
        const took = performance.now() - from;
        if (round >= 0) times[size].set(name, [...(times[size].get(name) ?? []), took]);
      }
} finally {
  agent.destroy();
  await server.close({ deadlineMs: 1000 });
  await opened.close();
  rmSync(place, { recursive: true });
}

const of = (given: keyof typeof times, name: string): readonly number[] => times[given].get(name) ?? [];
const rows = Object.keys(ways).map((name) => {
  const added = median(of('few', name)) - median(of('few', 'in process'));
  const perClaim = (median(of('many', name)) - median(of('few', name))) / (many - 1);
  return { name, added, perClaim, p95: quantile(of('few', name), 0.95) };
});
const doors = rows.filter(({ name }) => name !== 'in process');
const unkept = doors.filter(({ name }) => !name.endsWith('kept'));
const kept = (name: string): number => median(of('kept', name));
const goals = [
  {
    what: 'p50 that a door adds to an answer of one claim, ms',
    limit: 3,
    got: Math.max(...unkept.map(({ added }) => added)),
  },
  {
    what: 'what a response adds that is kept with its answer to one that is not, ms',
    limit: 3,
    got: kept('responses, streamed and kept') - kept('responses, streamed'),
  },
  {
    what: 'what each further claim of a stream adds, ms',
    limit: 1,
    got: Math.max(...doors.flatMap(({ name, perClaim }) => (name.includes('streamed') ? [perClaim] : []))),
  },
].map(toGoal);
const round = (value: number): number => Number(value.toPrecision(2));
const table = rows.map(({ name, added, perClaim, p95 }) => [name, round(added), round(p95), round(perClaim)]);
console.log(goals, table);
if (!flags.dry)
  await writeResult('doors', {
    title: 'What each door adds to an answer',
    command: 'npm run bench doors',
    seed: 0,
    data: [],
    metrics: { rounds, claims: many },
    goals,
    tables: [{ title: 'Milliseconds', columns: ['door', 'added, p50', 'p95', 'each further claim'], rows: table }],
    notes: [
      'The answer is there at once: what is measured is the door, its client and one connection that is kept.',
      'In the table a kept response is alone in its commit, since the answer beside it is not kept; the goal is of answers that are.',
    ],
  });
