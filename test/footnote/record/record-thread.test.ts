// Long documents over the whole facade: what the thread reads is what is read in place, for the same callers, and a deletion takes everything.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { localScope, type Scope } from '../../../src/core/scope.ts';
import { openSqliteRecord } from '../../../src/db/sqlite/sqlite.ts';
import type { AddDocument } from '../../../src/footnote/facade.ts';
import { viewOf } from '../../../src/footnote/record/document-view.ts';
import { turnsWhile } from '../../../testkit/event-loop-turns.ts';
import { type OpenedFootnote, openFootnote } from '../../../testkit/open-footnote.ts';

let folder = '';
let opened: OpenedFootnote;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-record-thread-'));
  opened = await openFootnote(
    loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data'), MODEL_EMBED: 'none' } }),
  );
});
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});

const scopeOf = (groups: readonly string[], tenant = 'default'): Scope => ({
  tenant,
  principal: { id: groups.join(), role: 'writer', groups: [...groups] },
});
const lines = (word: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `The ${word} ${at} — “quay ${at % 9}” 𝄞\tcarries ${at * 3} people.`).join(
    '\n',
  );
const add = async (text: string, facts: Partial<AddDocument> = {}, scope = localScope()): Promise<string> => {
  const [added] = await opened.forScope(scope).documents.add({ text, mime: 'text/plain', ...facts });
  return added?.id ?? '';
};
const parsed = (bytes: Uint8Array | undefined): unknown => JSON.parse(new TextDecoder().decode(bytes));

describe('a long document', { timeout: 120_000 }, () => {
  it('is printed and shown as it is read in place', async () => {
    const text = `# Ferries\n\n${lines('ferry', 12_000)}\n`;
    const id = await add(text, { uri: 'ferries.md', mime: 'text/markdown' });
    const { documents } = opened.forScope(localScope());
    const whole = await documents.text(id);
    const structure = await documents.structure(id);
    expect(parsed(await documents.print?.(id, 'text'))).toEqual(whole);
    expect(parsed(await documents.print?.(id, 'text', { start: 400_000, end: 400_050 }))).toEqual(
      await documents.text(id, { start: 400_000, end: 400_050 }),
    );
    expect(parsed(await documents.print?.(id, 'chunks'))).toEqual({ data: await documents.chunks(id) });
    expect(parsed(await documents.print?.(id, 'structure'))).toEqual(structure);
    const { bytes, mime, name } = await documents.file(id);
    expect([new TextDecoder().decode(bytes) === text, mime, name]).toEqual([
      true,
      'text/plain; charset=utf-8',
      'ferries.md',
    ]);
    const document = await documents.get(id);
    for (const range of [{}, { start: 450_000, end: 450_100 }, { start: 5, end: 9, from: 500_000 }])
      expect(await documents.view?.(id, range)).toEqual(viewOf({ document, text: whole.text, structure }, range));
    await expect(documents.boxes(id, { page: 1 })).rejects.toMatchObject({ code: 'unsupported' });
    for (const range of [
      { start: 5, end: text.length + 1 },
      { start: 9, end: 5 },
    ]) {
      await expect(documents.print?.(id, 'text', range)).rejects.toMatchObject({ code: 'invalid-request' });
      await expect(documents.view?.(id, range)).rejects.toMatchObject({ code: 'invalid-request' });
    }
  });

  it('is read by nobody who may not read it', async () => {
    const id = await add(lines('secret', 12_000), { access: ['crew'] }, scopeOf(['crew']));
    expect(parsed(await opened.forScope(scopeOf(['crew'])).documents.print?.(id, 'chunks'))).toMatchObject({
      data: expect.any(Array),
    });
    for (const scope of [scopeOf(['guests']), scopeOf(['crew'], 'other')]) {
      const { documents } = opened.forScope(scope);
      for (const part of ['text', 'chunks', 'structure'] as const)
        await expect(documents.print?.(id, part)).rejects.toMatchObject({ code: 'not-found' });
      await expect(documents.view?.(id, {})).rejects.toMatchObject({ code: 'not-found' });
      await expect(documents.boxes(id, { page: 1 })).rejects.toMatchObject({ code: 'not-found' });
      await expect(documents.file(id)).rejects.toMatchObject({ code: 'not-found' });
      await expect(documents.delete(id)).rejects.toMatchObject({ code: 'not-found' });
    }
    expect((await opened.forScope(scopeOf(['crew'])).documents.get(id)).chunkCount).toBeGreaterThan(100);
  });

  it('is deleted with all that is indexed of it, while others have their turns and write', async () => {
    const footnote = opened.forScope(localScope());
    const id = await add(lines('dinghy', 20_000), { uri: 'dinghies.txt' });
    expect((await footnote.search({ query: 'dinghy', mode: 'embedded' })).results.length).toBeGreaterThan(0);
    const { turns } = await turnsWhile(() =>
      Promise.all([footnote.documents.delete(id), add('A note about a yawl.', { uri: 'yawl.txt' })]),
    );
    expect(turns).toBeGreaterThan(20);
    await expect(footnote.documents.get(id)).rejects.toMatchObject({ code: 'not-found' });
    expect((await footnote.search({ query: 'dinghy', mode: 'embedded' })).results).toEqual([]);
    expect((await footnote.search({ query: 'yawl', mode: 'embedded' })).results).toHaveLength(1);
    await expect(footnote.documents.delete(id)).rejects.toMatchObject({ code: 'not-found' });
    expect(await opened.check()).toEqual([]);
  });

  it('short ones are read in place', async () => {
    const { documents } = opened.forScope(localScope());
    const id = await add('A short note.');
    expect([await documents.print?.(id, 'text'), await documents.view?.(id, {})]).toEqual([undefined, undefined]);
  });
});

describe('the queue of writes', () => {
  it('writes nothing beside work on another connection, and all in turn', async () => {
    const data = join(folder, 'queue');
    const database = openSqliteRecord({ folder: data });
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const write = (name: string) => database.write(() => void order.push(name));
    const works = [
      write('first'),
      database.exclusively(async () => {
        order.push('begun');
        await gate.promise;
        order.push('ended');
      }),
      write('after'),
      expect(database.exclusively(() => Promise.reject(new Error('it fails')))).rejects.toThrow('it fails'),
      write('last'),
    ];
    await works[0];
    while (!order.includes('begun')) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(['first', 'begun']);
    gate.resolve();
    await Promise.all(works);
    expect(order).toEqual(['first', 'begun', 'ended', 'after', 'last']);
    await database.close();
    await expect(database.exclusively(async () => 1)).rejects.toMatchObject({ code: 'internal' });
    expect(await readdir(data)).toContain('record.sqlite');
  });
});
