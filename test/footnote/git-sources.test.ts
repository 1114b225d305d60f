// Repositories as sources: the files of one commit, of a checkout, a bare repository or one that is fetched; of a new commit only what changed
// is read, and what is cited is cited by path and line, with its commit.
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { GitConnector } from '../../src/core/connector.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { commitFiles, createRepository, git, gitBackend, hasGit } from '../../testkit/git-repository.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let checkout: string;
let server: Server;
let host: string;
let opened: OpenedFootnote;
let footnote: Footnote;
const pump =
  'export function drain(basin: string): number {\n  // The pump moves 90 litres a minute.\n  return basin.length;\n}\n';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-git-'));
  checkout = join(folder, 'checkout');
  createRepository(checkout);
  server = createServer(gitBackend(join(folder, 'served')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    WEB_ALLOW_HOSTS: host,
    SOURCE_ROOTS: join(folder, 'open'),
  };
  opened = await openFootnote(loadConfig({ folder, environment }));
  footnote = opened.forScope(localScope());
});
afterEach(async () => {
  await opened.close();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

async function sync(connector: Omit<GitConnector, 'kind'>, name = 'code') {
  await footnote.sources.put({ name, type: 'code', connector: { kind: 'git', ...connector } });
  return footnote.sources.sync(name);
}
const uris = async (): Promise<string[]> =>
  (await footnote.documents.list({ limit: 100 })).data.map(({ uri }) => uri).sort();

describe.runIf(hasGit)('a repository', () => {
  it('is the files of one commit, cited by line, of which a new commit reads what changed', async () => {
    await symlink('/etc/passwd', join(checkout, 'link.txt'));
    const first = commitFiles(checkout, {
      'src/pump.ts': pump,
      'docs/übersicht.md': '# Basin\n\nBasin four is drained in spring.\n',
      'docs/old.md': '# Old\n\nThe old basin is dry.\n',
      '.env': 'SECRET=1',
    });
    expect(await sync({ path: checkout })).toMatchObject({ state: 'done', counts: { done: 3, failed: 0 } });
    expect(await uris()).toEqual(['docs/old.md', 'docs/übersicht.md', 'src/pump.ts']);
    const answer = await footnote.ask({ question: 'How many litres a minute does the pump move?' });
    expect(answer.citations[0]).toMatchObject({ uri: 'src/pump.ts', lines: [1, 4] });
    const cited = await footnote.documents.get(answer.citations[0]?.documentId ?? '');
    expect(cited).toMatchObject({ version: first, metadata: { commit: first, repository: checkout } });

    const second = commitFiles(checkout, { 'src/pump.ts': pump.replace('90', '95'), 'docs/old.md': null });
    const run = await sync({ path: checkout });
    expect(run.counts).toMatchObject({ done: 1, unchanged: 1, deleted: 1, failed: 0 });
    const now = await footnote.ask({ question: 'How many litres a minute does the pump move?' });
    expect(now.answer).toContain('95 litres');
    expect(await footnote.documents.get(now.citations[0]?.documentId ?? '')).toMatchObject({ version: second });
    // What is not committed is no part of it.
    expect((await sync({ path: checkout, ref: first })).counts).toMatchObject({ done: 2, unchanged: 1 });
    expect((await sync({ path: checkout, include: ['docs/**'] })).counts).toMatchObject({ deleted: 2 });
  }, 120_000);

  it('may be bare, and names what is wrong with it', async () => {
    commitFiles(checkout, { 'src/pump.ts': pump });
    const bare = join(folder, 'bare.git');
    git(folder, 'clone', '-q', '--bare', checkout, bare);
    expect(await sync({ path: bare })).toMatchObject({ state: 'done', counts: { done: 1 } });
    for (const ref of ['none', '--upload-pack=touch /tmp/x', '-n', 'main..main'])
      expect(await sync({ path: bare, ref }), ref).toMatchObject({ state: 'failed', error: { code: 'not-found' } });
    await mkdir(join(folder, 'plain'));
    expect(await sync({ path: join(folder, 'plain') })).toMatchObject({
      state: 'failed',
      error: { code: 'not-found' },
    });
    expect(await uris()).toEqual(['src/pump.ts']);
    // An admin's key reads below the open folders alone.
    const guest = opened.forScope({ tenant: 'default', principal: { id: 'key:1', role: 'admin', groups: [] } });
    await expect(
      guest.sources.put({ name: 'x', type: 'code', connector: { kind: 'git', path: bare } }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  }, 120_000);

  it('is fetched, renewed, and its copy goes with its source', async () => {
    const first = commitFiles(checkout, { 'src/pump.ts': pump });
    const served = join(folder, 'served', 'engine.git');
    git(folder, 'clone', '-q', '--bare', checkout, served);
    const url = `http://${host}/engine.git`;
    expect(await sync({ url })).toMatchObject({ state: 'done', counts: { done: 1 } });
    expect((await sync({ url })).counts).toMatchObject({ unchanged: 1, done: 0 });
    commitFiles(checkout, { 'src/pump.ts': null, 'src/valve.ts': pump.replaceAll('pump', 'valve') });
    git(checkout, 'push', '-q', served, 'main');
    expect((await sync({ url, ref: 'main' })).counts).toMatchObject({ done: 1, deleted: 1 });
    expect(await sync({ url: `http://${host}/none.git` }, 'other')).toMatchObject({ state: 'failed' });
    expect(await sync({ url: 'http://127.0.0.1:1/x.git' }, 'other')).toMatchObject({ error: { code: 'forbidden' } });
    expect(await sync({ url, ref: '--upload-pack=x' }, 'other')).toMatchObject({ error: { code: 'invalid-request' } });
    expect(first).toHaveLength(40);
    const copies = async (): Promise<string[]> =>
      (await readdir(join(folder, 'data', 'repositories'), { recursive: true })).filter((name) =>
        name.endsWith('.git'),
      );
    const before = (await copies()).length;
    await footnote.sources.remove('code');
    expect((await copies()).length).toBe(before - 1);
  }, 120_000);

  it('is fetched for several sources at once, and one of them may go meanwhile', async () => {
    const served = join(folder, 'served', 'engine.git');
    commitFiles(checkout, { 'src/pump.ts': pump });
    git(folder, 'clone', '-q', '--bare', checkout, served);
    const url = `http://${host}/engine.git`;
    const names = ['one', 'two', 'three'];
    const syncAll = () => Promise.all(names.map((name) => sync({ url }, name)));
    expect((await syncAll()).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    for (const litres of [95, 99]) {
      commitFiles(checkout, { 'src/pump.ts': pump.replace('90', String(litres)) });
      git(checkout, 'push', '-q', served, 'main');
      const runs = await syncAll();
      expect(runs.map(({ state, counts }) => [state, counts.done, counts.failed])).toEqual(
        names.map(() => ['done', 1, 0]),
      );
    }
    commitFiles(checkout, { 'src/valve.ts': pump.replaceAll('pump', 'valve') });
    git(checkout, 'push', '-q', served, 'main');
    const [run] = await Promise.all([sync({ url }, 'two'), footnote.sources.remove('one')]);
    expect(run).toMatchObject({ state: 'done', counts: { done: 1, failed: 0 } });
  }, 120_000);
});
