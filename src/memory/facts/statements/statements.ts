// What of a message is worth remembering: what its user says of themselves, or wishes, in their own words; a fitted model says whether, and as what
// (keep.json, fitted by scripts/fit-memory.ts). Invariants, which are rules: nothing is taken from quotations, code, played parts, dictated texts or what
// others say; a question gives nothing; a secret is left out.
import { readFileSync } from 'node:fs';
import { type MemoryType, memoryTypes } from '../../../core/memory.ts';
import { chancesBy, type FittedWeights } from '../fitted/chances.ts';
import type { Meaning } from '../fitted/meaning.ts';
import { type Clause, clausesOf } from './clauses.ts';
import { holdsSecret } from './secrets.ts';

export interface Statement {
  readonly type: MemoryType;
  readonly text: string;
}

export interface ReadMessage {
  /** In the order in which they were said. */
  readonly statements: readonly Statement[];
  /** The message says nothing else, and asks nothing. */
  readonly isAll: boolean;
}

export type KeptAs = MemoryType | 'none';

/** Longer messages are texts that somebody pasted. */
const longestMessage = 6_000;
const mostClauses = 40;
const mostStatements = 12;
const longestText = 400;
/** What is not kept costs little; what is kept wrongly is told as the user's word. */
const leastKept = { byMeaning: 0.45, byWords: 0.45 } as const;

const chancesOf = chancesBy(
  JSON.parse(readFileSync(new URL('../fitted/keep.json', import.meta.url), 'utf8')) as FittedWeights<KeptAs>,
);

/** Requests that are put as questions. */
const requestAsQuestion = /^(?:please )?(?:can|could|would|will) you\b/iu;
/** Somebody else says it, or would say it. */
const ofOthers =
  /\b(?:said|says|saying|told me|tells me|claims?|claimed|wrote|writes|according to|asked me|states|stated|heard that|read that)\b|^(?:he|she|they)\b/iu;
/** From a sentence like this on a message plays a part, and nothing in it is said of its user. */
const staged =
  /^(?:(?:please|now|ok(?:ay)?|so|let us|let['’]?s|i want you to|can you|could you|you (?:should|will|are going to)|playing|for(?: the (?:purposes?|sake) of)?|in|imagine|hypothetically|suppose)\b[\s,]*)*(?:act (?:like|as)|pretend|role-?play|devil['’]?s advocate|(?:this|the|an?|our) (?:exercise|scenario|game|story|thought experiment|argument)\b|in (?:chapter|act|scene|episode|part) (?:\d|one|two|three|four|five|six|seven|eight|nine|ten)|you are (?:now )?(?:my |an? )\w|you(?:['’]re| are) playing|imagine (?:you|that you|i|that i|we)|hypothetically|suppose|let (?:us|me) (?:pretend|assume|imagine)|let['’]?s (?:pretend|assume|imagine))/iu;
/** A text that is to be written, whose words are not its user's. */
const dictated =
  /^(?:please |can you |could you |now )*(?:draft|write|compose|create|make up) .{1,80}\b(?:saying|says|telling|explaining|stating|where|in which|as if|from the (?:perspective|view))\b/iu;
/** What is said with it is meant the other way round. */
const ironic =
  /^(?:yeah,? right|oh,? (?:great|joy|wonderful|fantastic|brilliant|sure)|sure,? because|just what (?:i|we) needed|as if\b|how lovely|wow,? thanks)/iu;

/** Writing of China and Japan has no spaces between words. */
const countWords = (text: string): number =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? text.length : text.split(/\s+/u).length;

const mayBeKept = ({ text, sentence, isQuestion }: Clause): boolean =>
  countWords(text) >= 2 &&
  text.length <= longestText &&
  /\p{L}/u.test(text) &&
  !text.includes('…') &&
  !(isQuestion && !requestAsQuestion.test(text)) &&
  // Some names are verbs of speech.
  !ofOthers.test(text.replace(/(?<=\p{L} )(?:Said|Mark|Will)\b/gu, 'Name')) &&
  !ironic.test(sentence) &&
  !dictated.test(sentence);

/** What a clause is kept as, with the chance that it should be. */
export function keptAs(text: string, vector?: Float32Array): { readonly type: MemoryType; readonly chance: number } {
  const chances = chancesOf(text, vector);
  const type = memoryTypes.reduce((best, one) => (chances[one] > chances[best] ? one : best));
  return { type, chance: 1 - chances.none };
}

export async function readMessage(message: string, { ofSaid }: Pick<Meaning, 'ofSaid'>): Promise<ReadMessage> {
  if (message.length > longestMessage) return { statements: [], isAll: false };
  const clauses = clausesOf(message);
  const from = clauses.findIndex(({ sentence }) => staged.test(sentence));
  const own = from === -1 ? clauses : clauses.slice(0, from);
  const possible = own.filter(mayBeKept).slice(0, mostClauses);
  const vectors = possible.length > 0 ? await ofSaid(possible.map(({ text }) => text)) : undefined;
  const least = vectors ? leastKept.byMeaning : leastKept.byWords;
  const statements: Statement[] = [];
  const kept = new Set<Clause>();
  for (const [at, clause] of possible.entries()) {
    const { text, isAsked } = clause;
    const { type, chance } = keptAs(text, vectors?.[at]);
    const isKept = chance >= least || (isAsked && countWords(text) >= 3);
    if (!isKept || holdsSecret(text) || statements.length >= mostStatements) continue;
    kept.add(clause);
    if (!statements.some((one) => one.text === text)) statements.push({ type, text });
  }
  const isAll = statements.length > 0 && clauses.every((one) => kept.has(one) || countWords(one.text) < 2);
  return { statements, isAll };
}
