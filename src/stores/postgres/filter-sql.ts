// Prints what a search may see as a condition of PostgreSQL over a row `d` of the documents: the access list, and the caller's filter. Invariants:
// the condition passes what `factsPass` passes, no more and no less, over the facts that are kept as `toStoredFacts` prints them; it is true or
// false and never unknown, so that it can be negated; values are bound.
import { accessNames, type Principal } from '../../core/scope.ts';
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
import type { Values } from './values.ts';

const comparisons = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** Undefined: everything. */
export function printAccess(principal: Principal, { bind }: Values): string | undefined {
  if (principal.role === 'admin') return undefined;
  return `(d.access IS NULL OR d.access && ${bind(accessNames(principal))}::text[])`;
}

/** Throws `invalid-request` for a filter that cannot mean anything. */
export function printFilter(filter: Filter, values: Values): string {
  checkFilter(filter);
  const print = (node: Filter): string => {
    if ('filters' in node) return `(${node.filters.map(print).join(node.op === 'and' ? ' AND ' : ' OR ')})`;
    if ('filter' in node) return `NOT ${print(node.filter)}`;
    return `coalesce(${printLeaf(node, values)}, false)`;
  };
  return print(filter);
}

function printLeaf(leaf: FilterLeaf, values: Values): string {
  const { bind } = values;
  const key = keyOf(leaf.field);
  if (key !== undefined) return printMetadata(leaf, key, values);
  // One of a closed list, as every field was checked to be.
  const name = `'${leaf.field}'`;
  if (leaf.op === 'exists') return `(d.facts->'f' ? ${name}) = ${bind(leaf.value)}::boolean`;
  if (isDated(leaf)) return printInstant(leaf, `(d.facts->'i'->>${name})::float8`, values);
  return printText(leaf, `(d.facts->'f'->>${name}) COLLATE "C"`, values);
}

function printInstant(leaf: DatedComparison, instant: string, { bind }: Values): string {
  if (!('values' in leaf))
    return `${instant} ${comparisons[leaf.op]} ${bind(instantOf(leaf.field, leaf.value))}::float8`;
  const given = leaf.values.map((value) => instantOf(leaf.field, value));
  return printAmong(instant, `${bind(given)}::float8[]`, leaf.op);
}

const printAmong = (value: string, list: string, op: 'in' | 'nin'): string =>
  op === 'in' ? `${value} = ANY(${list})` : `${value} IS NOT NULL AND ${value} <> ALL(${list})`;

const isText = (value: FilterScalar): value is string => typeof value === 'string';
const formed = (value: string): string => value.toWellFormed();

function printText(leaf: Comparison, text: string, { bind }: Values): string {
  if ('values' in leaf) return printAmong(text, `${bind(leaf.values.filter(isText).map(formed))}::text[]`, leaf.op);
  if (leaf.op === 'prefix') return `starts_with(${text}, ${bind(formed(leaf.value))}::text)`;
  if (leaf.op === 'glob') return `${text} ~ ${bind(expressionOf(formed(leaf.value)))}::text`;
  // What is no text is none of them, and comes before and after none.
  if (!isText(leaf.value)) return leaf.op === 'ne' ? `${text} IS NOT NULL` : 'false';
  return `${text} ${comparisons[leaf.op]} ${bind(formed(leaf.value))}::text`;
}

const special: ReadonlySet<string> = new Set('\\^$.|?*+()[]{}');

/** A glob as the expression of PostgreSQL that matches the same paths: it walks them once, and tries nothing twice. */
function expressionOf(glob: string): string {
  const parts = [...glob.matchAll(/(?<=^|\/)\*\*\/|\*\*|[\s\S]/gu)].map(([part]) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    return special.has(part) ? `\\${part}` : part;
  });
  return `^(?:${parts.join('')})$`;
}

function printMetadata(leaf: FilterLeaf, key: string, values: Values): string {
  const { bind } = values;
  if (leaf.op === 'exists') return `(d.facts->'k' ? ${bind(key)}::text) = ${bind(leaf.value)}::boolean`;
  const element = printElement(leaf, values);
  if (element === 'false') return element;
  return `EXISTS (SELECT 1 FROM jsonb_array_elements(d.facts->'m'->${bind(key)}::text) AS e (v) WHERE ${element})`;
}

const [text, instant] = [`(e.v->>'t') COLLATE "C"`, `(e.v->>'i')::float8`];

function printElement(leaf: Comparison, values: Values): string {
  const { bind } = values;
  if ('values' in leaf || leaf.op === 'eq' || leaf.op === 'ne') {
    const same = `coalesce(${printSame('values' in leaf ? leaf.values : [leaf.value], values)}, false)`;
    return leaf.op === 'in' || leaf.op === 'eq' ? same : `NOT ${same}`;
  }
  if (leaf.op === 'prefix') return `starts_with(${text}, ${bind(formed(leaf.value))}::text)`;
  if (leaf.op === 'glob') return 'false';
  const compared = comparisons[leaf.op];
  if (!isText(leaf.value))
    return `CASE WHEN jsonb_typeof(e.v) = 'number' THEN e.v::numeric ${compared} ${bind(String(leaf.value))}::numeric END`;
  const byText = `${text} ${compared} ${bind(formed(leaf.value))}::text`;
  const given = toInstant(leaf.value);
  // Dates compare as instants where both sides are dates.
  return given === undefined
    ? byText
    : `CASE WHEN e.v ? 'i' THEN ${instant} ${compared} ${bind(given)}::float8 ELSE ${byText} END`;
}

/** Whether an element is one of these. */
function printSame(given: readonly FilterScalar[], { bind }: Values): string {
  const texts = given.filter(isText);
  const instants = texts.map(toInstant).filter((one) => one !== undefined);
  const others = given.filter((one) => !isText(one)).map(String);
  return [
    texts.length > 0 && `${text} = ANY(${bind(texts.map(formed))}::text[])`,
    instants.length > 0 && `${instant} = ANY(${bind(instants)}::float8[])`,
    others.length > 0 && `e.v = ANY(${bind(others)}::jsonb[])`,
  ]
    .filter((part) => part !== false)
    .join(' OR ');
}
