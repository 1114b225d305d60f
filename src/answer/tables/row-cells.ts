// Says of a wide row what was asked: its first cell, which names it, and the cells that the question is about, as they stand. The citation still holds the
// whole row. Pure.
import { countWords } from '../../text/sentences.ts';
import { rowsOf } from './rows.ts';

/** The row in at most `longest` words; undefined where the text is no row of named cells, or short enough. `tells`: how much of the question a text holds. */
export function narrowRow(text: string, tells: (cell: string) => number, longest: number): string | undefined {
  if (countWords(text) <= longest) return undefined;
  const [row, ...others] = rowsOf(text);
  if (row === undefined || others.length > 0) return undefined;
  const cells = row.cells.map(({ name, value }, at) => {
    const written = name === '' ? value : `${name}: ${value}`;
    return { at, written, words: countWords(written), told: tells(written) };
  });
  const [first, ...rest] = cells;
  if (first === undefined) return undefined;
  const chosen = [first];
  let left = longest - first.words;
  for (const cell of rest.sort((a, b) => b.told - a.told || a.at - b.at)) {
    if (cell.words > left) break;
    if (chosen.length > fewest && cell.told <= 0) break;
    chosen.push(cell);
    left -= cell.words;
  }
  return chosen
    .sort((a, b) => a.at - b.at)
    .map(({ written }) => written)
    .join('; ');
}
/** Cells that are said beside the first where the question names none. */
const fewest = 3;
