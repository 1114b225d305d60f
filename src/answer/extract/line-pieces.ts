// Parts pieces of text that run over lines of which each says something by itself: fields ("date: 5 May"), amounts, and the rows of a chart ("Finland; 548"),
// which have no full stop that would end a sentence. Invariant: pieces stay sorted, apart, and exact ranges of the text. Linear.
import type { TextPiece } from '../../text/sentences.ts';

const field = /^\s*[^:;|.!?\n]{1,40}:[ \t]+\S/u;
/** The first cell has no title, one of the others has a figure. */
const chartRow = /^\s*[^;:|\n]{1,80};[ \t][^\n]{0,400}\d/u;

/** "Sales tax (8.5%) $66.23", as receipts and invoices are written. */
const amount = /^\s*\p{L}[^:;|\n]{1,60}?\s*[-–]?(?:[$€£¥]\s?-?\d[\d.,]*|\s-?\d[\d.,]*\s?(?:€|EUR|USD|GBP|CHF))\s*$/u;

type LineKind = 'field' | 'row' | 'amount' | undefined;
function kindOf(line: string): LineKind {
  if (chartRow.test(line)) return 'row';
  if (amount.test(line)) return 'amount';
  return field.test(line) ? 'field' : undefined;
}

/** The pieces, cut between two lines that are both fields, amounts or rows; what a row was cut into is one piece again. */
export function partLines(text: string, pieces: readonly TextPiece[]): readonly TextPiece[] {
  if (!text.includes('\n') && !wideRow.test(text)) return pieces;
  const parts: TextPiece[] = [];
  for (const piece of joinLines(text, pieces)) {
    const last = parts.at(-1);
    if (last !== undefined && isOneRow(text, last, piece))
      parts[parts.length - 1] = { ...last, end: piece.end, kind: 'row' };
    else parts.push(...(piece.kind === 'sentence' ? partsOf(text, piece) : [piece]));
  }
  // Rows of a chart are short, as headings are.
  return parts.map((piece, at) => {
    const isChart = (other: TextPiece | undefined): boolean =>
      other !== undefined && chartRow.test(text.slice(other.start, other.end));
    if ((piece.kind !== 'heading' && piece.kind !== 'sentence') || !isChart(piece)) return piece;
    const [above, below] = [parts[at - 1], parts[at + 1]];
    const isBeside =
      (isChart(above) && isNextLine(text, above, piece)) || (isChart(below) && isNextLine(text, piece, below));
    return isBeside ? { ...piece, kind: 'row' } : piece;
  });
}

/** Lines of a chart that were cut within a line because together they were too long for a piece. */
function joinLines(text: string, pieces: readonly TextPiece[]): readonly TextPiece[] {
  const joined: TextPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const isCut =
      last !== undefined &&
      last.kind === 'sentence' &&
      piece.kind === 'sentence' &&
      piece.start - last.end <= 1 &&
      piece.end - last.start <= longestRow &&
      !text.slice(last.end, piece.start).includes('\n');
    if (isCut && chartRow.test(lineAt(text, piece.start))) joined[joined.length - 1] = { ...last, end: piece.end };
    else joined.push(piece);
  }
  return joined;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, end < 0 ? text.length : end).slice(0, 500);
}

const isNextLine = (text: string, first: TextPiece | undefined, next: TextPiece | undefined): boolean =>
  first !== undefined && next !== undefined && /^[ \t]*\r?\n[ \t]*$/u.test(text.slice(first.end, next.start));

/** A row of more words than a piece may have was cut between its cells. */
function isOneRow(text: string, last: TextPiece, piece: TextPiece): boolean {
  if (piece.kind !== last.kind && last.kind !== 'row') return false;
  if (piece.end - last.start > longestRow || text.slice(last.end, piece.start).includes('\n')) return false;
  const from = text.lastIndexOf('\n', last.start) + 1;
  if (from !== last.start && text.slice(from, last.start).trim() !== '') return false;
  return wideRow.test(text.slice(last.start, piece.end));
}
/** Three cells at least, all but the first with their names. */
const wideRow = /^[^;|\n]{1,200};[ \t][^:;|\n]{1,100}:[ \t][^;\n]{1,200};[ \t][^:;|\n]{1,100}:[ \t]/mu;
const longestRow = 6_000;

function partsOf(text: string, piece: TextPiece): readonly TextPiece[] {
  const lines = linesOf(text, piece);
  if (lines.length < 2) return [piece];
  const parts: { start: number; end: number; kind: LineKind }[] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last === undefined || (line.kind !== undefined && line.kind === last.kind)) parts.push(line);
    // A line that goes on with the one above; a field or row after it begins anew only beside its like.
    else parts[parts.length - 1] = { ...last, end: line.end, kind: line.kind };
  }
  return parts.length === 1 ? [piece] : parts.map(({ start, end }) => ({ ...piece, start, end }));
}

function linesOf(text: string, { start, end }: TextPiece) {
  const lines: { start: number; end: number; kind: LineKind }[] = [];
  for (let from = start; from < end; ) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 || newline > end ? end : newline;
    const line = text.slice(from, to);
    const trimmed = line.trim();
    const at = from + line.indexOf(trimmed);
    if (trimmed !== '') lines.push({ start: at, end: at + trimmed.length, kind: kindOf(line) });
    from = to + 1;
  }
  return lines;
}
