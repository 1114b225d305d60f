// What a store promises of how it finds: the order of hits, pages, modes, what it refuses and when it stops.
import { assert, holds, refuses } from './asserted.ts';
import { animals } from './checks-of-writes.ts';
import { admin, modeOf, names, type StoreCheck, search, write } from './harness.ts';

/** Processor time that any text as a query may take, all of them together. */
const mostHostileMs = 10_000;

export const searchChecks: readonly StoreCheck[] = [
  {
    name: 'finds chunks by their words, best first, with ranks from 1',
    async run({ store, put }) {
      await put(admin, animals);
      const hits = await search(store(admin), 'crane river');
      assert.deepEqual(
        hits.map((hit) => hit.documentId),
        ['doc_crane', 'doc_otter'],
      );
      assert.deepEqual(
        hits.map((hit) => hit.rank),
        [1, 2],
      );
      const [first, second] = hits;
      assert.ok(first && second && first.score > second.score);
      if (first.passage) assert.ok(animals[2]?.text.includes(first.passage.text));
      else assert.equal(first.chunkId, animals[2]?.chunks[0]?.id);
      // A store may add to BM25 (proximity), never take from it.
      const score = first.scores[store(admin).capabilities.lexical ? 'bm25' : 'vector'] ?? Number.NaN;
      assert.ok(score > 0 && score <= first.score);
    },
  },
  {
    name: 'finds nothing in an empty store, and nothing for words that no chunk has',
    async run({ store, put }) {
      assert.deepEqual(await names(store(admin), 'crane'), []);
      await put(admin, animals);
      assert.deepEqual(await names(store(admin), 'xylophone'), []);
      const page = await store(admin).search({ text: 'xylophone', mode: modeOf(store(admin)), limit: 5 });
      assert.equal(page.nextCursor, undefined);
    },
  },
  {
    name: 'orders equal scores by chunk id, whatever the order of writing',
    async run({ store, put }) {
      const twins = ['h', 'c', 'a', 'g', 'b', 'f', 'e', 'd'].map((name) =>
        write(name, 'Twelve identical geese fly south.'),
      );
      for (const twin of twins) await put(admin, [twin]);
      const hits = await search(store(admin), 'identical geese fly, twelve geese');
      assert.equal(new Set(hits.map((hit) => hit.score)).size, 1);
      assert.equal(new Set(hits.map((hit) => hit.documentId)).size, twins.length);
      // Pieces of the store's own have names of its own.
      const ids = hits[0]?.passage ? hits.map((hit) => hit.chunkId) : twins.map((twin) => twin.chunks[0]?.id ?? '');
      assert.deepEqual(
        hits.map((hit) => hit.chunkId),
        ids.toSorted((left, right) => (left < right ? -1 : 1)),
      );
    },
  },
  {
    name: 'takes limits from 0 to 1000 and refuses others',
    async run({ store, put }) {
      await put(admin, animals);
      assert.deepEqual(await names(store(admin), 'river', { limit: 0 }), []);
      assert.equal((await names(store(admin), 'river', { limit: 1000 })).length, 2);
      for (const limit of [-1, 1001, 1.5, Number.NaN])
        await refuses(store(admin).search({ text: 'river', mode: modeOf(store(admin)), limit }), 'invalid-request');
    },
  },
  {
    name: 'pages by cursor through the same ranking, each hit once',
    async run({ store, put }) {
      const many = Array.from({ length: 23 }, (_, index) =>
        write(`goose${String(index).padStart(2, '0')}`, `A goose. ${'It flies. '.repeat(index % 4)}`),
      );
      await put(admin, many);
      const whole = await search(store(admin), 'goose');
      assert.equal(whole.length, 23);
      const paged = [];
      let cursor: string | undefined;
      do {
        const page = await store(admin).search({
          text: 'goose',
          mode: modeOf(store(admin)),
          limit: 5,
          ...(cursor === undefined ? {} : { cursor }),
        });
        assert.ok(page.hits.length <= 5);
        paged.push(...page.hits);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      assert.deepEqual(paged, whole);
    },
  },
  {
    name: 'refuses a cursor that is damaged or of another query',
    async run({ store, put }) {
      await put(admin, animals);
      const mode = modeOf(store(admin));
      const { nextCursor: cursor = '' } = await store(admin).search({ text: 'river', mode, limit: 1 });
      assert.notEqual(cursor, '');
      for (const bad of ['', 'nonsense', Buffer.from('[1,2]').toString('base64url'), `${cursor}x`.slice(5)])
        await refuses(store(admin).search({ text: 'river', mode, limit: 1, cursor: bad }), 'invalid-request');
      await refuses(store(admin).search({ text: 'fox', mode, limit: 1, cursor }), 'invalid-request');
    },
  },
  {
    name: 'says `unsupported` for a mode it lacks',
    async run({ store, put }) {
      await put(admin, animals);
      const { capabilities } = store(admin);
      for (const mode of ['lexical', 'vector', 'hybrid'] as const) {
        const found = store(admin).search({ text: 'river', mode, limit: 5 });
        // One that is given vectors needs one; one that makes them is asked by text.
        if (mode === 'vector' && capabilities.vectors === 'given') await refuses(found, 'invalid-request');
        else if (capabilities[mode]) assert.equal((await found).hits.length, 2);
        else await refuses(found, 'unsupported');
      }
    },
  },
  {
    name: 'stops when the signal has aborted',
    async run({ store, put }) {
      await put(admin, animals);
      const mode = modeOf(store(admin));
      const aborted = AbortSignal.abort();
      await refuses(store(admin).search({ text: 'river', mode, limit: 5 }, aborted), 'cancelled');
      await refuses(store(admin).search({ text: 'x', mode, limit: 5 }, AbortSignal.abort('gone')), 'cancelled');
      await refuses(store(admin).upsert([], aborted), 'cancelled');
      await refuses(store(admin).delete([{ documentId: 'doc_fox' }], aborted), 'cancelled');
      await refuses(store(admin).health(aborted), 'cancelled');
      assert.deepEqual(await names(store(admin), 'fox'), ['fox']);
    },
  },
  {
    name: 'takes any text as a query',
    async run({ store, put }) {
      await put(admin, animals);
      const from = process.cpuUsage();
      for (const text of hostileTexts()) {
        const found = await names(store(admin), text);
        assert.deepEqual(found.toSorted(), /river/u.test(text) ? ['crane', 'otter'] : [], text.slice(0, 40));
      }
      const { user, system } = process.cpuUsage(from);
      assert.ok((user + system) / 1000 < mostHostileMs);
    },
  },
  {
    name: 'explains a hit by terms that sum to its score, and only when asked',
    needs: 'explain',
    async run({ store, put }) {
      await put(admin, animals);
      const plain = await search(store(admin), 'the crane in the river, the crane');
      assert.equal(plain[0]?.explanation, undefined);
      const hits = await search(store(admin), 'the crane in the river, the crane', { explain: true });
      assert.deepEqual(
        hits.map(({ explanation: _, ...hit }) => hit),
        plain,
      );
      const isNear = (left: number, right = Number.NaN): boolean => Math.abs(left - right) < 1e-9;
      for (const { explanation, score, scores } of hits) {
        const sum = (explanation?.terms ?? []).reduce((total, term) => total + term.weight, 0);
        assert.ok(isNear(sum, scores.bm25));
        const near = (explanation?.proximity ?? []).reduce((total, pair) => total + pair.weight, 0);
        assert.ok(isNear(sum + near, score));
      }
      assert.deepEqual(
        hits[0]?.explanation?.terms?.map(({ term, tf, df }) => ({ term, tf, df })),
        [
          { term: 'crane', tf: 2, df: 1 },
          { term: 'river', tf: 1, df: 2 },
        ],
      );
    },
  },
  {
    name: 'finds inflected words by the language of the document',
    needs: 'lexical',
    async run({ store, put }) {
      await put(admin, [
        write('en', 'Several nations were negotiating treaties.'),
        write('de', 'Die alten Häuser der Städte wurden gebaut.', { language: 'de' }),
        write('zh', '黑豹队的防守只丢了308分。', { language: 'zh' }),
        write('ar', 'بنيت المدارس القديمة في المدينة', { language: 'ar' }),
        write('py', 'def read_file(path):\n    return fs.readFileSync(path)'),
        write('the-who', 'Rock band formed in London.', { title: 'The Who' }),
      ]);
      const wanted: readonly (readonly [question: string, name: string])[] = [
        ['nation negotiates a treaty', 'en'],
        ['Wann wurde das Haus der Stadt gebaut?', 'de'],
        ['防守', 'zh'],
        ['مدارس', 'ar'],
        ['readFileSync', 'py'],
        ['sync', 'py'],
        ['read_file', 'py'],
        ['who', 'the-who'],
      ];
      for (const [question, name] of wanted) assert.deepEqual(await names(store(admin), question), [name], question);
    },
  },
  {
    name: 'counts every match where that is asked, and says nothing of it otherwise',
    needs: 'counts',
    async run({ store, put }) {
      await put(admin, animals);
      const query = { text: 'river', mode: 'lexical', limit: 1 } as const;
      assert.equal((await store(admin).search({ ...query, count: true })).total, 2);
      assert.equal((await store(admin).search(query)).total, undefined);
      const filter = { op: 'eq', field: 'id', value: 'doc_otter' } as const;
      assert.equal((await store(admin).search({ ...query, filter, count: true })).total, 1);
    },
  },
  {
    name: 'names the mode that it serves no vectors in, and searches by vector with what its capabilities say',
    async run({ store, put }) {
      await put(admin, animals);
      const { vector, vectors, counts } = store(admin).capabilities;
      assert.equal(vector, vectors !== 'none');
      assert.ok((await search(store(admin), 'crane')).every(({ passage, chunkId }) => passage ?? chunkId));
      const page = await store(admin).search({ text: 'river', mode: modeOf(store(admin)), limit: 1, count: true });
      assert.equal(page.total === undefined, !counts);
      const given = store(admin).search({ text: '', mode: 'vector', vector: Float32Array.of(1, 0), limit: 1 });
      await refuses(given, vectors === 'given' ? 'invalid-request' : 'unsupported');
    },
  },
  {
    name: 'is well, and says so in words',
    async run({ store }) {
      await holds(store(admin), { documents: 0 });
      assert.ok((await store(admin).health()).detail.length > 0);
    },
  },
];

const hostileTexts = (): readonly string[] => [
  '',
  '   ',
  '"',
  '""""',
  "'",
  '*',
  'river*',
  'NEAR(river crane)',
  'river AND',
  'OR',
  'NOT river',
  '-river',
  'terms: river',
  '{a b}: c',
  '(',
  ')))',
  '^river',
  'a\u0000b',
  '\uD800',
  '😀🎉',
  'river"); DROP TABLE x; --',
  'x'.repeat(20_000),
  'river '.repeat(3000),
  Array.from({ length: 4000 }, (_, index) => `w${index}`).join(' '),
];
