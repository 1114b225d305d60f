// The table of roles, and the trial of each: against real servers on this machine that speak the providers' protocols, or break them.
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { systemClock } from '../../../src/core/ids.ts';
import { type RoleRow, roleTable } from '../../../src/footnote/roles/role-table.ts';
import { tryRoles } from '../../../src/footnote/trials/try-roles.ts';
import { type FakeServer, openFakeServer, type SeenRequest, type Wire } from '../../../src/testing/fake-http.ts';
import type { FakeReply } from '../../../src/testing/fake-reply.ts';
import { renderChat } from '../../../src/testing/openai-chat.ts';

const config = (environment: Readonly<Record<string, string>> = {}) => loadConfig({ environment, folder: tmpdir() });
const namesOf = (rows: readonly RoleRow[]) =>
  Object.fromEntries(rows.map(({ role, models }) => [role, models.map(({ model }) => model)]));

let server: FakeServer | undefined;
afterEach(() => server?.close());

/** A server for which `answer` says what chat completions say; `sizes` is what its list of models says. */
async function serve(answer: (request: SeenRequest) => FakeReply, sizes: readonly object[] = []): Promise<string> {
  const json = (body: unknown): Wire => ({
    headers: { 'content-type': 'application/json' },
    chunks: [JSON.stringify(body)],
  });
  server = await openFakeServer((request) => {
    if (request.path === '/v1/models') return json({ object: 'list', data: sizes });
    if (request.path === '/v1/embeddings')
      return json({
        data: (request.body['input'] as string[]).map((_, index) => ({ index, embedding: [3, 4] })),
        usage: { prompt_tokens: 9 },
      });
    return renderChat(answer(request), request);
  });
  return `${server.address}/v1`;
}
const tried = (environment: Readonly<Record<string, string>>, role?: string) =>
  tryRoles(config(environment), { text: 'a', clock: systemClock, ...(role !== undefined && { role }) });

describe('the table of roles', () => {
  it('says of an installation without keys what each step does by itself', () => {
    const rows = roleTable(config());
    expect(namesOf(rows)).toEqual({
      router: [],
      planner: [],
      embed: ['corpus'],
      rerank: [],
      answer: [],
      judge: [],
      critic: [],
    });
    expect(rows.every(({ without }) => without.length > 10)).toBe(true);
    expect(rows.find(({ role }) => role === 'embed')).toMatchObject({
      from: 'default',
      models: [{ price: { inputPerMillionUsd: 0 } }],
    });
  });

  it('tells where a model comes from, what it takes and what it costs, or that nobody said', () => {
    const rows = roleTable(
      config({
        OPENAI_API_KEY: 'a-key-of-openai',
        ANTHROPIC_API_KEY: 'a-key-of-anthropic',
        MODEL_JUDGE: 'openai:gpt-5.2-mini, anthropic:claude-sonnet-4-5',
        MODEL_FAQ: 'openai:gpt-5.2-mini',
        MODEL_EMBED: 'openai:text-embedding-3-small@512',
        MODEL_RERANK: 'service:rerank-v3',
        RERANK_BASE_URL: 'http://127.0.0.1:1',
        MODEL_PRICES: 'openai:gpt-5.2-mini = 1 / 2 / 0.5, openai:text-embedding-3-small = 0.02 / 0',
        MODEL_CONTEXT_TOKENS: 'openai:gpt-5.2-mini = 9000',
      }),
    );
    const by = (role: string) => rows.find((row) => row.role === role);
    expect(by('answer')).toMatchObject({ models: [{ model: 'openai:gpt-5.2' }], from: 'default, for OPENAI_API_KEY' });
    expect(by('answer')?.models[0]).toEqual({ model: 'openai:gpt-5.2' });
    expect(by('answer (faq)')).toMatchObject({ setting: 'MODEL_FAQ', from: 'environment' });
    expect(by('judge')?.models).toEqual([
      {
        model: 'openai:gpt-5.2-mini',
        contextTokens: 9000,
        price: { inputPerMillionUsd: 1, outputPerMillionUsd: 2, cachedInputPerMillionUsd: 0.5 },
      },
      { model: 'anthropic:claude-sonnet-4-5' },
    ]);
    expect(by('embed')?.models).toMatchObject([
      { model: 'openai:text-embedding-3-small@512', price: { inputPerMillionUsd: 0.02 } },
    ]);
    expect(by('rerank')?.models).toEqual([{ model: 'service:rerank-v3' }]);
    expect(by('planner')).toMatchObject({ unused: true });
    expect(JSON.stringify(rows)).not.toContain('a-key-of');
  });
});

describe('trials', () => {
  it('of an installation without keys call nothing and say why', async () => {
    const { trials, skipped } = await tried({});
    expect(trials).toEqual([]);
    expect(skipped.map(({ role }) => role)).toEqual([
      'router',
      'planner',
      'embed',
      'rerank',
      'answer',
      'judge',
      'critic',
    ]);
    expect(skipped.find(({ role }) => role === 'embed')?.why).toContain('learned from the documents');
    await expect(tried({}, 'writer')).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('router, planner'),
    });
  });

  it('make one call of its kind for each role that is on', async () => {
    const address = await serve(
      ({ body }) => {
        const asked = JSON.stringify(body['messages']);
        if (asked.includes('grade')) return { text: '{"grades": [{"id": 1, "grade": 0}, {"id": 2, "grade": 3}]}' };
        return { text: body['stream'] ? '{"words": ["ready"]}' : '{"ready": true}' };
      },
      [
        { id: 'other', max_model_len: 1024 },
        { id: 'm', max_model_len: 8192 },
      ],
    );
    const { trials, skipped } = await tried({
      OPENAI_BASE_URL: address,
      MODEL_ANSWER: 'compatible:m',
      MODEL_JUDGE: 'compatible:m',
      MODEL_ROUTER: 'none',
      MODEL_PLANNER: 'compatible:m',
      MODEL_RERANK: 'compatible:m',
      MODEL_EMBED: 'compatible:e',
      MODEL_PRICES: 'compatible:m = 10 / 100',
    });
    expect(trials.map(({ role, ok }) => [role, ok])).toEqual([
      ['embed', true],
      ['rerank', true],
      ['answer', true],
      ['judge', true],
    ]);
    const [embed, rerank, answer, judge] = trials;
    expect(embed).toMatchObject({ dimensions: 2, served: expect.stringContaining('compatible:e') });
    expect(rerank).toMatchObject({ detail: 'ordered two texts (2, 1)' });
    expect(answer).toMatchObject({
      served: 'compatible:m',
      detail: 'streamed a value of the schema',
      usage: { inputTokens: 20, outputTokens: 10 },
      costUsd: 0.0012,
      toldContextTokens: 8192,
      notes: ['Its provider says that it takes 8192 tokens: add "compatible:m = 8192" to MODEL_CONTEXT_TOKENS.'],
    });
    expect(judge).toMatchObject({ detail: 'returned a value of the schema' });
    expect(answer?.latencyMs).toBeGreaterThan(0);
    expect(skipped.map(({ role }) => role)).toEqual(['router', 'planner', 'critic']);
    const asked = server?.requests.filter(({ path }) => path === '/v1/chat/completions') ?? [];
    // The answer streams, as answers do.
    expect(asked.map(({ body }) => body['stream'] === true)).toEqual([false, true, false]);
  });

  it('tell of each failure its reason, and go on to the next role', async () => {
    const address = await serve(({ body }) => {
      if (body['model'] === 'locked') return { error: { status: 401, message: 'Incorrect API key: sk-planted-9' } };
      if (body['model'] === 'talker') return { text: 'I would rather talk about the weather.' };
      return { text: '' };
    });
    const { trials } = await tried({
      OPENAI_BASE_URL: address,
      OPENAI_API_KEY: 'sk-planted-9',
      MODEL_ANSWER: 'compatible:silent',
      MODEL_JUDGE: 'compatible:locked',
      MODEL_ROUTER: 'compatible:talker',
      MODEL_RERANK: 'compatible:talker',
    });
    expect(Object.fromEntries(trials.map((trial) => [trial.role, trial.ok ? 'ok' : trial.code]))).toEqual({
      router: 'upstream-invalid',
      rerank: 'upstream-invalid',
      answer: 'upstream-invalid',
      judge: 'config-invalid',
    });
    expect(trials.find(({ role }) => role === 'judge')).toMatchObject({
      reason: expect.stringContaining('OPENAI_API_KEY'),
    });
    for (const trial of trials)
      if (!trial.ok) expect(trial.reason, trial.role).toMatch(/another model|OPENAI_API_KEY/u);
    expect(JSON.stringify(trials)).not.toContain('sk-planted-9');
  });

  it('say which model of a list served, and that sizes do not agree', async () => {
    const address = await serve(
      ({ body }) =>
        body['model'] === 'gone' ? { error: { status: 404, code: 'model_not_found' } } : { text: '{"words": []}' },
      [{ id: 'small', context_length: 4096 }],
    );
    const environment = { OPENAI_BASE_URL: address, MODEL_CONTEXT_TOKENS: 'compatible:small = 9000' };
    const second = await tried({ ...environment, MODEL_ANSWER: 'compatible:gone, compatible:small' }, 'answer');
    expect(second.trials).toMatchObject([
      { ok: true, served: 'compatible:small', notes: ['compatible:gone failed before (config-invalid).'] },
    ]);
    const first = await tried({ ...environment, MODEL_ANSWER: 'compatible:small' }, 'answer');
    expect(first.trials).toMatchObject([{ notes: [expect.stringMatching(/9000 tokens, its provider 4096/)] }]);
  });

  it('try a rerank service, and say what a cross-encoder lacks', async () => {
    server = await openFakeServer(({ body }) => ({
      headers: { 'content-type': 'application/json' },
      chunks: [
        JSON.stringify({
          results: (body['documents'] as string[]).map((_, index) => ({
            index,
            relevance_score: index === 0 ? 0.9 : 0.1,
          })),
        }),
      ],
    }));
    const rerank = async (environment: Readonly<Record<string, string>>) => (await tried(environment, 'rerank')).trials;
    expect(await rerank({ MODEL_RERANK: 'service:r1', RERANK_BASE_URL: server.address })).toMatchObject([
      {
        ok: true,
        served: 'service:r1',
        detail: 'ordered two texts (1, 2)',
        notes: [expect.stringContaining('expect little of it')],
      },
    ]);
    expect(await rerank({ MODEL_RERANK: 'service:r1' })).toMatchObject([
      { ok: false, code: 'config-invalid', reason: expect.stringContaining('RERANK_BASE_URL') },
    ]);
    expect(await rerank({ MODEL_RERANK: 'onnx:absent' })).toMatchObject([{ ok: false, code: 'config-invalid' }]);
  });

  it('stay together within limits of their own, and within what a day may take', async () => {
    const address = await serve(({ body }) => ({ text: body['stream'] ? '{"words": ["ready"]}' : '{"ready": true}' }));
    const environment = {
      OPENAI_BASE_URL: address,
      MODEL_ANSWER: 'compatible:m',
      MODEL_JUDGE: 'compatible:m',
      MODEL_EMBED: 'compatible:e',
    };
    const free = await tried(environment);
    expect(free.trials.every(({ ok }) => ok)).toBe(true);
    // One for the length of the vectors, one for each text, one for each other role.
    expect(free.budget).toMatchObject({ limits: { calls: 50 }, spent: { calls: 5 } });
    const { trials, budget } = await tried({ ...environment, BUDGET_KEY_DAY: 'calls 4' });
    expect(trials.map((trial) => (trial.ok ? 'ok' : trial.code))).toEqual(['ok', 'ok', 'quota-exceeded']);
    expect(trials.at(-1)).toMatchObject({ reason: expect.stringContaining('BUDGET_KEY_DAY') });
    expect(budget.spent.calls).toBe(4);
  });

  it('end at once when they are stopped', async () => {
    const stopping = new AbortController();
    const address = await serve(() => {
      queueMicrotask(() => stopping.abort());
      return { text: '{"words": []}', delayMs: 60_000 };
    });
    const environment = { OPENAI_BASE_URL: address, MODEL_ANSWER: 'compatible:m', MODEL_JUDGE: 'compatible:m' };
    const asked = tryRoles(config(environment), { text: 'a', clock: systemClock }, stopping.signal);
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    await server?.whenLeft(1);
    expect(server?.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});
