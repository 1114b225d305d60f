// When something happened to a thing, as a sentence says it outright: "Alpha was first released in March 2001 by Acme". Invariant: the date is that of the
// very event and the event that of the very thing; a sentence in which the date could be another's says nothing here.
import { type DateMention, findDates } from '../../../text/quantities/dates.ts';
import { isSameThing, isSubject, nationality, subjectBefore } from './things.ts';

/** Events in which things come about, by the words that say so; what stands in one line is the same event. */
const eventWords = {
  released: 'released launched',
  founded: 'founded established formed started incorporated',
  published: 'published',
  introduced: 'introduced',
  built: 'built constructed erected',
  completed: 'completed finished',
  opened: 'opened inaugurated',
  born: 'born',
  invented: 'invented',
  discovered: 'discovered',
  written: 'written composed',
  signed: 'signed concluded',
  died: 'died',
  joined: 'joined hired',
  purchased: 'purchased bought acquired',
  active: 'active',
  available: 'available',
} as const;
export type EventKind = keyof typeof eventWords;

/** In the order in which they are taken for "came first". The end of a thing is no way to come about. */
export const beginnings: readonly EventKind[] = [
  'released',
  'published',
  'founded',
  'born',
  'built',
  'opened',
  'completed',
  'introduced',
  'invented',
  'discovered',
  'written',
  'signed',
  'active',
];

/** Words for events that are not one participle: "came out", "was set up". */
const toMarket = [
  'came out',
  'debuted',
  'came to market',
  'came to the market',
  'came on the market',
  'came onto the market',
  'hit the market',
  'went on sale',
  'came on sale',
  'became available',
];
const eventPhrases: Readonly<Record<string, EventKind>> = {
  ...Object.fromEntries(toMarket.map((phrase) => [phrase, 'released'] as const)),
  'set up': 'founded',
  'entered into': 'signed',
};

const kindOfWord = new Map<string, EventKind>(
  Object.entries(eventWords).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind as EventKind])),
);

/** Of "released", "started". */
export const eventOf = (word: string): EventKind | undefined => kindOfWord.get(word.toLowerCase());

/** The word for an event of which two sentences speak in words of their own. */
export const wordOf = (kind: EventKind, words: readonly string[]): string =>
  words.every((word) => word === words[0]) ? (words[0] ?? kind) : kind;

export interface EventReading {
  readonly kind: EventKind;
  /** The word that the sentence has for it. */
  readonly word: string;
  readonly date: DateMention;
}

/** `meant`: whether a subject stands for the thing by the sentence before, or by the title; `isTitle`: whether the document is called like the thing. */
export interface ThingReading {
  readonly thing: string;
  readonly meant: (subject: string, kind?: EventKind) => boolean;
  readonly isTitle?: boolean;
}

const eventWord = new RegExp(
  String.raw`\b(?:${[...kindOfWord.keys(), ...Object.keys(eventPhrases)].filter((word) => word !== 'active' && word !== 'available').join('|')})\b`,
  'giu',
);
const auxiliary =
  / (?:was|were|has been|had been|were both|is)((?: (?:first|originally|initially|officially|publicly|formally|itself))*)$/u;
const ofKind = / (?:is|was|are|were) an? ([\p{L}'’ -]{2,80}?),?$/u;
/** Where it is from, behind what it is: "a band from Graz, formed in 1997". */
const fromPlace = /^(.{2,160}) (?:from|based in) \p{Lu}[\p{L}'’ -]{1,40}(?:, \p{Lu}[\p{L}'’ -]{1,40})?,$/u;
const linking = /\b(?:of|for|by|from|in|on|at|with|that|which|who|to|and|as)\b/u;
const datePreposition = /(?:^| )(?:in|on)(?: the year| (?:the )?(?:spring|summer|autumn|fall|winter)(?: of)?)? $/u;
/** What comes about by itself: "the museum opened in 1971". */
const intransitive: ReadonlySet<string> = new Set(['opened', 'launched', 'started', 'formed', ...toMarket]);
/** "Has spun wool since", "made bicycles from": what stands between a subject and the date. */
const sinceWhen =
  /^(?:(?:has|have) (?:been )?\p{Ll}{3,20}|\p{Ll}{3,20}ed|made|built|sold|grew|spun|ran)(?: \p{Ll}[\p{Ll}-]{1,20}){0,4} (?:(?:ever )?since|from)$/u;
const longestSubject = 12;
const placed: ReadonlySet<EventKind> = new Set([
  'signed',
  'founded',
  'born',
  'died',
  'built',
  'opened',
  'completed',
  'discovered',
]);

/** A day, month or year that is said once and without another reading. */
const isPlain = ({ precision, year, alternative }: DateMention): boolean =>
  year !== undefined && alternative === undefined && /^(?:day|month|year)$/u.test(precision);

/** What the sentence says of when the thing came about, or ended. */
export function eventsIn(sentence: string, reading: ThingReading): readonly EventReading[] {
  const dates = findDates(sentence);
  if (dates.length === 0 || sentence.length > 1_000) return [];
  const found: EventReading[] = [];
  const life = lifeOf(sentence, dates, reading);
  if (life) found.push(life);
  const since =
    sinceOf(sentence, dates, reading) ?? editionOf(sentence, dates, reading) ?? makingOf(sentence, dates, reading);
  if (since) found.push(since);
  for (const { 0: written, index } of sentence.matchAll(eventWord)) {
    const said = written.toLowerCase();
    // A capital stands at the beginning alone: "Launched in 2021, …".
    if (said !== written && (index > 0 || written.slice(1) !== said.slice(1))) continue;
    const phrase = eventPhrases[said];
    const kind = phrase ?? kindOfWord.get(said);
    if (!kind) continue;
    const verb = { kind, said, start: index, end: index + said.length };
    const date = dateOf(verb, { sentence, dates, reading });
    if (date) found.push({ kind, word: phrase ?? said, date });
  }
  return found;
}

const firstEdition =
  /^(The|Its) (?:very )?first (?:public |official |stable )?(?:release|version|edition) (?:was|came|came out|appeared|was released|was published) (?:in|on)$/u;

/** "This agreement is made on 3 March 2021": the day on which it was signed. */
const making = /^(This \p{Ll}{3,20}) (?:is|was) (?:made|dated|(?:made and )?entered into)(?: on| as of)?$/u;
function makingOf(sentence: string, [date]: readonly DateMention[], { meant }: ThingReading): EventReading | undefined {
  if (!date || !isPlain(date)) return undefined;
  const [, subject = ''] = making.exec(sentence.slice(0, date.start).trimEnd()) ?? [];
  return subject !== '' && meant(subject, 'signed') ? { kind: 'signed', word: 'signed', date } : undefined;
}

/** "The first release was in 2015", in a document that is called like the thing; "Its first version appeared in 2015", behind a sentence about it. */
function editionOf(
  sentence: string,
  [date]: readonly DateMention[],
  { isTitle = false, meant }: ThingReading,
): EventReading | undefined {
  const [, whose] = (date && firstEdition.exec(sentence.slice(0, date.start).trimEnd())) ?? [];
  if (!date || whose === undefined || !(isTitle || (whose === 'Its' && meant('It', 'released')))) return undefined;
  const verb: Verb = { kind: 'released', said: 'released', start: 0, end: date.start };
  return isLast(verb, date, sentence) ? { kind: 'released', word: 'released', date } : undefined;
}

/** Since when it has done what it does: it was there by then. */
function sinceOf(
  sentence: string,
  dates: readonly DateMention[],
  { thing, meant }: ThingReading,
): EventReading | undefined {
  const [date, second] = dates;
  if (!date || !isPlain(date) || (second && second.start < date.end + 4)) return undefined;
  const before = sentence.slice(0, date.start).trimEnd();
  const words = before.split(' ');
  const isOwn = words.slice(0, longestSubject).some((_, at) => {
    const subject = words
      .slice(0, at + 1)
      .join(' ')
      .replace(/,$/u, '');
    return sinceWhen.test(words.slice(at + 1).join(' ')) && (isSubject(subject, thing) || meant(subject, 'active'));
  });
  if (!isOwn) return undefined;
  const rest = sentence.slice(date.end);
  const isTold = before.endsWith('since')
    ? /^(?:[.,;!]|$| and\b(?! \d))/u.test(rest)
    : /^ on(?:wards)?(?:[.,;!]|$| and\b)/u.test(rest);
  return isTold ? { kind: 'active', word: 'active', date } : undefined;
}

interface Verb {
  readonly kind: EventKind;
  readonly said: string;
  readonly start: number;
  readonly end: number;
}
interface Setting {
  readonly sentence: string;
  readonly dates: readonly DateMention[];
  readonly reading: ThingReading;
}

// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
function dateOf(verb: Verb, setting: Setting): DateMention | undefined {
  const { sentence, dates, reading } = setting;
  const before = sentence.slice(0, verb.start).trimEnd();
  const after = sentence.slice(verb.end);
  const next = dates.find(({ start }) => start >= verb.end);
  const isOwn = (subject: string): boolean =>
    isSubject(subject, reading.thing, verb.kind === 'released' || verb.kind === 'published') ||
    reading.meant(subject, verb.kind);
  if (before === '' || before === 'First') return opening(verb, next, setting);
  if (verb.kind === 'died') return isOwn(before) && next ? behind(verb, next, sentence) : undefined;
  if (intransitive.has(verb.said) && next && isOwn(before)) return behind(verb, next, sentence);
  // Acme released Alpha in 2001.
  const object = next && after.slice(0, next.start - verb.end).replace(datePreposition, '');
  if (next && object !== undefined && object.trim() !== '' && isSameThing(object, reading.thing) && isAgent(before))
    return isLast(verb, next, sentence) ? next : undefined;
  const helped = auxiliary.exec(before);
  if (helped) {
    const helper = before.slice(0, helped.index);
    const subject = subjectBefore(helper);
    if (next && isOwn(subject)) return behind(verb, next, sentence);
    return fronted(verb, subject, setting);
  }
  if (!next) return undefined;
  // Alpha, founded in 1852, is … ; Alpha is a monthly magazine founded in 1852.
  const plain = before.replace(/(?:,)? first$/u, (ending) => (ending.startsWith(',') ? ',' : ''));
  if (plain.endsWith(',') && isOwn(plain.slice(0, -1)) && /^,/u.test(sentence.slice(next.end)))
    return behind(verb, next, sentence);
  const described = ofKind.exec(fromPlace.exec(plain)?.[1] ?? plain);
  const what = described?.[1]?.replace(nationality, '') ?? '';
  if (described && !linking.test(what) && !/\p{Lu}/u.test(what) && isOwn(before.slice(0, described.index)))
    return behind(verb, next, sentence);
  return undefined;
}

/** Who does it: a name without a clause of its own. */
const isAgent = (before: string): boolean =>
  /^[\p{L}\p{M}\p{N}'’.& -]{2,80}$/u.test(before) &&
  !/\b(?:has|had|have|was|were|is|be|that|which|who|to|first|re)\b/u.test(before);

/** Launched in autumn 2021, the Lumi X is a phone. */
function opening(
  verb: Verb,
  date: DateMention | undefined,
  { sentence, reading: { thing } }: Setting,
): DateMention | undefined {
  if (!date || !behind(verb, date, sentence)) return undefined;
  const rest = /^, (.{2,160}?) (?:is|was|are|were|has|had|comes|offers|costs?|makes|made)\b/u.exec(
    sentence.slice(date.end),
  );
  return rest && isSubject(rest[1] ?? '', thing) ? date : undefined;
}

/** The date right behind the verb, with whoever did it or the place between them. */
function behind(verb: Verb, date: DateMention, sentence: string): DateMention | undefined {
  const between = sentence.slice(verb.end, date.start);
  if (!datePreposition.test(between)) return undefined;
  const middle = between.replace(datePreposition, '').replace(/^ its doors(?= |$)/u, '');
  const isBy = /^ by [^,;:()\d]{1,80}$/u.test(middle) && !/\b(?:which|who|that|after|before|and then)\b/u.test(middle);
  const isPlace = placed.has(verb.kind) && /^ (?:in|at|near) \p{Lu}[^;:()\d]{0,60}$/u.test(middle);
  if (middle !== '' && !isBy && !isPlace) return undefined;
  return isLast(verb, date, sentence) ? date : undefined;
}

/** In 2001, Alpha was released. */
function fronted(verb: Verb, subject: string, { sentence, dates, reading }: Setting): DateMention | undefined {
  const [date] = dates;
  if (!date || date.end > verb.start || dates.some(({ start }) => start > verb.end)) return undefined;
  if (!/^(?:In|On) $/u.test(sentence.slice(0, date.start))) return undefined;
  const own = subject.slice(date.end).replace(/^,? /u, '');
  if (!isSubject(own, reading.thing)) return undefined;
  const rest = sentence.slice(verb.end);
  const isWhole = /^(?:[.!]?$|,? by )/u.test(rest) || (placed.has(verb.kind) && /^ in \p{Lu}/u.test(rest));
  return isWhole && isPlain(date) ? date : undefined;
}

/** Nothing behind the date takes it back, makes a range of it or says that it holds for a part of the world alone. */
function isLast({ kind }: Verb, date: DateMention, sentence: string): boolean {
  const rest = sentence.slice(date.end);
  if (!isPlain(date)) return false;
  if (/^(?:[-–—/(]|s\b| ?[-–—(]| and (?:again |in |then in |re)?\d|,? and again| to \d)/u.test(rest)) return false;
  if (placed.has(kind) || kind === 'written') return true;
  return !/^,? ?(?:in|for|on|as|only|exclusively|to|under|with)\b/u.test(rest);
}

const middleNames = /(?<=^\p{Lu}\p{L}{1,30}) (?:\p{Lu}(?:\.|\p{Ll}{1,20}) ){1,2}(?=\p{Lu}\p{L}{1,30}$)/u;
/** Vic Darchinyan (born January 7, 1976) … ; Sid Haig (July 14, 1939 – September 21, 2019) … */
function lifeOf(
  sentence: string,
  dates: readonly DateMention[],
  { thing, isTitle = false }: ThingReading,
): EventReading | undefined {
  const open = sentence.indexOf(' (');
  const name = sentence.slice(0, Math.max(0, open));
  // "Jun H. Choi", in the document that is called Jun Choi.
  if (!isSameThing(name, thing) && !(isTitle && isSameThing(name.replace(middleNames, ' '), thing))) return undefined;
  const close = sentence.indexOf(')', open);
  const inside = dates.filter(({ start, end }) => start > open && end <= close);
  const [born, died] = inside;
  if (!born || !isPlain(born)) return undefined;
  // How the name is written or spoken elsewhere stands in front of the dates.
  const lead = sentence.slice(open + 2, born.start).replace(/^[^;()\p{Nd}]{0,120}; /u, '');
  const isBorn = /(?:^|[;,] ?)(?:born|b\.)(?: on| in)? $/u.test(lead) && inside.length === 1;
  const isLife =
    lead === '' &&
    inside.length === 2 &&
    died?.precision === 'day' &&
    born.precision === 'day' &&
    /^ ?[-–—] ?$/u.test(sentence.slice(born.end, died.start));
  return isBorn || isLife ? { kind: 'born', word: 'born', date: born } : undefined;
}
