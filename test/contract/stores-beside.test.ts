// A store beside the record over HTTP: a document for it alone, what is on its way, pause and resume, and what a repetition retries.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import type { SearchResponse } from '../../src/core/search.ts';
import type { StoreStatus } from '../../src/footnote/facade.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import { createMemoryStores } from '../../testkit/memory-store.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { appOf } from '../../testkit/serve-opened.ts';

const memory = createMemoryStores({ name: 'cloud' });
let folder: string;
let opened: OpenedFootnote;
let app: HttpApp;
let refusal: FootnoteError | undefined;

beforeEach(async () => {
  refusal = undefined;
  memory.held('default').clear();
  folder = await mkdtemp(join(tmpdir(), 'footnote-http-beside-'));
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }), {
    stores: [
      {
        name: 'cloud',
        open: (scope) => {
          const store = memory.store(scope);
          return {
            ...store,
            async upsert(batch, signal) {
              const error = refusal;
              return error
                ? batch.map(({ document }) => ({ documentId: document.id, error }))
                : store.upsert(batch, signal);
            },
          };
        },
        asked: { kind: 'vector', modes: ['vector', 'hybrid'] },
      },
    ],
  });
  app = appOf(opened, {
    ownerToken: 'owner',
    log: () => undefined,
  });
});
afterEach(async () => {
  await app.close();
  await opened.close();
  await rm(folder, { recursive: true, force: true });
});

const post = async (url: string, payload: object = {}) => app.inject({ method: 'POST', url, payload });
const statusOf = async (name: string) =>
  (await app.inject('/v1/stores')).json<{ data: StoreStatus[] }>().data.find((store) => store.name === name);
const deliveries = async (query = '') =>
  (await app.inject(`/v1/stores/cloud/deliveries${query}`)).json<{ data: { status: string }[]; nextCursor?: string }>();
const otter = { text: 'An otter swims in the river and eats fish.', uri: 'otter.md' };

it('records a document once and brings it to this store alone, where it is found and read', async () => {
  const taken = await post('/v1/stores/cloud/documents', otter);
  expect(taken.statusCode).toBe(202);
  expect(taken.json()).toMatchObject({ documents: [{ status: 'created', deliveries: [{ store: 'cloud' }] }] });
  await opened.settle('default');
  expect(memory.held('default').size).toBe(1);
  expect(await deliveries()).toMatchObject({ data: [{ store: 'cloud', status: 'delivered' }] });
  const search = async (mode: string) =>
    (await post('/v1/search', { query: 'otter river', mode }))
      .json<SearchResponse>()
      .results.map(({ stores }) => stores);
  expect(await search('vector')).toEqual([['cloud']]);
  expect(await search('hybrid')).toEqual([['cloud']]);
  expect(await search('embedded')).toEqual([]);
  const answer = (await post('/v1/ask', { question: 'What does an otter eat?' })).json();
  expect(answer).toMatchObject({ abstained: false, ragEnabled: true, citations: [{ quote: otter.text }] });
});

it('retries by repetition, and by sync, what the store refused, without another document', async () => {
  refusal = new FootnoteError('invalid-request', 'Too odd.');
  await post('/v1/stores/cloud/documents', otter);
  await opened.settle('default');
  expect(await deliveries('?status=failed')).toMatchObject({ data: [{ status: 'failed', lastError: 'Too odd.' }] });
  expect(await statusOf('cloud')).toMatchObject({ coverage: 0, deliveries: { failed: 1 } });
  expect((await post('/v1/stores/cloud/sync')).json()).toEqual({ delivered: 0, failed: 1 });
  refusal = undefined;
  expect((await post('/v1/stores/cloud/documents', otter)).json()).toMatchObject({
    documents: [{ status: 'unchanged' }],
  });
  await opened.settle('default');
  expect(await deliveries('?status=failed')).toEqual({ data: [] });
  expect(await statusOf('cloud')).toMatchObject({ coverage: 1, deliveries: { failed: 0 } });
  expect((await app.inject('/v1/documents')).json<{ data: object[] }>().data).toHaveLength(1);
});

it('brings nothing while it is paused, says how long that waits, and goes on when it is resumed', async () => {
  const paused = await post('/v1/stores/cloud/pause');
  expect(paused.statusCode).toBe(200);
  expect(paused.json()).toMatchObject({ name: 'cloud', deliveries: { paused: true } });
  for (const name of ['otter', 'crane', 'heron'])
    await post('/v1/documents', { text: `A ${name}.`, uri: `${name}.md` });
  await opened.settle('default');
  expect(memory.held('default').size).toBe(0);
  const waiting = await statusOf('cloud');
  expect(waiting).toMatchObject({ status: 'ok', coverage: 0, deliveries: { pending: 3, paused: true } });
  expect(waiting?.deliveries?.oldestPendingSeconds).toBeGreaterThanOrEqual(0);
  const first = await deliveries('?status=pending&limit=2');
  expect(first.data).toHaveLength(2);
  const rest = await deliveries(`?status=pending&limit=2&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
  expect(rest.data).toHaveLength(1);
  expect((await post('/v1/stores/cloud/resume')).json()).toMatchObject({ deliveries: { paused: false } });
  await opened.settle('default');
  expect(memory.held('default').size).toBe(3);
  const { coverage, deliveries: left } = (await statusOf('cloud')) ?? {};
  expect([coverage, left]).toEqual([1, { pending: 0, failed: 0, deletions: 0, paused: false }]);
  expect((await post('/v1/stores/embedded/pause')).json()).toMatchObject({ status: 422, code: 'unsupported' });
  expect((await post('/v1/stores/nowhere/resume')).json()).toMatchObject({ status: 422, code: 'unsupported' });
});

it('is compared with the record by an admin, where the store can tell what it holds', async () => {
  expect((await post('/v1/stores/cloud/reconcile', { dryRun: true })).json()).toMatchObject({
    status: 422,
    code: 'unsupported',
  });
  expect((await post('/v1/stores/cloud/reconcile', { dry: true })).statusCode).toBe(400);
  expect((await post('/v1/stores/embedded/reconcile')).json()).toMatchObject({ status: 422, code: 'unsupported' });
});
