// Reads rows and records among the pieces of a passage: a row goes with the header above it, and a record that is written line by line is one
// piece with the line that names it. Invariant: pieces stay sorted, apart, and exact ranges of the text.
import { countWords, type TextPiece } from '../../text/sentences.ts';
import { isRowOfFigures, mayNameColumns } from '../tables/columns.ts';
import { barCells, isDelimiterRow } from '../tables/rows.ts';
import { recordsOf } from './readings.ts';

/** Records with more words are read line by line. */
const mostWords = 60;

export interface RecordMarks {
  /** A record with what names it: its neighbours say nothing of it. */
  readonly isRecord?: true;
  /** Who wrote to whom and when: seldom what is asked for. */
  readonly isMessageHead?: true;
  /** Where the record begins whose prose it is a part of. */
  readonly recordAt?: number;
}

/** The pieces with those joined that make up a record; `join` makes one of two that follow each other. */
export function joinRecords<Piece extends TextPiece>(
  text: string,
  pieces: readonly Piece[],
  join: (first: Piece, next: Piece) => Piece = (first) => first,
): readonly (Piece & RecordMarks)[] {
  const blocks = recordsOf(text)
    .map((block) => ({ ...block, isWhole: countWords(text.slice(block.start, block.end)) <= mostWords }))
    .filter(({ isMessageHead, isWhole, isLong }) => isMessageHead || isWhole || isLong);
  if (blocks.length === 0) return pieces;
  const joined: (Piece & RecordMarks)[] = [];
  let next = 0;
  for (const piece of pieces) {
    while (next < blocks.length && (blocks[next]?.end ?? 0) <= piece.start) next += 1;
    const block = blocks[next];
    const isInside = block !== undefined && piece.start >= block.start && piece.end <= block.end;
    const last = joined.at(-1);
    if (!isInside) {
      joined.push(piece);
      continue;
    }
    if (!block.isWhole && block.isLong) {
      // The fields before the prose go with its first sentence, and name who says the others.
      const isOpening =
        last?.recordAt === block.start && shortField.test(text.slice(last.end - lastLine(text, last), last.end));
      if (isOpening)
        joined[joined.length - 1] = { ...join(last, piece), start: last.start, end: piece.end, recordAt: block.start };
      else joined.push({ ...piece, recordAt: block.start });
      continue;
    }
    const marks: RecordMarks = {
      ...(block.isWhole && { isRecord: true as const }),
      ...(block.isMessageHead && { isMessageHead: true as const }),
    };
    const kind = block.isWhole ? 'row' : piece.kind;
    if (!block.isWhole || last?.isRecord !== true || last.start < block.start)
      joined.push({ ...piece, kind, ...marks });
    else joined[joined.length - 1] = { ...join(last, piece), start: last.start, end: piece.end, kind, ...marks };
  }
  return joined;
}

/** A field that says no more than a name or a date. */
const shortField = /^[^:;|.!?\n]{1,40}:[ \t]+\S+(?:[ \t]+\S+){0,5}$/u;
const lastLine = (text: string, { start, end }: TextPiece): number =>
  end - Math.max(start, text.lastIndexOf('\n', end - 1) + 1);

/**
 * For each row of a table the header above it: a first row without figures but years. For each entry of settings the name of the
 * table or key that it stands under.
 */
export function headersOf<Piece extends TextPiece>(pieces: readonly Piece[], text: string): ReadonlyMap<Piece, Piece> {
  const headers = new Map<Piece, Piece>();
  let header: Piece | undefined;
  let section: Piece | undefined;
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'heading') section = piece;
    else if (piece.kind !== 'entry') section = undefined;
    else if (section) headers.set(piece, section);
    if (piece.kind !== 'row' || 'isRecord' in piece) header = undefined;
    else if (header) headers.set(piece, header);
    else if (isHeader(pieces, index, text)) header = piece;
  }
  return headers;
}

/** A row that may name columns, over others; of two columns only over figures, for names beside values have no header. */
function isHeader(pieces: readonly TextPiece[], index: number, text: string): boolean {
  const rows = pieces
    .slice(index, index + 4)
    .map(({ kind, start, end }) => (kind === 'row' ? text.slice(start, end) : ''));
  const [first = '', next = '', ...further] = rows;
  if (next === '') return false;
  // Markdown marks its header.
  if (isDelimiterRow(text.slice(pieces[index]?.end, pieces[index + 1]?.start))) return true;
  if (!mayNameColumns(first)) return false;
  const names = barCells(first, false);
  // "Payment terms: | 30 days" is a field, however its cells are parted.
  if (names.some((name) => name.endsWith(':'))) return false;
  return names.length !== 2 || [next, ...further].every((row) => row === '' || isRowOfFigures(row));
}
