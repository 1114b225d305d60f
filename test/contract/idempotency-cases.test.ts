// Random cases of Idempotency-Key over routes that change something: the same again, twice at once, another body, another route, another tenant, a restart in
// between, a failure first. The keys are kept in a real record, the facade counts what was really done: under one key that is done once.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FootnoteError } from '../../src/core/errors.ts';
import type { Scope } from '../../src/core/scope.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../src/db/sqlite/sqlite.ts';
import { createHttpApp } from '../../src/http/app.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { createRandom, type Random } from '../../testkit/history.ts';
import { temporaryFolder } from '../../testkit/record-fixture.ts';
import { fakeAppOptions } from './fake-app.ts';
import type { FakeSystem } from './fake-footnote.ts';

const cases = process.env['FOOTNOTE_TEST_LONG'] === undefined ? 2000 : 10_000;
const place = temporaryFolder();
let database: SqliteRecordDatabase;
let app: HttpApp;
let system: FakeSystem;
/** Calls of the facade, whoever made them. */
let done = 0;
let isFailing = false;

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
        return Reflect.apply(member, target, args);
      };
    },
  });
}

const scoped = (scope: Scope) => database.forScope(scope).idempotency;
function open(): void {
  database = openSqliteRecord({ folder: place.folder });
  const fake = fakeAppOptions({ keys: true, idempotency: scoped });
  system ??= fake.system;
  const { forScope } = system;
  app = createHttpApp({
    ...fake.options,
    system: { ...system, forScope: (scope: Scope) => counted(forScope.call(system, scope)) },
  });
}
beforeEach(open);
afterEach(async () => {
  await app.close();
  await database.close();
  place.remove();
});
async function restart(): Promise<void> {
  await app.close();
  await database.close();
  open();
}

interface Sample {
  readonly method: 'POST' | 'DELETE' | 'PATCH';
  readonly url: string;
  readonly payload?: object;
}
/** A request of a route, two of a kind that differ; `document` is one that is there. */
type Make = (word: string, document: string) => Sample;
const post =
  (url: string, payload: (word: string) => object): Make =>
  (word) => ({ method: 'POST', url, payload: payload(word) });
const makes: Readonly<Record<string, Make>> = {
  'POST /v1/documents': post('/v1/documents', (word) => ({ text: `The ${word} opens.`, uri: word })),
  'POST /v1/ask': post('/v1/ask', (word) => ({ question: `${word}?` })),
  'POST /v1/search': post('/v1/search', (word) => ({ query: word })),
  'POST /v1/rag/sessions': post('/v1/rag/sessions', (word) => ({ title: word })),
  'POST /v1/rag/sessions/:session_id/messages': post('/v1/rag/sessions/s/messages', (word) => ({ content: word })),
  'POST /v1/memories': post('/v1/memories', (word) => ({ text: `I like the ${word}.`, type: 'preference' })),
  'POST /v1/memories/recall': post('/v1/memories/recall', (word) => ({ query: word })),
  'POST /v1/memories/prune': post('/v1/memories/prune', (word) => ({ maxAgeDays: word.length })),
  'POST /v1/recommendations': post('/v1/recommendations', (word) => ({ readDocumentIds: [word] })),
  'POST /v1/stores/:store/documents': post('/v1/stores/embedded/documents', (word) => ({ text: word, uri: word })),
  'POST /v1/sources': post('/v1/sources', (word) => ({
    name: `s-${word}`,
    type: 'docs',
    connector: { kind: 'folder', path: `/${word}` },
  })),
  'DELETE /v1/documents/:id': (_, document) => ({ method: 'DELETE', url: `/v1/documents/${document}` }),
};
const routes = Object.keys(makes);
const tenants = ['admin-key', 'other-tenant-key'] as const;
const kinds = ['again', 'at-once', 'other-body', 'other-route', 'other-tenant', 'restart', 'failed-first'] as const;

const send = (sample: Sample, key: string, secret: string = tenants[0]) =>
  app.inject({
    ...sample,
    headers: { 'idempotency-key': key, authorization: `Bearer ${secret}` },
  });
type Reply = Awaited<ReturnType<typeof send>>;
const isGood = ({ statusCode }: Reply): boolean => statusCode < 300;
const isAgain = ({ headers }: Reply): boolean => headers['idempotency-replayed'] === 'true';

async function addDocument(secret: string, word: string): Promise<string> {
  const payload = { text: `A ${word}.`, uri: `for-${word}` };
  const headers = { authorization: `Bearer ${secret}` };
  const added = await app.inject({ method: 'POST', url: '/v1/documents', payload, headers });
  return added.json<{ documents: [{ id: string }] }>().documents[0].id;
}

async function runCase(at: number, random: Random): Promise<readonly [route: string, kind: string]> {
  const route = routes[at % routes.length] as string;
  const kind = kinds[random.below(kinds.length)] as (typeof kinds)[number];
  const key = `k-${at}-${random.below(1e6)}`;
  const make = makes[route] as Make;
  const one = make(`w${at}a`, route.startsWith('DELETE') ? await addDocument(tenants[0], `w${at}a`) : '');
  const what = `case ${at}: ${route}, ${kind}`;
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
    const other = make(`w${at}z`, route.startsWith('DELETE') ? await addDocument(tenants[0], `w${at}z`) : '');
    const [, alone] = await count(() => send(other, `${key}-z`));
    const [replies, calls] = await count(() => Promise.all([0, 1, 2, 3].map(() => send(one, key))));
    const good = replies.filter(isGood);
    expect(good.length, what).toBeGreaterThan(0);
    expect(
      good.filter((reply) => !isAgain(reply)),
      what,
    ).toHaveLength(1);
    expect(new Set(good.map(({ body }) => body)).size, what).toBe(1);
    for (const reply of replies) if (!isGood(reply)) expect(reply.statusCode, what).toBe(409);
    expect(calls, what).toBe(alone);
    return [route, kind];
  }
  const [first, calls] = await count(() => send(one, key));
  expect(first.statusCode, `${what}: ${first.body}`).toBeLessThan(300);
  expect(calls, what).toBeGreaterThan(0);
  expect(isAgain(first), what).toBe(false);
  if (kind === 'restart') await restart();
  if (kind === 'other-body') {
    const other = make(`w${at}bb`, 'doc_other');
    const [reply, more] = await count(() => send(other, key));
    expect([reply.statusCode, more], what).toEqual([422, 0]);
  } else if (kind === 'other-route') {
    const another = routes[(at + 1) % (routes.length - 1)] as string;
    const [reply, more] = await count(() => send((makes[another] as Make)(`w${at}c`, ''), key));
    // The same key, and another thing.
    if (another !== route)
      expect([isGood(reply), isAgain(reply), more > 0], `${what}: ${reply.body}`).toEqual([true, false, true]);
  } else if (kind === 'other-tenant') {
    const [reply, more] = await count(() => send(one, key, tenants[1]));
    expect(isAgain(reply), what).toBe(false);
    expect(more, what).toBeGreaterThan(0);
    if (route === 'POST /v1/rag/sessions') expect(reply.body, what).not.toBe(first.body);
  }
  const [again, more] = await count(() => send(one, key));
  expect([again.statusCode, again.body, isAgain(again), more], what).toEqual([first.statusCode, first.body, true, 0]);
  return [route, kind];
}

it(`does under one key what is asked once: ${cases} random cases`, async () => {
  const random = createRandom(Number(process.env['FOOTNOTE_TEST_SEED'] ?? 1));
  const seen = new Set<string>();
  for (let at = 0; at < cases; at += 1) seen.add((await runCase(at, random)).join(' '));
  expect(seen.size).toBe(routes.length * kinds.length);
});
