// Tells raised figures from those on the line: "10²⁰" is not 1020, and the mark of a footnote is no part of the word or number
// before it. Figures and signs become the superscripts of Unicode (which NFKC folds back); letters stay as they are.
import type { PdfWord } from './pdf-content.ts';

const raisedForms = new Map<string, string>([
  ...[...'⁰¹²³⁴⁵⁶⁷⁸⁹'].map((raised, digit): [string, string] => [String(digit), raised]),
  ['+', '⁺'],
  ['-', '⁻'],
  ['–', '⁻'],
  ['−', '⁻'],
]);
const figures = /^[+\-–−]?\d{1,4}$|^[+\-–−]$|^\d{1,3}(?:,\d{1,3})*,?$/;
const bracketed = /^\(\w{1,3}\)$/;
/** What an exponent stands on rather than a footnote's mark: a short figure, a sign or bracket, a letter alone, a unit of length. */
const powered = /(?:^|[^\p{L}])(?:\p{L}|[kcmdnµ]m|in|ft|yd|mi|sec)$|(?:^|[^\d.,])\d{1,3}$|[²³¹⁰⁴-⁹⁺⁻)\]}×·]$/u;

/** The words with raised figures written as such; marks of footnotes get a space on the side of the text. */
export function setMarksApart(words: readonly PdfWord[]): PdfWord[] {
  const result = [...words];
  words.forEach((word, index) => {
    if (word.turn !== 0 || !(figures.test(word.text) || bracketed.test(word.text))) return;
    const before = largerBefore(words, index);
    const after = words[index + 1];
    if (before !== undefined && isRaised(word, before)) {
      const isPower = !bracketed.test(word.text) && (powered.test(before.text) || /^[+\-–−]/.test(word.text));
      const isFirst = words[index - 1] === before;
      const spaceBefore = isFirst ? !isPower : word.spaceBefore && !isPower;
      result[index] = { ...word, text: raised(word.text), spaceBefore };
      // PDFium sees a gap where a mark stands above the line.
      if (after !== undefined && /^[.,;:!?)\]]/.test(after.text) && after.x - word.x - word.width < word.size * 0.4)
        result[index + 1] = { ...after, spaceBefore: false };
    } else if (after !== undefined && isRaised(word, after) && isPlain(after)) {
      result[index] = { ...word, text: raised(word.text) };
      result[index + 1] = { ...after, spaceBefore: true };
    }
  });
  return result;
}

function isPlain(word: PdfWord): boolean {
  return /^["“„‘(]?\p{L}/u.test(word.text);
}

/** The word that a raised one stands on: just before it, or before the raised ones that come between ("⁻" of "⁻⁹"). */
function largerBefore(words: readonly PdfWord[], index: number): PdfWord | undefined {
  const word = words[index];
  for (let at = index - 1; word !== undefined && at >= Math.max(0, index - 3); at--) {
    const before = words[at];
    const next = words[at + 1];
    if (before === undefined || next === undefined) return undefined;
    if (Math.abs(next.x - before.x - before.width) > word.size * 0.7) return undefined;
    if (before.size > word.size * 1.2) return before;
    if (!figures.test(before.text)) return undefined;
  }
  return undefined;
}

/** Smaller than its neighbour, on its line, and higher: on one base line the smaller one's middle is the lower one. */
function isRaised(word: PdfWord, beside: PdfWord): boolean {
  if (beside.turn !== 0 || word.size > beside.size * 0.82) return false;
  const middle = word.y + word.height / 2;
  const other = beside.y + beside.height / 2;
  return middle < other - beside.size * 0.08 && word.y + word.height > beside.y;
}

function raised(text: string): string {
  return bracketed.test(text) ? text : [...text].map((sign) => raisedForms.get(sign) ?? sign).join('');
}
