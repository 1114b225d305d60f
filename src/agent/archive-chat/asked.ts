// Tells what a question to the archive asks for beside its topic, where its words leave no doubt: the first or the last time, the words of one person.
import { stopWords } from '../../text/language/stop-words.ts';
import { findNames } from '../../text/words/names.ts';

export type Edge = 'first' | 'last';

const firstPattern = /\b(?:first|earliest|originally)\b(?! (?:half|quarter|name))/iu;
const lastPattern =
  /\b(?:last time|latest|most recent(?:ly)?|last (?:talk|talked|speak|spoke|mention|mentioned|discuss|discussed|say|said|ask|asked|hear|heard|write|wrote))\b/iu;

export const edgeAsked = (question: string): Edge | undefined =>
  lastPattern.test(question) ? 'last' : firstPattern.test(question) ? 'first' : undefined;

const partsOf = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];

/**
 * The one of those who speak whom the question names; undefined: nobody, or several. Some names are words: a part of one counts where it is written as a name, the whole
 * where it stands in small letters and is more than words of grammar ("will", "may").
 */
export function authorAsked(question: string, authors: ReadonlySet<string>): string | undefined {
  const names = new Set(findNames(question).flatMap(({ initial, text }) => (initial ? [] : partsOf(text))));
  const words = new Set(partsOf(question).filter((word) => !stopWords('en').has(word)));
  const named = [...authors].filter((author) => {
    const parts = partsOf(author);
    return parts.some((part) => names.has(part)) || (parts.length > 0 && parts.every((part) => words.has(part)));
  });
  return named.length === 1 ? named[0] : undefined;
}

const saidBy = /\b(?:did|does|has|had)\s(\p{Lu}\p{L}{1,40})\s(?:say|said|tell|told|write|wrote|mention|mentioned)\b/u;

/** It asks for the words of somebody who says nothing in what was read, where people speak. */
export function isOfNobody(question: string, authors: ReadonlySet<string>): boolean {
  const name = saidBy.exec(question)?.[1]?.toLowerCase();
  return name !== undefined && authors.size > 0 && ![...authors].some((author) => partsOf(author).includes(name));
}
