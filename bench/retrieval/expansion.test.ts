// What the measurement of query expansion is made of: queries by the other name, and a collection drawn by a seed.
import { describe, expect, it } from 'vitest';
import type { EvaluatedDocument } from '../../src/evals/system.ts';
import { makeAcronymCorpus } from './acronym-corpus.ts';
import { readNames, swapName } from './swapped-queries.ts';

async function* documentsOf(...texts: readonly string[]): AsyncGenerator<EvaluatedDocument, void, undefined> {
  for (const [at, text] of texts.entries()) yield { id: `d${at}`, title: '', text };
}

describe('swapped queries', () => {
  const yolk = 'The yolk sac (YS) grows.';

  it('exchanges a name for the other, and leaves the rest of the query', () => {
    const pairs = [{ short: 'YS', long: 'yolk sac' }];
    expect(swapName('Cells of the Yolk Sac, in mice', pairs)).toBe('Cells of the YS, in mice');
    expect(swapName('Cells of the YS, in mice', pairs)).toBe('Cells of the yolk sac, in mice');
    for (const query of ['yolk sac (YS) cells', 'yolk-sac cells', 'egg yolk sacks', 'ys cells', 'cells'])
      expect(swapName(query, pairs)).toBeUndefined();
  });

  it('takes names that two documents define and that mean nothing else', async () => {
    expect(await readNames(documentsOf(yolk))).toEqual([]);
    expect(await readNames(documentsOf(yolk, yolk))).toEqual([{ short: 'YS', long: 'yolk sac' }]);
    expect(await readNames(documentsOf(yolk, yolk, 'A young smoker (YS) coughs.'))).toEqual([]);
  });
});

it('draws the same collection from the same seed, each question with notes that answer it', () => {
  const made = makeAcronymCorpus({ seed: 7, machines: 20 });
  expect(makeAcronymCorpus({ seed: 7, machines: 20 })).toEqual(made);
  expect(makeAcronymCorpus({ seed: 8, machines: 20 })).not.toEqual(made);
  const texts = new Map(made.documents.map(({ id, text }) => [id, text]));
  for (const { id, text } of made.queries) {
    const relevant = [...(made.judgments.get(id)?.keys() ?? [])];
    expect(relevant.length).toBeGreaterThan(0);
    const aspect = text.split(' ')[0] ?? '';
    for (const one of relevant) expect(texts.get(one)).toContain(`The ${aspect} of the`);
  }
});
