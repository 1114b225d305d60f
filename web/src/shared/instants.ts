// Instants as people read them, in the zone and the way of writing of whoever looks.
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const minute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export const dayText = (instant: string | number): string => day.format(new Date(instant));
/** To the minute. */
export const instantText = (instant: string): string => minute.format(new Date(instant));
