// Untrusted JSON in: depth, number of values and prototype keys are refused before a schema sees a value, and depth and number before one
// exists. Both are counted over the text, so a body made of brackets costs one pass and no stack.
import { FootnoteError } from '../../core/errors.ts';

const maxJsonDepth = 64;
/** Checking a value costs some 1 to 2 µs of the one event loop; 30,000 are more than the largest filter holds, and far from 100 ms. */
const maxJsonValues = 30_000;

export interface JsonShape {
  /** The deepest nesting of arrays and objects. */
  readonly depth: number;
  /** Values of any kind, containers too; an empty container counts twice. */
  readonly values: number;
}

/** What a JSON text would build, counted without building it; brackets and commas inside strings do not count. Stops above a limit. */
export function jsonShape(
  json: string,
  limits: JsonShape = { depth: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY },
): JsonShape {
  let open = 0;
  let depth = 0;
  let values = 1;
  for (let index = 0; index < json.length && depth <= limits.depth && values <= limits.values; index++) {
    const code = json.charCodeAt(index);
    if (code === 0x22) index = stringEnd(json, index);
    else if (code === 0x7b || code === 0x5b) {
      open++;
      values++;
      if (open > depth) depth = open;
    } else if (code === 0x7d || code === 0x5d) open--;
    else if (code === 0x2c) values++;
  }
  return { depth, values };
}

/** Where the string that begins at `start` has its closing quote; the end of the text if it has none. */
function stringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json.charCodeAt(end - slashes - 1) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return json.length;
}

/** Parses the bytes of a body. Throws `invalid-request` or `too-large` with what is wrong. An empty body is undefined. */
export function parseJsonBody(body: Uint8Array): unknown {
  const text = decode(body);
  if (text.trim() === '') return undefined;
  const { depth, values } = jsonShape(text, { depth: maxJsonDepth, values: maxJsonValues });
  if (depth > maxJsonDepth)
    throw new FootnoteError(
      'invalid-request',
      `The JSON body is nested deeper than ${maxJsonDepth} levels. Flatten it.`,
    );
  if (values > maxJsonValues)
    throw new FootnoteError(
      'too-large',
      `The JSON body holds more than ${maxJsonValues} values. Send fewer, or several requests.`,
    );
  try {
    // A reviver costs a walk, and only bodies that can spell the key need it.
    const suspect = text.includes('__proto__') || text.includes('\\u00');
    return suspect ? JSON.parse(text, refusePrototype) : JSON.parse(text);
  } catch (error) {
    if (error instanceof FootnoteError) throw error;
    throw new FootnoteError('invalid-request', `The body is not valid JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (error) {
    throw new FootnoteError('invalid-request', 'The body is not valid UTF-8. Send JSON encoded as UTF-8.', {
      cause: error,
    });
  }
}

function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__')
    throw new FootnoteError('invalid-request', 'The JSON body holds a field named "__proto__", which is refused.');
  return value;
}
