// Keys from the first to the last and beyond: a server that once asked for one never stops asking, and commands on its machine
// still get in.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
let server: Awaited<ReturnType<Workplace['serve']>>;
beforeAll(async () => {
  place = await openWorkplace();
  server = await place.serve();
}, 60_000);
afterAll(() => place.remove());

const status = async (path: string, secret?: string): Promise<number> => {
  const headers = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
  return (await fetch(`${server.url}${path}`, { headers })).status;
};

interface Made {
  readonly id: string;
  readonly role: string;
  readonly tenant: string;
  readonly secret: string;
}

async function make(...words: string[]): Promise<Made> {
  const { code, json } = await place.run(['keys', 'create', ...words, '--json']);
  expect(code).toBe(0);
  return json() as Made;
}

it('a key needs a name, and nothing is made or opened by who does not know what follows', async () => {
  for (const [words, said] of [
    [['create'], /needs a name[\s\S]*every caller[\s\S]*Nothing was made/u],
    [['open'], /revokes every key[\s\S]*as the owner[\s\S]*--yes-i-know[\s\S]*Nothing was done/u],
    [['open', '--yes-i-know'], /server is running[\s\S]*Stop it/u],
  ] as const) {
    const { code, err } = await place.run(['keys', ...words]);
    expect(code).not.toBe(0);
    expect(err).toMatch(said);
  }
  expect(((await place.run(['keys', 'list', '--json'])).json() as { data: unknown[] }).data).toEqual([]);
  expect(await status('/v1/documents')).toBe(200);
}, 60_000);

it('a key reads unless more is asked for, in the tenant that is named', async () => {
  expect(await status('/v1/documents')).toBe(200);
  const [reader, admin] = [await make('site'), await make('boss', '--role', 'admin', '--tenant', 'acme')];
  expect(reader).toMatchObject({ role: 'reader', tenant: 'default' });
  expect(admin).toMatchObject({ role: 'admin', tenant: 'acme' });
  expect([await status('/v1/documents'), await status('/v1/documents', reader.secret)]).toEqual([401, 200]);
  expect(await status('/admin/keys', reader.secret)).toBe(403);
  const seen = await fetch(`${server.url}/v1/documents`, { headers: { authorization: `Bearer ${admin.secret}` } });
  expect(((await seen.json()) as { data: unknown[] }).data).toEqual([]);
  const listed = (await place.run(['keys', 'list'])).out;
  expect(listed).toMatch(/boss +admin +acme/u);
  for (const { id } of [reader, admin]) expect((await place.run(['keys', 'revoke', id])).code).toBe(0);
}, 60_000);

it('a key is made for sources and doors, ends by itself, and is rotated with both secrets valid', async () => {
  const key = await make('editor', '--sources', 'about-footnote, other', '--doors', 'api,mcp', '--expires', '90d');
  expect(key).toMatchObject({ sources: ['about-footnote', 'other'], doors: ['api', 'mcp'] });
  expect([await status('/v1/documents', key.secret), await status('/v1/models', key.secret)]).toEqual([200, 403]);
  const { code, out, err } = await place.run(['keys', 'rotate', key.id, '--overlap', '1h']);
  expect([code, err]).toEqual([0, expect.stringMatching(/before it is valid until/u)]);
  for (const secret of [key.secret, out.trim()]) expect(await status('/v1/documents', secret)).toBe(200);
  expect((await place.run(['keys', 'list'])).out).toMatch(/editor.* until .* used .* about-footnote, other, api, mcp/u);
  for (const words of [
    ['create', 'x', '--doors', 'window'],
    ['create', 'x', '--expires', 'soon'],
    ['create', 'x', '--role', 'admin', '--sources', 'vault'],
    ['rotate', 'key_none'],
  ])
    expect((await place.run(['keys', ...words])).code).not.toBe(0);
  expect((await place.run(['keys', 'revoke', key.id])).code).toBe(0);
}, 120_000);

it('revoking the last key locks the server, says how to go on, and outlives a restart', async () => {
  const key = await make('last');
  const revoked = await place.run(['keys', 'revoke', key.id]);
  expect(revoked.err).toMatch(/last key[\s\S]*footnote keys create/u);
  for (let start = 0; start < 2; start += 1) {
    for (const path of ['/v1/documents', '/admin/keys', '/v1/sources', '/openapi.json'])
      expect([path, await status(path), await status(path, key.secret)]).toEqual([path, 401, 401]);
    const refused = await fetch(`${server.url}/v1/documents`);
    expect(((await refused.json()) as { detail: string }).detail).toMatch(/revoked.*footnote keys create/u);
    expect(await status('/healthz')).toBe(200);
    expect((await place.run(['ask', 'What does a citation point to?'])).code).toBe(0);
    expect(await server.stop()).toBe(0);
    expect((await place.run(['keys', 'list'])).code).toBe(0);
    server = await place.serve();
  }
  const next = await make('next');
  expect([await status('/v1/documents'), await status('/v1/documents', next.secret)]).toEqual([401, 200]);
}, 120_000);

it('on the machine itself the owner opens the server again, and the next key closes it', async () => {
  const key = await make('before');
  expect(await status('/v1/documents')).toBe(401);
  expect(await server.stop()).toBe(0);
  expect((await place.run(['keys', 'open', '--yes-i-know'])).code).toBe(0);
  expect((await place.run(['keys', 'list'])).out).toMatch(/before .*revoked/u);
  server = await place.serve();
  expect(await status('/v1/documents')).toBe(200);
  expect((await place.run(['keys', 'create', 'after'])).err).toMatch(/asks every caller[\s\S]*keys open --yes-i-know/u);
  expect([await status('/v1/documents'), await status('/v1/documents', key.secret)]).toEqual([401, 401]);
}, 120_000);

it('a key is made with limits of its own, and one that cannot be says what to write', async () => {
  const limits = ['--rate', '2/h', '--daily-requests', '9', '--daily-usd', '0.5', '--daily-bytes', '1000'];
  const key = await make('limited', ...limits, '--daily-tokens', '500');
  expect(key).toMatchObject({
    limits: { rate: '2/h', dailyRequests: 9, dailyUsd: 0.5, dailyTokens: 500, dailyBytes: 1000 },
  });
  const seen: number[] = [];
  for (let count = 0; count < 3; count += 1) seen.push(await status('/v1/documents', key.secret));
  expect(seen).toEqual([200, 200, 429]);
  for (const [flag, value, said] of [
    ['--rate', '60', /--rate: must be like 60\/min/u],
    ['--daily-usd', 'five', /--daily-usd: /u],
    ['--daily-bytes', '0', /--daily-bytes: /u],
  ] as const) {
    const { code, err } = await place.run(['keys', 'create', 'x', flag, value]);
    expect([code, err]).toEqual([2, expect.stringMatching(said)]);
  }
  expect((await place.run(['keys', 'revoke', key.id])).code).toBe(0);
}, 120_000);
