// Figures as people read them: counts with their thousands, times, prices. Rounded, never more exact than they are.

export const toCount = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });

export function toDuration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** US dollars for one thing. */
export const toPrice = (costUsd: number): string => `$${costUsd.toFixed(4)}`;

/** US dollars for many things: to the cent, and less than one in millionths. */
export const toSum = (costUsd: number): string => `$${costUsd.toFixed(costUsd >= 0.01 || costUsd === 0 ? 2 : 6)}`;
