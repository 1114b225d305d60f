// The filters of Azure AI Search that its documentation allows, parsed and decided over one row, written from that grammar and not from the
// printer: unknown fields, fields that are not filterable, wrong types and what lambdas may not hold are refused. Texts compare
// by UTF-16 units, which is not how this program orders them.
import { type IndexDefinition, type IndexField, RefusedRequest } from './index-definition.ts';

type Row = Readonly<Record<string, unknown>>;
type Literal = string | number | boolean | null;
type Test = (row: Row, item?: unknown) => boolean;

interface Lambda {
  readonly name: string;
  /** Of the elements: a complex field has fields of its own. */
  readonly field: IndexField;
}

const token =
  /\s*(?:('(?:[^']|'')*')|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([A-Za-z_][\w.]*(?:\/[A-Za-z_]\w*)*)|([(),:]))/iuy;
const comparisons = new Set(['eq', 'ne', 'gt', 'ge', 'lt', 'le']);
const numbers = new Set(['Edm.Int32', 'Edm.Int64', 'Edm.Double']);

export function parseOData(text: string, definition: IndexDefinition): (row: Row) => boolean {
  const tokens = tokensOf(text);
  let at = 0;
  const refuse = (why: string): RefusedRequest => new RefusedRequest(400, `filter: ${why} at ${at} of ${text}`);
  const peek = (): string | undefined => tokens[at];
  const take = (wanted?: string): string => {
    const next = tokens[at];
    if (next === undefined || (wanted !== undefined && next !== wanted)) throw refuse(`${wanted ?? 'more'} expected`);
    at += 1;
    return next;
  };

  function either(lambda: Lambda | undefined, depth: number): Test {
    if (depth > 100) throw refuse('too deep');
    const parts = [all(lambda, depth)];
    while (peek() === 'or') {
      take();
      parts.push(all(lambda, depth));
    }
    return parts.length === 1 ? (parts[0] as Test) : (row, item) => parts.some((part) => part(row, item));
  }

  function all(lambda: Lambda | undefined, depth: number): Test {
    const parts = [one(lambda, depth)];
    while (peek() === 'and') {
      if (lambda && isPrimitive(lambda)) throw refuse('no `and` in a lambda over texts');
      take();
      parts.push(one(lambda, depth));
    }
    return parts.length === 1 ? (parts[0] as Test) : (row, item) => parts.every((part) => part(row, item));
  }

  function one(lambda: Lambda | undefined, depth: number): Test {
    const next = take();
    if (next === 'not') {
      if (lambda && isPrimitive(lambda)) throw refuse('no `not` in a lambda over texts');
      const inner = one(lambda, depth + 1);
      return (row, item) => !inner(row, item);
    }
    if (next === '(') {
      const inner = either(lambda, depth + 1);
      take(')');
      return inner;
    }
    if (next === 'true' || next === 'false') return () => next === 'true';
    if (next === 'search.in') return among(lambda);
    if (next.endsWith('/any') && peek() === '(') return any(next.slice(0, -4), lambda, depth);
    const { read, field } = variable(next, lambda);
    const operator = take();
    if (!comparisons.has(operator)) throw refuse(`${operator} is no comparison`);
    if (lambda && isPrimitive(lambda) && operator !== 'eq') throw refuse('only eq in a lambda over texts');
    const value = literalOf(take(), field, operator);
    return (row, item) => compares(read(row, item), operator, value);
  }

  function any(path: string, outer: Lambda | undefined, depth: number): Test {
    if (outer) throw refuse('no lambda in a lambda');
    const field = definition.fields.find(({ name }) => name === path);
    if (!field?.type.startsWith('Collection(')) throw refuse(`${path} is no collection`);
    if (!field.fields && !field.filterable) throw refuse(`${path} is not filterable`);
    take('(');
    const name = take();
    take(':');
    const inner = either({ name, field }, depth + 1);
    take(')');
    return (row) => ((row[path] as readonly unknown[] | null | undefined) ?? []).some((item) => inner(row, item));
  }

  function among(lambda: Lambda | undefined): Test {
    take('(');
    const { read, field } = variable(take(), lambda);
    if (field.type !== 'Edm.String' && field.type !== 'Collection(Edm.String)') throw refuse('search.in is for texts');
    take(',');
    const list = String(literalOf(take(), textField, 'eq'));
    let separators = ' ,';
    if (peek() === ',') {
      take();
      separators = String(literalOf(take(), textField, 'eq'));
    }
    take(')');
    const values = new Set<string>();
    let entry = '';
    for (const unit of `${list}${separators[0] ?? ','}`)
      if (separators.includes(unit)) {
        if (entry.trim() !== '') values.add(entry.trim());
        entry = '';
      } else entry += unit;
    return (row, item) => values.has(read(row, item) as string);
  }

  function variable(path: string, lambda: Lambda | undefined) {
    if (lambda && (path === lambda.name || path.startsWith(`${lambda.name}/`))) {
      if (path === lambda.name) return { read: (_row: Row, item: unknown) => item, field: lambda.field };
      const name = path.slice(lambda.name.length + 1);
      const field = lambda.field.fields?.find((one_) => one_.name === name);
      if (!field?.filterable) throw refuse(`${path} is not filterable`);
      return { read: (_row: Row, item: unknown) => (item as Row)[name], field };
    }
    if (lambda) throw refuse(`${path} is outside its lambda`);
    const field = definition.fields.find(({ name }) => name === path);
    if (!field) throw refuse(`there is no field ${path}`);
    if (!field.filterable) throw refuse(`${path} is not filterable`);
    if (field.type.startsWith('Collection(')) throw refuse(`${path} is a collection`);
    return { read: (row: Row) => row[path], field };
  }

  function literalOf(written: string, field: IndexField, operator: string): Literal {
    const type = field.type.replace(/^Collection\((.*)\)$/u, '$1');
    if (written === 'null') {
      if (operator !== 'eq' && operator !== 'ne') throw refuse('null is not ordered');
      return null;
    }
    if (written.startsWith("'")) {
      if (type !== 'Edm.String') throw refuse(`a text is compared with ${type}`);
      return written.slice(1, -1).replaceAll("''", "'");
    }
    if (written === 'true' || written === 'false') {
      if (type !== 'Edm.Boolean' || !['eq', 'ne'].includes(operator)) throw refuse(`a truth is compared with ${type}`);
      return written === 'true';
    }
    if (!/^-?\d/u.test(written)) throw refuse(`${written} is no literal`);
    if (!numbers.has(type)) throw refuse(`a number is compared with ${type}`);
    if (type !== 'Edm.Double' && !/^-?\d+$/u.test(written)) throw refuse(`${written} is no whole number`);
    return Number(written);
  }

  const test = either(undefined, 0);
  if (at !== tokens.length) throw refuse(`${peek()} is too much`);
  return (row) => test(row);
}

const textField: IndexField = { name: '', type: 'Edm.String' };
const isPrimitive = ({ field }: Lambda): boolean => field.fields === undefined;

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const from = token.lastIndex;
    const match = token.exec(text);
    if (!match) {
      if (text.slice(from).trim() === '') break;
      throw new RefusedRequest(400, `filter: not understood at ${from} of ${text}`);
    }
    tokens.push(match[0].trimStart());
  }
  return tokens;
}

function compares(value: unknown, operator: string, given: Literal): boolean {
  const left = (value ?? null) as Literal;
  if (operator === 'eq') return left === given;
  if (operator === 'ne') return left !== given;
  if (left === null || given === null) return false;
  if (operator === 'gt') return left > given;
  if (operator === 'ge') return left >= given;
  return operator === 'lt' ? left < given : left <= given;
}
