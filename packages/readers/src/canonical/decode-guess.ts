// The encoding of a text that neither says it nor is UTF-8, told from its bytes: those of two bytes a character by chardet's statistics (Mozilla's and
// ICU's method), those of one by their letters (decode-letters). Invariant: the answer decodes the sample without error, or is windows-1252.
import { analyse } from 'chardet';
import { encodingByLetters } from './decode-letters.ts';

/** Chardet's figure (0–100) from which an encoding of two bytes a character is believed: shorter texts get 10, whatever they are. */
const believedPairs = 60;
const pairEncodings = new Set(['shift_jis', 'euc-jp', 'euc-kr', 'gb18030', 'big5']);

/** The WHATWG label of the likeliest encoding of a sample that is neither ASCII nor UTF-8. */
export function guessEncoding(sample: Uint8Array): string {
  if (isJapanese(sample)) return 'shift_jis';
  const guesses = analyse(sample).flatMap(({ name, confidence }) => {
    const label = labelOf(name);
    const text = label === undefined ? undefined : strictly(sample, label);
    return label === undefined || text === undefined ? [] : [{ label, confidence, text }];
  });
  const pair = guesses.find(({ label, confidence }) => pairEncodings.has(label) && confidence >= believedPairs);
  return pair?.label ?? encodingByLetters(sample);
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
