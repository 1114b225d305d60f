// Untrusted JSON in: depth, number of values and prototype keys are refused before a schema sees a value, and depth and number before one
// exists. Both are counted over the text, so a body made of brackets costs one pass and no stack.
import { FootnoteError } from '../errors.ts';
import { jsonShape } from './json-shape.ts';

const maxJsonDepth = 64;
/** Checking a value costs some 1 to 2 µs of the one event loop; 30,000 are more than the largest filter holds, and far from 100 ms. */
const maxJsonValues = 30_000;

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
