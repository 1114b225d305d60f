// How far the claims that were chosen give what the question asks for, as confidence wants to know it: a value of the kind asked for, a time where the
// question is "when", and the one of whom it is asked. What lacks these is not the answer, however many words it shares with the question.

import { aroundPassage, lackedCode } from '../../text/codes.ts';
import { definedIn, definitionFit, onlySpeaks } from '../../text/definitions.ts';
import type { Giving } from '../confidence.ts';
import { fitOf, leastFit } from '../extract/asked-for.ts';
import type { Candidate, CandidateSet } from '../extract/candidates.ts';
import { toldPeriodIn } from '../extract/sureness.ts';
import { periodsUntold } from '../question/account-periods.ts';
import { attributeAsked } from '../question/attribute.ts';
import type { Question } from '../question/question.ts';
import { seatsAsked, thingsCounted, typeFit } from '../question/typed-spans.ts';
import { lacksValue } from '../question/values-asked.ts';
import { explainsSubject } from '../tables/glossary.ts';
import { isBarRow, isRecordRow } from '../tables/rows.ts';

export interface ChosenClaims {
  readonly question: Question;
  /** The question once for each of its parts. */
  readonly parts: readonly Question[];
  readonly set: CandidateSet;
  /** The first is the one that confidence is of. */
  readonly chosen: readonly Candidate[];
  /** That question and passages are read in. */
  readonly language: string;
}

/** "Only became supportive when Germany started …" tells a time without a date. */
const timeClause =
  /\b(?:when|whenever|after|before|while|during|since|until|once|ago|today|tomorrow|yesterday|currently|now|recently|daily|weekly|monthly|annually|nowadays|als|nach|vor|während|seit|bis)\b|[一二三四五六七八九十]|[时時]|后|前/iu;

/** Every noun is written as names are: which of them are names capitals do not tell. */
const capitalisesNouns = /^(?:de|lb)\b/u;

export function givingOf({ question, parts, set, chosen, language }: ChosenClaims): Giving {
  const [first] = chosen;
  const [asked = question] = parts;
  const texts = chosen.map(({ text }) => text);
  const [said = ''] = texts;
  const isWithout = (type: Question['type']): boolean => asked.type === type && fitOf([asked], [said]) === 0;
  if (isWithout('number')) return 'lacking';
  if (isWithout('date') && !tellsTime(question.text, said) && !isPut(question)) return 'lacking';
  if (lacksValue(asked, said)) return 'lacking';
  if (first && isOutside(asked, first)) return 'lacking';
  if (first && isBeside(asked, set, first)) return 'beside';
  if (first && lackedCode(question.text, aroundPassage(first.block.evidence), language) !== undefined) return 'beside';
  if (first && lacksNamed(asked, set, { first, tellsNames: !capitalisesNouns.test(language) })) return 'beside';
  if (first && isOfNoneAsked(asked, first)) return 'beside';
  if (saysNotWhat(asked, said)) return 'unfitting';
  // Of a question in two parts all claims together must give both.
  return fitOf(parts, parts.length > 1 ? texts : texts.slice(0, 1)) >= leastFit ? 'fitting' : 'unfitting';
}

/** A figure of the question dates nothing, nor does one that is part of a name ("v20"). */
const tellsTime = (asked: string, claim: string): boolean =>
  timeClause.test(claim) ||
  [...claim.matchAll(/(?<![\p{L}\p{Nd}.])\p{Nd}{1,12}/gu)].some(([figure]) => !asked.includes(figure));

/** What is said is of another period of accounts, or of no period, or no place where a seat is asked for. */
const isOutside = (asked: Question, first: Candidate): boolean =>
  periodsUntold(asked.text, toldPeriodIn(first)) === 1 || namesNoSeat(asked, first.text);

/** What is said seems to be of somebody or something else than what is asked for, as far as words tell. */
const isBeside = (asked: Question, set: CandidateSet, first: Candidate): boolean =>
  isOfAnother(asked, set, first) || countsSomethingElse(asked, set, first);

/** Some name, year or attribute of the question stands nowhere, or not in the row that is said. */
const lacksNamed = (
  asked: Question,
  set: CandidateSet,
  { first, tellsNames }: { readonly first: Candidate; readonly tellsNames: boolean },
): boolean => {
  const plain = tellsNames ? asked : { ...asked, names: [], named: asked.named.map(() => false) };
  return namesNobodyFound(plain, set) || isOfNoYearFound(plain, set) || isRowWithout(plain, set, first);
};

/** A word that another one only stands for. */
const leastNamed = 0.5;

/** "When many people are arrested, what is …" asks for no time. */
const isPut = ({ text }: Question): boolean => /^\s{0,4}when\b[^?]{1,200},\s/iu.test(text);

/** "Where is X based?" where the claim names no place, or that of a region's office alone. Where nothing is written with capitals, names cannot be told. */
const namesNoSeat = (asked: Question, claim: string): boolean =>
  asked.type === 'place' && seatsAsked.test(asked.text) && /\p{Lu}/u.test(claim) && typeFit(asked, claim) < leastFit;

/** "How many parameters does it have?" is not told by a figure where neither the claim nor what stands above it speaks of parameters. */
function countsSomethingElse(asked: Question, set: CandidateSet, first: Candidate): boolean {
  if (asked.type !== 'number') return false;
  const things = thingsCounted(asked.text);
  const isTold = (at: number): boolean => (first.matches[at] ?? 0) > 0 || (set.titles[first.blockIndex]?.[at] ?? 0) > 0;
  const places = asked.terms.flatMap(({ start, end }, at) =>
    things.some((thing) => thing.start <= start && end <= thing.end) ? [at] : [],
  );
  return places.length > 0 && !places.some(isTold) && fitOf([asked], [first.text]) < 1;
}

/** "What is X?" where the claim only speaks of X: right in six of ten, half of them on the fitted half. */
function saysNotWhat({ type, text }: Question, claim: string): boolean {
  const defined = type === 'definition' ? definedIn(text) : undefined;
  return defined !== undefined && definitionFit(defined, claim) <= onlySpeaks && !explainsSubject(claim, defined);
}

/** "What is X?" where the claim has no word of X and does not go on speaking of what was said before. */
function isOfNoneAsked({ type, text }: Question, { matches, text: claim }: Candidate): boolean {
  return (
    type === 'definition' &&
    definedIn(text) !== undefined &&
    matches.every((match) => match < leastNamed) &&
    !/^\W{0,4}(?:it|this|these|they|he|she|such|here)\b/iu.test(claim)
  );
}

/** No passage of its document, nor its title, holds any word of the names that the question names. */
function isOfAnother({ named }: Question, set: CandidateSet, first: Candidate): boolean {
  if (!named.includes(true)) return false;
  const { documentId } = first.block.evidence;
  const own = set.candidates.filter(({ block }) => block.evidence.documentId === documentId);
  return named.every(
    (isName, at) =>
      !isName ||
      (own.every(({ matches }) => (matches[at] ?? 0) < leastNamed) &&
        own.every(({ blockIndex }) => (set.titles[blockIndex]?.[at] ?? 0) < leastNamed)),
  );
}

/** Where names are so short, they are often written out. */
const longestShort = 3;

/** Some name of the question stands in no passage and no title at all: what is found is of others that it names as well. */
function namesNobodyFound({ names, text, terms, named }: Question, set: CandidateSet): boolean {
  const isFound = (at: number): boolean =>
    set.candidates.some(({ matches }) => (matches[at] ?? 0) >= leastWritten) ||
    set.titles.some((title) => (title[at] ?? 0) >= leastWritten);
  return names.some((name) => {
    const places = terms.flatMap(({ start, end }, at) =>
      named[at] === true && end - start > longestShort && name.includes(text.slice(start, end)) ? [at] : [],
    );
    return places.length > 0 && !places.some(isFound);
  });
}

/** A year or a version of the question stands in no passage and no title. */
const isOfNoYearFound = ({ terms }: Question, set: CandidateSet): boolean =>
  terms.some(
    ({ term }, at) =>
      /^(?:1\d{3}|20\d{2}|\d{1,3}\.\d[\d.]{0,8})$/u.test(term) &&
      !set.titles.some((title) => (title[at] ?? 0) > 0) &&
      !set.candidates.some(({ matches, text }) => (matches[at] ?? 0) > 0 || text.includes(term)),
  );

/** A word of a name that only its family tells counts less. */
const leastWritten = 0.4;
/** "| Team | $29 |", "Name: Heron; Length: 12 m": what a table has in one row. */
const isOfTable = ({ kind, text }: Candidate): boolean => kind === 'row' && (isBarRow(text) || isRecordRow(text));

/** A row says what its columns name, of the one that it names: not the mayor of a town whose people it counts, nor what was built in another year. */
function isRowWithout(asked: Question, set: CandidateSet, first: Candidate): boolean {
  if (!isOfTable(first)) return false;
  const { terms, named, text } = asked;
  const own = set.candidates.filter(({ block }) => block.evidence.documentId === first.block.evidence.documentId);
  const isTold = (at: number, by: readonly Candidate[]): boolean =>
    [first, ...by].some(({ matches }) => (matches[at] ?? 0) >= leastWritten) ||
    (set.titles[first.blockIndex]?.[at] ?? 0) >= leastWritten;
  const around = own.filter(
    ({ blockIndex, kind, isHeader }) => blockIndex === first.blockIndex && (kind !== 'row' || isHeader),
  );
  if (terms.some(({ term }, at) => /\d/u.test(term) && !isTold(at, around))) return true;
  if (named.some((isName, at) => isName && !isTold(at, own))) return true;
  const sought = attributeAsked(text);
  const places = terms.flatMap(({ start, end }, at) =>
    sought && start >= sought.start && end <= sought.end ? [at] : [],
  );
  return first.features.sought === 0 && places.length > 0 && !places.some((at) => isTold(at, around));
}
