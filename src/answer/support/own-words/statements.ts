// The statements that an English sentence joins: "Ana, a violinist, was born in Lyon and moved to Graz" says three things of Ana. Each is
// written out with its subject, so that it can be held against another sentence by itself. Where it is not plain who a part speaks of, or
// a word of one part reaches into the next (a condition, a denial, whose word it is), the sentence is not parted: an empty list.
import { isAttribution, isReportingVerb } from '../../../text/words/hedges.ts';
import { irregularPasts } from '../../../text/words/inflect.ts';

interface Word {
  readonly text: string;
  readonly lower: string;
  /** A comma stands behind it. */
  readonly isBeforeComma: boolean;
}

/** Longer sentences are not looked at. */
const mostWords = 70;
const mostStatements = 6;
/** They bind parts together, or hold for all of them. */
const binding =
  /^(?:if|unless|whether|or|nor|neither|either|both|respectively|than|because|so|therefore|thus|hence|consequently|then|later|subsequently|eventually|afterwards|thereafter|while|whereas|although|though|when|where|not|no|never|none|nobody|nothing|without|only|may|might|can|could|would|should|must|perhaps|probably|possibly|likely|supposedly|seems?|seemed|appears?|appeared|that|whose|whom|same)$/u;
/** They reach over commas. */
const whole =
  /^(?:if|unless|whether|not|no|never|none|nobody|nothing|neither|nor|respectively|perhaps|probably|possibly|likely|supposedly)$/u;
const isBound = (words: readonly Word[]): boolean => words.some(({ lower }) => binding.test(lower));
const auxiliary = /^(?:is|are|was|were|has|have|had|will|does|do|did)$/u;
const lead =
  /^(?:in|on|at|during|after|before|since|from|by|between|for|as|with|under|over|throughout|until|following)$/u;
const adverb =
  /ly$|^(?:almost|nearly|just|still|once|also|even|often|sometimes|soon|now|ever|already|always|again|too|later|first|twice|half|all|both|each)$/u;
const article = /^(?:the|a|an|his|her|its|their)$/u;
const pronoun = /^(?:he|she|it|they|this|these)$/u;
/** Words in -ed that are no verbs of the past here. */
const notPast =
  /^(?:united|hundred|red|bed|need|speed|indeed|exceed|breed|feed|seed|based|related|limited|advanced|aged|used|named|called|known|born|sacred|naked|shed|led|said|\p{L}*-\p{L}+)$/u;
const figure = /\p{Nd}|^(?:january|february|march|april|june|july|august|september|october|november|december)$/u;

const isPast = ({ lower }: Word): boolean =>
  (irregularPasts.has(lower) || /(?<=\p{L}{2})ed$/u.test(lower)) && !notPast.test(lower);
const isVerb = (word: Word): boolean => auxiliary.test(word.lower) || isPast(word);
const isNameLike = ({ text }: Word): boolean => /^[“"']?\p{Lu}/u.test(text);

function wordsOf(text: string): Word[] | undefined {
  if (/[;:?!()[\]–—]|\.\s/u.test(text)) return undefined;
  const parts = text.split(/\s+/u).filter((part) => part !== '');
  if (parts.length > mostWords || parts.length < 5) return undefined;
  return parts.map((part) => {
    const bare = part.replace(/(?<!,),+["”’']?$/u, '');
    return {
      text: bare,
      lower: bare.toLowerCase().replace(/^["“”'‘’]+|(?<!["“”’'])["“”’']+$/gu, ''),
      isBeforeComma: bare !== part,
    };
  });
}

const said = (words: readonly Word[]): string =>
  words.map(({ text, isBeforeComma }, at) => (isBeforeComma && at < words.length - 1 ? `${text},` : text)).join(' ');

/** Pieces between commas; the comma of a date ("October 3, 2013") parts nothing, nor does one amid digits. */
function segmentsOf(words: readonly Word[]): Word[][] {
  const segments: Word[][] = [[]];
  for (const [at, word] of words.entries()) {
    segments.at(-1)?.push(word);
    const next = words[at + 1];
    const isInDate = /^\p{Nd}{1,2}$/u.test(word.text) && next !== undefined && /^\p{Nd}{4}$/u.test(next.text);
    if (word.isBeforeComma && next && !isInDate) segments.push([]);
  }
  return segments;
}

/** The subject of a main clause and what is said of it. */
interface Clause {
  readonly subject: readonly Word[];
  readonly predicate: readonly Word[];
}

function clauseOf(words: readonly Word[]): Clause | undefined {
  let verb = words.findIndex(isVerb);
  // "He almost won": how he did belongs to what he did.
  while (verb > 1 && adverb.test(words[verb - 1]?.lower ?? '')) verb -= 1;
  if (verb < 1 || verb > 12) return undefined;
  const subject = words.slice(0, verb);
  const [first] = subject;
  if (!first || lead.test(first.lower) || subject.some(({ lower }) => /^(?:and|who|which|to)$/u.test(lower)))
    return undefined;
  if (!isNameLike(first) && !article.test(first.lower) && !pronoun.test(first.lower)) return undefined;
  return { subject, predicate: words.slice(verb) };
}

/** "Moved to Graz and opened a shop": each verb with its own words. */
function predicatesOf(predicate: readonly Word[]): Word[][] {
  if (isBound(predicate)) return [[...predicate]];
  const parts: Word[][] = [[]];
  for (const [at, word] of predicate.entries()) {
    const next = predicate[at + 1];
    const isJoint = /^(?:and|but)$/u.test(word.lower) && at > 1 && next !== undefined && isVerb(next);
    if (!isJoint) {
      parts.at(-1)?.push(word);
      continue;
    }
    // "was hired and dismissed": the first verb's auxiliary may be the second's too. "designed and built": they share what follows.
    const before = parts.at(-1) as Word[];
    const isShared =
      auxiliary.test(before[0]?.lower ?? '') && !auxiliary.test(next.lower) && /(?:ed|en)$/u.test(next.lower);
    const isIncomplete = before.length < 2 || isVerb(before.at(-1) as Word);
    if (isShared || isIncomplete || before.some(({ lower }) => isReportingVerb(lower))) before.push(word);
    else parts.push([]);
  }
  return parts;
}

/** "Born in Lyon in 1954, Ana …", "Founded by two brothers, the firm …". */
const opensWithDeed = (words: readonly Word[] = []): boolean =>
  words[0] !== undefined &&
  (words[0].lower === 'born' || (/(?<=\p{L}{3})(?:ed|en)$/u.test(words[0].lower) && !notPast.test(words[0].lower))) &&
  /^(?:in|on|at|by|from|during)$/u.test(words[1]?.lower ?? '') &&
  !words.slice(1).some(isVerb);

/** "Carries 4,000 cars", "makes the best clocks": of the present, before what it is done to. */
const opensWithVerb = ([first, second]: readonly Word[]): boolean =>
  first !== undefined &&
  (isVerb(first) ||
    (/(?<=\p{L}{2}[^\Wsui])s$/u.test(first.lower) &&
      second !== undefined &&
      (article.test(second.lower) || /^\p{Nd}/u.test(second.lower))));

/** "And it moved": whoever the sentence began with, or else nothing would say who "it" is. */
const ofSubject = (subject: readonly Word[], clause: readonly Word[]): Word[] =>
  pronoun.test(clause[0]?.lower ?? '') ? [...subject, ...clause.slice(1)] : [...clause];

const isDated = (words: readonly Word[]): boolean => words.some(({ lower }) => figure.test(lower));
const isPlural = (subject: readonly Word[]): boolean => /^(?:they|these)$/u.test(subject[0]?.lower ?? '');

/** "Ana Ruiz (born 14 May 1961) is": the brackets behind whoever opens the sentence. */
const bracketed =
  /^(\p{Lu}[\p{L}'’.-]*(?:\s\p{Lu}[\p{L}'’.-]*){0,4})\s?\(\s?(born|died|founded|established|opened|released)\s([^()]{3,40}?)\s?\)\s?(,?)/u;

/** Set apart for machines: "14 May 1961 , in Lyon ." */
const tight = (text: string): string => text.replace(/(?<!\s)\s+(?=[,.])/gu, '');

export function statementsOf(sentence: string): string[] {
  const text = tight(sentence.trim()).replace(/(?<![.!"”’'])[.!"”’']+$/u, '');
  const aside = bracketed.exec(text);
  if (!aside) return partsOf(text);
  const [all, name = '', deed = '', when = '', comma = ''] = aside;
  const plain = `${name.trim()}${comma} ${text.slice(all.length).trim()}`;
  const own = `${name.trim()} was ${deed} ${/^\p{Nd}{4}$/u.test(when) ? 'in' : /^(?:in|on|at)\s/u.test(when) ? '' : 'on'} ${when}.`;
  const rest = partsOf(plain);
  return [own.replace(/\s+/gu, ' '), ...(rest.length > 0 ? rest : [`${plain}.`])];
}

const behindComma = (words: readonly Word[], segment: readonly Word[]): Word[] => [
  ...words.slice(0, -1),
  { ...(words.at(-1) as Word), isBeforeComma: true },
  ...segment,
];

// oxlint-disable-next-line complexity -- One form of sentence after another, over the same words.
function partsOf(text: string): string[] {
  const words = wordsOf(text);
  if (!words || words.some(({ lower }, at) => whole.test(lower) || isAttribution(lower, words[at + 1]?.lower ?? '')))
    return [];
  const segments = segmentsOf(words);
  let prefix: readonly Word[] = [];
  let participle: readonly Word[] | undefined;
  if (lead.test(segments[0]?.[0]?.lower ?? '') && segments.length > 1) prefix = segments.shift() as Word[];
  else if (opensWithDeed(segments[0]) && segments.length > 1) participle = segments.shift() as Word[];
  const opening = segments.shift();
  if (!opening || isBound(prefix)) return [];
  let clause = clauseOf(opening);
  const statements: Word[][] = [];
  const add = (subject: readonly Word[], rest: readonly Word[]): void => {
    statements.push([
      ...prefix.map((word, at) => (at === prefix.length - 1 ? { ...word, isBeforeComma: true } : word)),
      ...subject.map((word, at) => ({ ...word, isBeforeComma: word.isBeforeComma && at < subject.length - 1 })),
      ...rest,
    ]);
  };
  const is = (subject: readonly Word[], isLater: boolean): Word => {
    const text = isPlural(subject) ? (isLater ? 'were' : 'are') : isLater ? 'was' : 'is';
    return { text, lower: text, isBeforeComma: false };
  };
  if (!clause) {
    // "Ana Ruiz, a violinist, won": whoever opens the sentence, told apart by commas.
    if (
      opening.length > 6 ||
      !opening.some(isNameLike) ||
      opening.some(isVerb) ||
      /^(?:and|but)$/u.test(opening[0]?.lower ?? '')
    )
      return [];
    while (segments.length > 1) {
      const aside = segments.shift() as Word[];
      const [first, second] = aside;
      if (/^(?:who|which)$/u.test(first?.lower ?? '') && second && isVerb(second)) add(opening, aside.slice(1));
      else if (article.test(first?.lower ?? '') && !aside.some(isVerb)) add(opening, [is(opening, false), ...aside]);
      else if (opensWithDeed(aside)) add(opening, [is(opening, true), ...aside]);
      else return [];
      if (segments[0] && opensWithVerb(segments[0])) break;
    }
    const main = segments.shift();
    if (!main || !opensWithVerb(main)) return [];
    clause = { subject: opening, predicate: main };
  }
  const { subject } = clause;
  if (isBound(subject)) return [];
  let predicate = [...clause.predicate];
  const trailing: Word[][] = [];
  for (const segment of segments) {
    const [first, second] = segment;
    const isVerbal =
      /(?<=\p{L}{3})ing$/u.test(first?.lower ?? '') && first?.lower !== 'including' && first?.lower !== 'during';
    if (/^(?:and|but)$/u.test(first?.lower ?? '') && second && isVerb(second)) predicate = [...predicate, ...segment];
    else if (/^(?:and|but)$/u.test(first?.lower ?? '') && clauseOf(segment.slice(1)))
      trailing.push(ofSubject(subject, segment.slice(1)));
    else if (isBound(segment)) predicate = behindComma(predicate, segment);
    else if (opensWithDeed(segment) && trailing.length === 0)
      trailing.push([...subject, is(subject, true), ...segment]);
    else if (isVerbal && trailing.length === 0) trailing.push([...subject, ...segment]);
    else if (trailing.length === 0) predicate = behindComma(predicate, segment);
    else return [];
  }
  const parts = predicatesOf(predicate);
  // "Moved to Graz and opened a shop in 1990" may date both.
  if (parts.length > 1 && !parts.every((part) => isDated(part) === isDated(parts[0] as Word[]))) return [];
  if (participle)
    add(subject, [
      is(subject, true),
      { ...(participle[0] as Word), text: participle[0]?.lower ?? '' },
      ...participle.slice(1),
    ]);
  for (const part of parts) add(subject, part);
  for (const other of trailing) statements.push([...prefix, ...other]);
  if (statements.length < 2 || statements.length > mostStatements) return [];
  return statements.map((statement) => `${said(statement).replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())}.`);
}
