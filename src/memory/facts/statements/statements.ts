// What of a message is worth remembering: what its user says of themselves, or wishes, in their own words. Invariants: nothing is taken from
// quotations, code or what others say; questions, suppositions and small talk give nothing; a secret is left out. Deterministic.
import type { MemoryType } from '../../../core/memory.ts';
import { type Clause, clausesOf } from './clauses.ts';
import { kindOfStatement } from './kinds-of-statement.ts';
import { refusalOf } from './never-kept.ts';
import { inOtherLanguage } from './other-languages.ts';
import { ownVoice } from './own-voice.ts';
import { toPlainWords } from './plain-words.ts';
import { holdsSecret } from './secrets.ts';

export interface Statement {
  readonly type: MemoryType;
  readonly text: string;
}

/** Longer messages are texts that somebody pasted. */
const longestMessage = 6_000;
const mostStatements = 12;
const longestText = 400;

/** A time in front of what happened. */
const openingTime =
  /^(?:yesterday|last (?:\w+ )?\w+|today|this (?:\w+ )?\w+|in (?:\w+ )?(?:\w+|\d{4})|on (?!(?:mon|tues|wednes|thurs|fri|satur|sun)days\b)(?:\w+ ){0,2}\w+|(?:\w+ ){1,2}(?:ago|later)|currently|recently|nowadays|these days|at (?:work|home|the moment)|right now|for now|for (?:\w+ ){1,2}(?:years|months|weeks)(?: now)?|since (?:(?:my|our|the) \w+(?: (?:in|last) \w+)?|\w+(?: \d+)?)|at my (?:job|company)|next (?:\w+ )?\w+|tomorrow),? (?=(?:i|we|my|our) (?!(?:always|usually|never|normally)\b))/u;

/** Requests that are put as questions, and wishes that end in one. */
const requestAsQuestion =
  /^(?:can|could|would|will) you (?:please )?(?:always|never|stop|keep|use|answer|reply|respond|write|speak|avoid|only|not|give|call|address|format|make|be|include|skip|cite|remember|limit|please|start|explain)\b/u;

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

function statementOf({ text, isAsked, isQuestion }: Clause): Statement | undefined {
  const words = countWords(text);
  if (words < 2 || text.length > longestText || !/\p{L}/u.test(text) || text.includes('…')) return undefined;
  // Some names are verbs of speech.
  const plain = toPlainWords(text.replace(/(?<=\p{L} )(?:Said|Mark|Will)\b/gu, 'Name'))
    .replace(openingTime, '')
    .replace(
      /^(?:just|finally|officially|recently) (?=(?:[a-z]+ed|got|bought|sold|became|quit|won|left|had) (?:my|our|an?|to|the|in)\b)/u,
      'i ',
    )
    .replace(/(?<![\s.!,;:])[\s.!,;:]+$/u, '');
  const isRequest = requestAsQuestion.test(plain);
  if (isQuestion && !isRequest) return undefined;
  const told = isRequest ? undefined : refusalOf(plain);
  const isConditional = /^if (?:i|you) [^,]{3,80}, /u.test(plain) && told === 'a supposition';
  if (told !== undefined && !isConditional && !(isAsked && told === 'a fleeting state')) return undefined;
  const type = kindOfStatement(plain, text) ?? inOtherLanguage(text);
  if (type) return { type, text };
  return isAsked && words >= 3 ? { type: 'semantic', text } : undefined;
}

/** In the order in which they were said. */
export function extractStatements(message: string): readonly Statement[] {
  if (message.length > longestMessage) return [];
  const found: Statement[] = [];
  for (const passage of ownVoice(message)) {
    if (ironic.test(passage)) continue;
    for (const clause of clausesOf(passage)) {
      if (staged.test(clause.sentence)) return found;
      if (dictated.test(clause.sentence)) continue;
      const statement = statementOf(clause);
      if (!statement || holdsSecret(statement.text) || found.length >= mostStatements) continue;
      if (!found.some(({ text }) => text === statement.text)) found.push(statement);
    }
  }
  return found;
}

/** Whether a message says nothing but what is worth remembering, and asks nothing. */
export function isAllStatements(message: string): boolean {
  return ownVoice(message).every((passage) =>
    clausesOf(passage).every(
      (clause) => clause.text.split(/\s+/u).length < 2 || (!clause.isQuestion && statementOf(clause) !== undefined),
    ),
  );
}
