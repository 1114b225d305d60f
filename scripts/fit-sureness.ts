// Fits the chance that the first passage answers (src/passages/sureness.json) on folders of documents with questions, and says how well each folder is told by
// what the others taught. Usage: node scripts/fit-sureness.ts [--write] DOCUMENTS=QUESTIONS.jsonl ... (bench/answers/folders). Deterministic.
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type FolderQuestion, judgedPassages, toldOf } from '../bench/answers/passages-score.ts';
import type { Evidence } from '../src/core/search.ts';
import { cosinesOf } from '../src/models/encoder/cosines.ts';
import { openLocalEncoder } from '../src/models/encoder/local-encoder.ts';
import { choosePassages, mostCompared, rivalOf } from '../src/passages/choose.ts';
import { type CollectionStatistics, readFrame } from '../src/passages/frame.ts';
import { rankByMeaning, rankByWords } from '../src/passages/rank.ts';
import { closestBelow, surenessNumbers, surenessNumbersOf } from '../src/passages/sureness.ts';
import { openAskedFolder } from './asked-folder.ts';
import { type FittedRow, fitLogistic, type Logistic } from './logistic.ts';

const file = new URL('../src/passages/sureness.json', import.meta.url);
const ridge = 0.5;
/** As many as an answer reads. */
const readHits = 20;
const encoder = await openLocalEncoder();

interface Row extends FittedRow {
  readonly folder: string;
  readonly order: 'words' | 'encoder';
  readonly isAnswerable: boolean;
}

/** Each question twice: ordered by words alone, and with the encoder. */
async function readFolder(documents: string, questions: string): Promise<readonly Row[]> {
  const { footnote, statistics, asked, close } = await openAskedFolder(documents, questions);
  try {
    const found: Row[] = [];
    for (const question of asked.filter(({ session }) => session === undefined)) {
      const { results } = await footnote.search({ query: question.question, topK: readHits });
      found.push(...(await rowsOf(basename(documents), question, results, statistics)));
    }
    return found;
  } finally {
    await close();
  }
}

async function rowsOf(
  folder: string,
  question: FolderQuestion,
  evidence: readonly Evidence[],
  statistics: CollectionStatistics,
): Promise<readonly Row[]> {
  const frame = readFrame(question.question, statistics);
  const byWords = rankByWords(frame, evidence);
  const { ranked } = await rankByMeaning(question.question, byWords, async ({ query, texts, byTokens }) => ({
    scores: await (byTokens ? encoder.match(query, texts) : cosinesOf(encoder, query, texts)),
  }));
  const orders = { words: byWords, ...(ranked !== byWords && { encoder: ranked }) };
  return Object.entries(orders).flatMap(([order, passages]) => {
    const chosen = choosePassages(passages, mostCompared);
    const [first, ...others] = chosen;
    if (!first) return [];
    const told = chosen.map(({ passage: { headingPath, text } }) => toldOf({ headingPath, text }));
    const numbers = surenessNumbersOf({ first, next: rivalOf(first, others, frame) });
    return {
      folder,
      order: order as Row['order'],
      isAnswerable: question.answerable,
      isTrue: judgedPassages(question, told).first,
      weight: 1,
      features: surenessNumbers.map((name) => numbers[name]),
    };
  });
}

const chanceOf = ({ bias, weights }: Logistic, { features }: Row): number =>
  1 / (1 + Math.exp(-features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias)));

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / Math.max(1, whole))} %`;

function report(order: string, told: readonly { readonly row: Row; readonly chance: number }[]): void {
  const bins = [...Map.groupBy(told, ({ chance }) => Math.min(9, Math.floor(10 * chance))).values()];
  const error = bins.map((bin) =>
    Math.abs(bin.reduce((sum, { row, chance }) => sum + chance - (row.isTrue ? 1 : 0), 0)),
  );
  const asserted = told.filter(({ chance }) => chance >= closestBelow);
  const none = told.filter(({ row }) => !row.isAnswerable);
  console.log(
    `${order}, folder left out: calibration error ${(error.reduce((sum, one) => sum + one, 0) / told.length).toFixed(3)}; of ${told.length} answers ` +
      `${percent(asserted.length, told.length)} are asserted, of these ${percent(asserted.filter(({ row }) => row.isTrue).length, asserted.length)} right; ` +
      `of ${none.length} that the documents do not answer ${none.filter(({ chance }) => chance >= closestBelow).length} are asserted`,
  );
}

const rows: Row[] = [];
for (const folder of process.argv.slice(2).filter((argument) => argument.includes('='))) {
  const [documents = '', questions = ''] = folder.split('=');
  rows.push(...(await readFolder(documents, questions)));
  console.error(`${documents}: ${rows.length} orders so far`);
}
await encoder.close();
const rounded = (value: number): number => Math.round(100 * value) / 100;
function fitOrder(order: Row['order']): object {
  const own = rows.filter((row) => row.order === order);
  report(
    order,
    [...new Set(own.map(({ folder }) => folder))].flatMap((folder) => {
      const fitted = fitLogistic(
        own.filter((row) => row.folder !== folder),
        ridge,
      );
      return own.filter((row) => row.folder === folder).map((row) => ({ row, chance: chanceOf(fitted, row) }));
    }),
  );
  const { bias, weights } = fitLogistic(own, ridge);
  return {
    bias: rounded(bias),
    weights: Object.fromEntries(surenessNumbers.map((name, at) => [name, rounded(weights[at] ?? 0)])),
  };
}
const written = {
  about: `The chance that the first passage answers: logistic models, by scripts/fit-sureness.ts over ${rows.length} orders of ${new Set(rows.map(({ folder }) => folder)).size} folders of real documents.`,
  words: fitOrder('words'),
  encoder: fitOrder('encoder'),
};
console.log(JSON.stringify(written));
if (process.argv.includes('--write')) await writeFile(file, `${JSON.stringify(written, null, 2)}\n`);
