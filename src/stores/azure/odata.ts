// Prints what a search may see as OData for Azure AI Search: tenant and access, and the caller's filter. Invariants: nothing of a request
// stands in the text but inside a quoted literal; what the service cannot say exactly (globs, long lists of numbers, the order of
// characters outside the basic plane) is printed wider, under `not` narrower, and said to be inexact, so that it is decided afterwards.
import { accessNames, type Scope } from '../../core/scope.ts';
import type { Filter, FilterScalar } from '../../core/search.ts';
import { toInstant } from '../../db/instant.ts';
import {
  type Comparison,
  checkFilter,
  type DatedComparison,
  type FilterLeaf,
  instantOf,
  isDated,
  keyOf,
} from '../document-facts.ts';

export interface PrintedFilter {
  /** True: everything passes; false: nothing can. */
  readonly odata: string | boolean;
  /** False: some of what passes here does not pass the filter. */
  readonly isExact: boolean;
}

/** Text of a condition, or what it always is. */
type Condition = string | boolean;
/** Where a condition cannot be said exactly, everything that may pass (`upper`) or only what surely does (`lower`). */
type Bound = 'upper' | 'lower';

/** More comparisons than this are not put side by side for one list. */
const longestChoice = 100;
const comparisons = { eq: 'eq', ne: 'ne', lt: 'lt', lte: 'le', gt: 'gt', gte: 'ge' } as const;
const columns: Readonly<Record<string, string>> = {
  id: 'documentId',
  publishedAt: 'publishedMs',
  updatedAt: 'updatedMs',
};

/** A literal; quotes are doubled, and nothing else is special between them. */
export const literal = (value: string): string => `'${value.toWellFormed().replaceAll("'", "''")}'`;

const not = (condition: Condition): Condition => (typeof condition === 'boolean' ? !condition : `not (${condition})`);

export function and(...parts: readonly Condition[]): Condition {
  if (parts.includes(false)) return false;
  const said = parts.filter((part) => part !== true);
  return said.length === 0
    ? true
    : said.length === 1
      ? (said[0] as string)
      : said.map((part) => `(${part})`).join(' and ');
}

function or(...parts: readonly Condition[]): Condition {
  if (parts.includes(true)) return true;
  const said = parts.filter((part) => part !== false);
  return said.length === 0
    ? false
    : said.length === 1
      ? (said[0] as string)
      : said.map((part) => `(${part})`).join(' or ');
}

/** The rows that the scope may see, as `mayRead` says. */
export function printScope({ tenant, principal }: Scope): string {
  const own = `tenant eq ${literal(tenant)}`;
  if (principal.role === 'admin') return own;
  const names = accessNames(principal).map((name) => `name eq ${literal(name)}`);
  return `(${own}) and (isOpen eq true or access/any(name: ${names.join(' or ')}))`;
}

/** One of the texts: a list of the service's own where a separator is left for it. */
export function printAmong(field: string, values: readonly string[]): Condition {
  const texts = [...new Set(values.map((value) => value.toWellFormed()))];
  const separator = ['|', ';', '~', '\u001f', '\u001e'].find((one) => texts.every((text) => !text.includes(one)));
  // Empty texts and spaces at the ends are no entries of such a list.
  const listed = separator === undefined ? [] : texts.filter((text) => text !== '' && text.trim() === text);
  const rest = texts.filter((text) => listed.length < 3 || !listed.includes(text));
  return or(
    listed.length >= 3 && `search.in(${field}, ${literal(listed.join(separator))}, ${literal(separator ?? '|')})`,
    ...rest.map((text) => `${field} eq ${literal(text)}`),
  );
}

export function printFilter(filter: Filter): PrintedFilter {
  checkFilter(filter);
  let isExact = true;
  const wider = (bound: Bound, upper: Condition): Condition => {
    isExact = false;
    return bound === 'upper' ? upper : false;
  };
  const print = (node: Filter, bound: Bound): Condition => {
    if ('filters' in node) return (node.op === 'and' ? and : or)(...node.filters.map((part) => print(part, bound)));
    if ('filter' in node) return not(print(node.filter, bound === 'upper' ? 'lower' : 'upper'));
    return printLeaf(node, bound, wider);
  };
  return { odata: print(filter, 'upper'), isExact };
}

type Wider = (bound: Bound, upper: Condition) => Condition;

function printLeaf(leaf: FilterLeaf, bound: Bound, wider: Wider): Condition {
  const key = keyOf(leaf.field);
  if (key !== undefined) return printMetadata(leaf, key, { bound, wider });
  const field = leaf.field === 'id' || isDated(leaf) ? (columns[leaf.field] as string) : leaf.field;
  if (leaf.op === 'exists') return `${field} ${leaf.value ? 'ne' : 'eq'} null`;
  const printing = { bound, wider };
  const condition = isDated(leaf) ? printInstant(leaf, field, printing) : printText(leaf, field, printing);
  // What is missing is compared with nothing, also under `ne`.
  return and(`${field} ne null`, condition);
}

interface Printing {
  readonly bound: Bound;
  readonly wider: Wider;
}

function printInstant(leaf: DatedComparison, field: string, { bound, wider }: Printing): Condition {
  if (!('values' in leaf)) return `${field} ${comparisons[leaf.op]} ${instantOf(leaf.field, leaf.value)}`;
  if (leaf.values.length > longestChoice) return wider(bound, true);
  const among = or(...leaf.values.map((value) => `${field} eq ${instantOf(leaf.field, value)}`));
  return leaf.op === 'in' ? among : not(among);
}

const isText = (value: FilterScalar): value is string => typeof value === 'string';

function printText(leaf: Comparison, field: string, printing: Printing): Condition {
  if ('values' in leaf) {
    const among = printAmong(field, leaf.values.filter(isText));
    return leaf.op === 'in' ? among : not(among);
  }
  if (leaf.op === 'prefix') return printPrefix(field, leaf.value, printing);
  if (leaf.op === 'glob') {
    const head = leaf.value.split('*', 1)[0] ?? '';
    if (head === leaf.value) return `${field} eq ${literal(head)}`;
    return printing.wider(
      printing.bound,
      head === '' ? true : printPrefix(field, head, { ...printing, bound: 'upper' }),
    );
  }
  if (!isText(leaf.value)) return leaf.op === 'ne';
  if (leaf.op === 'eq' || leaf.op === 'ne') return `${field} ${leaf.op} ${literal(leaf.value)}`;
  return printOrder(field, leaf.op, leaf.value, printing);
}

/** Texts of characters below the surrogates are ordered alike by code points and by UTF-16, whatever the other side holds. */
const plain = /^[\0-\ud7ff]*/u;

function printOrder(
  field: string,
  op: 'lt' | 'lte' | 'gt' | 'gte',
  value: string,
  { bound, wider }: Printing,
): Condition {
  const text = value.toWellFormed();
  if (plain.exec(text)?.[0] !== text) return wider(bound, true);
  return `${field} ${comparisons[op]} ${literal(text)}`;
}

function printPrefix(field: string, value: string, { bound, wider }: Printing): Condition {
  const text = value.toWellFormed();
  const safe = /^[\0-\ud7fe]*/u.exec(text)?.[0] ?? '';
  const after = `${safe.slice(0, -1)}${String.fromCharCode(safe.charCodeAt(safe.length - 1) + 1)}`;
  const range = safe === '' ? true : and(`${field} ge ${literal(safe)}`, `${field} lt ${literal(after)}`);
  return safe === text ? range : wider(bound, range);
}

function printMetadata(leaf: FilterLeaf, key: string, printing: Printing): Condition {
  if (leaf.op === 'exists') {
    const present = `metadataKeys/any(key: key eq ${literal(key)})`;
    return leaf.value ? present : not(present);
  }
  const element = and(`item/key eq ${literal(key)}`, printElement(leaf, printing));
  return element === false ? false : `metadata/any(item: ${element})`;
}

function printElement(leaf: Comparison, printing: Printing): Condition {
  if ('values' in leaf) {
    const negated = leaf.op === 'nin';
    const among = printElementAmong(leaf.values, negated ? flipped(printing) : printing);
    return negated ? not(among) : among;
  }
  if (leaf.op === 'eq') return printElementAmong([leaf.value], printing);
  if (leaf.op === 'ne') return not(printElementAmong([leaf.value], flipped(printing)));
  if (leaf.op === 'prefix') return and('item/text ne null', printPrefix('item/text', leaf.value, printing));
  if (leaf.op === 'glob') return false;
  if (!isText(leaf.value)) return and('item/number ne null', `item/number ${comparisons[leaf.op]} ${leaf.value}`);
  const byText = printOrder('item/text', leaf.op, leaf.value, printing);
  const instant = toInstant(leaf.value);
  if (instant === undefined) return and('item/text ne null', byText);
  // Dates compare as instants where both sides are dates.
  return or(
    and('item/instant ne null', `item/instant ${comparisons[leaf.op]} ${instant}`),
    and('item/text ne null', 'item/instant eq null', byText),
  );
}

const flipped = ({ bound, wider }: Printing): Printing => ({ bound: bound === 'upper' ? 'lower' : 'upper', wider });

function printElementAmong(values: readonly FilterScalar[], { bound, wider }: Printing): Condition {
  const texts = values.filter(isText);
  const instants = new Set(texts.map(toInstant).filter((instant) => instant !== undefined));
  const numbers = new Set(values.filter((value) => typeof value === 'number'));
  if (instants.size + numbers.size > longestChoice) return wider(bound, true);
  return or(
    printAmong('item/text', texts),
    ...[...instants].map((instant) => `item/instant eq ${instant}`),
    ...[...numbers].map((number) => `item/number eq ${number}`),
    ...[...new Set(values.filter((value) => typeof value === 'boolean'))].map((truth) => `item/truth eq ${truth}`),
  );
}
