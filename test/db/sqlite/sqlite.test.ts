import { describe, expect, it } from 'vitest';
import { isFootnoteError } from '../../../src/core/errors.ts';
import { schemaVersion } from '../../../src/db/sqlite/migrations.ts';
import { failing } from '../../../testkit/record-changes.ts';
import { createWrite, recordForEachTest } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return isFootnoteError(error) ? error.code : `not ours: ${String(error)}`;
  }
  return 'no error';
};

describe('openSqliteRecord', () => {
  it('opens with the settings that durability rests on, also the second time', async () => {
    expect(await place.record.info()).toMatchObject({ synchronous: 'FULL', journalMode: 'wal', schemaVersion });
    await place.reopen();
    expect(await place.record.info()).toMatchObject({ synchronous: 'FULL', journalMode: 'wal' });
  });

  it('keeps a document, its text, chunks, structure and file, and gives them back as they were', async () => {
    const file = new TextEncoder().encode('raw bytes');
    const write = createWrite(`Zürich \u{1F600} 東京 ${'word '.repeat(300)}`, {
      uri: 'a/b.md',
      publishedAt: '2024-05-01',
      language: 'de',
      metadata: { tags: ['x', 'y'], pages: 3 },
      access: ['team'],
      warnings: ['one'],
      file,
    });
    await place.tenant.commit([{ kind: 'put-document', write }]);
    const { id } = write.document;
    expect(await place.tenant.documents.get(id)).toEqual(write.document);
    expect(await place.tenant.documents.text(id)).toBe(write.text);
    expect(await place.tenant.documents.chunks(id)).toEqual(write.chunks);
    expect(await place.tenant.documents.structure(id)).toEqual(write.structure);
    expect(await place.tenant.documents.file(id)).toEqual(file);
    expect(await place.tenant.documents.findByUri('notes', 'a/b.md')).toEqual(write.document);
    expect(await place.tenant.documents.count()).toEqual({ documents: 1, chunks: write.chunks.length });
    const wanted = [write.chunks[2]?.id ?? '', 'unknown', write.chunks[0]?.id ?? ''];
    expect((await place.tenant.documents.chunksById(wanted)).map(({ chunk }) => chunk.ordinal)).toEqual([2, 0]);
    expect(await place.record.check()).toEqual([]);
  });

  it('leaves nothing of a transaction that throws, and lets the others of its group through', async () => {
    const works = [1, 2, 3].map((n) =>
      place.tenant.commit([
        { kind: 'put-document', write: createWrite(`text ${n}`, { uri: `${n}.md` }) },
        ...(n === 2 ? [failing] : []),
      ]),
    );
    expect(await Promise.all(works.map(codeOf))).toEqual(['no error', 'not-found', 'no error']);
    const { data } = await place.tenant.documents.list({});
    expect(data.map(({ uri }) => uri)).toEqual(['1.md', '3.md']);
  });

  it('refuses a work that is asynchronous: other work could slip in', async () => {
    const work = place.record.write(async (writer) =>
      writer.exec("INSERT INTO source VALUES ('default', 'new', 'docs', NULL, NULL, NULL)"),
    );
    await expect(work).rejects.toThrow(/must be synchronous/);
    expect(await place.tenant.sources.list()).toEqual([]);
  });

  it('shows readers only what was committed', async () => {
    const seen = await place.record.write((writer) => {
      writer.exec("INSERT INTO source VALUES ('default', 'new', 'docs', NULL, NULL, NULL)");
      return place.record.read((reader) => reader.prepare('SELECT count(*) AS n FROM source').get());
    });
    expect(seen).toEqual({ n: 0 });
    expect(await place.tenant.sources.list()).toHaveLength(1);
  });
});
