// Links between documents that say the same: both ways, gone with either, never shown to whom may not read the other.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentRecord } from '../../src/core/document.ts';
import type { DocumentWrite, TenantRecord } from '../../src/db/record.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../src/db/sqlite.ts';
import { fingerprintOf } from '../../src/text/minhash.ts';
import { createWrite, scopeOf, temporaryFolder } from './record-fixture.ts';

let place: ReturnType<typeof temporaryFolder>;
let record: SqliteRecordDatabase;
let tenant: TenantRecord;
beforeEach(() => {
  place = temporaryFolder();
  record = openSqliteRecord({ folder: place.folder });
  tenant = record.forScope(scopeOf());
});
afterEach(async () => {
  await record.close();
  place.remove();
});

const story = Array.from({ length: 120 }, (_, index) => `word${index}`).join(' ');
const other = Array.from({ length: 120 }, (_, index) => `else${index}`).join(' ');
const printed = (text: string, facts: Partial<DocumentRecord>): DocumentWrite => ({
  ...createWrite(text, facts),
  fingerprint: fingerprintOf(text),
});
const put = (...writes: DocumentWrite[]): Promise<void> =>
  tenant.transact((transaction) => {
    for (const write of writes) transaction.putDocument(write);
  });
const linksOf = async (id: string, handle = tenant) =>
  (await handle.documents.duplicates(id)).map(({ documentId, kind }) => `${documentId} ${kind}`);
const rowsOf = (table: string): number =>
  record.read((database) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']));

describe('duplicates', () => {
  it('are linked both ways, with what they are called and how near they are', async () => {
    await put(printed(story, { id: 'a', uri: 'a.md' }), printed(other, { id: 'b', uri: 'b.md' }));
    await put(
      printed(`Home. About us.\n\n${story.replace('word60', 'changed')}`, { id: 'c', uri: 'c.md', title: 'C' }),
    );
    await put(printed(story.toUpperCase(), { id: 'd', uri: 'd.md' }));
    expect(await linksOf('a')).toEqual(['d exact', 'c near']);
    expect(await linksOf('c')).toEqual(['a near', 'd near']);
    expect(await linksOf('b')).toEqual([]);
    const [, near] = await tenant.documents.duplicates('a');
    expect(near).toMatchObject({ title: 'C', uri: 'c.md' });
    expect(near?.similarity).toBeCloseTo(111 / 116, 10);
    const pairs = (await tenant.documents.duplicatesAmong(['a', 'b', 'c'])).map(String);
    expect(pairs.sort()).toEqual(['a,c', 'c,a']);
  });

  it('go with the text that they were of', async () => {
    await put(printed(story, { id: 'a', uri: 'a.md' }), printed(`${story} more`, { id: 'b', uri: 'b.md' }));
    await put(printed(other, { id: 'b', uri: 'b.md', revision: 2 }));
    expect(await linksOf('a')).toEqual([]);
    await put(printed(`more ${other}`, { id: 'c', uri: 'c.md' }));
    expect(await linksOf('c')).toEqual(['b near']);
    await tenant.transact((transaction) => ['a', 'b', 'c'].forEach((id) => void transaction.deleteDocument(id)));
    for (const table of ['fingerprint', 'fingerprint_key', 'duplicate_link'])
      expect([table, rowsOf(table)]).toEqual([table, 0]);
  });

  it('keep to the tenant, and show nobody what they may not read', async () => {
    await put(printed(story, { id: 'a', uri: 'a.md' }), printed(story, { id: 'b', uri: 'b.md', access: ['board'] }));
    const reader = record.forScope(scopeOf('default', 'r', 'reader'));
    expect(await linksOf('a')).toEqual(['b exact']);
    expect(await linksOf('a', reader)).toEqual([]);
    expect(await linksOf('b', reader)).toEqual([]);
    expect(await linksOf('a', record.forScope(scopeOf('elsewhere')))).toEqual([]);
    const board = record.forScope(scopeOf('default', 'm', 'reader', ['board']));
    expect(await linksOf('a', board)).toEqual(['b exact']);
  });

  it('stay few however many copies there are', async () => {
    await put(
      ...Array.from({ length: 120 }, (_, index) =>
        printed(`${story} no ${index}`, { id: `d${index}`, uri: `${index}.md` }),
      ),
    );
    expect((await linksOf('d119')).length).toBe(32);
    expect((await linksOf('d0')).length).toBe(100);
    expect(rowsOf('duplicate_link')).toBeLessThanOrEqual(2 * 32 * 120);
  });

  it('are found for documents of before, once they get their fingerprint', async () => {
    const old = createWrite(story, { id: 'first', uri: 'first.md' });
    await put(old, printed(`${story} more`, { id: 'second', uri: 'second.md' }));
    expect(await linksOf('second')).toEqual([]);
    expect(await tenant.documents.withoutFingerprint('notes', undefined, 10)).toEqual(['first']);
    const give = (hash: string): Promise<boolean> =>
      tenant.transact((transaction) => transaction.putFingerprint('first', hash, fingerprintOf(story)));
    expect(await give('another text')).toBe(false);
    expect(await give(old.document.textHash)).toBe(true);
    expect(await give(old.document.textHash)).toBe(true);
    expect(await linksOf('second')).toEqual(['first near']);
    expect(await tenant.documents.withoutFingerprint('notes', undefined, 10)).toEqual([]);
  });

  it.each([
    ['a link', 'UPDATE duplicate_link SET similarity = 0.5'],
    ['a fingerprint', 'UPDATE fingerprint SET runs = runs + 1'],
  ])('show no %s that was changed, and the check says so', async (_, damage) => {
    await put(printed(story, { id: 'a', uri: 'a.md' }), printed(`${story} more`, { id: 'b', uri: 'b.md' }));
    expect(await record.check()).toEqual([]);
    await record.write((database) => database.exec(damage));
    expect((await record.check()).join('\n')).toMatch(/of document a .*is not what was recorded/);
    if (damage.includes('duplicate_link')) expect(await linksOf('a')).toEqual([]);
    await put(printed(`${story} even more`, { id: 'c', uri: 'c.md' }));
    expect(await linksOf('c')).toEqual(damage.includes('duplicate_link') ? ['a near', 'b near'] : []);
  });
});
