// Changes and expectations as data: what a commit makes, what it leaves, and what it says of each.
import { describe, expect, it } from 'vitest';
import { isUnmet, type RecordChange } from '../../../src/db/repositories/changes.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();

const put = (text: string, id: string, more: object = {}): RecordChange => ({
  kind: 'put-document',
  write: createWrite(text, { id, uri: `${id}.md`, ...more }),
});
const idsOf = async (): Promise<string[]> => (await place.tenant.documents.list({})).data.map(({ id }) => id);
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('commit', () => {
  it('makes changes in their order and says which of them changed something', async () => {
    const { applied, heldMs } = await place.tenant.commit([
      put('one', 'a'),
      { kind: 'delete-document', id: 'b' },
      put('two', 'b'),
      { kind: 'delete-document', id: 'a' },
      { kind: 'put-reading', documentId: 'b', textHash: 'another', reading: 'text 2' },
    ]);
    expect(applied).toEqual([true, false, true, true, false]);
    expect(heldMs).toBeGreaterThan(0);
    expect(await idsOf()).toEqual(['b']);
    expect((await place.tenant.commit([])).applied).toEqual([]);
  });

  it('leaves nothing of one that fails at its last change, and lets the others of its group through', async () => {
    const store = createEmbeddedStore({ database: place.record, scope: scopeOf() });
    const broken: RecordChange = { kind: 'add-target', documentId: 'nobody', store: 'far' };
    const write = createWrite('the heron waits', { id: 'b', uri: 'b.md' });
    const outcomes = await Promise.allSettled([
      place.tenant.commit([put('one', 'a')]),
      place.tenant.commit([{ kind: 'put-document', write }, store.entries.put([write]), broken]),
      place.tenant.commit([put('three', 'c')]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await idsOf()).toEqual(['a', 'c']);
    expect((await store.search({ text: 'heron', mode: 'lexical', limit: 3 })).hits).toEqual([]);
    await place.tenant.commit([{ kind: 'put-document', write }, store.entries.put([write])]);
    expect((await store.search({ text: 'heron', mode: 'lexical', limit: 3 })).hits).toHaveLength(1);
    await place.tenant.commit([store.entries.delete(['b']), { kind: 'delete-document', id: 'b' }]);
    expect((await store.search({ text: 'heron', mode: 'lexical', limit: 3 })).hits).toEqual([]);
  });

  it('refuses entries of a store that it does not keep', async () => {
    const change = { kind: 'put-entries', store: 'elsewhere', documents: [] } as const;
    await expect(place.tenant.commit([put('one', 'a'), change])).rejects.toMatchObject({ code: 'internal' });
    expect(await idsOf()).toEqual([]);
  });

  it('changes nothing where what was expected is not so any more, and says which it was', async () => {
    await place.tenant.commit([{ kind: 'put-source', source: { name: 'notes', type: 'docs' } }, put('one', 'a')]);
    const gone = { kind: 'source', name: 'gone' } as const;
    const error = await errorOf(place.tenant.commit([put('two', 'b')], { expect: [gone] }));
    expect(error).toMatchObject({ code: 'conflict', details: { unmet: gone } });
    expect(isUnmet(error)).toBe(true);
    for (const revision of [2, 'none'] as const) {
      const stale = { kind: 'document', id: 'a', revision } as const;
      expect(isUnmet(await errorOf(place.tenant.commit([put('two', 'b')], { expect: [stale] })))).toBe(true);
    }
    expect(await idsOf()).toEqual(['a']);
    await place.tenant.commit([put('again', 'a', { revision: 2 })], {
      expect: [
        { kind: 'source', name: 'notes' },
        { kind: 'document', id: 'a', revision: 1 },
        { kind: 'document', id: 'b', revision: 'none' },
      ],
    });
    expect(await place.tenant.documents.text('a')).toBe('again');
    // Another conflict is none that trying again could end.
    const taken = await errorOf(place.tenant.commit([put('other', 'x', { uri: 'a.md' })]));
    expect(taken).toMatchObject({ code: 'conflict' });
    expect(isUnmet(taken)).toBe(false);
  });

  it('expects of what the caller may not read that it is not there', async () => {
    await place.tenant.commit([put('secret', 'a', { access: ['board'] })]);
    const other = place.record.forScope(scopeOf('default', 'key_1', 'writer', []));
    const mine = put('mine', 'm');
    expect(isUnmet(await errorOf(other.commit([mine], { expect: [{ kind: 'document', id: 'a', revision: 1 }] })))).toBe(
      true,
    );
    await other.commit([mine], { expect: [{ kind: 'document', id: 'a', revision: 'none' }] });
    expect(await idsOf()).toEqual(['a', 'm']);
  });
});
