// What a table says of a row that the question calls by its name, under a column that the question names as well: "Who does Ann Lee report to?" is told by
// "Name: Ann Lee; Reports to: Bo Kim". And which rows are somebody's to do. Invariant: each claim was read back and verified; a row counts only where all that
// the question names stands in it or over it.
import type { VerifiedClaim, VerifiedSpan } from '../../answer/claims/draft.ts';
import { isSought, soughtFields } from '../../answer/question/sought-fields.ts';
import { termSet, termsOf } from '../../answer/question/terms.ts';
import { labelsOf } from '../../answer/support/compared/readings.ts';
import { isSameThing } from '../../answer/support/compared/things.ts';
import { barCells, type Cell, isBarRow, isDelimiterRow, rowsOf } from '../../answer/tables/rows.ts';
import type { Evidence } from '../../core/search.ts';
import { longForms } from '../../text/words/synonyms.ts';
import { bareOf } from '../plan/phrases.ts';
import { standsUnder } from './called/row-names.ts';
import { namedTerms } from './owned.ts';
import { claimsThat, type Reading, readPlace } from './read-claims.ts';

const longestPassage = 20_000;
const mostReads = 24;
const mostClaims = 4;
/** Words of the question that neither the row's name nor the column's says. */
const mostUnsaid = 2;

/** Columns that say whose something is, and by when it is to be done. */
const person =
  /^(?:who|owner|responsible(?: person)?|assignee|assigned to|in charge|person in charge|contact(?: person)?)$/iu;
const deadline = /^(?:by|by when|due(?: date| by)?|deadline|until|when)$/iu;
const task = /^(?:what|tasks?|actions?(?: items?)?|measures?|to ?do|activity)$/iu;
const asksWho = /^(?:who|whom|by whom|to whom)\b/iu;
const asksUntil = /^(?:by|until|till) when\b|^when\b.{1,200}\bdue\b|\bdeadline\b/iu;

interface Found {
  readonly span: VerifiedSpan;
  readonly text: string;
  /** How many words of the question it is called by. */
  readonly called: number;
}

/** Throws what the reader throws. */
export async function askedCellClaims(
  asked: string,
  evidence: readonly Evidence[],
  reading: Reading,
): Promise<readonly VerifiedClaim[]> {
  const words = termSet(asked);
  const doer = doerOf(asked);
  const found: Found[] = [];
  let reads = 0;
  for (const one of evidence)
    for (const { start, end, values } of linesIn(one)) {
      const mayBe =
        doer === undefined
          ? values.some((value) => isWithin(value, words))
          : values.some((value) => isSameThing(value, doer));
      if (!mayBe || reads >= mostReads) continue;
      reads += 1;
      const span = await readPlace(one, { start, end }, reading);
      const told = span && (doer === undefined ? cellsOf(span, asked, one) : taskOf(span, doer));
      if (told) found.push(told);
    }
  const most = Math.max(0, ...found.map(({ called }) => called));
  const best = found.filter(({ called }) => called === most);
  if (best.length > mostClaims) return [];
  const claims: VerifiedClaim[] = [];
  for (const { span, text } of best) claims.push(...(await claimsThat(text, [span], reading)));
  return claims;
}

/** "What does Ann Lee have to do?", "What is Ann Lee responsible for?": whose tasks are asked for. */
const doing =
  /^(?:what|by when|until when|which (?:tasks?|actions?|measures?|action items?)) (?:does|do|did|must|should|is|are|was|has|have) (?<name>\p{Lu}[^,]{1,60}?) (?:have(?: to do)?|do|to do|need to do|responsible for|in charge of|assigned(?: to)?)(?: (?:next|now|still|after .{1,80}|until .{1,40}|by .{1,40}))?$/iu;
const doerOf = (asked: string): string | undefined => doing.exec(bareOf(asked))?.groups?.['name'];

/** All words of what a row is called by are in the question; what stands in brackets behind them limits it. */
function isWithin(value: string, words: ReadonlySet<string>): boolean {
  // "Welsh, level 1".
  const own = termSet(value.replace(/ \([^()]{1,40}\)$|, \p{Ll}[^,]{1,40}$/u, ''));
  return own.size > 0 && /\p{L}/u.test(value) && own.isSubsetOf(words);
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly values: readonly string[];
}

function linesIn({ text }: Evidence): readonly Line[] {
  const lines: Line[] = [];
  for (const { 0: line, index } of text.slice(0, longestPassage).matchAll(/[^\n]*(?:\n|$)/gu)) {
    const shown = line.trim();
    const isKeyed = !isBarRow(shown) && /;[ \t]/u.test(shown);
    if (shown === '' || (!isKeyed && !isBarRow(shown)) || isDelimiterRow(shown)) continue;
    const start = index + (line.length - line.trimStart().length);
    const values = isKeyed ? (rowsOf(shown)[0]?.cells ?? []).map(({ value }) => value) : barCells(shown, false);
    lines.push({ start, end: start + shown.length, values });
  }
  return lines;
}

/** The cells that the question asks for, with what the row is called by. */
function cellsOf(span: VerifiedSpan, asked: string, passage: Evidence): Found | undefined {
  const [row, ...more] = rowsOf(span.quote, span.columns);
  if (!row || more.length > 0 || row.heading !== undefined) return undefined;
  const words = termSet(asked);
  const [label] = namesOf(row.cells)
    .filter((cells) => cells.every(({ value }) => isWithin(value, words)))
    .toSorted((a, b) => termsOf(wholeName(b)).length - termsOf(wholeName(a)).length);
  if (!label) return undefined;
  const called = termSet(wholeName(label));
  const rest = words.difference(called);
  // A year names no column that a question would ask for: statements are read elsewhere.
  const others = row.cells.filter((cell) => !label.includes(cell) && /\p{L}/u.test(cell.name));
  const named = others.filter(
    ({ name }) => (termSet(name).size > 0 && termSet(name).isSubsetOf(rest)) || isShortFor(name, asked),
  );
  const told = named.length > 0 ? named : soughtAmong(others, asked);
  if (told.length === 0 || told.length > 2) return undefined;
  const said = termSet([wholeName(label), ...told.map(({ name, value }) => `${name} ${value}`)].join(' '));
  const heads = [...label, ...others].map(({ name }) => name);
  const over = termSet([standsUnder(passage), ...heads].join(' '));
  if (!namedTerms(asked).isSubsetOf(said.union(over))) return undefined;
  const unsaid = words.difference(said).difference(over);
  if (unsaid.size > mostUnsaid || unsaid.size > called.size) return undefined;
  const text = [...label, ...told].map(({ name, value }) => (name === '' ? value : `${name}: ${value}`)).join('; ');
  return { span, text: label[0]?.name === '' ? text.replace('; ', ': ') : text, called: called.size };
}

const wholeName = (cells: readonly Cell[]): string => cells.map(({ value }) => value).join(' ');
const firstName = /^(?:first|given|fore)[ -]?names?$/iu;
const lastName = /^(?:sur|last[ -]?|family[ -]?|second[ -]?)names?$/iu;
/** What a row may be called by; people also by two cells together. */
function namesOf(cells: readonly Cell[]): readonly (readonly Cell[])[] {
  const [first, last] = [firstName, lastName].map((called) => cells.find(({ name }) => called.test(name.trim())));
  const whole = first && last ? [cells.filter((cell) => cell === first || cell === last)] : [];
  return [...whole, ...labelsOf(cells).map((cell) => [cell])];
}
/** "Ext." for "extension", "Dept." for "department". */
function isShortFor(name: string, asked: string): boolean {
  const short = /^(?<start>\p{L}{2,8})\.$/u.exec(name.trim())?.groups?.['start']?.toLowerCase();
  if (short === undefined) return false;
  const long = longForms(short);
  return (asked.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => word.startsWith(short) || long.includes(word));
}

function soughtAmong(cells: readonly Cell[], asked: string): readonly Cell[] {
  const bare = bareOf(asked);
  const own = cells.filter(
    ({ name }) => (asksWho.test(bare) && person.test(name)) || (asksUntil.test(bare) && deadline.test(name)),
  );
  if (own.length > 0) return own;
  const sought = soughtFields(asked, [], 'en');
  return cells.filter(({ name }) => isSought(name, sought));
}

/** A row that is somebody's to do, whole. */
function taskOf(span: VerifiedSpan, doer: string): Found | undefined {
  const [row, ...more] = rowsOf(span.quote, span.columns);
  if (!row || more.length > 0) return undefined;
  const isTheirs = row.cells.some(({ name, value }) => person.test(name) && isSameThing(value, doer));
  // What is assigned to somebody may be a laptop.
  if (!isTheirs || !row.cells.some(({ name }) => deadline.test(name) || task.test(name))) return undefined;
  return { span, text: row.cells.map(({ name, value }) => `${name}: ${value}`).join('; '), called: 1 };
}
