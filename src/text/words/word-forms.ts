// Tells forms of one word from other words of its family. Search knows words by their stems, to which "transformer", "transformation" and "transformative"
// are one; where a name is meant, only the name and its inflected forms are. Pure.
import { inflectionKeys } from './inflect.ts';

/** Where a family of words begins: what all of them are searched for by. */
const shortestBeginning = 3;
const inWord = /[\p{L}\p{M}\p{N}'’]/u;

/** How a text holds a word: as it is written or inflected, only as another word of its family, or not at all. */
export type Held = 'word' | 'family' | 'none';

/** `stem`: as search spells the word. Linear in the text; text and word are in small letters. */
export function heldIn(text: string, word: string, stem: string): Held {
  let begins = 0;
  while (begins < stem.length && begins < word.length && stem[begins] === word[begins]) begins += 1;
  if (begins < shortestBeginning) return 'none';
  const beginning = word.slice(0, begins);
  const keys = inflectionKeys(word);
  let held: Held = 'none';
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + beginning.length)) {
    if (at > 0 && inWord.test(text[at - 1] ?? '')) continue;
    let end = at + beginning.length;
    while (end < text.length && inWord.test(text[end] ?? '')) end += 1;
    if (inflectionKeys(text.slice(at, end)).some((key) => keys.includes(key))) return 'word';
    held = 'family';
  }
  return held;
}
