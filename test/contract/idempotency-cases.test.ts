// Random cases of Idempotency-Key over routes that change something: the same again, twice at once, another body, another route, another tenant, a restart in
// between, a failure first. The keys are kept in a real record, the facade counts what was really done: under one key that is done once. Over one server on
// SQLite, and over two on PostgreSQL that are asked in turns, so that each gives again what the other replied.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FootnoteError, isFootnoteError } from '../../src/core/errors.ts';
import type { Scope } from '../../src/core/scope.ts';
import { openPostgresRecord } from '../../src/db/postgres/postgres-record.ts';
import type { RecordDatabase } from '../../src/db/record.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import { createHttpApp } from '../../src/http/app.ts';
import { routePolicy } from '../../src/http/policy/policy.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { createRandom, type Random } from '../../testkit/history.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';
import { temporaryFolder } from '../../testkit/record-fixture.ts';
import { dayOfRun, isLongRun } from '../../testkit/sample.ts';
import { fakeAppOptions } from './fake-app.ts';
import type { FakeSystem } from './fake-footnote.ts';
import { type SampledRoute, sampledRoutes } from './openapi-samples.ts';

const programs = postgresPrograms();
interface Server {
  readonly app: HttpApp;
  readonly database: RecordDatabase;
}
/** Those that are asked, in turns. */
let servers: readonly Server[] = [];
let openRecords: () => Promise<readonly RecordDatabase[]>;
let system: FakeSystem;
let sent = 0;
/** Calls of the facade, whoever made them. */
let done = 0;
let isFailing = false;
/** What the route that is called replies where all is well. */
let goodReply: unknown;

/** What a facade without anything in it says: the route has something to reply then all the same. */
const lacking: ReadonlySet<string> = new Set(['not-found', 'unsupported', 'invalid-request']);

function orGood(work: () => unknown): unknown {
  const good = (thrown: unknown): unknown => {
    if (isFootnoteError(thrown) && lacking.has(thrown.code)) return goodReply;
    throw thrown;
  };
  try {
    const result = work();
    return result instanceof Promise ? result.catch(good) : result;
  } catch (thrown) {
    return Promise.resolve().then(() => good(thrown));
  }
}

/** The same facade; each call of it is counted, and fails where the test says so. */
function counted<Part extends object>(part: Part): Part {
  return new Proxy(part, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member === 'object' && member !== null) return counted(member);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        done += 1;
        if (isFailing) throw new FootnoteError('upstream-unavailable', 'Down.');
        return orGood(() => Reflect.apply(member, target, args));
      };
    },
  });
}

function serve(database: RecordDatabase): Server {
  const fake = fakeAppOptions({ keys: true, idempotency: (scope) => database.forScope(scope).idempotency });
  system ??= fake.system;
  const { forScope } = system;
  const app = createHttpApp({
    ...fake.options,
    system: { ...counted(system), forScope: (scope: Scope) => counted(forScope.call(system, scope)) },
  });
  return { app, database };
}
async function open(): Promise<void> {
  servers = (await openRecords()).map(serve);
}
async function close(): Promise<void> {
  for (const { app, database } of servers) {
    await app.close();
    await database.close();
  }
}
async function restart(): Promise<void> {
  await close();
  await open();
}
const nextApp = (): HttpApp => {
  sent += 1;
  const next = servers[sent % servers.length];
  if (!next) throw new Error('There are servers only while a test runs.');
  return next.app;
};

interface Sample {
  readonly method: 'POST' | 'DELETE';
  readonly url: string;
  readonly payload?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}
type Make = (word: string) => Sample | Promise<Sample>;
const json =
  (url: string, payload: (word: string) => object): Make =>
  (word) => ({ method: 'POST', url, payload: payload(word) });
/** Where the smallest body that the document allows says too little, or names something that has to be there. */
const fuller: Readonly<Record<string, Make>> = {
  'POST /v1/documents': json('/v1/documents', (word) => ({ text: `The ${word} opens.`, uri: word })),
  'POST /v1/ingestions': json('/v1/ingestions', (word) => ({ text: `The ${word} opens.`, uri: word })),
  'POST /v1/documents/preview': json('/v1/documents/preview', (word) => ({ text: `The ${word} opens.`, uri: word })),
  'POST /v1/stores/{store}/documents': json('/v1/stores/embedded/documents', (word) => ({ text: word, uri: word })),
  'POST /v1/sources/preview': json('/v1/sources/preview', (word) => ({
    name: word,
    type: 'docs',
    connector: { kind: 'folder', path: `/${word}` },
  })),
  'POST /v1/rag/sessions': json('/v1/rag/sessions', (word) => ({ title: word })),
  'POST /v1/recommendations': json('/v1/recommendations', (word) => ({ readDocumentIds: [word] })),
  'POST /v1/feedback/episodes': json('/v1/feedback/episodes', (word) => ({ query: word })),
  'POST /v1/memories/prune': json('/v1/memories/prune', (word) => ({ maxAgeDays: word.length })),
  'POST /v1/conversations/import': (word) => ({
    method: 'POST',
    url: '/v1/conversations/import?format=jsonl',
    headers: { 'content-type': 'application/x-ndjson' },
    payload: `{"conversation_id":"${word}","turn_id":"1","role":"user","text":"Hello.","timestamp":"2026-01-01T00:00:00Z"}`,
  }),
  'POST /v1/chat/completions': json('/v1/chat/completions', (word) => ({
    model: 'footnote',
    messages: [{ role: 'user', content: word }],
  })),
  'POST /v1/messages': json('/v1/messages', (word) => ({
    model: 'footnote',
    messages: [{ role: 'user', content: word }],
  })),
  'POST /v1/ui/chat': json('/v1/ui/chat', (word) => ({
    id: word,
    messages: [{ role: 'user', parts: [{ type: 'text', text: word }] }],
  })),
  'POST /v1/responses': json('/v1/responses', (word) => ({ model: 'footnote', input: word })),
  'DELETE /admin/keys/{id}': async (word) => ({ method: 'DELETE', url: `/admin/keys/${await keyFor(word)}` }),
  'POST /admin/keys/{id}/rotate': async (word) => ({
    method: 'POST',
    url: `/admin/keys/${await keyFor(word)}/rotate`,
    payload: { overlapSeconds: word.length },
  }),
};
async function keyFor(name: string): Promise<string> {
  const made = await nextApp().inject({
    method: 'POST',
    url: '/admin/keys',
    payload: { name, role: 'reader' },
    headers: { authorization: `Bearer ${tenants[0]}` },
  });
  return made.json<{ key: { id: string } }>().key.id;
}
/** What the facade gives where that is not what the route replies. */
const given: Record<string, unknown> = { 'DELETE /v1/sources/{name}': 3 };
const goodOf = ({ name, reply }: SampledRoute): unknown => given[name] ?? reply;

/** Why a key is taken and nothing is kept under it. */
const unkept: Readonly<Record<string, string>> = {
  'POST /chat': 'its reply is a stream of looks and reads that nobody keeps: asked again, it is answered again',
  'POST /v1/answers/{id}/feedback':
    'a later word takes the place of the earlier one, and what was said goes with the answer',
  'POST /v1/feedback/episodes': 'it changes nothing, and shows what may be deleted meanwhile',
  'POST /v1/ui/chat': 'its reply is a stream that nobody keeps: asked again, it is answered again',
};
/** What is asked of no facade: responses are kept beside the keys themselves (openai-responses.test.ts asks for it under a key), and pages log in and out. */
const beside: ReadonlySet<string> = new Set([
  ...['DELETE /v1/responses/{id}', 'POST /v1/responses/{id}/cancel'],
  ...['POST /v1/login', 'POST /v1/logout'],
]);
/** They are several calls of the facade each, over files that are there: openai-stores.test.ts asks them. */
const isOfFiles = (name: string): boolean => /^\S+ \/v1\/(?:files|vector_stores)/u.test(name);
/** What a reply that is given again leaves out. */
const shownOnce: Readonly<Record<string, readonly string[]>> = {
  'POST /admin/keys': ['secret'],
  'POST /admin/keys/{id}/rotate': ['secret'],
};

const tenants = ['admin-key', 'other-tenant-key'] as const;
const kinds = ['again', 'at-once', 'other-body', 'other-route', 'other-tenant', 'restart', 'failed-first'] as const;

const send = (sample: Sample, key: string, secret: string = tenants[0]) =>
  nextApp().inject({
    ...sample,
    headers: { ...sample.headers, 'idempotency-key': key, authorization: `Bearer ${secret}` },
  });
type Reply = Awaited<ReturnType<typeof send>>;
const isGood = ({ statusCode }: Reply): boolean => statusCode < 300;
const isAgain = ({ headers }: Reply): boolean => headers['idempotency-replayed'] === 'true';

/** As it is compared: without what is shown once. */
function shownOf({ body }: Reply, route: string): unknown {
  if (!(route in shownOnce)) return body;
  const told = JSON.parse(body) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(told).filter(([name]) => !shownOnce[route]?.includes(name)));
}

interface Case {
  readonly route: SampledRoute;
  readonly another: SampledRoute;
  readonly kind: (typeof kinds)[number];
}

async function runCase(at: number, { route, another, kind }: Case, random: Random): Promise<void> {
  const key = `k-${at}-${random.below(1e6)}`;
  const requestOf = async ({ name, request }: SampledRoute, word: string): Promise<Sample> =>
    (fuller[name] ?? request)(word);
  goodReply = goodOf(route);
  const one = await requestOf(route, `w${at}a`);
  const what = `case ${at}: ${route.name}, ${kind}`;
  const count = async <T>(work: () => Promise<T>): Promise<readonly [T, number]> => {
    const before = done;
    return [await work(), done - before];
  };
  if (kind === 'failed-first') {
    isFailing = true;
    expect((await send(one, key)).statusCode, what).toBe(503);
    isFailing = false;
  }
  if (kind === 'at-once') {
    const other = await requestOf(route, `w${at}z`);
    const [, alone] = await count(() => send(other, `${key}-z`));
    const [replies, calls] = await count(() => Promise.all([0, 1, 2, 3].map(() => send(one, key))));
    const good = replies.filter(isGood);
    expect(good.length, what).toBeGreaterThan(0);
    expect(
      good.filter((reply) => !isAgain(reply)),
      what,
    ).toHaveLength(1);
    const shown = good.map((reply) => shownOf(reply, route.name));
    for (const one of shown) expect(one, what).toEqual(shown[0]);
    for (const reply of replies) if (!isGood(reply)) expect(reply.statusCode, what).toBe(409);
    expect(calls, what).toBe(alone);
    return;
  }
  const [first, calls] = await count(() => send(one, key));
  expect(first.statusCode, `${what}: ${first.body}`).toBeLessThan(300);
  expect(calls, what).toBeGreaterThan(0);
  expect(isAgain(first), what).toBe(false);
  if (kind === 'restart') await restart();
  if (kind === 'other-body') {
    const other = await requestOf(route, `w${at}bb`);
    const [reply, more] = await count(() => send(other, key));
    expect([reply.statusCode, more], what).toEqual([422, 0]);
  } else if (kind === 'other-route') {
    goodReply = goodOf(another);
    const other = await requestOf(another, `w${at}c`);
    const [reply, more] = await count(() => send(other, key));
    // The same key, and another thing.
    expect([isGood(reply), isAgain(reply), more > 0], `${what}: ${reply.body}`).toEqual([true, false, true]);
    goodReply = goodOf(route);
  } else if (kind === 'other-tenant') {
    const [reply, more] = await count(() => send(one, key, tenants[1]));
    expect(isAgain(reply), what).toBe(false);
    expect(more, what).toBeGreaterThan(0);
    if (route.name === 'POST /v1/rag/sessions') expect(reply.body, what).not.toBe(first.body);
  }
  const [again, more] = await count(() => send(one, key));
  expect([again.statusCode, shownOf(again, route.name), isAgain(again), more], what).toEqual([
    first.statusCode,
    shownOf(first, route.name),
    true,
    0,
  ]);
  for (const name of shownOnce[route.name] ?? []) expect(again.body, what).not.toContain(`"${name}"`);
}

async function runCases(cases: number): Promise<void> {
  const random = createRandom(Number(process.env['FOOTNOTE_TEST_SEED'] ?? (isLongRun ? 1 : dayOfRun)));
  const all = await sampledRoutes(nextApp(), tenants[0]);
  // Of MCP nothing is kept: it changes nothing, and is another protocol than that of the document.
  const ofPolicy = Object.keys(routePolicy).filter((name) => !name.startsWith('GET ') && name !== 'POST /mcp');
  const nameOf = (name: string): string => name.replaceAll(/:(\w+)/gu, '{$1}');
  expect(all.map(({ name }) => name).toSorted()).toEqual(ofPolicy.map(nameOf).toSorted());
  const answer = all.find(({ name }) => name === 'POST /v1/ask')?.reply;
  Object.assign(given, { 'POST /v1/chat/completions': answer, 'POST /v1/responses': answer });
  const routes = all.filter(({ name }) => !(name in unkept) && !beside.has(name) && !isOfFiles(name));
  for (let at = 0; at < cases; at += 1) {
    const route = routes[at % routes.length] as SampledRoute;
    const another = routes[(at + 1 + random.below(routes.length - 1)) % routes.length] as SampledRoute;
    const kind = kinds[Math.floor(at / routes.length) % kinds.length] as (typeof kinds)[number];
    await runCase(at, { route, another, kind }, random);
  }
  expect(cases).toBeGreaterThan(routes.length * kinds.length);
}

async function keepNothing(): Promise<void> {
  for (const route of (await sampledRoutes(nextApp(), tenants[0])).filter(({ name }) => name in unkept)) {
    goodReply = goodOf(route);
    const before = done;
    for (let again = 0; again < 2; again += 1)
      expect(isAgain(await send(await (fuller[route.name] ?? route.request)('word'), 'k')), unkept[route.name]).toBe(
        false,
      );
    expect(done - before, route.name).toBe(2);
  }
}

/** Of the tests that call it. */
function checkCases(cases: number): void {
  beforeEach(open);
  afterEach(close);
  it(
    `do under one key what is asked once: ${cases} random cases over every route that changes something`,
    {
      timeout: 600_000,
    },
    () => runCases(cases),
  );
  it('keep nothing under a key where that is named', keepNothing);
}

describe('keys over SQLite', () => {
  const place = temporaryFolder();
  beforeAll(() => {
    openRecords = async () => [openSqliteRecord({ folder: place.folder })];
  });
  afterAll(place.remove);
  checkCases(isLongRun ? 10_000 : 400);
});

describe.skipIf(programs === undefined)('keys of two servers (skipped where no PostgreSQL is installed)', () => {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await openPostgresServer(programs ?? '');
    const address = await server.createDatabase();
    openRecords = async () => [await openPostgresRecord(address), await openPostgresRecord(address)];
  });
  afterAll(() => server?.remove());
  checkCases(isLongRun ? 2000 : 400);
});
