// Prints filters in the dialect of OpenAI's vector stores: eq, ne, gt, gte, lt, lte, in, nin under and, or. Invariants: what is printed
// lets through every document that the filter lets through, and where it may let through more it is not `exact`; nothing of a request is
// ever a key, only a value. Prefixes, globs, orders of texts, metadata and other fields are not in the dialect: the record decides them.
import { FootnoteError } from '../../core/errors.ts';
import { type Filter, type FilterField, type FilterScalar, filterFields } from '../../core/search.ts';
import { toInstant } from '../../db/instant.ts';
import { attributeNames, earliestDate, encodeText, none, type TextField, textFields } from './attributes.ts';
import type { NativeFilter } from './client.ts';

export interface PrintedFilter {
  /** `all`: it excludes nothing; `none`: no document can match. */
  readonly native: NativeFilter | 'all' | 'none';
  /** Whether it lets through nothing else. */
  readonly exact: boolean;
}

type Leaf = Exclude<Filter, { op: 'and' | 'or' | 'not' }>;

const metadataKey = /^metadata\.[\p{L}\p{N}_.-]{1,100}$/u;
/** Longer lists and filters are left to the record. */
const mostValues = 100;
const mostLeaves = 64;
const deepest = 32;

const unknown: PrintedFilter = { native: 'all', exact: false };
const everything: PrintedFilter = { native: 'all', exact: true };
const nothing: PrintedFilter = { native: 'none', exact: true };
const exactly = (native: NativeFilter): PrintedFilter => ({ native, exact: true });

/** Throws `invalid-request` for a field that there is not and for a filter nested without end. */
export function printFilter(filter: Filter): PrintedFilter {
  let leaves = 0;
  /** `not` is carried down to the comparisons: the dialect has none. */
  const print = (node: Filter, negated: boolean, depth: number): PrintedFilter => {
    if (depth > deepest) throw refuse(`it is nested deeper than ${deepest} levels`);
    if ('filter' in node) return print(node.filter, !negated, depth + 1);
    if ('filters' in node) {
      const parts = node.filters.map((part) => print(part, negated, depth + 1));
      return (node.op === 'and') === negated ? either(parts) : both(parts);
    }
    if (!isField(node.field))
      throw refuse(`${JSON.stringify(node.field)} is not a field; use ${filterFields.join(', ')} or metadata.<key>`);
    leaves += 1;
    return leaves > mostLeaves ? unknown : printLeaf(node, negated);
  };
  return print(filter, false, 0);
}

const isField = (field: string): boolean =>
  (filterFields as readonly string[]).includes(field) || metadataKey.test(field);

function both(parts: readonly PrintedFilter[]): PrintedFilter {
  const impossible = parts.find(({ native, exact }) => native === 'none' && exact);
  if (impossible) return impossible;
  const exact = parts.every((part) => part.exact);
  const filters = parts.flatMap(({ native }) => (native === 'all' || native === 'none' ? [] : [native]));
  const [first] = filters;
  if (first === undefined) return { native: 'all', exact };
  return { native: filters.length === 1 ? first : { type: 'and', filters }, exact };
}

function either(parts: readonly PrintedFilter[]): PrintedFilter {
  const whole = parts.filter(({ native }) => native === 'all');
  if (whole.length > 0) return whole.find(({ exact }) => exact) ?? unknown;
  const exact = parts.every((part) => part.exact);
  const filters = parts.flatMap(({ native }) => (native === 'all' || native === 'none' ? [] : [native]));
  const [first] = filters;
  if (first === undefined) return nothing;
  return { native: filters.length === 1 ? first : { type: 'or', filters }, exact };
}

function printLeaf(leaf: Leaf, negated: boolean): PrintedFilter {
  if (leaf.field === 'publishedAt') return printDate(leaf, negated);
  return Object.hasOwn(textFields, leaf.field)
    ? printText(leaf, textFields[leaf.field as TextField], negated)
    : unknown;
}

/** Comparing what is missing is false, also for `ne` and `nin`: only a negation around it makes it true. */
function printText(leaf: Leaf, key: string, negated: boolean): PrintedFilter {
  const present: PrintedFilter = exactly({ type: negated ? 'eq' : 'ne', key, value: none });
  switch (leaf.op) {
    case 'exists':
      return exactly({ type: leaf.value === negated ? 'eq' : 'ne', key, value: none });
    case 'eq':
    case 'ne': {
      if (typeof leaf.value !== 'string') return leaf.op === 'ne' ? present : negated ? everything : nothing;
      const value = encodeText(leaf.value);
      if (leaf.op === 'eq') return exactly({ type: negated ? 'ne' : 'eq', key, value });
      return exactly({ type: negated ? 'in' : 'nin', key, value: [value, none] });
    }
    case 'in':
    case 'nin': {
      const value = [...new Set(leaf.values.filter((one) => typeof one === 'string').map(encodeText))];
      if (value.length > mostValues) return unknown;
      if (value.length === 0) return leaf.op === 'nin' ? present : negated ? everything : nothing;
      if (leaf.op === 'in') return exactly({ type: negated ? 'nin' : 'in', key, value });
      return exactly({ type: negated ? 'in' : 'nin', key, value: [...value, none] });
    }
    default:
      return unknown;
  }
}

const opposites = { lt: 'gte', lte: 'gt', gt: 'lte', gte: 'lt', eq: 'ne', ne: 'eq' } as const;

/** By milliseconds; a document without a date compares with nothing. */
function printDate(leaf: Leaf, negated: boolean): PrintedFilter {
  if (!('value' in leaf) || leaf.op === 'exists' || leaf.op === 'prefix' || leaf.op === 'glob') return unknown;
  const value = instantOf(leaf.value);
  if (value === undefined) return unknown;
  const key = attributeNames.publishedAt;
  if (!negated)
    return both([exactly({ type: 'gte', key, value: earliestDate }), exactly({ type: leaf.op, key, value })]);
  return either([exactly({ type: 'lt', key, value: earliestDate }), exactly({ type: opposites[leaf.op], key, value })]);
}

/** Undefined for what the record refuses to compare a date with. */
const instantOf = (value: FilterScalar): number | undefined =>
  typeof value === 'string' ? toInstant(value) : undefined;

const refuse = (what: string): FootnoteError =>
  new FootnoteError('invalid-request', `The filter cannot be used: ${what}.`);

/** Documents of these ids, or all but these. */
export const byIds = (type: 'in' | 'nin', ids: Iterable<string>): NativeFilter => ({
  type,
  key: textFields['id' satisfies FilterField & TextField],
  value: [...ids].map(encodeText),
});
