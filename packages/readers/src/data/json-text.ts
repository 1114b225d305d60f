// JSON values as readable lines, "path: value", one line for each scalar. Numbers keep the digits that the file has:
// JSON.parse would round long ones, and a citation must not.
import { ReadError } from '../read-error.ts';

/** Deepest nesting that is read. */
const maxDepth = 256;

/** A parsed value whose numbers are strings in the spelling of the source. */
export type JsonValue = string | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** Throws `invalid-media` for what is not JSON, naming the place. */
export function parseJson(text: string, name: string): JsonValue {
  try {
    return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? (context?.source ?? String(value)) : value,
    ) as JsonValue;
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(name);
    const reason = error instanceof Error ? error.message.slice(0, 160) : 'not JSON';
    throw new ReadError('invalid-media', `${name} is not valid JSON: ${reason}`, { cause: error });
  }
}

/** The lines of a value; lists of scalars stand in one line. `path` is what the value is called. */
export function jsonLines(value: JsonValue, path: string, name: string): string[] {
  const lines: string[] = [];
  const pending: { value: JsonValue; path: string; depth: number }[] = [{ value, path, depth: 0 }];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    if (item.depth > maxDepth) throw tooDeep(name);
    const children = childrenOf(item.value);
    if (children === undefined) {
      lines.push(item.path === '' ? scalarText(item.value) : `${item.path}: ${scalarText(item.value)}`);
      continue;
    }
    for (const [key, child] of children.reverse()) {
      const separator = item.path === '' || key.startsWith('[') ? '' : '.';
      pending.push({ value: child, path: `${item.path}${separator}${key}`, depth: item.depth + 1 });
    }
  }
  return lines;
}

/** Undefined for scalars and lists of scalars, which are one line. */
function childrenOf(value: JsonValue): [string, JsonValue][] | undefined {
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object' || item === null)) return undefined;
    return value.map((item, index) => [`[${index}]`, item]);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  return entries.length === 0 ? undefined : entries;
}

function scalarText(value: JsonValue): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : value.map(scalarText).join(', ');
  if (value === null) return 'null';
  return typeof value === 'object' ? '{}' : String(value);
}

function tooDeep(name: string): ReadError {
  return new ReadError('invalid-media', `${name} is nested more than ${maxDepth} levels deep. Flatten it.`);
}
