// What each UTF-16 code unit is (upper or lower case letter, other letter, mark, number, white space …), in one table, so
// that a scanner asks an array per character instead of a regular expression.

export const other = 0;
/** Lu and Lt. */
export const upper = 1;
/** Ll. */
export const lower = 2;
/** Lm and Lo: letters without case. */
export const caseless = 3;
export const mark = 4;
export const number = 5;
/** White space but the ends of lines. */
export const space = 6;
/** Carriage return and line feed. */
export const lineEnd = 7;
/** Half a character, or alone: the character decides. */
export const surrogate = 8;

/** Every code unit at its own index; surrogates are replaced, as a pattern would take them in pairs. */
let everyUnit: string | undefined;
function units(): string {
  everyUnit ??= Array.from({ length: 0x10000 }, (_, code) =>
    String.fromCharCode(code >= 0xd800 && code <= 0xdfff ? 0 : code),
  ).join('');
  return everyUnit;
}

/** A table with `value` for the code units that the first pattern to fit gives; 0 for the rest. */
export function tableOf(patterns: readonly (readonly [value: number, characters: RegExp])[]): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (const [value, characters] of patterns.toReversed())
    for (const match of units().matchAll(new RegExp(`(?:${characters.source})+`, 'gu')))
      table.fill(value, match.index, match.index + match[0].length);
  return table;
}

let table: Uint8Array | undefined;

/** The class of every code unit; made at first use, in a few milliseconds. */
export function codeClasses(): Uint8Array {
  table ??= tableOf([
    [upper, /[\p{Lu}\p{Lt}]/u],
    [lower, /\p{Ll}/u],
    [caseless, /[\p{Lm}\p{Lo}]/u],
    [mark, /\p{M}/u],
    [number, /\p{N}/u],
    [lineEnd, /[\r\n]/u],
    [space, /\s/u],
  ]).fill(surrogate, 0xd800, 0xe000);
  return table;
}
