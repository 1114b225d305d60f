// A new document costs no look into other tables and no row in the index of what is sent.
import { describe, expect, it } from 'vitest';
import { createWrite, recordForEachTest } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();
const at = '2026-01-01T00:00:00.000Z';
const delivered = { store: 'embedded', status: 'delivered', revision: 1, attempts: 1, updatedAt: at } as const;

/** Documents that are in the record and in the store within it. */
async function put(...ids: readonly string[]): Promise<void> {
  await place.tenant.commit([
    ...ids.map(
      (id) => ({ kind: 'put-document', write: createWrite(`Text of ${id}.`, { id, uri: `${id}.md` }) }) as const,
    ),
    ...ids.map((id) => ({ kind: 'put-delivery', delivery: { ...delivered, documentId: id } }) as const),
  ]);
}

const change = (): number =>
  place.record.read((database) => Number(database.prepare('SELECT revision FROM document_change').get()?.['revision']));

describe('the rows of a new document', () => {
  it('are inserted without a look into the tables that refer to documents', async () => {
    const lookedInto = place.record.read((database) => {
      const columns =
        'tenant, id, source, source_type, uri, path, title, mime, revision, updated_at, content_hash, text_hash';
      const rest = 'text_length, chunk_count, metadata, cite_by_line, warnings, seal';
      const marks = `${columns}, ${rest}`.split(', ').map(() => '?');
      const sql = `EXPLAIN INSERT INTO document (${columns}, ${rest}) VALUES (${marks.join(', ')}) ON CONFLICT DO NOTHING`;
      return database
        .prepare(sql)
        .all()
        .filter(({ opcode }) => opcode === 'OpenRead' || opcode === 'Program');
    });
    expect(lookedInto).toEqual([]);
  });

  it('are in the index of what is sent only where a store beside the record is to have it', async () => {
    await put('a', 'b');
    const wanted = { documentId: 'a', store: 'far', revision: 1, updatedAt: at };
    await place.tenant.commit([{ kind: 'queue-delivery', wanted }]);
    const indexed = place.record.read((database) =>
      database.prepare('SELECT store FROM delivery INDEXED BY delivery_sent WHERE operation IS NOT NULL').all(),
    );
    expect(indexed).toEqual([{ store: 'far' }]);
    const listed = await place.tenant.documents.listDeliveries({ store: 'embedded' });
    expect(listed.data).toEqual(['a', 'b'].map((documentId) => ({ ...delivered, documentId })));
  });

  it('are told to whoever remembers documents: when they come, are replaced and go', async () => {
    await put('a');
    const seen = [change()];
    await put('b', 'c');
    seen.push(change());
    await put('b');
    seen.push(change());
    await place.tenant.commit([{ kind: 'delete-document', id: 'c' }]);
    seen.push(change());
    expect(seen).toEqual([...new Set(seen)].toSorted((left, right) => left - right));
    await expect(
      place.tenant.commit([
        { kind: 'put-document', write: createWrite('d', { id: 'd', uri: 'd.md' }) },
        { kind: 'put-delivery', delivery: { ...delivered, documentId: 'nobody' } },
      ]),
    ).rejects.toMatchObject({ code: 'not-found' });
    expect(change()).toBe(seen.at(-1));
  });
});
