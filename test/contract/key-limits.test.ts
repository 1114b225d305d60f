// Limits of keys over a socket and the real system: what is told, what is refused and when to come again, as our own clients and OpenAI's official one read it.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { KeyLimits } from '../../src/core/spending.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { type FakeServer, openFakeServer } from '../../src/testing/fake-http.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { diskFolder } from '../../testkit/disk-folder.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { serveOpened } from '../../testkit/serve-opened.ts';

let folder: string;
let provider: FakeServer;
let opened: OpenedFootnote;
let server: HttpServer;
const sentence = 'The lighthouse is 43 metres tall.';
const question = 'How tall is the lighthouse?';

async function open(): Promise<void> {
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    OPENAI_BASE_URL: `${provider.address}/v1`,
    MODEL_ANSWER: 'compatible:qwen3:8b',
    MODEL_PRICES: 'compatible:qwen3:8b = 2 / 10',
    ANSWER_MAX_OUTPUT_TOKENS: '300',
    KEY_DAILY_REQUESTS: '500',
    SOURCE_ROOTS: folder,
  };
  opened = await openFootnote(loadConfig({ folder, environment }));
  server = await serveOpened(opened);
  opened.setAddress(server.url);
}
async function close(): Promise<void> {
  await server.close({ deadlineMs: 1000 });
  await opened.close();
}
beforeAll(async () => {
  folder = await mkdtemp(join(diskFolder(), 'footnote-limits-'));
  const text = JSON.stringify({
    claims: [{ text: sentence, quotes: [{ id: 1, quote: sentence }] }],
    insufficient: false,
  });
  provider = await openFakeServer((request) => renderChat({ text, usage: { input: 1000, output: 200 } }, request));
  await open();
  await opened.forScope(localScope()).documents.add({ uri: 'tower.md', text: `# Tower\n\n${sentence}\n` });
});
afterAll(async () => {
  await close();
  await provider.close();
  await rm(folder, { recursive: true });
});

const keyWith = async (limits: KeyLimits, role: 'reader' | 'writer' = 'reader'): Promise<string> =>
  (await opened.keys.create({ name: JSON.stringify(limits), role, limits })).secret;
const call = (secret: string, path: string, body?: object) =>
  fetch(server.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${secret}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

describe('requests of a key', () => {
  it('tell how its limits stand, and are refused with when to come again', async () => {
    const secret = await keyWith({ rate: '3/h' });
    const replies: Response[] = [];
    for (let count = 0; count < 5; count += 1) replies.push(await call(secret, '/v1/sources'));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(replies[1]?.headers.get('ratelimit-policy')).toBe('"rate";q=3;w=3600, "requests";q=500;w=86400');
    expect(replies[1]?.headers.get('ratelimit')).toMatch(/^"rate";r=1;t=\d+, "requests";r=498;t=\d+$/u);
    const refused = replies[4] as Response;
    expect(refused.headers.get('ratelimit')).toMatch(/^"rate";r=0;t=\d+, "requests";r=497;/u);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(3600);
    expect(await refused.json()).toMatchObject({
      status: 429,
      code: 'rate-limited',
      detail: expect.stringMatching(/3 requests in 3600 s.*begins anew at/u),
    });
    expect((await call(secret, '/healthz')).status).toBe(200);
  });

  it('are as many as the limit when fifty come at once, over a restart too', async () => {
    const secret = await keyWith({ rate: '20/h' });
    const served = async () => {
      const all = await Promise.all(Array.from({ length: 50 }, () => call(secret, '/v1/sources')));
      return all.filter(({ status }) => status === 200).length;
    };
    expect((await call(secret, '/v1/sources')).status).toBe(200);
    expect(await served()).toBe(19);
    await close();
    await open();
    expect(await served()).toBe(0);
  });

  it('are counted for each call of MCP, and for refusals of another kind', async () => {
    const secret = await keyWith({ rate: '2/h' });
    expect((await call(secret, '/admin/keys')).status).toBe(403);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await call(secret, '/mcp', list)).status);
    expect(statuses.slice(2)).toEqual([429]);
    expect(statuses).not.toContain(403);
    const [few, many] = [await keyWith({ rate: '3/h' }), await keyWith({ rate: '3/h' })];
    const batch = (length: number) => Array.from({ length }, (_, id) => ({ ...list, id }));
    const [taken, refused] = [await call(few, '/mcp', batch(3)), await call(many, '/mcp', batch(4))];
    expect([(await call(few, '/mcp', list)).status, refused.status]).toEqual([429, 429]);
    expect(taken.status).not.toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('are refused as OpenAI’s official client reads it: typed, with what is left, and not repeated in vain', async () => {
    const secret = await keyWith({ rate: '2/h' });
    let sent = 0;
    const client = new OpenAI({
      apiKey: secret,
      baseURL: `${server.url}/v1`,
      fetch: (...given) => {
        sent += 1;
        return fetch(...given);
      },
    });
    const { response } = await client.models.list().withResponse();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-reset-requests': expect.stringMatching(/^\d+s$/u),
    });
    await client.models.list();
    sent = 0;
    const error = await client.chat.completions
      .create({ model: 'footnote', messages: [{ role: 'user', content: question }] })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', type: 'rate_limit_error' });
    expect((error as InstanceType<typeof OpenAI.RateLimitError>).headers?.get('x-ratelimit-remaining-requests')).toBe(
      '0',
    );
    expect(Number((error as InstanceType<typeof OpenAI.RateLimitError>).headers?.get('retry-after'))).toBeGreaterThan(
      0,
    );
    // An hour is longer than it would wait.
    expect(sent).toBe(
      Number((error as InstanceType<typeof OpenAI.RateLimitError>).headers?.get('retry-after')) > 60 ? 1 : 3,
    );
  });
});

describe('bytes of documents', () => {
  const add = (secret: string, uri: string, length: number) =>
    call(secret, '/v1/documents', { uri, text: `${uri} `.repeat(length).slice(0, length), source: 'notes' });

  it('are refused beyond the day’s, whole; what was there already or failed is not counted', async () => {
    const secret = await keyWith({ dailyBytes: 1000 }, 'writer');
    const statuses: number[] = [];
    for (const [uri, length] of [
      ['a.txt', 500],
      ['a.txt', 500],
      ['a.txt', 500],
      ['b.txt', 500],
      ['b.txt', 500],
      ['c.txt', 1],
    ] as const)
      statuses.push((await add(secret, uri, length)).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
    const refused = await add(secret, 'c.txt', 900);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await refused.json()).toMatchObject({
      code: 'quota-exceeded',
      detail: expect.stringMatching(/1000 bytes of documents a day/u),
    });
    const other = await keyWith({ dailyBytes: 1000 }, 'writer');
    const many = await Promise.all(Array.from({ length: 50 }, (_, at) => add(other, `many-${at}.txt`, 90)));
    expect(many.filter(({ status }) => status === 202)).toHaveLength(11);
    const { data } = await opened
      .forScope(localScope())
      .documents.list({ filter: { op: 'prefix', field: 'uri', value: 'many-' } });
    expect(data).toHaveLength(11);
  });

  it('are those of files that are uploaded, too, and count no second time when these are first attached', async () => {
    const secret = await keyWith({ dailyBytes: 1000 }, 'writer');
    const upload = async (length: number) => {
      const form = new FormData();
      form.set('purpose', 'assistants');
      form.set('file', new Blob(['The quay is long. '.repeat(length).slice(0, length)]), `${length}.txt`);
      const headers = { authorization: `Bearer ${secret}` };
      return fetch(`${server.url}/v1/files`, { method: 'POST', headers, body: form });
    };
    const first = await upload(600);
    expect([first.status, (await upload(500)).status]).toEqual([200, 429]);
    const file_ids = [((await first.json()) as { id: string }).id];
    const store = (await (await call(secret, '/v1/vector_stores', { name: 'quay', file_ids })).json()) as {
      id: string;
    };
    const completed = async () => {
      const reply = await call(secret, `/v1/vector_stores/${store.id}`);
      return ((await reply.json()) as { file_counts: { completed: number } }).file_counts.completed;
    };
    await expect.poll(completed, { timeout: 60_000 }).toBe(1);
    expect([(await upload(400)).status, (await upload(1)).status]).toEqual([200, 429]);
    // Each further store holds them once more.
    const other = (await (await call(secret, '/v1/vector_stores', { name: 'pier', file_ids })).json()) as typeof store;
    const counts = async () => {
      const reply = await call(secret, `/v1/vector_stores/${other.id}`);
      return ((await reply.json()) as { file_counts: object }).file_counts;
    };
    await expect.poll(counts, { timeout: 60_000 }).toMatchObject({ in_progress: 0, completed: 0, failed: 1 });
  });
});

describe('bytes of a source that is read', () => {
  it('are read as far as the day goes; what is unchanged takes none, and nothing is given up or removed', async () => {
    const path = join(folder, 'shelf');
    await mkdir(path);
    const write = (name: string) => writeFile(join(path, name), `${name} `.repeat(100).slice(0, 400));
    for (const name of ['a.txt', 'b.txt']) await write(name);
    const owner = opened.forScope(localScope());
    await owner.sources.put({ name: 'shelf', type: 'docs', connector: { kind: 'folder', path } });
    await owner.sources.sync('shelf');
    for (const name of ['c.txt', 'd.txt', 'e.txt']) await write(name);
    const limited = opened.forScope({
      tenant: 'default',
      principal: { id: 'key:shelf', role: 'admin', groups: [], limits: { dailyBytes: 1000 } },
    });
    const run = await limited.sources.sync('shelf');
    expect(run).toMatchObject({ state: 'done', counts: { done: 2, unchanged: 2, failed: 1, deleted: 0 } });
    const { data: files } = await owner.ingestions.files(run.id, { state: 'failed' });
    expect(files).toMatchObject([{ error: { code: 'quota-exceeded' } }]);
    expect((await owner.ingestions.parked({})).data).toEqual([]);
    expect(await owner.sources.sync('shelf')).toMatchObject({ state: 'done', counts: { done: 1, deleted: 0 } });
  });
});

describe('what models cost', () => {
  it('ends with the key’s own dollars, also after a restart; the answer is then one of the documents alone', async () => {
    // A call reserves at most what its prompt and 300 tokens cost: less than a cent, more than half of it is spent by the first.
    const secret = await keyWith({ dailyUsd: 0.01 });
    const ask = async () => {
      const reply = await call(secret, '/v1/ask', { question });
      const { degraded, abstained } = (await reply.json()) as {
        degraded: { code: string; detail: string }[];
        abstained: boolean;
      };
      return {
        status: reply.status,
        abstained,
        spent: degraded.find(({ code }) => code === 'quota-exceeded')?.detail,
      };
    };
    expect(await ask()).toEqual({ status: 200, abstained: false, spent: undefined });
    let last = await ask();
    for (let more = 0; more < 3 && last.spent === undefined; more += 1) last = await ask();
    expect(last).toMatchObject({
      status: 200,
      abstained: false,
      spent: expect.stringMatching(/of 0\.01 are left for this key today.*raise the limits of the key/u),
    });
    await close();
    await open();
    expect((await ask()).spent).toBeDefined();
    const usage = (await (await call(secret, '/v1/usage')).json()) as { total: { costUsd: number }; budgets: object[] };
    expect(usage.total.costUsd).toBeLessThanOrEqual(0.01);
    expect(usage.budgets).toMatchObject([{ limits: { costUsd: 0.01 }, setting: 'the limits of the key' }]);
    const tokens = await keyWith({ dailyTokens: 10 });
    const reply = await call(tokens, '/v1/ask', { question });
    expect(JSON.stringify(await reply.json())).toMatch(/10 of 10 are left for this key today/u);
  });
});
