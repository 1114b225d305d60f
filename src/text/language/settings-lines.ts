// Groups the lines of settings (YAML, TOML, INI, properties) as people cite them: a key with its value or with its list, a small mapping with its
// own key, an item of a list with its lines; a table or key over more of them is a heading. Invariant: groups are sorted and apart, and lines that
// may as well be prose or code are in none. Linear in the text.

interface LineGroup {
  /** Indices of lines, the last one included. */
  readonly from: number;
  readonly to: number;
  readonly kind: 'entry' | 'heading';
}

/** A mapping of more words is read line by line. */
const mostWords = 60;
const mostLinesAhead = 60;

const table = /^\s*\[{1,2}[\p{L}\p{N}_"'$][^\][\n]{0,120}\]{1,2}\s*(?:[#;].*)?$/u;
const assignment = /^\s{0,8}[\p{L}\p{N}_"'$][\p{L}\p{N}_."'$-]{0,80}\s?=(?![=>~])/u;
/** What a value looks like that is no prose and no formula. */
const literal = /^[^=]{1,90}=\s?(?:["'[{]|[^\s=<>()]+(?:\s+[#;]|\s*$))/u;
const pair =
  /^(?<indent> *)(?<dash>(?:- +)*)(?:[\p{L}\p{N}_."'$/<*-][\p{L}\p{N}_."'$/<*@-]{0,80}):(?:\s+(?<value>\S.*))?\s*$/u;
const dashItem = /^ *- +\S/u;

interface Read {
  readonly indent: number;
  /** A key with nothing behind it, a key with a value, an item of a list, an item that is a mapping, none of them. */
  readonly kind: 'key' | 'pair' | 'item' | 'mapping' | 'blank' | 'text';
  readonly words: number;
}

/** The groups among the lines, given without their ends. */
export function settingsGroups(lines: readonly string[]): readonly LineGroup[] {
  if (lines.some((line) => table.test(line) || assignment.test(line))) return assignments(lines);
  return lines.some((line) => /^ +[^\s:]+:(?:\s|$)/u.test(line)) ? mappings(lines) : [];
}

/** `key = value`, each line by itself: under a table any, elsewhere beside another and with what can only be a value. */
function assignments(lines: readonly string[]): LineGroup[] {
  const groups: LineGroup[] = [];
  let isUnderTable = false;
  for (const [at, line] of lines.entries()) {
    const next = (): string =>
      lines.slice(at + 1, at + 4).find((other) => other.trim() !== '' && !/^\s*[#;]/u.test(other)) ?? '';
    if (table.test(line) && (assignment.test(next()) || (isUnderTable && table.test(next())))) {
      groups.push({ from: at, to: at, kind: 'heading' });
      isUnderTable = true;
    } else if (assignment.test(line)) {
      const isPlain = (other: string | undefined): boolean =>
        other !== undefined && assignment.test(other) && literal.test(other);
      if (isUnderTable || (isPlain(line) && (isPlain(lines[at - 1]) || isPlain(lines[at + 1]))))
        groups.push({ from: at, to: at, kind: 'entry' });
    }
  }
  return groups;
}

function mappings(lines: readonly string[]): LineGroup[] {
  const read = lines.map(readLine);
  // A key over keys that are further in: what prose and lists do not do.
  if (
    !read.some(({ kind, indent }, at) => kind === 'key' && isKey(read[at + 1]) && (read[at + 1]?.indent ?? 0) > indent)
  )
    return [];
  const groups: LineGroup[] = [];
  for (let at = 0; at < read.length; at += 1) {
    const { kind } = read[at] as Read;
    if (kind === 'blank' || kind === 'text' || kind === 'item') continue;
    const end = kind === 'key' ? endOfSmall(read, at) : endOfEntry(read, at);
    groups.push(end === undefined ? { from: at, to: at, kind: 'heading' } : { from: at, to: end, kind: 'entry' });
    if (end !== undefined) at = end;
  }
  return groups;
}

const isKey = (line: Read | undefined): boolean => line?.kind === 'key' || line?.kind === 'pair';

function readLine(line: string): Read {
  const words = line.trim() === '' ? 0 : line.trim().split(/\s+/u).length;
  const indent = line.length - line.trimStart().length;
  if (words === 0 || /^\s*#/u.test(line)) return { indent, kind: 'blank', words: 0 };
  const groups = pair.exec(line)?.groups;
  if (groups === undefined) return { indent, kind: dashItem.test(line) ? 'item' : 'text', words };
  if (groups['dash'] !== '') return { indent, kind: 'mapping', words };
  return { indent, kind: groups['value'] === undefined ? 'key' : 'pair', words };
}

/** The last line of a key whose values are all plain or lists of plain ones, and few; undefined for other keys. */
function endOfSmall(read: readonly Read[], at: number): number | undefined {
  const own = read[at] as Read;
  let end: number | undefined;
  let words = own.words;
  for (let next = at + 1; next < read.length && next <= at + mostLinesAhead; next += 1) {
    const line = read[next] as Read;
    if (line.kind === 'blank') continue;
    const isInside = line.indent > own.indent || (line.indent === own.indent && line.kind === 'item');
    if (!isInside) return end;
    words += line.words;
    const below = read[next + 1];
    const isMapping =
      line.kind === 'mapping' || (line.kind === 'key' && isKey(below) && (below?.indent ?? 0) > line.indent);
    if (isMapping || words > mostWords) return undefined;
    end = next;
  }
  return at + mostLinesAhead >= read.length ? end : undefined;
}

/** The last line of a value that runs on below its key, or of an item with its lines. */
function endOfEntry(read: readonly Read[], at: number): number {
  const own = read[at] as Read;
  let end = at;
  let words = own.words;
  for (let next = at + 1; next < read.length && next <= at + mostLinesAhead; next += 1) {
    const line = read[next] as Read;
    if (line.kind === 'blank' || line.indent <= own.indent) break;
    words += line.words;
    if (words > mostWords) break;
    end = next;
  }
  return end;
}
