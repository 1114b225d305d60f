// Which kind of source a question needs, by patterns alone: two halves of 156 well-formed questions, and two of 72 and 48 in the styles of people
// (terse, mistyped, polite, told as a story). The unseen ones were written before the patterns and never looked at while they were chosen.
// Usage: node bench/retrieval/router.ts [--dry]
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { decideRoute } from '../../src/retrieval/route/route.ts';
import { macroF1, readRouterQuestions } from '../../testkit/router/questions.ts';
import { writeResult } from '../report.ts';

const { values: flags } = parseArgs({ options: { dry: { type: 'boolean', default: false } } });
const round = (value: number): number => Number(value.toFixed(3));
const names = ['seen', 'unseen', 'styles-seen', 'styles-unseen'] as const;
const halves = names.map((half) => {
  const questions = readRouterQuestions(half);
  const from = process.cpuUsage();
  const figures = macroF1(questions, (question) => decideRoute(question).types);
  const { user, system } = process.cpuUsage(from);
  return { half, questions: questions.length, ...figures, perQuestionMs: (user + system) / 1000 / questions.length };
});
type Figures = (typeof halves)[number];
const [seen, unseen, , styles] = halves as [Figures, Figures, Figures, Figures];
const columns = ['half', 'questions', 'macro F1', ...Object.keys(seen.byType), 'first kind right', 'cannot tell'];
const rows = halves.map(({ half, questions, macro, byType, first, unsure }) => [
  half,
  questions,
  round(macro),
  ...Object.values(byType).map(round),
  round(first),
  unsure,
]);
console.table(rows.map((row) => Object.fromEntries(row.map((cell, at) => [columns[at], cell]))));
if (!flags.dry)
  await writeResult('router', {
    title: 'Which kind of source a question needs, by patterns',
    command: 'npm run bench router',
    seed: null,
    data: names.map((half) => fileURLToPath(new URL(`../../testkit/router/${half}.tsv`, import.meta.url))),
    metrics: {
      'macro F1, unseen': round(unseen.macro),
      'macro F1, seen': round(seen.macro),
      'macro F1, unseen styles': round(styles.macro),
      'ms a question': round(unseen.perQuestionMs),
    },
    goals: [
      { what: 'macro F1 on the unseen half', wanted: '>= 0.85', got: round(unseen.macro), met: unseen.macro >= 0.85 },
      { what: 'macro F1 on the unseen styles', wanted: '>= 0.8', got: round(styles.macro), met: styles.macro >= 0.8 },
    ],
    tables: [{ title: 'By half and kind', columns, rows }],
    notes: [
      'One label a question. A router that names several kinds is charged with those that are not needed; one that cannot tell counts as naming all six.',
      'All were written by whoever wrote the patterns, the unseen ones first: other people word their questions otherwise.',
      'The unseen styles stood at 0.673 before patterns were made for the seen ones, those at 0.51.',
    ],
  });
