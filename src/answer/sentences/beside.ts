// Which further claims say nothing of what was asked, behind a first claim that answers: "Tern is a small server" beside the port that Tern listens on,
// the rows of others behind the row of the thing that is named. Pure.
import type { Candidate, CandidateSet } from '../extract/candidates.ts';
import type { Question } from '../question/question.ts';
import { isRecordRow } from '../tables/rows.ts';

/** A first claim that covers so much of the question answers it. */
const whole = 0.9;
/** … or, a row with a value of the kind asked for, so much. */
const fitting = 0.75;
/** A word that another one only stands for. */
const leastNamed = 0.5;

export interface BesideOptions {
  readonly question: Question;
  /** It asks for more than one thing, or is answered from several passages. */
  readonly isWide: boolean;
}

/** Tells of candidates behind a first claim whether they are beside the point; `titles` are the terms of their titles, as far as they were looked at. */
export function besideOf(
  set: CandidateSet,
  { question: { named, terms }, isWide }: BesideOptions,
  titles: ReadonlyMap<Candidate, readonly string[]>,
): (candidate: Candidate, first: Candidate | undefined, hop: number) => boolean {
  const asked = new Set(terms.map(({ term }) => term));
  const isOfNames = ({ matches }: Candidate): boolean => matches.every((match, at) => match === 0 || named[at]);
  const isTold = ({ matches, blockIndex }: Candidate, at: number): boolean =>
    Math.max(matches[at] ?? 0, set.titles[blockIndex]?.[at] ?? 0) >= leastNamed;
  // Names and figures tell the rows of one table apart.
  const telling = terms.flatMap(({ term }, at) => (named[at] === true || /\d/u.test(term) ? [at] : []));
  // A row says what it says of what stands over it.
  const toldBy = ({ kind, features }: Candidate): number => features.coverage + (kind === 'row' ? features.titled : 0);
  const isEveryTold = (
    places: readonly number[],
    { candidate, first }: { readonly candidate: Candidate; readonly first: Candidate },
  ): boolean => places.every((at) => isTold(candidate, at) || !isTold(first, at));
  const places = terms.map((_, at) => at);
  /** It says of what it speaks and what it says of that: with the names of its columns, in the column asked for, or in most words of the question. */
  const isWholeRow = (first: Candidate): boolean =>
    isRecordRow(first.text) ||
    first.features.sought === 1 ||
    toldBy(first) >= (first.features.fit === 1 ? fitting : whole);
  /** Where one row holds all of the question, or all that tells the asked thing apart, a row that lacks some of it is of another. */
  const isOtherRow = (candidate: Candidate, first: Candidate): boolean =>
    candidate.kind === 'row' &&
    first.kind === 'row' &&
    ((toldBy(first) >= whole && !isEveryTold(places, { candidate, first })) ||
      (isWholeRow(first) && telling.every((at) => isTold(first, at)) && !isEveryTold(telling, { candidate, first })));
  return (candidate, first, hop) =>
    first !== undefined &&
    (isOtherRow(candidate, first) ||
      (!isWide &&
        toldBy(first) >= whole &&
        isOfNames(candidate) &&
        !isOfNames(first) &&
        (hop < 0.5 || titles.get(candidate)?.every((term) => asked.has(term)) === true)));
}

/** From this confidence on the first claim is taken for the answer: of such first claims on XQuAD-en 96 of 100 are right. */
export const sureAt = 0.9;
/** Of what the first claim covers: a claim that covers as much tells the same, or the better. */
const leastShare = 0.6;
/** A word of the question counts as told anew that the first claim tells less by so much. */
const leastGain = 0.3;
/** A reason and a definition go on in the sentences that follow. */
const goesOn: ReadonlySet<Question['type']> = new Set(['reason', 'definition']);

/** The claims of a sure answer: behind the first those that tell more of the question, or nearly as much of it. */
export function ofSureAnswer(
  chosen: readonly Candidate[],
  set: CandidateSet,
  { type }: Question,
): readonly Candidate[] {
  const [first] = chosen;
  if (!first || goesOn.has(type)) return chosen;
  const told = first.matches.map((match, at) => Math.max(match, set.titles[first.blockIndex]?.[at] ?? 0));
  return chosen.filter(
    ({ matches, features }, place) =>
      place === 0 ||
      features.coverage >= leastShare * first.features.coverage ||
      matches.some((match, at) => match - (told[at] ?? 0) > leastGain),
  );
}
