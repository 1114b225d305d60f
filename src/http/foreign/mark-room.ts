// What Markdown would swallow a mark: code, and rows of tables, whose surplus cells it drops. A mark stands behind them, in a paragraph of its own, so that
// programs still find it. Of the text nothing else is changed: what Markdown makes of it is its own affair.

/** A line in the containers that it begins: `> ` of quotes. */
const quoted = /^ {0,3}>(?: {0,4}>)* ?/u;
const fenceOf = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/u;
const delimiterRow = /^[ \t]*[|:-][ \t|:-]*$/u;
/** An item of a list, up to where its text begins. */
const item = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)/u;
/** After which indented lines are code at once. */
const ofOneLine = /^ {0,3}(?:#{1,6}(?:[ \t]|$)|(?:[*_-][ \t]*){3,}$|[=-]+[ \t]*$)/u;

const columnsOf = (line: string): number => {
  let columns = 0;
  for (const sign of line) {
    if (sign === '\t') columns += 4 - (columns % 4);
    else if (sign === ' ') columns += 1;
    else break;
  }
  return columns;
};

type State = 'between' | 'words' | 'code' | 'table';

interface Fence {
  readonly marker: string;
  readonly isQuoted: boolean;
  /** Columns of the item that it stands in: a line of fewer ends both. */
  readonly within: number;
}

/** Whether a line ends a fence: the same sign, at least as often, and nothing behind it. */
function isEnd(line: string, { marker }: Fence): boolean {
  const said = line.trim();
  return said.length >= marker.length && said === (marker[0] ?? '').repeat(said.length) && columnsOf(line) < 4;
}

interface Reading {
  readonly state: State;
  readonly fence?: Fence | undefined;
  /** Columns of the item of a list that is open. */
  readonly within: number;
  readonly former: string;
  /** What the last line makes necessary. */
  readonly room: string;
}

/** What a line begins that stands in no fence and is not blank. */
function begun({ state, within, former }: Reading, line: string, isQuoted: boolean): Partial<Reading> {
  const columns = columnsOf(line);
  if (columns >= 4 && (state === 'between' || state === 'code')) return { state: 'code' };
  const kept = columns < within && state === 'between' ? 0 : within;
  const own = { within: item.exec(line)?.[0].length ?? kept };
  const marker = fenceOf.exec(line)?.[1];
  if (marker) return { ...own, fence: { marker, isQuoted, within: columns < own.within ? 0 : own.within } };
  if (delimiterRow.test(line) && former.includes('|')) return { ...own, state: 'table' };
  if (ofOneLine.test(line)) return { ...own, state: 'between' };
  return { ...own, state: state === 'table' ? state : 'words' };
}

function readLine(before: Reading, whole: string): Reading {
  const line = whole.replace(quoted, '');
  const isQuoted = line.length < whole.length;
  const isBlank = line.trim() === '';
  const reading: Reading = { ...before, former: line, room: '' };
  const { fence, state } = before;
  const isShort = !isBlank && columnsOf(line) < (fence?.within ?? 0);
  if (fence && (isShort || (fence.isQuoted && !isQuoted)))
    return readLine({ ...before, fence: undefined, state: 'between' }, whole);
  if (fence) {
    if (!isEnd(fence.isQuoted ? line : whole, fence)) return reading;
    return { ...reading, fence: undefined, state: 'between', room: fence.isQuoted ? '\n\n' : '\n' };
  }
  if (isBlank)
    return { ...reading, state: state === 'code' ? state : 'between', room: columnsOf(line) >= 4 ? '\n' : '' };
  return { ...reading, ...begun(before, line, isQuoted) };
}

/** What has to stand between `text` and a mark; nothing where it would be read there. `text` begins with the line of another mark, or (`isFirst`) a page. */
export function roomForMark(text: string, isFirst: boolean): string {
  const start: Reading = { state: isFirst ? 'between' : 'words', within: 0, former: '', room: '' };
  const { fence, state, room } = text.split(/\r\n?|\n/u).reduce(readLine, start);
  if (fence) return fence.isQuoted ? '\n\n' : `\n${fence.marker}\n`;
  return state === 'code' || state === 'table' ? '\n\n' : room;
}
