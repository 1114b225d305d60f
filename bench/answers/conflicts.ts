// Disagreements between texts that other people wrote: claims of SciFact beside the sentences that support or contradict them, and passages of RGB
// beside the same with a wrong answer put in. The model of pairs was fitted on every second question of RGB, and the others are reported; nothing was fitted on SciFact. A pair counts as found where a sentence of one side contradicts one of the other.
// Usage: node bench/answers/conflicts.ts [--dry]
import { parseArgs } from 'node:util';
import { comparePair, conflictFrom } from '../../src/passages/pairs/compare-pair.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { type BenchTable, writeResult } from '../report.ts';
import { rgbQuestions, scifactClaims, sentencesIn } from './conflicts-sets.ts';

const { values: flags } = parseArgs({ options: { dry: { type: 'boolean', default: false } } });
const round = (value: number): number => Number(value.toFixed(4));

interface Pair {
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly contradicts: boolean;
}

const disagree = ({ left, right }: Pair): boolean =>
  left.some((text) =>
    right.some((other) => (comparePair({ text, over: [] }, { text: other, over: [] })?.conflict ?? 0) >= conflictFrom),
  );

async function scifactPairs(folder: string): Promise<Pair[]> {
  return (await scifactClaims(folder, ['train', 'test'])).flatMap(({ claim, evidence }) =>
    evidence.map(({ label, sentences }) => ({
      left: [claim],
      right: sentences,

      contradicts: label === 'CONTRADICT',
    })),
  );
}

/** Of each question the first right passage beside the first wrong one, and beside another right one. */
async function rgbPairs(folder: string, half: 0 | 1): Promise<Pair[]> {
  return (await rgbQuestions(folder, half)).flatMap(({ right: [first, second], wrong: [wrong] }) =>
    [
      { other: wrong, contradicts: true },
      { other: second, contradicts: false },
    ].flatMap(({ other, contradicts }) =>
      first === undefined || other === undefined
        ? []
        : [{ left: sentencesIn(first), right: sentencesIn(other), contradicts }],
    ),
  );
}

const fitted = 'RGB, fitted on';
const sets = [
  ['SciFact', 'scifact', scifactPairs],
  ['RGB', 'rgb', (folder: string) => rgbPairs(folder, 1)],
  [fitted, 'rgb', (folder: string) => rgbPairs(folder, 0)],
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
      .filter(([name]) => name !== fitted)
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
      'By the fitted model of pairs, which wants a value on both sides; SciFact words its claims otherwise than its abstracts.',
    ],
  });
