// Tells whether a piece of text holds a value of the kind a question asks for (a number, a date, a name …) that the
// question does not already give. Cheap surface rules: they rank candidates, they do not verify claims.

import { definedIn, definitionFit } from '../../text/definitions.ts';
import type { AnswerType, Question } from './question.ts';

const digits = /\d+(?:[.,]\d+)*/g;
const numberWord =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|trillions?|half|third|quarter|dozens?|twice|once|double|several|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|hundert|tausend)\b|[一二三四五六七八九十百千万亿两]+/iu;
const measured =
  /\d\s?(?:%|°|€|\$|£|¥)|[$€£¥]\s?\d|\b(?:EUR|USD|GBP|CHF)\s?\d|\d\s?(?:EUR|USD|GBP|CHF)\b|\d[\s-](?:percent|per cent|million|billion|trillion|thousand|years?|months?|weeks?|days?|hours?|minutes?|seconds?|k?m|cm|mm|miles?|feet|foot|ft|inch(?:es)?|metres?|meters?|kilomet(?:er|re)s?|acres?|hectares?|kg|g|mg|pounds?|lbs?|tons?|tonnes?|mph|km\/h|hz|[kmg]hz|[kmgt]i?b|bytes?|volts?|watts?|[km]w|degrees?|dollars?|euros?|points?|times|square|prozent|jahren?|jahr|tage?n?|stunden?|minuten?|sekunden?|kilometer|meter)\b|\d\s?[–-]\s?\d|\bpercent\b|\bper cent\b|\d\s?(?:年|米|公里|公斤|吨|元|美元|小时|分钟|岁)/iu;
const year = /\b(?:1\d{3}|20\d{2})s?\b|\b\d{1,4}\s?(?:BC|AD|BCE|CE)\b|\d{2,4}\s?年/u;
const dated =
  /\b(?:january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember)\b|\bMay\b(?=\s+\d)|\b(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|\w+th) century\b|\b\d{4}-\d{2}-\d{2}\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:spring|summer|autumn|winter|decades?|centuries|easter|christmas)\b|\bjahrhundert\b|世纪|月\d+日|عام\s?\d/iu;
const properName =
  /(?<![.!?]\s|^)(?:\p{Lu}[\p{L}\p{M}'’-]+|\p{Lu}\.)(?:\s+(?:(?:of|de|von|van|al|bin|the|der|la)\s+)?(?:\p{Lu}[\p{L}\p{M}'’-]+|\p{Lu}\.))*/gu;
const anyName = /\p{Lu}[\p{L}\p{M}'’.-]+(?:\s+(?:(?:of|de|von|van|al|bin|the|der|la)\s+)?\p{Lu}[\p{L}\p{M}'’.-]+)*/gu;
/** Case tells names of places from other words: "in Los Gatos", and neither "in several" nor "in January". */
const placed =
  /(?<!\p{L})(?:[Ii]n|[Aa]t|[Nn]ear|[Ff]rom|[Tt]o|[Ww]ithin|[Oo]utside|[Aa]cross|[Bb]etween|[Aa]long|[Tt]hrough|[Aa]round|[Oo]n|[Tt]owards?|[Ii]nto|[Ii]m|[Aa]m|[Nn]ach|[Aa]us|[Bb]ei)\s+(?:the\s+|der\s+|dem\s+|den\s+)?(?:(?:north|south|east|west|central|upper|lower|southern|northern|eastern|western|southeastern|northwestern|downtown)\s+)?(?!(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b)\p{Lu}/u;
const reasoned =
  /\b(?:because|since|due to|owing to|in order to|so that|as a result|therefore|thus|caused|causes|led to|leads to|reason|to (?:avoid|ensure|allow|prevent|protect|make|provide|reduce|keep|increase)|weil|wegen|daher|deshalb|aufgrund)\b|因为|由于|所以|لأن|بسبب/iu;
const defined =
  /\b(?:is|are|was|were|means|refers to|denotes|stands for|known as|called|defined as|ist|sind|bedeutet|bezeichnet|heißt)\b|是|指|هو|هي/iu;
const enumerated = /,[^,.]{2,60},?\s(?:and|or|und|oder)\s|;\s|：|、/u;
const instructing =
  /\b(?:use|run|set|add|call|install|create|pass|enable|configure|click|open|select|must|should|can|need to|muss|kann|verwenden)\b|可以|使用|[`$(]/iu;
const polar = /\b(?:not|no|never|both|neither|yes|only|all|kein\w*|nicht)\b|不|没|لا/iu;

/** 0..1: how well the piece's form fits the wanted type; 0.5 where the type sets no form. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function typeFit(question: Question, written: string): number {
  // "[1]" refers to a note.
  const piece = written.replace(/\[\^?\d{1,3}\]/gu, '');
  const type: AnswerType = question.type;
  if (asksVersion.test(question.text)) return versionIn(question.text, piece) ? 1 : 0.2;
  switch (type) {
    case 'number': {
      if (asksHowOften.test(question.text)) return tellsHowOften.test(piece) ? 1 : newNumber(question, piece) ? 0.6 : 0;
      const counting = countsOf(question.text, piece);
      return countsWhatIsAsked(question, counting)
        ? 1
        : newNumber(question, counting)
          ? 0.8
          : numberWord.test(counting)
            ? 0.6
            : 0;
    }
    case 'quantity':
      if (hasAskedUnit(question.text, piece) === false) return newNumber(question, piece) ? 0.6 : 0.3;
      return measured.test(piece) && (newNumber(question, piece) || numberWord.test(piece))
        ? 1
        : newNumber(question, piece)
          ? 0.7
          : numberWord.test(piece)
            ? 0.5
            : 0;
    case 'date':
      return year.test(piece) && newNumber(question, piece) ? 1 : dated.test(piece) ? 0.7 : 0;
    case 'person':
      return newName(question, piece, 2) ? 1 : newName(question, piece, 1) ? 0.6 : 0;
    case 'place':
      if (isOfRegionAlone(question.text, piece)) return 0.1;
      return placed.test(piece) && newName(question, piece, 1) ? 1 : newName(question, piece, 1) ? 0.6 : 0.1;
    case 'reason':
      return reasoned.test(piece) ? 1 : 0.2;
    case 'definition': {
      const subject = definedIn(question.text);
      return subject === undefined ? (defined.test(piece) ? 1 : 0.2) : definitionFit(subject, piece);
    }
    case 'list':
      return enumerated.test(piece) ? 1 : 0.3;
    case 'how-to':
      return instructing.test(piece) ? 1 : 0.2;
    case 'yes-no':
      return polar.test(piece) ? 0.7 : 0.5;
    case 'name':
    case 'other':
      return 0.5;
  }
}

const asksVersion =
  /^\W{0,4}(?:(?:in|from|since|with|for)\s)?(?:which|what)\s(?:\S{1,40}\s){0,2}(?:versions?|releases?)\b/iu;
/** A version that the question does not name. */
const versionIn = (asked: string, piece: string): boolean =>
  [...piece.matchAll(/(?<![\p{L}\d.$€£-])v?\d{1,4}(?:\.\d{1,6}){0,3}(?![\d%])/giu)].some(
    ([found]) => !asked.includes(found),
  );

const seat = String.raw`(?:headquarters|head\soffices?|offices?|hubs?|seats?|bases?|campus(?:es)?|operations|teams?|business|divisions?|arms?|subsidiary|subsidiaries)`;
/** A question for where something has its seat. */
export const seatsAsked = /\b(?:headquarter(?:s|ed)?|head offices?|offices?|hubs?|seats?|based?|campus(?:es)?)\b/iu;
const regional = new RegExp(
  String.raw`\b(European|EMEA|APAC|Asia-Pacific|Asian|African|(?:(?:North|South|Latin|Central)\s)?American|Australian|Nordic|Scandinavian|Middle\sEastern|British|UK|U\.S\.|US|Canadian|Mexican|Brazilian|German|French|Italian|Spanish|Dutch|Irish|Swiss|Polish|Russian|Turkish|Indian|Chinese|Japanese|Korean|regional|international|overseas|foreign|local|divisional)\s${seat}\b`,
  'giu',
);
/** "The office of X for Europe". */
const forRegion = new RegExp(
  String.raw`\b${seat}\s(?:[\p{L}'’]{1,20}\s){0,3}for\s(?:the\s)?(Europe|EMEA|APAC|Asia|Africa|Australia|Oceania|(?:(?:North|South|Latin|Central)\s)?America|Scandinavia|the\sMiddle\sEast)\b`,
  'giu',
);
const anySeat = new RegExp(String.raw`\b${seat}\b`, 'giu');

/** "Where is X headquartered?" is not told by where its European headquarters are, unless the question says so. */
export function isOfRegionAlone(asked: string, piece: string): boolean {
  if (!seatsAsked.test(asked)) return false;
  const regions = [...piece.matchAll(regional), ...piece.matchAll(forRegion)].map(([, region = '']) =>
    region.toLowerCase(),
  );
  return (
    regions.length > 0 &&
    regions.length === (piece.match(anySeat)?.length ?? 0) &&
    !regions.some((region) => asked.toLowerCase().includes(region))
  );
}

/** "GPT-3.5" counts nothing, nor do "0.4", "35 %", "10 times" and "Table 3"; "1.2 million" and "10 percent of physicians" do. */
const noCount =
  /(?<![\p{L}\p{N}.-])\p{L}[\p{L}-]{0,30}-\d[\d.]{0,8}|(?<![\d.,])\d{1,6}(?:\.\d{1,6})?\s?(?:%|per\s?cent)(?!\s(?:of|or|to)\b)|(?<![\d.,])\d{1,6}\stimes\b|\b(?:tables?|figures?|fig\.|sections?|chapters?|pages?|equations?)\s\d[\d.]{0,8}|(?<![\d.,])\d{1,6}\.\d{1,6}(?![\d,]|\.\d|\s?(?:thousand|million|billion|trillion|per|%))/giu;
const countsTimes = /\bhow many times\b/iu;
const countsOf = (question: string, piece: string): string =>
  countsTimes.test(question) ? piece : piece.replace(noCount, ' ');

const asksHowOften = /\bhow\s{1,4}(?:often|frequently|regularly)\b|\bwie\s{1,4}(?:oft|häufig)\b/iu;
const tellsHowOften =
  /\b(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually|continuously|constantly|always|never|seldom|rarely|regularly|täglich|stündlich|wöchentlich|monatlich|jährlich|nie|immer|selten)\b|\b(?:every|each|jede[nmrs]?|alle)\s{1,4}(?:[\p{L}\d.,]{1,12}\s{1,4}){0,2}(?:milliseconds?|seconds?|minutes?|hours?|days?|nights?|mornings?|evenings?|weekdays?|weeks?|months?|quarters?|years?|time|sekunden?|minuten?|stunden?|tage?|nacht|wochen?|monate?|jahre?|mal)\b|\b(?:once|twice|(?:\d[\d.,]{0,8}|\p{L}{3,8})\s{1,4}times|(?:ein|zwei|drei|vier|\d{1,4}\s?)mal)\s{1,4}(?:a|an|per|each|every|pro|am|im|in der|in)\b|\bevery\s{1,4}(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\bper\s{1,4}(?:second|minute|hour|day|week|month|year)\b/iu;

/** What is counted, after "how many": its head is among the first words. */
const counted = /\bhow many\s{1,4}((?:[\p{L}-]{2,40}\s{1,4}){0,2}[\p{L}-]{2,40})/iu;
const figureBefore =
  /(?:(?<![\d.,])\d[\d.,]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|several|no))(?:[\s-]{1,2}[\p{L}%]{2,30}){1,4}/giu;
const notCounted = new Set('of the are is was were did do does have has had in on at to there people'.split(' '));
const stemOf = (word: string): string => word.toLowerCase().replace(/(?:ies|es|s|y)$/u, '');

interface CountedWord {
  readonly word: string;
  /** Where it stands in the question. */
  readonly start: number;
  readonly end: number;
}

/** The words after "how many", as far as the thing may be among them. */
function wordsCounted(text: string): readonly CountedWord[] {
  const found = counted.exec(text);
  const run = found?.[1];
  if (!found || run === undefined) return [];
  const from = found.index + found[0].length - run.length;
  return [...run.matchAll(/[\p{L}-]+/gu)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    start: from + index,
    end: from + index + word.length,
  }));
}

/** Where the words stand in a question that name what it counts; none for "how many times", which is told in many words. */
export function thingsCounted(text: string): readonly CountedWord[] {
  if (countsTimes.test(text)) return [];
  const words = wordsCounted(text);
  const opening = words.findIndex(({ word }) => !/^(?:of|the)$/u.test(word));
  const named = words.slice(Math.max(0, opening));
  // What stands behind the verb is no longer counted.
  const verb = named.findIndex(({ word }) => notCounted.has(word));
  return named.slice(0, verb < 0 ? named.length : verb);
}

/** A figure stands before what the question counts: "3.5 days" tells nothing of how many steps. */
function countsWhatIsAsked({ text }: Question, piece: string): boolean {
  const things = wordsCounted(text).flatMap(({ word }) => (notCounted.has(word) ? [] : [stemOf(word)]));
  if (things.length === 0) return numberWord.test(piece) || /\d/u.test(piece);
  for (const [run] of piece.matchAll(figureBefore))
    if (run.split(/[\s-]+/u).some((word) => things.includes(stemOf(word)))) return true;
  return false;
}

/** Kinds of measure that a question names, with the units that give them. */
const measures: readonly (readonly [asks: RegExp, gives: RegExp])[] = [
  [
    /^(?:for )?how long (?:did|do|does|has|have|had|will|was|were|is|are|after|before|ago|must|can|may|should)\b/iu,
    /\b(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|decades?|centur(?:y|ies)|km|kilomet\p{L}+|miles?|met(?:er|re)s?|feet|foot|inch(?:es)?|m|cm|until|since)\b|\b1\d{3}\b|\b20\d{2}\b/iu,
  ],
  [
    /\bhow much (?:money|did .{1,80} (?:cost|pay|sell|earn)|does .{1,80} cost)\b|\bwhat (?:price|salary)\b/iu,
    /[$€£¥₹]|\b(?:dollars?|euros?|pounds?|cents?|yen|USD|EUR|GBP|francs?|rupees?)\b/iu,
  ],
  [
    /^(?:what|which) (?:percent|percentage|proportion|share|fraction)\b|^what is the (?:\p{L}+ )?percentage\b/iu,
    /%|\b(?:per ?cent|percentage|half|third|quarter|fifth|tenth|majority)\b|\bin (?:ten|\d)/iu,
  ],
];

/** Undefined where the question names no such measure. */
function hasAskedUnit(text: string, piece: string): boolean | undefined {
  const measure = measures.find(([asks]) => asks.test(text.trim()));
  return measure?.[1].test(piece);
}

const wordsOfDigits = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

function newNumber(question: Question, piece: string): boolean {
  // "HJ-2026-118" of the question is no year.
  const asked = new Set(question.text.match(digits));
  const spoken = new Set(question.text.toLowerCase().split(/[^\p{L}]+/u));
  const isSpoken = (value: string): boolean =>
    /^\d{1,2}$/u.test(value) && spoken.has(wordsOfDigits[Number(value)] ?? '-');
  for (const match of piece.matchAll(digits)) {
    const value = match[0].replace(/,(?=\d{3})/g, '').replace(/[.,]$/, '');
    if (!question.numbers.includes(value) && !asked.has(match[0]) && !isSpoken(value)) return true;
  }
  return false;
}

/** "Exhibit 31" and "Table 2" name nobody. */
const label =
  /^(?:exhibits?|tables?|figures?|fig\.|pages?|sections?|chapters?|appendix|annex|items?|schedule|form|volume|vol\.|note)$/iu;

/** A capitalised run of at least `words` words that the question does not hold; in scripts without case any text may. */
function newName(question: Question, piece: string, words: number): boolean {
  if (!/\p{Lu}/u.test(piece)) return /\p{Lo}/u.test(piece);
  const asked = question.text.toLowerCase();
  for (const match of piece.matchAll(words > 1 ? anyName : properName)) {
    const parts = match[0].split(/\s+/).filter((part) => /^\p{Lu}/u.test(part));
    const fresh = parts.filter(
      (part) => !label.test(part) && !asked.includes(part.toLowerCase().replace(/['’.]s?$/u, '')),
    );
    if (parts.length >= words && fresh.length > 0) return true;
  }
  return false;
}
