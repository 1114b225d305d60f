// Route × bad input → status and code, always as a problem with the request's id.

import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorTable } from '../../src/core/errors.ts';
import { problemSchema } from '../../src/core/events.ts';
import { mirroredBy } from '../../src/http/foreign/errors.ts';
import { routePolicy } from '../../src/http/policy/policy.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { casesOfNewGroups } from './bad-inputs.ts';
import { createFakeApp, multipart } from './fake-app.ts';

let app: HttpApp;
beforeAll(async () => {
  ({ app } = createFakeApp({
    limits: { bodyBytes: 10_000, documentBytes: 20_000, fileBytes: 5_000, uploadBytes: 8_000, importBytes: 6_000 },
  }));
  await app.inject({ method: 'POST', url: '/v1/documents', payload: { text: 'Known text.', uri: 'known.md' } });
});
afterAll(() => app.close());

const json = { 'content-type': 'application/json' };
const deep = (levels: number): string => `${'{"metadata":'.repeat(levels)}1${'}'.repeat(levels)}`;
const documentId = 'doc_unknown';

type Case = readonly [
  name: string,
  call: InjectOptions & { readonly url: string },
  status: number,
  code: string,
  detail?: RegExp,
];
const cases: readonly Case[] = [
  ...casesOfNewGroups,
  ['unknown route', { url: '/v1/nothing' }, 404, 'not-found', /openapi/],
  ['no export', { method: 'POST', url: '/v1/conversations/import' }, 400, 'invalid-request', /one export/],
  [
    'unknown format of an export',
    { method: 'POST', url: '/v1/conversations/import?format=paper' },
    400,
    'invalid-request',
    /format/,
  ],
  [
    'turns without messages',
    { method: 'POST', url: '/v1/conversations/c/turns', payload: { messages: [] } },
    400,
    'invalid-request',
    /messages/,
  ],
  ['unknown conversation', { url: '/v1/conversations/none' }, 404, 'not-found'],
  ['turns of an unknown conversation', { url: '/v1/conversations/none/turns' }, 404, 'not-found'],
  ['removing an unknown conversation', { method: 'DELETE', url: '/v1/conversations/none' }, 404, 'not-found'],
  [
    'a peek with an unknown field',
    { method: 'POST', url: '/v1/conversations/peek', payload: { query: 'x', topK: 3 } },
    400,
    'invalid-request',
    /topK/,
  ],
  ['unknown turn', { url: '/v1/turns/none' }, 404, 'not-found'],
  ['a chat without messages', { method: 'POST', url: '/chat', payload: {} }, 400, 'invalid-request', /messages/],
  ['removing an unknown chat', { method: 'DELETE', url: '/chat/none' }, 404, 'not-found'],
  ['JSON-RPC that is none', { method: 'POST', url: '/mcp', payload: '{', headers: json }, 400, 'invalid-request'],
  ['unknown route below a known one', { url: '/v1/search/more' }, 404, 'not-found'],
  ['wrong method', { method: 'GET', url: '/v1/search' }, 405, 'invalid-request', /POST/],
  ['wrong method with a parameter', { method: 'PUT', url: '/v1/documents/x' }, 405, 'invalid-request', /DELETE, GET/],
  ['preflight', { method: 'OPTIONS', url: '/v1/ask' }, 405, 'invalid-request'],
  ['malformed path', { url: '/v1/documents/%zz' }, 400, 'invalid-request'],
  ['overlong id', { url: `/v1/documents/${'x'.repeat(1100)}` }, 414, 'invalid-request'],
  [
    'bad JSON',
    { method: 'POST', url: '/v1/ask', headers: json, payload: '{"question":' },
    400,
    'invalid-request',
    /JSON/,
  ],
  [
    'not UTF-8',
    { method: 'POST', url: '/v1/ask', headers: json, payload: Buffer.from([0x22, 0xff, 0x22]) },
    400,
    'invalid-request',
    /UTF-8/,
  ],
  ['a JSON array', { method: 'POST', url: '/v1/ask', headers: json, payload: '[]' }, 400, 'invalid-request', /body/],
  ['no body', { method: 'POST', url: '/v1/ask' }, 400, 'invalid-request', /body/],
  ['65 levels', { method: 'POST', url: '/v1/ask', headers: json, payload: deep(65) }, 400, 'invalid-request', /64/],
  [
    '__proto__',
    { method: 'POST', url: '/v1/ask', headers: json, payload: '{"__proto__":{"x":1}}' },
    400,
    'invalid-request',
    /__proto__/,
  ],
  [
    'escaped __proto__',
    { method: 'POST', url: '/v1/ask', headers: json, payload: '{"\\u005f_proto__":{}}' },
    400,
    'invalid-request',
    /__proto__/,
  ],
  [
    'text body',
    { method: 'POST', url: '/v1/ask', headers: { 'content-type': 'text/plain' }, payload: 'hello' },
    415,
    'unsupported-media',
    /application\/json/,
  ],
  [
    'form body',
    {
      method: 'POST',
      url: '/v1/ask',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'a=1',
    },
    415,
    'unsupported-media',
  ],
  [
    'files where none belong',
    { method: 'POST', url: '/v1/search', ...multipart([{ field: 'query', value: 'x' }]) },
    415,
    'unsupported-media',
  ],
  [
    'compressed body',
    { method: 'POST', url: '/v1/ask', headers: { 'content-encoding': 'gzip' }, payload: { question: 'x' } },
    415,
    'unsupported-media',
    /gzip/,
  ],
  ['too large a body', { method: 'POST', url: '/v1/ask', payload: { question: 'x'.repeat(11_000) } }, 413, 'too-large'],
  [
    'empty question',
    { method: 'POST', url: '/v1/ask', payload: { question: '' } },
    400,
    'invalid-request',
    /body\.question/,
  ],
  [
    'unknown field',
    { method: 'POST', url: '/v1/ask', payload: { question: 'x', model: 'gpt' } },
    400,
    'invalid-request',
    /body\.model: unknown field; remove it \(known: question, .*topK/,
  ],
  [
    'unknown nested field',
    { method: 'POST', url: '/v1/ask', payload: { question: 'x', workspace: [{ path: 'a', text: 'b', mode: 1 }] } },
    400,
    'invalid-request',
    /body\.workspace\.0\.mode/,
  ],
  [
    'unknown mode',
    { method: 'POST', url: '/v1/ask', payload: { question: 'x', mode: 'magic' } },
    400,
    'invalid-request',
    /body\.mode.*hybrid/,
  ],
  [
    'unknown source',
    { method: 'POST', url: '/v1/ask', payload: { question: 'x', sources: ['nowhere'] } },
    404,
    'not-found',
    /nowhere/,
  ],
  [
    'the same as a stream',
    { method: 'POST', url: '/v1/ask', payload: { question: 'x', sources: ['nowhere'], stream: true } },
    404,
    'not-found',
  ],
  [
    'topK as text',
    { method: 'POST', url: '/v1/search', payload: { query: 'x', topK: '5' } },
    400,
    'invalid-request',
    /body\.topK/,
  ],
  [
    'minScore over 1',
    { method: 'POST', url: '/v1/search', payload: { query: 'x', minScore: 2 } },
    400,
    'invalid-request',
    /body\.minScore/,
  ],
  [
    'bad filter field',
    { method: 'POST', url: '/v1/search', payload: { query: 'x', filter: { op: 'eq', field: 'tenant', value: 'a' } } },
    400,
    'invalid-request',
    /body\.filter\.field: must be one of/,
  ],
  [
    'bad filter operator',
    { method: 'POST', url: '/v1/search', payload: { query: 'x', filter: { op: 'like' } } },
    400,
    'invalid-request',
    /body\.filter/,
  ],
  [
    'answer to verify is none',
    { method: 'POST', url: '/v1/answers/verify', payload: { id: 'x' } },
    400,
    'invalid-request',
    /body\./,
  ],
  [
    'document without text',
    { method: 'POST', url: '/v1/documents', payload: { title: 'x' } },
    400,
    'invalid-request',
    /body\.text/,
  ],
  [
    'document with an unknown field',
    { method: 'POST', url: '/v1/documents', payload: { text: 'x', tenant: 'other' } },
    400,
    'invalid-request',
    /body\.tenant/,
  ],
  [
    'document by url and text',
    { method: 'POST', url: '/v1/documents', payload: { url: 'http://example.org/a', text: 'x' } },
    400,
    'invalid-request',
    /body\.url/,
  ],
  [
    'document by file url',
    { method: 'POST', url: '/v1/documents', payload: { url: 'file:///etc/passwd' } },
    400,
    'invalid-request',
    /body\.url/,
  ],
  [
    'bad date',
    { method: 'POST', url: '/v1/documents', payload: { text: 'x', publishedAt: 'yesterday' } },
    400,
    'invalid-request',
    /publishedAt/,
  ],
  [
    'too large a document',
    { method: 'POST', url: '/v1/documents', payload: { text: 'x'.repeat(21_000) } },
    413,
    'too-large',
  ],
  [
    'upload without a file',
    { method: 'POST', url: '/v1/documents', ...multipart([{ field: 'title', value: 'x' }]) },
    400,
    'invalid-request',
  ],
  [
    'upload with an unknown field',
    {
      method: 'POST',
      url: '/v1/documents',
      ...multipart([
        { field: 'owner', value: 'x' },
        { file: 'a.md', bytes: 'x' },
      ]),
    },
    400,
    'invalid-request',
    /body\.owner/,
  ],
  [
    'upload with bad metadata',
    {
      method: 'POST',
      url: '/v1/documents',
      ...multipart([
        { field: 'metadata', value: '{' },
        { file: 'a.md', bytes: 'x' },
      ]),
    },
    400,
    'invalid-request',
    /body\.metadata/,
  ],
  [
    'upload with a field twice',
    {
      method: 'POST',
      url: '/v1/documents',
      ...multipart([
        { field: 'source', value: 'a' },
        { field: 'source', value: 'b' },
        { file: 'a.md', bytes: 'x' },
      ]),
    },
    400,
    'invalid-request',
    /body\.source/,
  ],
  [
    'one uri for two files',
    {
      method: 'POST',
      url: '/v1/documents',
      ...multipart([
        { field: 'uri', value: 'a' },
        { file: 'a.md', bytes: 'x' },
        { file: 'b.md', bytes: 'y' },
      ]),
    },
    400,
    'invalid-request',
    /body\.uri/,
  ],
  [
    'too large a file',
    { method: 'POST', url: '/v1/documents', ...multipart([{ file: 'a.md', bytes: 'x'.repeat(6_000) }]) },
    413,
    'too-large',
  ],
  [
    'files too large together',
    {
      method: 'POST',
      url: '/v1/documents',
      ...multipart([
        { file: 'a.md', bytes: 'x'.repeat(4_900) },
        { file: 'b.md', bytes: 'x'.repeat(4_900) },
      ]),
    },
    413,
    'too-large',
  ],
  [
    'unreadable file',
    {
      method: 'POST',
      url: '/v1/documents',
      ...multipart([{ file: 'a.xyz', mime: 'application/x-unknown', bytes: 'x' }]),
    },
    415,
    'unsupported-media',
    /a\.xyz/,
  ],
  ['truncated upload', { method: 'POST', url: '/v1/documents', ...truncated() }, 400, 'invalid-request'],
  [
    'upload without a boundary',
    { method: 'POST', url: '/v1/documents', headers: { 'content-type': 'multipart/form-data' }, payload: 'x' },
    400,
    'invalid-request',
  ],
  ['bad limit', { url: '/v1/documents?limit=0' }, 400, 'invalid-request', /query\.limit/],
  ['limit as a word', { url: '/v1/documents?limit=many' }, 400, 'invalid-request', /query\.limit/],
  ['bad cursor', { url: '/v1/documents?cursor=zzz' }, 400, 'invalid-request', /cursor/],
  ['unknown query parameter', { url: '/v1/documents?offset=3' }, 400, 'invalid-request', /query\.offset/],
  ['bad filter in a list', { url: '/v1/documents?filter=%7B%7D' }, 400, 'invalid-request', /query\.filter/],
  ['bad status', { url: '/v1/stores/embedded/deliveries?status=lost' }, 400, 'invalid-request', /query\.status/],
  ['unknown document', { url: `/v1/documents/${documentId}` }, 404, 'not-found'],
  ['text of an unknown document', { url: `/v1/documents/${documentId}/text` }, 404, 'not-found'],
  ['file of an unknown document', { url: `/v1/documents/${documentId}/file` }, 404, 'not-found'],
  ['view of an unknown document', { url: `/v1/documents/${documentId}/view` }, 404, 'not-found'],
  ['chunks of an unknown document', { url: `/v1/documents/${documentId}/chunks` }, 404, 'not-found'],
  ['structure of an unknown document', { url: `/v1/documents/${documentId}/structure` }, 404, 'not-found'],
  ['boxes of an unknown document', { url: `/v1/documents/${documentId}/boxes?page=1` }, 404, 'not-found'],
  ['deleting an unknown document', { method: 'DELETE', url: `/v1/documents/${documentId}` }, 404, 'not-found'],
  ['range backwards', { url: `/v1/documents/${documentId}/text?start=5&end=2` }, 400, 'invalid-request', /query\.end/],
  ['negative start', { url: `/v1/documents/${documentId}/text?start=-1` }, 400, 'invalid-request', /query\.start/],
  ['login without a key', { method: 'POST', url: '/v1/login', payload: {} }, 400, 'invalid-request', /body\.key/],
  ['logout', { method: 'POST', url: '/v1/logout', headers: { origin: 'http://evil.example' } }, 403, 'forbidden'],
  [
    'no title',
    { method: 'PATCH', url: '/v1/rag/sessions/x', payload: { title: ' ' } },
    400,
    'invalid-request',
    /title/,
  ],
  ['unknown ingestion', { url: '/v1/ingestions/ing_x' }, 404, 'not-found'],
  [
    'watching an unknown ingestion',
    { url: '/v1/ingestions/ing_x', headers: { accept: 'text/event-stream' } },
    404,
    'not-found',
  ],
  ['files of an unknown ingestion', { url: '/v1/ingestions/ing_x/files' }, 404, 'not-found'],
  ['cancelling an unknown ingestion', { method: 'DELETE', url: '/v1/ingestions/ing_x' }, 404, 'not-found'],
  ['unknown source', { url: '/v1/sources/none' }, 404, 'not-found'],
  ['syncing an unknown source', { method: 'POST', url: '/v1/sources/none/sync' }, 404, 'not-found'],
  ['removing an unknown source', { method: 'DELETE', url: '/v1/sources/none' }, 404, 'not-found'],
  [
    'source of an unknown type',
    { method: 'POST', url: '/v1/sources', payload: { name: 'a', type: 'film' } },
    400,
    'invalid-request',
    /body\.type/,
  ],
  [
    'connector without an address',
    { method: 'POST', url: '/v1/sources', payload: { name: 'a', type: 'docs', connector: { kind: 'git', url: 'x' } } },
    400,
    'invalid-request',
    /body\.connector/,
  ],
  [
    'unknown connector',
    { method: 'POST', url: '/v1/sources', payload: { name: 'a', type: 'docs', connector: { kind: 'ftp' } } },
    400,
    'invalid-request',
    /body\.connector/,
  ],
  [
    'folder without a path',
    { method: 'POST', url: '/v1/sources', payload: { name: 'a', type: 'docs', connector: { kind: 'folder' } } },
    400,
    'invalid-request',
    /body\.connector\.path/,
  ],
  [
    'store not configured',
    { method: 'POST', url: '/v1/stores/azure/documents', payload: { text: 'x' } },
    422,
    'unsupported',
    /azure/,
  ],
  ['pause of the record', { method: 'POST', url: '/v1/stores/embedded/pause' }, 422, 'unsupported', /embedded/],
  ['resume of the record', { method: 'POST', url: '/v1/stores/embedded/resume' }, 422, 'unsupported', /embedded/],
  ['unknown session', { url: '/v1/rag/sessions/none' }, 404, 'not-found'],
  ['messages of an unknown session', { url: '/v1/rag/sessions/none/messages' }, 404, 'not-found'],
  [
    'empty message',
    { method: 'POST', url: '/v1/rag/sessions/s/messages', payload: { content: '' } },
    400,
    'invalid-request',
    /body\.content/,
  ],
  [
    'key with an unknown role',
    { method: 'POST', url: '/admin/keys', payload: { name: 'a', role: 'god' } },
    400,
    'invalid-request',
    /body\.role/,
  ],
  [
    'key for a door that there is not',
    { method: 'POST', url: '/admin/keys', payload: { name: 'a', role: 'reader', doors: ['window'] } },
    400,
    'invalid-request',
    /body\.doors/,
  ],
  [
    'rotation without an end',
    { method: 'POST', url: '/admin/keys/none/rotate', payload: { overlapSeconds: -1 } },
    400,
    'invalid-request',
    /body\.overlapSeconds/,
  ],
  ['unknown key to rotate', { method: 'POST', url: '/admin/keys/none/rotate' }, 404, 'not-found'],
  ['unknown key', { method: 'DELETE', url: '/admin/keys/none' }, 404, 'not-found'],
  ['unknown answer', { url: '/v1/answers/none' }, 404, 'not-found'],
  ['unknown trace', { url: '/admin/traces/none' }, 404, 'not-found'],
  ['unknown trace to export', { url: '/admin/traces/export/none' }, 404, 'not-found'],
  [
    'no trace file',
    { method: 'POST', url: '/admin/traces/import', payload: { format: 'zip' } },
    400,
    'invalid-request',
    /format/,
  ],
  ['unknown trace to replay', { method: 'POST', url: '/admin/traces/none/replay' }, 404, 'not-found'],
  ['unknown trace to pin', { method: 'PUT', url: '/admin/traces/none/pin' }, 404, 'not-found'],
  ['removing an unknown answer', { method: 'DELETE', url: '/v1/answers/none' }, 404, 'not-found'],
  ['a chat without a message', { method: 'POST', url: '/v1/ui/chat', payload: {} }, 400, 'invalid-request'],
  ['unknown trace to let go', { method: 'DELETE', url: '/admin/traces/none/pin' }, 404, 'not-found'],
  ['unknown schema', { url: '/v1/schemas/none' }, 404, 'not-found', /answer/],
  ['schema named like a property of objects', { url: '/v1/schemas/constructor' }, 404, 'not-found'],
  ['asset outside', { url: '/assets/..%2Fapp.ts' }, 404, 'not-found'],
  [
    'a preview of nothing',
    { method: 'POST', url: '/v1/documents/preview', payload: { title: 'x' } },
    400,
    'invalid-request',
  ],
  [
    'a source without a name',
    { method: 'POST', url: '/v1/sources/preview', payload: { type: 'docs' } },
    400,
    'invalid-request',
    /body\.name: is missing \(string\)/,
  ],
  [
    'a document as plain text',
    { method: 'POST', url: '/v1/documents', headers: { 'content-type': 'text/plain' }, payload: 'x' },
    415,
    'unsupported-media',
    /application\/json, or files as multipart\/form-data/,
  ],
  [
    'a question as plain text',
    { method: 'POST', url: '/v1/ask', headers: { 'content-type': 'text/plain' }, payload: 'x' },
    415,
    'unsupported-media',
    /^Send the body as application\/json\.$/,
  ],
  [
    'an unknown field of a connector',
    {
      method: 'POST',
      url: '/v1/sources/preview',
      payload: { name: 'a', type: 'docs', connector: { kind: 'folder', path: '/tmp', depth: 1 } },
    },
    400,
    'invalid-request',
    /body\.connector\.depth: unknown field; remove it \(known: kind, path, include, exclude/,
  ],
  [
    'an unknown flag',
    { method: 'POST', url: '/v1/sources/docs/sync?again=true' },
    400,
    'invalid-request',
    /query\.again: unknown field; remove it \(known: retry, reread, confirm\)/,
  ],
  [
    'a preview with an unknown field',
    { method: 'POST', url: '/v1/sources/preview', payload: { name: 'a', type: 'docs', tenant: 'other' } },
    400,
    'invalid-request',
    /tenant/,
  ],
  [
    'a bad idempotency key',
    { method: 'POST', url: '/v1/ask', headers: { 'idempotency-key': 'a b' }, payload: { question: 'x' } },
    400,
    'invalid-request',
    /Idempotency-Key/,
  ],
  [
    'an unknown stream',
    {
      method: 'POST',
      url: '/v1/ask',
      headers: { 'last-event-id': 'str_0.1' },
      payload: { question: 'x', stream: true },
    },
    404,
    'not-found',
    /Last-Event-ID/,
  ],
];

function truncated(): { payload: Buffer; headers: { 'content-type': string } } {
  const whole = multipart([{ file: 'a.md', bytes: 'some text' }]);
  return { ...whole, payload: whole.payload.subarray(0, whole.payload.length - 30) };
}

describe('every bad input gets a problem that says what is wrong', () => {
  it.each(cases.map((row) => ({ name: row[0], row })))('$name', async ({ row: [, call, status, code, detail] }) => {
    const reply = await app.inject(call);
    expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([status, code]);
    expect(reply.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    const problem = problemSchema.parse(reply.json());
    expect(problem.status).toBe(status);
    expect(problem.requestId).toBe(reply.headers['x-request-id']);
    expect(problem.detail).toMatch(detail ?? /./);
    expect(problem.detail).not.toMatch(/node_modules|at .*\.ts|FST_|ZodError/);
    expect(Object.keys(errorTable)).toContain(problem.code);
  });

  it('has a bad input for every route of the API that takes input', () => {
    const inputs = Object.keys(routePolicy).filter((route) => route.includes(':') || route.startsWith('POST'));
    const covered = (route: string): boolean => {
      const [method, url = ''] = route.split(' ');
      const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`);
      return cases.some(([, call]) => (call.method ?? 'GET') === method && pattern.test(call.url.split('?')[0] ?? ''));
    };
    const excused = /^(?:POST|DELETE) \/v1\/rag\/sessions(?:\/:session_id)?$|:store\/sync$|ui\/chat\/:id\/stream$/u;
    // What mirrors another API refuses in its shape, in tests of its own; the excused refuse nothing that is not refused above.
    const others = inputs.filter((route) => !mirroredBy(route.split(' ')[1] ?? ''));
    expect(others.filter((route) => !covered(route) && !excused.test(route))).toEqual([]);
  });

  it('says what an unexpected failure was only to the operator', async () => {
    const lines: unknown[] = [];
    const { app: failing, system } = createFakeApp({ log: (line) => lines.push(line) });
    system.answerWith = async () => {
      throw new Error('SELECT secret FROM /secret/place');
    };
    const reply = await failing.inject({ method: 'POST', url: '/v1/ask', payload: { question: 'x' } });
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain('secret');
    await failing.close();
    expect(lines).toMatchObject([
      { status: 500, route: '/v1/ask', error: { message: 'SELECT secret FROM /secret/place' } },
    ]);
  });

  it('accepts 64 levels', async () => {
    const metadata = JSON.parse(`${'{"a":'.repeat(61)}1${'}'.repeat(61)}`) as unknown;
    const reply = await app.inject({ method: 'POST', url: '/v1/documents', payload: { text: 'x', metadata } });
    expect(reply.statusCode).toBe(202);
  });
});
