// What a question wants listed ("Which hooks does Fastify have?", "What are the values of …?", "List the …"), and how far a text lists it: by announcing what
// stands below, or by naming several in a row. The forms rank passages and candidates, they do not verify claims. English. Pure.
import { inflectionKeys } from './words/inflect.ts';

/** What is to be listed: the last word of these, in the plural. */
const thing = String.raw`((?:[\p{L}\p{N}-]{2,30}\s{1,3}){0,3}?[\p{L}\p{N}-]{2,30})`;
const ofWhat = String.raw`(?=\s{1,3}(?:of|in|that|which|for|to|on|at|by|from|with|used|available|supported)\b|[\s?.]{0,8}$)`;
const asks = [
  new RegExp(
    String.raw`^\s{0,4}(?:(?:in|on|at|by|with|from|to|of|for|under|into)\s)?(?:which|what)\s{1,3}${thing}\s{1,3}(?:does|do|did|are|were|can|could|have|had|will|would|should|must|may|might|exist|make)\b`,
    'iu',
  ),
  new RegExp(
    String.raw`^\s{0,4}what\s{1,3}(?:are|were)\s{1,3}(?:all\s|some\s)?(?:of\s)?the\s{1,3}${thing}${ofWhat}`,
    'iu',
  ),
  new RegExp(
    String.raw`^\s{0,4}(?:please\s)?(?:list|name|enumerate|give)\s{1,3}(?:me\s)?(?:all\s)?(?:of\s)?(?:the\s|some\s)?${thing}${ofWhat}`,
    'iu',
  ),
];
const plural = /(?:[^siu]s|criteria|people|children|men|women|media|phenomena|bases)$/iu;
/** "Which does it …", "What has …". */
const noThing = /^(?:does|has|was|always|across|else)$/iu;

/** The word that names what is to be listed; undefined where nothing is. */
export function askedList(question: string): string | undefined {
  const run = asks.map((form) => form.exec(question)?.[1]).find((found) => found !== undefined);
  const head = run?.trim().split(/\s+/u).at(-1);
  return head !== undefined && plural.test(head) && !noThing.test(head) ? head.toLowerCase() : undefined;
}

/** A sentence that ends so needs what stands below. */
export const announces = (piece: string): boolean => /[:：]["'”’»)*_]{0,3}\s{0,4}$/u.test(piece.slice(-8));

function names(head: string, text: string): boolean {
  const keys = inflectionKeys(head);
  return (text.match(/[\p{L}\p{N}’'-]+/gu) ?? []).some((word) =>
    inflectionKeys(word.toLowerCase()).some((key) => keys.includes(key)),
  );
}

/** Does the sentence announce what is to be listed: "There are two kinds of hooks:"? */
export const announcesList = (head: string, sentence: string): boolean => announces(sentence) && names(head, sentence);

const listBelow = /[:：][*_"”]{0,2}[^\S\n]{0,4}\n\s{0,12}(?:>\s{0,4})?(?:[-*+•–]|\d{1,2}[.)])\s/gu;
const longestSentence = 240;

/** Does the text hold a sentence that announces it, and a list below? */
export function holdsList(head: string, text: string): boolean {
  for (const { index } of text.matchAll(listBelow)) {
    const before = text.slice(Math.max(0, index - longestSentence), index);
    const sentence = before.slice(
      Math.max(before.lastIndexOf('. '), before.lastIndexOf('.\n'), before.lastIndexOf('\n\n')) + 1,
    );
    if (names(head, sentence)) return true;
  }
  return false;
}

/** What stands between the members of a list in a sentence. */
const parting = /[,;]\s(?:(?:and|or|und|oder)\s)?|\s(?:and|or|und|oder)\s/gu;
const joins = /\s?(?:and|or|und|oder)\s$/u;
const longestMember = 4;
/** "…, the pump stops, and …" */
const opensClause = /^(?:the|an?|it|they|he|she|you|we|this|that|these|which|who|otherwise|then)\s/iu;
/** Where the last is not joined by "and". */
const leastUnjoined = 4;
/** What is listed is named shortly before its first member, or right behind its last. */
const near = { before: 80, after: 40 };

/** "a, b and c", "a; b; c; d": is what is listed named beside them? */
function namesInARow(head: string, sentence: string): boolean {
  const marks = [...sentence.matchAll(parting)];
  const members = marks.map(({ 0: { length }, index }, at) =>
    sentence.slice(index + length, marks[at + 1]?.index ?? sentence.length),
  );
  const isShort = (member: string | undefined): boolean =>
    member !== undefined &&
    !/[.!?]\s/u.test(member) &&
    !opensClause.test(member) &&
    member.split(/\s+/u).length <= longestMember;
  for (let from = 0; from < marks.length; from += 1) {
    let to = from;
    while (isShort(members[to])) to += 1;
    // The last member may be followed by the rest of the sentence.
    const isJoined = marks.slice(from + 1, to + 1).some(({ 0: mark }) => joins.test(mark));
    const count = 1 + Math.min(to + 1, marks.length) - from;
    if (to > from && (isJoined ? count > 2 : count >= leastUnjoined)) {
      const [first, last] = [marks[from]?.index ?? 0, marks[Math.min(to, marks.length - 1)]];
      const end = (last?.index ?? 0) + (last?.[0].length ?? 0);
      if (names(head, sentence.slice(Math.max(0, first - near.before), first))) return true;
      if (names(head, sentence.slice(end, end + near.after))) return true;
    }
    if (to > from) from = to;
  }
  return false;
}

const pair = /\s(?:and|or|und|oder|as\swell\sas)\s/u;

export const listFits = { listed: 1, pair: 0.6, none: 0.5 } as const;

/** 0.5 to 1: how far the piece lists what is named so. `isFollowed`: something that it may announce stands below it. */
export function listFit(head: string, piece: string, isFollowed: boolean): number {
  if (!names(head, piece)) return listFits.none;
  if (announces(piece)) return isFollowed ? listFits.listed : listFits.none;
  if (namesInARow(head, piece)) return listFits.listed;
  return pair.test(piece) ? listFits.pair : listFits.none;
}
