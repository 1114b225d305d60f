// What a joint of a question joins ("and", "or", a comma): two questions, things that are asked alike, or words that belong together. Each way to read it is
// one choice with named signs, and fitted weights say which is likeliest (scripts/fit-joints.ts). Pure.
import weights from './joints.json' with { type: 'json' };
import { backIn, isOfAll, type QuestionWords, type Word, type WordKind } from './words.ts';

/** Words `from` to before `to` join what stands around them. */
export interface Joint {
  readonly from: number;
  readonly to: number;
}

/** How a joint may be read: two questions, or a list of things from word `from` to before `to`. */
export type Reading =
  | { readonly as: 'whole' }
  | { readonly as: 'questions' }
  | { readonly as: 'list'; readonly from: number; readonly to: number };

const longestElement = 9;
const mostWords = 120;
const joining: ReadonlySet<WordKind> = new Set(['and', 'or', 'then', 'comma', 'semicolon']);

const joinedThen = /^(?:and|und|y|et) /iu;

export function jointsOf({ words }: QuestionWords): readonly Joint[] {
  const joints: Joint[] = [];
  for (let from = 1; from < Math.min(words.length, mostWords); from += 1) {
    let to = from;
    while (to < words.length && joining.has(words[to]?.kind ?? 'word')) to += 1;
    const run = words.slice(from, to);
    // "Also" and "next" alone join nothing, "and then" does.
    const isJoint = run.some(({ kind, text }) => kind !== 'then' || joinedThen.test(text));
    if (isJoint && to < words.length) joints.push({ from, to });
    from = Math.max(from, to);
  }
  return joints;
}

/** Every way to read it. */
export function readingsOf(
  { words }: QuestionWords,
  { from, to }: Joint,
  joints: readonly Joint[],
): readonly Reading[] {
  const readings: Reading[] = [{ as: 'whole' }, { as: 'questions' }];
  const run = words.slice(from, to);
  if (run.every(({ kind }) => kind === 'comma' || kind === 'semicolon')) return readings;
  const isBare = (joint: Joint): boolean => words.slice(joint.from, joint.to).every(({ text }) => text === ',');
  // A list goes back over commas and stops at any other joint.
  const before = joints.filter((joint) => joint.to <= from).findLast((joint) => !isBare(joint))?.to ?? 0;
  const behind = joints.find((joint) => joint.from >= to)?.from ?? words.length;
  const commas = joints.filter((joint) => joint.to <= from && joint.from >= before && isBare(joint));
  const isName = (at: number): boolean => words[at]?.kind === 'name';
  // No element begins or ends within a name.
  const isWithin = (at: number): boolean => isName(at - 1) && isName(at);
  // "The old press and the new press": what ends like the thing before it ends there.
  const last = said(words[from - 1]);
  const starts: number[] = [];
  let end = from;
  for (const edge of [...commas.toReversed(), { from: before, to: before }]) {
    for (let at = end - 1; at >= edge.to && end - at <= longestElement; at -= 1) if (!isWithin(at)) starts.push(at);
    if (end - edge.to > longestElement) break;
    end = edge.from;
  }
  for (const start of starts)
    for (let stop = to + 1; stop <= Math.min(behind, to + longestElement); stop += 1)
      if (words[stop - 1]?.kind !== 'det' && !isWithin(stop) && said(words[stop]) !== last)
        readings.push({ as: 'list', from: start, to: stop });
  return readings;
}

const few = (count: number): string => String(Math.min(count, 5));
const kindsOf = (words: readonly Word[]): string =>
  words.map(({ kind }) => (kind === 'figure' ? 'name' : kind)).join(' ');
const asking: ReadonlySet<WordKind> = new Set(['ask', 'relative']);

/** What can be seen of one way to read a joint, by name. */
export function signsOf(question: QuestionWords, joint: Joint, reading: Reading): readonly string[] {
  if (reading.as === 'whole') return ['whole'];
  const { words, language } = question;
  const mark = kindsOf(words.slice(joint.from, joint.to));
  if (reading.as === 'questions') {
    const before = words.slice(0, joint.from);
    const behind = words.slice(joint.to);
    const [first, second, third] = behind.map(({ kind }) => kind);
    const opens = before[0]?.kind ?? '';
    const said = words[joint.to]?.text.toLowerCase() ?? '';
    const isSaidBefore = before.slice(1).some(({ text: other }) => other.toLowerCase() === said);
    return [
      'questions',
      `questions ${mark}`,
      `behind ${first}`,
      `behind ${first} ${second}`,
      `behind ${first} ${second} ${third}`,
      `mark ${mark} behind ${first}`,
      `before ${opens}`,
      `before ${opens} behind ${first}`,
      `inner ${innerOf(before)} behind ${first}`,
      `asks behind ${behind.slice(0, 4).some(({ kind }) => asking.has(kind))}`,
      `acts behind ${behind.some(({ kind }) => kind === 'aux')} ${first}`,
      `words behind ${few(behind.length)}`,
      `words before ${few(before.length)}`,
      `ends ${before.at(-1)?.kind}`,
      `asks before ${before.slice(0, 3).some(({ kind }) => asking.has(kind) || kind === 'command' || kind === 'aux')}`,
      `back behind ${backIn(textOf(question, behind), language) >= 0} ${first}`,
      `again ${isSaidBefore} ${first}`,
    ];
  }
  return [
    ...signsOfStart(question, joint, reading.from),
    ...signsOfStop(question, joint, reading.to),
    ...signsOfList(question, joint, reading),
  ];
}

const opening = (words: readonly Word[], from: number): string => words[from - 1]?.kind ?? 'start';
const closing = (words: readonly Word[], to: number): string => words[to]?.kind ?? 'end';
const sort = (word: Word | undefined): string => (word?.kind === 'figure' ? 'name' : (word?.kind ?? ''));
const holdsVerb = ({ kind }: Word): boolean => kind === 'aux' || asking.has(kind);

/** The first thing of a list that begins at word `start`: up to a comma or the joint. */
function firstOf(words: readonly Word[], joint: Joint, start: number): readonly Word[] {
  const comma = words.findIndex(({ kind }, at) => at >= start && kind === 'comma');
  return words.slice(start, comma < 0 || comma > joint.from ? joint.from : comma);
}

function signsOfStart(question: QuestionWords, joint: Joint, start: number): readonly string[] {
  const { words, text, language } = question;
  const head = words.slice(0, start);
  const first = firstOf(words, joint, start);
  const mark = kindsOf(words.slice(joint.from, joint.to));
  const opens = opening(words, start);
  const asks = head[0]?.kind ?? 'nothing';
  return [
    'list',
    `list ${mark}`,
    `opens ${opens}`,
    `opens ${opens} first ${sort(first[0])}`,
    `left ${few(first.length)}`,
    `asks ${asks} ${head[1]?.kind ?? ''}`,
    `asks ${asks} ${mark}`,
    `inner ${innerOf(head)}`,
    `together ${isOfAll(textOf(question, head), language)} ${opens}`,
    `of all ${isOfAll(text, language)} ${mark.includes('or') ? 'or' : ''}`,
    `several ${words.slice(start, joint.from).some(({ kind }) => kind === 'comma')}`,
    `left inside ${first.some(({ kind }) => kind === 'prep')} ${first.some(holdsVerb)}`,
    `opens with ${said(head.at(-1))}`,
    `opens with ${said(head.at(-2))} ${said(head.at(-1))}`,
    `verb ${said(head.find(({ kind }) => kind === 'aux'))} opens ${opens}`,
    ...head.map((word) => `said ${said(word)}`),
  ];
}

function signsOfStop({ words }: QuestionWords, { to }: Joint, stop: number): readonly string[] {
  const last = words.slice(to, stop);
  const closes = closing(words, stop);
  return [
    `closes ${closes}`,
    `closes ${closes} last ${sort(last.at(-1))}`,
    `right ${few(last.length)}`,
    `right inside ${last.some(({ kind }) => kind === 'prep')} ${last.some(holdsVerb)}`,
    `tail ${few(words.length - stop)}`,
    `closes with ${said(words[stop])}`,
    `behind many ${isMany(words[stop])} ${closes} ${isMany(last.at(-1))}`,
  ];
}

/** Of both ends of a list together. */
function signsOfList(
  { words }: QuestionWords,
  joint: Joint,
  { from, to }: Extract<Reading, { as: 'list' }>,
): readonly string[] {
  const first = firstOf(words, joint, from);
  const last = words.slice(joint.to, to);
  const [opens, closes] = [opening(words, from), closing(words, to)];
  const [left, right] = [kindsOf(first), kindsOf(last)];
  const isSame = said(first[0]) === said(last[0]);
  const longest = Math.max(first.length, last.length);
  return [
    `opens ${opens} closes ${closes}`,
    `first ${sort(first[0])} ${sort(last[0])}`,
    `last ${sort(first.at(-1))} ${sort(last.at(-1))}`,
    `same first ${isSame} ${sort(first[0])}`,
    `alike ${left === right} ${few(longest)}`,
    `uneven ${few(Math.abs(first.length - last.length))}`,
    `inner ${innerOf(words.slice(0, from))} opens ${opens} closes ${closes}`,
    `asks ${words[0]?.kind} first ${sort(first[0])} ${sort(last[0])}`,
    `many ${isMany(first.at(-1))} ${isMany(last.at(-1))} closes ${closes}`,
    `shape ${longest > 3 ? 'long' : `${left} / ${right}`}`,
    `related ${longest === 1 && isRelated(said(first[0]), said(last[0]))}`,
  ];
}

/** What opens a clause within the words. */
const innerOf = (words: readonly Word[]): string =>
  words.slice(1).findLast(({ kind }) => asking.has(kind) || kind === 'under')?.kind ?? 'no';
const textOf = ({ text }: Pick<QuestionWords, 'text'>, words: readonly Word[]): string =>
  text.slice(words[0]?.start ?? text.length, words.at(-1)?.end);
const said = (word: Word | undefined): string => word?.text.toLowerCase() ?? '';
const isMany = (word: Word | undefined): boolean => word?.kind === 'word' && /s$/u.test(word.text);
/** "Import" and "export" end alike. */
const isRelated = (one: string, other: string): boolean => one.slice(-4) === other.slice(-4);

export type JointWeights = Readonly<Record<string, number>>;

/** Most questions ask one thing, and the marked ones do not: so much likelier another reading has to be. */
const wholeLead = 1.5;

interface WeighedReading {
  readonly reading: Reading;
  /** That the joint is of the kind of this reading. */
  readonly chance: number;
}

/** A question is asked for its parts, its lists and how sure both are. */
const remembered = new WeakMap<QuestionWords, readonly (WeighedReading & { readonly joint: Joint })[]>();

/** The joints of a question, each as it is read. */
export function readJoints(question: QuestionWords) {
  const known = remembered.get(question);
  if (known) return known;
  const joints = jointsOf(question);
  const read = joints.map((joint) => ({ joint, ...weighJoint(question, joint, { joints }) }));
  remembered.set(question, read);
  return read;
}

/** The chance that all joints of a question are of the kinds that they are read as; undefined where it has none. */
export function chanceOfJoints(question: QuestionWords): number | undefined {
  const read = readJoints(question);
  return read.length === 0 ? undefined : read.reduce((all, { chance }) => all * chance, 1);
}

/** The likeliest reading: of the likeliest kind, which all lists share, the best. */
export function weighJoint(
  question: QuestionWords,
  joint: Joint,
  { joints, by = weights }: { readonly joints: readonly Joint[]; readonly by?: JointWeights },
): WeighedReading {
  const weigh = (signs: readonly string[]): number => signs.reduce((sum, sign) => sum + (by[sign] ?? 0), 0) / 100;
  const known = new Map<string, number>();
  // Each end of a list is weighed once.
  const once = (key: string, signs: () => readonly string[]): number => {
    const weight = known.get(key) ?? weigh(signs());
    known.set(key, weight);
    return weight;
  };
  const readings = readingsOf(question, joint, joints).map((reading) => ({
    reading,
    score:
      reading.as === 'list'
        ? once(`from ${reading.from}`, () => signsOfStart(question, joint, reading.from)) +
          once(`to ${reading.to}`, () => signsOfStop(question, joint, reading.to)) +
          weigh(signsOfList(question, joint, reading))
        : weigh(signsOf(question, joint, reading)),
  }));
  const chances = new Map<string, number>();
  for (const { reading, score } of readings) {
    const chance = (reading.as === 'whole' ? wholeLead : 1) * Math.exp(score);
    chances.set(reading.as, (chances.get(reading.as) ?? 0) + chance);
  }
  const [as] = [...chances].reduce((best, one) => (one[1] > best[1] ? one : best));
  const { reading } = readings
    .filter((one) => one.reading.as === as)
    .reduce((best, one) => (one.score > best.score ? one : best));
  return { reading, chance: (chances.get(as) ?? 0) / chances.values().reduce((sum, one) => sum + one, 0) };
}
