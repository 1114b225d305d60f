// Resolves a follow-up against the turns before it, deterministically: pronouns take the entity last spoken of, an
// ellipsis ("and in 2019?", "what about Brazil?") is filled from the previous question. What cannot be resolved is left
// as it is and says so.
import type { Turn } from '../../core/conversation.ts';
import { findDates } from '../../text/quantities/dates.ts';
import { termsOf } from '../../text/terms.ts';
import { findNames } from '../../text/words/names.ts';
import { isAskedOf } from './asked-of.ts';
import patterns from './refers-back.json' with { type: 'json' };

export interface FollowUp {
  /** A question that can be searched on its own. */
  readonly resolved: string;
  readonly reason: string;
}

/** What of a turn a follow-up may refer to. */
export interface EarlierTurn extends Pick<Turn, 'resolvedQuestion'> {
  readonly answer: { readonly claims: readonly { readonly text: string }[] };
}

const connective =
  /^(?:and|or|but|also|then|so|ok(?:ay)?,?)?\s*(?:what about|how about|and|or)\b\s*|^(?:and|or|but|also|then|so)\b[\s,]*/iu;
const more =
  /^(?:(?:please\s+)?(?:tell me|say|give me)\s+)?(?:more|more details?|more about (?:it|that|this)|go on|continue|elaborate|explain(?: that| this| more)?)[.!?\s]*$/iu;
const bareQuestionWord =
  /^(why|when|where|who|how(?: (?:much|many|long|often|so))?|which(?: one)?)(?: (?:is|was) (?:that|this|it))?[\s?.!]*$/iu;
const leadingQuestion =
  /^(?:(?:in|on|at|for|to|by|of|from|with)\s+)?(?:what|who|whom|whose|when|where|why|which|how(?:\s+(?:many|much|old|long|far|tall|large|big|high|deep|fast|often))?)\b\s*/iu;
const auxiliary = /^(?:is|are|was|were|does|do|did|can|could|will|would|should|has|have|had)\s+/iu;
const article = /^(?:the|a|an)\s+/iu;
const personal = /\b(he|she|him|her|his|hers|himself|herself)\b/iu;
const impersonal = /\b(it|its|itself|they|them|their|theirs|this|that|these|those)\b/iu;
const place = /\bthere\b/iu;
/** As determiner of a noun; “that” is left out, since it mostly opens a clause. */
const determiner = /\b(?:this|these|those)\s+\p{L}/iu;

const trimMark = (question: string): string => question.trim().replace(/(?<![\s?!.。？！])[\s?!.。？！]+$/u, '');

/** What a question is about, without its question words: "What is the RAFT protocol?" → "RAFT protocol". */
export function topicOf(question: string): string {
  return trimMark(question).replace(leadingQuestion, '').replace(auxiliary, '').replace(article, '').trim();
}

/** "Does the draft expire", "was the bridge opened": what it does, and what was done to it, is none of its name. */
function subjectOf(question: string): string {
  const asked = trimMark(question).replace(leadingQuestion, '');
  const topic = topicOf(question);
  // "Who uses the oscilloscope": the verb in front is none of its name either.
  const object =
    /^(?:who|what)\s/iu.test(question.trim()) && !auxiliary.test(asked)
      ? /^\p{Ll}{2,20} (?:the|an?) (?<object>.+)$/u.exec(asked)?.groups?.['object']
      : undefined;
  if (object !== undefined) return object;
  const verb = /^(?:does|do|did)\s/iu.test(asked)
    ? / \p{Ll}{3,}$/u
    : /^(?:is|are|was|were)\s/iu.test(asked)
      ? / \p{Ll}{2,}(?:ed|en)$/u
      : undefined;
  // "The price of the protocol": the protocol is spoken of.
  return (verb ? topic.replace(verb, '') : topic).replace(/^(?:\p{Ll}[\p{L}-]* ){1,4}of (?:the )?/u, '');
}

function namesIn(text: string): string[] {
  return findNames(text).map((name) => text.slice(name.start, name.end));
}

/** "Fjord 4" is another thing than Fjord. */
const namesWithNumbers = (text: string): string[] =>
  findNames(text).map(({ start, end }) => `${text.slice(start, end)}${versionBehind.exec(text.slice(end))?.[0] ?? ''}`);
const versionBehind = /^ v?\p{Nd}{1,4}(?:\.\p{Nd}{1,4}){0,3}(?![\p{L}\p{N}.,]|\.\p{Nd})/u;

/** The names that an answer introduced: those of its first claim that the question did not have. */
function answerNames(turn: EarlierTurn): string[] {
  const first = turn.answer.claims[0]?.text ?? '';
  const question = turn.resolvedQuestion.toLowerCase();
  return namesIn(first).filter((name) => !question.includes(name.toLowerCase()));
}

const organisation =
  /\b(?:Inc|Corp|Corporation|Company|Ltd|LLC|GmbH|Foundation|University|Institute|Association|Committee|Council|Group|Bank|Museum|Party|Church)\b/u;

/** The entity a pronoun stands for. A "who" question asked for a person: its answer is the person spoken of. */
function antecedent(turns: readonly EarlierTurn[], forPerson: boolean): string | undefined {
  for (const turn of turns.toReversed()) {
    const asked = namesWithNumbers(turn.resolvedQuestion);
    const answered = answerNames(turn);
    const askedWho = /^\s*(?:and\s+)?(?:who|whom|whose)\b/iu.test(turn.resolvedQuestion);
    const persons = answered.filter((name) => /^\p{Lu}\S* (?:\S+ )?\p{Lu}\S*$/u.test(name) && !organisation.test(name));
    const candidates =
      askedWho && forPerson ? [...persons, ...answered, ...asked] : forPerson ? [...asked, ...answered] : asked;
    const name = candidates[0];
    if (name !== undefined) return name;
    const topic = subjectOf(turn.resolvedQuestion);
    if (!forPerson && topic !== '' && topic.split(/\s+/u).length <= 8) return topic;
  }
  return undefined;
}

function replacePronoun(content: string, pattern: RegExp, entity: string): string {
  let first = true;
  return content.replace(new RegExp(pattern.source, 'giu'), (match: string, _pronoun: string, offset: number) => {
    const rest = content.slice(offset + match.length);
    const possessive =
      /^(?:his|its|their|theirs|hers)$/iu.test(match) || (/^her$/iu.test(match) && /^\s+\p{L}/u.test(rest));
    // "that" and "this" as conjunction or determiner stay; the entity is named once.
    if (/^(?:that|this|these|those)$/iu.test(match) && (!first || /^\s+\p{L}/u.test(rest))) return match;
    first = false;
    return possessive ? `${entity}’s` : entity;
  });
}

/** "Arnold 3000": the number behind a name is of it. */
const withNumber = /^(?: \p{Nd}[\p{L}\p{N}.-]*)+/u;
const ofThem = /^(?<word>which|who)(?: one)? of (?:them|these|those|the two|both)\b/iu;

/** The two things that were asked about last, the earlier one first. */
function lastTwo(turns: readonly EarlierTurn[]): readonly string[] {
  const names: string[] = [];
  for (const { resolvedQuestion } of turns.toReversed())
    for (const { initial, start, end } of findNames(resolvedQuestion).toReversed()) {
      const number = withNumber.exec(resolvedQuestion.slice(end))?.[0] ?? '';
      const name = `${resolvedQuestion.slice(start, end)}${number}`;
      if (!initial && !names.some((known) => known.toLowerCase() === name.toLowerCase())) names.push(name);
    }
  return names.slice(0, 2).toReversed();
}

const otherOne =
  /^(?:(?:what|how) (?:about|of) )?(?:the|that) (?:other(?: (?:one|thing|product|company|model|version|city|person|team|book|film|place))?|second(?: one)?|latter|former|first one)$/iu;

/** "And the other one?": the last question that was about one of the two things, asked of the other; where it was about both, what the one is that its answer did not end with. */
function askedOfOther(turns: readonly EarlierTurn[]): FollowUp | undefined {
  const [one, other] = lastTwo(turns);
  const previous = turns.at(-1)?.resolvedQuestion;
  if (one === undefined || other === undefined || previous === undefined) return undefined;
  const holds = (name: string): boolean => previous.toLowerCase().includes(name.toLowerCase());
  if (holds(one) && holds(other)) {
    // "Alpha is cheaper": the other one is Beta.
    const told = turns.at(-1)?.answer.claims.at(-1)?.text.replace(article, '').toLowerCase() ?? '';
    const meant = told.startsWith(other.toLowerCase()) ? one : other;
    return { resolved: `What is ${meant}?`, reason: `the other of the two that were asked about: ${meant}` };
  }
  const [spoken, silent] = holds(one) ? [one, other] : [other, one];
  const at = previous.toLowerCase().lastIndexOf(spoken.toLowerCase());
  if (at < 0) return undefined;
  return {
    resolved: `${previous.slice(0, at)}${silent}${previous.slice(at + spoken.length)}`,
    reason: `asked of the other of the two, ${silent}`,
  };
}

function fillEllipsis(remainder: string, previous: string): string {
  const base = trimMark(previous);
  const dates = findDates(base);
  const newDates = findDates(remainder);
  const lastDate = dates.at(-1);
  if (newDates.length > 0 && lastDate !== undefined) {
    const date = newDates[0];
    const replacement = date ? remainder.slice(date.start, date.end) : remainder;
    return `${base.slice(0, lastDate.start)}${replacement}${base.slice(lastDate.end)}?`;
  }
  const names = findNames(base);
  const newName = findNames(remainder)[0];
  const lastName = names.at(-1);
  if (newDates.length === 0 && newName !== undefined && lastName !== undefined) {
    const number = withNumber.exec(remainder.slice(newName.end))?.[0] ?? '';
    const named = `${remainder.slice(newName.start, newName.end)}${number}`;
    return `${base.slice(0, lastName.start)}${named}${base.slice(lastName.end).replace(withNumber, '')}?`;
  }
  return `${base} ${remainder}?`;
}

/** `turns` oldest first. Total: content that stands alone comes back unchanged. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function resolveFollowUp(content: string, turns: readonly EarlierTurn[]): FollowUp {
  const previous = turns.at(-1);
  const alone: FollowUp = { resolved: content, reason: 'stands alone' };
  if (previous === undefined) return { resolved: content, reason: 'the first question of the session' };
  const topic = topicOf(previous.resolvedQuestion);

  if (more.test(content.trim()))
    return { resolved: previous.resolvedQuestion, reason: 'asks for more on the previous question' };
  const withoutConnective = content.trim().replace(connective, '');
  const bare = bareQuestionWord.exec(withoutConnective);
  if (bare !== null)
    return {
      resolved: `${trimMark(bare[1] ?? '')} ${topic}?`,
      reason: 'a question word alone: filled from the previous question',
    };

  const { word } = ofThem.exec(withoutConnective)?.groups ?? {};
  const [one, other] = word === undefined ? [] : lastTwo(turns);
  if (word !== undefined && one !== undefined && other !== undefined)
    return {
      resolved: withoutConnective.replace(ofThem, `${word} of ${one} and ${other}`),
      reason: `the things that were asked about last: ${one} and ${other}`,
    };

  const swapped = otherOne.test(trimMark(withoutConnective)) ? askedOfOther(turns) : undefined;
  if (swapped) return swapped;

  const remainder = trimMark(withoutConnective);
  const hadConnective = withoutConnective !== content.trim();
  const words = remainder.split(/\s+/u).filter(Boolean).length;
  const asksItself = leadingQuestion.test(remainder) && !/^(?:in|on|at|for|to|by|of|from|with)\s/iu.test(remainder);
  const startsClause = auxiliary.test(remainder);
  const refers = personal.test(remainder) || impersonal.test(remainder) || place.test(remainder);
  if (words > 0 && words <= 6 && !asksItself && !startsClause && !refers && (hadConnective || words <= 3))
    return {
      resolved: fillEllipsis(remainder, previous.resolvedQuestion),
      reason: 'an ellipsis: filled from the previous question',
    };

  const target = hadConnective && (asksItself || startsClause) ? withoutConnective : content;
  const pronoun = personal.exec(target);
  if (pronoun !== null && !precededByName(target, pronoun.index)) {
    const entity = antecedent(turns, true);
    if (entity !== undefined)
      return { resolved: replacePronoun(target, personal, entity), reason: `“${pronoun[0]}” taken as ${entity}` };
  }
  const thing = impersonal.exec(target);
  const demonstrative = thing !== null && /^(?:this|that|these|those)$/iu.test(thing[0]);
  if (
    thing !== null &&
    !precededByName(target, thing.index) &&
    !(demonstrative && /^(?:this|that|these|those)\s+\p{L}/iu.test(target.slice(thing.index)))
  ) {
    const entity = antecedent(turns, false);
    if (entity !== undefined)
      return { resolved: replacePronoun(target, impersonal, entity), reason: `“${thing[0]}” taken as ${entity}` };
  }
  if (place.test(target) && !/\b(?:is|are|was|were|be) there\b|\bthere (?:is|are|was|were|a|any)\b/iu.test(target)) {
    const entity = antecedent(turns, false);
    if (entity !== undefined)
      return { resolved: target.replace(place, `in ${entity}`), reason: `“there” taken as ${entity}` };
  }
  if (demonstrative && determiner.test(target) && topic !== '')
    return {
      resolved: `${trimMark(target)} (${topic})?`,
      reason: 'refers to the previous question: its topic was added',
    };
  return refersBack(content) ? completed(content, previous) : alone;
}

const referring = Object.values(patterns).map((pattern) => new RegExp(pattern, 'iu'));
/** A question of so few words that mean something, and no name, leaves out what it is about. */
const fewTerms = 2;

function refersBack(content: string): boolean {
  if (referring.some((pattern) => pattern.test(content.trim()))) return true;
  return (
    termsOf(content).length <= fewTerms && !/\p{L}\p{Lu}|[\p{L}\p{N}][_./-][\p{L}\p{N}]|(?<=\s)\p{Lu}/u.test(content)
  );
}

/** The question with the one before it in brackets: its words count, and its own ones more (passages/frame.ts). */
function completed(content: string, { resolvedQuestion }: EarlierTurn): FollowUp {
  const before = resolvedQuestion.replace(/ \([^()]*\)\??$/u, '');
  return {
    resolved: `${content.trim()} (${trimMark(before)})`,
    reason: 'refers to the previous question, which was added',
  };
}

/** A pronoun after a name of the same sentence refers to that name. */
function precededByName(content: string, position: number): boolean {
  if (isAskedOf(content, position)) return false;
  return findNames(content.slice(0, position)).length > 0;
}
