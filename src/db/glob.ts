// Matches paths against patterns: `*` is any run within a folder, `**` any run across folders, and `**/` also no folder at
// all; everything else stands for itself. Invariant: a match takes time in the length of the pattern plus, for each wildcard
// (at most `maximumWildcards`), that of the path: no regular expressions, and nothing is tried twice.

/** A pattern that anyone needs has a handful. */
const maximumWildcards = 32;
const maximumLength = 512;

type Wildcard = 'within' | 'across' | 'folders';

/** What stands between two wildcards, and how far a piece that fails behind its n-th unit may be moved on (Knuth, Morris, Pratt). */
interface Piece {
  readonly text: string;
  readonly borders: Uint16Array;
}

interface Parsed {
  readonly wildcards: readonly Wildcard[];
  /** One more than there are wildcards. */
  readonly texts: readonly string[];
}

/** What two neighbours say together, where one wildcard says it too. */
function joined(left: Wildcard | undefined, right: Wildcard): Wildcard | undefined {
  if (left === right) return right;
  const isAcross = (left === 'across' && right === 'within') || (left !== undefined && right === 'across');
  return isAcross ? 'across' : undefined;
}

function parse(pattern: string): Parsed {
  const wildcards: Wildcard[] = [];
  const texts: string[] = [];
  let from = 0;
  const add = (wildcard: Wildcard, at: number, length: number): void => {
    const one = at === from ? joined(wildcards.at(-1), wildcard) : undefined;
    if (one === undefined) {
      texts.push(pattern.slice(from, at));
      wildcards.push(wildcard);
    } else wildcards[wildcards.length - 1] = one;
    from = at + length;
  };
  for (let at = pattern.indexOf('*'); at !== -1; at = pattern.indexOf('*', from)) {
    if (!pattern.startsWith('**', at)) add('within', at, 1);
    else if (pattern[at + 2] === '/' && (at === 0 || pattern[at - 1] === '/')) add('folders', at, 3);
    else add('across', at, 2);
  }
  texts.push(pattern.slice(from));
  return { wildcards, texts };
}

/** Why a pattern is refused: what it is, in words that go on after "it"; undefined for one that can be matched. */
export function globFault(pattern: string): string | undefined {
  if (pattern.length > maximumLength) return `has a glob longer than ${maximumLength} characters`;
  return parse(pattern).wildcards.length > maximumWildcards
    ? `has a glob with more than ${maximumWildcards} wildcards`
    : undefined;
}

function pieceOf(text: string): Piece {
  const borders = new Uint16Array(text.length + 1);
  for (let at = 1, border = 0; at < text.length; at += 1) {
    while (border > 0 && text[at] !== text[border]) border = borders[border] as number;
    if (text[at] === text[border]) border += 1;
    borders[at + 1] = border;
  }
  return { text, borders };
}

/** Of a piece so short that looking for it everywhere costs no more than a few reads of the path. */
const shortPiece = 16;

/** Where the piece stands in the path, in order, from a place on. */
function standsAt({ text, borders }: Piece, path: string, from: number): readonly number[] {
  const found: number[] = [];
  if (text.length <= shortPiece) {
    for (let at = path.indexOf(text, from); at !== -1; at = path.indexOf(text, at + 1)) {
      found.push(at);
      // Of nothing, `indexOf` finds the end of the path for ever.
      if (at === path.length) break;
    }
    return found;
  }
  for (let at = from, fits = 0; at < path.length; at += 1) {
    while (fits > 0 && path[at] !== text[fits]) fits = borders[fits] as number;
    if (path[at] === text[fits]) fits += 1;
    if (fits < text.length) continue;
    found.push(at + 1 - fits);
    fits = borders[fits] as number;
  }
  return found;
}

/**
 * Where `wildcard` and then the piece may end, given (in order) where what comes before them may. Of each folder the first place is
 * enough: what follows is a wildcard, which leads from there to wherever it leads from a later one. Of `**\/` all places begin a folder.
 */
function placesAfter(starts: readonly number[], wildcard: Wildcard, piece: Piece, path: string): number[] {
  const first = starts[0] as number;
  const places: number[] = [];
  let start = 0;
  /** Where the folder of the last start that was passed ends, and that of the last place. */
  let startFolderEnd = folderEnd(path, first);
  let placeFolderEnd = -1;
  for (const begin of standsAt(piece, path, first)) {
    if (wildcard === 'within') {
      while (start + 1 < starts.length && (starts[start + 1] as number) <= begin) {
        start += 1;
        startFolderEnd = folderEnd(path, starts[start] as number);
      }
      if (begin > startFolderEnd) continue;
    } else if (wildcard === 'folders' && begin > first && path[begin - 1] !== '/') continue;
    const end = begin + piece.text.length;
    if (end <= placeFolderEnd) continue;
    places.push(end);
    placeFolderEnd = folderEnd(path, end);
  }
  return places;
}

/** The place of the next slash, or the end of the path. */
function folderEnd(path: string, from: number): number {
  const slash = path.indexOf('/', from);
  return slash === -1 ? path.length : slash;
}

/** A matcher of whole paths for a `pattern` without a fault. */
export function createGlob(pattern: string): (path: string) => boolean {
  const { wildcards, texts } = parse(pattern);
  const head = texts[0] as string;
  const tail = texts.at(-1) as string;
  const last = wildcards.at(-1);
  if (last === undefined) return (path) => path === pattern;
  const pieces = texts.slice(1, -1).map(pieceOf);
  return (path) => {
    if (path.length < head.length + tail.length || !path.startsWith(head) || !path.endsWith(tail)) return false;
    let starts = [head.length];
    for (let index = 0; index < pieces.length; index += 1) {
      starts = placesAfter(starts, wildcards[index] as Wildcard, pieces[index] as Piece, path);
      if (starts.length === 0) return false;
    }
    const begin = path.length - tail.length;
    const before = starts.findLast((start) => start <= begin);
    if (before === undefined) return false;
    if (last === 'across') return true;
    if (last === 'folders') return begin === starts[0] || path[begin - 1] === '/';
    return begin <= folderEnd(path, before);
  };
}
