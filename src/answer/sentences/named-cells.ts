// Says a row whose cells are parted by bars with the names of its columns, as the verifier reads it: "| Team | $29 per month |" under "| plan | price |" is
// "plan: Team; price: $29 per month". Invariant: a row is said so only where the check of claims carries it; else it is said as it stands.

import { toInert } from '../../core/answers/inert-text.ts';
import { countWords } from '../../text/sentences.ts';
import type { VerifiedClaim } from '../claims/draft.ts';
import { supportOf } from '../support.ts';
import { barCells, isBarRow, oneSpaced, rowsOf } from '../tables/rows.ts';

/** Longer rows are read better as they stand. */
const mostWords = 60;

/** The claims in their order, those of rows with the names of their columns; the row of names itself says nothing beside them. */
export function withNamedCells(claims: readonly VerifiedClaim[]): readonly VerifiedClaim[] {
  const said = claims.map(named);
  const headers = new Set(
    said.flatMap(({ spans: [span] }, at) =>
      span?.columns && said[at] !== claims[at] ? [headerKey(span.documentId, span.columns.names)] : [],
    ),
  );
  return said.filter(
    ({ text, spans: [span] }) =>
      !span || !isBarRow(text) || !headers.has(headerKey(span.documentId, barCells(text, false))),
  );
}

const headerKey = (documentId: string, cells: readonly string[]): string => JSON.stringify([documentId, ...cells]);

function named(claim: VerifiedClaim): VerifiedClaim {
  const [span, ...others] = claim.spans;
  if (!span?.columns || others.length > 0 || !isBarRow(claim.text) || claim.text !== oneSpaced(span.quote))
    return claim;
  const [row, ...more] = rowsOf(span.quote, span.columns);
  if (!row || more.length > 0 || row.cells.length < 2) return claim;
  // Of a row with one name, or none, the bars say as much.
  if (row.cells.slice(1).some(({ name }) => name === '')) return claim;
  const text = toInert(row.cells.map(({ name, value }) => (name === '' ? value : `${name}: ${value}`)).join('; '));
  if (countWords(text) > mostWords) return claim;
  const { verdict, support, reasons } = supportOf(text, span.quote, { context: span.title, columns: span.columns });
  return verdict === 'supported' ? { ...claim, text, support, ...(reasons.length > 0 && { notes: reasons }) } : claim;
}
