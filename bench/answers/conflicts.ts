// Disagreements between texts that other people wrote: claims of SciFact beside the sentences that support or contradict them, and passages of RGB
// beside the same with a wrong answer put in. Rules of names were shaped on every second question of RGB, and the others are reported; nothing was tuned on SciFact. A pair counts as found where a sentence of one side contradicts one of the other.
// Usage: node bench/answers/conflicts.ts [--dry]
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { contradictionOf, readStatement } from '../../src/answer/conflicts/contradiction.ts';
import { findJsonl, readJsonl } from '../../src/evals/datasets.ts';
import { segmentPieces } from '../../src/text/sentences.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { type BenchTable, writeResult } from '../report.ts';

const { values: flags } = parseArgs({ options: { dry: { type: 'boolean', default: false } } });
const round = (value: number): number => Number(value.toFixed(4));

interface Pair {
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly over: string;
  readonly contradicts: boolean;
}

const disagree = ({ left, right, over }: Pair): boolean => {
  const others = right.map((text) => readStatement(text, over));
  return left.some((text) => {
    const own = readStatement(text, over);
    return others.some((other) => contradictionOf(own, other) !== undefined);
  });
};

const claimSchema = z.object({
  claim: z.string(),
  evidence: z.array(
    z.object({ doc_id: z.string(), label: z.enum(['SUPPORT', 'CONTRADICT']), sentences: z.array(z.int()) }),
  ),
});
const abstractSchema = z.object({ _id: z.string(), sentences: z.array(z.string()) });
const passagesSchema = z.object({ positive: z.array(z.string()), positive_wrong: z.array(z.string()) });

async function scifactPairs(folder: string): Promise<Pair[]> {
  const sentences = new Map<string, readonly string[]>();
  for await (const one of readJsonl(findJsonl(folder, 'sentences'), abstractSchema))
    sentences.set(one._id, one.sentences);
  const pairs: Pair[] = [];
  for (const split of ['train', 'test'])
    for await (const { claim, evidence } of readJsonl(join(folder, `claims.${split}.jsonl`), claimSchema))
      for (const { doc_id: id, label, sentences: places } of evidence)
        pairs.push({
          left: [claim],
          right: places.flatMap((place) => sentences.get(id)?.[place] ?? []),
          over: '',
          contradicts: label === 'CONTRADICT',
        });
  return pairs;
}

const sentencesOf = (text: string): string[] => segmentPieces(text).map(({ start, end }) => text.slice(start, end));

/** Of each question the first right passage beside the first wrong one, and beside another right one. */
async function rgbPairs(folder: string, half: 0 | 1): Promise<Pair[]> {
  const pairs: Pair[] = [];
  let at = 0;
  for await (const { positive, positive_wrong: wrong } of readJsonl(findJsonl(folder, 'en_fact'), passagesSchema)) {
    at += 1;
    if ((at - 1) % 2 !== half) continue;
    const [first, second] = positive;
    if (first !== undefined && wrong[0] !== undefined)
      pairs.push({ left: sentencesOf(first), right: sentencesOf(wrong[0]), over: '', contradicts: true });
    if (first !== undefined && second !== undefined)
      pairs.push({ left: sentencesOf(first), right: sentencesOf(second), over: '', contradicts: false });
  }
  return pairs;
}

const shaped = 'RGB, shaped on';
const sets = [
  ['SciFact', 'scifact', scifactPairs],
  ['RGB', 'rgb', (folder: string) => rgbPairs(folder, 1)],
  [shaped, 'rgb', (folder: string) => rgbPairs(folder, 0)],
] as const;
const rows: BenchTable['rows'][number][] = [];
const figures: Record<string, { readonly recall: number; readonly precision: number }> = {};
for (const [name, place, read] of sets) {
  const folder = sharedData(place);
  if (folder === undefined) continue;
  const pairs = await read(folder);
  const found = pairs.filter(disagree);
  const right = found.filter(({ contradicts }) => contradicts).length;
  const wanted = pairs.filter(({ contradicts }) => contradicts).length;
  const [recall, precision] = [right / wanted, found.length === 0 ? 1 : right / found.length];
  figures[name] = { recall, precision };
  rows.push([name, pairs.length, wanted, found.length, right, round(recall), round(precision)]);
}
console.table(rows);
if (!flags.dry)
  await writeResult('conflicts', {
    title: 'Disagreements between texts of other people',
    command: 'npm run bench conflicts',
    data: [...new Set(sets.flatMap(([, place]) => sharedData(place) ?? []))],
    metrics: Object.fromEntries(
      Object.entries(figures).flatMap(([name, { recall, precision }]) => [
        [`${name} recall`, round(recall)],
        [`${name} precision`, round(precision)],
      ]),
    ),
    goals: Object.entries(figures)
      .filter(([name]) => name !== shaped)
      .flatMap(([name, { recall, precision }]) => [
        { what: `${name}: recall of contradictions`, wanted: '>= 0.4', got: round(recall), met: recall >= 0.4 },
        { what: `${name}: precision`, wanted: '>= 0.75', got: round(precision), met: precision >= 0.75 },
      ]),
    tables: [
      {
        title: 'Pairs',
        columns: ['set', 'pairs', 'contradicting', 'found', 'right', 'recall', 'precision'],
        rows,
      },
    ],
    notes: [
      'By rules alone, which want the same words on both sides; SciFact words its claims otherwise than its abstracts.',
    ],
  });
