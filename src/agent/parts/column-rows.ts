// What every row of a table says of a thing under a criterion, in a document that is called by the thing: the retention of each of its plans. Invariant: each
// claim was read back and verified, and where one of the rows cannot be said, or there are many, nothing is: some of them would pass for all.
import type { VerifiedClaim, VerifiedSpan } from '../../answer/claims/draft.ts';
import { termSet } from '../../answer/question/terms.ts';
import { isSameThing } from '../../answer/support/compared/things.ts';
import { isBarRow, isDelimiterRow, rowsOf } from '../../answer/tables/rows.ts';
import type { Evidence } from '../../core/search.ts';
import type { SubQuery } from '../plan/plan.ts';
import { claimsThat, type Reading, readPlace } from './read-claims.ts';

const mostRows = 6;
const longestPassage = 20_000;
const mostTables = 4;

interface Place {
  readonly start: number;
  readonly end: number;
}

/** One claim for each row, in their order; none where no column is called by the criterion. Throws what the reader throws. */
export async function columnClaims(
  { criterion, thing }: Pick<SubQuery, 'criterion' | 'thing'>,
  evidence: readonly Evidence[],
  reading: Reading,
): Promise<readonly VerifiedClaim[]> {
  const wanted = termSet(criterion ?? '');
  if (!thing || wanted.size === 0) return [];
  const tables = evidence
    .filter(({ title }) => isSameThing(title, thing.name))
    .flatMap((one) => tablesIn(one).map((rows) => ({ one, rows })));
  for (const { one, rows } of tables.slice(0, mostTables)) {
    if (rows.length < 2 || rows.length > mostRows) continue;
    const claims: VerifiedClaim[] = [];
    for (const place of rows) {
      const span = await readPlace(one, place, reading);
      const text = span && textOf(span, { wanted, isCompared: thing.others.length > 0 });
      if (!span || text === undefined) break;
      claims.push(...(await claimsThat(text, [span], reading)));
    }
    if (claims.length === rows.length) return claims;
  }
  return [];
}

/** The rows below the marked header of each table. */
function tablesIn({ text }: Evidence): readonly (readonly Place[])[] {
  const tables: Place[][] = [];
  let rows: Place[] | undefined;
  for (const { 0: line, index } of text.slice(0, longestPassage).matchAll(/[^\n]*(?:\n|$)/gu)) {
    const shown = line.trim();
    if (isDelimiterRow(shown)) {
      rows = [];
      tables.push(rows);
    } else if (!isBarRow(shown)) rows = undefined;
    else if (rows) {
      const start = index + (line.length - line.trimStart().length);
      rows.push({ start, end: start + shown.length });
    }
  }
  return tables;
}

/** What the row is called by and the cell under the criterion; undefined where one column alone is not called so. */
function textOf(
  { quote, columns, title }: VerifiedSpan,
  { wanted, isCompared }: { readonly wanted: ReadonlySet<string>; readonly isCompared: boolean },
): string | undefined {
  const [row] = rowsOf(quote, columns);
  const [first, ...cells] = row?.cells ?? [];
  const told = cells.filter(({ name }) => wanted.isSubsetOf(termSet(name)));
  const [cell] = told;
  if (!first || !cell || told.length > 1) return undefined;
  const called = first.name === '' ? first.value : `${first.name}: ${first.value}`;
  return `${isCompared ? `${title}: ` : ''}${called}; ${cell.name}: ${cell.value}`;
}
