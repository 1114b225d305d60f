// The sentence that tells of a conflict: a sentence of its own kind, made of the conflict alone, so that whoever checks the answer can make it
// again and compare. It rests on the citations of every side, and says which side is followed and why, or that it cannot tell. Pure.
import type { Conflict } from '../answer.ts';
import { joinMarked, type MarkedText, marked, marksOf } from '../marked-text.ts';

const because: Readonly<Record<NonNullable<Conflict['follows']>['because'], string>> = {
  authority: 'which is of the kind of source with more authority',
  freshness: 'which is more recent',
  agreement: 'which more documents say',
};

export function noteOf({ about, positions, follows }: Conflict): MarkedText {
  const sides = positions.map(({ statement, citations }) => marked`“${statement}” ${marksOf(citations)}`);
  const followed = follows && positions[follows.position - 1];
  const stance = followed
    ? marked`followed here is ${marksOf(followed.citations)}, ${because[(follows as NonNullable<Conflict['follows']>).because]}`
    : marked`which of them holds cannot be told from these sources`;
  return marked`The sources disagree about “${about}”: ${joinMarked(sides, ' against ')}; ${stance}.`;
}
