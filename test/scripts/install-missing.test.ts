// The installer, run in a small repository of its own beside a stand-in for npm that writes down how it was called.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../source-files.ts';

const packages = {
  '': { name: 'small' },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/b': { version: '2.0.0', dev: true },
  'node_modules/native-here': { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] },
  'node_modules/native-elsewhere': { version: '1.0.0', optional: true, os: ['plan9'], cpu: [process.arch] },
};

/** Stands in for npm: installs what the lock says, as far as npm-behaviour.json lets it, and logs its arguments. */
const standIn = `
const fs = require('node:fs'), path = require('node:path');
const behaviour = JSON.parse(fs.readFileSync('npm-behaviour.json', 'utf8'));
fs.appendFileSync('npm-calls.txt', process.argv.slice(2).join(' ') + '\\n');
if (behaviour.fails) { console.error('npm error network'); process.exit(1); }
const production = process.argv.includes('--omit=dev');
const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8')).packages;
const installed = {};
for (const [name, entry] of Object.entries(lock)) {
  if (name === '' || (production && entry.dev) || entry.os?.includes('plan9')) continue;
  fs.mkdirSync(name, { recursive: true });
  installed[name] = { version: entry.version };
}
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: installed }));
`;

/** Stands in for what builds the program or the pages: writes down how it was called, and fails where it is told to. */
const builder = `
import { appendFileSync, existsSync } from 'node:fs';
appendFileSync('builds.txt', process.argv.slice(2).join(' ') + '\\n');
if (existsSync('broken') && process.argv[1].includes('web')) process.exit(1);
`;

describe('install-missing', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'footnote-install-'));
    write('package-lock.json', { packages });
    write('npm-behaviour.json', { fails: false });
    mkdirSync(join(folder, 'scripts'));
    mkdirSync(join(folder, 'web'));
    for (const script of ['scripts/bundle.mjs', 'web/build.mjs']) writeFileSync(join(folder, script), builder);
    writeFileSync(join(folder, 'npm.cjs'), standIn);
    copyFileSync(join(root, 'scripts/install-missing.mjs'), join(folder, 'scripts/install-missing.mjs'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(path: string, value: unknown): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(value));
  }
  function run(...args: string[]): { status: number | null; stderr: string; stdout: string } {
    return spawnSync(process.execPath, [join(folder, 'scripts/install-missing.mjs'), ...args], {
      cwd: tmpdir(),
      env: { ...process.env, npm_execpath: join(folder, 'npm.cjs') },
      encoding: 'utf8',
    });
  }
  const calls = (): string[] => {
    const path = join(folder, 'npm-calls.txt');
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  };

  it('installs production packages in a fresh clone, once, and says nothing on standard output', () => {
    const first = run('--production');
    expect(first).toMatchObject({ status: 0, stdout: '' });
    expect(first.stderr).toContain('installing what is missing');
    expect(run('--production')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(calls()).toEqual(['ci --no-audit --no-fund --loglevel=error --omit=dev']);
  });

  it('adds the development packages without emptying node_modules, after which running needs nothing', () => {
    run('--production');
    run();
    run('--production');
    run();
    expect(calls().slice(1)).toEqual(['install --no-audit --no-fund --loglevel=error --no-save --include=dev']);
  });

  it('installs again when the lock changed', () => {
    run();
    write('package-lock.json', { packages: { ...packages, 'node_modules/a': { version: '1.1.0' } } });
    run();
    expect(calls()).toHaveLength(2);
    run();
    expect(calls()).toHaveLength(2);
  });

  it('accepts what somebody installed by hand, and a lock that changed in nothing that is installed', () => {
    run();
    rmSync(join(folder, 'node_modules/.footnote-install.json'));
    run();
    write('package-lock.json', { packages, note: 'reformatted' });
    run();
    expect(calls()).toHaveLength(1);
  });

  it('notices an install that was cut short and a package for this machine that is absent', () => {
    run();
    rmSync(join(folder, 'node_modules/.footnote-install.json'));
    rmSync(join(folder, 'node_modules/native-here'), { recursive: true });
    run();
    expect(calls()).toHaveLength(2);
    rmSync(join(folder, 'node_modules/.package-lock.json'));
    run();
    expect(calls().at(-1)).toMatch(/^ci /);
  });

  it('says what to do when npm fails, and tries again next time', () => {
    write('npm-behaviour.json', { fails: true });
    const failed = run('--production');
    expect(failed.status).toBe(1);
    expect(failed.stderr).toContain('could not install the dependencies: npm ended with code 1');
    expect(failed.stderr).toContain('npm ci --omit=dev');
    write('npm-behaviour.json', { fails: false });
    expect(run('--production').status).toBe(0);
  });

  it('has the program and the pages built where they are older than their sources, and says what to do when that fails', () => {
    run('--production');
    run('--production');
    expect(readFileSync(join(folder, 'builds.txt'), 'utf8')).toBe('--if-stale\n'.repeat(4));
    write('broken', true);
    const failed = run('--production');
    expect(failed).toMatchObject({ status: 1, stdout: '' });
    expect(failed.stderr).toContain('npm run build:web');
  });
});
