// What a chat over the archive makes, without a model, of questions in words that the turns do not have (paraphrases), and of questions about how things stand
// where somebody said one thing and later another (reversals). What was said is hidden among the turns of a conversation of LoCoMo.
// Usage: node bench/archive/archive-by-meaning.ts [--taught] [--show] [--dry]. Sealed halves are measured by default; --taught and --show are for work on it.
import { parseArgs } from 'node:util';
import { type Part, paraphrases, reversals } from '../../testkit/memory/labelled.ts';
import { writeResult } from '../report.ts';
import { withArchive } from './asked-archive.ts';
import { locomoFolder, locomoLines } from './locomo-data.ts';

const { values: flags } = parseArgs({
  options: {
    taught: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
  },
});
const part: Part = flags.taught ? 'taught' : 'sealed';
const amongst = 'conv-26';

const line = (id: string, text: string, at: number, year: number): object => ({
  conversation_id: `own-${at % 7}`,
  turn_id: id,
  role: 'user',
  text,
  timestamp: `${year}-0${1 + (at % 9)}-11T10:00:00Z`,
});

if (locomoFolder !== undefined) {
  const others = ((await locomoLines()) as readonly { readonly conversation_id: string }[]).filter(
    ({ conversation_id }) => conversation_id === amongst,
  );
  const [reworded, reversed] = [paraphrases(part), reversals(part)];
  const paraphrased = await withArchive(
    [...others, ...reworded.map(({ memory }, at) => line(`p-${at}`, memory, at, 2025))],
    async ({ conversations }) => {
      const counts = { read: 0, cited: 0, first: 0, abstained: 0 };
      for (const [at, { question, memory }] of reworded.entries()) {
        const done = await conversations.chat({ messages: [{ role: 'user', content: question }] });
        const isCited = done.cited_turn_ids.includes(`p-${at}`);
        counts.read += done.hydrated_turn_ids.includes(`p-${at}`) ? 1 : 0;
        counts.cited += isCited ? 1 : 0;
        counts.first += done.cited_turn_ids[0] === `p-${at}` ? 1 : 0;
        counts.abstained += done.abstained ? 1 : 0;
        if (flags.show && !isCited) console.log(`${question} | ${memory} | ${done.answer}`);
      }
      return counts;
    },
  );
  const decided = await withArchive(
    [
      ...others,
      ...reversed.map(({ before }, at) => line(`before-${at}`, before, at, 2024)),
      ...reversed.map(({ after }, at) => line(`after-${at}`, after, at, 2025)),
    ],
    async ({ conversations }) => {
      const counts = { laterFirst: 0, bothInOrder: 0, laterCited: 0 };
      for (const [at, { question }] of reversed.entries()) {
        const { cited_turn_ids: cited, answer } = await conversations.chat({
          messages: [{ role: 'user', content: question }],
        });
        const [later, earlier] = [cited.indexOf(`after-${at}`), cited.indexOf(`before-${at}`)];
        const isFirst = later >= 0 && (earlier < 0 || later < earlier);
        counts.laterCited += later >= 0 ? 1 : 0;
        counts.laterFirst += isFirst ? 1 : 0;
        counts.bothInOrder += isFirst && earlier >= 0 ? 1 : 0;
        if (flags.show && !(isFirst && earlier >= 0)) console.log(`${question} | ${later} ${earlier} | ${answer}`);
      }
      return counts;
    },
  );
  const shareOf = (count: number, of: readonly unknown[]): number => Number(((100 * count) / of.length).toFixed(1));
  const rows = [
    ['paraphrase: the turn is read', reworded.length, shareOf(paraphrased.read, reworded)],
    ['paraphrase: the turn is cited', reworded.length, shareOf(paraphrased.cited, reworded)],
    ['paraphrase: it is cited first', reworded.length, shareOf(paraphrased.first, reworded)],
    ['paraphrase: abstained', reworded.length, shareOf(paraphrased.abstained, reworded)],
    ['reversal: what was said later is cited', reversed.length, shareOf(decided.laterCited, reversed)],
    [
      'reversal: it is cited, and not behind what was said before',
      reversed.length,
      shareOf(decided.laterFirst, reversed),
    ],
    ['reversal: both are cited, the later first', reversed.length, shareOf(decided.bothInOrder, reversed)],
  ] as const;
  console.log(part);
  for (const row of rows) console.log(row.join('\t'));
  const goal = (what: string, [, , got]: (typeof rows)[number], least: number) => ({
    what: `${what}, percent`,
    wanted: `>= ${least}`,
    got,
    met: got >= least,
  });
  if (!flags.dry && !flags.taught)
    await writeResult('archive-by-meaning', {
      title: 'Questions to the archive in other words, and about what changed',
      command: 'npm run bench archive-by-meaning',
      seed: null,
      data: [locomoFolder],
      metrics: { paraphrases: reworded.length, reversals: reversed.length },
      goals: [goal('paraphrases whose turn is cited', rows[1], 70), goal('reversals, the later first', rows[5], 80)],
      tables: [
        { title: 'Sealed halves', columns: ['what', 'questions', 'percent'], rows: rows.map((row) => [...row]) },
      ],
      notes: [
        'What was said and what is asked was written for this project (testkit/memory), the sealed halves before any figure was taken.',
      ],
    });
}
