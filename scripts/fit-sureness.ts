// Fits the chance that the first passage answers (src/passages/sureness.json) on folders of documents with questions, and says how well each folder is told by
// what the others taught. Usage: node scripts/fit-sureness.ts [--write] DOCUMENTS=QUESTIONS.jsonl ... (bench/answers/folders). Deterministic.
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { openLocalEncoder } from '../src/models/encoder/local-encoder.ts';
import { closestBelow, surenessNumbers, surenessNumbersOf } from '../src/passages/sureness.ts';
import { findFirst, openAskedFolder, readFolders } from './asked-folder.ts';
import { chanceOf, type FittedRow, fitLogistic } from './logistic.ts';

const file = new URL('../src/passages/sureness.json', import.meta.url);
const ridge = 0.5;
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
    const rows: Row[] = [];
    for (const question of asked.filter(({ session }) => session === undefined)) {
      const found = await findFirst(question.question, question, { footnote, statistics, encoder });
      for (const order of ['words', 'encoder'] as const) {
        const first = found[order];
        if (!first) continue;
        const numbers = surenessNumbersOf(first.input);
        rows.push({
          folder: basename(documents),
          order,
          isAnswerable: question.answerable,
          isTrue: first.isRight,
          weight: 1,
          features: surenessNumbers.map((name) => numbers[name]),
        });
      }
    }
    return rows;
  } finally {
    await close();
  }
}

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

const rows = await readFolders(readFolder);
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
