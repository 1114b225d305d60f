// Passwords and tokens in addresses: none is taken, none that others lead to is kept, and none that an earlier version kept is shown. Every
// answer, error and byte of the data folder is searched for what was planted.
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Connector } from '../../src/core/connector.ts';
import { localScope } from '../../src/core/scope.ts';
import { openSqliteRecord } from '../../src/db/sqlite/sqlite.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const planted = 'hEr0nPlantedW0rd77';
let folder: string;
let server: Server;
let host: string;
let opened: OpenedFootnote;
let footnote: Footnote;
const told: unknown[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-addresses-'));
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${host}`);
    const page = (text: string): string =>
      `<html><title>${text}</title><body><main><p>${text}</p></main></body></html>`;
    const send = (type: string, body: string) => response.setHeader('content-type', type).end(body);
    if (url.pathname === '/robots.txt') return response.writeHead(404).end();
    if (url.pathname === '/moved')
      return response.writeHead(302, { location: `/found?access_token=${planted}&page=2` }).end();
    if (url.pathname === '/away')
      return response.writeHead(302, { location: `http://me:${planted}@${host}/found` }).end();
    if (url.pathname === '/broken') return response.writeHead(302, { location: `http://me:${planted}@[/x?a=1` }).end();
    if (url.pathname === '/map.xml')
      return send(
        'application/xml',
        `<urlset><url><loc>http://${host}/a?api_key=${planted}&amp;n=1</loc></url><url><loc>http://me:${planted}@${host}/b</loc></url><url><loc>http://${host}/moved</loc></url></urlset>`,
      );
    if (url.pathname === '/feed.xml')
      return send(
        'application/rss+xml',
        `<rss version="2.0"><channel><title>x</title><item><title>c</title><link>http://${host}/c?X-Amz-Signature=${planted}</link></item></channel></rss>`,
      );
    if (url.pathname === '/site')
      return send(
        'text/html',
        `<html><body><p>The site is open.</p><a href="/site/d?token=${planted}">d</a></body></html>`,
      );
    return send('text/html', page(`The page ${url.pathname.slice(1)} says that the lamp is lit at dusk.`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), WEB_ALLOW_HOSTS: host, WEB_HOST_GAP_MS: '0' };
  opened = await openFootnote(loadConfig({ folder, environment }));
  footnote = opened.forScope(localScope());
  told.length = 0;
});
afterEach(async () => {
  await opened.close();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

/** What a call says, well or ill. */
const say = async (call: Promise<unknown>): Promise<string> => {
  const said = await call.then(
    (value) => JSON.stringify(value),
    (error: Error & { code: string }) => `${error.code}: ${error.message} ${JSON.stringify(error)}`,
  );
  told.push(said);
  return said;
};

async function findPlanted(): Promise<string[]> {
  const found = told.filter((said) => String(said).includes(planted)).map(String);
  for (const name of await readdir(join(folder, 'data'), { recursive: true })) {
    const path = join(folder, 'data', name);
    if ((await stat(path)).isFile() && (await readFile(path)).includes(planted)) found.push(name);
  }
  return found;
}

const forms = (path: string): string[] => [
  `http://me:${planted}@${host}${path}`,
  `https://${planted}@${host}${path}`,
  ` HTTP://me:${planted}@${host}${path}`,
  ...[
    'token',
    'access_token',
    'privateToken',
    'X-Amz-Signature',
    'api-key',
    'apikey',
    'PASSWORD',
    '%74oken',
    'feed_token',
    'sig',
    'auth',
  ].map((name) => `http://${host}${path}?n=1&${name}=${planted}`),
  `http://${host}${path}#access_token=${planted}`,
];

const connectors: Record<string, (url: string) => Connector> = {
  url: (url) => ({ kind: 'url', urls: ['http://example.org/', url] }),
  sitemap: (url) => ({ kind: 'sitemap', url }),
  feed: (url) => ({ kind: 'feed', url }),
  git: (url) => ({ kind: 'git', url }),
};

describe('an address that holds a secret', () => {
  it.each(Object.entries(connectors))('is no address of a source (%s)', async (_, connectorOf) => {
    for (const url of forms('/x')) {
      const source = { name: 'x', type: 'web' as const, connector: connectorOf(url) };
      expect(await say(footnote.sources.put(source)), url).toMatch(
        /^invalid-request: The address .*Name an address without it/u,
      );
      expect(await say(footnote.sources.preview(source)), url).toMatch(/^invalid-request/u);
    }
    expect(await say(footnote.sources.list())).toBe('[]');
    expect(await findPlanted()).toEqual([]);
  });

  it('is no address of a document, nor its uri', async () => {
    for (const url of forms('/x')) {
      expect(await say(footnote.documents.add({ url })), url).toMatch(/^invalid-request/u);
      expect(await say(footnote.documents.add({ text: 'The lamp is lit.', uri: url })), url).toMatch(
        /^invalid-request/u,
      );
    }
    for (const url of [`ftp://me:${planted}@example.org/x`, `me:${planted}@example.org`, `//me:${planted}@h/x?token=1`])
      expect(await say(footnote.documents.add({ url })), url).toMatch(/^invalid-request/u);
    const lines = forms('/x').map((uri, at) =>
      JSON.stringify({ text: `The lamp ${at} is lit.`, uri: `${uri}&n=${at}` }),
    );
    await say(footnote.documents.add({ bytes: Buffer.from(lines.join('\n')), name: 'lines.jsonl' }));
    await say(footnote.documents.list({ limit: 100 }));
    expect((await footnote.documents.list({ limit: 100 })).data.length).toBeGreaterThan(3);
    told.push(...(await footnote.documents.list({ limit: 100 })).data.map(({ uri }) => uri));
    expect(told.filter((said) => String(said).includes(planted))).toEqual([]);
  });

  it('is kept and shown without it where a site leads there', async () => {
    const sources: Connector[] = [
      { kind: 'sitemap', url: `http://${host}/map.xml` },
      { kind: 'feed', url: `http://${host}/feed.xml` },
      { kind: 'sitemap', url: `http://${host}/site` },
      { kind: 'url', urls: [`http://${host}/moved`, `http://${host}/away`, `http://${host}/broken`] },
    ];
    for (const [at, connector] of sources.entries()) {
      const name = `s${at}`;
      await footnote.sources.put({ name, type: 'web', connector });
      await say(footnote.sources.preview({ name, type: 'web', connector }));
      expect(await say(footnote.sources.sync(name))).toMatch(/"done":[1-9]/u);
    }
    await say(footnote.documents.add({ url: `http://${host}/moved` }));
    const { data } = await footnote.documents.list({ limit: 100 });
    for (const { id } of data) await say(footnote.documents.get(id));
    const uris = data.map(({ uri }) => uri);
    expect(uris).toEqual(expect.arrayContaining([`http://${host}/a?n=1`, `http://${host}/b`, `http://${host}/c`]));
    expect(told.join('\n')).toContain(`"foundAt":"http://${host}/found?page=2"`);
    await say(footnote.ask({ question: 'When is the lamp lit?' }));
    expect(told.filter((said) => String(said).includes(planted))).toEqual([]);
  });

  it('that an earlier version kept is shown without it and no longer asked', async () => {
    await opened.close();
    const database = openSqliteRecord({ folder: join(folder, 'data') });
    for (const [kind, connectorOf] of Object.entries(connectors))
      await database.forScope(localScope()).commit([
        {
          kind: 'put-source',
          source: {
            name: kind,
            type: 'web',
            connector: connectorOf(`http://me:${planted}@${host}/x?sig=${planted}`),
          },
        },
      ]);
    await database.close();
    opened = await openFootnote(
      loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data'), WEB_ALLOW_HOSTS: host } }),
    );
    footnote = opened.forScope(localScope());
    expect(await say(footnote.sources.list())).toContain(`http://${host}/x`);
    for (const kind of Object.keys(connectors)) {
      await say(footnote.sources.get(kind));
      expect(await say(footnote.sources.sync(kind))).toMatch(/^invalid-request: The address http/u);
    }
    expect(told.filter((said) => String(said).includes(planted))).toEqual([]);
  });
});

describe('an address without one', () => {
  it.each([
    'http://example.org/a@b?key=intro&author=Ada&pageToken=abc&next_page_token=x&tokens=3&passage=4#authors',
    'http://example.org/?token=',
    'http://example.org/?design=1&keyword=key',
  ])('is one of a source: %s', async (url) => {
    const source = { name: 'x', type: 'web' as const, connector: { kind: 'feed' as const, url } };
    expect(await footnote.sources.put(source)).toMatchObject({ connector: { url } });
    expect(await footnote.documents.add({ text: 'The lamp is lit.', uri: url })).toHaveLength(1);
  });
});
