// Keys that are for some sources, or for some doors: every operation of the table, every tool of MCP and every resource is asked by twenty principals for what
// is not theirs, over the real system. Invariants: nothing of another source shows, whatever is asked; nothing of it changes; a door that is shut says which are open.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
/** Stands in the text, the title, the address, the metadata and the folder of a source, and in no request. */
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
let owners: { readonly answer: string; readonly session: string; readonly key: string; readonly admin: string };

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
  const { id: session } = await footnote.sessions.create({ title: canaryOf('vault') });
  const answer = await footnote.ask({ question });
  const { key, secret } = await opened.keys.create({ name: canaryOf('ledger'), role: 'admin' });
  owners = { answer: answer.id, session, key: key.id, admin: secret };
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
});
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
/** What each route takes that takes anything, about a source that is not the caller's. */
const bodies = (source: string, { documentId }: Owned): Readonly<Record<string, object>> => ({
  'POST /v1/documents': { uri: 'new.md', text: 'New.', source },
  'POST /v1/documents/preview': { uri: 'new.md', text: 'New.', source },
  'POST /v1/stores/:store/documents': { uri: 'new.md', text: 'New.', source },
  'POST /v1/search': { query: question, sources: [source] },
  'POST /v1/ask': { question, sources: [source] },
  'POST /v1/analyses': { subject: question, sources: [source] },
  'POST /v1/answers/verify': { answerId: owners.answer },
  'POST /v1/answers/:id/feedback': { verdict: 'up' },
  'POST /v1/recommendations': { readDocumentIds: [documentId] },
  'POST /v1/sources': { name: source, type: 'wiki' },
  'POST /v1/sources/preview': { name: source, type: 'docs', connector: { kind: 'web', url: 'http://127.0.0.1:1/' } },
  'POST /v1/rag/sessions': {},
  'POST /v1/rag/sessions/:session_id/messages': { question },
  'POST /v1/conversations/peek': { query: question },
  'POST /v1/conversations/:id/turns': { messages: [{ role: 'user', text: 'Hello.' }], shared: true },
  'POST /chat': { messages },
  'POST /v1/chat/completions': { model: `footnote/${source}`, messages },
  'POST /v1/messages': { model: `footnote/${source}`, messages },
  'POST /v1/memories/recall': { query: question },
  'POST /v1/memories': { text: 'I like towers.' },
});
/** The same without a source, so that its name in a reply would be a leak, too. */
const anySource: Readonly<Record<string, object>> = {
  'POST /v1/search': { query: question, topK: 20 },
  'POST /v1/ask': { question },
  'POST /v1/chat/completions': { model: 'footnote', messages },
  'POST /v1/messages': { model: 'footnote', messages },
  'POST /v1/analyses': { subject: question },
};

interface Asked {
  readonly route: string;
  readonly url: string;
  readonly body?: object | undefined;
}

function requestsAbout(source: SourceName): readonly Asked[] {
  const about = owned[source] as Owned;
  const idFor = (url: string, name: string): string => {
    if (name === 'store') return 'embedded';
    if (name === 'session_id') return owners.session;
    if (name === 'turn_id') return 'turn-shared';
    if (name === 'name') return url.includes('/sources') ? source : 'answer';
    if (url.includes('/answers/') || url.includes('/traces')) return owners.answer;
    if (url.includes('/ingestions')) return about.runId;
    if (url.includes('/keys')) return owners.key;
    if (url.includes('/conversations')) return 'talk';
    if (url.includes('/models')) return `footnote%2F${source}`;
    return about.documentId;
  };
  const of = bodies(source, about);
  return operations.flatMap(({ operation: { route, body } }): Asked[] => {
    const [method = '', path = ''] = route.split(' ');
    const url = paramNames(route).reduce((all, name) => all.replace(`:${name}`, idFor(path, name)), path);
    const given = of[route] ?? (body ? {} : undefined);
    const asked = { route, url: method === 'GET' && path.endsWith('view') ? `${url}?start=0&end=5` : url };
    const general = anySource[route];
    return [{ ...asked, body: given }, ...(general ? [{ ...asked, body: general }] : [])];
  });
}

async function send(secret: string, { route, url, body }: Asked): Promise<{ status: number; text: string }> {
  const [method = ''] = route.split(' ');
  const response = await fetch(server.url + url, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    // What is watched goes on.
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, text: await response.text() };
}

/** What of a reply the caller may not see; a name that it sent itself is none. */
function leaksIn(text: string, hidden: readonly SourceName[], sent: string): string[] {
  const shown = [...hidden, 'shared' as const].map(canaryOf).filter((word) => text.includes(word));
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
    for (const about of hidden.slice(0, 1))
      for (const asked of requestsAbout(about)) {
        const { status, text } = await send(secret, asked);
        const leaks = leaksIn(text, hidden, asked.url + JSON.stringify(asked.body ?? ''));
        if (leaks.length > 0 || status >= 500) found.push([asked.route, asked.body, status, leaks, text.slice(0, 400)]);
        const isShut = !(given.doors ?? doors).includes(doorOfRoute(asked.route)) && !opensEverywhere.test(asked.route);
        if (isShut && !(status === 403 && /--doors|role/u.test(text))) refusals.push([asked.route, status]);
        if (!isShut && status === 403 && text.includes('--doors')) refusals.push([asked.route, status]);
      }
    expect(found).toEqual([]);
    expect(refusals).toEqual([]);
    const [about] = hidden;
    if (!about) return;
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
      for (const [name, given] of toolsAbout(about)) {
        const text = JSON.stringify(await client.callTool({ name, arguments: given }));
        expect([name, leaksIn(text, hidden, JSON.stringify(given))]).toEqual([name, []]);
      }
      const { resources } = await client.listResources();
      expect(leaksIn(JSON.stringify(resources), hidden, '')).toEqual([]);
      expect(resources.length).toBe(mine.length);
      await expect(client.readResource({ uri: `footnote://document/${owned[about]?.documentId}` })).rejects.toThrow(
        /not found/iu,
      );
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

  it('changed nothing that is not its own', async () => {
    const footnote = opened.forScope(localScope());
    for (const source of sources) {
      expect(await footnote.sources.get(source)).toMatchObject({ type: 'docs' });
      const { data } = await footnote.documents.list({ filter: { op: 'eq', field: 'source', value: source } });
      expect(data.map(({ id }) => id)).toEqual([owned[source]?.documentId]);
    }
    expect(await footnote.conversations.get('talk')).toMatchObject({ turns: 1 });
    expect((await opened.keys.list()).find(({ id }) => id === owners.key)?.revokedAt).toBeUndefined();
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
