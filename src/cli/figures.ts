// Figures as people read them: counts with their thousands, sizes, times, prices. Rounded, never more exact than they are.

export const toCount = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });

export function toDuration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** US dollars for one thing. */
export const toPrice = (costUsd: number): string => `$${costUsd.toFixed(4)}`;

/** US dollars for many things: to the cent, and less than one in millionths. */
export const toSum = (costUsd: number): string => `$${costUsd.toFixed(costUsd >= 0.01 || costUsd === 0 ? 2 : 6)}`;

/** In powers of ten, as file managers show it. */
export function toSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let at = 0;
  let value = bytes;
  for (; value >= 999.5 && at < units.length - 1; at += 1) value /= 1000;
  return `${at === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${units[at]}`;
}
