import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFolder } from '../../../src/ingest/connectors/folder.ts';
import type { SourceItem } from '../../../src/ingest/connectors/source-item.ts';

const posix = process.platform !== 'win32';
const secret = 'The secret of another place.';

let place = '';
let docs = '';
let outside = '';
beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'footnote-inside-')));
  [docs, outside] = [join(place, 'docs'), join(place, 'outside')];
  for (const folder of [docs, outside]) {
    await mkdir(join(folder, 'a/b'), { recursive: true });
    await writeFile(join(folder, 'a/b/note.md'), folder === docs ? 'A note.' : secret);
  }
  await writeFile(join(outside, 'a/foreign.md'), secret);
});
afterEach(() => rm(place, { recursive: true, force: true }));

/** The files of the folder, found and not read yet. */
async function filesOf(path = docs): Promise<readonly SourceItem[]> {
  const found: SourceItem[] = [];
  for await (const entry of openFolder({ kind: 'folder', path }).items())
    if (entry.kind === 'item') found.push(entry);
    else if (entry.kind === 'problem') throw entry.error;
  return found;
}

const told = async (file: SourceItem | undefined): Promise<string> =>
  new TextDecoder().decode((await file?.read()) as Uint8Array | undefined);
const note = (): string => join(docs, 'a/b/note.md');

describe.runIf(posix)('a file whose path changed after it was found', () => {
  const swaps: [string, () => Promise<unknown>][] = [
    [
      'a link to a file elsewhere',
      async () => {
        await unlink(note());
        await symlink(join(outside, 'a/b/note.md'), note());
      },
    ],
    [
      'its folder as a link',
      async () => {
        await rename(join(docs, 'a/b'), join(place, 'gone'));
        await symlink(join(outside, 'a/b'), join(docs, 'a/b'));
      },
    ],
    [
      'a folder further up as a link',
      async () => {
        await rename(join(docs, 'a'), join(place, 'gone'));
        await symlink(join(outside, 'a'), join(docs, 'a'));
      },
    ],
    [
      'the root as a link',
      async () => {
        await rename(docs, join(place, 'gone'));
        await symlink(outside, docs);
      },
    ],
    [
      'a folder around the root as a link',
      async () => {
        await mkdir(join(place, 'other'));
        await rename(outside, join(place, 'other/docs'));
        await rename(docs, join(place, 'gone'));
        await symlink(join(place, 'other/docs'), docs);
      },
    ],
    [
      'a chain of links',
      async () => {
        await unlink(note());
        await symlink(outside, join(docs, 'a/away'));
        await symlink('../away/a/b/note.md', note());
      },
    ],
    [
      'a pipe',
      async () => {
        await unlink(note());
        spawnSync('mkfifo', [note()]);
      },
    ],
    [
      'a folder',
      async () => {
        await unlink(note());
        await mkdir(note());
      },
    ],
    [
      'a link to what is never read',
      async () => {
        await writeFile(join(docs, '.env'), secret);
        await unlink(note());
        await symlink(join(docs, '.env'), note());
      },
    ],
    [
      'a device',
      async () => {
        await unlink(note());
        await symlink('/dev/zero', note());
      },
    ],
  ];
  it.each(swaps)('into %s is not read', async (_, swap) => {
    const [file] = await filesOf();
    expect(await told(file)).toBe('A note.');
    await swap();
    await expect(told(file)).rejects.toMatchObject({ code: 'storage-denied' });
  });

  it('is read where another file took its place, and missed where none did', async () => {
    const [file] = await filesOf();
    await writeFile(join(docs, 'new'), 'A newer note.');
    await rename(join(docs, 'new'), note());
    expect(await told(file)).toBe('A newer note.');
    await unlink(note());
    await expect(told(file)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('is read through a link that was there and stays inside, also where the root is named by a link', async () => {
    await writeFile(join(docs, '.gitignore'), '.store\n');
    await mkdir(join(docs, '.store'));
    await writeFile(join(docs, '.store/deep.md'), 'Deep.');
    await symlink('.store', join(docs, 'current'));
    await symlink(docs, join(place, 'link'));
    const files = await filesOf(join(place, 'link'));
    expect(await Promise.all(files.map(async (file) => [file.uri, await told(file)]))).toEqual([
      ['a/b/note.md', 'A note.'],
      ['current/deep.md', 'Deep.'],
    ]);
  });

  it('reaches through no link what would not be read in its own place', async () => {
    await writeFile(join(docs, '.env'), secret);
    await symlink('.env', join(docs, 'env.txt'));
    expect((await filesOf()).map(({ uri }) => uri)).toEqual(['a/b/note.md']);
  });
});

/** Puts the folder and a link that leads away in its place, in turn, as fast as it can. */
const swapper = `
const { renameSync, symlinkSync } = require('node:fs');
const [docs, outside] = process.argv.slice(1);
symlinkSync(outside + '/a', docs + '/link');
console.log('up');
const turn = () => {
  for (let at = 0; at < 200; at++) {
    renameSync(docs + '/a', docs + '/real');
    renameSync(docs + '/link', docs + '/a');
    renameSync(docs + '/a', docs + '/link');
    renameSync(docs + '/real', docs + '/a');
  }
  setImmediate(turn);
};
turn();`;

it.runIf(posix)(
  'is never read from elsewhere while somebody swaps folders, where plain reading is',
  async () => {
    const [file] = await filesOf();
    const child = spawn(process.execPath, ['-e', swapper, docs, outside], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(child.stdout, 'data');
      const seen = { own: 0, foreign: 0, refused: 0, plainForeign: 0 };
      const names = new Set<string>();
      // As many as it takes to see both: how often they meet is for the scheduler to say.
      for (let at = 0; at < 2000 || seen.own === 0 || seen.plainForeign === 0; at++) {
        const text = await told(file).catch(() => undefined);
        if (text === undefined) seen.refused += 1;
        else if (text === 'A note.') seen.own += 1;
        else seen.foreign += 1;
        if (at % 10 === 0)
          for await (const entry of openFolder({ kind: 'folder', path: docs }).items())
            if (entry.kind !== 'look') names.add(entry.uri);
        if ((await readFile(note(), 'utf8').catch(() => '')) === secret) seen.plainForeign += 1;
      }
      expect(seen.foreign).toBe(0);
      expect([...names].filter((name) => name.includes('foreign'))).toEqual([]);
      expect(seen.plainForeign).toBeGreaterThan(0);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  },
  600_000,
);
