// Periods of accounts that a question names ("FY2023", "Q2 of FY 2024"), and whether a text tells them: a figure of another period is not the
// one asked for. Years outside accounts are not read here: they are seldom said again. Pure.

const named = /(?<![\p{L}\p{N}])(?:FY ?((?:19|20)\d{2})|Q([1-4])|([1-4])Q)(?![\p{L}])/gu;
const shortYear = /\bFY ?(\d{2})\b/gu;
const quarter = /Q([1-4])|([1-4])Q|\b(first|second|third|fourth)[ -]quarter/giu;
const quarters = ['first', 'second', 'third', 'fourth'];

/** "FY2023", "Q2", "Q2’2023", "FY". */
const periodWord = /^(?:FY(?:(?:19|20)?\d{2})?|Q[1-4](?:['’]?(?:19|20)?\d{2})?|[1-4]Q(?:(?:19|20)?\d{2})?)[,;]?$/u;

/** Whether the word names a period of accounts: filings hardly ever write it so ("fiscal 2023"), and it names nobody. */
export const isPeriodWord = (word: string): boolean => periodWord.test(word);

/** Share of the periods of accounts that the question names and the text does not tell, 0..1; 0 where it names none. */
export function periodsUntold(question: string, text: string): number {
  const asked = [...question.matchAll(named)];
  if (asked.length === 0) return 0;
  const quartersTold = new Set(
    Array.from(text.matchAll(quarter), ([, before, after, word = '']) =>
      Number(before ?? after ?? quarters.indexOf(word.toLowerCase()) + 1),
    ),
  );
  const isTold = ([, year, before, after]: RegExpExecArray): boolean => {
    if (year === undefined) return quartersTold.has(Number(before ?? after));
    return text.includes(year) || [...text.matchAll(shortYear)].some(([, digits]) => digits === year.slice(2));
  };
  return asked.filter((one) => !isTold(one)).length / asked.length;
}
