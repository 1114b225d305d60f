// Which kind of source a question needs, by patterns alone: two halves of 156 questions, of which the `unseen` one was written before the
// patterns and never looked at while they were chosen.
// Usage: node bench/retrieval/router.ts [--dry]
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { decideRoute } from '../../src/retrieval/route/route.ts';
import { macroF1, readRouterQuestions } from '../../testkit/router/questions.ts';
import { writeResult } from '../report.ts';

const { values: flags } = parseArgs({ options: { dry: { type: 'boolean', default: false } } });
const round = (value: number): number => Number(value.toFixed(3));
const halves = (['seen', 'unseen'] as const).map((half) => {
  const questions = readRouterQuestions(half);
  const from = process.cpuUsage();
  const figures = macroF1(questions, (question) => decideRoute(question).types);
  const { user, system } = process.cpuUsage(from);
  return { half, questions: questions.length, ...figures, perQuestionMs: (user + system) / 1000 / questions.length };
});
const [seen, unseen] = halves as [(typeof halves)[number], (typeof halves)[number]];
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
    data: ['seen', 'unseen'].map((half) => fileURLToPath(new URL(`../../testkit/router/${half}.tsv`, import.meta.url))),
    metrics: {
      'macro F1, unseen': round(unseen.macro),
      'macro F1, seen': round(seen.macro),
      'ms a question': round(unseen.perQuestionMs),
    },
    goals: [
      { what: 'macro F1 on the unseen half', wanted: '>= 0.85', got: round(unseen.macro), met: unseen.macro >= 0.85 },
    ],
    tables: [{ title: 'By half and kind', columns, rows }],
    notes: [
      'One label a question. A router that names several kinds is charged with those that are not needed; one that cannot tell counts as naming all six.',
      'Both halves were written by whoever wrote the patterns, the unseen one first: other people word their questions otherwise.',
    ],
  });
