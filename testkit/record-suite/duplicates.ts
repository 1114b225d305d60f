// Links between documents that say the same: both ways, gone with either, never shown to whom may not read the other. Run over each database by test/db.
import { expect, it } from 'vitest';
import type { DocumentRecord } from '../../src/core/document.ts';
import type { DocumentWrite } from '../../src/db/repositories/changes.ts';
import { fingerprintOf } from '../../src/text/minhash.ts';
import { deleteAll, putAll } from '../record-changes.ts';
import { createWrite, scopeOf } from '../record-fixture.ts';
import type { SuitePlace } from './place.ts';

const story = Array.from({ length: 120 }, (_, index) => `word${index}`).join(' ');
const other = Array.from({ length: 120 }, (_, index) => `else${index}`).join(' ');
const printed = (text: string, facts: Partial<DocumentRecord>): DocumentWrite => ({
  ...createWrite(text, facts),
  fingerprint: fingerprintOf(text),
});
export function duplicateSuite(place: SuitePlace): void {
  const put = (...writes: DocumentWrite[]): Promise<unknown> => place.tenant.commit(putAll(writes));
  const linksOf = async (id: string, handle = place.tenant) =>
    (await handle.documents.duplicates(id)).map(({ documentId, kind }) => `${documentId} ${kind}`);
  const rowsOf = async (table: string): Promise<number> => (await place.run(`SELECT 1 FROM ${table}`)).length;

  it('are linked both ways, with what they are called and how near they are', async () => {
    await put(printed(story, { id: 'a', uri: 'a.md' }), printed(other, { id: 'b', uri: 'b.md' }));
    await put(
      printed(`Home. About us.\n\n${story.replace('word60', 'changed')}`, { id: 'c', uri: 'c.md', title: 'C' }),
    );
    await put(printed(story.toUpperCase(), { id: 'd', uri: 'd.md' }));
    expect(await linksOf('a')).toEqual(['d exact', 'c near']);
    expect(await linksOf('c')).toEqual(['a near', 'd near']);
    expect(await linksOf('b')).toEqual([]);
    const [, near] = await place.tenant.documents.duplicates('a');
    expect(near).toMatchObject({ title: 'C', uri: 'c.md' });
    expect(near?.similarity).toBeCloseTo(111 / 116, 10);
    const pairs = (await place.tenant.documents.duplicatesAmong(['a', 'b', 'c'])).map(String);
    expect(pairs.sort()).toEqual(['a,c', 'c,a']);
  });

  it('go with the text that they were of', async () => {
    await put(printed(story, { id: 'a', uri: 'a.md' }), printed(`${story} more`, { id: 'b', uri: 'b.md' }));
    await put(printed(other, { id: 'b', uri: 'b.md', revision: 2 }));
    expect(await linksOf('a')).toEqual([]);
    await put(printed(`more ${other}`, { id: 'c', uri: 'c.md' }));
    expect(await linksOf('c')).toEqual(['b near']);
    await place.tenant.commit(deleteAll(['a', 'b', 'c']));
    for (const table of ['fingerprint', 'fingerprint_key', 'duplicate_link'])
      expect([table, await rowsOf(table)]).toEqual([table, 0]);
  });

  it('keep to the tenant, and show nobody what they may not read', async () => {
    await put(printed(story, { id: 'a', uri: 'a.md' }), printed(story, { id: 'b', uri: 'b.md', access: ['board'] }));
    const reader = place.forScope(scopeOf('default', 'r', 'reader'));
    expect(await linksOf('a')).toEqual(['b exact']);
    expect(await linksOf('a', reader)).toEqual([]);
    expect(await linksOf('b', reader)).toEqual([]);
    expect(await linksOf('a', place.forScope(scopeOf('elsewhere')))).toEqual([]);
    const board = place.forScope(scopeOf('default', 'm', 'reader', ['board']));
    expect(await linksOf('a', board)).toEqual(['b exact']);
  });

  it('are no copies where only the beginning of the hash of their words is the same', async () => {
    const whole = printed(story, { id: 'a', uri: 'a.md' });
    const wordsHash = `${whole.fingerprint?.wordsHash.slice(0, 12)}${'0'.repeat(52)}`;
    const alike = { ...fingerprintOf(other), wordsHash };
    await put(whole, { ...createWrite(other, { id: 'b', uri: 'b.md' }), fingerprint: alike });
    expect(await linksOf('a')).toEqual([]);
    expect(await place.tenant.documents.withDuplicates(['a', 'b'])).toEqual([]);
    expect(await place.tenant.documents.duplicatesAmong(['a', 'b'])).toEqual([]);
    await put(printed(story.toUpperCase(), { id: 'c', uri: 'c.md' }));
    expect(await linksOf('a')).toEqual(['c exact']);
    expect(await place.tenant.documents.withDuplicates(['a', 'b', 'c'])).toEqual(['a', 'c']);
  });

  it('are told for a text that is not recorded, and found among those of the same commit in their order', async () => {
    await put(
      printed(story, { id: 'a', uri: 'a.md' }),
      printed(`${story} more`, { id: 'b', uri: 'b.md', access: ['board'] }),
      printed(`${story} even more`, { id: 'c', uri: 'c.md' }),
      printed(other, { id: 'd', uri: 'd.md' }),
    );
    expect(await linksOf('b')).toEqual(['c near', 'a near'].sort());
    const near = fingerprintOf(`${story} and more`);
    const similar = async (handle = place.tenant) =>
      (await handle.documents.similar({ id: 'new', uri: 'new.md', title: 'New' }, near)).map(
        ({ documentId }) => documentId,
      );
    expect((await similar()).sort()).toEqual(['a', 'b', 'c']);
    expect((await similar(place.forScope(scopeOf('default', 'r', 'reader')))).sort()).toEqual(['a', 'c']);
    const same = await place.tenant.documents.similar({ id: 'new', uri: 'new.md', title: 'New' }, fingerprintOf(other));
    expect(same.map(({ documentId, kind }) => `${documentId} ${kind}`)).toEqual(['d exact']);
  });

  it('stay few however many copies there are', async () => {
    await put(
      ...Array.from({ length: 120 }, (_, index) =>
        printed(`${story} no ${index}`, { id: `d${index}`, uri: `${index}.md` }),
      ),
    );
    expect((await linksOf('d119')).length).toBe(32);
    expect((await linksOf('d0')).length).toBe(100);
    expect(await rowsOf('duplicate_link')).toBeLessThanOrEqual(2 * 32 * 120);
  });

  it('are told of copies word for word however many there are, and nothing is written for them', async () => {
    await put(
      ...Array.from({ length: 150 }, (_, index) => printed(story, { id: `d${index}`, uri: `${index}.md` })),
      printed(`${story} more`, { id: 'near', uri: 'near.md' }),
    );
    const links = await linksOf('d140');
    expect(links.length).toBe(100);
    expect(links.slice(0, 2)).toEqual(['d0 exact', 'd1 exact']);
    expect((await linksOf('near'))[0]).toMatch(/^d\d+ near$/);
    expect((await place.tenant.documents.duplicatesAmong(['d120', 'd140', 'd149'])).map(String).sort()).toEqual([
      'd120,d140',
      'd120,d149',
      'd140,d120',
      'd140,d149',
      'd149,d120',
      'd149,d140',
    ]);
    expect(await rowsOf('duplicate_link')).toBeLessThanOrEqual(2 * 32);
    await place.tenant.commit([{ kind: 'delete-document', id: 'd0' }]);
    expect((await linksOf('d140'))[0]).toBe('d1 exact');
  });

  it('are found for documents of before, once they get their fingerprint', async () => {
    const old = createWrite(story, { id: 'first', uri: 'first.md' });
    await put(old, printed(`${story} more`, { id: 'second', uri: 'second.md' }));
    expect(await linksOf('second')).toEqual([]);
    expect(await place.tenant.documents.withoutFingerprint('notes', undefined, 10)).toEqual(['first']);
    const give = (hash: string) =>
      place.tenant
        .commit([{ kind: 'put-fingerprint', documentId: 'first', textHash: hash, fingerprint: fingerprintOf(story) }])
        .then(({ applied }) => applied[0]);
    expect(await give('another text')).toBe(false);
    expect(await give(old.document.textHash)).toBe(true);
    expect(await give(old.document.textHash)).toBe(true);
    expect(await linksOf('second')).toEqual(['first near']);
    expect(await place.tenant.documents.withoutFingerprint('notes', undefined, 10)).toEqual([]);
  });

  it.each([
    ['a link', 'UPDATE duplicate_link SET similarity = 0.5'],
    ['a fingerprint', 'UPDATE fingerprint SET runs = runs + 1'],
  ])('show no %s that was changed, and the check says so', async (_, damage) => {
    await put(printed(story, { id: 'a', uri: 'a.md' }), printed(`${story} more`, { id: 'b', uri: 'b.md' }));
    expect(await place.check()).toEqual([]);
    await place.run(damage);
    expect((await place.check()).join('\n')).toMatch(/of document a .*is not what was recorded/);
    if (damage.includes('duplicate_link')) expect(await linksOf('a')).toEqual([]);
    await put(printed(`${story} even more`, { id: 'c', uri: 'c.md' }));
    expect(await linksOf('c')).toEqual(damage.includes('duplicate_link') ? ['a near', 'b near'] : []);
  });
}
