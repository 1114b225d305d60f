import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownFolder } from '../../src/config/own-folder.ts';
import { root } from '../source-files.ts';

const parts = ['.cache', 'footnote', 'compiled'];
const isRoot = process.getuid?.() === 0;
let home = '';
beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'footnote-home-')), 'user');
  mkdirSync(home, { mode: 0o755 });
});
afterEach(() => rmSync(join(home, '..'), { recursive: true, force: true }));

/** Makes every folder on the way. */
const make = (mode = 0o700): void => {
  mkdirSync(join(home, ...parts), { recursive: true });
  for (let count = 1; count <= parts.length; count++) chmodSync(join(home, ...parts.slice(0, count)), mode);
};

describe('ownFolder', () => {
  it('makes a folder that only its user can open, and takes it again', () => {
    const path = ownFolder(parts, { home });
    expect(path).toBe(join(home, ...parts));
    for (let count = 1; count <= parts.length; count++)
      expect(statSync(join(home, ...parts.slice(0, count))).mode & 0o777).toBe(0o700);
    expect(ownFolder(parts, { home })).toBe(path);
  });

  it('makes none where it shall only look', () => {
    expect(ownFolder(parts, { home, create: false })).toBeUndefined();
    expect(readdirSync(home)).toEqual([]);
  });

  it.each([0o701, 0o710, 0o750, 0o770, 0o777])('refuses one of mode %o', (mode) => {
    make();
    chmodSync(join(home, ...parts), mode);
    expect(ownFolder(parts, { home })).toBeUndefined();
  });

  it.each([0, 1, 2])('refuses one where others write into a folder above (%i)', (count) => {
    make();
    for (const mode of [0o770, 0o702, 0o777]) {
      chmodSync(join(home, ...parts.slice(0, count)), mode);
      expect(ownFolder(parts, { home }), mode.toString(8)).toBeUndefined();
    }
    // As in /tmp: what lies there can be moved by its owner alone.
    chmodSync(join(home, ...parts.slice(0, count)), 0o1777);
    expect(ownFolder(parts, { home })).toBe(join(home, ...parts));
  });

  it.each([1, 2, 3])('refuses a link in its place or on the way to it (%i)', (count) => {
    const elsewhere = join(home, '../elsewhere');
    mkdirSync(join(elsewhere, ...parts.slice(count)), { recursive: true, mode: 0o700 });
    mkdirSync(join(home, ...parts.slice(0, count - 1)), { recursive: true, mode: 0o700 });
    symlinkSync(elsewhere, join(home, ...parts.slice(0, count)));
    expect(ownFolder(parts, { home })).toBeUndefined();
  });

  it('follows a link to the home folder itself', () => {
    const link = join(home, '../link');
    symlinkSync(home, link);
    expect(ownFolder(parts, { home: link })).toBe(join(home, ...parts));
  });

  it.runIf(isRoot).each([1, 2, 3])('refuses one of another user, or below one (%i)', (count) => {
    make();
    chownSync(join(home, ...parts.slice(0, count)), 4321, 4321);
    expect(ownFolder(parts, { home })).toBeUndefined();
  });

  it('does without a home folder', () => {
    for (const none of ['', '.', join(home, 'absent\0'), '/dev/null'])
      expect(ownFolder(parts, { home: none })).toBeUndefined();
  });
});

describe('the compile cache', () => {
  const run = (HOME: string, shared: string): void => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'src/cli/main.ts'), '--version'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME, TMPDIR: shared },
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  };

  it.each(['empty', 'prepared by another user'])('is never in the shared folder, %s', (kind) => {
    const shared = join(home, '../shared');
    const planted = join(shared, 'node-compile-cache');
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    if (kind !== 'empty') {
      mkdirSync(planted);
      chmodSync(planted, 0o777);
    }
    run(home, shared);
    expect(readdirSync(shared)).toEqual(kind === 'empty' ? [] : ['node-compile-cache']);
    if (kind !== 'empty') expect(readdirSync(planted)).toEqual([]);
    expect(readdirSync(join(home, ...parts))).toHaveLength(1);
    expect(statSync(join(home, ...parts)).mode & 0o777).toBe(0o700);
  });

  it('is nowhere if the folder of the user is open to others', () => {
    const shared = join(home, '../shared');
    mkdirSync(shared);
    make();
    chmodSync(join(home, ...parts), 0o777);
    run(home, shared);
    expect(readdirSync(join(home, ...parts))).toEqual([]);
    expect(readdirSync(shared)).toEqual([]);
  });
});
