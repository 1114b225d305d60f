// How two English words are related: synonyms, derived words ("decide", "decision"), antonyms. The list (lexicon.txt: WordNet's main
// senses, with its licence at the top, and pairs of our own) is made by scripts/build-lexicon.ts and read once, at first use.
import { readFileSync } from 'node:fs';
import { inflectionKeys } from './inflect.ts';

export type WordRelation = 'synonym' | 'derived' | 'antonym';

const relations = { s: 'synonym', d: 'derived', a: 'antonym' } as const;
/** Under each key what it is related to, as written: ` bui:s buyer:d`. */
let lines: ReadonlyMap<string, string> | undefined;

function readLines(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of readFileSync(new URL('./lexicon.txt', import.meta.url), 'utf8').split('\n')) {
    const space = line.indexOf(' ');
    if (space > 0 && !line.startsWith('#')) found.set(line.slice(0, space), line.slice(space));
  }
  return found;
}

/** The lines of the word that was asked for last: one word is held against all others of a sentence. */
let asked = '';
let linesOfAsked: readonly string[] = [];

/** How two English words in lower case are related, inflected forms alike; undefined where nothing is known. */
export function wordRelation(a: string, b: string): WordRelation | undefined {
  lines ??= readLines();
  if (a !== asked) {
    linesOfAsked = inflectionKeys(a).flatMap((key) => lines?.get(key) ?? []);
    asked = a;
  }
  for (const line of linesOfAsked)
    for (const other of inflectionKeys(b)) {
      const at = line.indexOf(` ${other}:`);
      if (at >= 0) return relations[line[at + other.length + 2] as keyof typeof relations];
    }
  return undefined;
}

/** True for words in lower case that the list has, in any inflected form: hardly ever names. */
export function knownWord(word: string): boolean {
  lines ??= readLines();
  return inflectionKeys(word).some((key) => lines?.has(key));
}
