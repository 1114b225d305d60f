// Reads the cells of a row as what a claim may say of them: the words of the column's name without its unit, the words of the value, and the
// figure with the unit that its header gives. Invariant: a value counts only whole, a figure only with its scale and unit.

import type { Cell, Row } from '../tables/rows.ts';
import { type Language, readTokens, type Token } from './tokens.ts';

/** The words of a value or name that a claim must have, one after the other. */
export interface CellReading {
  readonly cell: Cell;
  /** Other ways to say the name; empty where the cell has none. */
  readonly names: readonly (readonly Token[])[];
  /** Ways to say the value. */
  readonly values: readonly (readonly Token[])[];
  /** The name with its unit and then the bare value, as in "Depth (m): 12"; empty where the name has none. */
  readonly asWritten: readonly Token[];
  /** Words of a unit that may follow the value. */
  readonly unit: readonly string[];
  /** "deep" after a depth. */
  readonly adjectives: readonly string[];
  /** The column says when. */
  readonly isTime: boolean;
}

export interface RowReading {
  readonly cells: readonly CellReading[];
  /** What the row is called by, without its column's name. */
  readonly label: CellReading | undefined;
}

const articles = /^(?:the|a|an|der|die|das|den|dem|des|ein|eine|einer|einem|einen|eines)$/u;
/** Small words that part the words of a name in one text and not in the other. */
export const isLooseWord = (token: Token): boolean => token.type === 'mark' || articles.test(token.lower);

/** In longer names nothing is looked for. */
const longestName = 200;
/** What stands in brackets behind a name and is no unit. */
const qualifier =
  /^(?:net|gross|est|act|actual|plan|planned|budget|avg|mean|max|min|adj|nom|real|ytd|old|new|prev|incl|excl|total|sum|yes|no|ja|nein|brutto|netto|ist|soll)\.?$/iu;
const bracketed = /^(.*\S)\s*[([]\s*([^()[\]\s](?:[^()[\]]{0,22}[^()[\]\s])?)\s*[)\]]$/u;
const commaUnit = /^(.*\S),\s*([^,\s]{1,8}|in \S+(?: \S+)?)$/u;
const scale = /^(?:thousands?|millions?|billions?|mn|bn|mio\.?|mrd\.?|tsd\.?|tausend|millionen|milliarden)$/iu;
const currencySign = /[$€£¥₹]/u;
const plainFigure = /^[+−-]?\d[\d.,'\s]*$/u;
const accounted = /^\(\s*([$€£]?\d[\d.,]*(?:\s*%)?)\s*\)$/u;
const timeName =
  /^(?:date|day|month|year|time|when|period|quarter|week|fiscal year|datum|tag|monat|jahr|zeit|zeitraum|quartal|woche)$/iu;
/** Words of a name that only say that it is one. */
const naming = /^(?:id|no|number|nr|nummer|code|key|name|label)$/u;
/** Which of several numbers and addresses of a person it is. */
const addressKind = /(?<!\s)\s*\((?:work|home|cell|mobile|main|office|private)(?:, \w+)?\)$/u;
const adjectives: Readonly<Record<string, readonly string[]>> = {
  depth: ['deep'],
  width: ['wide'],
  length: ['long'],
  height: ['high', 'tall'],
  thickness: ['thick'],
  age: ['old'],
  tiefe: ['tief'],
  breite: ['breit'],
  länge: ['lang'],
  höhe: ['hoch'],
  alter: ['alt'],
};

const wordsOf = (text: string, language: Language): Token[] =>
  readTokens(text, language).tokens.filter((token) => !isLooseWord(token));

/** A name and the unit that it gives its figures. */
function splitUnit(name: string, isFigure: boolean): { readonly name: string; readonly unit: string } {
  if (name.length > longestName) return { name, unit: '' };
  const [, before, inside] = bracketed.exec(name) ?? commaUnit.exec(name) ?? [];
  if (before === undefined || inside === undefined || !isFigure) return { name, unit: '' };
  const unit = inside.replace(/^in\s+/u, '').trim();
  if (qualifier.test(unit)) return { name, unit: '' };
  if (figureWith('1', unit, 'en') !== undefined) return { name: before, unit };
  return /^[^\s\d]{1,8}$/u.test(unit) && !/^\p{Lu}?\p{Ll}{5,}$/u.test(unit)
    ? { name: before, unit }
    : { name, unit: '' };
}

/** The figure read with its unit: one token, or undefined where the unit is none that is known. */
function figureWith(figure: string, unit: string, language: Language): Token | undefined {
  const sign = currencySign.exec(unit)?.[0] ?? '';
  const words = unit
    .replace(currencySign, ' ')
    .split(/[\s]+/u)
    .filter((word) => word !== '' && word !== 'of');
  const scales = words.filter((word) => scale.test(word) || (sign !== '' && /^[mk]$/iu.test(word)));
  const units = words.filter((word) => !scales.includes(word));
  const [first] = scales;
  if (scales.length > 1 || units.length > 1 || (sign !== '' && units.length > 0)) return undefined;
  const written =
    first === undefined
      ? ''
      : /^m$/iu.test(first)
        ? ' million'
        : /^k$/iu.test(first)
          ? ' thousand'
          : ` ${first.replace(/(?<=thousand|million|billion)s$/iu, '')}`;
  const { tokens } = readTokens(`${sign}${figure}${written}${units.length === 0 ? '' : ` ${units[0]}`}`, language);
  const [token] = tokens.filter(({ type }) => type !== 'mark');
  const isWhole = tokens.length === 1 && token?.quantity !== undefined;
  return isWhole && (token.quantity?.unit !== undefined || written !== '') ? token : undefined;
}

/** The parts of `stations[3].maxDepth`: the last is what the value is called. */
function pathNames(name: string): readonly string[] {
  if (!/^[\w$[\]".-]+$/u.test(name) || !/[._[]|\p{Ll}\p{Lu}/u.test(name)) return [name];
  const apart = (part: string): string => part.replace(/[_-]+/gu, ' ').replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ');
  const parts = name
    .replace(/\[\d*\]/gu, '')
    .split('.')
    .filter((part) => part !== '');
  return [parts.map(apart).join(' '), apart(parts.at(-1) ?? name)];
}

function namesOf(name: string, language: Language): Token[][] {
  const spoken = [...new Set([...pathNames(name), name.replace(/\.$/u, ''), name.replace(addressKind, '')])].map(
    (text) => wordsOf(text, language),
  );
  const shorter = spoken.flatMap((words) =>
    words.length > 1 && naming.test(words.at(-1)?.lower ?? '') ? [words.slice(0, -1)] : [],
  );
  return [...spoken, ...shorter].filter((words) => words.some(({ content }) => content));
}

/** `rowUnit` is what the row's own label gives its figures: "Revenue (million)". */
function readCell(cell: Cell, language: Language, rowUnit = ''): CellReading {
  const negative = accounted.exec(cell.value)?.[1];
  const value = negative === undefined ? cell.value : `-${negative}`;
  const own = splitUnit(cell.name, plainFigure.test(value));
  const unit = own.unit === '' && plainFigure.test(value) ? rowUnit : own.unit;
  const full = unit === '' ? undefined : figureWith(value, unit, language);
  const plain = wordsOf(value, language);
  // "9.1 mg/L" is read as a figure in mg and a word.
  const measured = full === undefined && unit !== '' ? wordsOf(`${value} ${unit}`, language) : [];
  return {
    cell,
    names: namesOf(own.name, language),
    values: (full === undefined ? [plain, measured, dayOf(plain)] : [[full]]).filter((words) => words.length > 0),
    asWritten: own.unit === '' ? [] : [...wordsOf(cell.name, language), ...plain],
    unit: full === undefined && unit !== '' ? wordsOf(unit, language).map(({ lower }) => lower) : [],
    adjectives: adjectives[own.name.toLowerCase()] ?? [],
    isTime: timeName.test(own.name.trim()),
  };
}

/** Of a day with its time of day the day alone; of two days nothing. */
function dayOf(words: readonly Token[]): Token[] {
  const dates = words.flatMap(({ date }) => (date ? [date] : []));
  const days = dates.filter(({ precision }) => precision !== 'time');
  if (dates.length < 2 || days.length !== 1 || days[0]?.precision !== 'day') return [];
  return words.filter(({ date }) => date === days[0]);
}

const spell = (words: readonly Token[]): string => words.map(({ lower }) => lower).join(' ');

/** The row as a claim may speak of it. */
export function readRow({ cells, heading }: Row, language: Language): RowReading {
  const [first] = cells;
  const called = heading === undefined && first !== undefined ? splitUnit(first.value, true) : { name: '', unit: '' };
  const read = cells.map((cell, at) =>
    at === 0 && called.unit !== ''
      ? readCell({ name: cell.name, value: called.name }, language)
      : readCell(cell, language, called.unit),
  );
  const holders = new Map<string, Set<number>>();
  const whole = new Map<string, number>();
  for (const [at, { names }] of read.entries())
    for (const [index, words] of names.entries()) {
      const name = spell(words);
      holders.set(name, (holders.get(name) ?? new Set()).add(at));
      if (index === 0) whole.set(name, (whole.get(name) ?? 0) + 1);
    }
  // A name that two columns share says nothing of either.
  const isOwn = (words: readonly Token[], index: number): boolean =>
    holders.get(spell(words))?.size === 1 || (index === 0 && whole.get(spell(words)) === 1);
  const own = read.map((cell) => ({ ...cell, names: cell.names.filter(isOwn) }));
  return { cells: own, label: heading === undefined ? own[0] : readCell({ name: '', value: heading }, language) };
}
