// Prints filters as SQL conditions over the `document` table. Invariant: nothing of a filter is ever part of the SQL text
// but operators and column names from closed lists; keys, paths and values are bound. Every leaf is 0 or 1, never NULL, so
// that `not` means what it says. The semantics are those of `Filter` in core/search.ts; strings compare by code point, and a
// metadata string compares as an instant where both sides are dates.
import { FootnoteError } from '../../../core/errors.ts';
import { accessNames, type Principal, type Scope } from '../../../core/scope.ts';
import { type Filter, type FilterField, type FilterScalar, filterFields } from '../../../core/search.ts';
import { globFault } from '../../glob.ts';
import { toInstant } from '../../instant.ts';

export type SqlParameter = string | number | null;

/** A condition with its values in the order of its `?`. */
export interface SqlCondition {
  readonly sql: string;
  readonly parameters: readonly SqlParameter[];
}

const maximumDepth = 32;
const maximumLeaves = 1000;
const maximumGlobs = 32;
/** Microseconds each, and SQLite compiles many of them in quadratic time. */
const maximumMetadata = 100;
/** In all lists of a filter together: they are read anew for each piece of a collection. */
const maximumValues = 10_000;

const columns: Readonly<Record<(typeof filterFields)[number], string>> = {
  id: 'id',
  source: 'source',
  sourceType: 'source_type',
  uri: 'uri',
  path: 'path',
  title: 'title',
  mime: 'mime',
  language: 'language',
  category: 'category',
  version: 'version',
  publishedAt: 'published_at',
  updatedAt: 'updated_at',
};
const instantColumns: Readonly<Record<string, string>> = { publishedAt: 'published_ms', updatedAt: 'updated_ms' };
const metadataKey = /^metadata\.([\p{L}\p{N}_.-]{1,100})$/u;
const comparisons = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;
const never: SqlCondition = { sql: '0', parameters: [] };

/** That a column names a source which there is for the principal, with what is bound in it; empty where all are. */
export const sourcesCondition = ({ sources }: Principal, column: string): readonly [sql: string, ...bound: string[]] =>
  sources === undefined ? [''] : [` AND ${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(sources)];

/** The rows of `document AS alias` that `scope` may read: tenant, source and access list, as `mayReadDocument`. */
export function accessCondition(scope: Scope, alias: string): SqlCondition {
  const table = toAlias(alias);
  if (scope.principal.role === 'admin') return { sql: `${table}.tenant = ?`, parameters: [scope.tenant] };
  const [own, ...bound] = sourcesCondition(scope.principal, `${table}.source`);
  return {
    sql: `(${table}.tenant = ?${own} AND (${table}.access IS NULL OR (json_valid(${table}.access) AND EXISTS (SELECT 1 FROM json_each(${table}.access) AS allowed WHERE allowed.value IN (SELECT value FROM json_each(?))))))`,
    parameters: [scope.tenant, ...bound, JSON.stringify(accessNames(scope.principal))],
  };
}

/**
 * The condition on `document AS alias` for a filter. Runs on connections of `openSqliteRecord` only (it calls their
 * functions `instant` and `path_matches`). Throws `invalid-request` for a filter that cannot mean anything.
 */
export function printFilter(filter: Filter, alias: string): SqlCondition {
  const table = toAlias(alias);
  let leaves = 0;
  let globs = 0;
  let metadata = 0;
  let values = 0;
  const print = (node: Filter, depth: number): SqlCondition => {
    if (depth > maximumDepth) throw refuse(`it is nested deeper than ${maximumDepth} levels`);
    if ('filters' in node) {
      const parts = node.filters.map((part) => print(part, depth + 1));
      return join(parts, node.op === 'and' ? 'AND' : 'OR');
    }
    if ('filter' in node) {
      const { sql, parameters } = print(node.filter, depth + 1);
      return { sql: `(NOT ${sql})`, parameters };
    }
    leaves += 1;
    if (leaves > maximumLeaves) throw refuse(`it has more than ${maximumLeaves} comparisons`);
    if (node.op === 'glob') globs += 1;
    if (globs > maximumGlobs) throw refuse(`it has more than ${maximumGlobs} globs`);
    if (node.field.startsWith('metadata.')) metadata += 1;
    if (metadata > maximumMetadata) throw refuse(`it has more than ${maximumMetadata} comparisons of metadata`);
    if ('values' in node) values += node.values.length;
    if (values > maximumValues) throw refuse(`its lists have more than ${maximumValues} values together`);
    return printLeaf(node, table);
  };
  return print(filter, 0);
}

type Leaf = Exclude<Filter, { op: 'and' | 'or' | 'not' }>;

/** Comparisons of a filter that is worth no pieces in a small collection. */
const fewLeaves = 8;

/** Whether comparing a document takes microseconds at most. */
export function isLight(filter: Filter): boolean {
  let left = fewLeaves;
  const count = (node: Filter): void => {
    if ('filters' in node) for (const part of node.filters) count(part);
    else if ('filter' in node) count(node.filter);
    else left -= node.op === 'glob' ? 2 : 1;
  };
  count(filter);
  return left >= 0;
}

/** Balanced, because SQLite bounds the depth of expressions. */
function join(parts: readonly SqlCondition[], word: 'AND' | 'OR'): SqlCondition {
  const [first] = parts;
  if (first === undefined) return { sql: word === 'AND' ? '1' : '0', parameters: [] };
  if (parts.length === 1) return first;
  const middle = Math.floor(parts.length / 2);
  const left = join(parts.slice(0, middle), word);
  const right = join(parts.slice(middle), word);
  return { sql: `(${left.sql} ${word} ${right.sql})`, parameters: [...left.parameters, ...right.parameters] };
}

function printLeaf(leaf: Leaf, table: string): SqlCondition {
  const key = metadataKey.exec(leaf.field)?.[1];
  if (key !== undefined) return printMetadata(leaf, table, `$."${key}"`);
  if (!Object.hasOwn(columns, leaf.field))
    throw refuse(`${JSON.stringify(leaf.field)} is not a field; use ${filterFields.join(', ')} or metadata.<key>`);
  const column = `${table}.${columns[leaf.field as keyof typeof columns]}`;
  if (leaf.op === 'exists') return { sql: `(${column} IS ${leaf.value ? 'NOT ' : ''}NULL)`, parameters: [] };
  const instants = instantColumns[leaf.field];
  const dated = instants === undefined ? undefined : printInstant(leaf, `${table}.${instants}`);
  if (dated) return orMissing(`${table}.${instants}`, dated);
  return orMissing(column, printText(leaf, column));
}

/** False where `value` is missing. */
function orMissing(value: string, condition: SqlCondition): SqlCondition {
  return { sql: `(${value} IS NOT NULL AND ${condition.sql})`, parameters: condition.parameters };
}

type Comparison = Exclude<Leaf, { op: 'exists' }>;

function printText(leaf: Comparison, value: string): SqlCondition {
  switch (leaf.op) {
    case 'eq':
      return typeof leaf.value === 'string' ? { sql: `${value} = ?`, parameters: [toText(leaf.value)] } : never;
    case 'ne':
      return typeof leaf.value === 'string'
        ? { sql: `${value} <> ?`, parameters: [toText(leaf.value)] }
        : { sql: '1', parameters: [] };
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      if (typeof leaf.value !== 'string') return never;
      return { sql: `${value} ${comparisons[leaf.op]} ?`, parameters: [toText(leaf.value)] };
    case 'in':
    case 'nin':
      return {
        sql: `${value} ${leaf.op === 'in' ? 'IN' : 'NOT IN'} (SELECT value FROM json_each(?))`,
        parameters: [toList(leaf.values, 'string')],
      };
    case 'prefix':
      return printPrefix(value, leaf.value);
    case 'glob':
      return printGlob(leaf.field, value, leaf.value);
  }
}

/** By its bytes, as the text may hold zeros (of no bytes at all the part is NULL); `instr` would go on to look for it everywhere else. */
function printPrefix(value: string, prefix: string): SqlCondition {
  const text = toText(prefix);
  return {
    sql: `coalesce(substr(CAST(${value} AS BLOB), 1, ?) = CAST(? AS BLOB), 0)`,
    parameters: [Buffer.byteLength(text), text],
  };
}

function and(first: string, { sql, parameters }: SqlCondition): SqlCondition {
  return { sql: `(${first} AND ${sql})`, parameters };
}

function printGlob(field: FilterField, value: string, pattern: string): SqlCondition {
  if (field !== 'path' && field !== 'uri') throw refuse(`glob is for path and uri, not for ${field}; use prefix or eq`);
  const fault = globFault(pattern);
  if (fault !== undefined) throw refuse(`it ${fault}`);
  return { sql: `path_matches(${value}, ?)`, parameters: [toText(pattern)] };
}

/** For a column of milliseconds; undefined for the operators that look at the text of the date. */
function printInstant(leaf: Comparison, value: string): SqlCondition | undefined {
  const instantOf = (scalar: FilterScalar): number => {
    const instant = typeof scalar === 'string' ? toInstant(scalar) : undefined;
    if (instant === undefined)
      throw refuse(`${leaf.field} compares with ISO 8601 dates such as 2024-05-01, not with ${JSON.stringify(scalar)}`);
    return instant;
  };
  switch (leaf.op) {
    case 'eq':
    case 'ne':
      return { sql: `${value} ${leaf.op === 'eq' ? '=' : '<>'} ?`, parameters: [instantOf(leaf.value)] };
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return { sql: `${value} ${comparisons[leaf.op]} ?`, parameters: [instantOf(leaf.value)] };
    case 'in':
    case 'nin':
      return {
        sql: `${value} ${leaf.op === 'in' ? 'IN' : 'NOT IN'} (SELECT value FROM json_each(?))`,
        parameters: [JSON.stringify(leaf.values.map(instantOf))],
      };
    case 'prefix':
    case 'glob':
      return undefined;
  }
}

/** json_each of a scalar is one row, of a list its elements, of an object its members: those cannot be filtered on. */
function printMetadata(leaf: Leaf, table: string, path: string): SqlCondition {
  // One damaged row must not fail the query for all: it has no metadata here, and its seal tells when it is read.
  const metadata = `iif(json_valid(${table}.metadata), ${table}.metadata, json_object())`;
  if (leaf.op === 'exists')
    return {
      sql: `(coalesce(json_type(${metadata}, ?), 'null') ${leaf.value ? '<>' : '='} 'null')`,
      parameters: [path],
    };
  const element = printElement(leaf);
  return {
    sql: `(coalesce(json_type(${metadata}, ?), 'null') NOT IN ('null', 'object') AND EXISTS (SELECT 1 FROM json_each(${metadata}, ?) AS item WHERE item.type NOT IN ('null', 'object', 'array') AND ${element.sql}))`,
    parameters: [path, path, ...element.parameters],
  };
}

const isNumber = "item.type IN ('integer', 'real')";
const isBoolean = "item.type IN ('true', 'false')";

function printElement(leaf: Comparison): SqlCondition {
  switch (leaf.op) {
    case 'eq':
      return printEqual(leaf.value);
    case 'ne': {
      const { sql, parameters } = printEqual(leaf.value);
      return { sql: `NOT ${sql}`, parameters };
    }
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return printOrder(leaf.value, comparisons[leaf.op]);
    case 'in':
    case 'nin': {
      const { sql, parameters } = printAmong(leaf.values);
      return { sql: leaf.op === 'in' ? sql : `NOT ${sql}`, parameters };
    }
    case 'prefix':
      return and("item.type = 'text'", printPrefix('item.value', leaf.value));
    case 'glob':
      return printGlob(leaf.field, 'item.value', leaf.value);
  }
}

function printEqual(value: FilterScalar): SqlCondition {
  if (typeof value === 'boolean') return { sql: `(item.type = '${value ? 'true' : 'false'}')`, parameters: [] };
  if (typeof value === 'number') return { sql: `(${isNumber} AND item.value = ?)`, parameters: [toNumber(value)] };
  const instant = toInstant(value);
  if (instant === undefined) return { sql: "(item.type = 'text' AND item.value = ?)", parameters: [toText(value)] };
  return {
    sql: "(item.type = 'text' AND (item.value = ? OR coalesce(instant(item.value) = ?, 0)))",
    parameters: [toText(value), instant],
  };
}

function printAmong(values: readonly FilterScalar[]): SqlCondition {
  const among = (what: string): string => `${what} IN (SELECT value FROM json_each(?))`;
  const dates = values.map((value) => (typeof value === 'string' ? toInstant(value) : undefined));
  const instants = dates.filter((instant) => instant !== undefined);
  const dated = instants.length === 0 ? '' : ` OR coalesce(${among('instant(item.value)')}, 0)`;
  return {
    sql: `((item.type = 'text' AND (${among('item.value')}${dated})) OR (${isNumber} AND ${among('item.value')}) OR (${isBoolean} AND ${among('item.value')}))`,
    parameters: [
      toList(values, 'string'),
      ...(instants.length === 0 ? [] : [JSON.stringify(instants)]),
      toList(values, 'number'),
      toList(values, 'boolean'),
    ],
  };
}

function printOrder(value: string | number, operator: string): SqlCondition {
  if (typeof value === 'number')
    return { sql: `(${isNumber} AND item.value ${operator} ?)`, parameters: [toNumber(value)] };
  const instant = toInstant(value);
  if (instant === undefined)
    return { sql: `(item.type = 'text' AND item.value ${operator} ?)`, parameters: [toText(value)] };
  return {
    sql: `(item.type = 'text' AND coalesce(instant(item.value) ${operator} ?, item.value ${operator} ?))`,
    parameters: [instant, toText(value)],
  };
}

/** The record keeps well-formed text only (UTF-8 has no lone surrogates). */
function toText(value: string): string {
  return value.toWellFormed();
}

function toNumber(value: number): number {
  if (Number.isFinite(value)) return value;
  throw refuse(`${value} is not a number to compare with`);
}

/** The values of one type as a JSON array; booleans as 1 and 0, which is how `json_each` yields them. */
function toList(values: readonly FilterScalar[], type: 'string' | 'number' | 'boolean'): string {
  const chosen = values.filter((value) => typeof value === type);
  return JSON.stringify(
    chosen.map((value) =>
      typeof value === 'string' ? toText(value) : typeof value === 'number' ? toNumber(value) : value ? 1 : 0,
    ),
  );
}

/** Aliases come from our own code; this keeps it so. */
function toAlias(alias: string): string {
  if (/^[a-z_]{1,40}$/i.test(alias)) return alias;
  throw new FootnoteError('internal', 'A table alias may hold letters and underscores only.');
}

function refuse(what: string): FootnoteError {
  return new FootnoteError('invalid-request', `The filter cannot be used: ${what}.`);
}
