// Whether a claim says cells of a row just as they stand: "Name: value; Name: value", each with the name of its own column. What the words mean has no part in
// it, so that signs, abbreviations and columns that are called "Who" or "By" are read like any others. Pure. Invariant: one changed character and it is none.
import type { Row } from './rows.ts';

/** The names of the columns that the claim says; `fold`: spaces as the check of claims reads them. Undefined where it says anything else, or two columns have one name. */
export function cellsAsWritten(
  claim: string,
  { cells, heading }: Row,
  fold: (text: string) => string,
): readonly string[] | undefined {
  if (heading !== undefined) return undefined;
  const text = fold(claim);
  const names: string[] = [];
  let at = 0;
  for (const [place, cell] of cells.entries()) {
    const [name, value] = [fold(cell.name), fold(cell.value)];
    // What the row is called by may stand in front without the name of its column: "Team: Price: $29".
    const ways = [...(name === '' ? [] : [`${name}: ${value}`]), ...(place === 0 ? [`${value}:`] : [])];
    const way = ways.find((one) => text.startsWith(one, at) && isJoint(text, at + one.length, one.endsWith(':')));
    if (way === undefined) continue;
    if (way !== `${value}:`) names.push(name);
    at += way.length;
    if (at === text.length)
      return isPlain(
        names,
        cells.map((one) => fold(one.name)),
      )
        ? names
        : undefined;
    at += way.endsWith(':') ? 1 : 2;
  }
  return undefined;
}

const isJoint = (text: string, at: number, isLabel: boolean): boolean =>
  isLabel ? text[at] === ' ' : at === text.length || text.startsWith('; ', at);

/** A name that two columns share says nothing of either; a label alone says nothing. */
const isPlain = (names: readonly string[], all: readonly string[]): boolean =>
  names.length > 0 && names.every((name) => all.filter((one) => one === name).length === 1);
