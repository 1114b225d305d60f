// Gives Cyrillic its letters back where a PDF has no character map and its fonts hold them in the places of windows-1251 (older TeX and office
// files): such text comes out as Western letters with accents ("Ïðèìåð" for "Пример"). Invariant: only words without any Latin letter change.
import type { PdfPage, PdfWord } from './pdf-content.ts';

/** Beside the letters from U+00C0 on, which stand in the order of the alphabet: those of windows-1251, and some of TeX's T2A, which takes "i" from Latin. */
const others = new Map(
  Object.entries({
    '¨': 'Ё',
    '¸': 'ё',
    '¼': 'ё',
    ª: 'Є',
    º: 'є',
    '²': 'І',
    '³': 'і',
    '¯': 'Ї',
    '¿': 'ї',
    '¹': 'є',
    I: 'І',
    i: 'і',
  }),
);
/** No word of a Western language has three such letters and no other one. */
const foreignWord = /^[^\p{L}]*[\u00a8\u00aa\u00af\u00b2\u00b3\u00b8\u00ba\u00bc\u00bf\u00c0-\u00ff]{3,}/u;
const latin = /[A-HJ-Za-hj-z\u0100-\u024f]/u;
/** о, е, а, и, н, т as they come out: each has a place among the letters of Russian, Bulgarian and Ukrainian, but not of what else is read so. */
const frequent = ['î', 'å', 'à', 'è', 'í', 'ò'];
const leastShare = 0.03;
const fewestLetters = 60;

/** U+00D7 would be a capital letter; among figures it is what it seems. */
const product = /^[\d\s.,()]*×[\d\s,()]*$/u;

/** The pages with the words in Cyrillic; as they are where their words are not such. */
export function withCyrillic(pages: readonly PdfPage[]): readonly PdfPage[] {
  const isForeign = ({ text }: PdfWord): boolean => foreignWord.test(text) && !latin.test(text);
  const counts = new Map<string, number>();
  let letters = 0;
  for (const { words } of pages)
    for (const word of words) {
      if (!isForeign(word)) continue;
      for (const letter of word.text.toLowerCase().match(/[\u00e0-\u00ff]/gu) ?? []) {
        letters++;
        counts.set(letter, (counts.get(letter) ?? 0) + 1);
      }
    }
  if (letters < fewestLetters || frequent.some((letter) => (counts.get(letter) ?? 0) < letters * leastShare))
    return pages;
  return pages.map((page) => ({ ...page, words: page.words.map(inCyrillic) }));
}

/** Short words too: what they are is known from the long ones. */
function inCyrillic(word: PdfWord): PdfWord {
  if (latin.test(word.text) || product.test(word.text) || !/[\u00c0-\u00ff]/u.test(word.text)) return word;
  const text = word.text.replace(/[Ii\u00a8-\u00ff]/gu, (letter, at: number) => {
    const code = letter.charCodeAt(0);
    if (code >= 0xc0) return String.fromCharCode(code - 0xc0 + 0x410);
    // Within a word it is T2A's.
    return letter === '¨' && at > 0 ? 'ї' : (others.get(letter) ?? letter);
  });
  return { ...word, text };
}
