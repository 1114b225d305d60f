// Pages of origins that the operator names: preflights, replies, errors and streams over a real socket, as a browser sends them; every other origin is refused as ever.
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { fakeAppOptions, parseFrames } from './fake-app.ts';

const app = 'https://app.example.org';
const local = 'http://localhost:3000';
let server: HttpServer;
let shut: HttpServer;
const start = (allowedOrigins?: readonly string[]) =>
  startHttpServer({
    ...fakeAppOptions({ keys: true, ...(allowedOrigins && { allowedOrigins }) }).options,
    host: '127.0.0.1',
    port: 0,
  });
beforeAll(async () => {
  [server, shut] = await Promise.all([start([app, local]), start()]);
});
afterAll(() => Promise.all([server, shut].map((one) => one.close({ deadlineMs: 100 }))));

const from = (origin: string) => ({ origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' });
const key = { authorization: 'Bearer reader-key' };
const preflight = (origin: string, path: string, method = 'POST') =>
  fetch(server.url + path, {
    method: 'OPTIONS',
    headers: {
      ...from(origin),
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key,x-stainless-os',
    },
  });
const corsOf = (response: Response) => [...response.headers.keys()].filter((name) => name.startsWith('access-control'));
/** Near the allowed ones, and none of them. */
const others = [
  'https://app.example.org.evil.test',
  'https://evil.app.example.org',
  'http://app.example.org',
  'https://app.example.org:8443',
  'https://APP.example.org',
  'https://app.example.org/',
  'null',
  '*',
  `${app}, ${local}`,
];

describe('a page of an origin that is named', () => {
  it.each(['/v1/ask', '/v1/documents/some%2Fid', '/v1/chat/completions', '/mcp', '/v1/nothing'])(
    'is told before it asks %s: with its headers, by any method, without credentials',
    async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers } = await preflight(app, path, method);
        expect(status).toBe(204);
        expect(headers.get('access-control-allow-origin')).toBe(app);
        expect(headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
        expect(headers.get('access-control-allow-headers')).toBe(
          'authorization,content-type,idempotency-key,x-stainless-os',
        );
        expect(headers.get('access-control-allow-credentials')).toBeNull();
        expect(headers.get('vary')?.split(', ')).toContain('Origin');
      }
    },
  );

  it('reads replies, errors and the headers that it needs; without a key it gets nothing', async () => {
    const get = (path: string, headers: object = key) =>
      fetch(server.url + path, { headers: { ...from(app), ...headers } });
    for (const [response, status] of [
      [await get('/v1/documents'), 200],
      [await get('/v1/documents/none'), 404],
      [await get('/v1/nothing'), 404],
      [await get('/v1/documents', {}), 401],
      [await get('/admin/keys'), 403],
      [await get('/v1/models/none'), 404],
    ] as const) {
      expect(response.status).toBe(status);
      expect(response.headers.get('access-control-allow-origin')).toBe(app);
      expect(response.headers.get('access-control-expose-headers')).toMatch(/x-request-id.*retry-after/u);
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      expect(response.headers.get('vary')).toMatch(/Origin/u);
    }
  });

  it('follows a stream, by our protocol and by OpenAI’s client', async () => {
    const stream = await fetch(`${server.url}/v1/ask`, {
      method: 'POST',
      headers: { ...from(local), ...key, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ question: 'What opens?' }),
    });
    expect(stream.headers.get('access-control-allow-origin')).toBe(local);
    expect(stream.headers.get('vary')).toMatch(/Origin/u);
    expect(parseFrames(await stream.text()).at(-1)?.event).toBe('done');
    const client = new OpenAI({
      apiKey: 'reader-key',
      baseURL: `${server.url}/v1`,
      defaultHeaders: from(app),
      dangerouslyAllowBrowser: true,
    });
    const { data: chunks, response } = await client.chat.completions
      .create({ model: 'footnote', stream: true, messages: [{ role: 'user', content: 'What opens?' }] })
      .withResponse();
    expect(response.headers.get('access-control-allow-origin')).toBe(app);
    const ends: unknown[] = [];
    for await (const { choices } of chunks) ends.push(choices[0]?.finish_reason);
    expect(ends).toContain('stop');
  });

  it('loads nothing as an image or a script, which names no origin', async () => {
    const headers = { ...key, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    expect((await fetch(`${server.url}/v1/documents`, { headers })).status).toBe(403);
  });
});

describe('a page of any other origin', () => {
  it.each(others)('is refused: %s', async (origin) => {
    for (const response of [
      await preflight(origin, '/v1/ask'),
      await fetch(`${server.url}/v1/documents`, { headers: { ...from(origin), ...key } }),
    ]) {
      expect(response.status).toBe(403);
      expect(corsOf(response)).toEqual([]);
      expect(response.headers.get('vary')).toMatch(/Origin/u);
    }
  });

  it('is refused by a server that names none, which says nothing of origins', async () => {
    const response = await fetch(`${shut.url}/v1/documents`, { headers: { ...from(app), ...key } });
    expect([response.status, corsOf(response), response.headers.get('vary')]).toEqual([403, [], null]);
    expect(await response.text()).toContain('FOOTNOTE_ALLOWED_ORIGINS');
  });
});

describe('the setting', () => {
  const read = (FOOTNOTE_ALLOWED_ORIGINS: string) =>
    loadConfig({ folder: '/nonexistent', environment: { FOOTNOTE_ALLOWED_ORIGINS } }).allowedOrigins;
  it('takes exact origins', () => {
    expect(read(`${app} , ${local}`)).toEqual([app, local]);
  });
  it.each([
    ['*', /"\*" is none/u],
    [`${app},*`, /"\*" is none/u],
    ['https://*.example.org', /is none/u],
    [`${app}/`, /write https:\/\/app\.example\.org\)/u],
    ['https://App.Example.org', /write https:\/\/app\.example\.org\)/u],
    ['https://app.example.org:443', /write https:\/\/app\.example\.org\)/u],
    ['app.example.org', /is none/u],
    ['null', /is none/u],
    ['file:///home', /is none/u],
    [`${app},`, /"" is none/u],
  ])('refuses %s and says what to write', (given, said) => {
    expect(() => read(given)).toThrow(said);
    expect(() => read(given)).toThrow(/exact origins, separated by commas, such as/u);
  });
});
