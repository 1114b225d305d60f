import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRetrievalDataset, readCorpus, readQrels } from '../../src/evals/datasets.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-test-'));
  await mkdir(join(folder, 'qrels'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const file = (name: string, content: string | Uint8Array): Promise<void> => writeFile(join(folder, name), content);
const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

async function sound(): Promise<void> {
  await file(
    'corpus.jsonl',
    lines({ _id: 'd1', title: 'One', text: 'First.', metadata: { year: 1 } }, { _id: 2, text: 'Second.' }),
  );
  await file('queries.jsonl.gz', gzipSync(lines({ _id: 'q1', text: 'first?' }, { _id: 'q2', text: 'not judged' })));
  await file('qrels/test.tsv', 'query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\t2\t0\n');
}

describe('openRetrievalDataset', () => {
  it('reads documents, judged queries and judgments, plain and gzipped', async () => {
    await sound();
    const dataset = await openRetrievalDataset(folder);
    expect(await Array.fromAsync(dataset.documents())).toEqual([
      { id: 'd1', title: 'One', text: 'First.', metadata: { year: 1 } },
      { id: '2', title: '', text: 'Second.' },
    ]);
    expect(await Array.fromAsync(dataset.documents())).toHaveLength(2);
    expect(dataset.queries).toEqual([{ id: 'q1', text: 'first?', metadata: {} }]);
    expect(dataset.judgments).toEqual(
      new Map([
        [
          'q1',
          new Map([
            ['d1', 2],
            ['2', 0],
          ]),
        ],
      ]),
    );
    expect(dataset.files).toHaveLength(3);
  });

  it.each([
    ['no folder', 'not-found', /does not exist/u, async () => rm(folder, { recursive: true })],
    ['no corpus', 'not-found', /corpus\.jsonl/u, async () => rm(join(folder, 'corpus.jsonl'))],
    [
      'no such split',
      'not-found',
      /--split dev/u,
      async () => {
        await rm(join(folder, 'qrels/test.tsv'));
        await file('qrels/dev.tsv', 'q1\td1\t1\n');
      },
    ],
    [
      'a query that is not JSON',
      'invalid-request',
      /queries\.jsonl:2 is not JSON/u,
      async () => {
        await rm(join(folder, 'queries.jsonl.gz'));
        await file('queries.jsonl', `${lines({ _id: 'q1', text: 'x' })}{"_id":\n`);
      },
    ],
    [
      'a query without text',
      'invalid-request',
      /:1: text/u,
      async () => {
        await rm(join(folder, 'queries.jsonl.gz'));
        await file('queries.jsonl', lines({ _id: 'q1' }));
      },
    ],
    [
      'a damaged gzip file',
      'invalid-request',
      /queries\.jsonl\.gz/u,
      () => file('queries.jsonl.gz', 'not gzip at all'),
    ],
    [
      'a line of judgments that is none',
      'invalid-request',
      /test\.tsv:2/u,
      () => file('qrels/test.tsv', 'q1\td1\t1\nq1 d1 1\n'),
    ],
    ['judgments of other queries', 'invalid-request', /No query/u, () => file('qrels/test.tsv', 'q9\td1\t1\n')],
  ])('%s', async (_name, code, message, damage) => {
    await sound();
    await damage();
    await expect(openRetrievalDataset(folder)).rejects.toMatchObject({
      name: 'FootnoteError',
      code,
      message: expect.stringMatching(message),
    });
  });

  it('says which line of the corpus is damaged', async () => {
    await sound();
    await file('corpus.jsonl', `${lines({ _id: 'd1', text: 'x' })}\n[]\n`);
    await expect(Array.fromAsync(readCorpus(folder))).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringMatching(/corpus\.jsonl:3/u),
    });
  });
});

describe('readQrels', () => {
  it('reads the four columns of TREC as well', async () => {
    await file('trec.tsv', 'q1\t0\td1\t1\r\nq1\t0\td2\t-1\r\n');
    expect(await readQrels(join(folder, 'trec.tsv'))).toEqual(
      new Map([
        [
          'q1',
          new Map([
            ['d1', 1],
            ['d2', -1],
          ]),
        ],
      ]),
    );
  });
});
