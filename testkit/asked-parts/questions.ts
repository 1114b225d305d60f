// Questions as people type them, with the parts that each asks, and how well a plan finds these. A part is written as a question of its own; a star marks
// the words that a sub-query has to hold to be that part. What asks one thing has no parts.
import { readFileSync } from 'node:fs';

export interface JoinedQuestion {
  readonly language: string;
  /** `two` questions, a `list` of things asked alike, `compare`, `then`, `depend` (a part needs the answer of another), or `whole`. */
  readonly kind: string;
  readonly question: string;
  readonly parts: readonly string[];
}

/** `sealed` was written with `seen`, by one author before the rules were read, and is opened when a change of them is done. */
export function readJoinedQuestions(half: 'seen' | 'sealed'): readonly JoinedQuestion[] {
  return readFileSync(new URL(`./${half}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JoinedQuestion);
}

const fold = (text: string): string => ` ${text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}*]+/gu, ' ')} `;
const markedIn = (part: string): readonly string[] =>
  fold(part)
    .split(' ')
    .flatMap((word) => (word.startsWith('*') ? [word.slice(1)] : []));
const holds = (text: string, word: string): boolean => fold(text).includes(` ${word}`);

/** Whether a sub-query is a part: it holds the part's words, and none that only another part has. */
function isPart(query: string, part: string, others: readonly string[]): boolean {
  const own = part.replaceAll('*', '');
  const foreign = others.flatMap(markedIn).filter((word) => !holds(own, word));
  return markedIn(part).every((word) => holds(query, word)) && !foreign.some((word) => holds(query, word));
}

/** How many of the parts have a sub-query of their own. */
export function partsFound({ parts }: JoinedQuestion, queries: readonly string[]): number {
  const left = [...queries];
  let found = 0;
  for (const part of parts) {
    const others = parts.filter((other) => other !== part);
    const place = left.findIndex((query) => isPart(query, part, others));
    if (place < 0) continue;
    left.splice(place, 1);
    found += 1;
  }
  return found;
}

/** All parts found and nothing besides; of what asks one thing: it was left whole. */
export const isRight = (one: JoinedQuestion, queries: readonly string[]): boolean =>
  one.parts.length === 0
    ? queries.length < 2
    : queries.length === one.parts.length && partsFound(one, queries) === one.parts.length;
