// What a spreadsheet displays for a stored number (ECMA-376 part 1 §18.8.31), by SheetJS's formatter; dates carry their ISO form as well,
// since "3/4/24" is two days.
import { SSF } from '@e965/xlsx';
import type { SheetCell } from './spreadsheet-sheet.ts';
import { oneLine } from './spreadsheet-sheet.ts';

/** Formats that follow the reader's settings: what they display cannot be known from the file. */
const followsReader = /^(?:m\/d\/yy(?: h:mm)?|\[\$-F(?:800|400)\].*)$/iu;

/** `format` is a format code such as `0.00%`; 'General' shows the number as it is. */
export function displayNumber(value: number, format: string, isDate1904: boolean): Pick<SheetCell, 'text' | 'kind'> {
  if (format === 'General' || format === '') return { text: general(value), kind: 'number' };
  if (isDateFormat(format)) {
    const date = displayDate(value, format, isDate1904);
    if (date !== undefined) return { text: date, kind: 'date' };
  }
  const text = oneLine(formatted(value, format, isDate1904));
  // A format may hide its number (`;;;`): it is still there.
  return { text: text === '' ? general(value) : text, kind: 'number' };
}

const general = (value: number): string => oneLine(formatted(value, 'General', false));

function formatted(value: number, format: string, isDate1904: boolean): string {
  try {
    return SSF.format(format, value, { date1904: isDate1904 }) as string;
  } catch {
    return String(value);
  }
}

function isDateFormat(format: string): boolean {
  try {
    return SSF.is_date(format) as boolean;
  } catch {
    return false;
  }
}

function displayDate(value: number, format: string, isDate1904: boolean): string | undefined {
  const parts = SSF.parse_date_code(value, { date1904: isDate1904 }) as
    | { y: number; m: number; d: number; H: number; M: number; S: number }
    | null
    | undefined;
  if (!parts) return undefined;
  const shown = oneLine(formatted(value, withPlainDots(format), isDate1904));
  const letters = format
    .replace(/"[^"]*"|\\.|\[[^[\]]*\]/gu, '')
    .replace(/am\/pm|a\/p/giu, 'h')
    .toLowerCase();
  const pad = (part: number, width = 2): string => String(part).padStart(width, '0');
  const follows = followsReader.test(format);
  const hasDay = letters.includes('d') || follows;
  const hasYear = letters.includes('y') || follows;
  const hasTime = letters.includes('h') || letters.includes('s');
  // Durations and times of day are what they display; so is a year alone, or a month or weekday.
  if ((!hasDay && !hasYear) || (hasYear && !hasDay && !/m/u.test(letters))) return shown;
  if (!hasYear && !hasDay) return shown;
  const day = `${pad(parts.y, 4)}-${pad(parts.m)}${hasDay ? `-${pad(parts.d)}` : ''}`;
  const time = hasTime ? `T${pad(parts.H)}:${pad(parts.M)}${parts.S === 0 ? '' : `:${pad(parts.S)}`}` : '';
  return withIsoDate(follows ? '' : shown, `${day}${hasDay ? time : ''}`);
}

/** A dot in the format of a date stands for itself (`dd.mm.yyyy`), which SheetJS refuses; only before zeros it begins fractions of a second. */
const withPlainDots = (format: string): string =>
  format.replace(/"[^"]*"|\\.|\[[^[\]]*\]|\.(?!0)/gu, (part) => (part === '.' ? '\\.' : part));

/** What is displayed, with the ISO form behind it where it says more. */
export function withIsoDate(shown: string, iso: string): string {
  const plain = iso.replace('T', ' ');
  return shown === '' ? plain : shown === iso || shown === plain ? shown : `${shown} (${plain})`;
}

/** The formats that a number of a style means where the file defines none (ECMA-376 part 1 §18.8.30). */
export const builtInFormat = (id: number): string => (SSF.get_table() as Record<number, string>)[id] ?? 'General';
