// Keys that are for some sources, or for some doors: every operation of the table, every tool, resource and prompt of MCP is asked by twenty principals for all
// that is not theirs, over the real system. Invariants: nothing of another source shows, whatever is asked; nothing of it changes; a door that is shut says which
// are open; and what is asked is sound: whoever may read all is answered.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { type DoorName, doors, localScope, type Role } from '../../src/core/scope.ts';
import { mirroredBy } from '../../src/http/foreign/errors.ts';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { paramNames } from '../../src/operations/operation.ts';
import { operations } from '../../src/operations/table.ts';
import { connectMcp, overHttp } from '../../testkit/mcp-clients.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const sources = ['handbook', 'vault', 'ledger'] as const;
type SourceName = (typeof sources)[number];
/** Stands in the text, the title, the address, the metadata and the folder of a source, and in no request but one that says it. */
const canaryOf = (source: SourceName | 'shared') => `Xylo${source.slice(0, 3)}q`;
const question = 'Which word opens the door of the tower?';

interface Owned {
  readonly documentId: string;
  readonly runId: string;
}
const owned: Record<string, Owned> = {};
let folder: string;
let opened: OpenedFootnote;
let server: HttpServer;
type Kept = 'answer' | 'answered' | 'session' | 'report' | 'memory' | 'response' | 'store' | 'file' | 'batch';
let owners: Readonly<Record<'key' | 'admin' | Kept, string>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-scoped-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  const footnote = opened.forScope(localScope());
  for (const source of sources) {
    const path = join(folder, canaryOf(source));
    await mkdir(path);
    await writeFile(
      join(path, `${canaryOf(source)}.md`),
      `# ${canaryOf(source)}\n\nThe word that opens the door of the tower is ${canaryOf(source)}.\n`,
    );
    await writeFile(join(path, `${canaryOf(source)}-broken.pdf`), 'this is no PDF');
    await footnote.sources.put({ name: source, type: 'docs', connector: { kind: 'folder', path } });
    let run = await footnote.sources.sync(source);
    for (let again = 0; again < 3; again += 1) run = await footnote.sources.sync(source, { retry: true });
    const { data } = await footnote.documents.list({ filter: { op: 'eq', field: 'source', value: source } });
    owned[source] = { documentId: data[0]?.id ?? '', runId: run.id };
  }
  await footnote.conversations.addTurns('talk', {
    shared: true,
    messages: [
      {
        turn_id: 'turn-shared',
        role: 'user',
        text: `The word that opens the door of the tower: ${canaryOf('shared')}.`,
      },
    ],
  });
  const { key, secret } = await opened.keys.create({ name: canaryOf('ledger'), role: 'admin' });
  server = await startHttpServer({
    system: opened,
    authenticate: (given) => opened.keys.authenticate(given),
    hasKeys: () => opened.keys.required(),
    idempotency: opened.idempotency,
    version: 'test',
    host: '127.0.0.1',
    port: 0,
  });
  opened.setAddress(server.url);
  owners = { key: key.id, admin: secret, ...(await keep(secret)) };
});

/** What an admin's clients left behind them: one of each thing that has an id and is of a source, or tells of one. */
async function keep(secret: string): Promise<Record<Kept, string>> {
  const ask = async (route: string, body?: object): Promise<Record<string, string>> => {
    const { status, text } = await send(secret, { route, url: route.split(' ')[1] ?? '', body });
    expect([route, status < 400, text]).toEqual([route, true, text]);
    return route.endsWith('report') ? { page: text } : (JSON.parse(text) as Record<string, string>);
  };
  const idOf = async (...asked: Parameters<typeof ask>): Promise<string> => (await ask(...asked))['id'] ?? '';
  const word = canaryOf('shared');
  const form = formOf(`${word}.md`, `The word that opens the door of the tower is ${word}.`);
  const [file, store] = [await idOf('POST /v1/files', form), await idOf('POST /v1/vector_stores', { name: 'kept' })];
  await ask(`POST /v1/vector_stores/${store}`, { name: word, metadata: { word } });
  const batch = await idOf(`POST /v1/vector_stores/${store}/file_batches`, { file_ids: [file] });
  const path = `GET /v1/vector_stores/${store}/files/${file}`;
  await vi.waitUntil(async () => (await ask(path))['status'] === 'completed', 60_000);
  const { id: answer = '', ...answered } = await ask('POST /v1/ask', { question });
  const session = await idOf('POST /v1/rag/sessions', { title: canaryOf('vault') });
  await ask(`POST /v1/rag/sessions/${session}/messages`, { content: question });
  return {
    ...{ session, file, store, batch, answer, answered: JSON.stringify({ id: answer, ...answered }) },
    report: (await ask(`GET /v1/answers/${answer}/report`))['page'] ?? '',
    response: await idOf('POST /v1/responses', { model: 'footnote', input: `${question} ${word}` }),
    memory: await idOf('POST /v1/memories', { text: `I like the tower of ${word}.` }),
  };
}
function formOf(
  name: string,
  text: string,
  fields: Readonly<Record<string, string>> = { purpose: 'assistants' },
): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, value);
  form.set('file', new File([text], name));
  return form;
}
afterAll(async () => {
  await server.close({ deadlineMs: 1000 });
  await opened.close();
  await rm(folder, { recursive: true });
});

interface Given {
  readonly role: Role;
  readonly sources?: readonly (SourceName | 'notes')[];
  readonly doors?: readonly DoorName[];
}
const subsets: readonly (readonly SourceName[])[] = [
  ['handbook'],
  ['vault'],
  ['ledger'],
  ['handbook', 'vault'],
  ['handbook', 'ledger'],
  ['vault', 'ledger'],
];
/** Six of one role, six of another, and eight that are limited to doors, too. */
const principals: readonly Given[] = [
  ...subsets.flatMap((own): Given[] => [
    { role: 'reader', sources: own },
    { role: 'writer', sources: own },
  ]),
  ...doors.flatMap((door): Given[] => [
    { role: 'reader', sources: ['handbook'], doors: [door] },
    { role: 'writer', sources: ['ledger'], doors: [door] },
  ]),
  { role: 'reader', sources: ['handbook'], doors: ['openai', 'mcp'] },
  { role: 'reader', sources: ['vault'], doors: ['api', 'mcp'] },
];

const secretOf = async ({ role, ...grants }: Given): Promise<string> =>
  (await opened.keys.create({ name: `${role} ${JSON.stringify(grants)}`, role, ...grants })).secret;

const messages = [{ role: 'user', content: question }];
const parts = [{ type: 'text', text: question }];
const uiChat = { id: 'chat-1', messages: [{ id: 'm', role: 'user', parts }] };
const searching = (store: string) => [{ type: 'file_search', vector_store_ids: [store] }];
type Bodies = Readonly<Record<string, readonly object[]>>;

/** What each route takes that takes anything, about a source, a vector store and a file that are not the caller's. */
const bodies = (source: string, { documentId, store, file }: Target): Bodies => ({
  'POST /v1/documents': [{ uri: 'new.md', text: 'New.', source }],
  'POST /v1/ingestions': [{ uri: 'new.md', text: 'New.', source }],
  'POST /v1/documents/preview': [{ uri: 'new.md', text: 'New.', source }],
  'POST /v1/stores/:store/documents': [{ uri: 'new.md', text: 'New.', source }],
  'POST /v1/stores/:store/reconcile': [{}],
  'POST /v1/search': [
    { query: question, sources: [source] },
    { query: question, filter: { op: 'eq', field: 'source', value: source } },
  ],
  'POST /v1/ask': [{ question, sources: [source] }],
  'POST /v1/analyses': [{ kind: 'swot', subject: question, sources: [source] }],
  'POST /v1/answers/verify': [JSON.parse(owners.answered) as object],
  'POST /v1/answers/report/verify': [{ page: owners.report }],
  'POST /v1/answers/:id/feedback': [{ rating: 'up' }],
  'POST /v1/feedback/episodes': [{ query: question }],
  'POST /v1/answers/:id/opened': [{ citation: 1 }],
  'POST /v1/recommendations': [{ readDocumentIds: [documentId] }],
  'POST /v1/sources': [{ name: source, type: 'guide' }],
  'POST /v1/sources/preview': [{ name: source, type: 'docs', connector: { kind: 'url', url: 'http://127.0.0.1:1/' } }],
  'POST /v1/rag/sessions': [{}],
  'PATCH /v1/rag/sessions/:session_id': [{ title: 'Mine' }],
  'POST /v1/rag/sessions/:session_id/messages': [{ content: question }],
  'POST /v1/conversations/peek': [{ query: question }],
  'POST /v1/conversations/import': [formOf('none.jsonl', '', {})],
  'POST /v1/conversations/:id/turns': [{ messages: [{ role: 'user', text: 'Hello.' }], shared: true }],
  'POST /chat': [{ messages }],
  'POST /v1/login': [{ key: 'fn_none' }],
  'POST /v1/chat/completions': [
    { model: `footnote/${source}`, messages },
    { model: 'footnote', messages, tools: searching(store) },
    { model: 'footnote', messages, stream: true, footnote: { sources: [source], events: 'open-webui' } },
  ],
  'POST /v1/messages': [
    { model: `footnote/${source}`, messages },
    { model: 'footnote', messages, stream: true, footnote: { sources: [source] } },
  ],
  'POST /v1/responses': [
    { model: `footnote/${source}`, input: question },
    { model: 'footnote', input: question, tools: searching(store), include: ['file_search_call.results'] },
    { model: 'footnote', input: 'And what else?', previous_response_id: owners.response },
    {
      model: 'footnote',
      input: [{ type: 'item_reference', id: owners.response.replace('resp_', 'msg_') }, ...messages],
      stream: true,
    },
  ],
  'POST /v1/ui/chat': [
    { ...uiChat, model: `footnote/${source}` },
    { ...uiChat, footnote: { sources: [source] } },
  ],
  'POST /v1/files': [formOf('new.md', 'New.')],
  'POST /v1/vector_stores': [{ name: 'new', file_ids: [file] }],
  'POST /v1/vector_stores/:id': [{ name: 'changed' }],
  'POST /v1/vector_stores/:id/files': [{ file_id: file }],
  'POST /v1/vector_stores/:id/files/:file_id': [{ attributes: { changed: true } }],
  'POST /v1/vector_stores/:id/file_batches': [{ file_ids: [file] }, { files: [{ file_id: file }] }],
  'POST /v1/vector_stores/:id/search': [
    { query: question },
    { query: [question, 'tower'], filters: { type: 'ne', key: 'none', value: 'none' } },
  ],
  'POST /v1/memories/recall': [{ query: question }],
  'POST /v1/memories/prune': [{}],
  'PATCH /v1/memories/:id': [{ text: 'I like no towers.' }],
  'POST /v1/memories': [{ text: 'I like towers.' }],
  'POST /admin/traces/:id/replay': [{}],
  'POST /admin/traces/import': [{}],
  'POST /admin/keys': [{ name: 'more', role: 'reader' }],
  'POST /admin/keys/:id/rotate': [{}],
});
/** The same without a source, so that its name in a reply would be a leak, too. */
const anySource: Bodies = {
  'POST /v1/search': [{ query: question, topK: 20 }],
  'POST /v1/ask': [{ question }],
  'POST /v1/chat/completions': [{ model: 'footnote', messages }],
  'POST /v1/messages': [{ model: 'footnote', messages }],
  'POST /v1/responses': [{ model: 'footnote', input: question }],
  'POST /v1/ui/chat': [uiChat],
  'POST /v1/analyses': [{ kind: 'swot', subject: question }],
};

interface Asked {
  readonly route: string;
  readonly url: string;
  readonly body?: object | undefined;
}
/** What routes about files and vector stores name. */
interface Target {
  readonly documentId: string;
  readonly store: string;
  readonly file: string;
}

/** All that can be asked about a source; `own`: a vector store of the caller's, of which files of others are asked. */
function requestsAbout(source: SourceName, own?: string): readonly Asked[] {
  const { documentId, runId } = owned[source] as Owned;
  const targets: readonly Target[] = [
    { documentId, store: `vs_${source}`, file: `file-${documentId}` },
    { documentId, store: owners.store, file: owners.file },
    ...(own === undefined ? [] : [{ documentId, store: own, file: `file-${documentId}` }]),
    ...(own === undefined ? [] : [{ documentId, store: own, file: owners.file }]),
  ];
  const idFor = (url: string, name: string, { store, file }: Target): string => {
    if (name === 'store') return 'embedded';
    if (name === 'session_id') return owners.session;
    if (name === 'turn_id') return 'turn-shared';
    if (name === 'name') return url.includes('/sources') ? source : 'answer';
    if (name === 'file_id') return file;
    if (name === 'batch_id') return owners.batch;
    if (url.includes('/vector_stores')) return store;
    if (url.includes('/answers/') || url.includes('/traces')) return owners.answer;
    if (url.includes('/ingestions')) return runId;
    if (url.includes('/keys')) return owners.key;
    if (url.includes('/conversations')) return 'talk';
    if (url.includes('/models')) return `footnote%2F${source}`;
    if (url.includes('/responses')) return owners.response;
    if (url.includes('/memories')) return owners.memory;
    return documentId;
  };
  return operations.flatMap(({ operation: { route, body } }): Asked[] => {
    const [, path = ''] = route.split(' ');
    const names = paramNames(route);
    // What the caller may do to its own store is none of this.
    const isOfFiles = /(?:file_id|batch_id|\/files|file_batches)$|:(?:file|batch)_id\//u.test(path);
    const about = targets.slice(0, isOfFiles ? 4 : /vector_stores|responses|completions/u.test(path) ? 2 : 1);
    const each = about.flatMap((target): Asked[] => {
      const url = names.reduce((all, name) => all.replace(`:${name}`, idFor(path, name, target)), path);
      const asked = { route, url: /^GET .*\/(?:view|boxes)$/u.test(route) ? `${url}?start=0&end=5` : url };
      const given = bodies(source, target)[route];
      if (body && !given) throw new Error(`The test has no body for ${route}.`);
      return given ? given.map((one) => ({ ...asked, body: one })) : [asked];
    });
    const all = [...each, ...(anySource[route] ?? []).map((one) => ({ route, url: path, body: one }))];
    return [...new Map(all.map((one) => [one.url + told(one.body), one])).values()];
  });
}

const told = (body: object | undefined): string =>
  body instanceof FormData ? [...body.keys()].join() : JSON.stringify(body ?? '');

async function send(secret: string, { route, url, body }: Asked): Promise<{ status: number; text: string }> {
  const [method = ''] = route.split(' ');
  const response = await fetch(server.url + url, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    // What is watched goes on.
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, text: await response.text() };
}

/** What of a reply the caller may not see; a name that it sent itself is none. */
function leaksIn(text: string, hidden: readonly SourceName[], sent: string): string[] {
  const shown = [...hidden, 'shared' as const]
    .map(canaryOf)
    .filter((word) => !sent.includes(word) && text.includes(word));
  return [...shown, ...hidden.filter((name) => !sent.includes(name) && text.includes(name))];
}

const toolsAbout = (source: SourceName): readonly (readonly [name: string, given: Record<string, unknown>])[] => {
  const { documentId } = owned[source] as Owned;
  return [
    ['search', { query: question }],
    ['fetch', { id: documentId }],
    ['fetch', { id: `${documentId}:0-5` }],
    ['ask', { question }],
    ['ask', { question, sources: [source] }],
    ['ask', { question, session: owners.session }],
    ['peek', { query: question }],
    ['turn', { turn_id: 'turn-shared' }],
    ['sources', {}],
  ];
};

const promptsAbout = { 'cite-check': { text: question }, brief: { subject: question, focus: 'the tower' } };

const doorOfRoute = (route: string): DoorName => mirroredBy(route.split(' ')[1] ?? '') ?? 'api';
const opensEverywhere =
  /^(?:GET (?:\/v1\/documents\/:id\/view|\/v1\/answers\/:id\/report|\/v1\/memories\/:id|\/v1\/turns\/:turn_id|\/v1\/rag\/sessions\/:session_id\/messages|\/healthz|\/readyz)|POST \/v1\/log(?:in|out))$/u;

describe('a key for some sources', () => {
  it.each(principals)('shows nothing else: %j', async (given) => {
    const secret = await secretOf(given);
    const mine = given.sources ?? [];
    const hidden = sources.filter((name) => !mine.includes(name));
    const found: unknown[] = [];
    const refusals: unknown[] = [];
    for (const about of hidden)
      for (const asked of requestsAbout(about, `vs_${mine[0]}`)) {
        const { status, text } = await send(secret, asked);
        const leaks = leaksIn(text, hidden, asked.url + told(asked.body));
        if (leaks.length > 0 || status >= 500) found.push([asked.route, asked.body, status, leaks, text.slice(0, 400)]);
        // Whatever is refused is refused for what it asks, not for how.
        if (status === 400) found.push([asked.route, asked.body, text]);
        const isShut = !(given.doors ?? doors).includes(doorOfRoute(asked.route)) && !opensEverywhere.test(asked.route);
        if (isShut && !(status === 403 && /--doors|role/u.test(text))) refusals.push([asked.route, status]);
        if (!isShut && status === 403 && text.includes('--doors')) refusals.push([asked.route, status]);
      }
    expect(found).toEqual([]);
    expect(refusals).toEqual([]);
    if (!(given.doors ?? doors).includes('mcp')) {
      const shut = await send(secret, {
        route: 'POST /mcp',
        url: '/mcp',
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      });
      expect(shut).toMatchObject({ status: 403, text: expect.stringContaining('--doors mcp') });
      return;
    }
    const client = await connectMcp(
      given.role === 'reader' ? '2026-07-28' : '2025-11-25',
      overHttp(server.url, secret),
    );
    try {
      for (const [name, given] of hidden.flatMap(toolsAbout)) {
        const text = JSON.stringify(await client.callTool({ name, arguments: given }));
        expect([name, leaksIn(text, hidden, JSON.stringify(given))]).toEqual([name, []]);
      }
      const { resources } = await client.listResources();
      expect(leaksIn(JSON.stringify(resources), hidden, '')).toEqual([]);
      expect(resources.length).toBe(mine.length);
      const ids = [...hidden.map((about) => owned[about]?.documentId), owners.file.replace('file-', '')];
      for (const uri of ids.flatMap((id) => [`footnote://document/${id}`, `footnote://document/${id}#0-5`]))
        await expect(client.readResource({ uri })).rejects.toThrow(/not found/iu);
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual(Object.keys(promptsAbout));
      for (const [name, given] of Object.entries(promptsAbout)) {
        const { messages: said } = await client.getPrompt({ name, arguments: given });
        expect([name, leaksIn(JSON.stringify({ prompts, said }), hidden, '')]).toEqual([name, []]);
      }
    } finally {
      await client.close();
    }
  });

  it('reads its own sources whole: lists, answers, models, counts', async () => {
    const secret = await secretOf({ role: 'reader', sources: ['vault'] });
    const read = async <T>(url: string) => JSON.parse((await send(secret, { route: 'GET', url })).text) as T;
    expect((await read<{ data: { name: string; documents: number }[] }>('/v1/sources')).data).toMatchObject([
      { name: 'vault', documents: 1 },
    ]);
    expect((await read<{ data: { id: string }[] }>('/v1/models')).data.map(({ id }) => id)).toContain('footnote/vault');
    expect((await read<{ data: unknown[] }>('/v1/documents')).data).toHaveLength(1);
    expect((await read<{ data: unknown[] }>('/v1/stores')).data).toMatchObject([{ documents: 1, chunks: 1 }]);
    const { text } = await send(secret, { route: 'POST', url: '/v1/ask', body: { question } });
    expect(JSON.parse(text)).toMatchObject({
      abstained: false,
      citations: [{ title: expect.stringContaining(canaryOf('vault')) }],
    });
    const writer = await secretOf({ role: 'writer', sources: ['vault'] });
    const runs = JSON.parse((await send(writer, { route: 'GET', url: '/v1/ingestions' })).text) as {
      data: { source: string }[];
    };
    expect(new Set(runs.data.map(({ source }) => source))).toEqual(new Set(['vault']));
    expect(JSON.parse((await send(writer, { route: 'GET', url: '/v1/parked-files' })).text)).toMatchObject({
      data: [{ source: 'vault' }],
    });
    const own = await secretOf({ role: 'writer', sources: ['notes'] });
    const added = await send(own, {
      route: 'POST',
      url: '/v1/documents',
      body: { uri: 'own.md', text: 'Mine.', source: 'notes' },
    });
    expect(added.status).toBe(202);
    const { documents } = JSON.parse(added.text) as { documents: { id: string }[] };
    expect((await send(own, { route: 'DELETE', url: `/v1/documents/${documents[0]?.id}` })).status).toBe(204);
  });

  it('attaches no file of others to a store of its own', async () => {
    const secret = await secretOf({ role: 'writer', sources: ['notes'] });
    const added = await send(secret, {
      route: 'POST',
      url: '/v1/documents',
      body: { uri: 'kept.md', text: 'Kept.', source: 'notes' },
    });
    expect(added.status).toBe(202);
    const hidden = requestsAbout('vault', 'vs_notes').filter(({ url }) => url.includes('vs_notes/file'));
    const replies = await Promise.all(hidden.map((asked) => send(secret, asked)));
    const listed = hidden.flatMap(({ url }, at) => (url.endsWith('/files') ? [] : [[url, replies[at]?.status]]));
    expect(listed).toEqual(listed.map(([url]) => [url, 404]));
    expect(listed.length).toBeGreaterThanOrEqual(10);
    expect(replies.flatMap(({ text }) => leaksIn(text, sources, ''))).toEqual([]);
  });

  it('changed nothing that is not its own', async () => {
    const footnote = opened.forScope(localScope());
    for (const source of sources) {
      expect(await footnote.sources.get(source)).toMatchObject({ type: 'docs' });
      const { data } = await footnote.documents.list({ filter: { op: 'eq', field: 'source', value: source } });
      expect(data.map(({ id }) => id)).toEqual([owned[source]?.documentId]);
      expect(data[0]?.metadata).not.toHaveProperty('changed');
    }
    const ask = (url: string) => send(owners.admin, { route: 'GET', url });
    const { text } = await ask(`/v1/vector_stores/${owners.store}`);
    expect(JSON.parse(text)).toMatchObject({ name: canaryOf('shared'), file_counts: { completed: 1, total: 1 } });
    for (const url of [`files/${owners.file}`, `responses/${owners.response}`, `memories/${owners.memory}`])
      expect([url, (await ask(`/v1/${url}`)).text.includes(canaryOf('shared'))]).toEqual([url, true]);
    expect((await ask(`/v1/rag/sessions/${owners.session}`)).text).toContain(canaryOf('vault'));
    expect(await footnote.conversations.get('talk')).toMatchObject({ turns: 1 });
    expect((await opened.keys.list()).find(({ id }) => id === owners.key)?.revokedAt).toBeUndefined();
  });

  it('was asked for what is there: whoever may read all is answered', async () => {
    const isRead = new Set(operations.flatMap(({ operation: { route, role } }) => (role === 'reader' ? [route] : [])));
    // The batch is of another store.
    const asked = requestsAbout('vault').filter(
      ({ route, url }) =>
        isRead.has(route as never) && !/^(?:DELETE|PATCH)/u.test(route) && !url.includes('vs_vault/file_batches/'),
    );
    const refused: unknown[] = [];
    let shown = 0;
    for (const one of asked) {
      const { status, text } = await send(owners.admin, one);
      // Its documents have no pages.
      if (status >= 400 && !(status === 422 && one.url.includes('/boxes?')))
        refused.push([one.route, one.url, one.body, status, text.slice(0, 300)]);
      if (/Xylo\w{3}q/u.test(text)) shown += 1;
    }
    expect(refused).toEqual([]);
    expect(shown).toBeGreaterThan(40);
  });

  it('is no admin’s', async () => {
    await expect(opened.keys.create({ name: 'all', role: 'admin', sources: ['vault'] })).rejects.toMatchObject({
      code: 'invalid-request',
    });
    const refused = await send(owners.admin, {
      route: 'POST',
      url: '/admin/keys',
      body: { name: 'all', role: 'admin', sources: ['vault'] },
    });
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('reader or writer') });
  });
});

describe('keys over HTTP', () => {
  it('are made with their limits, told when they were used, and rotated with two secrets valid at once', async () => {
    const post = async (url: string, body: object) => send(owners.admin, { route: 'POST', url, body });
    const expiresAt = '2999-01-01T00:00:00.000Z';
    const made = await post('/admin/keys', {
      name: 'editor',
      role: 'reader',
      sources: ['vault'],
      doors: ['mcp', 'api'],
      expiresAt,
    });
    expect(made.status).toBe(201);
    const { key, secret } = JSON.parse(made.text) as { key: { id: string }; secret: string };
    expect(key).toMatchObject({ sources: ['vault'], doors: ['mcp', 'api'], expiresAt });
    const rotated = await post(`/admin/keys/${key.id}/rotate`, {});
    const next = (JSON.parse(rotated.text) as { secret: string }).secret;
    const status = async (one: string) => (await send(one, { route: 'GET', url: '/v1/sources' })).status;
    expect([await status(secret), await status(next)]).toEqual([200, 200]);
    const once = JSON.parse((await post(`/admin/keys/${key.id}/rotate`, { overlapSeconds: 0 })).text) as {
      secret: string;
    };
    expect([await status(secret), await status(next), await status(once.secret)]).toEqual([401, 401, 200]);
    const { text } = await send(owners.admin, { route: 'GET', url: '/admin/keys' });
    expect((JSON.parse(text) as { data: { id: string }[] }).data.find(({ id }) => id === key.id)).toMatchObject({
      sources: ['vault'],
      lastUsedAt: expect.any(String),
      previousUntil: expect.any(String),
    });
    expect((await post('/admin/keys/key_none/rotate', {})).status).toBe(404);
    expect(
      (await post('/admin/keys', { name: 'late', role: 'reader', expiresAt: '2001-01-01T00:00:00Z' })).status,
    ).toBe(400);
  });
});
