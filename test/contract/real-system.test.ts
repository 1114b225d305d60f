// The door over the real system: every route answers a good request, and what was promised over HTTP holds end to end.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { type Answer, answerSchema } from '../../src/core/answer.ts';
import type { SearchResponse } from '../../src/core/search.ts';
import { routePolicy } from '../../src/http/policy/policy.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { vectorStores } from '../../src/operations/vector-stores.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { pdfOf } from '../../testkit/pdf-of.ts';
import { appOf } from '../../testkit/serve-opened.ts';
import { multipart, parseFrames } from './fake-app.ts';

let folder: string;
let opened: OpenedFootnote;
let app: HttpApp;
const errors: unknown[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-http-real-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }), {
    withTelemetry: true,
  });
  app = appOf(opened, {
    ownerToken: 'owner',
    log: ({ error }) => {
      if (error !== undefined) errors.push(error);
    },
  });
});
afterAll(async () => {
  await app.close();
  await opened.close();
  await rm(folder, { recursive: true });
});

const reached = new Set<string>();
async function call(route: keyof typeof routePolicy, options: InjectOptions & { url?: string } = {}) {
  const [method = '', url = ''] = route.split(' ');
  const reply = await app.inject({ method: method as 'GET', url, ...options });
  if (reply.statusCode < 300) reached.add(route);
  return reply;
}

interface Added {
  documents: { id: string; uri: string; status: string; chunks: number; deliveries: { status: string }[] }[];
  failed?: { name: string; code: string; message: string }[];
}

describe('the door over the real system', () => {
  it('keeps an archive of conversations: brings in, looks from above, reads, removes', async () => {
    const line = (turn_id: string, role: string, text: string, timestamp: string) =>
      `${JSON.stringify({ conversation_id: 'roof', turn_id, role, text, timestamp, title: 'The roof' })}\n`;
    const lines =
      line('t1', 'user', 'Which solar panels fit our roof?', '2024-03-01T10:00:00+01:00') +
      line('t1', 'assistant', 'Twelve panels facing south.', '2024-03-01T10:00:20+01:00') +
      line('t2', 'user', 'We ordered the solar panels.', '2024-05-11T08:00:00Z');
    const url = '/v1/conversations/import?format=jsonl';
    const headers = { 'content-type': 'application/x-ndjson' };
    const report = await call('POST /v1/conversations/import', { url, headers, payload: lines });
    expect(report.json()).toMatchObject({ format: 'jsonl', conversations: 1, turns: { created: 2 } });
    const form = multipart([
      { file: 'roof.jsonl', bytes: lines },
      { field: 'time_zone', value: 'UTC' },
      { field: 'format', value: 'auto' },
    ]);
    for (const asked of ['', '?format=auto']) {
      const again = await call('POST /v1/conversations/import', { ...form, url: `/v1/conversations/import${asked}` });
      expect(again.json()).toMatchObject({ format: 'jsonl', turns: { created: 0, unchanged: 2 } });
    }
    const added = await call('POST /v1/conversations/:id/turns', {
      url: '/v1/conversations/roof/turns',
      payload: { messages: [{ role: 'user', text: 'The panels work.', timestamp: '2024-07-01T00:00:00Z' }] },
    });
    expect(added.json()).toMatchObject({ turns: { created: 1 } });
    const peek = await call('POST /v1/conversations/peek', {
      payload: { query: 'solar panels', bin: 'month', by: ['role'], time_zone: 'Europe/Berlin' },
    });
    expect(peek.json()).toMatchObject({
      total: { hits: 3, turns: 3 },
      histogram: [{ count: 1 }, { count: 0 }, { count: 1 }, { count: 0 }, { count: 1 }],
      roles: [
        { role: 'user', count: 3 },
        { role: 'assistant', count: 1 },
      ],
    });
    const turn = await call('GET /v1/turns/:turn_id', { url: '/v1/turns/t2?neighbours=1' });
    expect(turn.json()).toMatchObject({ content_used: 'full', previous: [{ turn_id: 't1' }], next: [{}] });
    const turns = await call('GET /v1/conversations/:id/turns', { url: '/v1/conversations/roof/turns' });
    expect(turns.json<{ data: unknown[] }>().data).toHaveLength(3);
    expect((await call('GET /v1/conversations')).json()).toMatchObject({
      data: [{ conversation_id: 'roof', turns: 3 }],
    });
    expect((await call('GET /v1/conversations/:id', { url: '/v1/conversations/roof' })).json()).toMatchObject({
      title: 'The roof',
      first_timestamp: '2024-03-01T09:00:00.000Z',
    });
    const refused = await app.inject({
      method: 'POST',
      url: '/v1/conversations/peek',
      payload: { query: 'x', topK: 3 },
    });
    expect(refused.json()).toMatchObject({ status: 400 });
    const question = { messages: [{ role: 'user', content: 'When did we order the solar panels?' }] };
    const asked = await call('POST /chat', { payload: question });
    const frames = parseFrames(asked.payload);
    expect(new Set(frames.map(({ event }) => event))).toEqual(new Set(['delta', 'citation', 'done']));
    const done = frames.at(-1)?.data as unknown as {
      conversation_id: string;
      cited_turn_ids: string[];
      answer: string;
    };
    expect(done.cited_turn_ids).toContain('t2');
    expect(done.answer).toContain('On 11 May 2024');
    const steps = await call('POST /chat', {
      url: '/chat?events=all',
      payload: { ...question, conversation_id: done.conversation_id },
    });
    expect(parseFrames(steps.payload).map(({ event }) => event)).toEqual(
      expect.arrayContaining(['peek', 'turn', 'done']),
    );
    const unasked = await app.inject({ method: 'POST', url: '/chat', payload: { messages: [] } });
    expect(unasked.json()).toMatchObject({ status: 400, code: 'invalid-request' });
    const chat = await call('DELETE /chat/:conversation_id', { url: `/chat/${done.conversation_id}` });
    expect(chat.statusCode).toBe(204);
    expect((await call('DELETE /v1/conversations/:id', { url: '/v1/conversations/roof' })).statusCode).toBe(204);
    expect((await app.inject({ method: 'GET', url: '/v1/turns/t2' })).statusCode).toBe(404);
  });

  it('takes text and files of several formats, one bad file not stopping the rest', async () => {
    const text = await call('POST /v1/documents', {
      url: '/v1/documents?wait=true',
      payload: {
        text: '# Lighthouse\n\nThe lighthouse of Arkvik was built in 1874 by Ingrid Solheim.\n\nIts lamp burns kerosene.\n',
        title: 'Lighthouse',
        uri: 'lighthouse.md',
        mime: 'text/markdown',
        metadata: { region: 'north' },
      },
    });
    expect(text.statusCode).toBe(202);
    expect(text.json<Added>().documents[0]).toMatchObject({ status: 'created', deliveries: [{ status: 'delivered' }] });
    const files = await call('POST /v1/documents', {
      ...multipart([
        { field: 'source', value: 'archive' },
        {
          file: 'ferry.pdf',
          mime: 'application/pdf',
          bytes: await pdfOf(['A first page about nothing.', 'The ferry Havørn carries 212 passengers.']),
        },
        { file: 'broken.pdf', mime: 'application/pdf', bytes: '%PDF-1.7 broken' },
        { file: 'rows.csv', bytes: 'boat,length\nHavorn,38 m\nTerne,21 m\n' },
      ]),
    });
    expect(files.statusCode).toBe(202);
    const { documents, failed } = files.json<Added>();
    expect(documents.map(({ uri }) => uri)).toEqual(['ferry.pdf', 'rows.csv']);
    expect(failed).toMatchObject([{ name: 'broken.pdf', code: 'invalid-media' }]);
    const run = await call('POST /v1/ingestions', multipart([{ file: 'tide.md', bytes: 'The tide turns at six.\n' }]));
    const followed = { url: run.headers.location as string, headers: { accept: 'text/event-stream' } };
    const [ended] = parseFrames((await app.inject(followed)).body).slice(-1);
    expect(ended).toMatchObject({ event: 'done', data: { ingestion: { source: 'uploads', counts: { done: 1 } } } });
    await call('GET /v1/documents/:id/boxes', { url: `/v1/documents/${documents[0]?.id}/boxes?page=2` });
    const again = await call('POST /v1/stores/:store/documents', {
      url: '/v1/stores/embedded/documents',
      payload: { text: 'A note for one store.', uri: 'note.txt' },
    });
    expect(again.statusCode).toBe(202);
  });

  it('remembers, recalls, edits and forgets', async () => {
    const added = await call('POST /v1/memories', {
      payload: { text: 'I use Vim', type: 'preference', tags: ['tools'] },
    });
    expect(added.statusCode).toBe(201);
    const { id } = added.json<{ id: string }>();
    const at = `/v1/memories/${id}`;
    expect((await call('POST /v1/memories', { payload: { text: 'I use vim.' } })).statusCode).toBe(200);
    expect((await call('GET /v1/memories', { url: '/v1/memories?tag=tools' })).json()).toMatchObject({
      data: [{ id }],
    });
    const payload = { query: 'do I use Vim?', minSimilarity: 0.9 };
    expect((await call('POST /v1/memories/recall', { payload })).json()).toMatchObject({
      data: [{ id, similarity: 1 }],
    });
    expect((await call('GET /v1/memories/:id', { url: at })).json()).toMatchObject({ usageCount: 1 });
    const edited = await call('PATCH /v1/memories/:id', { url: at, payload: { text: 'I use Emacs' } });
    expect(edited.json()).toMatchObject({ id, text: 'I use Emacs' });
    expect((await call('GET /v1/memories/export')).json()).toMatchObject({ data: [{ id }] });
    expect((await call('POST /v1/memories/prune', { payload: { dryRun: true } })).json()).toMatchObject({ pruned: 0 });
    expect((await call('GET /v1/memories/stats')).json()).toMatchObject({ total: 1, byType: { preference: 1 } });
    expect((await call('DELETE /v1/memories/:id', { url: at })).statusCode).toBe(204);
    expect((await call('DELETE /v1/memories')).json()).toEqual({ erased: 0 });
  });

  it('foretells what a folder and a file would bring, and writes nothing', async () => {
    const docs = join(folder, 'looked-at');
    await mkdir(docs, { recursive: true });
    await writeFile(join(docs, 'one.md'), '# One\n\nThe first note.\n');
    await writeFile(join(docs, 'bad.pdf'), '%PDF-1.7 nothing');
    const payload = { name: 'looked', type: 'docs', connector: { kind: 'folder', path: docs } };
    const json = await call('POST /v1/sources/preview', { payload });
    expect(json.json()).toMatchObject({
      source: 'looked',
      counts: { found: 2, done: 1, failed: 1, chunks: 1 },
      files: [
        { uri: 'bad.pdf', state: 'failed', error: { code: 'invalid-media' } },
        { uri: 'one.md', state: 'done', change: 'added', kind: 'Markdown', chunks: 1 },
      ],
    });
    const streamed = await call('POST /v1/sources/preview', { payload, headers: { accept: 'text/event-stream' } });
    const events = parseFrames(streamed.body).map(({ data }) => data as { type: string; preview?: object });
    expect(events.at(-1)).toMatchObject({ type: 'done', preview: { counts: { found: 2 } } });
    const files = await call('POST /v1/documents/preview', {
      ...multipart([{ file: 'two.md', mime: 'text/markdown', bytes: '# Two\n\nAnother.\n' }]),
    });
    expect(files.json()).toMatchObject({ files: [{ uri: 'two.md', change: 'added', kind: 'Markdown' }] });
    expect((await call('GET /v1/sources')).body).not.toContain('looked');
  });

  it('answers with a citation whose span, view and page are right', async () => {
    const asked = await call('POST /v1/ask', { payload: { question: 'How many passengers does the ferry carry?' } });
    const messages = [{ role: 'user', content: 'How many passengers does the ferry carry?' }];
    for (const route of ['POST /v1/chat/completions', 'POST /v1/messages'] as const)
      await call(route, { payload: { model: 'footnote', messages } });
    const response = await call('POST /v1/responses', {
      payload: { model: 'footnote', input: 'How many passengers?' },
    });
    const kept = `/v1/responses/${response.json<{ id: string }>().id}`;
    expect((await call('GET /v1/responses/:id', { url: kept })).json()).toEqual(response.json());
    await call('GET /v1/responses/:id/input_items', { url: `${kept}/input_items` });
    await call('POST /v1/responses/:id/cancel', { url: `${kept}/cancel` });
    await call('DELETE /v1/responses/:id', { url: kept });
    const parts = [{ type: 'text', text: 'How many passengers does the ferry carry?' }];
    await call('POST /v1/ui/chat', { payload: { id: 'c', messages: [{ role: 'user', parts }] } });
    await call('GET /v1/ui/chat/:id/stream', { url: '/v1/ui/chat/c/stream' });
    await call('GET /v1/models');
    await call('GET /v1/models/:id', { url: '/v1/models/footnote' });
    const answer = answerSchema.parse(asked.json());
    expect(answer.answer).toContain('212');
    const [citation] = answer.citations;
    expect(citation?.page).toBe(2);
    const { pathname, search } = new URL(citation?.url ?? '', 'http://localhost');
    const span = await call('GET /v1/documents/:id/text', {
      url: `/v1/documents/${citation?.documentId}/text${search}`,
    });
    expect(span.json<{ text: string }>().text).toBe(citation?.quote);
    const view = await call('GET /v1/documents/:id/view', { url: pathname + search, headers: { accept: 'text/html' } });
    expect(view.body).toContain('<mark id="span"');
    expect(view.body).toContain('data-label="Page 2"');
    const program = await app.inject({ url: pathname + search, headers: { accept: 'application/json' } });
    expect(program.json()).toMatchObject({ quote: citation?.quote, page: 2 });

    expect((await call('GET /v1/answers/:id', { url: `/v1/answers/${answer.id}` })).json()).toEqual(answer);
    expect((await call('POST /v1/answers/verify', { payload: answer })).json()).toMatchObject({ ok: true });
    const forged = {
      ...answer,
      citations: answer.citations.map((one) => ({ ...one, start: one.start + 1, end: one.end + 1 })),
    };
    expect((await app.inject({ method: 'POST', url: '/v1/answers/verify', payload: forged })).json()).toMatchObject({
      ok: false,
    });
    const url = `/v1/answers/${answer.id}/report`;
    const report = await call('GET /v1/answers/:id/report', { url, headers: { accept: 'text/html' } });
    expect(report.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
    expect(report.headers['content-security-policy']).toContain("default-src 'none'");
    const data = await app.inject({ url, headers: { accept: 'application/json' } });
    expect(data.json()).toMatchObject({ format: 'footnote-report', answer: { id: answer.id } });
    const checked = await call('POST /v1/answers/report/verify', { payload: { page: report.body } });
    expect(checked.json()).toMatchObject({ answerId: answer.id, ok: true, reasons: [] });
    const trace = await call('GET /admin/traces/:id', { url: `/admin/traces/${answer.traceId}` });
    const listed = await call('GET /admin/traces', { url: '/admin/traces?status=done&sort=slowest' });
    expect(listed.json<{ data: { id: string }[] }>().data.map(({ id }) => id)).toContain(answer.traceId);
    const replay = await call('POST /admin/traces/:id/replay', { url: `/admin/traces/${answer.traceId}/replay` });
    expect(replay.json()).toMatchObject({ against: 'record', same: true, sameCalls: true, divergences: [] });
    const trial = await call('POST /admin/traces/:id/replay', {
      url: `/admin/traces/${answer.traceId}/replay`,
      payload: { mode: 'embedded' },
    });
    expect(trial.json()).toMatchObject({ against: 'current', diff: { changed: ['mode'] } });
    await call('PUT /admin/traces/:id/pin', { url: `/admin/traces/${answer.traceId}/pin` });
    await call('DELETE /admin/traces/:id/pin', { url: `/admin/traces/${answer.traceId}/pin` });
    const file = await call('GET /admin/traces/export/:id', { url: `/admin/traces/export/${answer.traceId}` });
    expect(file.headers['content-disposition']).toContain(`trace-${answer.traceId}.json`);
    const foreign = JSON.parse(file.body.replaceAll(answer.traceId, 'trc_elsewhere')) as object;
    const taken = await call('POST /admin/traces/import', { payload: foreign });
    expect(taken.json<{ data: object[] }>().data).toMatchObject([{ id: 'trc_elsewhere', pinned: true }]);
    const types = trace.json<{ events: { event: { type: string } }[] }>().events.map(({ event }) => event.type);
    expect(types).toEqual(expect.arrayContaining(['request', 'call', 'done']));
  });

  it('analyses a subject by sections, in one piece and as a stream', async () => {
    const payload = { kind: 'market', subject: 'ferry', focusAreas: ['passengers'] };
    const answer = answerSchema.parse((await call('POST /v1/analyses', { payload })).json());
    expect(answer.sections?.at(-1)).toMatchObject({ title: 'ferry', claims: [expect.any(Number) as number] });
    expect(answer.answer).toContain('212');
    const url = `/v1/answers/${answer.id}`;
    expect((await call('GET /v1/answers/:id', { url })).json()).toEqual(answer);
    expect((await call('DELETE /v1/answers/:id', { url })).statusCode).toBe(204);
    expect((await app.inject({ url })).statusCode).toBe(404);
    const streamed = await call('POST /v1/analyses', { payload: { ...payload, stream: true } });
    const events = parseFrames(streamed.body).map(({ data }) => data);
    expect(events.at(-1)).toMatchObject({ type: 'done', answer: { sections: answer.sections, answer: answer.answer } });
  });

  it('streams the same answer, ending in done', async () => {
    const reply = await app.inject({
      method: 'POST',
      url: '/v1/ask',
      payload: { question: 'Who built the lighthouse of Arkvik?', stream: true },
    });
    const frames = parseFrames(reply.body);
    const last = frames.at(-1)?.data;
    expect(last?.type).toBe('done');
    const answer = answerSchema.parse(last?.['answer']);
    const streamed = frames.filter(({ event }) => event === 'delta').map(({ data }) => String(data['text']));
    expect(streamed.join('')).toBe(answer.answer);
    expect(answer.answer).toContain('Ingrid Solheim');
  });

  it('abstains with a reason, and says what it had to do without', async () => {
    const asked = await app.inject({
      method: 'POST',
      url: '/v1/ask',
      payload: { question: 'What is the mass of Jupiter?' },
    });
    expect(asked.json<Answer>()).toMatchObject({
      abstained: true,
      claims: [],
      abstainReason: expect.any(String) as string,
    });
    const hybrid = await app.inject({
      method: 'POST',
      url: '/v1/ask',
      payload: { question: 'Who built the lighthouse?', mode: 'hybrid' },
    });
    expect(hybrid.json<Answer>().degraded).toMatchObject([{ component: 'vector' }]);
    const vector = await app.inject({ method: 'POST', url: '/v1/search', payload: { query: 'ferry', mode: 'vector' } });
    expect(vector.json<SearchResponse>().degraded).toMatchObject([
      { component: 'vector', effect: 'Searched by words only.' },
    ]);
  });

  it('searches with filters and explains', async () => {
    const found = await call('POST /v1/search', {
      payload: {
        query: 'lighthouse lamp',
        explain: true,
        filter: { op: 'eq', field: 'metadata.region', value: 'north' },
      },
    });
    const { results } = found.json<SearchResponse>();
    expect(results[0]).toMatchObject({ uri: 'lighthouse.md', explanation: { terms: expect.any(Array) as unknown[] } });
    const none = await app.inject({
      method: 'POST',
      url: '/v1/search',
      payload: { query: 'lighthouse lamp', filter: { op: 'eq', field: 'source', value: 'archive' } },
    });
    expect(none.json<SearchResponse>().results.map(({ uri }) => uri)).not.toContain('lighthouse.md');
  });

  it('holds a conversation', async () => {
    const { id } = (await call('POST /v1/rag/sessions', { payload: { title: 'Coast' } })).json<{ id: string }>();
    const url = `/v1/rag/sessions/${id}`;
    const say = (content: string) =>
      call('POST /v1/rag/sessions/:session_id/messages', { url: `${url}/messages`, payload: { content } });
    await say('Who built the lighthouse of Arkvik?');
    expect((await say('When was it built?')).json<Answer>().answer).toContain('1874');
    const turns = await call('GET /v1/rag/sessions/:session_id/messages', { url: `${url}/messages` });
    expect(turns.json<{ data: { content: string }[] }>().data.map(({ content }) => content)).toEqual([
      'Who built the lighthouse of Arkvik?',
      'When was it built?',
    ]);
    expect((await call('GET /v1/rag/sessions/:session_id', { url })).json()).toMatchObject({ turnCount: 2 });
    await call('PATCH /v1/rag/sessions/:session_id', { url, payload: { title: 'Shore' } });
    expect((await call('GET /v1/rag/sessions')).json()).toMatchObject({ data: [{ title: 'Shore' }] });
    expect((await call('DELETE /v1/rag/sessions/:session_id', { url })).statusCode).toBe(204);
    expect((await app.inject(url)).statusCode).toBe(404);
  });

  it('reads a folder, with progress, files and their errors', async () => {
    const docs = join(folder, 'docs');
    await mkdir(docs);
    await writeFile(join(docs, 'tide.md'), 'The tide at Arkvik rises 2.4 metres.\n');
    await writeFile(join(docs, 'bad.pdf'), '%PDF-1.7 broken');
    const source = { name: 'coast', type: 'guide', connector: { kind: 'folder', path: docs } };
    expect((await call('POST /v1/sources', { payload: source })).statusCode).toBe(201);
    const started = await call('POST /v1/sources/:name/sync', { url: '/v1/sources/coast/sync' });
    const url = `/v1/ingestions/${started.json<{ id: string }>().id}`;
    const watched = await app.inject({ url, headers: { accept: 'text/event-stream' } });
    expect(parseFrames(watched.body).at(-1)?.data).toMatchObject({
      type: 'done',
      ingestion: { state: 'done', counts: { found: 2, done: 1, failed: 1 } },
    });
    expect((await call('GET /v1/ingestions/:id', { url })).json()).toMatchObject({ state: 'done' });
    const failed = await call('GET /v1/ingestions/:id/files', { url: `${url}/files?state=failed` });
    expect(failed.json()).toMatchObject({
      data: [{ uri: expect.stringContaining('bad.pdf') as string, error: { code: 'invalid-media' } }],
    });
    for (const query of ['', '', '?retry=true']) {
      const next = await call('POST /v1/sources/:name/sync', { url: `/v1/sources/coast/sync${query}` });
      const again = await app.inject({
        url: `/v1/ingestions/${next.json<{ id: string }>().id}`,
        headers: { accept: 'text/event-stream' },
      });
      expect(parseFrames(again.body).at(-1)?.data).toMatchObject({
        ingestion: { counts: { unchanged: 1, failed: 1 } },
      });
    }
    expect((await call('GET /v1/parked-files', { url: '/v1/parked-files?source=coast' })).json()).toMatchObject({
      data: [{ source: 'coast', uri: 'bad.pdf', tries: 3, error: { code: 'invalid-media' } }],
    });
    expect((await app.inject('/v1/parked-files?source=other')).json()).toEqual({ data: [] });
    expect((await call('GET /v1/ingestions')).json<{ data: unknown[] }>().data.length).toBeGreaterThan(0);
    const cancelled = await call('DELETE /v1/ingestions/:id', { url });
    expect([204, 409]).toContain(cancelled.statusCode);
    reached.add('DELETE /v1/ingestions/:id');
    expect((await call('GET /v1/sources/:name', { url: '/v1/sources/coast' })).json()).toMatchObject(source);
    const listed = (await call('GET /v1/sources')).json<{ data: { name: string; documents: number }[] }>();
    expect(listed.data.find(({ name }) => name === 'coast')?.documents).toBe(1);
    await rm(join(docs, 'tide.md'));
    await rm(join(docs, 'bad.pdf'));
    for (const [query, ended] of [
      ['', { state: 'doubtful', counts: { deleted: 0 }, error: { code: 'conflict', reason: 'found-little' } }],
      ['?confirm=true', { state: 'done', counts: { deleted: 1 } }],
    ] as const) {
      const next = await call('POST /v1/sources/:name/sync', { url: `/v1/sources/coast/sync${query}` });
      const followed = await app.inject({
        url: `/v1/ingestions/${next.json<{ id: string }>().id}`,
        headers: { accept: 'text/event-stream' },
      });
      expect(parseFrames(followed.body).at(-1)?.data).toMatchObject({ ingestion: ended });
    }
    expect((await call('DELETE /v1/sources/:name', { url: '/v1/sources/coast' })).json()).toEqual({
      removedDocuments: 0,
    });
  });

  it('shows, lists by page, and removes documents everywhere', async () => {
    const first = (await call('GET /v1/documents', { url: '/v1/documents?limit=2' })).json<{
      data: { id: string }[];
      nextCursor: string;
    }>();
    const rest = (await app.inject(`/v1/documents?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)).json<{
      data: { id: string }[];
    }>();
    const ids = [...first.data, ...rest.data].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    const [{ id } = { id: '' }] = (await app.inject('/v1/documents?source=archive&limit=1')).json<{
      data: { id: string }[];
    }>().data;
    const url = `/v1/documents/${id}`;
    const detail = (await call('GET /v1/documents/:id', { url })).json<{ chunks: number; deliveries: unknown[] }>();
    expect(detail.deliveries).toMatchObject([{ store: 'embedded', status: 'delivered' }]);
    const chunks = (await call('GET /v1/documents/:id/chunks', { url: `${url}/chunks` })).json<{ data: unknown[] }>()
      .data;
    expect(chunks).toHaveLength(detail.chunks);
    await call('GET /v1/documents/:id/structure', { url: `${url}/structure` });
    expect((await call('GET /v1/documents/:id/file', { url: `${url}/file` })).statusCode).toBe(200);
    expect((await call('DELETE /v1/documents/:id', { url })).statusCode).toBe(204);
    for (const suffix of ['', '/text', '/file', '/view', '/chunks', '/structure', '/boxes?page=1'])
      expect((await app.inject(url + suffix)).json(), suffix).toMatchObject({ status: 404, code: 'not-found' });
  });

  it('tells about stores, itself and its contract', async () => {
    await call('GET /v1/me');
    const origin = { headers: { origin: 'http://localhost', host: 'localhost' } };
    for (const path of ['login', 'logout']) await call(`POST /v1/${path}`, { payload: { key: 'owner' }, ...origin });
    expect((await call('GET /v1/stores')).json()).toMatchObject({
      data: [{ name: 'embedded', status: 'ok', coverage: 1 }],
    });
    await call('GET /v1/stores/:store/deliveries', { url: '/v1/stores/embedded/deliveries' });
    expect((await call('POST /v1/stores/:store/sync', { url: '/v1/stores/embedded/sync' })).json()).toMatchObject({
      failed: 0,
    });
    for (const route of ['GET /healthz', 'GET /readyz', 'GET /admin/models', 'GET /openapi.json', 'GET /'] as const)
      await call(route);
    const asked = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const accept = 'application/json, text/event-stream';
    expect((await call('POST /mcp', { payload: asked, headers: { accept } })).body).toContain('"search"');
    expect((await call('GET /v1/usage')).json()).toMatchObject({
      by: 'day',
      data: [],
      total: { calls: 0 },
      budgets: [],
    });
    expect((await call('GET /admin/audit', { url: '/admin/audit?operation=stores.sync' })).json()).toMatchObject({
      data: [{ via: 'POST /v1/stores/:store/sync', targets: ['embedded'], outcome: 'done' }],
    });
    expect((await call('GET /v1/servers')).json()).toMatchObject({ data: [{ isThis: true }] });
    expect((await call('GET /admin/audit/check')).json()).toMatchObject({ ok: true, faults: [] });
    await call('GET /v1/schemas/:name', { url: '/v1/schemas/answer' });
    for (const url of ['/app', '/app/*', '/assets/*'] as const)
      await call(`GET ${url}`, { url: url.replace('assets/*', 'assets/view.css') });
  });

  it('does a repeated request once', async () => {
    const send = (text: string) =>
      app.inject({
        method: 'POST',
        url: '/v1/documents',
        payload: { text, uri: 'once.txt' },
        headers: { 'idempotency-key': 'once' },
      });
    const first = await send('Once only.');
    const second = await send('Once only.');
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body).toBe(first.body);
    expect((await send('Another.')).json()).toMatchObject({ status: 422, code: 'idempotency-mismatch' });
  });

  // Last, because from here on every call needs a key.
  it('asks for a key once one exists, and keeps tenants apart', async () => {
    const made = await call('POST /admin/keys', { payload: { name: 'first', role: 'reader' } });
    const { key, secret } = made.json<{ key: { id: string }; secret: string }>();
    expect((await app.inject('/v1/documents')).statusCode).toBe(401);
    const reader = { authorization: `Bearer ${secret}` };
    const mine = (await app.inject({ url: '/v1/documents', headers: reader })).json<{ data: { id: string }[] }>().data;
    expect(mine.length).toBeGreaterThan(0);
    expect(
      (await app.inject({ method: 'DELETE', url: `/v1/documents/${mine[0]?.id}`, headers: reader })).statusCode,
    ).toBe(403);

    const other = await opened.keys.create({ name: 'other', role: 'admin', tenant: 'other' });
    const stranger = { authorization: `Bearer ${other.secret}` };
    expect((await app.inject({ url: '/v1/documents', headers: stranger })).json()).toEqual({ data: [] });
    const foreign = await app.inject({ url: `/v1/documents/${mine[0]?.id}`, headers: stranger });
    const none = await app.inject({ url: '/v1/documents/doc_none', headers: stranger });
    const body = (reply: typeof none, id: string) => reply.body.replaceAll(id, 'ID').replace(/req_\w+/, '');
    expect(foreign.statusCode).toBe(404);
    expect(body(foreign, mine[0]?.id ?? '')).toBe(body(none, 'doc_none'));

    const owner = { authorization: 'Bearer owner' };
    expect((await call('GET /admin/keys', { headers: owner })).json<{ data: unknown[] }>().data).toHaveLength(2);
    const rotate = { url: `/admin/keys/${key.id}/rotate`, headers: owner };
    expect((await call('POST /admin/keys/:id/rotate', rotate)).json()).toMatchObject({ key: { id: key.id } });
    expect((await call('DELETE /admin/keys/:id', { url: `/admin/keys/${key.id}`, headers: owner })).statusCode).toBe(
      204,
    );
    expect((await app.inject({ url: '/v1/documents', headers: reader })).statusCode).toBe(401);
  });

  it('tells operators what was counted, and what judges said', async () => {
    const headers = { authorization: 'Bearer owner' };
    const metrics = await call('GET /metrics', { headers });
    expect(metrics.headers['content-type']).toContain('text/plain');
    expect(metrics.body).toMatch(/footnote_request_duration_count\{kind="search"/u);
    const evals = (await call('GET /admin/evals', { headers })).json();
    expect(evals).toMatchObject({ stats: { totalEvaluations: 0 }, recent: [] });
  });

  it('takes feedback on an answer, gives it back as cases, and says what to read next', async () => {
    const headers = { authorization: 'Bearer owner' };
    const answer = (
      await call('POST /v1/ask', { headers, payload: { question: 'What is in the notes?' } })
    ).json<Answer>();
    const url = `/v1/answers/${answer.id}/feedback`;
    const given = await call('POST /v1/answers/:id/feedback', {
      url,
      headers,
      payload: { rating: 'down', comment: 'no' },
    });
    expect(given.statusCode).toBe(201);
    await call('POST /v1/answers/:id/feedback', { url, headers, payload: { rating: 'up' } });
    const episodes = { headers, payload: { query: 'What is in the notes?', k: 1 } };
    expect((await call('POST /v1/feedback/episodes', episodes)).json()).toMatchObject({ data: expect.any(Array) });
    await call('POST /v1/answers/:id/feedback', { url, headers, payload: { rating: 'down', comment: 'no' } });
    const opened = { url: `/v1/answers/${answer.id}/opened`, headers, payload: { citation: 1 } };
    expect((await call('POST /v1/answers/:id/opened', opened)).statusCode).toBe(204);
    expect((await call('GET /v1/feedback', { headers })).json<{ data: unknown[] }>().data).toHaveLength(1);
    expect((await call('GET /v1/feedback/cases', { headers })).json()).toMatchObject({
      data: [{ question: 'What is in the notes?', rating: 'down', comment: 'no' }],
    });
    const { data } = (await call('POST /v1/recommendations', { headers, payload: { limit: 2 } })).json<{
      data: { reason: string }[];
    }>();
    for (const { reason } of data) expect(reason).toMatch(/\.$/u);
  });

  it('names the answers that rest on a document', async () => {
    const asked = { url: '/v1/documents/doc_none/answers', headers: { authorization: 'Bearer owner' } };
    expect((await call('GET /v1/documents/:id/answers', asked)).json()).toEqual({ data: [] });
  });

  it('has reached every route, and nothing failed behind the door', () => {
    // stores-beside.test.ts, openai-stores.test.ts and tokens.test.ts reach them.
    const elsewhere: readonly string[] = [
      ...['', '/mcp'].map((end) => `GET /.well-known/oauth-protected-resource${end}`),
      ...['pause', 'resume', 'reconcile'].map((verb) => `POST /v1/stores/:store/${verb}`),
      ...Object.values(vectorStores).map(({ route }) => route),
    ];
    expect(Object.keys(routePolicy).filter((route) => !reached.has(route) && !elsewhere.includes(route))).toEqual([]);
    expect(errors).toEqual([]);
  });
});
