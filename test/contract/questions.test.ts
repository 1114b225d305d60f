// Search, ask, answers and sessions over HTTP: what leaves fits the published schemas.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, answerSchema } from '../../src/core/answer.ts';
import { type SearchResponse, searchResponseSchema } from '../../src/core/search.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { createFakeApp, parseFrames } from './fake-app.ts';
import type { FakeSystem } from './fake-footnote.ts';

let app: HttpApp;
let system: FakeSystem;
beforeEach(async () => {
  ({ app, system } = createFakeApp());
  await app.inject({
    method: 'POST',
    url: '/v1/documents',
    payload: { text: 'The harbour opens at six.\nBoats wait.', title: 'Harbour', uri: 'harbour.md' },
  });
});
afterEach(() => app.close());

describe('search', () => {
  it('answers with a SearchResponse', async () => {
    const reply = await app.inject({ method: 'POST', url: '/v1/search', payload: { query: 'harbour', topK: 3 } });
    expect(reply.statusCode).toBe(200);
    expect(searchResponseSchema.parse(reply.json()).results).toHaveLength(1);
  });
  it('tells with explain what each leg alone would have returned', async () => {
    const search = async (explain: boolean) => {
      const payload = { query: 'harbour', mode: 'hybrid', explain };
      return (await app.inject({ method: 'POST', url: '/v1/search', payload })).json<SearchResponse>();
    };
    const { results, legs } = searchResponseSchema.parse(await search(true));
    expect(legs).toEqual({ lexical: results.map(({ chunkId }) => chunkId), vector: [] });
    expect(await search(false)).not.toHaveProperty('legs');
    const document = (await app.inject('/openapi.json')).json<{
      components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
    }>();
    expect(document.components.schemas['SearchResponse']?.properties?.['legs']).toMatchObject({
      properties: { lexical: { type: 'array' }, vector: { type: 'array' } },
    });
  });
  it('keeps an explicit topK of 0', async () => {
    const reply = await app.inject({ method: 'POST', url: '/v1/search', payload: { query: 'harbour', topK: 0 } });
    expect(reply.json<{ results: unknown[] }>().results).toEqual([]);
  });
});

describe('ask', () => {
  it('answers with an Answer whose quote is the text at its span', async () => {
    const reply = await app.inject({
      method: 'POST',
      url: '/v1/ask',
      payload: { question: 'When does the harbour open?' },
    });
    const answer = answerSchema.parse(reply.json());
    const [citation] = answer.citations;
    const text = await app.inject(
      `/v1/documents/${citation?.documentId}/text?start=${citation?.start}&end=${citation?.end}`,
    );
    expect(text.json<{ text: string }>().text).toBe(citation?.quote);
  });

  it('is found again, verified, and found wanting once the document is gone', async () => {
    const asked = await app.inject({ method: 'POST', url: '/v1/ask', payload: { question: 'harbour hours?' } });
    const answer = asked.json<Answer>();
    expect((await app.inject(`/v1/answers/${answer.id}`)).json()).toEqual(answer);
    const verify = () => app.inject({ method: 'POST', url: '/v1/answers/verify', payload: answer });
    expect((await verify()).json()).toMatchObject({ ok: true });
    await app.inject({ method: 'DELETE', url: `/v1/documents/${answer.citations[0]?.documentId}` });
    expect((await verify()).json()).toMatchObject({ ok: false });
  });

  it('never sends an answer that does not fit the schema', async () => {
    system.answerWith = async (_request, _options, honest) => ({ ...honest(), confidence: 7 });
    const plain = await app.inject({ method: 'POST', url: '/v1/ask', payload: { question: 'harbour?' } });
    expect(plain.statusCode).toBe(500);
    expect(plain.json()).toMatchObject({ code: 'internal' });
    const streamed = await app.inject({
      method: 'POST',
      url: '/v1/ask',
      payload: { question: 'harbour?', stream: true },
    });
    expect(parseFrames(streamed.body).map((frame) => frame.event)).not.toContain('done');
    expect(streamed.body).not.toContain('"confidence":7');
  });

  it('records its trace for admins', async () => {
    const asked = await app.inject({ method: 'POST', url: '/v1/ask', payload: { question: 'harbour?' } });
    const trace = await app.inject(`/admin/traces/${asked.json<Answer>().traceId}`);
    expect(trace.json()).toMatchObject({ trace: { kind: 'ask' }, events: [{ seq: 1 }, { event: { type: 'done' } }] });
    const statusOf = async (query: string) => (await app.inject(`/admin/traces?${query}`)).statusCode;
    expect(await Promise.all(['doubt=any', 'doubt=unsure', 'sort=slowest'].map(statusOf))).toEqual([200, 200, 200]);
    expect(await Promise.all(['doubt=much', 'sort=quickest'].map(statusOf))).toEqual([400, 400]);
  });
});

describe('sessions', () => {
  it('lives from creation to deletion', async () => {
    const created = await app.inject({ method: 'POST', url: '/v1/rag/sessions', payload: { title: 'Ports' } });
    expect(created.statusCode).toBe(201);
    const { id } = created.json<{ id: string }>();
    const url = `/v1/rag/sessions/${id}`;
    const sent = await app.inject({ method: 'POST', url: `${url}/messages`, payload: { content: 'harbour hours?' } });
    expect(answerSchema.parse(sent.json()).sessionId).toBe(id);
    expect((await app.inject(url)).json()).toMatchObject({ id, title: 'Ports', turnCount: 1 });
    expect((await app.inject(`${url}/messages`)).json()).toMatchObject({
      data: [{ ordinal: 1, content: 'harbour hours?' }],
    });
    expect((await app.inject('/v1/rag/sessions?limit=1')).json()).toMatchObject({ data: [{ id }] });
    expect((await app.inject({ method: 'DELETE', url })).statusCode).toBe(204);
    expect((await app.inject(url)).statusCode).toBe(404);
  });
  it('starts without a body, and a message to an unknown id creates the session', async () => {
    expect((await app.inject({ method: 'POST', url: '/v1/rag/sessions' })).statusCode).toBe(201);
    const sent = await app.inject({
      method: 'POST',
      url: '/v1/rag/sessions/mine/messages',
      payload: { content: 'harbour?' },
    });
    expect(sent.statusCode).toBe(200);
    expect((await app.inject('/v1/rag/sessions/mine')).statusCode).toBe(200);
  });
});
