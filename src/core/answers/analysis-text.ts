// The text of an analysis: it follows from its sections, claims and conflicts alone, so that whoever checks it makes it again and compares.
// Invariant: beside headings, claims with their marks and the sentences of conflicts it says only what is missing.
import type { Answer, AnswerSection } from '../answer.ts';
import { joinMarked, type MarkedText, marked, marksOf } from '../marked-text.ts';
import { noteOf } from './conflict-note.ts';

type Told = Pick<Answer, 'claims' | 'conflicts'>;

const withoutEnd = (sentence: string): string => sentence.replace(/(?<![.\s])[.\s]+$/u, '');

function sectionText({ title, claims: places, missing, gaps = [] }: AnswerSection, claims: Told['claims']): MarkedText {
  const lines = places.flatMap((place) => {
    const claim = claims[place - 1];
    return claim ? [marked`- ${claim.text} ${marksOf(claim.citations)}`] : [];
  });
  const body =
    lines.length > 0
      ? joinMarked(lines, '\n')
      : marked`Nothing was found: ${withoutEnd(missing ?? 'no reason is known')}.`;
  const lack = lines.length > 0 && gaps.length > 0 ? marked`\n\nNot found here: ${gaps.join('; ')}.` : '';
  return marked`## ${title}\n\n${body}${lack}`;
}

/** Sections in their order, then what sources disagree about. */
export function analysisText(sections: readonly AnswerSection[], { claims, conflicts }: Told): MarkedText {
  return joinMarked([...sections.map((section) => sectionText(section, claims)), ...conflicts.map(noteOf)], '\n\n');
}

/** Why the sections are not those of the answer: each claim stands in exactly one, in its order. */
export function sectionReasons({ sections = [], claims }: Pick<Answer, 'sections' | 'claims'>): string[] {
  const places = sections.flatMap((section) => section.claims);
  const isWhole = places.length === claims.length && places.every((place, at) => place === at + 1);
  return isWhole ? [] : [`sections-differ: ${places.join(', ')} of ${claims.length} claims`];
}
