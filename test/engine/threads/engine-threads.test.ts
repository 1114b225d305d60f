// Worker threads of the engine: the same results wherever work runs, and an answer whatever happens to a thread.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import { buildSegment, type Entry } from '../../../src/engine/build-segment.ts';
import { createLexicalIndex, type LexicalIndex } from '../../../src/engine/lexical.ts';
import { mergeNow } from '../../../src/engine/merge-segments.ts';
import type { LexicalQuery } from '../../../src/engine/query.ts';
import { createEngineThreads } from '../../../src/engine/threads/engine-threads.ts';
import { createEnginePool, createThreadedIndex } from '../../../src/engine/threads/pool.ts';
import { arbitraryQuery } from '../arbitrary-query.ts';

const pool = createEnginePool({ size: 2 });
const always = { inPlacePostings: -1, inPlaceTerms: -1, patient: true };
const threaded = createEngineThreads(() => pool, always);
const unthreaded = createEngineThreads(
  () => {
    throw new Error('no thread was to be asked');
  },
  { inPlacePostings: Number.POSITIVE_INFINITY, inPlaceTerms: Number.POSITIVE_INFINITY },
);
const dying = createEnginePool({ size: 1, entry: new URL('./dying-worker.ts', import.meta.url) });
afterAll(async () => {
  await pool.close();
  await dying.close();
});

const word = fc.constantFrom('heat', 'flow', 'wing', 'wave', 'lantern', 'lanterns', '熱', '😀', 'z');
const words = fc.array(word, { maxLength: 12 });
const content = fc.record({
  fields: fc.tuple(words, words, words),
  extra: fc.array(word, { maxLength: 3 }),
  group: fc.constantFrom('one', 'two'),
});
const query = arbitraryQuery(word);
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), contents: fc.array(content, { maxLength: 8 }) }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('merge' as const) }),
  fc.record({ kind: fc.constant('search' as const), query, rows: fc.option(fc.nat()), page: fc.boolean() }),
);

const library = (texts: readonly string[]): LexicalIndex => {
  const index = createLexicalIndex();
  const entries = texts.map(
    (text, at): Entry => ({
      row: at + 1,
      key: `k${at}`,
      group: `g${at}`,
      fields: [[], [], text.split(' ')],
      extra: [],
    }),
  );
  index.replace([], [buildSegment(entries)]);
  return index;
};

describe('engine threads', () => {
  it('find the same as a search in place, to the last bit, through random changes of the index', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        const index = createLexicalIndex();
        const handle = createThreadedIndex();
        let row = 0;
        for (const one of steps) {
          if (one.kind === 'add')
            index.replace([], [buildSegment(one.contents.map((each) => ({ ...each, row: ++row, key: `k${row}` })))]);
          else if (one.kind === 'remove') index.remove(1 + (one.at % (row + 1)), 2 + (one.at % (row + 1)));
          else if (one.kind === 'merge' && index.segments().length > 1) {
            const sources = index.segments();
            const merged = await threaded.merge(sources);
            expect(merged.segment.bytes).toEqual(mergeNow(sources).bytes);
            expect(merged.sha256).toBe(createHash('sha256').update(merged.segment.bytes).digest('hex'));
            index.replace(
              sources.map(({ segment }) => segment),
              [merged.segment],
            );
          } else if (one.kind === 'search') {
            const rows = one.rows;
            const selection =
              rows === null
                ? undefined
                : index.selectRows(
                    Array.from({ length: row }, (_, at) => [at + 1, at + 1] as const).filter(
                      ([at]) => (at * 7 + rows) % 3 > 0,
                    ),
                  );
            const first: LexicalQuery = { ...one.query, ...(selection && { selection }) };
            const on = { index: handle, state: index.state() };
            const here = await unthreaded.find(on, first, { explained: 12 });
            expect(await threaded.find(on, first, { explained: 12 })).toEqual(here);
            const last = here.hits.at(-1);
            if (one.page && last) {
              const after = { ...first, after: { score: last.score, key: last.key, rank: first.limit } };
              const next = await unthreaded.find(on, after, { explained: 0 });
              expect(await threaded.find(on, after, { explained: 0 })).toEqual(next);
            }
            const unknown = ['lantrn', 'hea', 'flwo', 'z1'];
            expect(await threaded.expand(on, unknown)).toEqual(await unthreaded.expand(on, unknown));
          }
        }
        pool.release(handle);
      }),
      { numRuns: process.env['FOOTNOTE_TEST_LONG'] ? 1000 : 60 },
    );
  });

  it('search the state that was asked about, whatever happens to the index meanwhile', async () => {
    const index = library(['heat flow', 'heat wave', 'wave']);
    const handle = createThreadedIndex();
    const given = { terms: [{ term: 'heat', weight: 1 }], limit: 5 };
    const before = { index: handle, state: index.state() };
    const asked = threaded.find(before, given, { explained: 0 });
    index.remove(1, 1);
    const after = { index: handle, state: index.state() };
    const askedLater = threaded.find(after, given, { explained: 0 });
    expect((await asked).hits.map(({ key }) => key)).toEqual(['k0', 'k1']);
    expect((await askedLater).hits.map(({ key }) => key)).toEqual(['k1']);
    expect((await threaded.find(before, given, { explained: 0 })).hits).toEqual((await asked).hits);
  });

  it('give up at once when the signal aborts, with its reason', async () => {
    const on = { index: createThreadedIndex(), state: library(['heat']).state() };
    const given = { terms: [{ term: 'heat', weight: 1 }], limit: 5 };
    const controller = new AbortController();
    const asked = threaded.find(on, given, { explained: 0, signal: controller.signal });
    controller.abort(new FootnoteError('deadline-exceeded', 'too late'));
    await expect(asked).rejects.toMatchObject({ code: 'deadline-exceeded' });
    await expect(threaded.find(on, given, { explained: 0, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect((await threaded.find(on, given, { explained: 0 })).hits).toHaveLength(1);
  });

  it('answer from another thread when one dies, and in place when that one dies too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'footnote-threads-'));
    try {
      const on = { index: createThreadedIndex(), state: library(['heat', 'heat flow']).state() };
      const threads = createEngineThreads(() => dying, always);
      for (const file of [join(folder, 'once'), 'always']) {
        const given = {
          terms: [
            { term: `die:${file}`, weight: 1 },
            { term: 'heat', weight: 1 },
          ],
          limit: 5,
        };
        const expected = await unthreaded.find(on, given, { explained: 1 });
        expect(await threads.find(on, given, { explained: 1 })).toEqual(expected);
        expect(await threads.find(on, given, { explained: 1 })).toEqual(expected);
      }
      await expect(
        dying.run({
          work: {
            kind: 'search',
            index: on.index.number,
            query: { terms: [{ term: 'die:always', weight: 1 }], limit: 1 },
            explained: 0,
          },
          on,
        }),
      ).rejects.toMatchObject({ code: 'upstream-unavailable' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('hand on what work throws', async () => {
    await expect(
      pool.run({ work: { kind: 'merge', sources: [{ bytes: new Uint8Array(8), dead: undefined }] } }),
    ).rejects.toMatchObject({ code: 'data-corrupt' });
  });

  it('do not keep a process alive, and do their work in place once they were closed', async () => {
    const closed = createEnginePool();
    await closed.close();
    const threads = createEngineThreads(() => closed, always);
    const index = library(['heat', 'flow']);
    const on = { index: createThreadedIndex(), state: index.state() };
    expect(
      (await threads.find(on, { terms: [{ term: 'heat', weight: 1 }], limit: 1 }, { explained: 0 })).hits,
    ).toHaveLength(1);
    expect(await threads.expand(on, ['hea'])).toEqual(await unthreaded.expand(on, ['hea']));
    expect((await threads.merge(index.segments())).segment.bytes).toEqual(mergeNow(index.segments()).bytes);
    expect(await threads.analyze([])).toBeUndefined();
    const source = new URL('../../../src/engine/threads/engine-threads.ts', import.meta.url).href;
    const program = `const { engineThreads } = await import('${source}');
      console.log(await engineThreads.digest(new Uint8Array(new SharedArrayBuffer(8))));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect(output.trim()).toBe(createHash('sha256').update(new Uint8Array(8)).digest('hex'));
  });
});
