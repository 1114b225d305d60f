import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type WalkOptions, walkFolder } from '../../../src/ingest/connectors/walk.ts';
import { startProcessorTime } from '../../../testkit/processor-time.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'footnote-walk-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(...files: readonly (string | readonly [string, string])[]): Promise<void> {
  for (const file of files) {
    const [name, text] = typeof file === 'string' ? [file, 'x'] : file;
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}

async function walk(options?: WalkOptions, folder = root): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of walkFolder(folder, options)) names.push(entry.relativePath);
  return names;
}

describe('walkFolder', () => {
  it('names every file once, in a fixed order', async () => {
    await put('b.txt', 'a/z.txt', 'a/a.txt', 'c/d/e.txt', 'Ä.txt');
    expect(await walk()).toEqual(['a/a.txt', 'a/z.txt', 'b.txt', 'c/d/e.txt', 'Ä.txt']);
  });

  it('leaves out what nobody wants to find: version control, packages, secrets, the data folder', async () => {
    await put(
      '.git/config',
      'node_modules/x/index.js',
      'a/node_modules/y.js',
      '.env',
      '.env.local',
      'data/record',
      'ok.md',
      '.github/ci.yml',
    );
    expect(await walk({ skip: [join(root, 'data')] })).toEqual(['.github/ci.yml', 'ok.md']);
  });

  it('leaves out what systems and office programs leave behind, and nothing that only looks like it', async () => {
    await put('~$report.docx', 'a/.~lock.budget.ods#', 'a/desktop.ini', 'a/Thumbs.db', '.DS_Store');
    await put('~report.docx', 'a/cost $.txt', 'a/lock.ods');
    expect(await walk()).toEqual(['a/cost $.txt', 'a/lock.ods', '~report.docx']);
  });

  it('never reads what is kept from it, by whatever link', async () => {
    await put('words.txt', 'data/record', 'sub/ok.md');
    await symlink(join(root, 'words.txt'), join(root, 'sub', 'to-words.txt'));
    await symlink(join(root, 'data'), join(root, 'sub', 'to-data'));
    expect(await walk({ skip: [join(root, 'data'), join(root, 'words.txt')] })).toEqual(['sub/ok.md']);
  });

  it.skipIf(process.platform !== 'linux')('says what is no file, and what has a name that is no text', async () => {
    await put('a.txt');
    const socket = createServer().listen(join(root, 'socket'));
    await once(socket, 'listening');
    await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x62, 0xff, 0xfe])]), 'x');
    const skipped: string[] = [];
    const entries: string[] = [];
    const options = { onSkipped: (path: string, reason: string) => void skipped.push(`${path} ${reason}`) };
    for await (const entry of walkFolder(root, options))
      entries.push(entry.kind === 'file' ? entry.relativePath : `${entry.error.code}: ${entry.error.message}`);
    expect(entries).toEqual([
      'a.txt',
      'unsupported: The name of this file is not valid UTF-8, so it cannot be opened. Rename it.',
    ]);
    socket.close();
    expect(skipped).toEqual(['socket special']);
  });

  it('says what is never read, but for what systems leave behind', async () => {
    await put('a.txt', '.env', '.DS_Store', 'app/node_modules/b/c.md', '~$plan.docx');
    const skipped: string[] = [];
    const options = { onSkipped: (path: string, reason: string) => void skipped.push(`${path} ${reason}`) };
    for await (const entry of walkFolder(root, options)) expect(entry).toMatchObject({ relativePath: 'a.txt' });
    expect(skipped).toEqual(['.env never', 'app/node_modules never', '~$plan.docx never']);
  });

  it('obeys .gitignore files as git does, the nearest one first', async () => {
    await put(
      ['.gitignore', '*.log\n/build/\n!keep.log\nsecret/*\n!secret/open.md\n'],
      'a.log',
      'keep.log',
      'build/x.md',
      'sub/build/x.md',
      'secret/a.md',
      'secret/open.md',
      ['sub/.gitignore', '!b.log\nprivate.md\n'],
      'sub/b.log',
      'sub/c.log',
      'sub/private.md',
      'private.md',
    );
    expect(await walk()).toEqual(['keep.log', 'private.md', 'secret/open.md', 'sub/b.log', 'sub/build/x.md']);
  });

  it('obeys the .gitignore above, up to the top of the checkout, unless it ignores the folder that was named', async () => {
    await put(['.gitignore', '*.tmp\n/out/\n'], '.git/HEAD', 'docs/a.md', 'docs/b.tmp', 'out/c.md', 'out/d.tmp');
    expect(await walk({}, join(root, 'docs'))).toEqual(['a.md']);
    expect(await walk({}, join(root, 'out'))).toEqual(['c.md', 'd.tmp']);
  });

  it('takes globs over paths and over names', async () => {
    await put('a.md', 'a.txt', 'docs/b.md', 'docs/c.txt', 'docs/old/d.md', 'test/e.md');
    expect(await walk({ include: ['*.md'] })).toEqual(['a.md', 'docs/b.md', 'docs/old/d.md', 'test/e.md']);
    expect(await walk({ include: ['docs/**/*.md'] })).toEqual(['docs/b.md', 'docs/old/d.md']);
    expect(await walk({ exclude: ['old', 'test/', '*.txt'] })).toEqual(['a.md', 'docs/b.md']);
    expect(await walk({ include: ['*.{md,txt}'], exclude: ['docs/**'] })).toEqual(['a.md', 'a.txt', 'test/e.md']);
  });

  it('follows no link out of the folder, and none in a circle', async () => {
    await put('in/a.txt', 'in/sub/b.txt', 'out.txt');
    const inside = join(root, 'in');
    await symlink(join(root, 'out.txt'), join(inside, 'escape.txt'));
    await symlink('..', join(inside, 'sub/up'));
    await symlink('.', join(inside, 'self'));
    await symlink('a.txt', join(inside, 'again.txt'));
    await symlink('nowhere', join(inside, 'dangling'));
    expect(await walk({}, inside)).toEqual(['a.txt', 'sub/b.txt']);
  });

  it('reaches through a link what no plain path leads to', async () => {
    await put(['.gitignore', '.store\n'], '.store/v2/a.txt');
    await symlink('.store/v2', join(root, 'current'));
    expect(await walk()).toEqual(['current/a.txt']);
  });

  it('says of a folder too deep to be looked into that it is, also where patterns would make each step dear', async () => {
    const deep = 'a/'.repeat(1000);
    await put(['.gitignore', `${'**/a/'.repeat(50)}b\n`.repeat(400)], `${deep}c.txt`, 'd.txt');
    const tookMs = startProcessorTime();
    const found: unknown[] = [];
    for await (const { kind, relativePath } of walkFolder(root)) found.push([kind, relativePath]);
    expect(found).toEqual([
      ['problem', 'a/'.repeat(201).slice(0, -1)],
      ['file', 'd.txt'],
    ]);
    // Backtracking takes years.
    expect(tookMs()).toBeLessThan(20_000);
  });

  it('fails where the root is not there, and stops when told to', async () => {
    await expect(walk({}, join(root, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
    await put('a.txt');
    const stopped = walkFolder(root, {}, AbortSignal.abort(new Error('stop')));
    await expect(stopped.next()).rejects.toThrow('stop');
  });
});
