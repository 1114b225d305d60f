// Does a row of a table or a record support a claim? Every word of the claim must be a name or a value of that one row, or a word that only
// joins them, and each name must stand with its own value. Invariant: a value is accepted under no other column and with no other row, and
// nothing that the row does not say (a comparison, a negation, a doubt) may stand in the claim.

import type { Row } from '../tables/rows.ts';
import { similarity } from './align.ts';
import { type CellReading, isLooseWord, type RowReading, readRow } from './cells.ts';
import type { Language, Token } from './tokens.ts';

/** The reason of a claim that was read by columns begins with this. */
export const readByColumns = 'read-by-columns';
/** Small words that join a name and its value and say nothing else. */
const joining = new Set(
  'the a an of in at for on is was are were has have had with and its s as der die das den dem des ein eine einer eines von vom im am an bei für auf mit und ist war sind waren hat hatte'.split(
    ' ',
  ),
);
/** Verbs by which a row is read out. */
const readingVerb =
  /^(?:recorded|listed|given|shown|noted|entered|amount(?:s|ed)?|equal(?:s|led|ed)?|stood|stands|beträgt|betrug|lag|liegt)$/u;
const adjunctLead = /^(?:in|at|for|on|im|am|bei|an|für)$/u;
/** What may stand between a value and the name behind it. */
const betweenValueAndName = /^(?:of|in|for|at|on|the|a|an|as|is|was|are|were|von|im|in|bei|der|die|das|ist|war)$/u;
/** Readings of one claim that are tried: a bound for hostile rows only. */
const mostSteps = 4_000;
/** A claim has at most 60 words, and marks between them. */
const mostTokens = 150;
/** The least likeness of two words that are the same but for their ending. */
const sameWord = 0.9;

interface Item {
  /** A pair is a name and its value as they stand in the row. */
  readonly kind: 'name' | 'value' | 'pair';
  /** -1: the heading of the record. */
  readonly column: number;
  readonly from: number;
  /** Behind its last word. */
  readonly to: number;
}

export interface RowVerdict {
  readonly isSupported: boolean;
  /** Which columns it was read in, or what is wrong. */
  readonly reasons: readonly string[];
}

/** Whether `claim`, the tokens of one sentence, says of `row` what stands there. */
export function supportOfRow(claim: readonly Token[], row: Row, language: Language): RowVerdict {
  const read = readRow(row, language);
  const items = claim.length > mostTokens ? undefined : findReading(claim, read);
  if (items) return { isSupported: true, reasons: notesOf(items, read) };
  return { isSupported: false, reasons: [problemOf(claim, read)] };
}

/** A reading of the whole claim in which every name stands with its value. */
function findReading(claim: readonly Token[], row: RowReading): readonly Item[] | undefined {
  let steps = 0;
  const known = new Map<number, readonly Item[]>();
  const itemsFrom = (at: number): readonly Item[] => {
    const found = known.get(at) ?? itemsAt(claim, at, row);
    known.set(at, found);
    return found;
  };
  const visit = (at: number, items: readonly Item[]): readonly Item[] | undefined => {
    steps += 1;
    if (steps > mostSteps) return undefined;
    let from = at;
    while (from < claim.length && claim[from]?.type === 'mark') {
      if (!/^[,:.;'"’“”()–—|-]$/u.test((claim[from] as Token).text)) return undefined;
      from += 1;
    }
    if (from >= claim.length) return isBound(items, claim, row) ? items : undefined;
    for (const item of itemsFrom(from)) {
      if (items.some(({ kind, column }) => kind === item.kind && column === item.column)) continue;
      const found = visit(item.to, [...items, item]);
      if (found) return found;
    }
    return isJoining(claim, from) ? visit(from + 1, items) : undefined;
  };
  return visit(0, []);
}

function isJoining(claim: readonly Token[], at: number): boolean {
  const token = claim[at] as Token;
  if (token.type !== 'word' || token.negates || token.quantifier) return false;
  if (token.content) return readingVerb.test(token.lower);
  if (token.lower === 'to') return /^amount/u.test(claim[at - 1]?.lower ?? '');
  return joining.has(token.lower);
}

/** The names and values that begin at a word of the claim, the longest first. */
function itemsAt(claim: readonly Token[], from: number, row: RowReading): Item[] {
  const items: Item[] = [];
  const add = (kind: Item['kind'], column: number, to: number): void => {
    if (to > from) items.push({ kind, column, from, to });
  };
  for (const [column, cell] of row.cells.entries()) {
    for (const words of cell.values) add('value', column, endOfValue(claim, from, words, cell));
    if (cell.asWritten.length > 0) add('pair', column, endOf(claim, from, cell.asWritten));
    for (const words of cell.names) add('name', column, endOf(claim, from, words));
    if (cell.adjectives.includes((claim[from] as Token).lower)) add('name', column, from + 1);
  }
  if (row.label !== undefined && row.label !== row.cells[0])
    for (const words of row.label.values) add('value', -1, endOf(claim, from, words));
  return items.sort((a, b) => b.to - a.to || (a.kind === b.kind ? a.column - b.column : a.kind === 'value' ? -1 : 1));
}

/** Where the words end that stand from `from` on in the claim as in the cell; 0 where they do not. */
function endOf(claim: readonly Token[], from: number, words: readonly Token[]): number {
  let at = from;
  for (const [index, word] of words.entries()) {
    while (index > 0 && at < claim.length && isLooseWord(claim[at] as Token)) {
      // A minus sign and a percent sign are of the figure.
      if (/^[−%‰°$€£¥]$/u.test((claim[at] as Token).text)) return 0;
      at += 1;
    }
    const token = claim[at];
    if (token === undefined || !saysTheSame(token, word)) return 0;
    at += 1;
  }
  return signed(claim[at]) && words.at(-1)?.type !== 'word' ? 0 : at;
}

const signed = (token: Token | undefined): boolean => token !== undefined && /^[%‰°$€£¥₹+]$/u.test(token.text);

function endOfValue(claim: readonly Token[], from: number, words: readonly Token[], { unit }: CellReading): number {
  const end = endOf(claim, from, words);
  if (end === 0 || unit.length === 0) return end;
  return unit.every((word, index) => claim[end + index]?.lower === word) ? end + unit.length : end;
}

function saysTheSame(token: Token, word: Token): boolean {
  if (token.negates !== word.negates && token.lower !== word.lower) return false;
  if (!token.content && !word.content) return token.lower === word.lower;
  if (similarity(token, word) < sameWord) return false;
  // "At least 5" follows from 5, but compares where the row does not.
  return (token.quantity?.bound ?? 'exact') === (word.quantity?.bound ?? 'exact');
}

const isLabel = ({ column }: Item, row: RowReading): boolean =>
  column === -1 || (column === 0 && row.label === row.cells[0]);

/**
 * Whether each name stands with its own value: side by side, or names in a row and then their values in the same order. What says which row is
 * meant may stand anywhere; so may "at station Q350" between a name and its value.
 */
function isBound(all: readonly Item[], claim: readonly Token[], row: RowReading): boolean {
  const columnsOf = (...kinds: Item['kind'][]): ReadonlySet<number> =>
    new Set(all.flatMap(({ kind, column }) => (kinds.includes(kind) ? [column] : [])));
  const [named, valued] = [columnsOf('name', 'pair'), columnsOf('value', 'pair')];
  if ([...named].some((column) => !valued.has(column))) return false;
  const bare = (item: Item): boolean =>
    item.kind === 'value' && !named.has(item.column) && (isLabel(item, row) || isTimeAdjunct(item, claim, row));
  const rest = all.filter((item) => !bare(item) && item.kind !== 'pair');
  const core = withoutAdjuncts(rest, claim, row);
  if (core === undefined) return false;
  // "The board meeting is on 6 May": what the record is called, and when.
  if (core.length === 0)
    return (
      rest.length > 0 || columnsOf('pair').size > 0 || (all.length === 2 && all.some(({ column }) => column === -1))
    );
  return isPaired(core, claim) || isListed(core, claim);
}

/** "in May" where the column says when. */
function isTimeAdjunct({ column, from }: Item, claim: readonly Token[], row: RowReading): boolean {
  const cell = row.cells[column];
  return (
    cell?.isTime === true &&
    adjunctLead.test(claim[from - 1]?.lower ?? '') &&
    row.cells.filter(({ isTime }) => isTime).length === 1
  );
}

/** The items without "station Q350" and "in the surface layer"; undefined where the row's own name stands apart from its value. */
function withoutAdjuncts(
  items: readonly Item[],
  claim: readonly Token[],
  row: RowReading,
): readonly Item[] | undefined {
  const left: Item[] = [];
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at] as Item;
    const next = items[at + 1];
    const isPair = next !== undefined && next.column === item.column && item.kind !== next.kind;
    if (isPair && isAdjunct(item, next, claim, row) && items.length > 2) {
      at += 1;
      continue;
    }
    left.push(item);
  }
  return left;
}

function isAdjunct(item: Item, next: Item, claim: readonly Token[], row: RowReading): boolean {
  const isTight = gap(claim, item, next).every(
    (token) => token.text === ':' || token.lower === 'of' || (isLooseWord(token) && token.text !== ','),
  );
  if (isLabel(item, row)) return gap(claim, item, next).every((token) => token.lower !== 'and' && token.text !== ',');
  let lead = item.from - 1;
  while (lead >= 0 && isLooseWord(claim[lead] as Token) && claim[lead]?.type !== 'mark') lead -= 1;
  const marker = claim[lead]?.lower ?? '';
  if (!isTight || !(adjunctLead.test(marker) || (item.kind === 'name' && /^(?:of|von)$/u.test(marker)))) return false;
  // "12 depth" would be read with the name before it.
  return item.kind === 'name' || claim.slice(item.from, item.to).every(({ type }) => type === 'word');
}

const gap = (claim: readonly Token[], before: Item, after: Item): readonly Token[] =>
  claim.slice(before.to, after.from);
const parts = (tokens: readonly Token[]): boolean =>
  tokens.some(({ lower, text }) => /^(?:and|und|with|mit)$/u.test(lower) || /^[;,]$/u.test(text));

/** name value, name value … or value name: each two neighbours are of one column. */
function isPaired(items: readonly Item[], claim: readonly Token[]): boolean {
  if (items.length % 2 !== 0) return false;
  for (let at = 0; at < items.length; at += 2) {
    const [one, other] = [items[at], items[at + 1]] as [Item, Item];
    if (one.column !== other.column || one.kind === other.kind) return false;
    const between = gap(claim, one, other);
    if (one.kind === 'name' ? between.some(({ lower }) => /^(?:and|und)$/u.test(lower)) : parts(between)) return false;
    const isPlain = between.every(
      (token) => token.type === 'mark' || token.content || betweenValueAndName.test(token.lower),
    );
    if (one.kind === 'value' && !isPlain) return false;
  }
  return true;
}

/** "Salinity and depth were 5.6 and 12": as many values as names, in the same order. */
function isListed(items: readonly Item[], claim: readonly Token[]): boolean {
  const half = items.length / 2;
  if (half < 2 || !Number.isInteger(half)) return false;
  const [first, second] = [items.slice(0, half), items.slice(half)];
  const isRun = (run: readonly Item[]): boolean =>
    run.every((item, at) => at === 0 || parts(gap(claim, run[at - 1] as Item, item)));
  return (
    first.every(
      (item, at) => item.kind === 'name' && second[at]?.kind === 'value' && second[at]?.column === item.column,
    ) &&
    isRun(first) &&
    isRun(second)
  );
}

function notesOf(items: readonly Item[], row: RowReading): readonly string[] {
  const columns = [...new Set(items.map(({ column }) => column))].filter((column) => column >= 0).sort((a, b) => a - b);
  return [
    `${readByColumns}: ${columns.map((column) => row.cells[column]?.cell.name || `column ${column + 1}`).join(', ')}`.slice(
      0,
      200,
    ),
  ];
}

/** The first thing of the claim that is not the row's, or else that its parts do not belong together. */
function problemOf(claim: readonly Token[], row: RowReading): string {
  const known = (token: Token): boolean =>
    [...row.cells, ...(row.label === undefined ? [] : [row.label])].some((cell) =>
      [...cell.names, ...cell.values].some((words) => words.some((word) => saysTheSame(token, word))),
    );
  for (const [at, token] of claim.entries()) {
    if (token.type === 'mark' || isJoining(claim, at) || known(token)) continue;
    if (token.quantity) return `number-missing: ${token.text} is not in the row`;
    if (token.date) return `date-missing: ${token.text} is not in the row`;
    if (token.negates) return `negation-added: ${token.text}`;
    return token.name || /\d/u.test(token.text)
      ? `name-missing: ${token.text} is not in the row`
      : `not-in-row: ${token.text}`;
  }
  return 'number-changed: a value stands under another column';
}
