// Finds words of a claim that look like words of the quote but are spelt with other characters: letters of another script,
// styled or full-width forms, added accents, hidden characters, digits for letters. Spelling that people really vary (case,
// composed accents, accents left out, typographic quotes) is not reported.

import { cacheTexts } from '../../text/tokens/text-cache.ts';
import { confusableScripts, hiddenCharacters, isStyled, skeletonOf } from '../../text/words/confusables.ts';
import { foldDiacritics } from '../../text/words/normalise.ts';

const wordForm = /[\p{L}\p{M}\p{N}\p{Cf}\u{1D400}-\u{1D7FF}]+/gu;
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Latin letters that are taken for others; a quote that has one writes a language that has them. */
const latinTwins = /[ıȷɑɡɩʟɪꜱ]/u;
const compatible = /[ﬀ-ﬆ]/u;

/** Reasons (`look-alike: …`, `hidden-character: …`); empty when every word is spelt as itself. */
export function findLookAlikes(claim: string, quote: string): string[] {
  const reasons: string[] = [];
  const hiddenHere = hiddenCharacters(claim);
  if (hiddenHere.length > 0) {
    const there = hiddenCharacters(quote);
    const extra = hiddenHere.find((char) => !there.includes(char));
    if (extra !== undefined)
      return [`hidden-character: U+${(extra.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`];
  }
  const { words: quoteWords, skeletons } = spellingOf(quote);
  for (const match of claim.matchAll(wordForm)) {
    const word = match[0];
    const lower = word.toLowerCase();
    if (quoteWords.has(lower) || compatible.test(word)) continue;
    if (isStyled(word) && (!eastAsian.test(claim) || /[a-z]/iu.test(word))) {
      reasons.push(`look-alike: ${word}`);
      continue;
    }
    if (confusableScripts(word).length > 1) {
      reasons.push(`look-alike: ${word}`);
      continue;
    }
    if (latinTwins.test(word) && !latinTwins.test(quote)) {
      reasons.push(`look-alike: ${word}`);
      continue;
    }
    if (!/\p{L}/u.test(word) || eastAsian.test(word)) continue;
    const twin = skeletons().get(skeletonOf(lower));
    if (twin !== undefined && twin !== lower && foldDiacritics(twin) !== lower && !sameButLigature(twin, lower))
      reasons.push(`look-alike: ${twin} → ${word}`);
  }
  return reasons;
}

interface Spelling {
  readonly words: ReadonlySet<string>;
  /** Each of them by what a reader takes it for. */
  readonly skeletons: () => ReadonlyMap<string, string>;
}

const spellingOf = cacheTexts(
  (text): Spelling => {
    const words = new Set<string>();
    for (const match of text.matchAll(wordForm)) words.add(match[0].toLowerCase());
    let skeletons: ReadonlyMap<string, string> | undefined;
    return {
      words,
      skeletons: () => {
        skeletons ??= skeletonsOf(words);
        return skeletons;
      },
    };
  },
  { characters: 60_000 },
);

function skeletonsOf(words: ReadonlySet<string>): Map<string, string> {
  const skeletons = new Map<string, string>();
  for (const word of words) skeletons.set(skeletonOf(word), word);
  return skeletons;
}

const plain = (word: string): string => word.normalize('NFKC').replace(/[\u00AD\u200B-\u200D]/gu, '');
const sameButLigature = (a: string, b: string): boolean => plain(a) === plain(b);
