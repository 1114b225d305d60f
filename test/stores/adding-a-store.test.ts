// docs/adding-a-store.md is tried: its store is made by its steps alone, in a folder outside, with what the package gives and nothing else.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../testkit/record-fixture.ts';
import { readText, root } from '../source-files.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

/** By the name that the first line of each says. */
const files = new Map(
  [...readText('docs/adding-a-store.md').matchAll(/^```js\n\/\/ ([\w-]+\.mjs): [\s\S]*?^```$/gm)].map((match) => [
    match[1] ?? '',
    match[0].slice('```js\n'.length, -'```'.length),
  ]),
);
const places = { 'footnote-server/testing': 'src/testing/index.ts', 'footnote-server': 'src/index.ts' };

function put(name: string, text: string): void {
  let placed = text;
  for (const [entry, path] of Object.entries(places))
    placed = placed.replaceAll(`from '${entry}'`, `from '${pathToFileURL(join(root, path)).href}'`);
  writeFileSync(join(folder, name), placed);
}

function run(name: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [name], { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] } });
}

beforeAll(() => {
  expect([...files.keys()]).toEqual(['shelf.mjs', 'check-shelf.mjs', 'use-shelf.mjs']);
  for (const [name, text] of files) put(name, text);
});

it('the store of the page keeps the promises of every store', () => {
  const { status, stdout, stderr } = run('check-shelf.mjs');
  expect(status, stdout + stderr).toBe(0);
  const outcomes = stdout.trim().split('\n');
  expect(outcomes.at(-1)).toBe('24 promises are kept');
  expect(outcomes.filter((line) => line.startsWith('left-out'))).toHaveLength(2);
});

it('answers a question out of it', () => {
  const { status, stdout, stderr } = run('use-shelf.mjs');
  expect(status, stderr).toBe(0);
  expect(stdout.trim()).toBe('The notice period is three months. (found by shelf)');
});

it('fails a store that lets anybody read everything', () => {
  const shelf = files.get('shelf.mjs') ?? '';
  const leaking = shelf.replace('mayRead(principal, access)', 'true');
  expect(leaking).not.toBe(shelf);
  put('shelf.mjs', leaking);
  const { status, stdout } = run('check-shelf.mjs');
  expect(status).not.toBe(0);
  expect(stdout).toContain('broken: shows a document with an access list to those it names, and to admins');
});
