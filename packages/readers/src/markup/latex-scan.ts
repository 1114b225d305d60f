// Finds the ends of things in LaTeX source: arguments, environments, formulas. Invariant: each look ahead is bounded, so that reading takes linear
// time however the braces stand.

/** Longest argument that is skipped; beyond it the braces are taken to be wrong. */
const maxArgument = 5_000;
const maxOption = 1_000;
const maxFormula = 10_000;

/** Where an argument in `open`…`close` that begins at `at` ends (after the closing mark); undefined where there is none. */
export function endOfArgument(source: string, at: number, open: '{' | '['): number | undefined {
  if (source[at] !== open) return undefined;
  let depth = 0;
  const limit = Math.min(source.length, at + (open === '{' ? maxArgument : maxOption));
  for (let index = at; index < limit; index++) {
    const character = source[index];
    if (character === '\\') index++;
    else if (character === '{') depth++;
    else if (character === '}') {
      depth--;
      if (depth === 0 && open === '{') return index + 1;
      if (depth < 0) return undefined;
    } else if (character === ']' && open === '[' && depth === 0) return index + 1;
    // An option is on one or a few lines.
    else if (character === '\n' && source[index + 1] === '\n' && open === '[') return undefined;
  }
  return undefined;
}

/** Skips white space and at most one line end. */
export function skipBlanks(source: string, at: number): number {
  let index = at;
  while (source[index] === ' ' || source[index] === '\t') index++;
  if (source[index] === '\n' && source[index + 1] !== '\n') {
    index++;
    while (source[index] === ' ' || source[index] === '\t') index++;
  }
  return index;
}

/** Skips options in brackets and `count` arguments; the place after the last one that is there. */
export function skipArguments(source: string, at: number, count: number): number {
  let index = at;
  for (let left = count; ; ) {
    const next = skipBlanks(source, index);
    const option = endOfArgument(source, next, '[');
    if (option !== undefined) {
      index = option;
      continue;
    }
    const end = left > 0 ? endOfArgument(source, next, '{') : undefined;
    if (end === undefined) return index;
    index = end;
    left--;
  }
}

/** The end of a formula that is opened by `mark`, the closing mark included; undefined where none follows near. */
export function endOfFormula(source: string, from: number, mark: string): number | undefined {
  const limit = Math.min(source.length, from + maxFormula);
  for (let index = from; index < limit; index++) {
    if (source.startsWith(mark, index)) return index + mark.length;
    if (source[index] === '\\') index++;
    // A formula in a line never goes over a paragraph.
    else if (mark === '$' && source[index] === '\n' && source[index + 1] === '\n') return undefined;
  }
  return undefined;
}
