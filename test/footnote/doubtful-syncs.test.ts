// A sync takes nothing away on doubtful evidence, whatever connector reads: texts stay, the run is `doubtful` and says why, and whoever looked at
// the source confirms. What goes in usual numbers goes as ever.

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Connector } from '../../src/core/connector.ts';
import type { IngestionFile } from '../../src/core/documents/runs.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { openWebSite, page, type SiteAnswer, type WebSite } from '../../testkit/web-site.ts';

let folder: string;
let site: WebSite;
let other: WebSite;
let opened: OpenedFootnote;
let footnote: Footnote;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-doubt-'));
  site = await openWebSite();
  other = await openWebSite();
  opened = await openFootnote(
    loadConfig({
      folder,
      environment: {
        FOOTNOTE_DATA: join(folder, 'data'),
        WEB_ALLOW_HOSTS: `${site.host},${other.host}`,
        WEB_HOST_GAP_MS: '0',
      },
    }),
  );
  footnote = opened.forScope(localScope());
});
afterEach(async () => {
  await opened.close();
  await site.close();
  await other.close();
  await rm(folder, { recursive: true });
});

const at = (path: string): string => `${site.origin}${path}`;
const set = (answers: Record<string, SiteAnswer>): void => {
  for (const [path, answer] of Object.entries(answers)) site.answers.set(path, answer);
};
const uris = async (): Promise<string[]> =>
  (await footnote.documents.list({ limit: 100 })).data.map(({ uri }) => uri.replace(site.origin, '')).sort();
const texts = async (): Promise<string> =>
  (
    await Promise.all(
      (
        await footnote.documents.list({ limit: 100 })
      ).data.map(async ({ id }) => (await footnote.documents.text(id))?.text),
    )
  ).join('\n');

async function sync(connector: Connector, options: { readonly confirm?: boolean } = {}) {
  await footnote.sources.put({ name: 'read', type: 'docs', connector });
  const files: IngestionFile[] = [];
  const run = await footnote.sources.sync('read', {
    ...options,
    onProgress: (_, file) => void (file && file.state !== 'pending' && files.push(file)),
  });
  return { ...run, files };
}

const facts = [
  'The winch of quay one needs 24 volts and a dry hand.',
  'The bosun of the ferry is Nils Aker from Bergen.',
  'Mooring at the long pier costs 18 EUR for each night.',
  'The crane lifts eleven tonnes when the wind is low.',
  'Diesel is sold on Tuesdays behind the chandlery.',
  'The harbour office closes at noon on every Sunday.',
];
const paths = facts.map((_, number) => `/dock/${number}.html`);
const pages = (): Record<string, SiteAnswer> =>
  Object.fromEntries(facts.map((fact, number) => [`/dock/${number}.html`, page(`Page ${number}`, `<p>${fact}</p>`)]));
const sitemap = (named: readonly string[]): SiteAnswer => ({
  body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${named.map((path) => `<url><loc>${at(path)}</loc></url>`).join('')}</urlset>`,
  type: 'application/xml',
});
const hub = (named: readonly string[]): SiteAnswer =>
  page('Dock', named.map((path) => `<p><a href="${path}">${path}</a></p>`).join(''));
const maintenance = page('Maintenance', '<p>We are back in an hour.</p>');
const whole = (): Connector => ({ kind: 'sitemap', url: at('/dock/') });

describe('a site', () => {
  it.each([
    ['a page of HTML with status 200', maintenance],
    ['an empty list of lines', { body: '\n', type: 'text/plain' }],
    ['nothing', 404],
  ])('whose sitemap became %s loses no document, and goes on when it is back', async (_, instead) => {
    set({ ...pages(), '/sitemap.xml': sitemap(paths) });
    expect(await sync(whole())).toMatchObject({ state: 'done', counts: { done: 6 } });
    set({ '/sitemap.xml': instead as SiteAnswer });
    const run = await sync(whole());
    expect(run).toMatchObject({ state: 'doubtful', counts: { deleted: 0 }, error: { code: 'conflict' } });
    expect(run.error?.message).toMatch(/sitemap.*--confirm/su);
    expect(await uris()).toEqual(paths);
    // Kept with the run, for whoever looks later.
    expect((await footnote.ingestions.get(run.id)).error).toEqual(run.error);
    set({ '/sitemap.xml': sitemap(paths.slice(1)) });
    expect(await sync(whole())).toMatchObject({ state: 'done', counts: { deleted: 1 } });
  });

  it('whose sitemap suddenly names few of its pages loses none of them until somebody confirms', async () => {
    set({ ...pages(), '/sitemap.xml': sitemap(paths) });
    await sync(whole());
    set({ '/sitemap.xml': sitemap(paths.slice(0, 2)) });
    for (const _ of [1, 2])
      expect(await sync(whole())).toMatchObject({
        state: 'doubtful',
        counts: { deleted: 0 },
        error: { reason: 'found-little' },
      });
    expect(await uris()).toEqual(paths);
    expect(await sync(whole(), { confirm: true })).toMatchObject({ state: 'done', counts: { deleted: 4 } });
    expect(await uris()).toEqual(paths.slice(0, 2));
    expect(await sync(whole())).toMatchObject({ state: 'done', counts: { unchanged: 2 } });
  });

  it('that is crawled and suddenly leads to little loses nothing, and a page or two as ever', async () => {
    set({ ...pages(), '/dock/': hub(paths) });
    await sync(whole());
    expect(await uris()).toEqual(['/dock/', ...paths]);
    set({ '/dock/': hub(paths.slice(0, 1)) });
    expect(await sync(whole())).toMatchObject({ state: 'doubtful', counts: { deleted: 0 } });
    set({ '/dock/': hub(paths.slice(1)), '/dock/0.html': 404 });
    expect(await sync(whole())).toMatchObject({ state: 'done', counts: { deleted: 1 } });
  });

  it('that is crawled and sends to another one to sign in keeps the page, and what only it leads to', async () => {
    set({ ...pages(), '/dock/': hub(paths.slice(0, 4)), '/dock/0.html': hub(paths.slice(4)) });
    await sync(whole());
    set({ '/dock/0.html': { location: `${other.origin}/login?token=secret` } });
    other.answers.set('/login?token=secret', login);
    const run = await sync(whole());
    expect(run.counts).toMatchObject({ deleted: 0, failed: 1 });
    const error = run.files.find(({ uri }) => uri === at('/dock/0.html'))?.error;
    expect(error?.message).toContain(other.origin);
    expect(error?.message).not.toContain('secret');
    expect(await uris()).toEqual(['/dock/', ...paths]);
  });

  it('says that its start leads to another one, and nothing of links that do', async () => {
    other.answers.set('/', page('Elsewhere', '<p>This is not the dock.</p>'));
    set({ '/dock/': hub(paths.slice(0, 2)), ...pages(), [paths[1] as string]: { location: `${other.origin}/` } });
    expect((await sync(whole())).counts).toMatchObject({ done: 2, failed: 0 });
    set({ '/pier/': { location: `${other.origin}/` } });
    await footnote.sources.put({ name: 'moved', type: 'docs', connector: { kind: 'sitemap', url: at('/pier/') } });
    expect((await footnote.sources.sync('moved')).counts).toMatchObject({ done: 0, failed: 1 });
  });

  const login = page(
    'Sign in',
    '<form><input name="user"><input type="password" name="word"></form><p>Please enter.</p>',
  );
  it.each<[string, (path: string) => SiteAnswer]>([
    ['a sign-in page', () => login],
    [
      'a page that says the same everywhere',
      () => page('Moment', '<p>Your browser is being looked at, enable scripts.</p>'),
    ],
    [
      'a page that says nearly the same everywhere',
      (path) =>
        page(
          'Moment',
          `<p>Your browser is being looked at now. Enable scripts and cookies, then wait. Ray ${path.length}${path.charCodeAt(6)}.</p>`,
        ),
    ],
    ['a redirect to a sign-in page', (path) => ({ location: `/login?next=${encodeURIComponent(path)}` })],
    ['a redirect to one page', () => ({ location: '/gate' })],
    [
      'a challenge that asks not to be kept',
      () => page('Moment', '<p>Your browser is being looked at.</p>', '<meta name="robots" content="noindex">'),
    ],
    [
      'a challenge that its header tells of',
      () => (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/html', 'cf-mitigated': 'challenge' }).end('<p>Wait.</p>'),
    ],
  ])('that answers with %s keeps its texts', async (_, answer) => {
    set({ ...pages(), '/sitemap.xml': sitemap(paths), '/gate': page('Gate', '<p>Members only beyond here.</p>') });
    for (const path of paths) set({ [`/login?next=${encodeURIComponent(path)}`]: login });
    await sync(whole());
    const before = await texts();
    set(Object.fromEntries(paths.map((path) => [path, answer(path)])));
    const run = await sync(whole());
    expect(run.counts).toMatchObject({ done: 0, deleted: 0 });
    expect(await texts()).toBe(before);
    if (run.counts.failed === 0) expect(run.state).toBe('doubtful');
    else expect(run.files.find(({ state }) => state === 'failed')?.error?.message).toContain('challenge');
    set(pages());
    expect(await sync(whole())).toMatchObject({ state: 'done', counts: { deleted: 0 } });
    expect(await texts()).toBe(before);
  });

  it('keeps the texts of the pages that a sign-in page stands for, and takes what changed beside them', async () => {
    set({ ...pages(), '/sitemap.xml': sitemap(paths) });
    await sync(whole());
    set({
      [paths[0] as string]: { location: '/login?next=/dock/0.html' },
      '/login?next=/dock/0.html': login,
      [paths[1] as string]: page('Page 1', '<p>The bosun of the ferry is Ida Aker from Bergen.</p>'),
      [paths[2] as string]: page(
        'Page 2',
        '<p>Entirely rewritten: boats pay by length, ask the warden about tariffs.</p>',
      ),
    });
    const run = await sync(whole());
    expect(run).toMatchObject({ state: 'doubtful', counts: { done: 2, deleted: 0 }, error: { reason: 'sign-in' } });
    expect(run.files.find(({ uri }) => uri === at(paths[0] as string))).toMatchObject({
      state: 'unchanged',
      warnings: [expect.stringContaining('sign-in')],
    });
    expect(await texts()).toMatch(/24 volts/u);
    expect(await texts()).toMatch(/Ida Aker/u);
    expect(await texts()).toMatch(/warden/u);
    await sync(whole(), { confirm: true });
    expect(await texts()).not.toMatch(/24 volts/u);
  });

  it('takes a rewritten page that has always asked for a password', async () => {
    const box = '<form><input type="password"></form>';
    set({
      ...pages(),
      '/sitemap.xml': sitemap(paths),
      [paths[0] as string]: page('Forum', `<p>${facts[0]}</p>${box}`),
    });
    await sync(whole());
    set({ [paths[0] as string]: page('Forum', `<p>Somebody wrote other things about ropes altogether.</p>${box}`) });
    expect(await sync(whole())).toMatchObject({ state: 'done', counts: { done: 1 } });
  });
});

describe('addresses and feeds', () => {
  it('keep the text of the only page where another one stands in its place, and take what it says anew', async () => {
    const connector: Connector = { kind: 'url', urls: [at('/crew')] };
    set({ '/crew': page('Crew', '<p>The bosun of the ferry is Nils Aker, and the cook is Ida.</p>') });
    await sync(connector);
    set({ '/crew': page('Crew', '<p>The bosun of the ferry is Ola Berg, and there is no cook.</p>') });
    expect(await sync(connector)).toMatchObject({ state: 'done', counts: { done: 1 } });
    set({ '/crew': page('Moment', '<p>Checking your browser before you go on. Enable JavaScript and cookies.</p>') });
    expect(await sync(connector)).toMatchObject({ state: 'doubtful', error: { reason: 'texts-lost' } });
    expect(await texts()).toContain('Ola Berg');
  });

  it('keep the text of a single address that leads to a sign-in page, and take what a person no longer names away', async () => {
    set({ ...pages(), '/login?to=%2Fdock%2F0.html': page('Enter', '<p>Who are you?</p>') });
    const urls = paths.map(at);
    await sync({ kind: 'url', urls });
    set({ '/dock/0.html': { location: '/login?to=%2Fdock%2F0.html' } });
    expect(await sync({ kind: 'url', urls })).toMatchObject({ state: 'doubtful', counts: { done: 0 } });
    expect(await sync({ kind: 'url', urls: urls.slice(0, 1) })).toMatchObject({ counts: { deleted: 5 } });
    expect(await texts()).toContain(facts[0]);
  });

  it('keep the pages of a feed that became a page', async () => {
    const items = paths.map((path) => `<item><title>${path}</title><link>${at(path)}</link></item>`).join('');
    const feed = {
      body: `<rss version="2.0"><channel><title>Dock</title>${items}</channel></rss>`,
      type: 'application/rss+xml',
    };
    set({ ...pages(), '/feed.xml': feed });
    const connector: Connector = { kind: 'feed', url: at('/feed.xml') };
    await sync(connector);
    set({ '/feed.xml': maintenance });
    expect(await sync(connector)).toMatchObject({ state: 'failed', counts: { deleted: 0 } });
    set({ '/feed.xml': feed, ...Object.fromEntries(paths.map((path) => [path, 404])) });
    expect(await sync(connector)).toMatchObject({ state: 'doubtful', counts: { deleted: 0 } });
    expect(await uris()).toEqual(paths);
  });
});

const write = async (root: string, files: Record<string, string>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
};
const files = (count: number): Record<string, string> =>
  Object.fromEntries(facts.slice(0, count).map((fact, number) => [`part/${number}.md`, `# ${number}\n\n${fact}\n`]));

describe('a folder', () => {
  const root = (): string => join(folder, 'mount');
  const connector = (): Connector => ({ kind: 'folder', path: root() });

  it.each([1, 2, 3, 6])(
    'of %i files that is empty, or away, keeps their texts until somebody confirms',
    async (count) => {
      await write(root(), files(count));
      expect(await sync(connector())).toMatchObject({ state: 'done' });
      await rename(root(), join(folder, 'away'));
      expect(await sync(connector())).toMatchObject({ state: 'failed', counts: { deleted: 0 } });
      await mkdir(root());
      const run = await sync(connector());
      expect(run).toMatchObject({ state: 'doubtful', counts: { deleted: 0 }, error: { reason: 'found-little' } });
      expect(await uris()).toHaveLength(count);
      await rm(root(), { recursive: true });
      await rename(join(folder, 'away'), root());
      expect(await sync(connector())).toMatchObject({ state: 'done', counts: { unchanged: count } });
      await rm(join(root(), 'part'), { recursive: true });
      expect(await sync(connector(), { confirm: true })).toMatchObject({ state: 'done', counts: { deleted: count } });
    },
  );

  it.each([
    [2, 1],
    [3, 1],
    [3, 2],
    [6, 1],
    [6, 3],
  ])('of %i files loses %i that are deleted as ever', async (count, gone) => {
    await write(root(), files(count));
    await sync(connector());
    for (let number = 0; number < gone; number += 1) await rm(join(root(), `part/${number}.md`));
    expect(await sync(connector())).toMatchObject({ state: 'done', counts: { deleted: gone } });
  });

  it.each(['{"device', 'null', '[]'])(
    'is judged by its numbers where what was kept of it is damaged: %s',
    async (damage) => {
      await write(root(), files(3));
      await sync(connector());
      const database = new DatabaseSync(join(folder, 'data', 'record.sqlite'));
      const { changes } = database.prepare("UPDATE source_item SET version = ? WHERE uri = '.'").run(damage);
      expect(changes).toBe(1);
      database.close();
      await rm(join(root(), 'part/0.md'));
      expect(await sync(connector())).toMatchObject({ state: 'done', counts: { deleted: 1 } });
    },
  );

  it('whose place or globs a person changed loses what is not asked for any more', async () => {
    await write(root(), files(6));
    await write(join(folder, 'other'), { 'one.md': '# One\n\nAnother folder altogether.\n' });
    await sync(connector());
    const fewer: Connector = { kind: 'folder', path: root(), include: ['0.md'] };
    expect(await sync(fewer)).toMatchObject({ state: 'done', counts: { deleted: 5 } });
    await sync(connector());
    const other: Connector = { kind: 'folder', path: join(folder, 'other') };
    expect(await sync(other)).toMatchObject({ state: 'done', counts: { deleted: 6 } });
    expect(await uris()).toEqual(['one.md']);
  });
});

describe('a repository', () => {
  it('whose branch is gone, or whose tree is nearly empty, keeps its texts', async () => {
    const root = join(folder, 'repository');
    const git = (...words: string[]) =>
      void execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
        stdio: 'pipe',
      });
    await write(root, files(6));
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-qm', 'one');
    const connector: Connector = { kind: 'git', path: root, ref: 'main' };
    await sync(connector);
    git('checkout', '-q', '-b', 'other');
    git('branch', '-qD', 'main');
    expect(await sync(connector)).toMatchObject({ state: 'failed', counts: { deleted: 0 } });
    git('checkout', '-q', '-b', 'main');
    git('rm', '-q', ...[0, 1, 2, 3, 4].map((number) => `part/${number}.md`));
    git('commit', '-qm', 'nearly empty');
    expect(await sync(connector)).toMatchObject({ state: 'doubtful', counts: { deleted: 0 } });
    expect(await uris()).toHaveLength(6);
    expect(await sync(connector, { confirm: true })).toMatchObject({ state: 'done', counts: { deleted: 5 } });
  });
});
