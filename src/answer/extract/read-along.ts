// What a piece of text is read along with, so that it counts what it answers and need not repeat it: the names of its columns, the caption over its table,
// the sentence that its footnote belongs to, the sender of its message, the question that it follows, the title of its record. Pure.
import type { SourceSpan } from '../../core/document.ts';
import type { PieceKind } from '../../text/language/regions.ts';
import { isRecordRow } from '../tables/rows.ts';

/** Whether the piece ends with a question: it asks, and answers nothing. */
export const isAsking = (text: string): boolean => /[?？؟]["'”’»)]{0,3}$/u.test(text.slice(-8));

/** Whether a question is about what was asked. */
export const isAboutAsking = (question: string): boolean =>
  /(?<!\p{L})(?:ask|question|wonder|frag|pregunt|demand)/iu.test(question);

/** The better of each two matches. */
export const bestOf = (some: readonly number[], others: readonly number[]): number[] =>
  some.map((match, index) => Math.max(match, others[index] ?? 0));

export interface AlongPiece extends SourceSpan {
  readonly kind: PieceKind;
  readonly text: string;
  /** Match of each question term, 0..1. */
  readonly matches: readonly number[];
  readonly isRecord?: true;
  readonly isMessageHead?: true;
  readonly recordAt?: number;
  /** Match of each question term in what it asks; only where it asks. */
  readonly asked?: readonly number[];
  /** It has a field of the name that the question wants. */
  readonly isSought?: true;
}

export interface Surroundings<Piece> {
  /** Of the passage. */
  readonly text: string;
  readonly headers: ReadonlyMap<Piece, Piece>;
  /** Match of each question term in title and headings. */
  readonly title: readonly number[];
  /** The same in the caption and header over the rows with which the passage begins. */
  readonly above: readonly number[] | undefined;
  /** The same in the heading or question that stands over the passage, where that asks. */
  readonly askedAbove: readonly number[] | undefined;
  readonly asksOfMessage: boolean;
  /** Share of the question that these matches cover, 0..1. */
  readonly share: (matches: readonly number[]) => number;
}

/** What asks must cover so much of the question, to be that question. */
const leastAsked = 0.5;
/** In talk it is said in other words, and to "you". */
const leastAskedInTalk = 0.2;
/** How much of what was asked the pieces that follow take over, one after the other. */
const followers = [0.95, 0.8, 0.65, 0.5] as const;
const captionLikeness = 0.7;
const longestCaption = 200;
const longestField = 160;
const mostSiblings = 6;
const siblingLikeness = 0.6;
const mostCaptions = 3;
/** A piece that has nothing of the question by itself is none of its rows. */
const leastOwn = 0.6;

/** For each piece the matches that it takes over, the best of each; none for the others. */
export function readAlong<Piece extends AlongPiece>(
  pieces: readonly Piece[],
  around: Surroundings<Piece>,
): ReadonlyMap<Piece, readonly number[]> {
  const along = new Map<Piece, readonly number[]>();
  const add = (piece: Piece, matches: readonly number[], likeness = 1): void => {
    along.set(
      piece,
      bestOf(
        matches.map((match) => match * likeness),
        along.get(piece) ?? [],
      ),
    );
  };
  const notes = notesOf(pieces);
  for (const piece of pieces) {
    const above = around.headers.get(piece) ?? notes.get(piece);
    if (above) add(piece, above.matches);
    const isOwn = piece.isSought === true || piece.matches.some((match) => match >= leastOwn);
    const isHead = piece.isMessageHead === true;
    if (isHead ? around.asksOfMessage : isOwn && (piece.isRecord === true || piece.isSought === true))
      add(piece, around.title);
  }
  for (const { caption, rows } of captionsOf(pieces))
    for (const row of rows)
      if (row.matches.some((match) => match >= leastOwn)) add(row, caption.matches, captionLikeness);
  if (around.above !== undefined)
    for (const piece of pieces) {
      if (piece.kind !== 'row') break;
      if (piece.matches.some((match) => match >= leastOwn)) add(piece, around.above, captionLikeness);
    }
  let opening: Piece | undefined;
  for (const piece of pieces) {
    if (piece.recordAt === piece.start) opening = piece;
    else if (opening !== undefined && piece.recordAt === opening.start) add(piece, opening.matches);
  }
  addSiblings(pieces, around.text, add);
  addAsked(pieces, around, add);
  return along;
}

/** The other fields of a list of facts say of whom the one is that the question wants: "Name: …" over "Payment terms: …". */
function addSiblings<Piece extends AlongPiece>(
  pieces: readonly Piece[],
  text: string,
  add: (piece: Piece, matches: readonly number[], likeness: number) => void,
): void {
  const isField = (piece: Piece | undefined): piece is Piece =>
    piece !== undefined &&
    (piece.kind === 'row' || piece.kind === 'sentence') &&
    piece.text.length <= longestField &&
    // A row that says the names of its columns says nothing of the row below it.
    !isRecordRow(piece.text);
  const areTogether = (first: Piece, next: Piece): boolean =>
    /^[^\S\n]*\n[^\S\n]*$/u.test(text.slice(first.end, next.start));
  for (const [at, piece] of pieces.entries()) {
    if (piece.isSought !== true || !isField(piece)) continue;
    for (const step of [-1, 1])
      for (let next = at + step; Math.abs(next - at) <= mostSiblings; next += step) {
        const [other, nearer] = [pieces[next], pieces[next - step] as Piece];
        if (!isField(other) || !(step < 0 ? areTogether(other, nearer) : areTogether(nearer, other))) break;
        add(piece, other.matches, siblingLikeness);
      }
  }
}

/** What follows a question answers it, until the next heading or question. */
function addAsked<Piece extends AlongPiece>(
  pieces: readonly Piece[],
  { askedAbove, share }: Surroundings<Piece>,
  add: (piece: Piece, matches: readonly number[], likeness: number) => void,
): void {
  let asked = askedAbove !== undefined && share(askedAbove) >= leastAsked ? askedAbove : undefined;
  let distance = 0;
  for (const piece of pieces) {
    const isTalk = piece.kind === 'entry' || piece.isRecord === true || piece.recordAt !== undefined;
    const asks = piece.asked !== undefined && share(piece.asked) >= (isTalk ? leastAskedInTalk : leastAsked);
    if (asks) {
      asked = piece.asked;
      distance = 0;
      continue;
    }
    if (piece.kind === 'heading' || (piece.asked !== undefined && !isTalk)) asked = undefined;
    const likeness = followers[distance];
    if (asked === undefined || likeness === undefined) continue;
    add(piece, asked, likeness);
    distance += 1;
  }
}

/** The lines over the first row of each table, with its rows. */
export function captionsOf<Piece extends Pick<AlongPiece, 'kind' | 'text' | 'isRecord'>>(
  pieces: readonly Piece[],
): readonly { readonly caption: Piece; readonly rows: readonly Piece[] }[] {
  const found: { caption: Piece; rows: Piece[] }[] = [];
  const isRow = (piece: Piece | undefined): boolean => piece?.kind === 'row' && piece.isRecord !== true;
  for (let at = 1; at < pieces.length; at += 1) {
    if (!isRow(pieces[at]) || isRow(pieces[at - 1])) continue;
    const rows: Piece[] = [];
    for (let row = at; isRow(pieces[row]); row += 1) rows.push(pieces[row] as Piece);
    for (let above = at - 1; above >= Math.max(0, at - mostCaptions); above -= 1) {
      const caption = pieces[above] as Piece;
      if (caption.kind === 'row' || caption.kind === 'code' || caption.text.length > longestCaption) break;
      found.push({ caption, rows });
    }
    at += rows.length - 1;
  }
  return found;
}

const noteMark = /^\[\^([\p{L}\p{N}_-]{1,40})\]:/u;
const noteReference = /\[\^([\p{L}\p{N}_-]{1,40})\](?!:)/gu;

/** For each footnote as Markdown writes them the piece that refers to it. */
function notesOf<Piece extends AlongPiece>(pieces: readonly Piece[]): ReadonlyMap<Piece, Piece> {
  const marked = pieces.flatMap((piece) => {
    const name = noteMark.exec(piece.text)?.[1];
    return name === undefined ? [] : [{ name, piece }];
  });
  if (marked.length === 0) return new Map();
  const referring = new Map<string, Piece>();
  for (const piece of pieces)
    for (const [, name] of piece.text.matchAll(noteReference))
      if (name !== undefined && !referring.has(name)) referring.set(name, piece);
  return new Map(
    marked.flatMap(({ name, piece }) => {
      const by = referring.get(name);
      return by === undefined ? [] : [[piece, by]];
    }),
  );
}
