import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import type { Degradation, Evidence, Filter, Mode, SearchRequest } from '../../../src/core/search.ts';
import { type Labels, openRetrievalDataset } from '../../../src/evals/datasets.ts';
import type { Footnote } from '../../../src/footnote/facade.ts';
import { openEvaluatedSystem } from '../../../src/footnote/trials/evaluated-system.ts';
import { fusionGrid, tuneFusion } from '../../../src/footnote/trials/tune-fusion.ts';
import { sharedData } from '../../../testkit/shared-data.ts';

const queryIds = Array.from({ length: 40 }, (_, index) => `q${index}`);
const fusion = { method: 'min-max', semanticWeight: undefined, rankConstant: 60 } as const;
const words: Degradation = { component: 'vector', code: 'training', detail: 'It learns.', effect: 'By words only.' };

/** Only what tuning reads of a result. */
const evidence = (chunkId: string, score: number, twins: readonly string[] = []): Evidence =>
  ({
    chunkId,
    documentId: chunkId.replace('#', ''),
    score,
    alsoIn: twins.map((documentId) => ({ source: 'other', documentId })),
  }) as unknown as Evidence;

/** A Footnote whose searches return what `ranks` says for a mode; documents d0…d9 with uris u0…u9. */
function fakeFootnote(
  ranks: (mode: Mode, query: string) => readonly Evidence[],
  degraded: (mode: Mode, query: string) => readonly Degradation[] = () => [],
) {
  const asked: SearchRequest[] = [];
  const footnote = {
    async search(request: SearchRequest) {
      asked.push(request);
      const { mode = 'hybrid', query } = request;
      return { query, mode, results: ranks(mode, query), degraded: degraded(mode, query) };
    },
    documents: {
      async list({ filter }: { filter: Filter }) {
        const names = filter.op === 'or' ? filter.filters.flatMap((one) => (one.op === 'in' ? one.values : [])) : [];
        const data = Array.from({ length: 10 }, (_, index) => ({ id: `d${index}`, uri: `u${index}` }));
        return { data: data.filter(({ id, uri }) => names.includes(id) || names.includes(uri)) };
      },
    },
  };
  return { footnote: footnote as unknown as Footnote, asked };
}

const labelsOf = (judged: (id: string) => Record<string, number>): Labels => ({
  files: [],
  queries: queryIds.map((id) => ({ id, text: id, metadata: {} })),
  judgments: new Map(queryIds.map((id) => [id, new Map(Object.entries(judged(id)))])),
});

/** Words put d1 first, meaning d2; the hybrid in use does as words do. */
const opposed = (mode: Mode): Evidence[] => {
  const order = mode === 'vector' ? ['d2#', 'd1#', 'd3#'] : ['d1#', 'd3#', 'd2#'];
  return order.map((chunkId, index) => evidence(chunkId, 1 - index / 4));
};

describe('tuneFusion', () => {
  it('weighs meaning more where the labels say that it is right', async () => {
    const { footnote, asked } = fakeFootnote(opposed);
    const labels = labelsOf(() => ({ d2: 1 }));
    const report = await tuneFusion({ footnote, labels, fusion, kind: 'fixed' });
    expect(report).toMatchObject({ queries: 40, recommended: true, unknownDocuments: 0, unusableQueries: 0 });
    expect(report.best?.semanticWeight).toBeGreaterThanOrEqual(0.5);
    expect(report.tuned.mean).toBe(1);
    expect(report.inUse.mean).toBeCloseTo(1 / Math.log2(4), 12);
    // Each query is read once for each leg and once as it is served.
    expect(asked).toHaveLength(3 * queryIds.length);
  });

  it('keeps what is in use where words are right already', async () => {
    const { footnote } = fakeFootnote(opposed);
    const report = await tuneFusion({ footnote, labels: labelsOf(() => ({ d1: 1 })), fusion, kind: 'corpus' });
    expect(report.best).toBeUndefined();
    expect(report).toMatchObject({ recommended: false, inUse: { mean: 1 } });
    expect(report.grid.find(({ setting }) => setting.semanticWeight === 1)?.ndcg10).toBeLessThan(1);
  });

  it('takes documents by id or uri, counts twins as found, and leaves out what the folder does not hold', async () => {
    const { footnote } = fakeFootnote((mode) =>
      opposed(mode).map((one, at) => evidence(one.chunkId, one.score, at ? [] : ['d7'])),
    );
    const labels = labelsOf((id) => (id === 'q0' ? { elsewhere: 1 } : id === 'q1' ? { d7: 1, gone: 1 } : { u1: 1 }));
    const report = await tuneFusion({ footnote, labels, fusion, kind: 'corpus' });
    expect(report).toMatchObject({ queries: 39, unknownDocuments: 2, unusableQueries: 1 });
    // d7 has the score of its twin d1, and trec_eval puts the last id first.
    expect(report.inUse.mean).toBeCloseTo((1 + 38 / Math.log2(3)) / 39, 12);
    const strange = labelsOf(() => ({ elsewhere: 1 }));
    await expect(tuneFusion({ footnote, labels: strange, fusion, kind: 'corpus' })).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('id or uri'),
    });
  });

  it('refuses where meaning is not ready, and goes on by words where it only does not know a query', async () => {
    const labels = labelsOf(() => ({ d1: 1 }));
    const off = fakeFootnote(opposed, () => [words]);
    await expect(tuneFusion({ footnote: off.footnote, labels, fusion, kind: 'corpus' })).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('It learns.'),
    });
    const unknown = fakeFootnote(opposed, () => [{ ...words, code: 'query-unknown' }]);
    const report = await tuneFusion({ footnote: unknown.footnote, labels, fusion, kind: 'corpus' });
    expect(report.grid.map(({ ndcg10 }) => ndcg10)).toEqual(report.grid.map(() => 1));
  });

  it('leaves the guard out for questions in another language, as searches do', async () => {
    // The legs share no hit: the guard takes all weight from meaning, unless the words could not match anyway.
    const apart = (mode: Mode): Evidence[] =>
      Array.from({ length: 10 }, (_, index) =>
        evidence(mode === 'vector' ? `d${index}#` : `x${index}#`, 1 - index / 20),
      );
    const labels = labelsOf(() => ({ d0: 1 }));
    const foreign: Degradation = {
      component: 'language',
      code: 'language-mismatch',
      detail: 'German.',
      effect: 'Little.',
    };
    const best = async (degraded: readonly Degradation[]): Promise<number> => {
      const { footnote } = fakeFootnote(apart, () => degraded);
      const { grid } = await tuneFusion({ footnote, labels, fusion, kind: 'fixed' });
      return Math.max(...grid.map(({ ndcg10 }) => ndcg10));
    };
    expect(await best([])).toBe(0);
    expect(await best([foreign])).toBe(1);
  });

  it('stops when cancelled', async () => {
    const { footnote } = fakeFootnote(opposed);
    const tuning = { footnote, labels: labelsOf(() => ({ d1: 1 })), fusion, kind: 'corpus' } as const;
    await expect(tuneFusion(tuning, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('tuneFusion over the real product', () => {
  const folder = sharedData('adi');
  const settings = [
    { method: 'min-max', semanticWeight: 0.6 },
    { method: 'rrf', semanticWeight: 0.4 },
  ] as const;
  it.skipIf(folder === undefined).each(settings)(
    'scores $method with weight $semanticWeight as a search under that setting does',
    { timeout: 60_000 },
    async (setting) => {
      const dataset = await openRetrievalDataset(folder ?? '');
      const configured = { ...fusion, ...setting };
      const system = await openEvaluatedSystem({
        ...loadConfig({ environment: { ENCODER: 'off' } }),
        fusion: configured,
      });
      try {
        await system.ingest(dataset.documents());
        await system.footnote.stores.sync('embedded');
        const tuning = { footnote: system.footnote, labels: dataset, fusion: configured, kind: 'corpus' } as const;
        const report = await tuneFusion(tuning);
        const twin = report.grid.find(
          ({ setting: { method, semanticWeight } }) =>
            method === setting.method && semanticWeight === setting.semanticWeight,
        );
        expect(twin?.ndcg10).toBeCloseTo(report.inUse.mean, 10);
        expect(new Set(report.grid.map(({ ndcg10 }) => ndcg10)).size).toBeGreaterThan(5);
      } finally {
        await system.close();
      }
    },
  );
});

describe('fusionGrid', () => {
  it('has every weight once for each method, nearest to the usual one first', () => {
    const grid = fusionGrid('corpus');
    expect(grid.filter(({ method }) => method === 'min-max')).toHaveLength(21);
    expect(grid.filter(({ method }) => method === 'rrf')).toHaveLength(19);
    expect(grid[0]).toEqual({ method: 'min-max', semanticWeight: 0.3 });
    expect(fusionGrid('fixed')[0]).toEqual({ method: 'min-max', semanticWeight: 0.5 });
  });
});
