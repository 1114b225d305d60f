// A document that was moved within its source is the same document: its id, the answers and links that rest on it, and what stores beside the record
// hold of it follow. Copies are no moves, and of documents with equal bytes each is one.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zipFile } from '../../packages/readers/testkit/zip-file.ts';
import { loadConfig } from '../../src/config.ts';
import type { Connector } from '../../src/core/connector.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { openWebSite, page, type SiteAnswer, type WebSite } from '../../testkit/web-site.ts';

let folder: string;
let root: string;
let site: WebSite;
let opened: OpenedFootnote;
let footnote: Footnote;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-moves-'));
  root = join(folder, 'docs');
  site = await openWebSite();
  opened = await openFootnote(
    loadConfig({
      folder,
      environment: { FOOTNOTE_DATA: join(folder, 'data'), WEB_ALLOW_HOSTS: site.host, WEB_HOST_GAP_MS: '0' },
    }),
  );
  footnote = opened.forScope(localScope());
});
afterEach(async () => {
  await opened.close();
  await site.close();
  await rm(folder, { recursive: true });
});

const write = async (files: Record<string, string | Uint8Array>): Promise<void> => {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
};
const move = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(join(root, to)), { recursive: true });
  await rename(join(root, from), join(root, to));
};
/** Ids by uri. */
const ids = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await footnote.documents.list({ limit: 1000 })).data.map(({ uri, id }) => [uri, id]));
async function sync(connector: Connector = { kind: 'folder', path: root }) {
  await footnote.sources.put({ name: 'docs', type: 'docs', connector });
  return footnote.sources.sync('docs');
}

const tide = '# Tide\n\nHigh tide at Corran is at 06:12 in the morning.\n';
const crane = '# Crane\n\nThe crane lifts eleven tonnes when the wind is low.\n';
const bosun = '# Bosun\n\nThe bosun of the ferry is Nils Aker from Bergen.\n';

describe('in a folder', () => {
  it('keeps its id, the answers that rest on it and their links; searches and filters find it where it is now', async () => {
    await write({ 'tide.md': tide, 'crane.md': crane });
    await sync();
    const before = await ids();
    const asked = { question: 'When is high tide at Corran?' };
    const answer = await footnote.ask(asked);
    expect(answer.citations[0]?.documentId).toBe(before['tide.md']);
    const other = await footnote.ask({ question: 'How much does the crane lift?' });
    expect(other.citations[0]?.documentId).toBe(before['crane.md']);
    await move('tide.md', '2024/harbour/tides.md');
    await rm(join(root, 'crane.md'));
    expect(await sync()).toMatchObject({ state: 'done', counts: { done: 1, deleted: 1 } });
    expect(await ids()).toEqual({ '2024/harbour/tides.md': before['tide.md'] });
    const moved = await footnote.documents.get(before['tide.md'] ?? '');
    expect(moved).toMatchObject({ uri: '2024/harbour/tides.md', revision: 2, title: 'Tide' });
    const again = await footnote.ask(asked);
    expect(again.citations[0]).toMatchObject({ documentId: before['tide.md'], uri: '2024/harbour/tides.md' });
    const filter = { field: 'uri', op: 'eq', value: '2024/harbour/tides.md' } as const;
    expect((await footnote.search({ query: 'high tide', filter })).results).toHaveLength(1);
    expect((await footnote.search({ query: 'high tide', filter: { ...filter, value: 'tide.md' } })).results).toEqual(
      [],
    );
    // What is erased is gone by the time that the answer about the crane is.
    await expect.poll(async () => (await footnote.answers.get(other.id))?.erased, { timeout: 60_000 }).toBeDefined();
    const kept = await footnote.answers.get(answer.id);
    expect(kept?.answer).toBe(answer.answer);
    const { quote = '', documentId = '', start, end } = answer.citations[0] ?? {};
    const text = await footnote.documents.text(documentId);
    expect(text?.text.slice(start, end)).toBe(quote);
    expect((await sync()).counts).toMatchObject({ unchanged: 1, done: 0 });
  });

  it('follows a whole folder, also one that was renamed in its case alone, and nothing is doubtful', async () => {
    await write({ 'a/tide.md': tide, 'a/deep/crane.md': crane, 'a/deep/bosun.md': bosun });
    await sync();
    const before = await ids();
    await rename(join(root, 'a'), join(root, 'A'));
    expect(await sync()).toMatchObject({ state: 'done', counts: { done: 3, deleted: 0 } });
    expect(await ids()).toEqual({
      'A/tide.md': before['a/tide.md'],
      'A/deep/crane.md': before['a/deep/crane.md'],
      'A/deep/bosun.md': before['a/deep/bosun.md'],
    });
  });

  it('makes copies documents of their own, and a file that was edited on its way a new one', async () => {
    await write({ 'tide.md': tide, 'crane.md': crane });
    await sync();
    const before = await ids();
    await cp(join(root, 'tide.md'), join(root, 'copy.md'));
    await rm(join(root, 'crane.md'));
    await write({ 'cranes.md': `${crane}\nIt was built in 1931.\n` });
    await sync();
    const after = await ids();
    expect(after['tide.md']).toBe(before['tide.md']);
    expect(new Set([...Object.values(before), after['copy.md'], after['cranes.md']]).size).toBe(4);
    // The one that stays is no move either.
    await rm(join(root, 'tide.md'));
    await sync();
    expect((await ids())['copy.md']).toBe(after['copy.md']);
  });

  it('pairs files of equal bytes in their order, each with one', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await write({ ...Object.fromEntries(names.map((name) => [`old/${name}/x.md`, tide])), 'stays.md': crane });
    await sync();
    const before = await ids();
    await rename(join(root, 'old'), join(root, 'new'));
    await sync();
    const after = await ids();
    for (const name of names) expect(after[`new/${name}/x.md`], name).toBe(before[`old/${name}/x.md`]);
    // One fewer, and one that is new.
    await rm(join(root, 'new/a'), { recursive: true });
    await rename(join(root, 'new'), join(root, 'newer'));
    await sync();
    const last = await ids();
    const kept = names.slice(1).map((name) => last[`newer/${name}/x.md`]);
    expect(kept).toEqual(names.slice(0, 5).map((name) => before[`old/${name}/x.md`]));
  });

  it('follows what lies in archives and on lines', async () => {
    const zip = zipFile([
      { name: 'in/tide.md', content: tide },
      { name: 'crane.md', content: crane },
    ]);
    const lines = '{"text":"The heron weighs 2 kilograms."}\n{"text":"The owl hunts at night."}\n';
    await write({ 'box.zip': zip, 'birds.jsonl': lines, 'bosun.md': bosun });
    await sync();
    const before = await ids();
    await move('box.zip', 'later/archive.zip');
    await move('birds.jsonl', 'later/birds.jsonl');
    expect(await sync()).toMatchObject({ state: 'done', counts: { deleted: 0 } });
    const after = await ids();
    expect(Object.values(after).sort()).toEqual(Object.values(before).sort());
    expect(after['later/archive.zip/in/tide.md']).toBe(before['box.zip/in/tide.md']);
    const inner = await footnote.documents.get(after['later/archive.zip/in/tide.md'] ?? '');
    expect(inner?.metadata).toMatchObject({ container: 'later/archive.zip' });
    await rm(join(root, 'later/archive.zip'));
    expect(await sync()).toMatchObject({ counts: { deleted: 2 } });
  });
});

it('follows git mv', async () => {
  const git = (...words: string[]) =>
    void execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { stdio: 'pipe' });
  await write({ 'docs/tide.md': tide, 'docs/crane.md': crane });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'one');
  const connector: Connector = { kind: 'git', path: root, ref: 'main' };
  await sync(connector);
  const before = await ids();
  git('mv', 'docs', 'guide');
  git('commit', '-qm', 'two');
  expect(await sync(connector)).toMatchObject({ state: 'done', counts: { deleted: 0 } });
  expect(await ids()).toEqual({
    'guide/tide.md': before['docs/tide.md'],
    'guide/crane.md': before['docs/crane.md'],
  });
});

describe('on a site', () => {
  const at = (path: string): string => `${site.origin}${path}`;
  const set = (answers: Record<string, SiteAnswer>): void => {
    for (const [path, answer] of Object.entries(answers)) site.answers.set(path, answer);
  };
  const sitemap = (named: readonly string[]): SiteAnswer => ({
    body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${named.map((path) => `<url><loc>${at(path)}</loc></url>`).join('')}</urlset>`,
    type: 'application/xml',
  });
  const hub = (named: readonly string[]): SiteAnswer =>
    page('Dock', named.map((path) => `<p><a href="${path}">${path}</a></p>`).join(''));
  const own = (fact: string, canonical: string): SiteAnswer =>
    page('Own', `<p>${fact}</p>`, `<link rel="canonical" href="${canonical}">`);
  const facts = ['High tide at Corran is at 06:12.', 'The crane lifts eleven tonnes.', 'The bosun is Nils Aker.'];

  it.each<[string, (named: readonly string[]) => Record<string, SiteAnswer>, boolean]>([
    ['that its sitemap names', (named) => ({ '/sitemap.xml': sitemap(named) }), false],
    [
      'whose old address its sitemap still names',
      (named) => ({ '/sitemap.xml': sitemap(['/dock/0', ...named]) }),
      false,
    ],
    ['that its pages lead to', (named) => ({ '/dock/': hub(named) }), true],
  ])('a page %s keeps its id behind a redirect, though its bytes name its new address', async (_, listing, isCrawl) => {
    const paths = ['/dock/0', '/dock/1', '/dock/2'];
    set({ ...listing(paths), ...Object.fromEntries(paths.map((path, at) => [path, own(facts[at] ?? '', path)])) });
    const connector: Connector = { kind: 'sitemap', url: at('/dock/') };
    await sync(connector);
    const before = await ids();
    set({
      ...listing(['/dock/new/tide', '/dock/1', '/dock/2']),
      '/dock/0': { location: '/dock/new/tide', status: 301 },
      '/dock/new/tide': own(facts[0] ?? '', '/dock/new/tide'),
    });
    expect(await sync(connector)).toMatchObject({ state: 'done', counts: { deleted: 0 } });
    const after = await ids();
    expect(after[at('/dock/new/tide')]).toBe(before[at('/dock/0')]);
    expect(Object.keys(after)).toHaveLength(isCrawl ? 4 : 3);
  });

  it('a copy of a page that still stands is a document of its own', async () => {
    set({ '/dock/': hub(['/dock/0']), '/dock/0': own(facts[0] ?? '', '/dock/0') });
    const connector: Connector = { kind: 'sitemap', url: at('/dock/') };
    await sync(connector);
    const before = await ids();
    set({ '/dock/': hub(['/dock/a', '/dock/0']), '/dock/a': own(facts[0] ?? '', '/dock/a') });
    await sync(connector);
    const after = await ids();
    expect(after[at('/dock/0')]).toBe(before[at('/dock/0')]);
    expect(after[at('/dock/a')]).toBeDefined();
  });
});
