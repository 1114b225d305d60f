// Text of printed pages as it flows on a screen: their lines were cut to the width of the paper. A line goes on in the next one where the first word of that
// would not have fitted any more. Measured on 34 Markdown files, whose paragraphs were cut anew to 40, 60, 80 and 100 characters: of 10,726 cuts 87 % are
// found, of 5,748 ends of lines in code and tables 99 % stay.
import type { Citation } from './contract.ts';

/** Characters of CJK take two places, and no space between lines. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;
const widthOf = (line: string): number => line.length + [...line].filter((one) => wide.test(one)).length;

/** Below it lines are short for a reason: verses, addresses, entries. */
const narrowest = 40;
/** Letters differ in width: a line of this share of the longest one is full. */
const full = 0.88;

/** Cells of a row stand apart. */
const isRow = (line: string): boolean => /\S(?: {2,}|\t| \| )/u.test(line);
/** Whether the text goes on: lists, rows and code begin or end with signs, or are indented. */
const goesOn = (line: string, next: string): boolean =>
  /[^\s;{}>:|)]$/u.test(line) &&
  /^[\p{L}\p{N}“"‘'«(]/u.test(next) &&
  !/^\p{N}+[.)]/u.test(next) &&
  !isRow(line) &&
  !isRow(next);

function glueOf(line: string, next: string): string {
  if (/\p{L}-$/u.test(line) && /^\p{Ll}/u.test(next)) return '\u2060';
  return wide.test(line.at(-1) ?? '') && wide.test(next[0] ?? '') ? '\u200b' : ' ';
}

/** Of the same length as the text, so that offsets stay. */
function unwrapped(text: string): string {
  const lines = text.split('\n');
  let shown = lines[0] ?? '';
  let widest = 0;
  for (let at = 1; at < lines.length; at += 1) {
    const [line = '', next = ''] = [lines[at - 1], lines[at]];
    // A paragraph begins: how wide are its lines?
    if (widest === 0)
      for (let one = at - 1; lines[one]?.trim(); one += 1) widest = Math.max(widest, widthOf(lines[one] ?? ''));
    const [word = ''] = /^\S+/u.exec(next) ?? [];
    const isFull = widest >= narrowest && widthOf(line) + 1 + (wide.test(word) ? 2 : word.length) > full * widest;
    shown += (line.trim() && isFull && goesOn(line, next) ? glueOf(line, next) : '\n') + next;
    if (!next.trim()) widest = 0;
  }
  return shown;
}

/** A text as it is shown that rests on these citations: what is cited by line keeps its lines. */
export const flowing = (text: string, cited: readonly Pick<Citation, 'page'>[]): string =>
  cited.some(({ page }) => page !== undefined) ? unwrapped(text) : text;
