// Which of the first rows of a CSV names its columns. Mostly the first one; exports of banks and instruments write what they are about above it
// (account, period, balance), and end their lines with a delimiter too many.

/** A row without the empty cells at its end. */
export const withoutTail = (row: readonly string[]): readonly string[] =>
  row.slice(0, row.findLastIndex((cell) => cell !== '') + 1);

/**
 * A header names its columns: none twice, none a number but years that are none below. The first one may have no name where its rows are numbered or named
 * (data frames are written so).
 */
function isHeader(row: readonly string[], below: readonly (readonly string[])[]): boolean {
  const names = row.slice(row[0] === '' && isIndex(below) ? 1 : 0);
  if (names.length === 0 || new Set(names).size < names.length) return false;
  const offset = row.length - names.length;
  const areNames = names.every(
    (cell, at) =>
      cell !== '' &&
      cell.length <= 120 &&
      (!number.test(cell) || isYearAlone(cell, at + offset, below)) &&
      !isValueAsBelow(cell, at + offset, below),
  );
  return areNames && names.some((cell) => !number.test(cell));
}

/**
 * A first row that names columns twice, or some not at all, is the header where none of its names comes again below it and the rows below differ from it:
 * a column holds figures or dates under a name, or the columns of one name hold different values in every row.
 */
function isLooseHeader(row: readonly string[], below: readonly (readonly string[])[]): boolean {
  const named = row.flatMap((name, column) => (name === '' ? [] : [{ name, column }]));
  const twice = named.filter(({ name }, at) => named.findIndex((one) => one.name === name) < at);
  const names = [...new Set(named.map(({ name }) => name))];
  if (named.length * 2 <= row.length || names.length < 2 || !isHeader(names, [])) return false;
  if (named.some(({ name, column }) => below.some((cells) => cells[column] === name))) return false;
  if (named.some(({ name, column }) => isValueAsBelow(name, column, below))) return false;
  const hasFigures = named.some(({ name, column }) => {
    const values = below.flatMap((cells) => cells[column] || []);
    return !startsWithFigure(name) && values.length > 0 && values.filter(startsWithFigure).length * 2 > values.length;
  });
  const first = (name: string): number => row.indexOf(name);
  const isApart =
    twice.length > 0 && below.every((cells) => twice.every(({ name, column }) => cells[column] !== cells[first(name)]));
  return hasFigures || (named.length === row.length && isApart);
}

/** What names no column that holds the same: days and moments, addresses of the web and of mail, hashes. */
const kindsOfValues = [
  /^\d{4}-\d\d-\d\d(?:[T ][\d:.,+Z-]{1,30})?$/u,
  /^\d{1,2}[./-]\d{1,2}[./-](?:\d\d){1,2}(?: [\d:.]{1,12})?$/u,
  /^[a-z]{2,10}:\/\/\S+$/iu,
  /^[^\s@]{1,100}@[^\s@]{1,100}\.[a-z]{2,20}$/iu,
  /^(?=[a-f]{0,64}\d)(?=\d{0,64}[a-f])[\da-f]{7,64}$/iu,
];

/** The file has no header then: its first row is one of its rows. */
function isValueAsBelow(cell: string, column: number, below: readonly (readonly string[])[]): boolean {
  const kind = kindsOfValues.find((pattern) => pattern.test(cell));
  const values = kind === undefined ? [] : below.flatMap((row) => row[column] || []);
  return (
    kind !== undefined && values.length > 0 && values.filter((value) => kind.test(value)).length * 2 > values.length
  );
}

const number = /^[-+]?[\d.,]+%?$/u;
const year = /^(?:19|20)\d\d$/u;

const isYearAlone = (cell: string, column: number, below: readonly (readonly string[])[]): boolean =>
  year.test(cell) && below.filter((row) => year.test(row[column] ?? '')).length * 2 < below.length;

/** The first column is filled, and none of its values comes twice. */
function isIndex(below: readonly (readonly string[])[]): boolean {
  const values = below.map(([first = '']) => first);
  return values.length > 0 && !values.includes('') && new Set(values).size === values.length;
}

const filledIn = (row: readonly string[]): number => row.reduce((sum, cell) => sum + (cell === '' ? 0 : 1), 0);

/** Figures and dates, with a sign or a currency before them. */
const startsWithFigure = (cell: string): boolean => /^[\p{Sc}+(−-]{0,2}\s?\d/u.test(cell);

/** The index of the header among rows that have content; undefined where there is none, or nothing below it. */
export function headerAt(rows: readonly (readonly string[])[]): number | undefined {
  const [first] = rows;
  if (first === undefined || rows.length < 2) return undefined;
  let widest = 0;
  for (const [index, row] of rows.entries()) {
    if (index > 0 && isHeaderBelow(rows, index, widest)) return index;
    widest = Math.max(widest, filledIn(row));
  }
  const [names, below] = [withoutTail(first), rows.slice(1)];
  return isHeader(names, below) || isLooseHeader(names, below) ? 0 : undefined;
}

/**
 * Whether a row that is no first one is the header: all rows above are narrower by a quarter, those below fit under it, and one of its columns holds
 * figures or dates.
 */
function isHeaderBelow(rows: readonly (readonly string[])[], at: number, widestAbove: number): boolean {
  const names = withoutTail(rows[at] ?? []);
  if (names.length < 3 || !isHeader(names, rows.slice(at + 1)) || widestAbove > Math.max(2, names.length * 0.75))
    return false;
  const below = rows.slice(at + 1);
  const fitting = below.filter((row) => {
    const width = withoutTail(row).length;
    return width <= names.length && width > Math.min(widestAbove, names.length / 2);
  });
  if (below.length === 0 || fitting.length < below.length * 0.6) return false;
  return names.some(
    (name, column) =>
      !startsWithFigure(name) &&
      fitting.filter((row) => startsWithFigure(row[column] ?? '')).length >= Math.max(1, fitting.length * 0.6),
  );
}
