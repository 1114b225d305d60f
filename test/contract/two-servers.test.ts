// Two servers over one database, over HTTP: keys, the streams of revoked ones and streams that are taken up again, and runs that the other one has.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../src/http/server.ts';
import { type FakeServer, openFakeServer } from '../../src/testing/fake-http.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { postgresPrograms } from '../../testkit/postgres/server.ts';
import { twoServers } from '../../testkit/postgres/two-servers.ts';
import { serveOpened } from '../../testkit/serve-opened.ts';
import { parseFrames } from './fake-app.ts';

const programs = postgresPrograms();
const sentence = 'The lighthouse is 43 metres tall.';
const slow = 'How tall is the lighthouse, if you take your time?';
const question = 'How tall is the lighthouse?';
const files = 500;

describe.skipIf(programs === undefined)('two servers over HTTP (skipped where no server is installed)', () => {
  let provider: FakeServer;
  const served: HttpServer[] = [];
  let admin = '';
  beforeAll(async () => {
    const text = JSON.stringify({
      claims: [{ text: sentence, quotes: [{ id: 1, quote: sentence }] }],
      insufficient: false,
    });
    provider = await openFakeServer((request) =>
      JSON.stringify(request.body).includes('take your time')
        ? { chunks: [], delayMs: 600_000 }
        : renderChat({ text }, request),
    );
  });
  const place = twoServers(programs ?? '', {
    settings: () => ({
      OPENAI_BASE_URL: `${provider.address}/v1`,
      MODEL_ANSWER: 'compatible:qwen3:8b',
      MODEL_EMBED: 'none',
    }),
  });
  beforeAll(async () => {
    for (const one of place.opened) served.push(await serveOpened(one));
    await place.at(0).documents.add({ uri: 'tower.md', text: `# Tower\n\n${sentence}\n` });
    admin = (await place.opened[0]?.keys.create({ name: 'admin', role: 'admin' }))?.secret ?? '';
  });
  afterAll(async () => {
    for (const one of served) await one.close({ deadlineMs: 100 });
    await provider.close();
  });

  const call = (
    which: number,
    method: string,
    path: string,
    options: { secret?: string; body?: object; headers?: object } = {},
  ) =>
    fetch(`${served[which]?.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${options.secret ?? admin}`,
        ...(options.body && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body && { body: JSON.stringify(options.body) }),
    });
  const ask = (which: number, asked: string, secret = admin, headers = {}) =>
    call(which, 'POST', '/v1/ask', { secret, body: { question: asked, stream: true }, headers });
  const makeKey = async (which: number, name: string) =>
    (await (await call(which, 'POST', '/admin/keys', { body: { name, role: 'reader' } })).json()) as {
      key: { id: string };
      secret: string;
    };

  it('know a key of the other at once, and that it is revoked', async () => {
    const { key, secret } = await makeKey(0, 'one');
    expect((await call(1, 'GET', '/v1/sources', { secret })).status).toBe(200);
    expect((await call(1, 'DELETE', `/admin/keys/${key.id}`)).status).toBe(204);
    for (const which of [0, 1]) expect((await call(which, 'GET', '/v1/sources', { secret })).status).toBe(401);
  });

  it('end the streams of a key that the other revoked, and no other stream', async () => {
    const [leaves, stays] = [await makeKey(0, 'leaves'), await makeKey(0, 'stays')];
    const other = await ask(0, slow, stays.secret);
    const stream = await ask(0, slow, leaves.secret);
    expect([other.status, stream.status]).toEqual([200, 200]);
    let isOver = false;
    const rest = other.text().finally(() => {
      isOver = true;
    });
    expect((await call(1, 'DELETE', `/admin/keys/${leaves.key.id}`)).status).toBe(204);
    // It ends by itself: nothing else happens meanwhile.
    const last = parseFrames(await stream.text()).at(-1);
    expect(last?.data).toMatchObject({ type: 'error', problem: { code: 'unauthenticated', status: 401 } });
    expect(isOver).toBe(false);
    await call(1, 'DELETE', `/admin/keys/${stays.key.id}`);
    expect(await rest).toContain('unauthenticated');
  });

  it('know a browser that logged in at the other, until it logs out, and keep no key that could be read', async () => {
    const { secret } = await makeKey(0, 'browser');
    const page = (which: number) => ({ origin: served[which]?.url ?? '', 'sec-fetch-site': 'same-origin' });
    const visit = (which: number, method: string, path: string, cookie: string, body?: object) =>
      fetch(`${served[which]?.url}${path}`, {
        method,
        headers: { ...page(which), cookie, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
    const log = async (which: number) => {
      const reply = await visit(which, 'POST', '/v1/login', '', { key: secret });
      return String(reply.headers.get('set-cookie')).split(';')[0] ?? '';
    };
    const cookies = [await log(0), await log(1)];
    for (const cookie of cookies)
      for (const which of [0, 1]) expect((await visit(which, 'GET', '/v1/me', cookie)).status).toBe(200);
    const kept = await place.server.run(place.address, 'SELECT * FROM browser_login');
    expect(kept).toHaveLength(2);
    const told = kept
      .map((row) => JSON.stringify(row) + Buffer.from(row['sealed'] as Uint8Array).toString('latin1'))
      .join();
    for (const hidden of [secret, ...cookies.map((cookie) => cookie.split('=')[1] ?? '')])
      expect(told).not.toContain(hidden);
    expect((await visit(1, 'POST', '/v1/logout', cookies[0] ?? '')).status).toBe(204);
    for (const which of [0, 1]) {
      expect((await visit(which, 'GET', '/v1/me', cookies[0] ?? '')).status).toBe(401);
      expect((await visit(which, 'GET', '/v1/me', cookies[1] ?? '')).status).toBe(200);
    }
    await place.server.run(place.address, 'UPDATE browser_login SET until = clock_timestamp()');
    expect((await visit(0, 'GET', '/v1/me', cookies[1] ?? '')).status).toBe(401);
    for (let at = 0; at < 22; at++) await log(at % 2);
    expect(await place.server.run(place.address, 'SELECT 1 FROM browser_login')).toHaveLength(20);
  });

  it('give an ended stream again, unless the other deleted something since', async () => {
    const frames = parseFrames(await (await ask(0, question)).text());
    expect(frames.at(-1)?.data.type).toBe('done');
    const headers = { 'last-event-id': frames[0]?.id ?? '' };
    expect(await (await ask(0, question, admin, headers)).text()).toContain('43 metres');
    expect((await ask(1, question, admin, headers)).status).toBe(404);
    const [added] = await place.at(1).documents.add({ uri: 'pier.md', text: 'The pier is long.' });
    await place.at(1).documents.delete(added?.id ?? '');
    expect((await ask(0, question, admin, headers)).status).toBe(404);
  });

  it('show, follow and cancel a run that the other has', async () => {
    const folder = join(place.folder, 'notes');
    await mkdir(folder);
    for (let at = 0; at < files; at++) await writeFile(join(folder, `${at}.txt`), `Pier ${at} is dry.`);
    await place.at(0).sources.put({ name: 'notes', type: 'docs', connector: { kind: 'folder', path: folder } });
    const begun = await place.at(0).sources.startSync('notes');
    const other = place.at(1).ingestions;
    await expect.poll(async () => (await other.get(begun.id)).counts.found, { timeout: 60_000 }).toBeGreaterThan(0);
    const states: string[] = [];
    const watched = (async () => {
      for await (const { state } of other.watch(begun.id)) states.push(state);
    })();
    await expect.poll(() => states, { timeout: 60_000 }).toContain('running');
    await other.cancel(begun.id);
    await watched;
    expect(states.at(-1)).toBe('cancelled');
    for (const which of [0, 1]) {
      const { state, counts } = await place.at(which).ingestions.get(begun.id);
      expect([state, counts.done < files]).toEqual(['cancelled', true]);
    }
  });

  it('take a source away that the other reads', async () => {
    const begun = await place.at(0).sources.startSync('notes');
    await expect
      .poll(async () => (await place.at(1).ingestions.get(begun.id)).state, { timeout: 60_000 })
      .toBe('running');
    await place.at(1).sources.remove('notes');
    expect((await place.at(0).ingestions.get(begun.id)).state).toBe('cancelled');
    for (const which of [0, 1]) {
      expect((await place.at(which).sources.list()).map(({ name }) => name)).not.toContain('notes');
      expect((await place.at(which).search({ query: 'pier' })).results).toEqual([]);
    }
  });

  it('count a file that the other is reading in as such', async () => {
    const { uploads } = place.at(0);
    if (!uploads) throw new Error('Nothing can be uploaded.');
    await place.at(0).sources.put({ name: 'shelf', type: 'docs' });
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        uploads.add(
          { name: `${at}.txt`, mime: 'text/plain', purpose: 'assistants' },
          new TextEncoder().encode(`Berth ${at}.`),
        ),
      ),
    );
    const runId = await uploads.attach(
      'shelf',
      all.map((file) => ({ fileId: file.id })),
    );
    const last = await place.at(1).uploads?.attached({ fileId: all.at(-1)?.id ?? '' });
    expect(last?.map(({ state }) => state)).toEqual(['pending']);
    await expect.poll(() => place.at(1).uploads?.isRunning(runId), { timeout: 60_000 }).toBe(false);
    expect(await place.at(1).uploads?.counts({ source: 'shelf' })).toMatchObject({ pending: 0, done: 30, failed: 0 });
  });
});
