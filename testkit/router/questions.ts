// Questions with the kind of source that they need, and how well a router names it. Labels of one kind each: a router that names
// several is charged with those that are not needed, and one that names none is counted as naming all.
import { readFileSync } from 'node:fs';

export interface RoutedQuestion {
  readonly type: string;
  readonly question: string;
}

export const routedTypes = ['code', 'textbook', 'docs', 'guide', 'qa', 'web'] as const;

/** Well-formed questions, and others in the styles of people: terse, mistyped, polite, told as a story. */
export type RoutedHalf = 'seen' | 'unseen' | 'styles-seen' | 'styles-unseen';

/** Unseen: written before the patterns were, and not looked at while they were chosen. */
export function readRouterQuestions(half: RoutedHalf): readonly RoutedQuestion[] {
  return readFileSync(new URL(`./${half}.tsv`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [type = '', question = ''] = line.split('\t');
      return { type, question };
    });
}

export function macroF1(questions: readonly RoutedQuestion[], decide: (question: string) => readonly string[]) {
  const counts = new Map(routedTypes.map((type) => [type as string, { right: 0, wrong: 0, missed: 0 }]));
  let first = 0;
  let unsure = 0;
  for (const { type, question } of questions) {
    const decided = decide(question);
    if (decided.length === 0) unsure += 1;
    if (decided[0] === type) first += 1;
    const named = decided.length === 0 ? routedTypes : decided;
    for (const [one, count] of counts) {
      const isNamed = (named as readonly string[]).includes(one);
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
