// What runs .gguf models is taken from a copy where there is no network: whole, in the pinned version and with the library of this machine, or not at all.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRuntime, installRuntime, libraryHere, runtimeVersion } from '../../../src/models/gguf/runtime.ts';
import { openFolder } from '../hub/stand-in-hub.ts';

let folder: ReturnType<typeof openFolder>;
let copy: ReturnType<typeof openFolder>;
beforeEach(() => {
  folder = openFolder();
  copy = openFolder();
});
afterEach(() => {
  folder.remove();
  copy.remove();
});

function put(name: string, version = runtimeVersion): void {
  const path = join(copy.path, 'node_modules', name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name, version }));
}
const install = (runtimeFrom: string) => installRuntime({ folder: folder.path, runtimeFrom });

describe('an unpacked copy', () => {
  it.each(['', 'node_modules'])('is taken from %j of its folder', async (below) => {
    put('node-llama-cpp');
    put(libraryHere());
    put('.bin/something');
    expect(await findRuntime(folder.path)).toBeUndefined();
    const path = await install(join(copy.path, below));
    expect([path, await findRuntime(folder.path)]).toEqual([path, path]);
    expect(existsSync(join(path, 'package.json'))).toBe(true);
    expect(readdirSync(join(folder.path, 'runtime', 'node_modules')).sort()).toEqual([
      '@node-llama-cpp',
      'node-llama-cpp',
    ]);
  });

  it('of another version, or without the library of this machine, is refused and changes nothing', async () => {
    put('node-llama-cpp');
    await expect(install(copy.path)).rejects.toMatchObject({ code: 'not-found' });
    put(libraryHere(), '3.0.0');
    await expect(install(copy.path)).rejects.toMatchObject({ code: 'not-found' });
    writeFileSync(join(copy.path, 'node_modules', libraryHere(), 'package.json'), 'no JSON');
    await expect(install(copy.path)).rejects.toMatchObject({ code: 'not-found' });
    await expect(install(join(copy.path, 'nowhere'))).rejects.toMatchObject({ code: 'not-found' });
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
