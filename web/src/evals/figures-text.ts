// Figures as they are read. Pure.

const two = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const signed = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 3,
  maximumFractionDigits: 3,
  signDisplay: 'exceptZero',
});

/** A score of 0 to 1; `–` where there was nothing to judge by. */
export const scoreText = (score: number | null | undefined): string =>
  score === null || score === undefined ? '–' : two.format(score);

export const changeText = (change: number): string => signed.format(change);

/** All days from the first to the last, both inclusive, so that a day on which nothing was is a bar of its own. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to) && days.length < 4000; at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
