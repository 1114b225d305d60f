// A row with nothing under the column that a question asks for: "Output current" of a table with minimum, typical and maximum values has no minimum where
// only the typical value is filled in. It takes claims away and chooses none. Pure.
import type { Evidence } from '../../core/search.ts';
import type { VerifiedClaim } from '../claims/draft.ts';
import { attributeAsked } from '../question/attribute.ts';
import { termSet } from '../question/terms.ts';
import { rowsOf } from '../tables/rows.ts';

/** "Min.", "minimum", "typ", "maximal": what a limit is called is told by its first three letters. */
const limits = /(?<!\p{L})(?:min|max|typ)(?:im\p{L}{0,6}|i[cs]\p{L}{0,6})?(?!\p{L})/giu;
const limitsIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(limits), ([one]) => one.slice(0, 3).toLowerCase());

/** Whether the claim is a row whose table has the column asked for, and the row nothing in it nor in another one asked for. */
export function lacksAskedCell(question: string, claim: VerifiedClaim, evidence: readonly Evidence[]): boolean {
  const [span, ...others] = claim.spans;
  if (!span || others.length > 0) return false;
  const [row, ...more] = rowsOf(span.quote, span.columns);
  const name = row?.cells[0]?.name;
  if (!row || name === undefined || more.length > 0) return false;
  const { start = 0, end = 0 } = attributeAsked(question) ?? {};
  const attribute = termSet(question.slice(start, end));
  const asked = limitsIn(question).filter((limit) => row.cells.every(({ value }) => !limitsIn(value).includes(limit)));
  const isAsked = (column: string): boolean => {
    const words = termSet(column);
    return limitsIn(column).some((limit) => asked.includes(limit)) || (words.size > 0 && words.isSubsetOf(attribute));
  };
  const own = evidence.filter(({ documentId }) => documentId === span.documentId);
  // Records leave out what is empty: their columns are told by the other rows.
  const table = own.flatMap(({ text }) => rowsOf(text).filter(({ cells }) => cells[0]?.name === name));
  const columns = new Set([
    ...(span.columns?.names ?? []),
    ...table.flatMap(({ cells }) => cells.map((cell) => cell.name)),
  ]);
  const filled = row.cells.slice(1).map((cell) => cell.name);
  return !filled.some(isAsked) && [...columns].some((column) => column !== name && isAsked(column));
}
