// The row of a statement that is called by the amount a part asks for: "Operating income | 4,106 | 12,421 | 14,541" under the years of its columns, in a document
// of whom it asks. Invariant: a claim says of which time each of its figures is, and was read back and verified like any other.
import type { VerifiedClaim, VerifiedSpan } from '../../answer/claims/draft.ts';
import { termSet } from '../../answer/question/terms.ts';
import { barCells, isBarRow, rowsOf } from '../../answer/tables/rows.ts';
import type { Evidence } from '../../core/search.ts';
import { bareOf } from '../plan/phrases.ts';
import { amountAsked } from './amounts.ts';
import { claimsThat, type FormReading, readPlace } from './read-claims.ts';
import { lackOfTime, yearsIn } from './told-time.ts';

const longestPassage = 20_000;
const mostReads = 6;
/** Adds nothing to what a row is called by. */
const plain = termSet('total consolidated company reported');
const besideLabel: ReadonlySet<string> = new Set([
  'total',
  'net',
  'consolidated',
  'reported',
  'loss',
  'of',
  'and',
  'the',
  'for',
  'on',
]);

/** Words of one meaning as one: net sales are revenue, and earnings income. */
function amountTerms(text: string): ReadonlySet<string> {
  const terms = [...termSet(text).difference(plain)].map((term) => sameTerms.get(term) ?? term);
  return new Set(terms.includes(revenue) ? terms.filter((term) => term !== 'net') : terms);
}
const termOf = (word: string): string => [...termSet(word)].join(' ');
const revenue = termOf('revenue');
const sameTerms: ReadonlyMap<string, string> = new Map([
  [termOf('sales'), revenue],
  [termOf('turnover'), revenue],
  [termOf('earnings'), termOf('income')],
  [termOf('profit'), termOf('income')],
]);

/** All of its words are those of the label: "Other income, net" is no net income. */
function isCalled(cell: string, label: ReadonlySet<string>): boolean {
  const bare = cell.replace(/\([^()]*\)/gu, ' ');
  const called = amountTerms(bare);
  if (called.size === 0 || called.size !== label.size || !called.isSubsetOf(label)) return false;
  const others = (bare.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => amountTerms(word).isDisjointFrom(label));
  return others.every((word) => besideLabel.has(word));
}
/** Whose last word alone is another amount. */
const phrase =
  /^what (?:is|are|was|were) (?:.{1,60}?['’]s? |its |their |the )?(?<what>costs? of (?:sales|revenues?|goods sold)|(?:diluted |basic )?earnings per share|cash and cash equivalents)\b/iu;
const spentOn =
  /^how much .{0,80}?\bon (?<what>\p{Ll}[\p{L} &-]{2,60}?)(?: (?:in|during|for) (?:fiscal |FY ?)?\p{Nd}{4})?$/iu;

interface Row {
  readonly evidence: Evidence;
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/** What statements tell; prices, heights and populations stand in none. */
const ofAccounts =
  /^(?:revenues?|sales|income|profits?|loss(?:es)?|earnings|eps|margins?|ebitd?a?r?|expenses?|expenditures?|spending|debts?|turnover|assets|liabilities|inventor(?:y|ies)|tax(?:es)?)$/iu;

/** What a row has to be called by; undefined where a part asks for no amount of accounts by its name. */
export function labelAsked(question: string): ReadonlySet<string> | undefined {
  const bare = bareOf(question);
  const amount = amountAsked(question);
  const what =
    spentOn.exec(bare)?.groups?.['what'] ??
    phrase.exec(bare)?.groups?.['what'] ??
    (amount && ofAccounts.test(amount.noun) ? amount.words.join(' ') : undefined);
  const label = amountTerms(what ?? '');
  return label.size > 0 ? label : undefined;
}

/** Claims of the rows, the best one alone, of statements alone unless `isLast`; `evidence`: of documents about whom the part asks of; none where no row is called so, or nobody can tell of which time its figures are. Throws what the reader throws. */
export async function amountClaims(
  question: string,
  evidence: readonly Evidence[],
  { isLast = false, ...reading }: FormReading,
): Promise<readonly VerifiedClaim[]> {
  const label = labelAsked(question);
  if (!label) return [];
  const documents = [...new Set(evidence.map(({ documentId }) => documentId))];
  const rows = evidence
    .flatMap((one) => rowsIn(one, label))
    .filter(({ score }) => score > 0 || (isLast && score === 0))
    // Of two statements that are called alike the first is of the whole: schedules and notes stand behind it.
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        documents.indexOf(a.evidence.documentId) - documents.indexOf(b.evidence.documentId) ||
        a.evidence.start + a.start - (b.evidence.start + b.start),
    );
  const told = new Set<string>();
  const found: VerifiedClaim[] = [];
  for (const { evidence: from, start, end, score } of rows.slice(0, mostReads)) {
    const span = await readPlace(from, { start, end }, reading);
    const text = span && textOf(span, question);
    if (!span || text === undefined) continue;
    const claims = await claimsThat(text, [span], reading);
    if (claims.length > 0 && score > 0) return claims;
    // Of rows that stand in no statement nobody can tell which one is meant where they differ.
    if (claims.length > 0) told.add(text.slice(text.indexOf(': ')));
    if (found.length === 0) found.push(...claims);
  }
  return told.size > 1 ? [] : found;
}

const statement =
  /\bstatements? of (?:operations|income|earnings|cash flows)\b|\b(?:selected|summary) (?:consolidated )?financial (?:data|information)\b|\bperformance summary\b|\bbalance sheets?\b/iu;
/** Of a part of the whole, or of other accounts than those that are asked for by the plain name. */
const partly =
  /\bsegments?\b|\bquarter(?:ly|s)?\b|\bpro forma\b|\breconciliation\b|\b(?:parent|guarantors?|obligors?|subsidiar(?:y|ies)|domestic|international)\b|\bexchange rates?\b/iu;

function rowsIn(evidence: Evidence, label: ReadonlySet<string>): readonly Row[] {
  const text = evidence.text.slice(0, longestPassage);
  const found: Row[] = [];
  let over = evidence.headingPath.at(-1) ?? '';
  for (const { 0: line, index } of text.matchAll(/[^\n]+/gu)) {
    const shown = line.trim();
    if (!isBarRow(shown)) {
      if (shown.length <= 120) over = `${over.slice(-400)}\n${shown}`;
      continue;
    }
    if (!isCalled(barCells(shown, false)[0] ?? '', label)) continue;
    const start = index + (line.length - line.trimStart().length);
    const around = `${evidence.headingPath.join('\n')}\n${over}`;
    const score = (statement.test(around) ? 2 : 0) - (partly.test(around) ? 3 : 0);
    found.push({ evidence, start, end: start + shown.length, score });
  }
  return found;
}

/** With the figures of the years that are asked about, or all of them. */
function textOf({ quote, columns, title }: VerifiedSpan, question: string): string | undefined {
  const [row] = rowsOf(quote, columns);
  const [first, ...cells] = row?.cells ?? [];
  const named = cells.filter(({ name }) => yearsIn(name).size > 0);
  if (!first || named.length === 0) return undefined;
  const isOfTime = (name: string): boolean =>
    !lackOfTime(question, { text: name, columns: '', over: title, before: '' });
  const wanted = named.filter(({ name }) => isOfTime(name));
  if (wanted.length === 0) return undefined;
  return `${first.value}: ${wanted.map(({ name, value }) => `${name}: ${value}`).join('; ')}`;
}
