// GET /v1/usage over the real system and a provider on the loopback: each caller sees what it spent, an admin the tenant, another tenant
// nothing; and a day or a name that does not exist is refused.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { loadConfig } from '../../src/config.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { usageSchema } from '../../src/core/spending.ts';
import { toProblem } from '../../src/http/policy/problem.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { createModelBudget } from '../../src/models/money/model-budget.ts';
import { type FakeServer, openFakeServer } from '../../src/testing/fake-http.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { appOf } from '../../testkit/serve-opened.ts';
import { createFakeApp } from './fake-app.ts';

let provider: FakeServer;
let folder: string;
let opened: OpenedFootnote;
let app: HttpApp;
const keys: Record<string, string> = {};
const today = '2026-11-22';

const sentence = 'The lighthouse is 43 metres tall.';
const reply = {
  text: JSON.stringify({ claims: [{ text: sentence, quotes: [{ id: 1, quote: sentence }] }], insufficient: false }),
  usage: { input: 1000, output: 200 },
};

const call = (who: string, url: string, payload?: object) =>
  app.inject({
    url,
    method: payload ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${keys[who]}` },
    ...(payload && { payload }),
  });
async function usageOf(who: string, query = ''): Promise<z.infer<typeof usageSchema>> {
  const answer = await call(who, `/v1/usage${query}`);
  expect(answer.statusCode).toBe(200);
  return usageSchema.parse(answer.json());
}

beforeAll(async () => {
  provider = await openFakeServer((request) => renderChat(reply, request));
  folder = await mkdtemp(join(tmpdir(), 'footnote-usage-'));
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    OPENAI_BASE_URL: `${provider.address}/v1`,
    MODEL_ANSWER: 'compatible:qwen3:8b',
    MODEL_PRICES: 'compatible:qwen3:8b = 2 / 10',
    BUDGET_KEY_DAY: 'calls 2',
    BUDGET_DAY: 'usd 1',
  };
  const clock = { now: () => `${today}T12:00:00.000Z`, elapsedMs: () => performance.now() };
  opened = await openFootnote(loadConfig({ folder, environment }), { clock });
  app = appOf(opened, {
    ownerToken: 'owner',
  });
  for (const [name, role, tenant] of [
    ['anna', 'reader', 'default'],
    ['bert', 'writer', 'default'],
    ['root', 'admin', 'default'],
    ['stranger', 'admin', 'other'],
  ] as const)
    keys[name] = (await opened.keys.create({ name, role, tenant })).secret;
  await call('bert', '/v1/documents?wait=true', { text: sentence, uri: 'lighthouse.txt', mime: 'text/plain' });
});
afterAll(async () => {
  await app.close();
  await opened.close();
  await provider.close();
  await rm(folder, { recursive: true });
});

describe('GET /v1/usage', () => {
  it('shows callers their own, admins their tenant, other tenants nothing', async () => {
    const question = 'How tall is the lighthouse?';
    for (const who of ['anna', 'anna', 'anna', 'bert']) {
      const asked = await call(who, '/v1/ask', { question });
      expect(asked.statusCode).toBe(200);
      expect(asked.json<{ answer: string }>().answer).toContain('43 metres');
    }
    await call('bert', '/v1/rag/sessions/talk/messages', { content: question });
    // The third question of anna found her day's calls spent.
    expect(provider.requests).toHaveLength(4);

    const anna = await usageOf('anna');
    expect(anna).toMatchObject({ from: '2026-10-24', to: today, by: 'day', omitted: 0 });
    expect(anna.data).toMatchObject([
      { name: today, calls: 2, inputTokens: 2000, outputTokens: 400, unpricedCalls: 0 },
    ]);
    expect(anna.total.costUsd).toBeCloseTo(2 * 0.004, 12);
    expect(anna.budgets).toEqual([
      {
        name: 'this key today',
        setting: 'BUDGET_KEY_DAY',
        limits: { calls: 2 },
        spent: expect.objectContaining({ calls: 2 }),
        opensAt: '2026-11-23T00:00:00.000Z',
      },
    ]);

    const root = await usageOf('root', '?by=key');
    expect(root.data.map(({ calls }) => calls)).toEqual([2, 2]);
    expect(root.data.map(({ name }) => name).every((name) => name.startsWith('key:key_'))).toBe(true);
    expect(root.total.costUsd).toBeCloseTo(4 * 0.004, 12);
    expect(root.budgets.map(({ name, spent }) => [name, spent.calls])).toEqual([
      ['this key today', 0],
      ['this tenant today', 4],
    ]);
    expect((await usageOf('bert', '?by=session')).data.map(({ name, calls }) => [name, calls])).toEqual([
      ['', 1],
      ['talk', 1],
    ]);
    expect((await usageOf('root', '?by=role')).data.map(({ name }) => name)).toEqual(['answer']);
    expect((await usageOf('root', '?by=model')).data.map(({ name }) => name)).toEqual(['compatible:qwen3:8b']);
    expect((await usageOf('root', '?from=2026-11-01&to=2026-11-21')).total.calls).toBe(0);
    expect((await usageOf('stranger')).total.calls).toBe(0);
  });

  it.each([
    ['by=month', 'query.by'],
    ['from=yesterday', 'query.from'],
    ['from=2026-02-30', 'from is "2026-02-30"'],
    ['from=2026-11-22&to=2026-11-21', 'which is after to'],
    ['tenant=other', 'query.tenant'],
  ])('refuses ?%s', async (query, said) => {
    const refused = await call('root', `/v1/usage?${query}`);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({ code: 'invalid-request', detail: expect.stringContaining(said) });
  });

  it('asks for a key', async () => {
    expect((await app.inject('/v1/usage')).statusCode).toBe(401);
  });
});

describe('a spent quota as a problem', () => {
  it('says which budget, how much of it is left and when it begins anew', () => {
    const budget = createModelBudget(
      { calls: 3 },
      { name: 'this key today', setting: 'BUDGET_KEY_DAY', opensAt: '2026-11-23T00:00:00.000Z', before: { calls: 3 } },
    );
    const refused = ((): unknown => {
      try {
        return budget.reserve({ calls: 1, inputTokens: 1, outputTokens: 1, costUsd: 0 });
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toBeInstanceOf(FootnoteError);
    expect(toProblem(refused, 'req_1')).toMatchObject({
      status: 429,
      code: 'quota-exceeded',
      detail:
        'A model call needs up to 1 model calls; 0 of 3 are left for this key today. It begins anew at 2026-11-23T00:00:00.000Z: wait, or raise BUDGET_KEY_DAY.',
    });
  });

  it('is not tried again in seconds, as a server that is busy is', async () => {
    const { app: fake, system } = createFakeApp();
    for (const [code, retryAfter] of [
      ['quota-exceeded', undefined],
      ['rate-limited', '5'],
    ] as const) {
      system.answerWith = () => Promise.reject(new FootnoteError(code, 'Not now.'));
      const refused = await fake.inject({ method: 'POST', url: '/v1/ask', payload: { question: 'Why?' } });
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, retryAfter]);
    }
    await fake.close();
  });
});
