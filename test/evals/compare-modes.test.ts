import { describe, expect, it } from 'vitest';
import { compareModes } from '../../src/evals/compare-modes.ts';
import type { RetrievalDataset } from '../../src/evals/datasets.ts';
import { evaluateModes } from '../../src/evals/retrieval.ts';
import type { EvaluatedSystem } from '../../src/evals/system.ts';

const dataset: RetrievalDataset = {
  name: 'tiny',
  files: [],
  async *documents() {
    yield { id: 'a', title: '', text: 'A.' };
    yield { id: 'b', title: '', text: 'B.' };
  },
  queries: ['up', 'down', 'same'].map((id) => ({ id, text: `the query ${id}`, metadata: {} })),
  judgments: new Map([
    ['up', new Map(Object.entries({ a: 1, b: 0 }))],
    ['down', new Map(Object.entries({ a: 1, b: 2 }))],
    ['same', new Map(Object.entries({ a: 1 }))],
    ['textless', new Map(Object.entries({ a: 1 }))],
  ]),
};

/** Ranks of each mode and query; `a` is the first, `x` a document that nobody judged. */
const found: Record<string, Record<string, string>> = {
  embedded: { up: 'xa', down: 'ba', same: 'a' },
  hybrid: { up: 'ax', down: 'xxxab', same: 'a' },
  vector: { up: 'x', down: 'ba', same: 'a' },
};

function openSystem() {
  let ingestions = 0;
  const system: EvaluatedSystem = {
    async ingest(documents) {
      ingestions++;
      let count = 0;
      for await (const _ of documents) count++;
      return { documents: count, chunks: count, failed: [] };
    },
    async search(query, { mode, onDegraded }) {
      if (mode === 'vector') {
        const degradation = { component: 'vector', code: 'off', detail: 'It is off.', effect: 'Words only.' };
        onDegraded?.(degradation);
        onDegraded?.(degradation);
      }
      const ids = [...(found[mode]?.[query.replace('the query ', '')] ?? '')];
      return ids.map((id, index) => ({ documentId: id === 'x' ? `x${index}` : id, score: 10 - index }));
    },
    ask: () => Promise.reject(new Error('not asked here')),
    close: () => Promise.resolve(),
  };
  return { system, ingestions: () => ingestions };
}

describe('evaluateModes', () => {
  it('measures each mode over one ingestion and keeps what was disclosed, by query', async () => {
    const { system, ingestions } = openSystem();
    const progress: string[] = [];
    const reports = await evaluateModes({
      dataset,
      system,
      modes: ['embedded', 'vector'],
      onProgress: (done, total) => progress.push(`${done}/${total}`),
    });
    expect(ingestions()).toBe(1);
    expect(reports.map(({ mode }) => mode)).toEqual(['embedded', 'vector']);
    expect(progress).toEqual(['1/6', '2/6', '3/6', '4/6', '5/6', '6/6']);
    expect(reports[0]?.degraded).toEqual([]);
    expect(reports[1]?.degraded).toEqual([
      { component: 'vector', code: 'off', detail: 'It is off.', effect: 'Words only.', queries: 3 },
    ]);
  });
});

describe('compareModes', () => {
  it('counts wins, losses and ties against words alone, and names what explains the greatest', async () => {
    const reports = await evaluateModes({ dataset, system: openSystem().system, modes: ['hybrid', 'embedded'] });
    const [comparison, ...others] = compareModes(reports, dataset);
    expect(others).toEqual([]);
    expect(comparison).toMatchObject({ mode: 'hybrid', reference: 'embedded', wins: 1, losses: 1, ties: 2 });
    expect(comparison?.gained).toEqual([
      {
        queryId: 'up',
        text: 'the query up',
        before: expect.closeTo(1 / Math.log2(3), 12),
        after: 1,
        documentId: 'a',
        ranks: { hybrid: 1, embedded: 2 },
      },
    ]);
    // `b`, judged 2, fell from 1 to 5; `a` from 2 to 4: the former is what cost most.
    expect(comparison?.lost).toMatchObject([{ queryId: 'down', documentId: 'b', ranks: { hybrid: 5, embedded: 1 } }]);
    const up = 1 - 1 / Math.log2(3);
    const ideal = 2 + 1 / Math.log2(3);
    const down = (1 / Math.log2(5) + 2 / Math.log2(6)) / ideal - 1;
    expect(comparison?.difference.mean).toBeCloseTo((up + down) / 4, 12);
  });

  it('says a rank only where the document was found, and compares with nothing that was not measured', async () => {
    const { system } = openSystem();
    const reports = await evaluateModes({ dataset, system, modes: ['embedded', 'vector'] });
    expect(compareModes(reports, dataset)[0]?.lost[0]).toMatchObject({ queryId: 'up', ranks: { embedded: 2 } });
    expect(compareModes(reports.slice(1), dataset)).toEqual([]);
    expect(compareModes(reports, dataset, { reference: 'vector', shown: 0 })[0]?.gained).toEqual([]);
  });
});
