// Several facts asked for by noun phrases in one sentence: "the price of A and the weight of B", "the capital of France and its population", "A's
// price and features", "the height of A and of B", "the price before 2019 and after 2020". Invariant: each part has all the words that it needs.
import { elementsOf, isNamed, question } from './phrases.ts';

const start = String.raw`(?<start>(?:what|who|which) (?:is|are|was|were)|(?:please )?(?:give|list|name|state|tell|describe|explain|show|say|mention|summari[sz]e|outline|find|identify)(?: me)?(?: about)?(?: both)?)`;
const facts = new RegExp(String.raw`^${start} (?<list>.+)$`, 'iu');
/** "the R3's battery", "Inkwell's price". */
const owned = /^(?:the )?\p{Lu}[\p{L}\p{N} .&-]{0,60}['’]s? \p{Ll}/u;
const joints =
  /\s*(?:,\s*(?:and|plus|as well as)?|;|\s(?:and also|as well as|and|plus|then))\s+(?:also\s+|then\s+)?(?=(?:the|its|their|his|her) \p{Ll}|(?:the )?\p{Lu}[\p{L}\p{N}-]{0,40}['’]s? \p{Ll})/u;
/** What makes a phrase whole: of what it is, or a clause that says which. */
const complement =
  /^the \p{Ll}[\p{L} -]{0,80}? (?:of|for|in|at|on|from|by|that|which|who|when|where|it|he|she|they|to|with|between) /u;
const own = /^(?:its|their|his|her) \p{Ll}/u;

const singularOf: Readonly<Record<string, string>> = { are: 'is', were: 'was' };
const commandWord =
  /^(?:please )?(?:give|list|name|state|tell|describe|explain|show|say|mention|summari[sz]e|outline|find|identify)\b/iu;

const person =
  /^the (?:\p{Ll}{1,20} )?(?:founder|author|director|head|president|king|queen|owner|inventor|creator|designer|editor|leader|mayor|chair(?:man|woman)?|wife|husband|winner|chief executive|ceo|composer|maker|writer)s?\b/u;
/** "The year it was founded", "the date on which it was founded". */
const whenIt =
  /^the (?:year|date|day|time) (?:(?:in|on|at) which |when |that )?(?<subject>[\p{L}\p{N}][^,]{0,80}?) (?<verb>was|were|is) (?<done>\p{Ll}[^,]{1,80})$/u;

/** Of a fact: as it was asked for, in the number that it has. */
export function askedFact(opening: string, fact: string): string {
  const { subject, verb = '', done = '' } = whenIt.exec(fact)?.groups ?? {};
  if (subject !== undefined) return question(`When ${verb} ${subject} ${done}`);
  const isMany = isPlural(fact);
  if (commandWord.test(opening))
    return question(`${person.test(fact) ? 'Who' : 'What'} ${isMany ? 'are' : 'is'} ${fact}`);
  const [word = '', asked = ''] = opening.split(' ');
  return question(`${word} ${isMany ? asked : (singularOf[asked.toLowerCase()] ?? asked)} ${fact}`);
}
const isPlural = (fact: string): boolean => {
  const [head = ''] = fact.replace(/^(?:the|its|their|his|her) /u, '').split(/ (?:of|for|in|at|on|from|that|which)\b/u);
  return /[^su]s$/u.test(head);
};

/** Undefined where it asks for one fact, or where the rest of the sentence belongs to all of them. */
export function factsOf(bare: string): readonly string[] | undefined {
  // "I would like to know the price of A and the weight of B".
  const told = /^the \p{Ll}/u.test(bare) ? `tell ${bare}` : bare.replace(/^(what|who)['’]s\b/iu, '$1 is');
  const { start: opening = '', list = '' } = facts.exec(told)?.groups ?? {};
  if (list === '' || /\bbetween\b/iu.test(list)) return undefined;
  return ownersOf(opening, list) ?? wholePhrases(opening, list);
}

/** "the price of A, the weight of B and the area of C"; "the capital of France and its population". */
function wholePhrases(opening: string, list: string): readonly string[] | undefined {
  const phrases = list.split(joints).map((one) => one.trim());
  const [first = ''] = phrases;
  if (phrases.length < 2 || phrases.length > 8) return undefined;
  const isWhole = (phrase: string): boolean => complement.test(`${phrase} `) || own.test(phrase) || owned.test(phrase);
  const hasOwner = complement.test(first) || owned.test(first);
  if (!hasOwner || !phrases.slice(1).every(isWhole)) return undefined;
  return phrases.map((phrase) => askedFact(opening, phrase));
}

/** "A's price, features and support". */
function ownersOf(opening: string, list: string): readonly string[] | undefined {
  const found = /^(?<owner>(?:the )?\p{Lu}[\p{L}\p{N} .&-]{0,60}?['’]s?) (?<facts>\p{Ll}[\p{Ll} ,-]{2,120})$/u.exec(
    list,
  )?.groups;
  const words = elementsOf(found?.['facts'] ?? '', 'and|as well as|plus');
  if (!found || words.length < 2 || words.some((word) => word.split(' ').length > 3 || own.test(word)))
    return undefined;
  return words.map((word) => askedFact(opening, `${found['owner']} ${word}`));
}

const plainPreposition = 'of|for|in|on|at|under|from|with|by|during';
const timePreposition = 'before|after|until|since|during|prior to|in';
const twice = new RegExp(
  String.raw`^(?<head>.{4,200}? )(?<one>(?<prep>${plainPreposition}) [^,;]{1,80}?),? (?:and|as well as|plus) (?:also )?(?<two>\k<prep> [^,;]{1,80})$`,
  'iu',
);
const times = new RegExp(
  String.raw`^(?<head>.{4,200}? )(?<one>(?:${timePreposition}) [^,;]{1,60}?),? (?:and|as well as|plus) (?:also )?(?<two>(?:${timePreposition}) [^,;]{1,60})$`,
  'iu',
);
const years =
  /^(?<head>.{4,200}? )(?<when>in (?:the )?(?:(?:fiscal|financial) (?:year )?|FY ?|(?:first|second|third|fourth) (?:quarter|half) of (?:fiscal )?|Q[1-4] (?:of )?)?)(?<one>\d{4}),? (?:and|as well as) (?<year>\d{4})$/iu;
const asksOne =
  /^(?:(?:in|on|at|for|to|by|of|from) )?(?:what|which|who|whom|when|where|why|how|name|list|give|state|tell|describe)\b/iu;

/** "In Q1 and Q2 of 2024": the year is of both. */
const quarters =
  /^(?<head>.{4,200}? (?:in|for|during|of) )(?:the )?(?<one>Q[1-4]|(?:first|second|third|fourth) quarter|H[12]|(?:first|second) half),? (?:and|as well as) (?:the )?(?<two>Q[1-4]|(?:first|second|third|fourth) quarter|H[12]|(?:first|second) half)(?<year> (?:of |in )?(?:fiscal |FY ?)?\d{4})?$/iu;

export function quartersOf(bare: string): readonly string[] | undefined {
  const { head = '', one = '', two = '', year = '' } = quarters.exec(bare)?.groups ?? {};
  if (two === '') return undefined;
  const article = (when: string): string => (/^[QH]\d/iu.test(when) ? when : `the ${when}`);
  return [one, two].map((when) => question(`${head}${article(when)}${year}`));
}

/** One predicate under two conditions: "the height of A and of B", "before 2019 and after 2020", "in 2022 and 2023". */
export function conditionsOf(bare: string): readonly string[] | undefined {
  if (!asksOne.test(bare) || /\b(?:between|from .{1,80} (?:and|to) )\b/iu.test(bare)) return undefined;
  const found = (twice.exec(bare) ?? times.exec(bare))?.groups;
  const { head = '', one = '', two = '' } = found ?? {};
  const isShort = (text: string): boolean =>
    text.split(' ').length <= 7 && !/\b(?:who|which|that|did|was|is)\b/iu.test(text);
  if (found && isShort(one) && isShort(two)) return [question(`${head}${one}`), question(`${head}${two}`)];
  const { head: before = '', when = '', one: first = '', year = '' } = years.exec(bare)?.groups ?? {};
  return year === '' ? undefined : [first, year].map((each) => question(`${before}${when}${each}`));
}

/** "The founders of A, B and C": a fact of many that is asked of each. */
const ofEach = new RegExp(
  String.raw`^${start} the (?<fact>\p{Ll}[\p{L} -]{0,60}?) (?<of>of|for) (?<things>.+?)(?<each> respectively| each)?$`,
  'iu',
);
/** Names with an "and" inside. */
const oneName =
  /\b(?:trinidad and tobago|bosnia and herzegovina|antigua and barbuda|saint kitts and nevis|turks and caicos|marks and spencer|procter and gamble|johnson and johnson|england and wales)\b/iu;

/** "The Ninth and Tenth Doctors": the last word belongs to each. */
const halfName =
  /^(?:the )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|north(?:ern)?|south(?:ern)?|east(?:ern)?|west(?:ern)?|old|new|upper|lower|great|\d{1,4}(?:st|nd|rd|th))$/iu;

export function ofEachOf(
  bare: string,
): { readonly queries: readonly string[]; readonly things: readonly string[] } | undefined {
  const { start: opening = '', fact = '', of = '', things = '', each = '' } = ofEach.exec(bare)?.groups ?? {};
  if (fact === '' || /\b(?:between|difference|relationship|comparison|war|treaty|union|merger)s?\b/iu.test(fact))
    return undefined;
  const names = elementsOf(things, 'and|as well as');
  if (
    names.length < 2 ||
    !names.every((name) => isNamed(name) && name.split(' ').length <= 5) ||
    names.some((name) => halfName.test(name)) ||
    oneName.test(things)
  )
    return undefined;
  const isMany = isPlural(fact) && (commandWord.test(opening) || / (?:are|were)$/iu.test(opening));
  if (!isMany && each === '' && names.length < 3) return undefined;
  return { queries: names.map((name) => askedFact(opening, `the ${fact} ${of} ${name}`)), things: names };
}
