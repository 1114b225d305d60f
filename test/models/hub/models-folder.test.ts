// The folder of models: what is on this machine comes in whole or not at all, is read again byte by byte, and goes out with its entry.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import { findGguf } from '../../../src/models/gguf/gguf-file.ts';
import { addModel, removeModel, verifyModels } from '../../../src/models/hub/models-folder.ts';
import { changeLock, noteUse, readLock } from '../../../src/models/local/lock.ts';
import { type Files, ggufBytes, localFiles, openFolder } from './stand-in-hub.ts';

let folder: ReturnType<typeof openFolder>;
let here: ReturnType<typeof openFolder>;
beforeEach(() => {
  folder = openFolder();
  here = openFolder();
});
afterEach(() => {
  folder.remove();
  here.remove();
});

function write(files: Files, below = 'model'): string {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(here.path, below, path)), { recursive: true });
    writeFileSync(join(here.path, below, path), bytes);
  }
  return join(here.path, below);
}
const gguf = (bytes: Uint8Array = ggufBytes()): string => join(write({ 'a.gguf': bytes }), 'a.gguf');
const add = (path: string, more: object = {}) => addModel({ folder: folder.path, path, name: 'mine', ...more });
const errorOf = async (promise: Promise<unknown>): Promise<FootnoteError> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(FootnoteError);
  return thrown as FootnoteError;
};

describe('a model of this machine', () => {
  it('comes as a copy, or as a link', async () => {
    const path = gguf();
    expect((await add(path)).kind).toBe('writer');
    expect(statSync(path).nlink).toBe(1);
    expect(await findGguf(folder.path, 'mine')).toBe(join(folder.path, 'mine', 'a.gguf'));
    await add(path, { name: 'linked', isLinked: true });
    expect(statSync(path).nlink).toBe(2);
    await removeModel(folder.path, 'linked');
    expect([statSync(path).nlink, Object.keys(await readLock(folder.path))]).toEqual([1, ['mine']]);
  });

  it.each([
    ['BertModel', 0, 'encoder'],
    ['BertForSequenceClassification', 1, 'order'],
    ['DebertaV2ForSequenceClassification', 3, 'judge'],
  ])('of %s with %i classes is told for what it is', async (classes, labels, kind) => {
    const files = { ...localFiles(classes, labels), '1_Pooling/config.json': Buffer.from('{}') };
    const entry = await add(write({ ...files, 'pytorch_model.bin': ggufBytes(), 'modeling.py': Buffer.from('1') }));
    expect([entry.kind, entry.files.map(({ path }) => path)]).toEqual([kind, Object.keys(files).sort()]);
  });

  it.each([
    ['a text', 'please log in '.repeat(300)],
    ['no version', Buffer.from(ggufBytes()).fill(9, 4, 5)],
    ['no tensors', Buffer.from(ggufBytes()).fill(0, 8, 16)],
    ['a key of 16 exabytes', Buffer.from(ggufBytes()).fill(255, 24, 32)],
    ['a key that is no text', Buffer.from(ggufBytes()).fill(0, 32, 40)],
    ['its head alone', ggufBytes(20)],
  ])('that is %s is refused', async (_, bytes) => {
    expect((await errorOf(add(gguf(Buffer.from(bytes as Uint8Array))))).code).toBe('invalid-media');
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('that lacks what local models need is refused with the fault', async () => {
    const { 'tokenizer.json': _, ...files } = localFiles();
    expect((await errorOf(add(write(files)))).details).toEqual({ fault: 'no-tokenizer' });
    expect((await errorOf(add(write({ 'config.json': Buffer.from('{}') }, 'bare')))).code).toBe('invalid-request');
    expect((await errorOf(add(join(here.path, 'nowhere')))).code).toBe('not-found');
    expect(existsSync(join(folder.path, 'mine'))).toBe(false);
  });

  it('brings no link of its folder, and does not fill the disk', async () => {
    const path = write(localFiles());
    writeFileSync(join(here.path, 'secret.json'), '{"a":1}');
    symlinkSync(join(here.path, 'secret.json'), join(path, 'modules.json'));
    expect((await errorOf(add(path, { freeBytes: async () => 5 }))).code).toBe('storage-full');
    const entry = await add(path);
    expect(entry.files.some((file) => file.path === 'modules.json')).toBe(false);
  });
});

describe('what is there', () => {
  it('is read again: a byte that changed, and a file that is gone', async () => {
    await add(gguf());
    await add(write(localFiles(), 'other'), { name: 'other' });
    const file = join(folder.path, 'mine', 'a.gguf');
    const bytes = readFileSync(file);
    bytes[3000] = (bytes[3000] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    expect(await verifyModels(folder.path)).toEqual([
      { name: 'mine', ok: false, wrong: ['a.gguf'] },
      { name: 'other', ok: true, wrong: [] },
    ]);
    const leaving = AbortSignal.abort(new FootnoteError('cancelled', 'Interrupted.'));
    await expect(verifyModels(folder.path, 'other', leaving)).rejects.toThrow();
    await removeModel(folder.path, 'mine');
    expect((await errorOf(verifyModels(folder.path, 'mine'))).code).toBe('not-found');
    expect((await errorOf(removeModel(folder.path, 'mine'))).code).toBe('not-found');
    expect(readdirSync(folder.path).sort()).toEqual(['lock.json', 'other']);
  });

  it('is removed by its name alone, and nothing that was put there by hand', async () => {
    mkdirSync(join(folder.path, 'by-hand'));
    for (const [name, code] of [
      ['by-hand', 'not-found'],
      ['..', 'invalid-request'],
      ['../x', 'invalid-request'],
      ['runtime', 'invalid-request'],
      ['constructor', 'not-found'],
    ])
      expect((await errorOf(removeModel(folder.path, String(name)))).code).toBe(code);
    expect(existsSync(join(folder.path, 'by-hand'))).toBe(true);
  });

  it('remembers its last use, an hour apart, and only of what the lock has', async () => {
    await add(gguf());
    const at = (time: string): Promise<void> => noteUse(folder.path, 'mine', new Date(`2026-11-29T${time}Z`));
    const used = async () => (await readLock(folder.path))['mine']?.lastUsedAt;
    expect(await used()).toBeUndefined();
    for (const [time, kept] of [
      ['10:00:00', '10:00:00'],
      ['10:59:00', '10:00:00'],
      ['11:01:00', '11:01:00'],
    ]) {
      await at(String(time));
      expect(await used()).toBe(`2026-11-29T${kept}.000Z`);
    }
    await noteUse(folder.path, 'unknown');
    await noteUse(join(folder.path, 'nowhere'), 'mine');
    expect(Object.keys(await readLock(folder.path))).toEqual(['mine']);
  });
});

describe('the lock', () => {
  it('loses nothing where many change it at once', async () => {
    const { mine } = { mine: { kind: 'writer' as const, addedAt: '', files: [] } };
    const names = Array.from({ length: 20 }, (_, at) => `m${at}`);
    await Promise.all(names.map((name) => changeLock(folder.path, (lock) => ({ ...lock, [name]: mine }))));
    expect(Object.keys(await readLock(folder.path)).toSorted()).toEqual(names.toSorted());
    expect(readdirSync(folder.path)).toEqual(['lock.json']);
  });

  it('that is damaged says so, and is not written over', async () => {
    writeFileSync(join(folder.path, 'lock.json'), '{"version":2}');
    expect((await errorOf(add(gguf()))).code).toBe('config-invalid');
    expect(readFileSync(join(folder.path, 'lock.json'), 'utf8')).toBe('{"version":2}');
    expect(readdirSync(folder.path)).toEqual(['lock.json']);
  });
});
