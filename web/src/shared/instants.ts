// Instants as people read them, in the zone and the way of writing of whoever looks.
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const minute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export const dayText = (instant: string | number): string => day.format(new Date(instant));
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
/** In whole units, rounded up: `3 hours`. */
export function spanText(seconds: number): string {
  const [unit, length] = units.find(([, one]) => seconds >= 2 * one) ?? units[2];
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.ceil(seconds / length),
  );
}
/** To the minute. */
export const instantText = (instant: string): string => minute.format(new Date(instant));
