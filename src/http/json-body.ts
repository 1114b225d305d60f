// Untrusted JSON in: depth and prototype keys are refused before a value exists. The depth is counted over the text, so a
// body made of brackets costs one pass and no stack.
import { FootnoteError } from '../core/errors.ts';

export const maxJsonDepth = 64;

/** The deepest nesting of arrays and objects in a JSON text; brackets inside strings do not count. Stops above `limit`. */
export function jsonDepth(json: string, limit: number = Number.POSITIVE_INFINITY): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth++;
      if (depth > deepest) deepest = depth;
      if (deepest > limit) return deepest;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return deepest;
}

/** Parses the bytes of a body. Throws `invalid-request` with what is wrong. An empty body is undefined. */
export function parseJsonBody(body: Uint8Array): unknown {
  const text = decode(body);
  if (text.trim() === '') return undefined;
  if (jsonDepth(text, maxJsonDepth) > maxJsonDepth)
    throw new FootnoteError(
      'invalid-request',
      `The JSON body is nested deeper than ${maxJsonDepth} levels. Flatten it.`,
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
