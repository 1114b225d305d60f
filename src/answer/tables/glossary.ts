// Rows of a glossary or of a list of codes: the first cell names what another cell says in some words. Pure.
import { countWords } from '../../text/sentences.ts';

/** Cells with fewer words are values. */
const leastWords = 5;

const cellsOf = (row: string): readonly string[] =>
  row
    .replace(/^\s*\|/u, '')
    .split(' | ')
    .map((cell) => cell.replace(/<[^<>]{0,200}>/gu, '').trim());

/** Whether some cell says in words what the first one names. */
export const explains = (row: string): boolean =>
  cellsOf(row)
    .slice(1)
    .some((cell) => countWords(cell) >= leastWords);

/** Whether it says what the subject is: "the warning W03" is what the row of "W03" names. */
export function explainsSubject(row: string, subject: string): boolean {
  const [name = ''] = cellsOf(row);
  const word = name.replace(/^[`"'([]{1,3}|[`"')\]]{1,3}$/gu, '').toLowerCase();
  if (word.length < 2 || !explains(row)) return false;
  const asked = subject.toLowerCase();
  const at = asked.indexOf(word);
  return at >= 0 && !/[\p{L}\p{N}_-]/u.test(`${asked[at - 1] ?? ''}${asked[at + word.length] ?? ''}`);
}
