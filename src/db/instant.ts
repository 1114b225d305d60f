// Reads dates as instants. Only ISO 8601 forms count (`2019`, `2019-03`, `2019-03-01`, with a time and an offset): what is
// not written with an offset is UTC, so that the same record compares the same on every machine.
const pattern =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s?([Zz]|[+-]\d{2}:?\d{2}))?)?)?)?$/;

/** Milliseconds since 1970, or undefined where `value` is not a date that exists. */
export function toInstant(value: string): number | undefined {
  const match = pattern.exec(value);
  if (!match) return undefined;
  const part = (index: number, missing: number): number =>
    match[index] === undefined ? missing : Number(match[index]);
  const [year, month, day] = [part(1, 0), part(2, 1), part(3, 1)];
  const [hour, minute, second] = [part(4, 0), part(5, 0), part(6, 0)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Math.trunc(Number(`0.${match[7] ?? '0'}`) * 1000));
  return date.getTime() - offsetMs(match[8]);
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function offsetMs(offset: string | undefined): number {
  if (offset === undefined || offset === 'Z' || offset === 'z') return 0;
  const digits = offset.replace(':', '');
  const minutes = Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}
