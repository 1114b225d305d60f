// Which kind of source a question needs, without a model: on the questions that the router was fitted on, and on 250 in eight languages that were
// written before and never used for it. Usage: node bench/retrieval/router.ts [--dry]
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { decideRoute } from '../../src/retrieval/route/route.ts';
import { macroF1, readFittedQuestions, readUnseenQuestions } from '../../testkit/router/questions.ts';
import { writeResult } from '../report.ts';

const { values: flags } = parseArgs({ options: { dry: { type: 'boolean', default: false } } });
const round = (value: number): number => Number(value.toFixed(3));
const names = [
  'fitted on, first author',
  'fitted on, languages',
  'unseen English',
  'unseen in other languages',
] as const;
const { first, languages } = readFittedQuestions();
const unseen = readUnseenQuestions();
const sets = [
  first,
  languages,
  unseen.filter(({ language }) => language === 'en'),
  unseen.filter(({ language }) => language !== 'en'),
];
const halves = names.map((half, at) => {
  const questions = sets[at] ?? [];
  const from = process.cpuUsage();
  const figures = macroF1(questions, (question) => decideRoute(question).types);
  const { user, system } = process.cpuUsage(from);
  return { half, questions: questions.length, ...figures, perQuestionMs: (user + system) / 1000 / questions.length };
});
type Figures = (typeof halves)[number];
const [, fitted, english, others] = halves as [Figures, Figures, Figures, Figures];
const kinds = Object.keys(english.byType);
const columns = ['half', 'questions', 'macro F1', ...kinds, 'first kind right', 'cannot tell'];
const rows = halves.map(({ half, questions, macro, byType, first, unsure }) => [
  half,
  questions,
  round(macro),
  ...kinds.map((kind) => (kind in byType ? round(byType[kind] ?? 0) : '-')),
  round(first),
  unsure,
]);
console.table(rows.map((row) => Object.fromEntries(row.map((cell, at) => [columns[at], cell]))));
if (!flags.dry)
  await writeResult('router', {
    title: 'Which kind of source a question needs, without a model',
    command: 'npm run bench router',
    seed: null,
    data: ['seen.tsv', 'unseen.tsv', 'styles-seen.tsv', 'styles-unseen.tsv', 'languages.tsv', 'unseen-2.jsonl'].map(
      (name) => fileURLToPath(new URL(`../../testkit/router/${name}`, import.meta.url)),
    ),
    metrics: {
      'macro F1, unseen English': round(english.macro),
      'macro F1, unseen in other languages': round(others.macro),
      'macro F1, fitted on': round(fitted.macro),
      'ms a question': round(english.perQuestionMs),
    },
    goals: [
      { what: 'macro F1 on unseen English', wanted: '>= 0.8', got: round(english.macro), met: english.macro >= 0.8 },
      { what: 'macro F1 on other languages', wanted: '>= 0.6', got: round(others.macro), met: others.macro >= 0.6 },
    ],
    tables: [{ title: 'By set and kind', columns, rows }],
    notes: [
      'One label a question. A router that names several kinds is charged with those that are not needed; one that cannot tell counts as naming all.',
      'The unseen questions are of the author of `languages.tsv`, and were written first: other people word their questions otherwise.',
      '`node scripts/fit-router.ts` tells how well each fifth is told by what the others taught, and one author by the other.',
    ],
  });
