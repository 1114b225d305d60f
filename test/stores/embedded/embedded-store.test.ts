// What the embedded store promises beyond the port: it lives in the record's file, and what is deleted is gone from it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keptJson } from '../../../src/core/traces/kept-json.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';
import { putText } from '../put-text.ts';

const admin = scopeOf();
const place = recordForEachTest();

const put = (id: string, text: string, language = 'en'): Promise<void> => putText(place.record, { id, text, language });

async function remove(id: string): Promise<void> {
  await place.record
    .forScope(admin)
    .commit([
      createEmbeddedStore({ database: place.record, scope: admin }).entries.delete([id]),
      { kind: 'delete-document', id },
    ]);
}

const bytesOnDisk = (): string =>
  readdirSync(place.folder)
    .map((name) => readFileSync(join(place.folder, name), 'latin1'))
    .join('');

describe('embedded store', () => {
  it('vouches for the JSON of a page, and nobody can tell it from another', async () => {
    await put('otter', 'An otter swims.');
    const store = createEmbeddedStore({ database: place.record, scope: admin });
    const page = await store.search({ text: 'otter', mode: 'lexical', limit: 5 });
    expect(page.hits).toHaveLength(1);
    expect(keptJson(page)).toBe(JSON.stringify(page));
    expect(Object.keys(page)).toEqual(['hits', 'degraded']);
  });

  it('finds the same after the folder was closed and opened again', async () => {
    await put('otter', 'An otter swims.');
    const search = () =>
      createEmbeddedStore({ database: place.record, scope: admin }).search({
        text: 'otters',
        mode: 'lexical',
        limit: 5,
      });
    const before = await search();
    expect(before.hits).toHaveLength(1);
    await place.reopen();
    expect(await search()).toEqual(before);
  });

  it('leaves no trace of a deleted document in the file', async () => {
    for (let index = 0; index < 20; index++) await put(`d${index}`, `Document ${index} tells of otters and herons.`);
    await put('secret', 'The zanzibarquux is here, and the xylomorphic one too.');
    expect(bytesOnDisk()).toContain('zanzibarquux');
    await remove('secret');
    await place.record.write((connection) => connection.prepare('SELECT 1').get());
    let left = '';
    await place.reopen(() => {
      left = bytesOnDisk();
    });
    expect(left).toContain('heron');
    for (const canary of ['zanzibarquux', 'xylomorph']) expect(left).not.toContain(canary);
  });

  it('keeps an index that SQLite finds sound through many revisions', async () => {
    for (let round = 0; round < 3; round++)
      for (let index = 0; index < 30; index++)
        await put(`d${index}`, `Revision ${round} of ${index}: ${'the otter dives '.repeat((index + round) % 5)}`);
    for (let index = 0; index < 30; index += 3) await remove(`d${index}`);
    expect(await place.record.check()).toEqual([]);
    const store = createEmbeddedStore({ database: place.record, scope: admin });
    expect(await store.health()).toMatchObject({ documents: 20 });
    expect((await store.search({ text: 'revision', mode: 'lexical', limit: 100 })).hits).toHaveLength(
      (await store.health()).chunks,
    );
  });

  it('scores a part of it as it did before one document in another language came to another part', async () => {
    for (let at = 0; at < 12; at += 1)
      await put(
        `en-${at}`,
        `The genomes project ${at % 3 ? 'maps genetic sequences' : 'looks at rare genetic diseases'} of ${at} nations.`,
      );
    const search = () =>
      createEmbeddedStore({ database: place.record, scope: admin }).search({
        text: 'rare diseases of the genomes project',
        mode: 'lexical',
        limit: 5,
        filter: { op: 'glob', field: 'uri', value: '**en-*' },
        statistics: 'own',
      });
    const before = await search();
    expect([before.hits.length, before.ceiling]).toEqual([5, expect.any(Number)]);
    await put('de', 'Die seltenen Krankheiten der Nationen.', 'de');
    await put('nl', 'De zeldzame ziekten van de landen.', 'nl');
    const after = await search();
    const scores = ({ hits }: typeof before) => hits.map(({ chunkId, score }) => [chunkId, Number(score.toFixed(9))]);
    expect(scores(after)).toEqual(scores(before));
    expect(after.ceiling).toBeCloseTo(before.ceiling ?? 0, 9);
  });

  it('looks a query up in the languages that the index holds, and forgets those it no longer does', async () => {
    await put('en', 'The houses were built.');
    await put('de', 'Die alten Häuser wurden gebaut.', 'de');
    const store = createEmbeddedStore({ database: place.record, scope: admin });
    const find = async (text: string) =>
      (await store.search({ text, mode: 'lexical', limit: 5, explain: true })).hits.map((hit) => [
        hit.documentId,
        hit.explanation?.terms.map((term) => term.term),
      ]);
    expect(await find('Häuser')).toEqual([['de', ['haus']]]);
    expect(await find('houses')).toEqual([['en', ['hous']]]);
    await remove('de');
    expect(await find('Häuser')).toEqual([]);
  });
});
