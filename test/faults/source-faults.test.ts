// Any source dead, slow or lying, each kind of connector in its turn: what the others say is answered all the same, what the source said before stays,
// the run says what was wrong, and nothing that a source brings touches the documents of another. Web search and hosted stores have tests of
// their own (web-faults, store-outages), the kinds of source that are searched together as well (retrieval/federate).
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Connector } from '../../src/core/connector.ts';
import { toFootnoteError } from '../../src/core/errors.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { commitFiles, createRepository, git, gitBackend, hasGit } from '../../testkit/git-repository.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { openWebSite, page, type SiteAnswer, type WebSite } from '../../testkit/web-site.ts';

let folder: string;
let site: WebSite;
let repositories: Server;
/** What the host of repositories does instead of serving. */
let hostFault: 'silent' | 'dead' | undefined;
let opened: OpenedFootnote;
let footnote: Footnote;

const steady = 'The lighthouse of Cabo Frio is 43 metres tall.';
const own = 'The windmill of Sines grinds barley.';
const silent: SiteAnswer = () => undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-source-faults-'));
  site = await openWebSite();
  hostFault = undefined;
  const serve = gitBackend(join(folder, 'served'));
  repositories = createServer((request, response) => {
    if (hostFault === 'dead') request.socket.destroy();
    else if (hostFault === undefined) serve(request, response);
  });
  await new Promise<void>((resolve) => repositories.listen(0, '127.0.0.1', resolve));
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    WEB_ALLOW_HOSTS: `${site.host},${repositoryHost()}`,
    WEB_HOST_GAP_MS: '0',
    WEB_TIMEOUT_MS: '500',
  };
  opened = await openFootnote(loadConfig({ folder, environment }));
  footnote = opened.forScope(localScope());
  await footnote.documents.add({ uri: 'light.md', text: steady, title: 'Light', source: 'steady', sourceType: 'docs' });
});
afterEach(async () => {
  await opened.close();
  await site.close();
  repositories.closeAllConnections();
  repositories.close();
  await rm(folder, { recursive: true });
});

const steadyDocuments = async () =>
  (await footnote.documents.list({ limit: 50 })).data.filter(({ source }) => source === 'steady');
const repositoryHost = (): string => `127.0.0.1:${(repositories.address() as AddressInfo).port}`;
const at = (path: string): string => `${site.origin}${path}`;
const set = (answers: Record<string, SiteAnswer>): void => {
  for (const [path, answer] of Object.entries(answers)) site.answers.set(path, answer);
};
const place = (...path: string[]): string => join(folder, ...path);
async function write(path: string, text: string): Promise<void> {
  await mkdir(join(place(path), '..'), { recursive: true });
  await writeFile(place(path), text);
}

interface Kind {
  readonly connector: () => Connector;
  readonly sound: () => Promise<unknown> | unknown;
  /** What makes it dead, slow or lie. */
  readonly faults: Readonly<Record<string, () => Promise<unknown> | unknown>>;
  readonly isSkipped?: boolean;
}

const mill = page('Mill', `<p>${own}</p>`);
/** Says of the document of another source that it is its own, and something else. */
const forged = page(
  'Light',
  '<p>The lighthouse of Cabo Frio is 99 metres tall.</p>',
  '<link rel="canonical" href="light.md"><meta property="og:url" content="light.md">',
);
const siteMap = (...addresses: string[]): SiteAnswer => ({
  body: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${addresses.map((one) => `<url><loc>${one}</loc></url>`).join('')}</urlset>`,
  type: 'application/xml',
});
const feed = (...addresses: string[]): SiteAnswer => ({
  body: `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${addresses.map((one) => `<item><title>Mill</title><link>${one}</link></item>`).join('')}</channel></rss>`,
  type: 'application/rss+xml',
});
const inside = 'http://169.254.169.254/latest/meta-data';

const kinds: Readonly<Record<string, Kind>> = {
  folder: {
    connector: () => ({ kind: 'folder', path: place('notes') }),
    sound: () => write('notes/mill.md', own),
    faults: {
      'dead: the folder is gone': () => rename(place('notes'), place('elsewhere')),
      'slow: a pipe that nobody writes to': () => execFileSync('mkfifo', [place('notes', 'pipe.md')]),
      'lies: a link to a file outside': async () => {
        await write('secret.md', 'The lighthouse of Cabo Frio is 99 metres tall.');
        await symlink(place('secret.md'), place('notes', 'light.md'));
      },
    },
  },
  jsonl: {
    connector: () => ({ kind: 'folder', path: place('dump') }),
    sound: () => write('dump/all.jsonl', `${JSON.stringify({ id: 'mill', text: own })}\n`),
    faults: {
      'dead: cut off in the middle of a line': () =>
        write('dump/all.jsonl', `${JSON.stringify({ id: 'mill', text: own })}\n{"id": "more", "text": "The wind`),
      'lies: lines that say that they are documents of another source': async () => {
        const [{ id = '', uri = '' } = {}] = await steadyDocuments();
        const lie = { text: 'The lighthouse of Cabo Frio is 99 metres tall.', source: 'steady', sourceType: 'code' };
        const lines = [
          { id: 'mill', text: own },
          { ...lie, id },
          { ...lie, id: 'x', uri, documentId: id },
        ];
        await write('dump/all.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      },
    },
  },
  url: {
    connector: () => ({ kind: 'url', urls: [at('/mill.html')] }),
    sound: () => set({ '/mill.html': mill }),
    faults: {
      dead: () => set({ '/mill.html': 500 }),
      'dead: cut off': () =>
        set({
          '/mill.html': (_, response) => {
            response.writeHead(200, { 'content-type': 'text/html', 'content-length': '9999' });
            response.write('<html>', () => response.destroy());
          },
        }),
      slow: () => set({ '/mill.html': silent }),
      'lies: leads inside the network': () => set({ '/mill.html': { location: inside } }),
      'lies: says that it is another document': () => set({ '/mill.html': forged }),
    },
  },
  sitemap: {
    connector: () => ({ kind: 'sitemap', url: at('/') }),
    sound: () => set({ '/sitemap.xml': siteMap(at('/mill.html')), '/mill.html': mill }),
    faults: {
      dead: () => set({ '/sitemap.xml': 503, '/mill.html': 503 }),
      slow: () => set({ '/robots.txt': silent, '/sitemap.xml': silent, '/mill.html': silent }),
      'lies: names addresses inside the network': () =>
        set({ '/sitemap.xml': siteMap(at('/mill.html'), inside, 'http://localhost:1/') }),
      'lies: a map that is cut off': () =>
        set({
          '/other.html': page('Other', '<p>The quay of Sines is new.</p>'),
          '/sitemap.xml': {
            body: `<urlset><url><loc>${at('/other.html')}</loc></url><url><loc>${at('/mi')}`,
            type: 'application/xml',
          },
        }),
      'lies: a map of nothing': () => set({ '/sitemap.xml': siteMap() }),
      'dead: the map alone': () => set({ '/sitemap.xml': 500 }),
    },
  },
  feed: {
    connector: () => ({ kind: 'feed', url: at('/feed.xml') }),
    sound: () => set({ '/feed.xml': feed(at('/mill.html')), '/mill.html': mill }),
    faults: {
      dead: () => set({ '/feed.xml': 500, '/mill.html': 500 }),
      slow: () => set({ '/feed.xml': silent }),
      'lies: names addresses inside the network': () => set({ '/feed.xml': feed(at('/mill.html'), inside) }),
      'lies: is no feed': () => set({ '/feed.xml': page('News', '<p>No feed today.</p>') }),
    },
  },
  git: {
    isSkipped: !hasGit,
    connector: () => ({ kind: 'git', url: `http://${repositoryHost()}/mill.git` }),
    sound: () => {
      createRepository(place('checkout'));
      commitFiles(place('checkout'), { 'mill.md': own });
      git(folder, 'clone', '-q', '--bare', place('checkout'), place('served', 'mill.git'));
    },
    faults: {
      dead: () => {
        hostFault = 'dead';
      },
      'dead: the repository is gone': () => rm(place('served', 'mill.git'), { recursive: true }),
      slow: () => {
        hostFault = 'silent';
      },
      'lies: a link out of the repository': async () => {
        await symlink('/etc/passwd', place('checkout', 'light.md'));
        commitFiles(place('checkout'), { 'more.md': 'The mill is old.' });
        git(place('checkout'), 'push', '-q', place('served', 'mill.git'), 'main');
      },
    },
  },
};

const cases = Object.entries(kinds).flatMap(([name, kind]) =>
  kind.isSkipped ? [] : Object.keys(kind.faults).map((fault) => [name, fault] as const),
);
/** git waits half a minute for a silent host. */
const quick = cases.filter(
  ([name, fault]) => name !== 'git' || fault !== 'slow' || process.env['FOOTNOTE_TEST_LONG'] !== undefined,
);

async function sync(): Promise<string> {
  try {
    const told: string[] = [];
    const run = await footnote.sources.sync('shaky', {
      onProgress: (_, file) => void (file?.error && told.push(file.error.message)),
    });
    return [run.state, run.counts.failed > 0 ? 'failed' : '', run.error?.message ?? '', ...told].join(' ');
  } catch (thrown) {
    const { code, message } = toFootnoteError(thrown);
    return `thrown ${code} ${message}`;
  }
}

describe('a source', () => {
  it.each(quick)('of kind %s, %s: takes nothing but itself, and is told', async (name, fault) => {
    const { connector, sound, faults } = kinds[name] as Kind;
    await mkdir(place('served'), { recursive: true });
    await sound();
    await footnote.sources.put({ name: 'shaky', type: 'guide', connector: connector() });
    expect(await sync()).toMatch(/^done/u);
    const before = await steadyDocuments();

    await faults[fault]?.();
    const told = await sync();
    if (
      /^(?:dead|slow)|cut off$|of nothing/u.test(fault) &&
      !fault.includes('pipe') &&
      !fault.includes('cut off in the middle')
    )
      expect(told).toMatch(/failed|thrown/u);
    expect(told).not.toMatch(/internal/u);

    const light = await footnote.ask({ question: 'How tall is the lighthouse of Cabo Frio?' });
    // Whoever says otherwise in a document of his own stands beside it as a disagreement.
    expect(light.citations.find(({ source }) => source === 'steady')?.quote).toBe(steady);
    if (light.answer.includes('99 metres')) expect(light.conflicts).toMatchObject([{ kind: 'number' }]);
    else expect(light.claims[0]?.text).toContain(steady);
    expect((await footnote.answers.verify(light)).ok).toBe(true);
    expect(await steadyDocuments()).toEqual(before);
    if (!fault.includes('another document')) {
      const millOf = await footnote.ask({ question: 'What does the windmill of Sines grind?' });
      expect(millOf.claims[0]?.text).toContain(own);
    }
    expect((await footnote.documents.list({ limit: 50 })).data.map(({ uri }) => uri)).not.toContain(inside);
  });
});

describe('files of a request', () => {
  it.each([
    ['another name for a document', { path: 'light.md', text: 'The lighthouse of Cabo Frio is 99 metres tall.' }],
    ['no text', { path: 'empty.md', text: '' }],
    ['broken', { path: 'broken.pdf', text: '%PDF-1.7 nothing' }],
    ['one endless line', { path: 'line.md', text: 'lighthouse '.repeat(50_000) }],
  ])('%s: what documents say stands, and nothing of it is kept', async (_, file) => {
    const answer = await footnote.ask({
      question: 'How tall is the lighthouse of Cabo Frio?',
      workspace: [file],
    });
    expect(answer.citations.map(({ quote }) => quote)).toContain(steady);
    if (file.text.includes('99 metres')) expect(answer.conflicts).toMatchObject([{ kind: 'number' }]);
    expect((await footnote.documents.list({ limit: 50 })).data).toHaveLength(1);
  });
});
