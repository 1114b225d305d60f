// Whether a claim is of the thing and says something of the criterion that a part asks for, with what stands over it: title, headings, columns. Pure.
import type { VerifiedClaim, VerifiedSpan } from '../../answer/claims/draft.ts';
import { termSet } from '../../answer/question/terms.ts';
import { isCalledUnder, labelOf, labelsOf } from '../../answer/support/compared/readings.ts';
import { isRowUnder, isSameThing } from '../../answer/support/compared/things.ts';
import { barCells, isBarRow, isTabular, type Row, rowsOf } from '../../answer/tables/rows.ts';
import { isOf, speaksOf } from '../plan/criterion.ts';
import { isTime } from '../plan/in-times.ts';
import type { SubQuery } from '../plan/plan.ts';
import type { Findings } from '../turn/turn-state.ts';
import { isCalledLike } from './called/column-names.ts';
import { tellsBeginning } from './stated.ts';

/** "When was X first released": a sentence that says of nothing that it came about says it of X neither. */
const asksRelease =
  /^when (?:was|were) .{1,200} (?:released|published|launched|introduced|founded|established)(?: \(.{1,80}\))?\W*$/iu;

/** Whether a claim, with what stands over it, is of the thing and the criterion that were asked for. */
export function isAbout(claim: VerifiedClaim, subQuery: SubQuery, findings: Findings): boolean {
  const { criterion, thing } = subQuery;
  if (thing && isRowOfAnother(claim, thing)) return false;
  if (criterion !== undefined && isOtherColumn(claim, criterion)) return false;
  return isNear(claim, subQuery, findings);
}

/** By the names and the words that stand in it and over it. */
function isNear({ text, spans }: VerifiedClaim, { query, criterion, thing }: SubQuery, findings: Findings): boolean {
  if (asksRelease.test(query) && !tellsBeginning(text) && !isTabular(text)) return false;
  if (criterion === undefined && thing === undefined) return true;
  const from = findings.evidence().filter(({ chunkId }) => spans.some((span) => span.chunkId === chunkId));
  const over = from.flatMap(({ headingPath }) => headingPath);
  const named = [
    text,
    ...(thing && isTime(thing.name) ? over.slice(-1) : []),
    ...(thing?.others.length === 0 ? [...over, ...from.map(({ title }) => title)] : []),
  ].join('\n');
  const columns = spans.flatMap((span) => (span.columns === undefined ? [] : [JSON.stringify(span.columns)]));
  const around = [...over, ...from.flatMap((one) => [one.title, one.text])].join('\n');
  if (thing && !spans.every((span) => isRowUnderTitle(span, thing.name))) {
    if (!isOf(thing, { said: named, around })) return false;
    const [quote = '', ...more] = spans.map((span) => span.quote);
    const row = more.length === 0 && isBarRow(quote) ? quote : text;
    if (
      isBarRow(row) &&
      !isRowOf(row, thing.name, criterion) &&
      !spans.every(({ title }) => isSameThing(title, thing.name))
    )
      return false;
  }
  // How large a thing is, sentences say in too many ways to be known by their words.
  return criterion === undefined || criterion === 'size' || speaksOf(criterion, [text, ...over, ...columns].join('\n'));
}

/** A row is called by the thing, or by what is asked of it where the thing stands over the table; in a document that is called by the thing every row is of it. */
function isRowOf(row: string, name: string, criterion: string | undefined): boolean {
  if (!termSet(name).isDisjointFrom(termSet(row)) || isTime(name)) return true;
  const label = barCells(row, false).find((cell) => /\p{L}/u.test(cell)) ?? '';
  return criterion !== undefined && speaksOf(criterion, label);
}

/** "Osprey Team" is the row "Team" in the document that is called Osprey. */
function isRowUnderTitle({ quote, columns, title }: VerifiedSpan, name: string): boolean {
  const [row, ...others] = isBarRow(quote) ? rowsOf(quote, columns) : [];
  const label = labelOf(row?.cells ?? []);
  return others.length === 0 && label !== undefined && isRowUnder(label.value, { title, column: label.name }, name);
}

const rowOf = ({ spans: [span, ...others] }: VerifiedClaim): Row | undefined => {
  const [row, ...more] = span && others.length === 0 ? rowsOf(span.quote, span.columns) : [];
  return more.length === 0 && row?.heading === undefined ? row : undefined;
};

/** Of two things that are compared, the row "Finch Plus" is none of the Finch. */
function isRowOfAnother(claim: VerifiedClaim, { name, others }: NonNullable<SubQuery['thing']>): boolean {
  const labels = labelsOf(rowOf(claim)?.cells ?? []);
  if (labels.some((label) => isCalledUnder(label, name))) return false;
  return labels.some((label) => others.some((other) => isCalledUnder(label, other)));
}

/** "Floor space" is no parking space: names that share a word and have another beside it, where nothing in the row is called by what was asked. */
function isOtherColumn(claim: VerifiedClaim, criterion: string): boolean {
  const row = rowOf(claim);
  const wanted = termSet(criterion);
  if (!row || wanted.size < 2 || !isTabular(claim.text)) return false;
  const names = [...row.cells.map(({ name }) => name), row.cells[0]?.name === '' ? row.cells[0].value : ''];
  const sharing = names
    .map((name) => ({ name, terms: termSet(name) }))
    .filter(({ terms }) => !terms.isDisjointFrom(wanted));
  return (
    sharing.length > 0 &&
    sharing.every(
      ({ name, terms }) => !wanted.isSubsetOf(terms) && !terms.isSubsetOf(wanted) && !isCalledLike(name, criterion),
    )
  );
}

export const saysNothingOf = ({ query, criterion, thing }: SubQuery): string =>
  criterion === undefined && thing === undefined
    ? !/^when\b/iu.test(query)
      ? 'The passages found do not speak of it.'
      : 'The passages found say of nothing that it came about.'
    : criterion === undefined
      ? `The passages found speak of others than "${thing?.name ?? ''}".`
      : `The passages found do not say it of "${thing?.name ?? criterion}".`;
