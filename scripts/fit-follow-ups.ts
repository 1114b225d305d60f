// Fits the chance that a message goes on with the question before it (src/agent/intent/follow-up.json) on folders of documents with questions, and says how well
// each folder is told by what the others taught. Messages that go on are the last of the sessions; those that do not are single questions behind another one,
// answerable or not.
// Usage: node scripts/fit-follow-ups.ts [--write] DOCUMENTS=QUESTIONS.jsonl ... (bench/answers/folders). Deterministic.
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FolderQuestion } from '../bench/answers/passages-score.ts';
import { followUpNumbers, withBefore } from '../src/agent/intent/follow-up.ts';
import { openLocalEncoder } from '../src/models/encoder/local-encoder.ts';
import { closestBelow, surenessOf } from '../src/passages/sureness.ts';
import { type AskedFolder, type FoundFirst, findFirst, openAskedFolder, readFolders } from './asked-folder.ts';
import { chanceOf, type FittedRow, fitLogistic, type Logistic } from './logistic.ts';

const file = new URL('../src/agent/intent/follow-up.json', import.meta.url);
const ridge = 1;
/** Of the single questions every third is asked behind another one. */
const everyChange = 3;
const encoder = await openLocalEncoder();

const orders = ['words', 'encoder'] as const;
interface Found {
  readonly chance: number;
  readonly isRight: boolean;
}
interface Row extends FittedRow {
  readonly folder: string;
  readonly order: (typeof orders)[number];
  readonly isAnswerable: boolean;
  readonly alone: Found;
  readonly together: Found;
}

async function look(
  query: string,
  asked: FolderQuestion,
  folder: AskedFolder,
): Promise<Readonly<Record<Row['order'], Found>>> {
  const { words, encoder: byEncoder = words } = await findFirst(query, asked, { ...folder, encoder });
  const told = (first: FoundFirst | undefined): Found =>
    first ? { chance: surenessOf(first.input), isRight: first.isRight } : { chance: 0, isRight: false };
  return { words: told(words), encoder: told(byEncoder) };
}

async function readFolder(documents: string, questions: string): Promise<readonly Row[]> {
  const opened = await openAskedFolder(documents, questions);
  try {
    const answerable = opened.asked.filter((question) => question.answerable);
    const [single, others] = [answerable, opened.asked.filter((question) => !question.answerable)].map((asked) =>
      asked.filter(({ session }) => session === undefined),
    ) as [FolderQuestion[], FolderQuestion[]];
    const behind = (question: FolderQuestion, at: number) => {
      const other = single[(at + Math.floor(single.length / 2)) % single.length];
      return other && other !== question
        ? [{ question, content: question.question, before: other.question, goesOn: false }]
        : [];
    };
    const pairs = [
      ...answerable.flatMap((question) => {
        const [content, before] = (question.session ?? []).toReversed();
        return content !== undefined && before !== undefined ? [{ question, content, before, goesOn: true }] : [];
      }),
      ...single.flatMap((question, at) => (at % everyChange === 0 ? behind(question, at) : [])),
      ...others.flatMap(behind),
    ];
    const found: Row[] = [];
    for (const { question, content, before, goesOn } of pairs) {
      const alone = await look(content, question, opened);
      const together = await look(withBefore(content, before), question, opened);
      for (const order of orders)
        found.push({
          folder: basename(documents),
          order,
          isTrue: goesOn,
          weight: 1,
          isAnswerable: question.answerable,
          alone: alone[order],
          together: together[order],
          features: followUpNumbers(content, together[order].chance - alone[order].chance),
        });
    }
    return found;
  } finally {
    await opened.close();
  }
}

/** Both kinds weigh as much. */
function fitOf(rows: readonly Row[]): Logistic {
  const going = rows.filter(({ isTrue }) => isTrue).length;
  const share = (part: number): number => rows.length / 2 / Math.max(1, part);
  const weighed = rows.map((row) => ({ ...row, weight: share(row.isTrue ? going : rows.length - going) }));
  return fitLogistic(weighed, ridge);
}

const rows = await readFolders(readFolder);
await encoder.close();
const kinds = {
  'messages that go on': (row: Row) => row.isTrue,
  'messages that do not': (row: Row) => !row.isTrue && row.isAnswerable,
  'questions that nothing answers': (row: Row) => !row.isAnswerable,
};
for (const order of orders)
  for (const [kind, isOfKind] of Object.entries(kinds)) {
    const own = rows.filter((row) => row.order === order && isOfKind(row));
    const count = (read: (row: Row) => Found): string => {
      const found = own.map(read);
      return `${found.filter(({ isRight }) => isRight).length} answered, ${found.filter(({ chance }) => chance >= closestBelow).length} asserted`;
    };
    const told = (row: Row): Found => {
      const fitted = fitOf(rows.filter(({ folder }) => folder !== row.folder));
      return chanceOf(fitted, row) >= 0.5 ? row.together : row.alone;
    };
    console.log(
      `${order}, folder left out, ${own.length} ${kind}: ${count(told)}; always alone ${count(({ alone }) => alone)}; always with the question before ${count(({ together }) => together)}`,
    );
  }
const { bias, weights } = fitOf(rows);
const rounded = (value = 0): number => Math.round(100 * value) / 100;
const written = {
  about: `Whether a message goes on with the question before it: a logistic model, by scripts/fit-follow-ups.ts over ${rows.length} readings of ${new Set(rows.map(({ folder }) => folder)).size} folders of real documents.`,
  bias: rounded(bias),
  gain: rounded(weights[0]),
  terms: rounded(weights[1]),
};
console.log(JSON.stringify(written));
if (process.argv.includes('--write')) await writeFile(file, `${JSON.stringify(written, null, 2)}\n`);
