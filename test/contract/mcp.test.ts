// MCP over HTTP as its official client sees it, in both revisions, over the real system: what tools give, whom it serves, and how it fails.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import type { Mark } from '../../src/core/marked-text.ts';
import { localScope } from '../../src/core/scope.ts';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { connectMcp, overHttp, type Revision, revisions, structured, textOf } from '../../testkit/mcp-clients.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { fakeAppOptions } from './fake-app.ts';

let folder: string;
let opened: OpenedFootnote;
let server: HttpServer;
const clients: Client[] = [];
const publicUrl = 'https://kb.example.org/deep';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-mcp-'));
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), FOOTNOTE_PUBLIC_URL: publicUrl };
  opened = await openFootnote(loadConfig({ folder, environment }));
  server = await startHttpServer({
    system: opened,
    authenticate: (secret) => opened.keys.authenticate(secret),
    hasKeys: () => opened.keys.required(),
    idempotency: opened.idempotency,
    version: '1.2.3',
    host: '127.0.0.1',
    port: 0,
    publicUrl,
    searchesWeb: true,
  });
  opened.setAddress(server.url);
  const { documents, conversations } = opened.forScope(localScope());
  const add = (uri: string, text: string, source: string, access?: readonly string[]) =>
    documents.add({ uri, text, source, ...(access && { access: [...access] }) });
  await add('mill.md', '# The mill\n\nThe lock of the mill was rebuilt in 1931 [2], says the chronicle [7].\n', 'town');
  await add('gold.md', '# Gold\n\nThe gold of team alpha lies in vault nineteen.\n', 'alpha', ['alpha']);
  await add('silver.md', '# Silver\n\nThe silver of team beta lies in cellar seven.\n', 'beta', ['beta']);
  await add('long.txt', 'A line of the long record.\n'.repeat(2000), 'town');
  await conversations.addTurns('roof', {
    shared: true,
    messages: [
      { turn_id: 't1', role: 'user', text: 'Which solar panels fit our roof?', timestamp: '2024-03-01T10:00:00Z' },
      { turn_id: 't1', role: 'assistant', text: `Twelve panels. ${'They face south. '.repeat(2000)}` },
    ],
  });
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(async () => {
  await server.close({ deadlineMs: 100 });
  await opened.close();
  await rm(folder, { recursive: true });
});

async function connect(revision: Revision, key?: string, url = server.url): Promise<Client> {
  const client = await connectMcp(revision, overHttp(url, key));
  clients.push(client);
  return client;
}

interface Answered {
  readonly answer: string;
  readonly marks: readonly Mark[];
  readonly abstained: boolean;
  readonly reason?: string;
  readonly citations: readonly {
    readonly index: number;
    readonly id: string;
    readonly url: string;
    readonly quote: string;
  }[];
}
interface Fetched {
  readonly id: string;
  readonly text: string;
  readonly url: string;
  readonly metadata: { readonly next?: string; readonly length: number };
}
interface Found {
  readonly results: readonly { readonly id: string; readonly url: string; readonly text: string }[];
}

describe.each(revisions)('MCP %s', (revision) => {
  it('names its tools with what they take, give and do', async () => {
    const client = await connect(revision);
    expect(client.getServerVersion()).toMatchObject({ name: 'footnote', version: '1.2.3' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'ask', 'peek', 'turn', 'sources']);
    for (const { name, title, annotations, inputSchema, outputSchema } of tools) {
      expect(title, name).toBeDefined();
      expect(annotations, name).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: name === 'ask',
      });
      // Clients read the arguments at the root.
      expect([inputSchema.type, outputSchema?.type, typeof inputSchema.properties], name).toEqual([
        'object',
        'object',
        'object',
      ]);
    }
    const required = Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema.required ?? []]));
    expect(required).toMatchObject({ search: ['query'], fetch: ['id'], ask: ['question'], sources: [] });
  });

  it('answers with marks, quotes and links that begin where others find the server', async () => {
    const client = await connect(revision);
    const stages: (string | undefined)[] = [];
    const result = await client.callTool(
      { name: 'ask', arguments: { question: 'When was the lock of the mill rebuilt?', sources: ['town'] } },
      { onprogress: ({ message }) => void stages.push(message) },
    );
    const { answer, marks, citations, abstained } = structured<Answered>(result);
    expect([abstained, answer.includes('1931'), marks.length > 0]).toEqual([false, true, true]);
    for (const { start, end, citation } of marks) expect(answer.slice(start, end)).toBe(`[${citation}]`);
    const rest = marks.toReversed().reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), answer);
    expect(rest).toContain('chronicle');
    expect(rest).not.toMatch(/\[\d/u);
    for (const { url, id, quote } of citations) {
      expect(url.startsWith(`${publicUrl}/v1/documents/`)).toBe(true);
      const { text } = structured<Fetched>(await client.callTool({ name: 'fetch', arguments: { id } }));
      expect(text).toBe(quote);
    }
    const text = textOf(result);
    expect(text.startsWith(`${answer}\n\n[${citations[0]?.index}] `)).toBe(true);
    expect(text.match(/\[\d/gu)).toHaveLength(marks.length + citations.length);
    expect(result.content.slice(1)).toEqual(citations.map(() => expect.objectContaining({ type: 'resource_link' })));
    expect(stages).toEqual(expect.arrayContaining(['understanding', 'searching', 'answering']));
  });

  it('says that the documents do not answer, and goes on in a session', async () => {
    const client = await connect(revision);
    const ask = async (asked: object) =>
      structured<Answered>(await client.callTool({ name: 'ask', arguments: { ...asked } }));
    expect(await ask({ question: 'Who won the regatta on the moon?' })).toMatchObject({
      abstained: true,
      reason: expect.any(String),
    });
    const session = `s-${revision}`;
    await ask({ question: 'When was the lock of the mill rebuilt?', session });
    expect((await opened.forScope(localScope()).sessions.turns(session)).length).toBe(1);
    // What was said is cited, and is no document that a tool or a resource could open.
    const asked = { question: 'What did I ask before?', session };
    const recalled = await client.callTool({ name: 'ask', arguments: asked });
    const [said, ...others] = structured<Answered>(recalled).citations;
    expect([said?.quote, said?.id, others]).toEqual(['When was the lock of the mill rebuilt?', undefined, []]);
    expect(recalled.content.map(({ type }) => type)).toEqual(['text']);
  });

  it('finds passages in one item of text that is the structure, and reads long documents in parts', async () => {
    const client = await connect(revision);
    const result = await client.callTool({ name: 'search', arguments: { query: 'lock of the mill' } });
    const { results } = structured<Found>(result);
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
    expect(results[0]).toMatchObject({ text: expect.stringContaining('1931') });
    expect(results.every(({ url }) => url.startsWith(publicUrl))).toBe(true);

    const { resources } = await client.listResources();
    const uri = resources.find(({ name }) => name === 'long.txt')?.uri ?? '';
    let text = '';
    for (let id: string | undefined = uri; id !== undefined; ) {
      const part: Fetched = structured<Fetched>(await client.callTool({ name: 'fetch', arguments: { id } }));
      expect(part.text.length).toBeLessThanOrEqual(20_000);
      text += part.text;
      id = part.metadata.next;
    }
    expect(text).toBe('A line of the long record.\n'.repeat(2000));
    const { contents } = await client.readResource({ uri });
    expect(contents).toHaveLength(2);
    expect(contents[1]?.uri).toMatch(/#\d+-\d+$/u);
    const rest = await client.readResource({ uri: contents[1]?.uri ?? '' });
    expect(rest.contents[0]).toMatchObject({ text: expect.stringMatching(/^A line of the long record\.\n/u) });
  });

  it('looks into the archive from above, and reads a turn whole when asked for it', async () => {
    const client = await connect(revision);
    const peek = await client.callTool({ name: 'peek', arguments: { query: 'solar panels' } });
    expect(structured(peek)).toMatchObject({ total: { hits: 1 }, snippets: [{ turn_id: 't1' }] });
    const read = async (asked: object) =>
      structured<{ messages: { text: string }[]; note?: string }>(
        await client.callTool({ name: 'turn', arguments: { turn_id: 't1', ...asked } }),
      );
    const short = await read({});
    expect(short.note).toMatch(/content "full"/u);
    const whole = await read({ content: 'full' });
    expect(whole.messages[1]?.text.length).toBeGreaterThan(30_000);
    expect(whole.note).toBeUndefined();
  });

  it('tells a failure in a result that says what to do, and of resources by the protocol', async () => {
    const client = await connect(revision);
    const fail = async (name: string, asked: object) => {
      const result = await client.callTool({ name, arguments: { ...asked } });
      expect(result.isError, name).toBe(true);
      return textOf(result);
    };
    expect(await fail('fetch', { id: 'doc_none' })).toBe('There is no document "doc_none".');
    expect(await fail('fetch', { id: 'doc_none:9-3' })).toContain('doc_none');
    expect(await fail('search', {})).toContain('query');
    expect(await fail('ask', { question: 'x', mode: 'psychic' })).toContain('mode');
    await expect(client.readResource({ uri: 'footnote://document/none' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.listResources({ cursor: 'rubbish' })).rejects.toThrow(/cursor/u);
  });

  it('offers its prompts', async () => {
    const client = await connect(revision);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['cite-check', 'brief']);
    const { messages } = await client.getPrompt({ name: 'cite-check', arguments: { text: 'The lock is old.' } });
    expect(JSON.stringify(messages)).toContain('The lock is old.');
  });

  it('pages the list of documents', async () => {
    const { documents } = opened.forScope(localScope());
    for (let at = 0; at < 60; at += 1)
      await documents.add({ uri: `page-${at}.md`, text: `Page ${at}.`, source: 'many' });
    const client = await connect(revision);
    const first = await client.listResources({});
    const named = new Set<string>();
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: { readonly resources: readonly { uri: string }[]; readonly nextCursor?: string | undefined } =
        await client.request({ method: 'resources/list', params: cursor === '' ? {} : { cursor } });
      expect(page.resources.length).toBeLessThanOrEqual(50);
      for (const { uri } of page.resources) named.add(uri);
      cursor = page.nextCursor;
    }
    expect(named.size).toBeGreaterThan(60);
    expect(new Set(first.resources.map(({ uri }) => uri)).size).toBe(named.size);
  });
});

describe('the guard', () => {
  it('stands before it: keys, pages of other origins, the methods of sessions', async () => {
    const fake = fakeAppOptions({ keys: true });
    const own = await startHttpServer({ ...fake.options, host: '127.0.0.1', port: 0 });
    const send = (headers: Record<string, string>, method = 'POST') =>
      fetch(`${own.url}/mcp`, {
        method,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        ...(method === 'POST' && { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }),
      }).then(({ status }) => status);
    expect(await send({})).toBe(401);
    expect(await send({ authorization: 'Bearer wrong' })).toBe(401);
    // Without an issuer of tokens there is nothing to tell of one.
    for (const end of ['', '/mcp'])
      expect((await fetch(`${own.url}/.well-known/oauth-protected-resource${end}`)).status).toBe(404);
    for (const name of ['api-key', 'x-api-key']) expect(await send({ [name]: 'reader-key' })).toBe(200);
    const authorization = 'Bearer reader-key';
    expect(await send({ authorization, origin: 'https://evil.example' })).toBe(403);
    expect(await send({ authorization }, 'GET')).toBe(405);
    expect(await send({ authorization }, 'DELETE')).toBe(405);
    // A key of an idempotent request keeps nothing here: the same is done again.
    for (let at = 0; at < 2; at += 1) expect(await send({ authorization, 'idempotency-key': 'one' })).toBe(200);
    expect(await send({ authorization, 'content-type': 'text/plain' })).toBe(415);
    await own.close({ deadlineMs: 100 });
  });

  it.each(revisions)('ends the work of a client that goes away (%s)', async (revision) => {
    const { system, options } = fakeAppOptions({});
    const own = await startHttpServer({ ...options, host: '127.0.0.1', port: 0 });
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<string>();
    system.answerWith = (_request, { signal }) =>
      new Promise((_, refuse) => {
        begun.resolve();
        signal?.addEventListener('abort', () => {
          ended.resolve('ended');
          refuse(new FootnoteError('cancelled', 'The client went away.'));
        });
      });
    const client = await connectMcp(revision, overHttp(own.url));
    const asked = client.callTool({ name: 'ask', arguments: { question: 'How long?' } }).catch(() => undefined);
    await begun.promise;
    await client.close();
    expect(await ended.promise).toBe('ended');
    await asked;
    await own.close({ deadlineMs: 100 });
  });

  it('conceals of an error what is ours to know', async () => {
    const logged: unknown[] = [];
    const log = ({ error }: { error?: unknown }) => void (error !== undefined && logged.push(error));
    const { system, options } = fakeAppOptions({ log });
    const own = await startHttpServer({ ...options, host: '127.0.0.1', port: 0 });
    system.answerWith = () => Promise.reject(new Error('secret of the machine'));
    const client = await connectMcp('2026-07-28', overHttp(own.url));
    const result = await client.callTool({ name: 'ask', arguments: { question: 'How long?' } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/Something went wrong on our side.*req_/u);
    await client.close();
    await own.close({ deadlineMs: 100 });
    expect(logged).toHaveLength(1);
  });
});

describe('scope', () => {
  it.each(revisions)('is that of the key in tools, resources, counts and errors (%s)', async (revision) => {
    const keyOf = async (group: string) =>
      (await opened.keys.create({ name: `${group}-${revision}`, role: 'reader', groups: [group] })).secret;
    const alpha = await connect(revision, await keyOf('alpha'));
    const beta = await connect(revision, await keyOf('beta'));
    const outsider = await opened.keys.create({ name: `other-${revision}`, role: 'admin', tenant: 'other' });
    const other = await connect(revision, outsider.secret);
    const { data } = await opened.forScope(localScope()).documents.list({ limit: 200 });
    const silver = data.find(({ uri }) => uri === 'silver.md')?.id ?? '';

    const said = async (client: Client) => {
      const tool = async (name: string, asked: object) =>
        JSON.stringify(await client.callTool({ name, arguments: { ...asked } }));
      const { resources } = await client.listResources();
      return [
        JSON.stringify(resources),
        await tool('search', { query: 'silver cellar seven' }),
        await tool('ask', { question: 'Where does the silver of team beta lie?' }),
        await tool('ask', { question: 'Where is it?', sources: ['beta'] }),
        await tool('sources', {}),
        await tool('fetch', { id: silver }),
        await tool('peek', { query: 'silver' }),
        await client.readResource({ uri: `footnote://document/${silver}` }).then(JSON.stringify, String),
      ].join('\n');
    };
    expect(await said(beta)).toContain('cellar seven');
    for (const client of [alpha, other]) {
      const all = await said(client);
      expect(all).not.toContain('cellar seven');
      expect(all).not.toContain('silver.md');
      expect(all).not.toMatch(/"name\\*":\\*"beta/u);
      // What may not be read is told as what is not there.
      expect(all).toContain(`There is no document \\"${silver}\\".`);
      expect(all).toContain(`Resource not found: footnote://document/${silver}`);
    }
    const counts = async (client: Client) =>
      structured<{ total: number; documents: number }>(await client.callTool({ name: 'sources', arguments: {} }));
    expect(await counts(other)).toMatchObject({ total: 0, documents: 0 });
    expect(await counts(alpha)).toMatchObject({ total: 3, documents: data.length - 1 });
  });
});
