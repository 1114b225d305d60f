// Takes a question apart without a model: two questions in one, things that are asked alike, and comparisons. Which joint joins what is read by fitted weights
// (joints.ts); what is asked of compared things are templates, a table for each language. Pure: the same question always comes apart alike.
import comparisons from './comparisons.json' with { type: 'json' };
import { chanceOfJoints, readJoints } from './joints.ts';
import type { PlanForm, ProposedPlan, SubQuery } from './plan.ts';
import { aboutOf, refersBack } from './refers-back.ts';
import { eachIn, type Language, type QuestionWords, verbOfOne, withoutLead, wordsOf } from './words.ts';

/** Longer texts are no question that the patterns could read; what they take over a text grows faster than the text. */
const longestQuestion = 1_000;

interface Part {
  readonly query: string;
  readonly clause: number;
  readonly thing?: SubQuery['thing'];
  readonly criterion?: string | undefined;
}

/** Undefined where it asks one thing. `most`: sub-queries that there may be. */
export function split(written: string, most: number): ProposedPlan | undefined {
  if (written.length > longestQuestion || most < 2) return undefined;
  const clauses = clausesOf(written.replace(/\s+/gu, ' ').trim()).map(readClause);
  const known = clauses.find(({ things }) => things.length > 1)?.things ?? [];
  const parts: Part[] = [];
  const weighs: string[] = [];
  for (const [at, clause] of clauses.entries()) {
    const compared = clause.compared ?? ofKnown(clause, known);
    const asked = asQuestion(clause.question.text);
    const room = most - parts.length - (clauses.length - at - 1);
    const own = partsOf(compared, clause, at);
    parts.push(...(own.length > 1 && own.length <= room ? own : [{ query: asked, clause: at }]));
    if (compared?.isWeighed) weighs.push(withoutCommand(clause.question));
  }
  const distinct = parts.filter((part, at) => parts.findIndex(({ query }) => query === part.query) === at);
  if (distinct.length < 2) return undefined;
  const form: PlanForm = clauses.some(({ compared }) => compared)
    ? 'comparison'
    : clauses.length > 1
      ? 'questions'
      : 'list';
  return { form, subQueries: distinct.map(toSubQuery), ...(weighs.length > 0 && { weighs }) };
}

/** The chance that `split` reads a question as it is meant; undefined where nothing in it could join two things. */
export function chanceOfSplit(written: string): number | undefined {
  const chance = written.length > longestQuestion ? undefined : chanceOfJoints(wordsOf(bareOf(written)));
  return chance && Math.round(chance * 1000) / 1000;
}

function partsOf(compared: Compared | undefined, { elements }: Clause, clause: number): readonly Part[] {
  if (!compared) return elements.map((query) => ({ query, clause }));
  const { things, queries, criteria } = compared;
  return queries.map((query, at) => {
    const name = things[Math.floor((at * things.length) / queries.length)] ?? '';
    const others = things.filter((other) => other !== name);
    return { query, clause, thing: { name, others }, criterion: criteria[at % criteria.length] };
  });
}

/** A part of a later question that names nothing goes on about what was asked before it. */
function toSubQuery({ query, clause, thing, criterion }: Part, at: number, all: readonly Part[]): SubQuery {
  const before = all.slice(0, at).filter((other) => other.clause < clause);
  const about =
    before.length > 0 && !thing
      ? aboutOf(
          query,
          before.map((other) => other.query),
        )
      : undefined;
  const isBack = before.length > 0 && !thing && (about !== undefined || refersBack(query));
  return {
    id: String(at + 1),
    query,
    dependencies: isBack ? [String(before.length)] : [],
    ...(criterion !== undefined && { criterion }),
    ...(about !== undefined && { about }),
    ...(thing && { thing }),
  };
}

const sentenceEnd = /(?<=[?？؟])\s*(?=\S)|(?<=(?:[\p{Ll}\p{Nd})]{3}|\p{Nd})[.!])\s+(?=["“'(¿]?\p{Lu})/u;
const opening: ReadonlySet<string> = new Set(['ask', 'relative', 'aux', 'command']);

/** The questions that a text asks, in their order. */
function clausesOf(text: string): readonly QuestionWords[] {
  const sentences = text.split(sentenceEnd).map((one) => ({ one, read: wordsOf(bareOf(one)) }));
  const asking = sentences.filter(({ one, read }) => /[?？؟]\s*$/u.test(one) || opening.has(read.words[0]?.kind ?? ''));
  // What is only stated belongs to the one question behind it.
  if (asking.length < 2) return sentences.length > 1 ? [wordsOf(bareOf(text))] : cut(wordsOf(bareOf(text)));
  return asking.flatMap(({ read }) => cut(read));
}

function cut(question: QuestionWords): readonly QuestionWords[] {
  const cuts = readJoints(question).flatMap(({ joint, reading }) => (reading.as === 'questions' ? [joint] : []));
  if (cuts.length === 0) return [question];
  const pieces = [...cuts, undefined].map((joint, at) => {
    const from = question.words[cuts[at - 1]?.to ?? 0]?.start;
    return wordsOf(question.text.slice(from, joint && question.words[joint.from - 1]?.end));
  });
  return pieces.map((piece, at) => completed(piece, [...pieces.slice(0, at).toReversed(), ...pieces.slice(at + 1)]));
}

const mostBareWords = 3;
const bare: ReadonlySet<string> = new Set(['ask', 'relative', 'prep', 'then']);

/** "When and where was it built": words that only ask go on with the verb of the question beside them. */
function completed(piece: QuestionWords, others: readonly QuestionWords[]): QuestionWords {
  const { words, text } = piece;
  const asks = words.slice(0, 2).some(({ kind }) => kind === 'ask' || kind === 'relative');
  const last = words.at(-1)?.kind ?? 'word';
  const isBare = [...words.slice(0, -1).map(({ kind }) => kind), last === 'word' ? 'ask' : last].every((kind) =>
    bare.has(kind),
  );
  if (!asks || !isBare || words.length > mostBareWords) return piece;
  for (const other of others) {
    const verb = other.words.find(({ kind }) => kind === 'aux');
    if (verb) return wordsOf(`${text} ${other.text.slice(verb.start)}`);
  }
  return piece;
}

interface Compared {
  readonly things: readonly string[];
  /** As many of each thing. */
  readonly queries: readonly string[];
  /** By what they are compared in each query of a thing, where that is named. */
  readonly criteria: readonly (string | undefined)[];
  /** It is asked which of them: what is said of each does not tell it yet. */
  readonly isWeighed: boolean;
}

interface Clause {
  readonly question: QuestionWords;
  readonly compared?: Compared | undefined;
  /** The question once for each thing that is asked alike, or as it is. */
  readonly elements: readonly string[];
  /** What it names side by side. */
  readonly things: readonly string[];
}

interface Listed {
  readonly from: number;
  readonly to: number;
  readonly elements: readonly string[];
  readonly isChoice: boolean;
}

function readClause(question: QuestionWords): Clause {
  const pair = pairIn(question);
  if (pair) return { question, compared: pair, elements: [], things: pair.things };
  const lists = listsIn(question);
  const compared = comparedIn(question, lists);
  const things = compared?.things ?? (lists.length === 1 ? (lists[0]?.elements ?? []) : []);
  return { question, compared, elements: variantsOf(question, lists).map(asQuestion), things };
}

/** The things that are asked alike; no word is in two lists. */
function listsIn(question: QuestionWords): readonly Listed[] {
  const { words, text } = question;
  const read = readJoints(question);
  const lists: Listed[] = [];
  for (const { joint, reading } of read) {
    if (reading.as !== 'list' || reading.from < (lists.at(-1)?.to ?? 0)) continue;
    const inside = read.flatMap(({ joint: one }) => (one.from > reading.from && one.to <= joint.to ? [one] : []));
    const elements = [undefined, ...inside].map((before, at) =>
      text.slice(words[before?.to ?? reading.from]?.start, words[(inside[at]?.from ?? reading.to) - 1]?.end),
    );
    lists.push({ from: reading.from, to: reading.to, elements, isChoice: words[joint.from]?.kind === 'or' });
  }
  return lists;
}

/** The question with each list as one of its elements, in the order of the lists. */
function variantsOf(question: QuestionWords, lists: readonly Listed[]): readonly string[] {
  const { text, words } = question;
  let variants = [''];
  let from = 0;
  for (const { from: first, to, elements } of lists) {
    variants = variants.flatMap((one) =>
      elements.map((element) => `${one}${beforeOne(question, { from, first, element })}${element}`),
    );
    from = words[to - 1]?.end ?? text.length;
  }
  return variants.map((one) => `${one}${text.slice(from)}`);
}

/** What stands before a thing of a list, with the verb for one thing: "what are" as "what is". */
function beforeOne(
  { text, words, language }: QuestionWords,
  { from, first, element }: { readonly from: number; readonly first: number; readonly element: string },
): string {
  const article = words[first - 1]?.kind === 'det' ? first - 1 : first;
  const verb = words[article - 1];
  const one = verb && verb.start >= from && !/s$/u.test(element) ? verbOfOne(verb.text, language) : undefined;
  const end = words[first]?.start;
  return verb && one !== undefined
    ? `${text.slice(from, verb.start)}${one}${text.slice(verb.end, end)}`
    : text.slice(from, end);
}

/** Things that are compared: a choice, or a list of which a template says what is to be known of each. */
function comparedIn(question: QuestionWords, lists: readonly Listed[]): Compared | undefined {
  for (const things of lists.toSorted((a, b) => Number(b.isChoice) - Number(a.isChoice))) {
    const without = variantsOf(
      question,
      lists.map((list) => (list === things ? { ...list, elements: [place] } : list)),
    ).map((one) => one.replace(besidePlace, ` ${place} `).trim());
    const compared = askedOf(things.elements, without, { question, isChoice: things.isChoice });
    if (compared) return compared;
  }
  return undefined;
}

/** Stands for what is compared. */
const place = '_';
const besidePlace = /(?:^|\s*[,:;]\s*|\s+)_(?:\s*[,:;]\s*|\s+|$)/u;

interface Asked {
  readonly question: QuestionWords;
  readonly isChoice: boolean;
}

function askedOf(
  things: readonly string[],
  without: readonly string[],
  { question, isChoice }: Asked,
): Compared | undefined {
  const written = without.flatMap((one): readonly Written[] => {
    const known = templateOf(one, question.language, isChoice);
    if (known) return [known];
    return isChoice ? [{ template: one.replace(besidePlace, ' {} '), isWeighed: true }] : [];
  });
  if (written.length < without.length || new Set(things).size < things.length) return undefined;
  return {
    things,
    queries: things.flatMap((thing) => written.map(({ template }) => asQuestion(template.replace('{}', () => thing)))),
    criteria: written.map(({ criterion }) => criterion),
    isWeighed: written.some((one) => one.isWeighed),
  };
}

type Templates = readonly (readonly [pattern: RegExp, template: string])[];
const compiled = (templates: readonly (readonly string[])[]): Templates =>
  templates.map(([pattern = '', template = '']) => [new RegExp(pattern, 'iu'), template]);
const tables = Object.entries(comparisons).map(([language, { pairs, beside, choices }]) => ({
  language,
  pairs: pairs.map((pattern) => new RegExp(pattern, 'iu')),
  beside: compiled(beside),
  all: compiled([...beside, ...choices]),
}));
const tableOf = (language: Language) => tables.find((one) => one.language === language);

interface Written {
  /** `{}` stands where the thing belongs. */
  readonly template: string;
  readonly criterion?: string | undefined;
  readonly isWeighed: boolean;
}

/** What has to be known of each thing. */
function templateOf(asked: string, language: Language, isChoice: boolean): Written | undefined {
  const table = tableOf(language);
  for (const [at, [pattern, template]] of (isChoice ? table?.all : table?.beside)?.entries() ?? []) {
    const found = pattern.exec(asked);
    const filled = template.replace(/\{(\w+)\}/gu, (_, name: string) => found?.groups?.[name] ?? '');
    if (found)
      return { template: filled, criterion: found.groups?.['by'], isWeighed: at >= (table?.beside.length ?? 0) };
  }
  return undefined;
}

/** "Is A longer than B": two things that no list joins. */
function pairIn(question: QuestionWords): Compared | undefined {
  for (const pattern of tableOf(question.language)?.pairs ?? []) {
    const { one = '', joint = '', other = '' } = pattern.exec(question.text)?.groups ?? {};
    if (other === '') continue;
    const without = question.text.replace(one, () => place).replace(`${joint}${other}`, '');
    return askedOf([one, other], [without], { question, isChoice: true });
  }
  return undefined;
}

/** A question of more words names what it asks of. */
const mostShortWords = 6;

/** "And which is cheaper", "and who makes each": of things that another clause names. */
function ofKnown({ question, elements }: Clause, known: readonly string[]): Compared | undefined {
  const { text, language } = question;
  if (known.length < 2 || elements.length > 1) return undefined;
  const each = eachIn(language);
  if (each.test(text)) {
    const compared = askedOf(known, [text.replace(each, place)], { question, isChoice: true });
    return compared && { ...compared, isWeighed: false };
  }
  const isShort = question.words.length <= mostShortWords && question.words.every(({ kind }) => kind !== 'name');
  if (!isShort || !templateOf(text, language, true)) return undefined;
  return askedOf(known, [text], { question, isChoice: true });
}

/** "Say which came first", without its "say". */
const withoutCommand = ({ text, words }: QuestionWords): string =>
  asQuestion(words[0]?.kind === 'command' && words[1]?.kind === 'relative' ? text.slice(words[1].start) : text);

const bareOf = (text: string): string => withoutLead(text.replace(/^[\s¿]+|[\s?？؟.!,;:]+$/gu, ''));

const asQuestion = (text: string): string => {
  const bare = text.trim().replace(/\s+([,;:])/gu, '$1');
  return `${bare.charAt(0).toUpperCase()}${bare.slice(1).replace(/\?$/u, '')}?`;
};
