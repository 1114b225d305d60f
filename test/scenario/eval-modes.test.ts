// Measuring all modes through the command line, over documents made here.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
const lines = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');

/** Two words of each subject mean the same and stand together now and then; a query has the one, its document the other. */
const subjects = [
  ['heron', 'wader', 'marsh', 'reeds'],
  ['engine', 'motor', 'piston', 'torque'],
  ['violin', 'fiddle', 'strings', 'bow'],
  ['glacier', 'icefield', 'moraine', 'meltwater'],
  ['loan', 'credit', 'interest', 'bank'],
  ['bread', 'loaf', 'flour', 'oven'],
] as const;
const documents = Array.from({ length: 120 }, (_, index) => {
  const [one, other, ...context] = subjects[index % subjects.length]!;
  const name = index % 4 === 0 ? `${one} ${other}` : index % 2 === 0 ? one : other;
  const text = `Note ${index}: the ${name} with ${context.join(' and ')} in part ${index % 7} of the record.`;
  return { _id: `n${index}`, title: `Note ${index}`, text };
});
const queries = Array.from({ length: 36 }, (_, index) => {
  const [one, , context] = subjects[index % subjects.length]!;
  return { _id: `q${index}`, text: `${one} ${context} part ${index % 7}` };
});
const judged = queries.flatMap(({ _id }, index) =>
  documents.flatMap((document, place) =>
    place % subjects.length === index % subjects.length && place % 7 === index % 7
      ? [`${_id}\t${document._id}\t1`]
      : [],
  ),
);

beforeAll(async () => {
  place = await openWorkplace();
  await mkdir(join(place.folder, 'set/qrels'), { recursive: true });
  await writeFile(join(place.folder, 'set/corpus.jsonl'), lines(documents));
  await writeFile(join(place.folder, 'set/queries.jsonl'), lines(queries));
  await writeFile(join(place.folder, 'set/qrels/test.tsv'), `query-id\tcorpus-id\tscore\n${judged.join('\n')}\n`);
});
afterAll(() => place.remove());

describe('footnote eval retrieval', () => {
  it('measures all modes on one reading, compares them, and writes a run for each', async () => {
    const { code, json, err } = await place.run(['eval', 'retrieval', 'set', '--run', 'set.run', '--json']);
    expect(err).toBe('');
    expect(code).toBe(0);
    const value = json();
    expect(value).toMatchObject({
      dataset: 'set',
      queries: 36,
      documents: 120,
      runFiles: { embedded: 'set.embedded.run', vector: 'set.vector.run', hybrid: 'set.hybrid.run' },
    });
    expect(value.modes.map(({ mode }: { mode: string }) => mode)).toEqual(['embedded', 'vector', 'hybrid']);
    expect(value.comparisons).toMatchObject([
      { mode: 'vector', reference: 'embedded' },
      { mode: 'hybrid', reference: 'embedded' },
    ]);
    for (const { wins, losses, ties } of value.comparisons) expect(wins + losses + ties).toBe(36);
    // Meaning finds notes that hold none of the query's names for a thing, so the runs differ.
    const [words, meaning] = await Promise.all(
      ['embedded', 'vector'].map((mode) => readFile(join(place.folder, `set.${mode}.run`), 'utf8')),
    );
    expect(words).toMatch(/^q0 Q0 n\d+ 1 \S+ footnote-embedded$/m);
    expect(meaning).toMatch(/^q0 Q0 n\d+ 1 \S+ footnote-vector$/m);
    expect(meaning?.replaceAll('vector', 'embedded')).not.toBe(words);
  });

  it('is a table to a person, and names the queries that changed', async () => {
    const { code, out } = await place.run(['eval', 'retrieval', 'set', '--mode', 'hybrid,embedded']);
    expect(code).toBe(0);
    expect(out).toMatch(/^ +nDCG@10 +recall@10 +recall@100 +MAP +MRR@10$/m);
    expect(out).toMatch(/^ {2}embedded {2}\d\.\d{4} \(\d\.\d{3} to \d\.\d{3}\)/m);
    expect(out).toMatch(
      /hybrid against embedded: nDCG@10 [+-]\d\.\d{4}.*p [<=] \d.*\d+ better, \d+ worse, \d+ the same/,
    );
    expect(out).not.toContain('vector');
    const wrong = await place.run(['eval', 'retrieval', 'set', '--mode', 'hybrid,neither']);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('"neither" is not a mode');
  });
});
