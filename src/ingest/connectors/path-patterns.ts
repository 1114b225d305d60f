// Patterns of paths as people write them: `*` and `?` within a name, `[a-z]`, `**` for any run of folders, `{a,b}` where braces are asked for.
// Invariant: matching takes at most the product of both lengths whatever the pattern says (no regular expressions: patterns and names come
// with folders that others made). Going back to the last star alone is enough, as what stands before it has its leftmost place (R. Cox, "Glob
// Matching Can Be Simple And Fast Too", 2017); so for `**` over names.

type Atom =
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'letter'; readonly letter: string }
  | {
      readonly kind: 'class';
      readonly isNot: boolean;
      readonly ranges: readonly (readonly [from: string, to: string])[];
    };

/** One name of a path; undefined for any run of names. */
type Part = readonly Atom[] | undefined;

export interface PathPattern {
  readonly parts: readonly Part[];
  /** It has no slash: then it is for a name, wherever that stands. */
  readonly isForNames: boolean;
}

/** `pattern` without a slash at its end; one at its start counts and is no part of it. */
export function parsePathPattern(pattern: string): PathPattern {
  const written = pattern.replace(/^\//u, '').split('/');
  const parts: Part[] = written.map((part) => (part === '**' ? undefined : atomsOf(part)));
  // `docs/**` is also the folder itself, `*/**` only what lies in folders: so it is elsewhere.
  const isOfFolders = parts.at(-1) === undefined && parts.at(-2)?.at(-1)?.kind === 'star';
  return { parts: isOfFolders ? [...parts, [{ kind: 'star' }]] : parts, isForNames: !pattern.includes('/') };
}

/** The letters of each name of a path. */
export type PathNames = readonly (readonly string[])[];

export const namesOf = (path: string): PathNames => path.split('/').map((name) => [...name]);

function atomsOf(part: string): Atom[] {
  const letters = [...part];
  const atoms: Atom[] = [];
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] as string;
    if (letter === '*') {
      if (atoms.at(-1)?.kind !== 'star') atoms.push({ kind: 'star' });
    } else if (letter === '?') atoms.push({ kind: 'any' });
    else if (letter === '[') {
      const read = classAt(letters, at);
      if (read) atoms.push(read.atom);
      else atoms.push({ kind: 'letter', letter });
      at = read?.end ?? at;
    } else if (letter === '\\' && at + 1 < letters.length) {
      at += 1;
      atoms.push({ kind: 'letter', letter: letters[at] as string });
    } else atoms.push({ kind: 'letter', letter });
  }
  return atoms;
}

/** The class that opens at `start`, and where it ends; undefined for a bracket that nothing closes. */
function classAt(letters: readonly string[], start: number): { readonly atom: Atom; readonly end: number } | undefined {
  const isNot = letters[start + 1] === '!' || letters[start + 1] === '^';
  const first = start + (isNot ? 2 : 1);
  const ranges: (readonly [string, string])[] = [];
  for (let at = first; at < letters.length; at += 1) {
    // A closing bracket that comes first is one of the letters.
    if (letters[at] === ']' && at > first) return { atom: { kind: 'class', isNot, ranges }, end: at };
    if (letters[at] === '\\' && at + 1 < letters.length) at += 1;
    const from = letters[at] as string;
    const isRange = letters[at + 1] === '-' && letters[at + 2] !== undefined && letters[at + 2] !== ']';
    if (isRange) at += 2;
    ranges.push([from, letters[at] as string]);
  }
  return undefined;
}

function fits(atom: Atom, letter: string): boolean {
  if (atom.kind === 'letter') return atom.letter === letter;
  if (atom.kind !== 'class') return true;
  return atom.ranges.some(([from, to]) => letter >= from && letter <= to) !== atom.isNot;
}

/** Whether wildcards of a list (where `isStar`) and what else is in it (where `isFit`) take all of `length` things in turn. */
function matchesAll<Item>(
  items: readonly Item[],
  length: number,
  { isStar, isFit }: { readonly isStar: (item: Item) => boolean; readonly isFit: (item: Item, at: number) => boolean },
): boolean {
  let [item, at] = [0, 0];
  /** Behind the last star, and where what comes after it was tried last. */
  let [after, tried] = [-1, 0];
  while (at < length) {
    const one = items[item] as Item;
    if (item < items.length && isStar(one)) {
      item += 1;
      [after, tried] = [item, at];
    } else if (item < items.length && isFit(one, at)) {
      item += 1;
      at += 1;
    } else if (after >= 0) {
      tried += 1;
      [item, at] = [after, tried];
    } else return false;
  }
  while (item < items.length && isStar(items[item] as Item)) item += 1;
  return item === items.length;
}

/** Whether the pattern is all of the path, or of its last name where it is for names. */
export function matchesPath({ parts, isForNames }: PathPattern, path: PathNames): boolean {
  const names = isForNames ? path.slice(-1) : path;
  return matchesAll(parts, names.length, {
    isStar: (part) => part === undefined,
    isFit(part, at) {
      const name = names[at] as readonly string[];
      return matchesAll(part as readonly Atom[], name.length, {
        isStar: ({ kind }) => kind === 'star',
        isFit: (atom, letter) => fits(atom, name[letter] as string),
      });
    },
  });
}

/** Alternatives that one pattern may stand for: one more than whoever asks allows, who then refuses it. */
const mostAlternatives = 1001;

/** `a.{ts,tsx}` as `a.ts` and `a.tsx`; braces without a comma stand for themselves. */
export function alternativesOf(pattern: string): readonly string[] {
  const waiting = [pattern];
  const found: string[] = [];
  for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
    const braces = waiting.length + found.length < mostAlternatives ? bracesOf(one) : undefined;
    if (braces === undefined) found.push(one);
    else waiting.unshift(...braces.parts.map((part) => one.slice(0, braces.start) + part + one.slice(braces.end)));
  }
  return found;
}

/** The first braces that hold a comma of their own. */
function bracesOf(pattern: string): { start: number; end: number; parts: readonly string[] } | undefined {
  const open: { readonly start: number; readonly commas: number[] }[] = [];
  let first: { start: number; end: number; parts: readonly string[] } | undefined;
  for (let at = 0; at < pattern.length; at += 1) {
    const letter = pattern[at];
    if (letter === '\\') at += 1;
    else if (letter === '{') open.push({ start: at, commas: [] });
    else if (letter === ',') open.at(-1)?.commas.push(at);
    else if (letter === '}') {
      const braces = open.pop();
      if (braces === undefined || braces.commas.length === 0 || (first && first.start < braces.start)) continue;
      const borders = [braces.start, ...braces.commas, at];
      const parts = borders.slice(1).map((border, part) => pattern.slice((borders[part] ?? 0) + 1, border));
      first = { start: braces.start, end: at + 1, parts };
      if (open.length === 0) return first;
    }
  }
  return first;
}
