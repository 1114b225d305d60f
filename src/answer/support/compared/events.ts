// When something happened to a thing, as a sentence says it outright: "Alpha was first released in March 2001 by Acme". Invariant: the date is that of the
// very event and the event that of the very thing; a sentence in which the date could be another's says nothing here.
import { type DateMention, findDates } from '../../../text/quantities/dates.ts';
import { isSameThing, isSubject, nationality } from './things.ts';

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
  died: 'died',
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
];

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

/** `first`: whether an edition may stand for the thing; `meant`: whether a subject stands for the thing by the sentence before. */
export interface ThingReading {
  readonly thing: string;
  readonly meant: (subject: string) => boolean;
}

const eventWord = new RegExp(String.raw`\b(?:${[...kindOfWord.keys()].join('|')}|came out|debuted)\b`, 'gu');
const auxiliary =
  / (?:was|were|has been|had been|were both|is)((?: (?:first|originally|initially|officially|publicly|formally|itself))*)$/u;
const ofKind = / (?:is|was|are|were) an? ([\p{L}'’ -]{2,80}?),?$/u;
/** Where it is from, behind what it is: "a band from Graz, formed in 1997". */
const fromPlace = /^(.{2,160}) (?:from|based in) \p{Lu}[\p{L}'’ -]{1,40}(?:, \p{Lu}[\p{L}'’ -]{1,40})?,$/u;
const linking = /\b(?:of|for|by|from|in|on|at|with|that|which|who|to|and|as)\b/u;
const datePreposition = /(?:^| )(?:in|on)(?: the year)? $/u;
const placed: ReadonlySet<EventKind> = new Set([
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
  const life = lifeOf(sentence, dates, reading.thing);
  if (life) found.push(life);
  for (const { 0: said, index } of sentence.matchAll(eventWord)) {
    const kind = said.includes(' ') || said === 'debuted' ? 'released' : kindOfWord.get(said);
    if (!kind) continue;
    const verb = { kind, said, start: index, end: index + said.length };
    const date = dateOf(verb, { sentence, dates, reading });
    if (date) found.push({ kind, word: said.includes(' ') || said === 'debuted' ? kind : said, date });
  }
  return found;
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
    isSubject(subject, reading.thing, verb.kind === 'released' || verb.kind === 'published') || reading.meant(subject);
  if (verb.said.includes(' ') || verb.said === 'debuted' || verb.kind === 'died')
    return isOwn(before) && next ? behind(verb, next, sentence) : undefined;
  // Acme released Alpha in 2001.
  const object = next && after.slice(0, next.start - verb.end).replace(datePreposition, '');
  if (next && object !== undefined && object.trim() !== '' && isSameThing(object, reading.thing) && isAgent(before))
    return isLast(verb, next, sentence) ? next : undefined;
  const helped = auxiliary.exec(before);
  if (helped) {
    const subject = before.slice(0, helped.index);
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

/** The date right behind the verb, with whoever did it or the place between them. */
function behind(verb: Verb, date: DateMention, sentence: string): DateMention | undefined {
  const between = sentence.slice(verb.end, date.start);
  if (!datePreposition.test(between)) return undefined;
  const middle = between.replace(datePreposition, '');
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

/** Vic Darchinyan (born January 7, 1976) … ; Sid Haig (July 14, 1939 – September 21, 2019) … */
function lifeOf(sentence: string, dates: readonly DateMention[], thing: string): EventReading | undefined {
  const open = sentence.indexOf(' (');
  if (open < 0 || !isSameThing(sentence.slice(0, open), thing)) return undefined;
  const close = sentence.indexOf(')', open);
  const inside = dates.filter(({ start, end }) => start > open && end <= close);
  const [born, died] = inside;
  if (!born || !isPlain(born)) return undefined;
  const lead = sentence.slice(open + 2, born.start);
  const isBorn = /(?:^|[;,] ?)(?:born|b\.)(?: on| in)? $/u.test(lead) && inside.length === 1;
  const isLife =
    lead === '' &&
    inside.length === 2 &&
    died?.precision === 'day' &&
    born.precision === 'day' &&
    /^ ?[-–—] ?$/u.test(sentence.slice(born.end, died.start));
  return isBorn || isLife ? { kind: 'born', word: 'born', date: born } : undefined;
}
