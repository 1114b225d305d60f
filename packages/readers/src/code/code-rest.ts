// What stands between the symbols of a source file: imports, constants, statements. Invariant: no text is in no block.

import { paragraphBlocks } from '../canonical/canonical-text.ts';
import type { Block } from '../document.ts';

/** The symbols with blocks for what is outside the outermost ones, in order. Inner symbols come behind the one that they lie in. */
export function withRest(text: string, symbols: readonly Block[]): Block[] {
  const rest: Block[] = [];
  let covered = 0;
  const addRest = (to: number): void => {
    for (const block of paragraphBlocks(text.slice(covered, to), 'code'))
      rest.push({ ...block, start: block.start + covered, end: block.end + covered });
  };
  for (const symbol of symbols) {
    if (symbol.end <= covered) continue;
    addRest(symbol.start);
    covered = symbol.end;
  }
  addRest(text.length);
  return [...symbols, ...rest].sort((a, b) => a.start - b.start || b.end - a.end);
}
