// Files and vector stores as OpenAI's official client uses them: sources and documents of the real system. Each reply is what the vendor's own
// specification says, and a key that may read one source meets no other.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipFile } from '../../packages/readers/testkit/zip-file.ts';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { vectorStores } from '../../src/operations/vector-stores.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { openSpec } from '../../testkit/openai/spec.ts';
import { serveOpened } from '../../testkit/serve-opened.ts';
import { createSpecFaults } from '../fakes/openai-spec-faults.ts';

const spec = openSpec();
const faultsOf = createSpecFaults();
let folder: string;
let opened: OpenedFootnote;
let server: HttpServer;
let secrets: Readonly<Record<'writer' | 'other' | 'reader' | 'admin', string>>;

/** Our routes, those with the most named parts first, with the path that the specification knows each by. */
const routes = Object.values(vectorStores)
  .map(({ route }) => {
    const [method = '', url = ''] = route.split(' ');
    const path = url
      .replace('/v1', '')
      .replace('vector_stores/:id', 'vector_stores/{vector_store_id}')
      .replaceAll(/:(\w+)/gu, '{$1}');
    return { route, method, path, pattern: new RegExp(`^${url.replaceAll(/:\w+/gu, '[^/]+')}$`, 'u') };
  })
  .toSorted((one, other) => one.path.split('{').length - other.path.split('{').length);
const seen = new Set<string>();
let faults: string[] = [];

/** Looks at each good reply as the specification does. */
async function checking(...given: Parameters<typeof fetch>): Promise<Response> {
  const reply = await fetch(...given);
  const [, { method = 'GET' } = {}] = given;
  const { pathname, searchParams } = new URL(reply.url);
  const of = routes.find((one) => one.method === method.toUpperCase() && one.pattern.test(pathname));
  if (!of) return reply;
  if (reply.ok) seen.add(`${of.route} ${[...searchParams.keys()].sort().join()}`);
  if (!reply.headers.get('content-type')?.startsWith('application/json')) return reply;
  const body: unknown = await reply.clone().json();
  const wrong = reply.ok ? (spec?.reply(of, body) ?? []) : faultsOf('ErrorResponse', body);
  faults.push(...wrong.map((fault) => `${of.route}: ${fault}`));
  return reply;
}

async function open(): Promise<void> {
  opened = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data') } }));
  server = await serveOpened(opened, {
    limits: { fileBytes: 200_000 },
  });
  opened.setAddress(server.url);
}
async function close(): Promise<void> {
  await server.close({ deadlineMs: 1000 });
  await opened.close();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-stores-'));
  await open();
  const footnote = opened.forScope(localScope());
  const text = 'The vault of Cabo Frio opens with the word Zanzibar.\n';
  await footnote.documents.add({ uri: 'vault.md', source: 'vault', text, access: ['owners'] });
  await footnote.documents.add({ uri: 'both.md', source: 'mixed', text: 'The bell of Cabo Frio rings at noon.\n' });
  await footnote.documents.add({ uri: 'secret.md', source: 'mixed', text, access: ['owners'] });
  const keyOf = async (name: string, role: 'reader' | 'writer' | 'admin') =>
    (await opened.keys.create({ name, role, groups: [] })).secret;
  secrets = {
    writer: await keyOf('writer', 'writer'),
    other: await keyOf('other', 'writer'),
    reader: await keyOf('reader', 'reader'),
    admin: await keyOf('admin', 'admin'),
  };
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

const clientOf = (who: keyof typeof secrets = 'writer'): OpenAI =>
  new OpenAI({ apiKey: secrets[who], baseURL: `${server.url}/v1`, maxRetries: 0, fetch: checking });
const fileOf = (name: string, text: string | Uint8Array) => toFile(Buffer.from(text), name);
const tower = '# Towers\n\nThe lighthouse of Arkvik is 43 metres tall.\n';

async function idsOf<Item extends { id: string }>(list: AsyncIterable<Item>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

const soundly = (name: string, test: () => Promise<void>) =>
  it(name, async () => {
    faults = [];
    await test();
    expect(faults).toEqual([]);
  });

describe('a vector store', () => {
  soundly('is made, filled, searched and asked by the official client', async () => {
    const client = clientOf();
    const store = await client.vectorStores.create({ name: 'Light houses', metadata: { team: 'north' } });
    expect(store).toMatchObject({ name: 'Light houses', status: 'completed', metadata: { team: 'north' } });
    expect(store.file_counts.total).toBe(0);
    const file = await client.vectorStores.files.uploadAndPoll(store.id, await fileOf('tower.md', tower));
    expect(file).toMatchObject({ status: 'completed', last_error: null, vector_store_id: store.id });
    const found = await client.vectorStores.search(store.id, { query: 'How tall is the lighthouse?' });
    expect(found.data[0]).toMatchObject({ file_id: file.id, filename: 'tower.md' });
    expect(found.data[0]?.content[0]?.text).toContain('43 metres');
    const completion = await client.chat.completions.create({
      model: 'footnote',
      messages: [{ role: 'user', content: 'How tall is the lighthouse of Arkvik?' }],
      tools: [{ type: 'file_search', vector_store_ids: [store.id] }] as never,
    });
    expect(completion.choices[0]?.message.content).toMatch(/43 metres tall\. \[1\]/u);
    expect(await client.vectorStores.retrieve(store.id)).toMatchObject({ file_counts: { completed: 1, total: 1 } });
    expect(await client.vectorStores.delete(store.id)).toMatchObject({ id: store.id, deleted: true });
    await expect(client.vectorStores.retrieve(store.id)).rejects.toMatchObject({ status: 404 });
    expect(await client.files.retrieve(file.id)).toMatchObject({ filename: 'tower.md', bytes: tower.length });
  });

  soundly('lists by pages both ways, takes attributes, filters by them, and lets files go', async () => {
    const client = clientOf();
    const store = await client.vectorStores.create({ name: 'pages' });
    const { id: vector_store_id } = store;
    const ids: string[] = [];
    for (const [name, floor] of [
      ['one', 1],
      ['two', 2],
      ['three', 3],
    ] as const) {
      const { id: file_id } = await client.files.create({
        file: await fileOf(`${name}.txt`, `The room ${name} of Arkvik has a stove. It is on floor ${floor}.`),
        purpose: 'user_data',
      });
      const attributes = { floor, room: name, open: floor > 1 };
      const file = await client.vectorStores.files.createAndPoll(store.id, { file_id, attributes });
      expect(file).toMatchObject({ id: file_id, status: 'completed', attributes });
      ids.push(file_id);
    }
    const pagesOf = (query: object) => idsOf(client.vectorStores.files.list(store.id, query));
    expect(await pagesOf({ limit: 2 })).toEqual(ids.toReversed());
    expect(await pagesOf({ limit: 1, order: 'asc' })).toEqual(ids);
    const before = await client.vectorStores.files.list(store.id, { before: ids[2] ?? '', order: 'asc', limit: 1 });
    expect(before).toMatchObject({ data: [{ id: ids[1] }], has_more: true });
    expect(await pagesOf({ filter: 'failed' })).toEqual([]);
    expect(await pagesOf({ filter: 'completed', order: 'asc' })).toEqual(ids);
    expect(await idsOf(client.files.list({ purpose: 'user_data', order: 'asc', limit: 2 }))).toEqual(ids);
    expect((await idsOf(client.vectorStores.list({ limit: 1 }))).slice(0, 1)).toEqual([store.id]);

    const query = 'Which room has a stove?';
    const foundBy = async (more: object) =>
      (await client.vectorStores.search(store.id, { query, ...more } as never)).data
        .map(({ filename }) => filename)
        .sort();
    expect(await foundBy({})).toEqual(['one.txt', 'three.txt', 'two.txt']);
    expect(await foundBy({ filters: { type: 'eq', key: 'room', value: 'two' } })).toEqual(['two.txt']);
    expect(await foundBy({ filters: { type: 'gte', key: 'floor', value: 2 } })).toEqual(['three.txt', 'two.txt']);
    expect(await foundBy({ filters: { type: 'nin', key: 'room', value: ['one', 'two'] } })).toEqual(['three.txt']);
    const both = [
      { type: 'eq', key: 'open', value: true },
      { type: 'lt', key: 'floor', value: 3 },
    ];
    expect(await foundBy({ filters: { type: 'and', filters: both } })).toEqual(['two.txt']);
    expect(await foundBy({ max_num_results: 1 })).toHaveLength(1);
    expect(await foundBy({ query: ['stove', 'floor 3'] })).toEqual(['one.txt', 'three.txt', 'two.txt']);
    const { data } = await client.vectorStores.search(store.id, { query: 'floor 3', rewrite_query: true });
    const [best, next] = data.map(({ score }) => score);
    expect(best).toBeGreaterThan(next ?? 1);
    const score_threshold = 0.999;
    expect(await foundBy({ query: 'floor 3', ranking_options: { score_threshold } })).toEqual(['three.txt']);

    const [one = ''] = ids;
    const updated = await client.vectorStores.files.update(one, { vector_store_id, attributes: { room: 'attic' } });
    expect(updated.attributes).toEqual({ room: 'attic' });
    expect(await foundBy({ filters: { type: 'eq', key: 'room', value: 'attic' } })).toEqual(['one.txt']);
    expect(await foundBy({ filters: { type: 'eq', key: 'room', value: 'one' } })).toEqual([]);
    expect(await client.vectorStores.files.retrieve(one, { vector_store_id })).toMatchObject({
      id: one,
      attributes: { room: 'attic' },
    });
    const texts = await client.vectorStores.files.content(one, { vector_store_id });
    expect(texts.data[0]?.text).toContain('The room one of Arkvik');
    expect(await (await client.files.content(one)).text()).toContain('The room one of Arkvik');

    expect(await client.vectorStores.files.delete(one, { vector_store_id })).toMatchObject({ id: one, deleted: true });
    expect(await pagesOf({ order: 'asc' })).toEqual(ids.slice(1));
    expect(await foundBy({ filters: { type: 'eq', key: 'room', value: 'attic' } })).toEqual([]);
    expect(await client.files.retrieve(one)).toMatchObject({ id: one, status: 'processed' });
    expect(await client.files.delete(ids[1] ?? '')).toMatchObject({ deleted: true });
    expect(await pagesOf({})).toEqual(ids.slice(2));
    await expect(client.files.retrieve(ids[1] ?? '')).rejects.toMatchObject({ status: 404, code: 'file_not_found' });
    expect(
      await client.vectorStores.update(store.id, { name: 'renamed', metadata: { a: 'b' }, expires_after: null }),
    ).toMatchObject({ id: store.id, name: 'renamed', metadata: { a: 'b' }, file_counts: { total: 1 } });
  });

  soundly('takes files in batches, good and bad, and tells of each', async () => {
    const client = clientOf();
    const store = await client.vectorStores.create({});
    const files = [
      await fileOf('a.md', '# A\n\nThe anchor weighs 12 tonnes.\n'),
      await fileOf('b.md', '# B\n\nThe buoy is red.\n'),
      await fileOf('broken.pdf', '%PDF-1.7 broken'),
    ];
    const batch = await client.vectorStores.fileBatches.uploadAndPoll(store.id, { files });
    expect(batch).toMatchObject({
      status: 'completed',
      vector_store_id: store.id,
      file_counts: { in_progress: 0, completed: 2, failed: 1, cancelled: 0, total: 3 },
    });
    expect(await client.vectorStores.retrieve(store.id)).toMatchObject({
      file_counts: { completed: 2, failed: 1, total: 3 },
    });
    const vector_store_id = store.id;
    const failed = await client.vectorStores.fileBatches.listFiles(batch.id, { vector_store_id, filter: 'failed' });
    expect(failed.data).toMatchObject([{ status: 'failed', last_error: { code: 'invalid_file' } }]);
    expect(
      await idsOf(client.vectorStores.fileBatches.listFiles(batch.id, { vector_store_id, limit: 2 })),
    ).toHaveLength(3);
    expect(await idsOf(client.vectorStores.files.list(store.id, { filter: 'failed' }))).toEqual(
      failed.data.map(({ id }) => id),
    );
    const again = await client.vectorStores.fileBatches.create(store.id, {
      files: failed.data.map(({ id: file_id }) => ({ file_id, attributes: { try: 2 } })),
    });
    expect(await client.vectorStores.fileBatches.poll(store.id, again.id)).toMatchObject({
      file_counts: { failed: 1 },
    });
    const cancelled = await client.vectorStores.fileBatches.cancel(again.id, { vector_store_id });
    expect(cancelled.status).toBe('completed');
    const unknown = await fileOf('noise.xyz', new Uint8Array([0, 1, 2, 3, 255, 254, 0, 9]));
    const odd = await client.vectorStores.files.uploadAndPoll(store.id, unknown);
    expect(odd).toMatchObject({ status: 'failed', last_error: { code: 'unsupported_file' } });
    const whole = await client.vectorStores.create({ file_ids: [odd.id], name: 'from files' });
    expect(whole.file_counts.total).toBe(1);
  });

  soundly('ends a batch that is cancelled, and tells whoever polls when to ask again', async () => {
    const client = clientOf();
    const store = await client.vectorStores.create({ name: 'cancelled' });
    const long = `${'The tide of Arkvik rises by two metres. '.repeat(4000)}\n`;
    const file_ids: string[] = [];
    for (let at = 0; at < 8; at += 1)
      file_ids.push(
        (await client.files.create({ file: await fileOf(`t${at}.txt`, `${at} ${long}`), purpose: 'assistants' })).id,
      );
    const batch = await client.vectorStores.fileBatches.create(store.id, { file_ids });
    expect(batch).toMatchObject({ status: 'in_progress', file_counts: { total: 8 } });
    const vector_store_id = store.id;
    const { headers } = await client.vectorStores.fileBatches.retrieve(batch.id, { vector_store_id }).asResponse();
    expect(headers.get('openai-poll-after-ms')).toMatch(/^\d+$/u);
    expect(await client.vectorStores.retrieve(store.id)).toMatchObject({ status: 'in_progress' });
    const ended = await client.vectorStores.fileBatches.cancel(batch.id, { vector_store_id });
    expect(ended.status).toBe('cancelled');
    expect(ended.file_counts).toMatchObject({ in_progress: 0, total: 8 });
    expect(ended.file_counts.cancelled).toBeGreaterThan(0);
    expect(await idsOf(client.vectorStores.files.list(store.id, { filter: 'cancelled' }))).toHaveLength(
      ended.file_counts.cancelled,
    );
  });

  soundly('cuts as it is told to', async () => {
    const client = clientOf();
    const store = await client.vectorStores.create({ name: 'cut' });
    const text = Array.from({ length: 60 }, (_, at) => `Step ${at} of the drill is to ring bell ${at} twice.`).join(
      '\n\n',
    );
    const { id: file_id } = await client.files.create({ file: await fileOf('drill.md', text), purpose: 'assistants' });
    const vector_store_id = store.id;
    const longest = async () => {
      const { data } = await client.vectorStores.search(store.id, { query: 'ring bell', max_num_results: 50 });
      return Math.max(...data.map(({ content }) => content[0]?.text.length ?? 0));
    };
    const cutBy = async (max_chunk_size_tokens: number) => {
      const size = { max_chunk_size_tokens, chunk_overlap_tokens: 0 };
      const chunking_strategy = { type: 'static' as const, static: size };
      const file = await client.vectorStores.files.createAndPoll(store.id, { file_id, chunking_strategy });
      expect(file).toMatchObject({ status: 'completed', chunking_strategy });
      return longest();
    };
    expect(await cutBy(1000)).toBeGreaterThan(1000);
    expect(await cutBy(100)).toBeLessThan(600);
    await client.vectorStores.files.update(file_id, { vector_store_id, attributes: { drill: true } });
    expect(await longest()).toBeLessThan(600);
  });

  soundly('is what there was before, too: sources, documents and archives', async () => {
    const admin = clientOf('admin');
    const vector_store_id = 'vs_mixed';
    const { data } = await admin.vectorStores.files.list(vector_store_id);
    expect(data.map(({ status }) => status)).toEqual(['completed', 'completed']);
    const [file = { id: '' }] = data;
    expect(await admin.files.retrieve(file.id)).toMatchObject({ id: file.id, purpose: 'assistants' });
    const hit = await admin.vectorStores.search(vector_store_id, { query: 'When does the bell ring?' });
    expect(await admin.vectorStores.files.retrieve(hit.data[0]?.file_id ?? '', { vector_store_id })).toMatchObject({
      status: 'completed',
    });
    expect((await admin.files.content(hit.data[0]?.file_id ?? '')).status).toBe(200);
    const store = await admin.vectorStores.create({ name: 'packed' });
    const packed = zipFile([
      { name: 'one.md', content: '# One\n\nThe winch is green.\n' },
      { name: 'two.md', content: '# Two\n\nThe crane is blue.\n' },
    ]);
    const archive = await admin.vectorStores.files.uploadAndPoll(store.id, await fileOf('both.zip', packed));
    expect(archive).toMatchObject({ status: 'completed', usage_bytes: 0 });
    const inside = await idsOf(admin.vectorStores.files.list(store.id));
    expect(inside).toHaveLength(3);
    const blue = await admin.vectorStores.search(store.id, { query: 'Which colour is the crane?' });
    expect(blue.data[0]).toMatchObject({ filename: 'two.md' });
    expect(inside).toContain(blue.data[0]?.file_id);
    await expect(
      admin.vectorStores.files.update(blue.data[0]?.file_id ?? '', { vector_store_id: store.id, attributes: { a: 1 } }),
    ).rejects.toMatchObject({ status: 409 });
    await admin.vectorStores.files.delete(archive.id, { vector_store_id: store.id });
    expect(await idsOf(admin.vectorStores.files.list(store.id))).toEqual([]);
    // Lines are documents too, whether they have a uri of their own or not.
    const lines = [{ text: 'The buoy is red.' }, { text: 'The jetty is long.', uri: 'https://example.org/jetty' }];
    const jsonl = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
    const collection = await admin.vectorStores.files.uploadAndPoll(store.id, await fileOf('lines.jsonl', jsonl));
    expect((await admin.vectorStores.search(store.id, { query: 'buoy jetty' })).data).toHaveLength(2);
    await admin.vectorStores.files.delete(collection.id, { vector_store_id: store.id });
    expect((await admin.vectorStores.search(store.id, { query: 'buoy jetty' })).data).toEqual([]);
    expect(await idsOf(admin.vectorStores.files.list(store.id))).toEqual([]);
  });

  soundly('that mirrors a folder takes no files, and one that is empty answers nothing', async () => {
    const admin = clientOf('admin');
    await opened.forScope(localScope()).sources.put({
      name: 'mirror',
      type: 'docs',
      connector: { kind: 'url', urls: ['https://example.org/'] },
    });
    const { id: file_id } = await admin.files.create({ file: await fileOf('m.txt', 'M.'), purpose: 'assistants' });
    await expect(admin.vectorStores.files.create('vs_mirror', { file_id })).rejects.toMatchObject({ status: 409 });
    const client = clientOf();
    const { id } = await client.vectorStores.create({ name: 'empty' });
    expect((await client.vectorStores.search(id, { query: 'anything' })).data).toEqual([]);
    const tools = [{ type: 'file_search', vector_store_ids: [id] }] as never;
    const messages = [{ role: 'user' as const, content: 'How tall is the lighthouse?' }];
    expect(await client.chat.completions.create({ model: 'footnote', messages, tools })).toMatchObject({
      footnote: { abstained: true },
    });
  });

  soundly('is made once under one key', async () => {
    const client = clientOf();
    const options = { headers: { 'idempotency-key': 'once' } };
    const first = await client.vectorStores.create({ name: 'once' }, options);
    expect(await client.vectorStores.create({ name: 'once' }, options)).toEqual(first);
    const file = async () =>
      client.files.create({ file: await fileOf('once.txt', 'Once.'), purpose: 'assistants' }, options);
    expect(await file()).toEqual(await file());
  });
});

describe('a key', () => {
  soundly('meets nothing that it may not read', async () => {
    const client = clientOf('other');
    const mine = clientOf();
    const own = await mine.vectorStores.create({ name: 'private while empty' });
    const { id: file } = await mine.files.create({ file: await fileOf('mine.txt', 'Mine.'), purpose: 'assistants' });
    const listed = await idsOf(client.vectorStores.list({ limit: 100 }));
    expect(listed).toContain('vs_mixed');
    expect(listed).not.toContain('vs_vault');
    expect(listed).not.toContain(own.id);
    expect(await idsOf(client.files.list())).toEqual([]);
    const mixed = await client.vectorStores.retrieve('vs_mixed');
    expect(mixed.file_counts).toMatchObject({ completed: 1, total: 1 });
    expect(mixed.usage_bytes).toBe('The bell of Cabo Frio rings at noon.\n'.length);
    expect((await client.vectorStores.files.list('vs_mixed')).data).toHaveLength(1);
    const { data } = await client.vectorStores.search('vs_mixed', { query: 'With which word does the vault open?' });
    expect(JSON.stringify(data)).not.toContain('Zanzibar');
    const secret = (await idsOf(clientOf('admin').vectorStores.files.list('vs_vault')))[0] ?? '';

    const said = async (asked: (id: string, file: string) => Promise<unknown>, [id, file]: readonly [string, string]) =>
      asked(id, file).then(
        () => 'done',
        (error: InstanceType<typeof OpenAI.APIError>) =>
          `${error.status} ${error.code} ${error.message.replaceAll(id, 'ID').replaceAll(file, 'FILE')}`,
      );
    const asks: ((id: string, file: string) => Promise<unknown>)[] = [
      (id) => client.vectorStores.retrieve(id),
      (id) => client.vectorStores.update(id, { name: 'x' }),
      (id) => client.vectorStores.delete(id),
      (id) => client.vectorStores.search(id, { query: 'vault' }),
      (id) => client.vectorStores.files.list(id).then((page) => page.data),
      (id, file_id) => client.vectorStores.files.create(id, { file_id }),
      (id, file_id) => client.vectorStores.files.retrieve(file_id, { vector_store_id: id }),
      (id, file_id) => client.vectorStores.files.delete(file_id, { vector_store_id: id }),
      (id, file_id) => client.vectorStores.fileBatches.create(id, { file_ids: [file_id] }),
      (_, file_id) => client.files.retrieve(file_id),
      (_, file_id) => client.files.delete(file_id),
      async (_, file_id) => client.files.content(file_id),
      (_, file_id) => client.vectorStores.create({ file_ids: [file_id] }),
    ];
    for (const ask of asks) {
      const none = await said(ask, ['vs_none', `file-${'0'.repeat(24)}`]);
      expect(none).toMatch(/^404 /u);
      for (const hidden of [
        ['vs_vault', secret],
        [own.id, file],
      ] as const)
        expect(await said(ask, hidden)).toBe(none);
    }
    const cross: typeof asks = [
      (id, file_id) => client.vectorStores.files.create(id, { file_id }),
      (id, file_id) => client.vectorStores.files.update(file_id, { vector_store_id: id, attributes: { a: 1 } }),
    ];
    for (const ask of cross)
      for (const one of [secret, file]) expect(await said(ask, ['vs_mixed', one])).toMatch(/^404 /u);
    expect(await mine.vectorStores.retrieve(own.id)).toMatchObject({ id: own.id });
  });

  soundly('changes nothing as a reader, and removes what it may read alone', async () => {
    const reader = clientOf('reader');
    const refused = [
      async () => reader.files.create({ file: await fileOf('x.txt', 'x'), purpose: 'assistants' }),
      () => reader.vectorStores.create({}),
      () => reader.vectorStores.update('vs_mixed', { name: 'x' }),
      () => reader.vectorStores.delete('vs_mixed'),
      () => reader.vectorStores.files.create('vs_mixed', { file_id: 'file-x' }),
      () => reader.vectorStores.fileBatches.cancel('vsfb_x', { vector_store_id: 'vs_mixed' }),
      () => reader.files.delete('file-x'),
    ];
    for (const ask of refused) await expect(ask()).rejects.toMatchObject({ status: 403, type: 'permission_error' });
    expect((await reader.vectorStores.search('vs_mixed', { query: 'bell' })).data).toHaveLength(1);
    const other = clientOf('other');
    expect(await other.vectorStores.delete('vs_mixed')).toMatchObject({ deleted: true });
    await expect(other.vectorStores.retrieve('vs_mixed')).rejects.toMatchObject({ status: 404 });
    expect(await clientOf('admin').vectorStores.retrieve('vs_mixed')).toMatchObject({ file_counts: { completed: 1 } });
  });
});

describe('what is wrong', () => {
  soundly('is told by name', async () => {
    const client = clientOf();
    const store = await client.vectorStores.create({ name: 'faults' });
    const { id: file_id } = await client.files.create({
      file: await fileOf('f.txt', 'A file.'),
      purpose: 'assistants',
    });
    const call = (path: string, body: object) => () => client.post(path, { body });
    const form = (fields: Record<string, string>, file?: string) => async () => {
      const data = new FormData();
      for (const [name, value] of Object.entries(fields)) data.append(name, value);
      if (file !== undefined) data.append('file', new Blob([file]), 'f.txt');
      const reply = await checking(`${server.url}/v1/files`, {
        method: 'POST',
        body: data,
        headers: { authorization: `Bearer ${secrets.writer}` },
      });
      const { error } = (await reply.json()) as { error: { param: string; code: string } };
      throw Object.assign(new Error(), { status: reply.status, ...error });
    };
    const of = `/vector_stores/${store.id}`;
    const cases: readonly (readonly [() => Promise<unknown>, number, string | null])[] = [
      [form({ purpose: 'assistants' }), 400, 'file'],
      [form({ purpose: 'assistants' }, ''), 400, 'file'],
      [form({ purpose: 'assistants' }, 'x'.repeat(200_001)), 413, null],
      [form({}, 'text'), 400, 'purpose'],
      [form({ purpose: 'fine-tune' }, 'text'), 400, 'purpose'],
      [form({ purpose: 'assistants', 'expires_after[anchor]': 'created_at' }, 'text'), 400, 'expires_after'],
      [call('/files', { purpose: 'assistants' }), 400, 'file'],
      [call('/vector_stores', { expires_after: { anchor: 'last_active_at', days: 1 } }), 400, 'expires_after'],
      [call('/vector_stores', { metadata: { a: 1 } }), 400, 'metadata.a'],
      [call('/vector_stores', { file_ids: ['file-none'] }), 404, 'file_ids'],
      [call(of, { expires_after: { anchor: 'last_active_at', days: 1 } }), 400, 'expires_after'],
      [call(`${of}/files`, {}), 400, 'file_id'],
      [call(`${of}/files`, { file_id: 'file-none' }), 404, 'file_id'],
      [call(`${of}/files`, { file_id, attributes: { a: { b: 1 } } }), 400, 'attributes.a'],
      [call(`${of}/files`, { file_id, chunking_strategy: { type: 'static' } }), 400, 'chunking_strategy.static'],
      [
        call(`${of}/files`, {
          file_id,
          chunking_strategy: { type: 'static', static: { max_chunk_size_tokens: 200, chunk_overlap_tokens: 101 } },
        }),
        400,
        'chunking_strategy',
      ],
      [call(`${of}/files/${file_id}`, { attributes: {} }), 404, null],
      [call(`${of}/file_batches`, {}), 400, 'file_ids'],
      [call(`${of}/file_batches`, { file_ids: [file_id], files: [{ file_id }] }), 400, 'file_ids'],
      [call(`${of}/file_batches/vsfb_none/cancel`, {}), 404, null],
      [call(`${of}/search`, {}), 400, 'query'],
      [call(`${of}/search`, { query: ' ' }), 400, 'query'],
      [call(`${of}/search`, { query: 'x', max_num_results: 51 }), 400, 'max_num_results'],
      [call(`${of}/search`, { query: 'x', filters: { type: 'like', key: 'a', value: 1 } }), 400, 'filters'],
      [call(`${of}/search`, { query: 'x', filters: { type: 'gt', key: 'a', value: true } }), 400, 'filters'],
      [
        call(`${of}/search`, { query: 'x', ranking_options: { score_threshold: 2 } }),
        400,
        'ranking_options.score_threshold',
      ],
      [() => client.get('/vector_stores?limit=0'), 400, 'limit'],
      [() => client.get('/vector_stores?after=vs_none'), 400, 'after'],
      [() => client.get(`${of}/files?after=a&before=b`), 400, 'before'],
      [() => client.get(`${of}/files?filter=lost`), 400, 'filter'],
      [() => client.get('/vector_stores/none'), 404, null],
      [() => client.get('/vector_stores/vs_%00'), 404, null],
    ];
    for (const [at, [ask, status, param]] of cases.entries()) {
      const error = await ask().then(
        () => undefined,
        (thrown: unknown) => thrown as { status: number; param: string | null },
      );
      expect([at, error?.status, error?.param]).toEqual([at, status, param]);
    }
    expect(await client.get('/vector_stores?limit=1&unknown=1', {})).toMatchObject({ object: 'list' });
    const body = { name: 'nulls', metadata: null, file_ids: null, chunking_strategy: null, description: 'x' };
    expect(await client.post('/vector_stores', { body })).toMatchObject({ name: 'nulls', metadata: {} });
  });
});

describe('a restart', () => {
  soundly('loses no upload, and says of what was being read that it was not', async () => {
    const client = clientOf();
    const store = await client.vectorStores.create({ name: 'before' });
    const file = await client.vectorStores.files.uploadAndPoll(store.id, await fileOf('kept.md', tower));
    const { id } = await client.files.create({ file: await fileOf('unread.txt', 'Unread.'), purpose: 'assistants' });
    const file_ids: string[] = [];
    for (let at = 0; at < 8; at += 1) {
      const long = await fileOf(`l${at}.txt`, `${at} ${'The ebb of Arkvik is slow. '.repeat(5000)}`);
      file_ids.push((await client.files.create({ file: long, purpose: 'assistants' })).id);
    }
    const tides = await client.vectorStores.create({ name: 'tides', file_ids });
    const batch = await client.vectorStores.fileBatches.create(tides.id, { file_ids });
    await close();
    await open();
    const after = clientOf();
    const ended = await after.vectorStores.fileBatches.retrieve(batch.id, { vector_store_id: tides.id });
    expect(ended).toMatchObject({ status: 'cancelled', file_counts: { in_progress: 0, failed: 0, total: 8 } });
    expect(await after.vectorStores.retrieve(store.id)).toMatchObject({
      name: 'before',
      file_counts: { completed: 1 },
    });
    const vector_store_id = store.id;
    expect(await after.vectorStores.files.retrieve(file.id, { vector_store_id })).toMatchObject({
      status: 'completed',
    });
    expect(await (await after.files.content(id)).text()).toBe('Unread.');
    expect(await after.vectorStores.files.createAndPoll(store.id, { file_id: id })).toMatchObject({
      status: 'completed',
    });
  });
});

it('was asked by every route, in at least 25 ways', () => {
  const reached = [...seen].map((one) => one.split(' ').slice(0, 2).join(' '));
  expect(routes.map(({ route }) => route).filter((route) => !reached.includes(route))).toEqual([]);
  expect(seen.size).toBeGreaterThanOrEqual(25);
});
