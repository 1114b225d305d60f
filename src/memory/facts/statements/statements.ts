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
  /^(?:yesterday|last (?:\w+ )?\w+|today|this (?:\w+ )?\w+|in (?:\w+ )?(?:\w+|\d{4})|on (?:\w+ ){0,2}\w+|(?:\w+ ){1,2}(?:ago|later)|currently|recently|nowadays|these days|at (?:work|home|the moment)|right now|for now|for (?:\w+ ){1,2}(?:years|months|weeks)(?: now)?|since \w+(?: \d+)?|at my (?:job|company)|next (?:\w+ )?\w+|tomorrow),? (?=(?:i|we|my|our) (?!(?:always|usually|never|normally)\b))/u;

/** Requests that are put as questions, and wishes that end in one. */
const requestAsQuestion =
  /^(?:can|could|would|will) you (?:please )?(?:always|never|stop|keep|use|answer|reply|respond|write|speak|avoid|only|not|give|call|address|format|make|be|include|skip|cite|remember|limit|please|start|explain)\b/u;

function statementOf({ text, isAsked, isQuestion }: Clause): Statement | undefined {
  const words = text.split(/\s+/u).length;
  if (words < 2 || text.length > longestText || !/\p{L}/u.test(text) || text.includes('…')) return undefined;
  // Some names are verbs of speech.
  const plain = toPlainWords(text.replace(/(?<=\p{L} )(?:Said|Mark|Will)\b/gu, 'Name'))
    .replace(openingTime, '')
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
  for (const passage of ownVoice(message))
    for (const clause of clausesOf(passage)) {
      const statement = statementOf(clause);
      if (!statement || holdsSecret(statement.text) || found.length >= mostStatements) continue;
      if (!found.some(({ text }) => text === statement.text)) found.push(statement);
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
