// The answer cache over the questions of XQuAD-en: how often is a question taken for another one with another answer, and how often is one that was
// asked in other words found again? Wrong pairs are made by changing a number, a name, a negation, a comparison or the order of names.
// Usage: node bench/answers/answer-cache.ts [--show] [--dry]
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { canonicalQuestion } from '../../src/agent/answer-cache/canonical-question.ts';
import { openRetrievalDataset } from '../../src/evals/datasets.ts';
import { findNames } from '../../src/text/words/names.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { type BenchGoal, writeResult } from '../report.ts';
import { freeParaphrases } from './answer-cache-paraphrases.ts';

const { values: flags } = parseArgs({
  options: { show: { type: 'boolean', default: false }, dry: { type: 'boolean', default: false } },
});
const folder = sharedData('xquad-en');
if (!folder) process.exit(0);
const answerTexts = z.array(z.object({ text: z.string() }));
const { queries, files } = await openRetrievalDataset(folder);
const questions = queries.map(({ text, metadata }) => ({
  text: text.trim(),
  answer: answerTexts.parse(metadata['answers'])[0]?.text ?? '',
}));
const names = [
  ...new Set(
    questions.flatMap(({ text }) => findNames(text).flatMap(({ initial, text: name }) => (initial ? [] : [name]))),
  ),
];

type Change = (question: string, at: number) => string | undefined;
const swap = (pairs: readonly (readonly [string, string])[]): Change => {
  const both = new Map(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));
  const pattern = new RegExp(`\\b(?:${[...both.keys()].join('|')})\\b`, 'u');
  return (question) =>
    pattern.test(question) ? question.replace(pattern, (word) => both.get(word) ?? word) : undefined;
};

/** Another question, with another answer. */
const changes: Readonly<Record<string, Change>> = {
  'another number': (question) =>
    /\d/u.test(question) ? question.replace(/\d(?=\D*$)/u, (digit) => String((Number(digit) + 3) % 10)) : undefined,
  'another name': (question, at) => {
    const name = findNames(question).find(({ initial }) => !initial);
    const other = names[(at * 7 + 3) % names.length] ?? '';
    return name && other !== name.text
      ? `${question.slice(0, name.start)}${other}${question.slice(name.end)}`
      : undefined;
  },
  'names swapped': (question) => {
    const [one, other] = findNames(question).filter(({ initial }) => !initial);
    if (!one || !other || one.text === other.text) return undefined;
    return `${question.slice(0, one.start)}${other.text}${question.slice(one.end, other.start)}${one.text}${question.slice(other.end)}`;
  },
  'a negation more': (question) =>
    /\b(?:is|are|was|were|did|does|do|has|have|can|could)\b/u.test(question)
      ? question.replace(/\b(?:is|are|was|were|did|does|do|has|have|can|could)\b/u, '$& not')
      : undefined,
  'another comparison': swap([
    ['more', 'less'],
    ['most', 'least'],
    ['largest', 'smallest'],
    ['before', 'after'],
    ['first', 'last'],
    ['highest', 'lowest'],
    ['longest', 'shortest'],
    ['over', 'under'],
    ['north', 'south'],
    ['east', 'west'],
  ]),
  'another question word': swap([
    ['Who', 'When'],
    ['Where', 'Why'],
    ['How many', 'How much'],
    ['who', 'when'],
    ['where', 'why'],
  ]),
  'another tense': swap([
    ['is', 'was'],
    ['are', 'were'],
    ['does', 'did'],
  ]),
};
const pairs = Object.entries(changes).flatMap(([what, change]) =>
  questions.flatMap(({ text }, at) => {
    const other = change(text, at);
    return other === undefined || other === text ? [] : [{ what, one: text, other }];
  }),
);
const wrong = pairs.filter(({ one, other }) => canonicalQuestion(one) === canonicalQuestion(other));
/** Questions of the set that say the same and have different answers. */
const groups = Map.groupBy(questions, ({ text }) => canonicalQuestion(text));
const clashes = [...groups.values()].filter(
  (group) => new Set(group.map(({ answer }) => answer)).size > 1 && new Set(group.map(({ text }) => text)).size > 1,
);

/** The same question. */
const rewordings: Readonly<Record<string, Change>> = {
  'in small letters, without a mark': (question) => question.toLowerCase().replace(/\?$/u, ''),
  'with courtesies': (question) =>
    `Hello, could you please tell me ${question.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase())} Thanks!`,
  indirect: (question) => {
    const [, word, verb, rest] =
      /^(Who|What|When|Where|Why|How) (is|are|was|were) ([^?]+ \w+ed)\?$/u.exec(question) ?? [];
    const place = rest?.lastIndexOf(' ') ?? -1;
    return word && rest
      ? `Tell me ${word.toLowerCase()} ${rest.slice(0, place)} ${verb}${rest.slice(place)}`
      : undefined;
  },
  contracted: (question) =>
    /^(?:What|Who|Where|When|How) is /u.test(question) ? question.replace(' is ', "'s ") : undefined,
  '"which" for "what"': (question) =>
    /^What (?!is|are|was|were|did|does|do)\p{Ll}/u.test(question) ? question.replace(/^What/u, 'Which') : undefined,
  '"in what year" for "when"': (question) =>
    /^When (?:was|did|were)/u.test(question) ? question.replace(/^When/u, 'In what year') : undefined,
};
const reworded = Object.entries(rewordings).map(([what, change]) => {
  const made = questions.flatMap(({ text }, at) => {
    const other = change(text, at);
    return other === undefined || other === text ? [] : [{ one: text, other }];
  });
  return { what, made, hits: made.filter(({ one, other }) => canonicalQuestion(one) === canonicalQuestion(other)) };
});
const free = freeParaphrases.filter(([one, other]) => canonicalQuestion(one) === canonicalQuestion(other)).length;

if (flags.show) {
  for (const { what, one, other } of wrong) console.log(`WRONG ${what}\n  ${one}\n  ${other}`);
  for (const group of clashes) console.log('CLASH', group);
  for (const { what, made, hits } of reworded)
    for (const { one, other } of made.filter((pair) => !hits.includes(pair)).slice(0, 4))
      console.log(`MISS ${what}\n  ${one}\n  ${other}`);
}
const startedAt = process.cpuUsage();
for (const { text } of questions) canonicalQuestion(text);
const { user } = process.cpuUsage(startedAt);
const microseconds = user / questions.length;
const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
const rows = [
  ...Object.keys(changes).map((what) => [
    'another question',
    what,
    pairs.filter((pair) => pair.what === what).length,
    percent(wrong.filter((pair) => pair.what === what).length, pairs.filter((pair) => pair.what === what).length),
  ]),
  [
    'another question',
    'questions of the set, each against each',
    (questions.length * (questions.length - 1)) / 2,
    `${clashes.length} groups`,
  ],
  ...reworded.map(({ what, made, hits }) => [
    'the same question',
    what,
    made.length,
    percent(hits.length, made.length),
  ]),
  [
    'the same question',
    'in free words, written by hand',
    freeParaphrases.length,
    percent(free, freeParaphrases.length),
  ],
];
for (const row of rows) console.log(row.join('  '));
const goals: BenchGoal[] = [
  {
    what: `taken for a question with another answer, of ${pairs.length} made pairs`,
    wanted: '0',
    got: wrong.length,
    met: wrong.length === 0,
  },
  {
    what: 'questions of the set that are taken for each other',
    wanted: '0',
    got: clashes.length,
    met: clashes.length === 0,
  },
];
if (!flags.dry)
  await writeResult('answer-cache', {
    title: 'Answers that are given again',
    command: 'npm run bench answer-cache',
    seed: null,
    data: files,
    metrics: {
      questions: questions.length,
      'made pairs': pairs.length,
      'processor time for a question, µs': Number(microseconds.toFixed(1)),
    },
    goals,
    tables: [
      {
        title: 'Pairs that are taken for one question',
        columns: ['pair', 'what differs', 'pairs', 'taken for one'],
        rows,
      },
    ],
    notes: [
      'Of questions in free words hardly any is found again: nothing that could tell them from another question without a doubt is known, and a wrong answer costs more than a search.',
    ],
  });
