// Evidence of hits: the same as if every hit were read, though hits behind the page are read only where they fold into it.
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/core/ids.ts';
import type { TenantRecord } from '../../src/db/tenant-record.ts';
import { hydrate } from '../../src/retrieval/hydrate.ts';
import { createRandom } from '../../testkit/history.ts';
import { putAll } from '../../testkit/record-changes.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../testkit/record-fixture.ts';

const place = recordForEachTest();

interface Passage {
  readonly text: string;
  /** Documents of one group are linked with one another. */
  readonly group?: number;
}

/** A record in memory: passage `n` is chunk `c<n>` of document `d<n>`. */
function recordOf(passages: readonly Passage[]) {
  const read: string[] = [];
  let lookUps = 0;
  const at = (id: string): number => Number(id.slice(1));
  const documents = {
    async chunksById(ids: readonly string[]) {
      read.push(...ids);
      return ids.map((id) => ({
        chunk: {
          id,
          documentId: `d${at(id)}`,
          hash: passages[at(id)]?.text,
          text: passages[at(id)]?.text,
          headingPath: [],
        },
        document: { id: `d${at(id)}`, source: 's', title: '', uri: '' },
      }));
    },
    async hashes(ids: readonly string[]) {
      return ids.map((id) => ({ chunkId: id, documentId: `d${at(id)}`, hash: passages[at(id)]?.text }));
    },
    async withDuplicates(ids: readonly string[]) {
      return ids.filter((id) => passages[at(id)]?.group !== undefined);
    },
    async duplicatesAmong(ids: readonly string[]) {
      lookUps += 1;
      const groupOf = (id: string): number | undefined => passages[at(id)]?.group;
      return ids.flatMap((id) =>
        ids
          .filter((other) => other !== id && groupOf(id) !== undefined && groupOf(other) === groupOf(id))
          .map((other) => [id, other] as const),
      );
    },
  } as unknown as TenantRecord['documents'];
  const hits = passages.map((_, n) => ({ chunkId: `c${n}`, score: 1 - n / 1000, scores: {}, ranks: {} }));
  const page = (wanted: number) =>
    hydrate(hits, { documents, spanUrl: (id) => id, onDamage: () => undefined }, { wanted, explain: false });
  return { page, read, lookUps: () => lookUps };
}

describe('hydrating', () => {
  it('reads the page alone where nothing is alike, and looks no links up', async () => {
    const { page, read, lookUps } = recordOf(Array.from({ length: 20 }, (_, n) => ({ text: `passage number ${n}` })));
    expect((await page(10)).map(({ chunkId }) => chunkId)).toEqual(Array.from({ length: 10 }, (_, n) => `c${n}`));
    expect([read.length, lookUps()]).toEqual([10, 0]);
  });

  it('gives what reading every hit gives, for 400 lists of hits', async () => {
    const random = createRandom(7);
    let folded = 0;
    for (let round = 0; round < 400; round += 1) {
      const passages = Array.from({ length: 1 + random.below(24) }, (): Passage => {
        const group = random.below(8);
        // Texts of a group are the same, the same but for case, or others.
        const text = ['The tower stands here', 'the tower stands HERE', 'The gate is open'][random.below(3)] ?? '';
        return group < 3
          ? { text: `${text} ${'abc'[group]}`, group }
          : { text: `${text} ${'abcdefgh'[random.below(8)]} alone` };
      });
      const wanted = 1 + random.below(12);
      const all = (await recordOf(passages).page(passages.length)).slice(0, wanted);
      folded += all.filter(({ alsoIn }) => alsoIn.length > 0).length;
      expect(await recordOf(passages).page(wanted)).toEqual(all);
    }
    expect(folded).toBeGreaterThan(400);
  });

  it('asks for links where the record has some: of copies in other case, and of nothing else', async () => {
    const texts = [
      'The old tower stands at the harbour.',
      'THE OLD TOWER stands at the harbour.',
      'A gate.',
      'An arch.',
    ];
    const writes = texts.map((text, n) => createWrite(text, { id: `d${n}`, uri: `${n}.md` }));
    await place.tenant.commit([{ kind: 'put-source', source: { name: 'notes', type: 'docs' } }, ...putAll(writes)]);
    const ids = writes.map(({ document }) => document.id);
    expect(await place.tenant.documents.withDuplicates(ids)).toEqual([]);
    await place.tenant.commit(
      writes.map(({ document: { id, textHash }, text }) => {
        const fingerprint = { wordsHash: sha256(text.toLowerCase()), runs: 1, sketch: new Float64Array([1]) };
        return { kind: 'put-fingerprint', documentId: id, textHash, fingerprint };
      }),
    );
    expect(await place.tenant.documents.withDuplicates(ids)).toEqual(['d0', 'd1']);
    expect(await place.record.forScope(scopeOf('other')).documents.withDuplicates(ids)).toEqual([]);
    const hits = writes.map(({ chunks }, n) => ({ chunkId: chunks[0]?.id ?? '', score: 9 - n, scores: {}, ranks: {} }));
    const { documents } = place.tenant;
    const found = await hydrate(
      hits,
      { documents, spanUrl: (id) => id, onDamage: () => undefined },
      { wanted: 1, explain: false },
    );
    expect(found.map(({ documentId, alsoIn }) => [documentId, alsoIn])).toEqual([
      ['d0', [{ source: 'notes', documentId: 'd1' }]],
    ]);
  });
});
