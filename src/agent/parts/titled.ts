// What a document that is called by the thing says of it without naming it again: "Price: 295 pounds" in its list of properties, "| Introduced | October 2020 |"
// in its table of them, and the one sentence that tells a sum of money. Invariant: each claim was read back and verified.
import type { VerifiedClaim } from '../../answer/claims/draft.ts';
import { readPieces } from '../../answer/extract/readings.ts';
import { termSet } from '../../answer/question/terms.ts';
import { money } from '../../answer/support/compared/amounts.ts';
import { eventOfColumn } from '../../answer/support/compared/readings.ts';
import { isSameThing } from '../../answer/support/compared/things.ts';
import { barCells, isBarRow, isFieldLine, rowsOf } from '../../answer/tables/rows.ts';
import type { SourceSpan } from '../../core/document.ts';
import type { Evidence } from '../../core/search.ts';
import { findQuantities } from '../../text/quantities/quantities.ts';
import type { SubQuery } from '../plan/plan.ts';
import { isCalledLike } from './called/column-names.ts';
import { isTitledLike } from './called/row-names.ts';
import { isPriceOfAnother } from './fit/prices.ts';
import { claimsAt, claimsThat, type Reading, readPlace } from './read-claims.ts';

const longestPassage = 20_000;
const mostReads = 6;
const field =
  /^(?<lead>\s*(?:[*•·–-]\s+)?)[*_]{0,3}(?<label>[^:;|\n]{2,60}?)[*_]{0,3}:[*_]{0,3}\s+(?<value>\S[^\n]{0,160})$/u;
const ofPrice = /^(?:(?:list |unit )?prices?|pricing|costs?)$/iu;

/** None where the part names no thing and no criterion. Throws what the reader throws. */
export async function titledClaims(
  { criterion, thing, query }: Pick<SubQuery, 'criterion' | 'thing' | 'query'>,
  evidence: readonly Evidence[],
  reading: Reading,
): Promise<readonly VerifiedClaim[]> {
  if (criterion === undefined || thing === undefined) return [];
  const called = new Set(
    evidence
      .filter((one) => namesOf(one).some((name) => isTitledLike(name, thing.name)))
      .map(({ documentId }) => documentId),
  );
  const own = evidence.filter(({ documentId }) => called.has(documentId));
  const fields = [
    ...own.flatMap((one) => fieldsIn(one, { criterion, query }).map((place) => ({ one, place }))),
    ...evidence.flatMap((one) =>
      fieldsIn(one, { criterion, query, thing: thing.name }).map((place) => ({ one, place })),
    ),
  ];
  for (const { one, place } of fields.slice(0, mostReads)) {
    const claims = await claimsOf(one, place, reading);
    if (claims.length > 0) return claims;
  }
  if (!ofPrice.test(criterion)) return [];
  const sums = own.flatMap((one) => sumsIn(one, query).map((place) => ({ one, place })));
  const [sum, ...others] = sums;
  return sum && others.length === 0 ? claimsAt(sum.one, sum.place, reading) : [];
}

/** The title, and what the document begins with: a plain text is called by its first line. */
function namesOf({ title, headingPath, text, start }: Evidence): readonly string[] {
  const [first = ''] = start === 0 ? text.trimStart().split('\n', 1) : [];
  return [
    title,
    ...headingPath.slice(0, 1),
    ...(first.length <= longestTitle ? [first.replace(/^#+ |[*_]+/gu, '')] : []),
  ];
}
const longestTitle = 100;

interface Asked extends Pick<SubQuery, 'query'> {
  readonly criterion: string;
  /** Only under a heading that is called like it. */
  readonly thing?: string;
}
interface Field extends SourceSpan {
  readonly heading?: SourceSpan;
}

/** A row with the names of its columns, a field as it stands, with the heading over it. */
async function claimsOf(one: Evidence, place: Field, reading: Reading): Promise<readonly VerifiedClaim[]> {
  const span = await readPlace(one, place, reading);
  const [row] = span && isBarRow(span.quote) ? rowsOf(span.quote, span.columns) : [];
  if (span && row)
    return claimsThat(row.cells.map(({ name, value }) => `${name}: ${value}`).join('; '), [span], reading);
  const heading = place.heading && (await readPlace(one, place.heading, reading));
  const said = heading && span ? `${heading.quote.replace(/^#+ /u, '').trim()}: ${span.quote.trim()}` : '';
  const both = heading && span ? await claimsThat(said, [heading, span], reading) : [];
  return both.length > 0 ? both : claimsAt(one, place, reading);
}

/** Lines that are called by what is asked: fields of a list, and rows of two cells. */
function fieldsIn({ text: passage }: Evidence, asked: Asked): readonly Field[] {
  const found: Field[] = [];
  let heading: SourceSpan | undefined;
  let isUnder = asked.thing === undefined;
  for (const { 0: line, index } of passage.slice(0, longestPassage).matchAll(/[^\n]+/gu)) {
    const start = index + (line.length - line.trimStart().length);
    const end = index + line.trimEnd().length;
    const { lead = '', label = '', value = '' } = field.exec(line.trimEnd())?.groups ?? {};
    const cells = isBarRow(line) ? barCells(line, false).filter((cell) => cell !== '') : [];
    if (asked.thing !== undefined && label === '' && cells.length === 0 && line.trim() !== '') {
      isUnder = isSameThing(line.replace(/^#+ |[*_]+|:\s*$/gu, '').trim(), asked.thing);
      heading = isUnder ? { start, end } : undefined;
    }
    if (!isUnder) continue;
    if (cells.length === 2 && isAsked(cells[0] ?? '', cells[1] ?? '', asked)) found.push({ start, end });
    if (cells.length === 0 && label !== '' && isAsked(label, value, asked))
      found.push({ start: index + lead.length, end, ...(heading && { heading }) });
  }
  return found;
}

function isAsked(label: string, value: string, { criterion }: Asked): boolean {
  if (value === '') return false;
  // "When did it come about?": the event is that of which things come about.
  if (criterion === 'date')
    return /\p{Nd}{4}/u.test(value) && beginning.test(label) && eventOfColumn(label) !== undefined;
  const said = termSet(label);
  const wanted = termSet(criterion);
  return (said.size > 0 && said.size === wanted.size && said.isSubsetOf(wanted)) || isCalledLike(label, criterion);
}
const beginning =
  /\b(?:first|introduc\w*|releas\w*|launch\w*|founded|founding|foundation|established|built|born|birth|publi\w*|opened|opening)\b/iu;

/** Sentences that tell one sum of money, and not what something else costs. */
function sumsIn({ text: passage, title }: Evidence, query: string): readonly SourceSpan[] {
  const text = passage.slice(0, longestPassage);
  return readPieces(text).filter(({ kind, start, end }) => {
    const said = text.slice(start, end);
    if (kind !== 'sentence' || isFieldLine(said)) return false;
    const sums = findQuantities(said).filter(({ unit }) => unit !== undefined && money.includes(unit.dimension));
    return sums.length === 1 && !isPriceOfAnother(query, { text: said, over: title });
  });
}
