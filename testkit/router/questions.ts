// Questions with the kind of source that they need, and how well a router names it. Labels of one kind each: a router that names
// several is charged with those that are not needed, and one that names none is counted as naming all.
import { readFileSync } from 'node:fs';

export interface RoutedQuestion {
  readonly type: string;
  readonly question: string;
  /** English where it is not said. */
  readonly language?: string;
}

/** All of the same author: well-formed questions, and others in the styles of people (terse, mistyped, polite, told as a story). */
const halves = ['seen', 'unseen', 'styles-seen', 'styles-unseen'] as const;

const linesOf = (name: string): readonly string[] =>
  readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n');

/** What the router is fitted on. `languages.tsv` is of another author, holds sixteen languages, and names what needs no kind `none`. */
export function readFittedQuestions(): {
  readonly first: readonly RoutedQuestion[];
  readonly languages: readonly RoutedQuestion[];
} {
  return {
    first: halves.flatMap((half) =>
      linesOf(`${half}.tsv`).map((line) => {
        const [type = '', question = ''] = line.split('\t');
        return { type, question };
      }),
    ),
    languages: linesOf('languages.tsv').map((line) => {
      const [type = '', language = '', question = ''] = line.split('\t');
      return { type, question, language };
    }),
  };
}

/** Written before anything was fitted, and never read while it was: by the author of `languages.tsv`, in eight languages. */
export function readUnseenQuestions(): readonly RoutedQuestion[] {
  return linesOf('unseen-2.jsonl').map((line) => JSON.parse(line) as RoutedQuestion);
}

/** Over the kinds that the questions are labelled with; those that need none are left out. */
export function macroF1(asked: readonly RoutedQuestion[], decide: (question: string) => readonly string[]) {
  const questions = asked.filter(({ type }) => type !== 'none');
  const routedTypes = [...new Set(questions.map(({ type }) => type))];
  const counts = new Map(routedTypes.map((type) => [type, { right: 0, wrong: 0, missed: 0 }]));
  let first = 0;
  let unsure = 0;
  for (const { type, question } of questions) {
    const decided = decide(question);
    if (decided.length === 0) unsure += 1;
    if (decided[0] === type) first += 1;
    const named = decided.length === 0 ? routedTypes : decided;
    for (const [one, count] of counts) {
      const isNamed = named.includes(one);
      if (one === type && isNamed) count.right += 1;
      else if (one === type) count.missed += 1;
      else if (isNamed) count.wrong += 1;
    }
  }
  const byType = Object.fromEntries(
    [...counts].map(([type, { right, wrong, missed }]) => [
      type,
      (2 * right) / Math.max(1, 2 * right + wrong + missed),
    ]),
  );
  const macro = Object.values(byType).reduce((sum, value) => sum + value, 0) / routedTypes.length;
  return { macro, byType, first: first / questions.length, unsure };
}
