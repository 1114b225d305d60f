// Tells before a sentence is read whether it may contradict a claim, by how words begin: reading one takes a hundred times as long as this. What
// contradicts shares half of the claim's words, and either all but one word of the claim are in the sentence, or all of the sentence's are in the claim
// (contradiction.ts). Of words that agree half at least are held to begin alike; the others may be synonyms.
import { stopWords } from '../../text/language/stop-words.ts';
import type { Statement } from './contradiction.ts';

const beginning = 4;
const functionWords = stopWords('en');

/** A sentence by the beginnings of its words and of those above it. */
export interface Beginnings {
  readonly words: readonly string[];
  readonly all: ReadonlySet<string>;
}

export function beginningsOf(text: string, above: Iterable<string> = []): Beginnings {
  const words: string[] = [];
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{M}]+/gu))
    if (!functionWords.has(word)) words.push(word.slice(0, beginning));
  return { words, all: new Set([...above, ...words]) };
}

/** Whether a sentence of such words may contradict the statement. */
export function createMeeting({ words, tokens, context }: Statement): (other: Beginnings) => boolean {
  // Scripts without spaces have no beginnings.
  if (words.some(({ type }) => type === 'character')) return () => true;
  const own = words.map(({ lower }) => lower.slice(0, beginning));
  const around = new Set([...tokens, ...context].map(({ lower }) => lower.slice(0, beginning)));
  const least = Math.max(1, Math.ceil(own.length / 4));
  const nearlyAll = (own.length - 2) / 2;
  return (other) => {
    let shared = 0;
    for (const one of own) if (other.all.has(one)) shared += 1;
    if (shared < least) return false;
    if (shared >= nearlyAll) return true;
    let theirs = 0;
    for (const one of other.words) if (around.has(one)) theirs += 1;
    return theirs >= (other.words.length - 2) / 2;
  };
}
