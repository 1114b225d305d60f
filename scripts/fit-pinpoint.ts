// Fits which part of a passage answers (src/passages/pinpoint.json) on questions whose answer is a known place of a paragraph (XQuAD in English), and
// says how well each half of the articles is told by what the other taught. Usage: node scripts/fit-pinpoint.ts [--write]. Deterministic.
import { readFileSync, writeFileSync } from 'node:fs';
import { cosinesOf } from '../src/models/encoder/cosines.ts';
import { openLocalEncoder } from '../src/models/encoder/local-encoder.ts';
import { cutPassages } from '../src/passages/cut.ts';
import { readFrame } from '../src/passages/frame.ts';
import { markedFrom, pinpointNumbers, pinpointNumbersOf } from '../src/passages/pinpoint.ts';
import { partTexts } from '../src/passages/rank.ts';
import { sharedData, sharedLines } from '../testkit/shared-data.ts';

interface Paragraph {
  readonly _id: string;
  readonly title: string;
  readonly text: string;
}
interface Asked {
  readonly _id: string;
  readonly text: string;
  readonly metadata: { readonly answers: readonly [{ readonly text: string; readonly start: number }] };
}
interface Row {
  /** Number of the article. */
  readonly article: number;
  /** Numbers of each part, and whether the answer stands in it. */
  readonly parts: readonly { readonly numbers: readonly number[]; readonly isTrue: boolean }[];
}
type Order = 'words' | 'encoder';

const file = new URL('../src/passages/pinpoint.json', import.meta.url);
const ridge = 0.01;
const encoder = await openLocalEncoder();
const set = sharedData('xquad-en');
if (!set) throw new Error('FOOTNOTE_SHARED_DATA names no folder with xquad-en.');
const paragraphs = new Map((sharedLines<Paragraph>('xquad-en', 'corpus.jsonl') ?? []).map((one) => [one._id, one]));
const judged = new Map(
  readFileSync(`${set}/qrels/test.tsv`, 'utf8')
    .split('\n')
    .map((line) => line.split('\t') as [string, string]),
);
const rows: Record<Order, Row[]> = { words: [], encoder: [] };
for (const { _id, text: question, metadata } of sharedLines<Asked>('xquad-en', 'queries.jsonl') ?? []) {
  const paragraph = paragraphs.get(judged.get(_id) ?? '');
  if (!paragraph) continue;
  const [{ text, start }] = metadata.answers;
  const holds = (span: { readonly start: number; readonly end: number }) =>
    span.start <= start && span.end >= start + text.length;
  const title = paragraph.title.replaceAll('_', ' ');
  const passage = cutPassages({ text: paragraph.text, title, headingPath: [] }).find(holds);
  if (!passage || passage.parts.length < 2 || !passage.parts.some(holds)) continue;
  const frame = readFrame(question);
  for (const order of ['words', 'encoder'] as const) {
    const cosines = order === 'encoder' ? await cosinesOf(encoder, question, partTexts(passage)) : [];
    const numbersOf = pinpointNumbersOf(frame, passage, cosines);
    const parts = passage.parts.map((part, at) => {
      const numbers = numbersOf(part, at);
      return { numbers: pinpointNumbers.map((name) => numbers[name]), isTrue: holds(part) };
    });
    rows[order].push({ article: Number.parseInt(paragraph._id, 10), parts });
  }
}
await encoder.close();

const chancesOf = ({ parts }: Row, weights: readonly number[]): readonly number[] => {
  const odds = parts.map(({ numbers }) =>
    Math.exp(numbers.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0)),
  );
  const all = odds.reduce((sum, one) => sum + one, 0);
  return odds.map((one) => one / all);
};

/** Gradient ascent of the likelihood that a true part is chosen, which has one top. */
function fitWeights(taught: readonly Row[]): readonly number[] {
  let weights = pinpointNumbers.map(() => 0);
  for (let round = 0; round < 2000; round += 1) {
    const gradient = weights.map((weight) => -ridge * weight);
    for (const row of taught) {
      const chances = chancesOf(row, weights);
      const right = row.parts.reduce((sum, { isTrue }, at) => sum + (isTrue ? (chances[at] as number) : 0), 0);
      for (const [at, { numbers, isTrue }] of row.parts.entries()) {
        const pull = (isTrue ? (chances[at] as number) / right : 0) - (chances[at] as number);
        for (const [place, value] of numbers.entries()) (gradient[place] as number) += (pull * value) / taught.length;
      }
    }
    weights = weights.map((weight, at) => weight + 2 * (gradient[at] as number));
  }
  return weights;
}

function report(order: Order): void {
  const told = [0, 1].flatMap((half) => {
    const weights = fitWeights(rows[order].filter(({ article }) => article % 2 !== half));
    return rows[order]
      .filter(({ article }) => article % 2 === half)
      .map((row) => {
        const chances = chancesOf(row, weights);
        const best = chances.indexOf(Math.max(...chances));
        return { chance: chances[best] as number, isTrue: row.parts[best]?.isTrue === true };
      });
  });
  const share = (some: typeof told) =>
    `${Math.round((1000 * some.filter(({ isTrue }) => isTrue).length) / some.length) / 10} %`;
  const marked = told.filter(({ chance }) => chance >= markedFrom);
  console.log(
    `${order}: of ${told.length} best parts ${share(told)} are right; ${marked.length} are marked, of these ${share(marked)} right`,
  );
}

const written = {
  about: `Which part of a passage answers: by scripts/fit-pinpoint.ts over ${rows.words.length} questions of XQuAD in English.`,
  ...Object.fromEntries(
    (['words', 'encoder'] as const).map((order) => {
      report(order);
      const weights = fitWeights(rows[order]);
      return [
        order,
        Object.fromEntries(pinpointNumbers.map((name, at) => [name, Math.round(100 * (weights[at] as number)) / 100])),
      ];
    }),
  ),
};
console.log(JSON.stringify(written));
if (process.argv.includes('--write')) writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`);
