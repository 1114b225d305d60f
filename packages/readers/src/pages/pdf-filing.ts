// Names reports filed with the US Securities and Exchange Commission by their cover page (17 CFR 249): registrant, form and period. Its
// largest type is the name of the commission, or of the company alone, of which there are many reports.

const registrantNote = /^\(exact name of (?:the )?(?:registrant|issuer|company)\b/i;
const form = /^form\s+((?:10|8|6|20|40|11|18|S|F)-[A-Z0-9]{1,3}|DEF ?14A)(?:\/A)?$/i;
const period =
  /\bfor the ((?:fiscal year|quarterly period|year|quarter|transition period) ended:? +\p{L}{3,9}\.? \d{1,2}, ?\d{4})/iu;
const reportDate = /\bdate of report\b.{0,200}?(\p{L}{3,9}\.? \d{1,2}, ?\d{4})/iu;
/** Lines of the cover up to the note under the name. */
const furthestLine = 60;
const longestName = 120;

/** "NETFLIX, INC.: Form 10-K, fiscal year ended December 31, 2015"; undefined where the lines are no such cover. */
export function filingTitle(lines: readonly string[]): string | undefined {
  const cover = lines.slice(0, furthestLine).map((line) => line.replace(/\s+/g, ' ').trim());
  const note = cover.findIndex((line) => registrantNote.test(line));
  const named = cover.slice(0, Math.max(0, note)).findLast((line) => /\p{L}{2}/u.test(line));
  const formName = cover.map((line) => form.exec(line)).find((match) => match !== null)?.[0];
  if (named === undefined || formName === undefined || named.length > longestName) return undefined;
  const [when] = [period, reportDate]
    .flatMap((pattern) => cover.map((line) => pattern.exec(line)?.[1] ?? ''))
    .filter(Boolean);
  const title = `${named}: ${formName.replace(/^form/i, 'Form')}`;
  return when === undefined ? title : `${title}, ${when}`;
}
