// Questions that users ask about themselves (“what do I prefer?”, “where do we deploy?”), and which of what is remembered answers one. A fitted model
// (asked.json, fitted by scripts/fit-memory.ts) tells them from questions about anything else. Pure: what is remembered is handed in. Invariant: of
// memories that are as near to a question the one that was said last comes first.
import { readFileSync } from 'node:fs';
import type { RecalledMemory } from '../../core/memory.ts';
import { chancesBy, type FittedWeights } from './fitted/chances.ts';

export type AskedAbout = 'user' | 'else';

const chancesOf = chancesBy(
  JSON.parse(readFileSync(new URL('./fitted/asked.json', import.meta.url), 'utf8')) as FittedWeights<AskedAbout>,
);

const longestQuestion = 300;
const leastAboutUser = 0.5;
const everything =
  /\b(?:everything|anything|all|what)(?: else)?(?: that)? (?:do you|you) (?:know|remember|have(?: stored| saved)?)(?: about (?:me|us|myself))\b|^what (?:have i|did i) (?:told|tell) you(?: so far)?(?: about (?:me|myself|us))?\W*$|^(?:tell me )?(?:about (?:me|myself)|who am i)\W*$/iu;
/** Words by which people speak of themselves, by language. */
const own = new Set(
  Object.values({
    en: 'i my we our me mine us myself',
    de: 'ich wir mein meine meinen meinem meiner unser unsere unseren unserem mir mich',
    fr: 'je j mon ma mes nous notre nos',
    es: 'yo mi mis nuestro nuestra',
    it: 'io mio mia miei mie nostro nostra',
    pt: 'eu meu minha meus minhas nosso nossa',
    nl: 'ik mijn wij ons onze',
  }).flatMap((words) => words.split(' ')),
);

export const wantsAll = (question: string): boolean => everything.test(question.trim());

/** Whether the words of a question speak of whoever asks. */
export const speaksOfSelf = (question: string): boolean =>
  question.length <= longestQuestion && (question.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => own.has(word));

/** Whether it asks about the user, and not about what anybody may read. */
export const isAboutUser = (question: string, vector?: Float32Array): boolean =>
  chancesOf(question, vector).user >= leastAboutUser;

/** So likely a memory bears on a question that it answers instead of nobody. */
const leastAlone = 0.9;

/** What answers a question of somebody who speaks of himself where nothing else does: the latest of those that are about as near as the nearest. */
export const nearAnswers = (question: string, recalled: readonly RecalledMemory[]): readonly RecalledMemory[] =>
  speaksOfSelf(question)
    ? chooseAnswers(
        recalled.filter(({ similarity }) => similarity >= leastAlone),
        1,
        () => false,
      )
    : [];

/** Similarities that say the same. */
const nearEnough = 0.1;

/** Those that answer a question, the last one first. `isOver` says whether the later of two took the place of the earlier. */
export function chooseAnswers(
  recalled: readonly RecalledMemory[],
  most: number,
  isOver: (before: RecalledMemory, after: RecalledMemory) => boolean,
): readonly RecalledMemory[] {
  const best = Math.max(0, ...recalled.map(({ similarity }) => similarity));
  const chosen: RecalledMemory[] = [];
  for (const one of recalled
    .filter(({ similarity }) => similarity >= best - nearEnough)
    .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : b.similarity - a.similarity)))
    if (!chosen.some((later) => isOver(one, later))) chosen.push(one);
  return chosen.slice(0, most);
}
