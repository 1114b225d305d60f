// Makes different spellings of one word equal: compatibility forms (NFKC, UAX #15), case, invisible characters,
// typographic apostrophes, and diacritics where the language lets its writers leave them out.

/** Soft hyphens, joiners, marks of direction, the Arabic stretch, and the white space in a few compatibility forms. */
const invisible = /[\s\p{Default_Ignorable_Code_Point}\u0640]/gu;
/** Arabic vowel signs and Hebrew points: written or left out at will. */
const optionalPoints = /[\p{M}&&[\p{Script_Extensions=Arabic}\p{Script_Extensions=Hebrew}]]/gv;
const ascii = /^\p{ASCII}*$/u;
/** Languages in which letters with marks are letters of their own (å, ö, ı, ő …), so that folding would mix words. */
const ownLetters: ReadonlySet<string> = new Set('sv fi da no nb nn et tr hu az vi is'.split(' '));
const undecomposed: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
};

/** One word in lower case and compatibility form; diacritics stay, as stemmers need them. */
export function normaliseWord(word: string, language?: string): string {
  if (ascii.test(word))
    return language === 'tr' || language === 'az' ? word.toLocaleLowerCase(language) : word.toLowerCase();
  const form = word.normalize('NFKC').replace(invisible, '').replace(optionalPoints, '').replaceAll('’', "'");
  const lower = language === 'tr' || language === 'az' ? form.toLocaleLowerCase(language) : form.toLowerCase();
  return lower.replaceAll('ß', 'ss').replaceAll('ς', 'σ');
}

const edges =
  /^(?:["'“”„‘’«»‹›()[\]{}`,;:?…¿¡。、，！？；：「」『』]|(?<=\.)\.|[.!](?![\p{L}\p{N}]))+|(?<!["'“”„‘’«»‹›()[\]{}`.,;:!?…。、，！？；：「」『』])["'“”„‘’«»‹›()[\]{}`.,;:!?…。、，！？；：「」『』]+$/gu;

/**
 * A text by which it is told from another: NFC, lower case, one space between words, no punctuation around them. Marks of letters and all other
 * signs stay, as "C++" is not "C#", nor -5 what 5 is, nor .5 either.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/u)
    .map((word) => word.replace(edges, ''))
    .filter((word) => /[^\p{Pd}*_]/u.test(word))
    .join(' ');

/** Removes diacritics (é -> e, ё -> е, ά -> α) unless the language counts them as letters of their own. */
export function foldDiacritics(word: string, language?: string): string {
  if (ascii.test(word) || (language !== undefined && ownLetters.has(language))) return word;
  return word
    .normalize('NFD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, '')
    .replace(/(?<=е)\u0308/gu, '')
    .normalize('NFC')
    .replace(/[æœøđðþłıħ]/gu, (character) => undecomposed[character] ?? character);
}
