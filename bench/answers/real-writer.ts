// What becomes of the sentences of a real small writer (data/realwriter, seen: thresholds were set on it): quoted by rules, confirmed by the fitted support,
// shown above their passage, or not at all; with a judge that says what people say, and how many forged claims and harmful cuts are confirmed.
import { join } from 'node:path';
import { gradeOf } from '../../src/answer/support/grade.ts';
import type { Encoder } from '../../src/models/encoder/encoder.ts';
import { openLocalEncoder } from '../../src/models/encoder/local-encoder.ts';
import { segmentSentences } from '../../src/text/sentences.ts';
import { cutsOf } from '../../testkit/forge/cuts.ts';
import { forgePairs, forgeries } from '../../testkit/forge/forge.ts';
import { forgeTexts } from '../../testkit/forge/forge-texts.ts';
import { sharedRoot } from '../../testkit/shared-data.ts';
import { writeResult } from '../report.ts';
import { xquadSentences } from './own-words/judged-sets.ts';
import {
  leastMatchOf,
  madeUpSentences,
  readClaim,
  type WrittenSentence,
  writtenSentences,
} from './own-words/real-writer.ts';

type Outcome = 'quoted' | 'confirmed' | 'reworded' | 'unlike' | 'vetoed';
const seed = 20_261_128;
const percent = (part: number, whole: number): number => Math.round((1000 * part) / Math.max(1, whole)) / 10;

async function outcomeOf(
  ...[claim, passages, question, encoder]: [...Parameters<typeof readClaim>, Pick<Encoder, 'leastMatch'>?]
): Promise<Outcome> {
  const read = readClaim(claim, passages, question);
  if (read.isQuoted) return 'quoted';
  if (read.vetoes.length > 0) return 'vetoed';
  const leastMatch = encoder && (await leastMatchOf(claim, read, encoder));
  return gradeOf(read.comparison, { ...read, leastMatch }).degree;
}

const encoder = await openLocalEncoder();
const sets: readonly (readonly [string, readonly WrittenSentence[]])[] = [
  ['', writtenSentences()],
  ['made up, fitted on', madeUpSentences('fitted')],
  ['made up, unseen', madeUpSentences('unseen')],
];
const rows: (string | number)[][] = [];
const metrics: Record<string, number> = {};
/** What becomes of the sentences of a set. */
async function measureSet(
  name: string,
  sentences: readonly WrittenSentence[],
  used: Pick<Encoder, 'leastMatch'> | undefined,
): Promise<void> {
  const all: { readonly isTrue: boolean; readonly outcome: Outcome }[] = [];
  for (const { claim, passages, question, isTrue } of sentences)
    all.push({ isTrue, outcome: await outcomeOf(claim, passages, question, used) });
  const count = (isTrue: boolean, ...outcomes: readonly Outcome[]): number =>
    all.filter((one) => one.isTrue === isTrue && outcomes.includes(one.outcome)).length;
  const [carried, others] = [true, false].map((isTrue) => all.filter((one) => one.isTrue === isTrue).length) as [
    number,
    number,
  ];
  for (const isTrue of [true, false])
    rows.push([
      name,
      isTrue ? 'carried' : 'not carried',
      isTrue ? carried : others,
      ...(['quoted', 'confirmed', 'reworded', 'unlike', 'vetoed'] as const).map((outcome) => count(isTrue, outcome)),
    ]);
  const [right, wrong] = [true, false].map((isTrue) => count(isTrue, 'quoted', 'confirmed')) as [number, number];
  metrics[`${name}: carried ones confirmed %`] = percent(right, carried);
  metrics[`${name}: carried ones shown %`] = percent(right + count(true, 'reworded'), carried);
  metrics[`${name}: not carried among the confirmed %`] = percent(wrong, right + wrong);
  metrics[`${name}: not carried ones shown %`] = percent(wrong + count(false, 'reworded'), others);
  // A judge that says what people say is asked about everything that nothing forbids.
  metrics[`${name}, capable judge: carried ones confirmed %`] = percent(carried - count(true, 'vetoed'), carried);
}

for (const [set, sentences] of sets)
  for (const [name, used] of [
    ['with the encoder', encoder],
    ['without', undefined],
  ] as const)
    await measureSet(set === '' ? name : `${set}, ${name}`, sentences, used);
await encoder.close();

const own = forgeTexts.flatMap(({ language, sentences: texts }) => texts.map((text) => ({ text, language })));
let [forged, cut, cuts] = [0, 0, 0];
const isConfirmed = (outcome: Outcome): boolean => outcome === 'quoted' || outcome === 'confirmed';
for (const { claim, quote } of forgePairs(own, { count: 10_000, seed, kinds: forgeries }))
  if (isConfirmed(await outcomeOf(claim, [{ quote, title: '' }], undefined))) forged += 1;
for (const { claim, quote, isHarmful } of xquadSentences((text) => segmentSentences(text)).flatMap(cutsOf)) {
  if (!isHarmful) continue;
  cuts += 1;
  if (isConfirmed(await outcomeOf(claim, [{ quote, title: '' }], undefined))) cut += 1;
}
metrics['forged claims confirmed, of 10,000'] = forged;
metrics['harmful cuts confirmed %'] = percent(cut, cuts);
console.table(rows);
console.log(metrics);

const least = (what: string, wanted: number) => ({
  what,
  wanted: `>= ${wanted}`,
  got: metrics[what] ?? 0,
  met: (metrics[what] ?? 0) >= wanted,
});
const most = (what: string, wanted: number) => ({
  what,
  wanted: `<= ${wanted}`,
  got: metrics[what] ?? 100,
  met: (metrics[what] ?? 100) <= wanted,
});
if (!process.argv.includes('--dry'))
  await writeResult('real-writer', {
    title: 'Sentences of a real writer',
    command: 'node bench/answers/real-writer.ts',
    seed,
    data: [join(sharedRoot, 'realwriter')],
    metrics,
    goals: [
      least('with the encoder: carried ones confirmed %', 65),
      least('with the encoder: carried ones shown %', 90),
      most('with the encoder: not carried among the confirmed %', 3),
      most('with the encoder: not carried ones shown %', 30),
      least('with the encoder, capable judge: carried ones confirmed %', 90),
      most('forged claims confirmed, of 10,000', 0),
      most('harmful cuts confirmed %', 1.7),
    ],
    tables: [
      {
        title: 'What becomes of the sentences',
        columns: [
          'encoder',
          'by hand',
          'sentences',
          'quoted',
          'confirmed',
          'reworded',
          'for a judge alone',
          'forbidden',
        ],
        rows,
      },
    ],
    notes: [
      'The set is small and seen: weights were fitted and thresholds set on it. Twice as much is kept elsewhere.',
      'Made-up sentences: half are false and as near to their passages as the true ones (a thing of the passage beside it, a condition left out, the order turned), which nothing but a capable judge tells well. The unseen ones are by another author and were opened once.',
    ],
  });
