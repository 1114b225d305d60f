// Texts searched along with a query: they add words and take none away, explanations still add up, pages go on where they ended.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../../src/db/sqlite/sqlite.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import type { EmbeddedStore } from '../../../src/stores/embedded/port.ts';
import type { StoreQuery } from '../../../src/stores/store.ts';
import { createWrite, scopeOf, temporaryFolder } from '../../../testkit/record-fixture.ts';

const admin = scopeOf();
const texts: Readonly<Record<string, string>> = {
  otter: 'The otter dives in the cold river.',
  heron: 'A heron waits at the river and watches the otter.',
  crane: 'The crane lifts steel at the harbour.',
  api: 'The API limits callers of the harbour.',
  interface: 'An application programming interface lifts limits.',
  fish: 'Fish, fish, fish and otters.',
};
const folder = temporaryFolder();
let database: SqliteRecordDatabase;
let store: EmbeddedStore;
beforeAll(async () => {
  database = openSqliteRecord({ folder: folder.folder });
  store = createEmbeddedStore({ database, scope: admin });
  for (const [id, text] of Object.entries(texts)) {
    const write = createWrite(text, { id, uri: `${id}.md`, title: '', language: 'en' });
    await database.forScope(admin).commit([{ kind: 'put-document', write }, store.entries.put([write])]);
  }
});
afterAll(async () => {
  await database.close();
  folder.remove();
});

const find = async (text: string, also?: StoreQuery['also'], more: Partial<StoreQuery> = {}) =>
  store.search({ text, mode: 'lexical', limit: 10, ...(also && { also }), ...more });
const ids = async (...given: Parameters<typeof find>): Promise<string[]> =>
  (await find(...given)).hits.map(({ documentId }) => documentId);
const sum = (weights: readonly { readonly weight: number }[] = []): number =>
  weights.reduce((total, { weight }) => total + weight, 0);

describe('also', () => {
  it('ranks by further words, the more the more they weigh', async () => {
    expect(await ids('API')).toEqual(['api']);
    const along = (weight: number) => [{ text: 'application programming interface', weight }];
    expect(await ids('API', along(0.1))).toEqual(['api', 'interface']);
    expect(await ids('API', along(2))).toEqual(['interface', 'api']);
    expect(await ids('API', along(0))).toEqual(['api']);
  });

  it('searches them even for a query without a word', async () => {
    expect(await ids('?!', [{ text: 'crane', weight: 1 }])).toEqual(['crane']);
    expect(await ids('?!', [])).toEqual([]);
  });

  it('reads them as plain text: nothing is required, excluded or guessed at', async () => {
    const plain = await ids('otter', [{ text: 'harbour', weight: 0.5 }]);
    expect(await ids('otter', [{ text: '"harbour"', weight: 0.5 }])).toEqual(plain);
    expect(await ids('otter', [{ text: '-harbour', weight: 0.5 }])).toEqual(plain);
    expect(await ids('otter', [{ text: 'harbuor', weight: 0.5 }])).toEqual(await ids('otter'));
    // What the query requires or excludes holds for what was added too.
    expect(await ids('"cold river"', [{ text: 'heron', weight: 5 }])).toEqual(['otter']);
    expect(await ids('otter -heron', [{ text: 'heron', weight: 5 }])).toEqual(['fish', 'otter']);
  });

  it('adds to what own words weigh, and to no pair of neighbours', async () => {
    const [once] = (await find('otter')).hits;
    const [more] = (await find('otter', [{ text: 'otters', weight: 0.5 }])).hits;
    expect(more?.score).toBeCloseTo(1.5 * (once?.score ?? Number.NaN), 9);
    const { hits } = await find('otter', [{ text: 'cold river', weight: 1 }], { explain: true });
    expect(hits[0]?.documentId).toBe('otter');
    expect(hits[0]?.explanation?.proximity).toEqual([]);
    const near = (await find('otter cold river', [], { explain: true })).hits[0]?.explanation?.proximity;
    expect(near).not.toEqual([]);
  });

  it('explains sums that add up, and names what was searched along', async () => {
    const words = fc.constantFrom('otter', 'river', 'cold', 'fish', 'harbour', 'limits', 'API', 'zebra');
    const some = fc.array(words, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '));
    const along = fc.array(fc.record({ text: some, weight: fc.constantFrom(0.1, 0.5, 1, 3) }), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(some, along, async (text, also) => {
        for (const hit of (await find(text, also, { explain: true })).hits) {
          expect(sum(hit.explanation?.terms)).toBeCloseTo(hit.scores.bm25 ?? Number.NaN, 9);
          const near = sum(hit.explanation?.proximity);
          expect(sum(hit.explanation?.terms) + near).toBeCloseTo(hit.score, 9);
          const note = hit.explanation?.notes.find((one) => one.startsWith('searched along: '));
          expect(note === undefined).toBe(also.length === 0);
          for (const { text: one, weight } of also) expect(note).toContain(`“${one}” × ${weight}`);
        }
      }),
      { seed: 1, numRuns: 80 },
    );
  });

  it('goes on over pages, and no cursor serves other texts', async () => {
    const also = [{ text: 'river harbour', weight: 0.3 }];
    const whole = (await find('otter limits', also)).hits;
    expect(whole.length).toBeGreaterThan(3);
    const paged: (typeof whole)[number][] = [];
    let cursor: string | undefined;
    do {
      const page = await find('otter limits', also, { limit: 2, ...(cursor !== undefined && { cursor }) });
      paged.push(...page.hits);
      cursor = page.nextCursor;
      if (cursor === undefined) break;
      for (const other of [undefined, [], [{ text: 'river harbour', weight: 0.4 }], [{ text: 'river', weight: 0.3 }]])
        await expect(find('otter limits', other, { cursor })).rejects.toMatchObject({ code: 'invalid-request' });
    } while (paged.length < 20);
    expect(paged).toEqual(whole);
  });

  it('is the same query with an empty list, cursors included', async () => {
    const plain = await find('otter river', undefined, { limit: 1, explain: true });
    expect(plain.nextCursor).toBeDefined();
    expect(await find('otter river', [], { limit: 1, explain: true })).toEqual(plain);
    expect(await find('otter river', [{ text: ' ', weight: 1 }], { limit: 1, explain: true })).toMatchObject({
      hits: plain.hits,
    });
  });

  it('refuses weights that are none', async () => {
    for (const weight of [-1, Number.NaN, Number.POSITIVE_INFINITY])
      await expect(find('otter', [{ text: 'river', weight }])).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('bounds what they cost, and says so', async () => {
    const many = Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ');
    const { hits } = await find('otter', [{ text: many, weight: 0.1 }], { explain: true });
    expect(hits[0]?.explanation?.notes.at(-1)).toBe('136 further words were left out: at most 64 are added');
    const named = Array.from({ length: 20 }, (_, at) => ({ text: `word${at}`, weight: 0.1 }));
    const notes = (await find('otter', named, { explain: true })).hits[0]?.explanation?.notes;
    expect(notes?.at(-1)).toMatch(/ and 8 more$/u);
  });
});
