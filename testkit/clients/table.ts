// The table "What each shows" of docs/doors.md.
const table = /(## What each shows\n(?:[^|][^\n]*\n|\n)*\|[^\n]+\|\n\|[-| ]+\|\n)((?:\|[^\n]+\|\n)+)/u;

const partsOf = (page: string): { readonly head: string; readonly rows: string } => {
  const [, head, rows] = table.exec(page) ?? [];
  if (head === undefined || rows === undefined) throw new Error('The page has no table "What each shows".');
  return { head, rows };
};

export const rowsIn = (page: string): readonly string[] => partsOf(page).rows.trimEnd().split('\n');

export function withRows(page: string, rows: readonly string[]): string {
  const old = partsOf(page);
  return page.replace(old.head + old.rows, () => `${old.head}${rows.join('\n')}\n`);
}
