// Days of the calendar: as an address holds them, and the days beside them. Pure.
const dayMs = 86_400_000;

/** Whether the text names a day that there is: the 31st of February is none, though some engines read it as a day of March. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = Date.parse(text);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

function beside(day: string, count: number): string {
  if (!isDay(day)) return '';
  const text = new Date(Date.parse(day) + count * dayMs).toISOString();
  // Years of five digits and years before 0 have a sign.
  return /^\d/.test(text) ? text.slice(0, 10) : '';
}

/** Empty after what is no day. */
export const dayAfter = (day: string): string => beside(day, 1);
/** Empty before what is no day. */
export const dayBefore = (day: string): string => beside(day, -1);
