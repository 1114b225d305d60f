// JSON that is made once: a value that never changes carries the text of its JSON with it, so that each trace it stands in needs no other.
// Invariant: the text is that of the value; whoever marks a value vouches that it stays as it is, and a copy of it is not marked.

const text = Symbol('JSON');

interface Marked {
  readonly [text]?: () => string;
}

/** Marks `value`; `make` gives its JSON whenever it is asked for. Returns the same value. */
export function keepJson<T extends object>(value: T, make: () => string): T {
  // Not enumerable: spreading and comparing do not see it.
  return Object.defineProperty(value, text, { value: make });
}

/** Freezes plain data to the last field and marks it: its JSON is made when it is first asked for. Returns the same value. */
export function freezeJson<T extends object>(value: T): T {
  let json: string | undefined;
  keepJson(value, () => {
    json ??= JSON.stringify(value);
    return json;
  });
  return freezeAll(value);
}

function freezeAll<T extends object>(value: T): T {
  for (const item of Object.values(value)) if (typeof item === 'object' && item !== null) freezeAll(item as object);
  return Object.freeze(value);
}

/** Whether a value is marked: its JSON can be asked for at any time, and is that of now. */
export const isKept = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && (value as Marked)[text] !== undefined;

/** The JSON of a marked value; undefined for every other. */
export function keptJson(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? (value as Marked)[text]?.() : undefined;
}

/** `JSON.stringify` of plain data in which marked values stand at the top or in a list: these are not read again. */
export function printJson(value: unknown): string | undefined {
  const kept = keptJson(value);
  if (kept !== undefined) return kept;
  if (!Array.isArray(value) || !isKept(value[0])) return JSON.stringify(value);
  return `[${value.map((item) => keptJson(item) ?? JSON.stringify(item) ?? 'null').join(',')}]`;
}
