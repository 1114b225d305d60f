import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RetrievalDataset } from '../../src/evals/datasets.ts';
import { evaluateRetrieval, foldToDocuments, printTrecRun, writeTrecRun } from '../../src/evals/retrieval.ts';
import type { EvaluatedDocument, EvaluatedHit, EvaluatedSearch, EvaluatedSystem } from '../../src/evals/system.ts';

interface Call extends EvaluatedSearch {
  readonly query: string;
}

/** A system that finds what its script says, and remembers what it was asked. */
function scripted(found: Readonly<Record<string, readonly EvaluatedHit[]>>) {
  const calls: Call[] = [];
  const documents: EvaluatedDocument[] = [];
  const system: EvaluatedSystem = {
    async ingest(given) {
      for await (const document of given) documents.push(document);
      return { documents: documents.length, chunks: 7, failed: [] };
    },
    async search(query, search) {
      calls.push({ query, ...search });
      return found[query] ?? [];
    },
    ask: () => Promise.reject(new Error('not asked here')),
    close: () => Promise.resolve(),
  };
  return { system, calls, documents };
}

const dataset: RetrievalDataset = {
  name: 'tiny',
  files: [],
  async *documents() {
    yield { id: 'c1:a', title: '', text: 'A.' };
    yield { id: 'c1:b', title: '', text: 'B.' };
  },
  queries: [
    { id: 'q1', text: 'first', metadata: {} },
    { id: 'q2', text: 'second', metadata: { sample_id: 'c1' } },
    { id: 'q3', text: 'third', metadata: {} },
  ],
  judgments: new Map([
    ['q1', new Map([['c1:a', 1]])],
    ['q2', new Map([['c1:b', 1]])],
    ['q3', new Map([['c1:b', 1]])],
    ['gone', new Map([['c1:b', 1]])],
  ]),
};

describe('evaluateRetrieval', () => {
  it('measures every judged query, folding chunks to documents', async () => {
    const { system, calls, documents } = scripted({
      first: [
        { documentId: 'c1:b', score: 3 },
        { documentId: 'c1:b', score: 2.5 },
        { documentId: 'c1:a', score: 2 },
      ],
      second: [{ documentId: 'c1:b', score: 1 }],
    });
    const report = await evaluateRetrieval({ dataset, system, mode: 'embedded' });
    expect(documents).toHaveLength(2);
    expect(report).toMatchObject({ dataset: 'tiny', queries: 4, documents: 2, chunks: 7 });
    expect(report.metrics.reciprocalRank10.mean).toBeCloseTo((1 / 2 + 1 + 0 + 0) / 4, 12);
    expect(report.metrics.recall100.mean).toBeCloseTo(2 / 4, 12);
    expect(report.perQuery.get('gone')?.ndcg10).toBe(0);
    expect(calls.map((call) => call.limit)).toEqual([1000, 1000, 1000]);
    expect(calls[0]).not.toHaveProperty('filter');
    expect(calls[1]?.filter).toEqual({ op: 'prefix', field: 'id', value: 'c1' });
  });

  it('gives equal scores the order of trec_eval, in measures and run alike', async () => {
    const { system } = scripted({ first: ['c1:a', 'c1:b'].map((documentId) => ({ documentId, score: 1 })) });
    const report = await evaluateRetrieval({ dataset, system, mode: 'embedded' });
    expect(report.run[0]?.documents.map((document) => document.documentId)).toEqual(['c1:b', 'c1:a']);
    expect(report.perQuery.get('q1')?.reciprocalRank10).toBe(1 / 2);
  });

  it('stops when cancelled, and refuses a depth that its measures could not use', async () => {
    const { system } = scripted({});
    const run = { dataset, system, mode: 'embedded' } as const;
    await expect(evaluateRetrieval({ ...run, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    for (const topK of [99, 1001, 150.5])
      await expect(evaluateRetrieval({ ...run, topK })).rejects.toMatchObject({ code: 'invalid-request' });
  });
});

describe('foldToDocuments', () => {
  it('keeps the best chunk of each document', () => {
    const hits = [
      { documentId: 'x', score: 1 },
      { documentId: 'y', score: 2 },
      { documentId: 'x', score: 3 },
    ];
    expect(foldToDocuments(hits)).toEqual([
      { documentId: 'x', score: 3 },
      { documentId: 'y', score: 2 },
    ]);
  });
});

describe('the TREC run', () => {
  it('has the first 100 documents of each query in six columns', async () => {
    const documents = Array.from({ length: 120 }, (_, index) => ({ documentId: `d${index}`, score: 200 - index }));
    const lines = printTrecRun([{ queryId: 'q1', documents }], 'footnote-embedded').split('\n');
    expect(lines).toHaveLength(101);
    expect(lines[0]).toBe('q1 Q0 d0 1 200 footnote-embedded');
    expect(lines[99]).toBe('q1 Q0 d99 100 101 footnote-embedded');
  });

  it('is written to a file, or says why not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'footnote-test-'));
    try {
      const { system } = scripted({ first: [{ documentId: 'c1:a', score: 0.5 }] });
      const report = await evaluateRetrieval({ dataset, system, mode: 'embedded' });
      await writeTrecRun(join(folder, 'run.txt'), report);
      expect(await readFile(join(folder, 'run.txt'), 'utf8')).toBe('q1 Q0 c1:a 1 0.5 footnote-embedded\n');
      await expect(writeTrecRun(join(folder, 'no/such/run.txt'), report)).rejects.toMatchObject({ code: 'not-found' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
