// Groups the lines of a text into regions within which sentences may run on: a wrapped paragraph or list item is one
// region, a heading, a table row and a line of code each stand alone. Reads Markdown marks where they are, and the shape
// of lines (width, case, punctuation) where a PDF left nothing else. Regions are sorted and never overlap.

import type { SourceSpan } from '../../core/document.ts';
import { entryMarks } from './log-entries.ts';
import { settingsGroups } from './settings-lines.ts';

/** What a piece of text is: `sentence` and `item` regions are searched for sentence ends, and an `entry` of a log or chat where it is long. */
export type PieceKind = 'sentence' | 'heading' | 'item' | 'row' | 'code' | 'entry';

export interface Region extends SourceSpan {
  readonly kind: PieceKind;
}

interface Line extends SourceSpan {
  readonly kind: PieceKind | 'blank' | 'mark' | 'fence' | 'underline';
  /** The line without its list or heading mark. */
  readonly bodyStart: number;
  readonly text: string;
  readonly isFenced?: true;
}

/** So many lines without a stamp of their own belong to an entry at most: traces are long, what stands under a day is not. */
const mostLines = { certain: 200, stamp: 200, day: 3, object: 0 } as const;
/** Lines that go on with no entry above them. */
const apart: ReadonlySet<Line['kind']> = new Set(['blank', 'heading', 'fence', 'underline', 'mark']);

const fence = /^\s{0,3}(?:```|~~~)/;
const markHeading = /^\s{0,3}#{1,6}\s+/;
const bullet = /^\s*(?:[-*+•‣◦▪●○·]|–)\s+/u;
const numbered = /^\s*(?:\(?\d{1,3}[.)]|\(?[a-z]\)|\[\d{1,3}\])\s+/;
const itemNumber = /^[^\S\r\n\u2028\u2029]{0,80}\(?(\d{1,3})[.)]\s/gmu;
const underline = /^\s{0,3}(?:=+|-{2,})\s*$/;
const ruleOrSeparator = /^[\s|:+*_-]{3,}$/;
const quoteMark = /^\s{0,3}(?:>\s?)+/;
const codeLine =
  /[{}]\s*(?:;\s*)?$|^\s*[)}\]]+(?:[;,][;,)]*)?\s*$|^\s*(?:import|export|const|let|var|function|def|class|return|if|for|while|await|async|package|func|public|private|static|fn|use)\b.*[({;=]|=>\s*\S|^\s*(?:\/\/|\/\*|\*\/)|^\s*<\/?[a-z][\w-]*(?:\s[^<>]*)?>\s*$|\);\s*$|^\s*\$ \S/;
const chapter = /^(?:\d+(?:\.\d+)*\.?|[IVX]{1,5}\.|[A-Z]\.\d+(?:\.\d+)*|Chapter \d+|Appendix [A-Z0-9])\s+\p{Lu}/u;
const endsSentence = /[\p{STerm}…:]['"’”»)\]]*\s*$/u;

/** The regions of `text`, in order. Blank lines, rules and table separators belong to none. */
export function regionsOf(text: string): Region[] {
  const lines = withRecords(withSettings(withEntries(linesOf(text))));
  const regions: Region[] = [];
  let open: { start: number; end: number; kind: PieceKind; last: Line } | undefined;
  const close = (): void => {
    if (open) regions.push({ start: open.start, end: open.end, kind: open.kind });
    open = undefined;
  };
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'blank' || line.kind === 'mark' || line.kind === 'fence' || line.kind === 'underline') {
      close();
      continue;
    }
    if (line.kind === 'heading' || line.kind === 'row' || line.kind === 'code' || line.kind === 'entry') {
      close();
      regions.push({ start: line.bodyStart, end: line.end, kind: line.kind });
      continue;
    }
    const next = lines[index + 1];
    if (line.kind === 'sentence' && next?.kind === 'underline' && !open) {
      regions.push({ start: line.bodyStart, end: line.end, kind: 'heading' });
      continue;
    }
    if (open && (line.kind === 'item' || breaksBetween(open.last, line))) close();
    if (open) {
      open.end = line.end;
      open.last = line;
    } else open = { start: line.bodyStart, end: line.end, kind: line.kind, last: line };
    if (open.start === line.bodyStart && standsAlone(line, next)) {
      open.kind = 'heading';
      close();
    }
  }
  close();
  return regions;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let inFence = false;
  let afterText = false;
  let previous = '';
  let numbers: ReadonlySet<number> | undefined;
  /** A number above one that neither comes before nor after another one at the start of a line numbers nothing: "on p.\n127. The". */
  const isAlone = (raw: string): boolean => {
    const number = Number(/^\s*\(?(\d{1,3})[.)]/u.exec(raw)?.[1] ?? 0);
    if (number < 2) return false;
    numbers ??= new Set([...text.matchAll(itemNumber)].map((match) => Number(match[1])));
    return !numbers.has(number - 1) && !numbers.has(number + 1);
  };
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const stop = newline < 0 ? text.length : newline;
    const end = stop > start && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop;
    const raw = text.slice(start, end).replace(/\f/g, ' ');
    const line: Line = inFence && !fence.test(raw) ? { ...plain('code'), isFenced: true } : classify();
    lines.push(line);
    afterText = line.kind === 'sentence' || line.kind === 'item';
    previous = raw;
    start = stop + 1;

    function plain(kind: Line['kind'], mark = 0): Line {
      return { start, end, kind, bodyStart: start + mark, text: raw };
    }
    function classify(): Line {
      if (raw.trim() === '') return plain(inFence ? 'code' : 'blank');
      if (fence.test(raw)) {
        inFence = !inFence;
        return plain('fence');
      }
      if (afterText && underline.test(raw)) return plain('underline');
      if (ruleOrSeparator.test(raw)) return plain('mark');
      const heading = markHeading.exec(raw);
      if (heading) return plain('heading', heading[0].length);
      const point = bullet.exec(raw);
      if (point) return plain('item', point[0].length);
      // A wrapped line may begin with "12. " or "3) "; an enumeration starts after a break or another item's end.
      if (
        numbered.test(raw) &&
        (!afterText ||
          numbered.test(previous) ||
          bullet.test(previous) ||
          (endsSentence.test(previous) && !isAlone(raw)))
      )
        return plain('item');
      if (isRow(raw)) return plain('row');
      if (codeLine.test(raw)) return plain('code');
      const quoted = quoteMark.exec(raw);
      return plain('sentence', quoted ? quoted[0].length : 0);
    }
  }
  return lines;
}

/** Entries of a log and messages of a chat, each as one line with what goes on below it. */
function withEntries(lines: readonly Line[]): readonly Line[] {
  const marks = entryMarks(lines.map((line) => (line.isFenced ? '' : line.text)));
  if (marks.every((mark) => mark === undefined)) return lines;
  const read: Line[] = [];
  let left = 0;
  for (const [at, line] of lines.entries()) {
    const mark = marks[at];
    const last = read.at(-1);
    const isTable = line.kind === 'row' && mark !== 'certain';
    if (mark !== undefined && line.kind !== 'heading' && !isTable) {
      read.push({ ...line, kind: 'entry', bodyStart: line.start });
      left = mostLines[mark];
    } else if (last?.kind === 'entry' && left > 0 && !isTable && !apart.has(line.kind)) {
      read[read.length - 1] = { ...last, end: line.end };
      left -= 1;
    } else {
      read.push(line);
      left = 0;
    }
  }
  return read;
}

/** The lines of settings: a key with its value or list, a small mapping. */
function withSettings(lines: readonly Line[]): readonly Line[] {
  const isOther = ({ kind, isFenced }: Line): boolean => isFenced === true || kind === 'entry' || kind === 'fence';
  const groups = settingsGroups(lines.map((line) => (isOther(line) ? '' : line.text)));
  if (groups.length === 0) return lines;
  const read: Line[] = [];
  let next = 0;
  for (const { from, to, kind } of groups) {
    read.push(...lines.slice(next, from));
    const [first, last] = [lines[from] as Line, lines[to] as Line];
    read.push({ ...first, kind, bodyStart: first.start, end: last.end });
    next = to + 1;
  }
  read.push(...lines.slice(next));
  return read;
}

const recordKey = /^([^:;|]{1,120}): \S/u;
const furtherField = /; [^:;]{1,120}: \S/u;

const oneBar = /\S\s\|\s\S/u;

/**
 * Rows of a table as "header: value; header: value", told by a neighbour that begins with the same header, and those of two columns, told by a
 * neighbour with a bar: each stands alone.
 */
function withRecords(lines: readonly Line[]): Line[] {
  return lines.map((line, index) => {
    if (line.kind !== 'sentence') return line;
    if (
      oneBar.test(line.text) &&
      [lines[index - 1], lines[index + 1]].some((other) => other && oneBar.test(other.text))
    )
      return { ...line, kind: 'row' };
    const key = recordKey.exec(line.text)?.[1];
    if (key === undefined) return line;
    const neighbours = [lines[index - 1]?.text ?? '', lines[index + 1]?.text ?? ''];
    const isRecord =
      neighbours[0]?.startsWith(`${key} | `) ||
      (furtherField.test(line.text) && neighbours.some((text) => text.startsWith(`${key}: `)));
    return isRecord ? { ...line, kind: 'row' } : line;
  });
}

function isRow(line: string): boolean {
  const trimmed = line.trim();
  if (/\S\t+\S/.test(trimmed)) return true;
  if (trimmed.startsWith('|') && trimmed.endsWith('|') && trimmed.length > 2) return true;
  return (trimmed.match(/\s\|\s/g)?.length ?? 0) >= 2;
}

/** Two neighbouring lines of running text that are not one paragraph, judged by width and case. */
function breaksBetween(above: Line, below: Line): boolean {
  const opening = below.text.trimStart();
  if (endsSentence.test(above.text)) return chapter.test(opening) && opening.length < 80;
  if (!/^[\p{Lu}\p{N}"“„(]/u.test(opening)) return false;
  const width = below.text.trim().length;
  return above.text.trim().length < 0.6 * Math.max(width, 45) && above.text.trim().split(/\s+/).length <= 8;
}

/** A heading without marks: short, no final punctuation, numbered or clearly narrower than the text that follows. */
function standsAlone(line: Line, next: Line | undefined): boolean {
  if (line.kind !== 'sentence' || !next || next.kind !== 'sentence') return false;
  const title = line.text.trim();
  if (title.length > 80 || /[\p{STerm},;]$/u.test(title) || !/^[\p{Lu}\p{N}]/u.test(title)) return false;
  if (!/^[\p{Lu}\p{N}"“]/u.test(next.text.trimStart())) return false;
  if (chapter.test(title)) return true;
  return breaksBetween(line, next);
}
