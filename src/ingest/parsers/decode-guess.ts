// The encoding of a text that neither says it nor is UTF-8, told from its bytes: chardet's statistics (Mozilla's and ICU's method), believed only
// where the decoded text bears them out. Invariant: the answer decodes the sample without error, or is windows-1252, which decodes anything.
import { analyse } from 'chardet';

/** Chardet's figure (0–100) from which an encoding of two bytes a character is believed: shorter texts get 10, whatever they are. */
const believedPairs = 60;
/** For one byte a character of another script than Latin: low, as the script itself is checked. */
const believedScript = 20;
/** For another Latin encoding: it must also lead windows-1252 by so much, for they differ in few letters. */
const believedLatin = 30;
const latinLead = 15;

const pairEncodings = new Set(['shift_jis', 'euc-jp', 'euc-kr', 'gb18030', 'big5']);
const scripts: readonly (readonly [encodings: RegExp, letters: RegExp])[] = [
  [/^(?:windows-1251|koi8-[ru]|iso-8859-5|ibm866|x-mac-cyrillic)$/u, /\p{Script=Cyrillic}/u],
  [/^(?:windows-1253|iso-8859-7)$/u, /\p{Script=Greek}/u],
  [/^(?:windows-1255|iso-8859-8(?:-i)?)$/u, /\p{Script=Hebrew}/u],
  [/^(?:windows-1256|iso-8859-6)$/u, /\p{Script=Arabic}/u],
  [/^windows-874$/u, /\p{Script=Thai}/u],
];

/** The WHATWG label of the likeliest encoding of a sample that is neither ASCII nor UTF-8. */
export function guessEncoding(sample: Uint8Array): string {
  if (isJapanese(sample)) return 'shift_jis';
  const guesses = analyse(sample).flatMap(({ name, confidence }) => {
    const label = labelOf(name);
    const text = label === undefined ? undefined : strictly(sample, label);
    return label === undefined || text === undefined ? [] : [{ label, confidence, text }];
  });
  const western = Math.max(0, ...guesses.filter(({ label }) => label === 'windows-1252').map((one) => one.confidence));
  for (const { label, confidence, text } of guesses) {
    if (label === 'windows-1252') return label;
    const letters = scripts.find(([encodings]) => encodings.test(label))?.[1];
    const isBelieved = pairEncodings.has(label)
      ? confidence >= believedPairs
      : letters === undefined
        ? confidence >= believedLatin && confidence >= western + latinLead
        : confidence >= believedScript && isMostlyOf(text, letters);
    if (isBelieved) return label;
  }
  return 'windows-1252';
}

function labelOf(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

/** Undefined where the bytes are not that; a pair cut at the end of the sample is none of its faults. */
function strictly(sample: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return undefined;
  }
}

/** Whether the letters beyond ASCII are of one script, but for a tenth, and no strays in a text of ASCII letters. */
function isMostlyOf(text: string, letters: RegExp): boolean {
  let inside = 0;
  let outside = 0;
  let ascii = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) {
      if (/[a-z]/iu.test(character)) ascii++;
    } else if (letters.test(character)) inside++;
    else if (/\p{L}/u.test(character)) outside++;
  }
  return inside >= 4 && inside >= 9 * outside && inside * 10 >= ascii;
}

/** Shift-JIS in which kana and kanji outweigh the half-width forms of noise: short texts, of which statistics know nothing. */
function isJapanese(sample: Uint8Array): boolean {
  const text = strictly(sample, 'shift_jis');
  if (text === undefined) return false;
  const kana = (text.match(/[\u3041-\u30ff]/gu) ?? []).length;
  const kanji = (text.match(/[\u4e00-\u9fff]/gu) ?? []).length;
  const halfWidth = (text.match(/[\uff61-\uff9f]/gu) ?? []).length;
  return kana + kanji >= 2 && kana + kanji > 2 * halfWidth && !isLatinMisread(text);
}

/**
 * `K舩he` for Käthe, `l馮umes` for légumes: an accented letter takes the one behind it along, so that one or two kanji stand in the middle of a word, or
 * characters of private use. In Japanese there are kana with them, or more of them, or they stand beside spaces, marks and figures.
 */
function isLatinMisread(text: string): boolean {
  let strays = 0;
  let together = 0;
  for (const [, before = '', wide = '', after = ''] of text.matchAll(
    /([A-Za-z]?)([^\u0000-\u007f\uff61-\uff9f]+)(?=([A-Za-z]?))/gu,
  )) {
    const characters = [...wide];
    const isInWord = before + after !== '' && characters.length <= 2 && !/[\u3041-\u30ff]/u.test(wide);
    for (const one of characters)
      if (isInWord || /[\ue000-\uf8ff]/u.test(one)) strays++;
      else together++;
  }
  return strays > together;
}
