// Which of many cases a short run tries. The long run tries them all; a short one tries an equal share, another one each day, so that all are tried within as
// many days as there are shares. `FOOTNOTE_TEST_DAY` repeats the run of a day.
export const isLongRun = process.env['FOOTNOTE_TEST_LONG'] !== undefined;

/** Days since 1970: the same for all tests of a run that does not last over midnight, and for all machines. */
export const dayOfRun = Number(process.env['FOOTNOTE_TEST_DAY'] ?? Math.floor(Date.now() / 86_400_000));

/** The cases whose turn it is: one of `shares`, at even distances, or by a number that they have. */
export function shareOfDay<Case>(
  cases: readonly Case[],
  shares: number,
  numberOf: (one: Case, at: number) => number = (_, at) => at,
): readonly Case[] {
  return isLongRun ? cases : cases.filter((one, at) => (numberOf(one, at) + dayOfRun) % shares === 0);
}
