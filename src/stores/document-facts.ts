// What of a document can be filtered on, as stores outside the record keep it beside each chunk: fields as text, dates as instants, and
// metadata as elements with a key. Invariant: `factsPass` decides as the record's own filters do (db/sqlite/filter-sql.ts); what a
// store's dialect cannot say is decided here, over facts that the store gave back.
import type { DocumentRecord, Metadata } from '../core/document.ts';
import { FootnoteError } from '../core/errors.ts';
import { type Filter, type FilterScalar, filterFields } from '../core/search.ts';
import { toDocumentPath } from '../db/document-path.ts';
import { createGlob, globFault } from '../db/glob.ts';
import { toInstant } from '../db/instant.ts';

export type FactField = (typeof filterFields)[number];
/** One value of a metadata list, or the value itself. */
export type MetadataElement = readonly [key: string, value: string | number | boolean];

export interface DocumentFacts {
  readonly fields: Readonly<Partial<Record<FactField, string>>>;
  readonly metadata: readonly MetadataElement[];
  /** Keys of metadata that hold something, be it an empty list. */
  readonly keys: readonly string[];
}

/** A leaf of a filter: one comparison. */
export type FilterLeaf = Exclude<Filter, { op: 'and' | 'or' | 'not' }>;
export type Comparison = Exclude<FilterLeaf, { readonly op: 'exists' }>;
/** One that dates take as instants. */
export type DatedComparison = Extract<
  Comparison,
  { readonly op: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'in' | 'nin' }
>;

/** Longer than any value of a filter (4,096), so that a text that is cut here compares as the whole would; indexes refuse terms of 32 KB. */
const longestText = 8000;
const cut = (text: string): string => text.toWellFormed().slice(0, longestText).toWellFormed();

export function factsOf(document: DocumentRecord): DocumentFacts {
  const fields: Partial<Record<FactField, string>> = {};
  for (const field of filterFields) {
    const value = field === 'path' ? toDocumentPath(document.uri) : document[field];
    if (value !== undefined) fields[field] = cut(value);
  }
  return { fields, ...metadataFacts(document.metadata) };
}

function metadataFacts(metadata: Metadata): Pick<DocumentFacts, 'metadata' | 'keys'> {
  const present = Object.entries(metadata).filter(([, value]) => value !== null && value !== undefined);
  return {
    keys: present.map(([key]) => cut(key)),
    metadata: present.flatMap(([key, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((one): MetadataElement[] =>
        typeof one === 'string'
          ? [[cut(key), cut(one)]]
          : typeof one === 'boolean' || (typeof one === 'number' && Number.isFinite(one))
            ? [[cut(key), one]]
            : [],
      ),
    ),
  };
}

/** Facts that a store kept as JSON and gave back; undefined where they are none. */
export function parseFacts(text: unknown): DocumentFacts | undefined {
  try {
    const { fields, metadata, keys } = JSON.parse(String(text)) as DocumentFacts;
    if (typeof fields === 'object' && fields !== null && Array.isArray(metadata) && Array.isArray(keys))
      return { fields, metadata, keys };
  } catch {
    // Not ours.
  }
  return undefined;
}

const maximumDepth = 32;
const maximumLeaves = 1000;
const maximumGlobs = 32;
const maximumMetadata = 100;
const maximumValues = 10_000;
const metadataKey = /^metadata\.([\p{L}\p{N}_.-]{1,100})$/u;

/** The key of a field of metadata. */
export const keyOf = (field: string): string | undefined => metadataKey.exec(field)?.[1];
const isDateField = (field: string): boolean => field === 'publishedAt' || field === 'updatedAt';
/** Whether it compares instants: the beginning of a date is looked at as text. */
export const isDated = (leaf: FilterLeaf): leaf is DatedComparison =>
  isDateField(leaf.field) && leaf.op !== 'prefix' && leaf.op !== 'glob' && leaf.op !== 'exists';

export const refusedFilter = (what: string): FootnoteError =>
  new FootnoteError('invalid-request', `The filter cannot be used: ${what}.`);

/** Throws `invalid-request` for a filter that cannot mean anything, or that is larger than the record's own filters may be. */
export function checkFilter(filter: Filter): void {
  const count = { leaves: 0, globs: 0, metadata: 0, values: 0 };
  const walk = (node: Filter, depth: number): void => {
    if (depth > maximumDepth) throw refusedFilter(`it is nested deeper than ${maximumDepth} levels`);
    if ('filters' in node) for (const part of node.filters) walk(part, depth + 1);
    else if ('filter' in node) walk(node.filter, depth + 1);
    else {
      count.leaves += 1;
      if (node.op === 'glob') count.globs += 1;
      if (keyOf(node.field) !== undefined) count.metadata += 1;
      if ('values' in node) count.values += node.values.length;
      checkLeaf(node);
    }
    if (count.leaves > maximumLeaves) throw refusedFilter(`it has more than ${maximumLeaves} comparisons`);
    if (count.globs > maximumGlobs) throw refusedFilter(`it has more than ${maximumGlobs} globs`);
    if (count.metadata > maximumMetadata)
      throw refusedFilter(`it has more than ${maximumMetadata} comparisons of metadata`);
    if (count.values > maximumValues) throw refusedFilter(`its lists have more than ${maximumValues} values together`);
  };
  walk(filter, 0);
}

function checkLeaf(leaf: FilterLeaf): void {
  const isField = (filterFields as readonly string[]).includes(leaf.field);
  if (!isField && keyOf(leaf.field) === undefined)
    throw refusedFilter(
      `${JSON.stringify(leaf.field)} is not a field; use ${filterFields.join(', ')} or metadata.<key>`,
    );
  if (leaf.op === 'glob') {
    if (leaf.field !== 'path' && leaf.field !== 'uri')
      throw refusedFilter(`glob is for path and uri, not for ${leaf.field}; use prefix or eq`);
    const fault = globFault(leaf.value);
    if (fault !== undefined) throw refusedFilter(`it ${fault}`);
  }
  if (leaf.op === 'exists' || leaf.op === 'prefix' || leaf.op === 'glob') return;
  const given = 'values' in leaf ? leaf.values : [leaf.value];
  for (const value of given) {
    if (typeof value === 'number' && !Number.isFinite(value))
      throw refusedFilter(`${value} is not a number to compare with`);
    if (isDateField(leaf.field)) instantOf(leaf.field, value);
  }
}

/** The instant that a date field is compared with; throws for what is no date. */
export function instantOf(field: string, value: FilterScalar): number {
  const instant = typeof value === 'string' ? toInstant(value) : undefined;
  if (instant === undefined)
    throw refusedFilter(`${field} compares with ISO 8601 dates such as 2024-05-01, not with ${JSON.stringify(value)}`);
  return instant;
}

/** Whether the document passes; the filter has been checked. */
export function factsPass(facts: DocumentFacts, filter: Filter): boolean {
  if ('filters' in filter)
    return filter.op === 'and'
      ? filter.filters.every((part) => factsPass(facts, part))
      : filter.filters.some((part) => factsPass(facts, part));
  if ('filter' in filter) return !factsPass(facts, filter.filter);
  const key = keyOf(filter.field);
  if (key !== undefined) {
    if (filter.op === 'exists') return facts.keys.includes(key) === filter.value;
    return facts.metadata.some(([name, value]) => name === key && elementPasses(value, filter));
  }
  const value = facts.fields[filter.field as FactField];
  if (filter.op === 'exists') return (value !== undefined) === filter.value;
  if (value === undefined) return false;
  return isDated(filter) ? instantPasses(toInstant(value), filter) : textPasses(value, filter);
}

function instantPasses(value: number | undefined, leaf: DatedComparison): boolean {
  if (value === undefined) return false;
  if ('values' in leaf)
    return leaf.values.some((given) => instantOf(leaf.field, given) === value) === (leaf.op === 'in');
  return ordered(value - instantOf(leaf.field, leaf.value), leaf.op);
}

function ordered(difference: number, op: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte'): boolean {
  if (op === 'eq' || op === 'ne') return (difference === 0) === (op === 'eq');
  if (op === 'lt') return difference < 0;
  if (op === 'lte') return difference <= 0;
  return op === 'gt' ? difference > 0 : difference >= 0;
}

function textPasses(value: string, leaf: Comparison): boolean {
  if ('values' in leaf) return leaf.values.some((given) => isSameText(value, given)) === (leaf.op === 'in');
  if (leaf.op === 'prefix') return value.startsWith(leaf.value.toWellFormed());
  if (leaf.op === 'glob') return createGlob(leaf.value.toWellFormed())(value);
  if (leaf.op === 'eq' || leaf.op === 'ne') return isSameText(value, leaf.value) === (leaf.op === 'eq');
  return typeof leaf.value === 'string' && ordered(byCodePoint(value, leaf.value.toWellFormed()), leaf.op);
}

const isSameText = (value: string, given: FilterScalar): boolean =>
  typeof given === 'string' && value === given.toWellFormed();

function elementPasses(value: MetadataElement[1], leaf: Comparison): boolean {
  if (leaf.op === 'prefix') return typeof value === 'string' && value.startsWith(leaf.value.toWellFormed());
  if (leaf.op === 'glob') return false;
  const isSame = (given: FilterScalar): boolean => {
    if (typeof value !== 'string' || typeof given !== 'string') return value === given;
    const instant = toInstant(given);
    return isSameText(value, given) || (instant !== undefined && toInstant(value) === instant);
  };
  if ('values' in leaf) return leaf.values.some(isSame) === (leaf.op === 'in');
  if (leaf.op === 'eq' || leaf.op === 'ne') return isSame(leaf.value) === (leaf.op === 'eq');
  if (typeof value === 'number' && typeof leaf.value === 'number') return ordered(value - leaf.value, leaf.op);
  if (typeof value !== 'string' || typeof leaf.value !== 'string') return false;
  const [left, right] = [toInstant(value), toInstant(leaf.value)];
  if (left !== undefined && right !== undefined) return ordered(left - right, leaf.op);
  return ordered(byCodePoint(value, leaf.value.toWellFormed()), leaf.op);
}

/** As SQLite and UTF-8 order texts; JavaScript's own order differs where a text has surrogates. */
function byCodePoint(left: string, right: string): number {
  for (let at = 0; at < left.length && at < right.length; at += 1) {
    const difference = (left.codePointAt(at) ?? 0) - (right.codePointAt(at) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
