// Tokens of an OpenID provider at the door of MCP, over the real system and an issuer made here. Invariants: whatever is not signed by the issuer for this
// server, with a key pair, and valid now is refused with what is wrong and where a token comes from; one that is reads what its groups may, by MCP alone.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTokens, type Tokens } from '../../src/auth/tokens.ts';
import { changeTrust } from '../../src/config/trusted.ts';
import { loadConfig } from '../../src/config.ts';
import { sha256 } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { connectMcp, overHttp, structured } from '../../testkit/mcp-clients.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { serveOpened } from '../../testkit/serve-opened.ts';

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
const publicUrl = 'https://docs.example.org/footnote';
const resource = `${publicUrl}/mcp`;

/** A stand-in for the provider: what it tells, and how often it was asked. */
const issuer = {
  url: '',
  keys: [] as (readonly [kid: string, pair: Pair])[],
  asked: [] as string[],
  metadata: {} as object,
  status: 200,
};
let provider: Server;
let first: Pair;
let second: Pair;
async function tell(path: string): Promise<object> {
  if (path !== '/realm/keys') return { issuer: issuer.url, jwks_uri: `${issuer.url}/keys`, ...issuer.metadata };
  const keys = issuer.keys.map(async ([kid, { publicKey }]) => ({ ...(await exportJWK(publicKey)), kid, use: 'sig' }));
  return { keys: await Promise.all(keys) };
}

let folder: string;
let opened: OpenedFootnote;
let server: HttpServer;
beforeAll(async () => {
  [first, second] = [await generateKeyPair('RS256'), await generateKeyPair('ES256')];
  provider = createServer((request, response) => {
    issuer.asked.push(request.url ?? '');
    void tell(request.url ?? '').then((body) =>
      response.writeHead(issuer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  issuer.url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/realm`;
  issuer.keys = [['one', first]];
  folder = await mkdtemp(join(tmpdir(), 'footnote-tokens-'));
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    FOOTNOTE_PUBLIC_URL: publicUrl,
    FOOTNOTE_OIDC_ISSUER: issuer.url,
    FOOTNOTE_OIDC_SOURCES: 'staff=handbook;board=handbook,vault',
  };
  const config = loadConfig({ folder, environment });
  opened = await openFootnote(config);
  const { documents } = opened.forScope(localScope());
  for (const source of ['handbook', 'vault'])
    await documents.add({
      source,
      uri: `${source}.md`,
      text: `The word of the tower is ${source}.`,
      mime: 'text/markdown',
    });
  await documents.add({
    source: 'handbook',
    uri: 'board.md',
    text: 'The word of the board is quince.',
    access: ['board'],
  });
  server = await serveOpened(opened, {
    publicUrl,
    protectedResource: config.oidc,
  });
});
afterAll(async () => {
  await server.close({ deadlineMs: 1000 });
  await opened.close();
  provider.close();
  provider.closeAllConnections();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  Object.assign(issuer, { keys: [['one', first]], asked: [], metadata: {}, status: 200 });
});

const said = (): JWTPayload => ({ iss: issuer.url, aud: resource, sub: 'ana', groups: ['staff'] });
interface Signing {
  readonly by?: Pair;
  readonly kid?: string;
  readonly alg?: string;
  readonly until?: string | undefined;
  readonly typ?: string;
}
async function tokenOf(claims: JWTPayload = {}, given: Signing = {}): Promise<string> {
  const { by = first, kid = 'one', alg = 'RS256', typ } = given;
  const token = new SignJWT({ ...said(), ...claims })
    .setProtectedHeader({ alg, kid, ...(typ && { typ }) })
    .setIssuedAt();
  return (
    'until' in given ? (given.until ? token.setExpirationTime(given.until) : token) : token.setExpirationTime('5 min')
  ).sign(by.privateKey);
}

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
async function post(token: string | undefined, path = '/mcp', body: object = list) {
  const reply = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  });
  return { status: reply.status, challenge: reply.headers.get('www-authenticate'), text: await reply.text() };
}

/** As a confused verifier would take it: the public key as a shared secret. */
async function signedWithPublicKey(): Promise<string> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256', kid: 'one' })}.${part({ ...said(), exp: Math.floor(Date.now() / 1000) + 300 })}`;
  return `${signed}.${createHmac('sha256', await exportSPKI(first.publicKey))
    .update(signed)
    .digest('base64url')}`;
}

describe('a token at the door of MCP', () => {
  it('reads what its groups may, with access lists, and comes by no other door', async () => {
    const ask = async (groups: unknown) => {
      const client = await connectMcp('2026-07-28', overHttp(server.url, await tokenOf({ groups })));
      const call = async (query: string) =>
        structured<{ results: { title: string }[] }>(await client.callTool({ name: 'search', arguments: { query } }));
      const found = [...(await call('word of the tower')).results, ...(await call('word of the board')).results];
      await client.close();
      return [...new Set(found.map(({ title }) => title))].toSorted();
    };
    expect(await ask(['staff'])).toEqual(['handbook']);
    expect(await ask(['board'])).toEqual(['board', 'handbook', 'vault']);
    // Names of ours, which stand for callers in access lists, are no groups.
    for (const groups of [[], undefined, ['key:1', 'local', 7], 'nobody', { staff: true }])
      expect(await ask(groups)).toEqual([]);
    const token = await tokenOf();
    expect((await post(token, '/v1/search', { query: 'tower' })).status).toBe(403);
    expect((await post(token, '/v1/chat/completions', {})).status).toBe(403);
  });

  it.each<readonly [string, () => Promise<string>, RegExp]>([
    ['for another audience', () => tokenOf({ aud: 'https://other.example.org/mcp' }), /another audience/u],
    ['of another issuer', () => tokenOf({ iss: 'https://other.example.org' }), /another issuer/u],
    ['that has expired', () => tokenOf({}, { until: '5 min ago' }), /has expired/u],
    ['without an end', () => tokenOf({}, { until: undefined }), /has no end/u],
    ['of nobody', () => tokenOf(JSON.parse('{"sub":null}') as JWTPayload), /names nobody/u],
    ['of a number', () => tokenOf(JSON.parse('{"sub":7}') as JWTPayload), /names nobody/u],
    ['of a very long name', () => tokenOf({ sub: 'a'.repeat(300) }), /names nobody/u],
    ['that is not valid yet', () => tokenOf({ nbf: Math.floor(Date.now() / 1000) + 3600 }), /not valid yet/u],
    ['of no algorithm', async () => new UnsecuredJWT(said()).setExpirationTime('5 min').encode(), /key pair/u],
    ['signed with the public key', signedWithPublicKey, /key pair/u],
    [
      'signed by another with a known name',
      () => tokenOf({}, { by: second, alg: 'ES256' }),
      /no key of the issuer|not signed by/u,
    ],
    [
      'whose words were changed',
      async () =>
        (await tokenOf()).replace(
          /\.[^.]+\./u,
          `.${Buffer.from(JSON.stringify({ ...said(), sub: 'eve', exp: 9e9 })).toString('base64url')}.`,
        ),
      /not signed by the issuer/u,
    ],
    ['that says who logged in', () => tokenOf({ nonce: 'n' }), /one of a login/u],
    ['that says who logged out', () => tokenOf({}, { typ: 'logout+jwt' }), /no token of access/u],
    ['that is none', async () => 'a.b.c', /is not valid/u],
  ])('is refused %s', async (_, make, told) => {
    const { status, challenge, text } = await post(await make());
    expect([status, text]).toEqual([401, expect.stringMatching(told)]);
    expect(challenge).toBe(
      `Bearer resource_metadata="${publicUrl}/.well-known/oauth-protected-resource", scope="footnote:read", error="invalid_token"`,
    );
  });

  it('is told where it comes from, and keys open as before', async () => {
    const { status, challenge } = await post(undefined);
    expect([status, challenge]).toEqual([
      401,
      `Bearer resource_metadata="${publicUrl}/.well-known/oauth-protected-resource", scope="footnote:read"`,
    ]);
    for (const end of ['', '/mcp']) {
      const reply = await fetch(`${server.url}/.well-known/oauth-protected-resource${end}`);
      expect(await reply.json()).toMatchObject({
        resource,
        authorization_servers: [issuer.url],
        bearer_methods_supported: ['header'],
      });
    }
    expect((await post(undefined, '/v1/search', { query: 'x' })).challenge).toBe('Bearer realm="footnote"');
    const { secret } = await opened.keys.create({ name: 'k', role: 'reader' });
    expect((await post(secret)).status).toBe(200);
    expect((await post('fn_unknown')).status).toBe(401);
    const chosen = 'a-secret-that-somebody-chose.with-two-dots.in-it';
    await opened.keys.create({ name: 'dots', role: 'reader', secret: chosen });
    expect((await post(chosen)).status).toBe(200);
  });
});

describe('the keys of an issuer', () => {
  const settings = () => ({ issuer: issuer.url, audience: resource, groupsClaim: 'groups' });
  const open = (more: object = {}, cooldownMs = 0): Tokens =>
    createTokens({ ...settings(), ...more }, { reach: fetch, cooldownMs });

  const idOf = (subject: string, of = issuer.url): string => `oidc:${sha256(of).slice(0, 16)}:${subject}`;

  it('bind a subject to its issuer: of another one the same name is somebody else', async () => {
    const other = 'https://other.example.org';
    const tokens = open({ issuer: other, keysUrl: `${issuer.url}/keys` });
    const { principal } = await tokens.authenticate(await tokenOf({ iss: other }));
    expect(principal.id).toBe(idOf('ana', other));
    expect(principal.id).not.toBe((await open().authenticate(await tokenOf())).principal.id);
  });

  it('are asked for once, and again for a key that is not known, which may be new', async () => {
    const tokens = open();
    const token = await tokenOf();
    await Promise.all(Array.from({ length: 20 }, () => tokens.authenticate(token)));
    expect(issuer.asked).toEqual(['/realm/.well-known/openid-configuration', '/realm/keys']);
    issuer.keys = [['two', second]];
    const rotated = await tokenOf({}, { by: second, kid: 'two', alg: 'ES256' });
    expect((await tokens.authenticate(rotated)).principal).toEqual({
      id: idOf('ana'),
      role: 'reader',
      groups: ['staff'],
      doors: ['mcp'],
    });
    await expect(tokens.authenticate(token)).rejects.toThrow(/no key of the issuer/u);
  });

  it('are not asked for with every token of an unknown key', async () => {
    const tokens = open({}, 30_000);
    await tokens.authenticate(await tokenOf());
    for (let at = 0; at < 20; at += 1)
      await expect(tokens.authenticate(await tokenOf({}, { kid: `made-up-${at}` }))).rejects.toThrow(/no key/u);
    expect(issuer.asked).toHaveLength(2);
  });

  it('are not asked for again right after a failure, nor for what is no token', async () => {
    const tokens = open({}, 30_000);
    const token = await tokenOf();
    issuer.status = 503;
    for (let at = 0; at < 20; at += 1)
      await expect(tokens.authenticate(token)).rejects.toMatchObject({ code: 'upstream-unavailable' });
    expect(issuer.asked).toHaveLength(1);
    const sound = open();
    issuer.asked.length = 0;
    for (const made of ['a.b.c', 'eyJhbGciOiJub25lIn0.e30.', '..'])
      await expect(sound.authenticate(made)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(issuer.asked).toEqual([]);
  });

  it.each<readonly [string, () => void, RegExp]>([
    ['is down', () => Object.assign(issuer, { status: 503 }), /HTTP status 503/u],
    [
      'says it is another',
      () => Object.assign(issuer, { metadata: { issuer: 'https://other.example.org' } }),
      /of another issuer/u,
    ],
    ['says nothing of its keys', () => Object.assign(issuer, { metadata: { jwks_uri: 7 } }), /holds no metadata/u],
    [
      'keeps its keys elsewhere',
      () => Object.assign(issuer, { metadata: { jwks_uri: 'https://keys.example.org/' } }),
      /FOOTNOTE_OIDC_KEYS_URL/u,
    ],
  ])('are missed where it %s, and found when it is back', async (_, break_, told) => {
    const tokens = open();
    const token = await tokenOf();
    break_();
    const failed = await tokens.authenticate(token).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 'upstream-unavailable',
      message: expect.not.stringMatching(told),
      cause: { message: expect.stringMatching(told) },
    });
    Object.assign(issuer, { metadata: {}, status: 200 });
    expect((await tokens.authenticate(token)).principal.id).toBe(idOf('ana'));
  });

  it('are missed where nothing listens, and where the keys alone are gone', async () => {
    const tokens = open({ issuer: 'http://127.0.0.1:1' });
    await expect(tokens.authenticate(await tokenOf())).rejects.toMatchObject({ code: 'upstream-unavailable' });
    const nowhere = open({ keysUrl: `${issuer.url}/keys` });
    issuer.status = 500;
    await expect(nowhere.authenticate(await tokenOf())).rejects.toMatchObject({ code: 'upstream-unavailable' });
    expect(issuer.asked).toEqual(['/realm/keys']);
  });
});

it('needs an address of ours and, but on this machine, https', () => {
  const mistakesOf = (environment: Record<string, string>): unknown => {
    try {
      return loadConfig({ folder: tmpdir(), environment }).oidc;
    } catch (error) {
      return (error as { message: string }).message;
    }
  };
  expect(mistakesOf({ FOOTNOTE_OIDC_ISSUER: 'https://login.example.org' })).toContain('needs FOOTNOTE_PUBLIC_URL');
  const own = { FOOTNOTE_PUBLIC_URL: publicUrl };
  expect(mistakesOf({ ...own, FOOTNOTE_OIDC_ISSUER: 'http://login.example.org' })).toContain('must begin with https');
  expect(mistakesOf({ ...own, FOOTNOTE_OIDC_ISSUER: 'https://login.example.org/' })).toMatchObject({
    issuer: 'https://login.example.org/',
    audience: resource,
  });
});

it('is chosen by no file, until its address is confirmed', async () => {
  const home = await mkdtemp(join(tmpdir(), 'footnote-issuer-'));
  try {
    await writeFile(join(home, '.env'), 'FOOTNOTE_OIDC_KEYS_URL=https://elsewhere.example.org/keys\n');
    const environment = { FOOTNOTE_OIDC_ISSUER: 'https://login.example.org', FOOTNOTE_PUBLIC_URL: publicUrl };
    const read = () => loadConfig({ folder: home, environment: { ...environment, HOME: home } }).oidc?.keysUrl;
    expect(read).toThrow(/\.env:1: FOOTNOTE_OIDC_KEYS_URL says in a file whose tokens open the documents/u);
    for (const address of ['https://elsewhere.example.org/keys', 'https://login.example.org'])
      changeTrust(address, true, { home });
    expect(read()).toBe('https://elsewhere.example.org/keys');
  } finally {
    await rm(home, { recursive: true });
  }
});
