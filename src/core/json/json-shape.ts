// What a JSON text of others would build, counted over the text in one pass without a stack, so that it can be refused before a value of it exists.

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
