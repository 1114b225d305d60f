// Whether a sentence says anything of the criterion under which a thing is compared: a sentence about the thing alone is no answer. Rules over
// the words; the kinds of values follow what such criteria are measured in. Pure.

import { type Attribute, type AttributeName, attributes } from '../../answer/support/compared/amounts.ts';
import { findQuantities } from '../../text/quantities/quantities.ts';
import { termSet, termsOf } from '../../text/terms.ts';
import { isTime } from './in-times.ts';
import { withoutMark } from './phrases.ts';

/** Criteria that a sentence can speak of without their word. */
const values: readonly { readonly criterion: RegExp; readonly value: RegExp }[] = [
  {
    criterion: /\b(?:years?|dates?|age|born|birth|founded|founding|release|released|start|beginning|history|era)\b/iu,
    value: /\p{Nd}{3,4}|\bcentur(?:y|ies)\b/iu,
  },
  {
    criterion: /\b(?:prices?|pricing|costs?|fees?|expense|salary|revenue|budget)\b/iu,
    value: /[$€£¥]|\b(?:cost\w*|pric\w*|fees?|free|paid|pays?|dollars?|euros?|pounds?|USD|EUR|cheap\w*|expensive)\b/iu,
  },
  {
    criterion: /\b(?:size|population|distance|capacity|volume|number|amount|performance|range|power)\b/iu,
    value: /\p{Nd}/u,
  },
  {
    criterion: /\b(?:features?|functions?|functionality|capabilit(?:y|ies)|abilities|options?|extras?)\b/iu,
    value:
      /\b(?:has|have|had|offers?|includes?|supports?|provides?|features?|allows?|lets|comes? with|can|contains?|lacks?)\b/iu,
  },
  {
    criterion: /\b(?:location|place|origin|country|city|nationality|headquarters?|home|based)\b/iu,
    value: /\b(?:in|at|from|of|near|on) (?:the )?\p{Lu}/u,
  },
  {
    criterion:
      /\b(?:founders?|authors?|directors?|makers?|owners?|creators?|developers?|inventors?|designers?|leaders?)\b/iu,
    value: /\bby \p{Lu}|\b(?:found|wr[io]t|direct|creat|develop|invent|design|own|led)\w*/u,
  },
];

/** Criteria and the words with which sentences speak of them otherwise. */
const wordings: readonly { readonly criterion: RegExp; readonly wording: RegExp }[] = [
  { criterion: /\blicen[cs](?:e|es|ing)\b/iu, wording: /\blicen[cs]\w*|\bMIT\b|\bApache\b|\b[AL]?GPL\b|\bBSD\b/u },
  {
    criterion: /\b(?:workers?|employees?|staff|workforce|headcount)\b/iu,
    wording: /\b(?:employ\w*|workers?|staff|workforce|people work)\b/iu,
  },
  {
    criterion: /\b(?:products?|goods|output|production)\b/iu,
    wording: /\b(?:ma[kd]es?|making|produc\w*|manufactur\w*|sells?|sold|builds?|built)\b/iu,
  },
  {
    criterion: /\b(?:term|duration|notice(?: period)?|payment terms?|deadline)\b/iu,
    wording: /\p{Nd} (?:day|week|month|year)s?\b|\b(?:day|week|month|year)s?['’]? notice\b/iu,
  },
  { criterion: /\b(?:admission|entrance|entry)\b/iu, wording: /\b(?:admission|charges?|tickets?|free|entr\w+)\b/iu },
  {
    criterion: /\blanguages?\b/iu,
    wording:
      /\b(?:written|developed|implemented|built|programmed|coded) (?:\p{Ll}+ )?in\b|\b(?:speaks?|spoken)\b|\bC\+\+|\b(?:Java(?:Script)?|Python|TypeScript|Rust|Go|Ruby|Perl|Haskell|Erlang|Kotlin|Swift)\b/u,
  },
  {
    criterion: /\b(?:purpose|use|goal|aim|function|role)\b/iu,
    wording:
      /\b(?:used|uses?|designed|intended|meant|aims?|supports?|allows?|lets|helps?|provides?|enables?|serves?)\b|\bis an? \p{L}[\p{L} -]{2,40} (?:that|which|for|to)\b/iu,
  },
  {
    criterion: /\borigins?\b/iu,
    wording:
      /\b(?:created|began|begun|started|founded|developed|invented|introduced|originat\w*|originally|born|descends?|comes? from|came from)\b/iu,
  },
  { criterion: /\bauditors?\b/iu, wording: /\baudit(?:s|ed|ors?|ing)?\b|\b(?:public )?accounting firm\b/iu },
  { criterion: /\b(?:requirements?|needs?)\b/iu, wording: /\b(?:needs?|requires?|required|must)\b/iu },
];

/** Of what is measured in units of its own, a figure in others says nothing: no area is a weight. */
const measures: readonly (readonly [criterion: RegExp, attribute: AttributeName])[] = [
  [/\bheight\b/iu, 'height'],
  [/\blength\b/iu, 'length'],
  [/\bwidth\b/iu, 'width'],
  [/\bdepth\b/iu, 'depth'],
  [/\bweight\b/iu, 'weight'],
  [/\bspeed\b/iu, 'speed'],
  [/\barea\b/iu, 'area'],
];

/** Undefined where the criterion is no measure. */
function speaksOfMeasure(criterion: string, said: string): boolean | undefined {
  const attribute = measures.find(([pattern]) => pattern.test(criterion))?.[1];
  if (attribute === undefined) return undefined;
  const { adjectives, verbs, dimensions }: Attribute = attributes[attribute];
  const small = ` ${said.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return (
    [...adjectives, ...verbs].some((word) => small.includes(` ${word} `)) ||
    findQuantities(said).some(({ unit }) => unit !== undefined && dimensions.includes(unit.dimension))
  );
}

/** `said`: the claim, with what stands over it. */
export function speaksOf(criterion: string, said: string): boolean {
  const wanted = termsOf(criterion).map(({ term }) => term);
  if (wanted.length === 0) return true;
  const held = termSet(said);
  if (wanted.some((term) => held.has(term))) return true;
  if (wordings.some((one) => one.criterion.test(criterion) && one.wording.test(said))) return true;
  const isMeasured = speaksOfMeasure(criterion, said);
  if (isMeasured !== undefined) return isMeasured;
  return values.some((one) => one.criterion.test(criterion) && one.value.test(said));
}

/** What a sentence has to speak of where a question asks for it alone: "What is the price of A?". */
const told =
  /\b(?:prices?|pricing|costs?|fees?|licen[cs]e|height|length|width|depth|weight|speed|release date|release year|founding (?:date|year)|date of birth|birth date)$/iu;
const attributeOf =
  /^(?:what|which) (?:is|are|was|were) the (?<attribute>\p{Ll}[\p{L} -]{0,40}?) of (?:the )?(?<thing>\p{Lu}.{0,80}|[\p{Ll}\p{N}][\p{Ll}\p{N}.-]{1,40})$/u;
const ownAttribute =
  /^(?:what|which) (?:is|are|was|were) (?<thing>\p{Lu}.{0,60}?)['’]s? (?<attribute>\p{Ll}[\p{L} -]{0,40})$/u;

const releaseOf =
  /^when (?:was|were) (?<thing>\p{Lu}.{0,80}?) (?:first |originally |officially |initially )?(?:released|published|launched|introduced)$|^when did (?<came>\p{Lu}.{0,80}?) (?:first )?(?:come out|appear|debut|launch|go on sale|come to market)$/u;
const costOf = /^(?:how much|what) (?:does|do|did) (?:the |an? )?(?<thing>\p{Lu}[^,]{0,80}?) cost$/u;

/** The attribute and the thing that a question asks for by name, where sentences show whether they speak of it. */
export function attributeAsked(
  query: string,
):
  | { readonly criterion: string; readonly thing: { readonly name: string; readonly others: readonly string[] } }
  | undefined {
  const bare = query.replace(/[\s?.!]+$/u, '').replace(/^\p{Lu}/u, (letter) => letter.toLowerCase());
  const { attribute = '', thing = '' } = (attributeOf.exec(bare) ?? ownAttribute.exec(bare))?.groups ?? {};
  const { thing: first, came: released = first } = releaseOf.exec(bare)?.groups ?? {};
  const priced = costOf.exec(bare)?.groups?.['thing'];
  if (priced !== undefined) return { criterion: 'price', thing: { name: priced, others: [] } };
  if (released !== undefined) return { criterion: 'date', thing: { name: released, others: [] } };
  return told.test(attribute) ? { criterion: attribute, thing: { name: thing, others: [] } } : undefined;
}

/** What an answer to a part has to speak of where it asks for a measure alone: no sentence without a date says when. */
export const measureAsked = (query: string): string | undefined => {
  if (/^when\b/iu.test(query)) return 'date';
  if (/^how much\b.*\bcosts?\b/iu.test(query)) return 'price';
  if (/^how (?:large|big) (?:is|was)\b/iu.test(query)) return 'size';
  if (/^how fast is\b.*\bdelivered$/iu.test(withoutMark(query))) return 'delivery time';
  return /^how long is the (?<criterion>\p{Ll}[\p{L} -]{0,40}) of\b/iu.exec(query)?.groups?.['criterion'];
};

/** Each word with a capital or a digit; anything else describes. */
const isProperName = (name: string): boolean =>
  name
    .replace(/^(?:the|an?) /iu, '')
    .split(/\s+/u)
    .every((word) => /[\p{Lu}\p{Nd}]/u.test(word));
const isCalled = (name: string, text: string): boolean => {
  const fold = (words: string): string =>
    ` ${words
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      .trim()} `;
  return fold(text).includes(fold(name.replace(/^(?:the|an?) /iu, '')));
};

/** Whether a sentence is about one of several things that are compared, and not about another: by the words in which their names differ. */
export function isOf(
  { name, others }: { readonly name: string; readonly others: readonly string[] },
  { said, around }: { readonly said: string; readonly around: string },
): boolean {
  const [own, other] = [termSet(name), termSet(others.join(' '))];
  const distinct = own.difference(other);
  if (distinct.size === 0) return true;
  const held = termSet(said);
  if (distinct.isSubsetOf(held)) return true;
  // A time that is not said is another, and where nothing is compared something else may be meant.
  if (isTime(name) || (others.length === 0 && distinct.isDisjointFrom(held))) return false;
  // "Bank of Montreal" is no power bank: a word of a name means it where it is called by all of them nearby.
  const isMeant = (): boolean =>
    isProperName(name) ? isCalled(name, around) : !distinct.isDisjointFrom(termSet(`${said} ${around}`));
  if (!distinct.isDisjointFrom(held)) return isMeant();
  return other.difference(own).isDisjointFrom(held) && isMeant();
}
