// The blocks of a text, as its author set them: headings, labels, paragraphs, lists, tables, code, messages. Invariant: blocks are sorted and never
// overlap; every piece that can be quoted lies in one.
import type { ChunkHeadings, SourceSpan } from '../core/document.ts';
import { countWords, segmentPieces, type TextPiece } from '../text/sentences.ts';
import type { PassagePart } from './passage.ts';

/** Printed tables of contents repeat headings, and are no passages. */
export type BlockForm = 'heading' | 'label' | 'paragraph' | 'list' | 'row' | 'code' | 'turn' | 'contents';

export interface Block extends SourceSpan {
  readonly form: BlockForm;
  readonly parts: readonly PassagePart[];
  readonly words: number;
  /** Of a heading, from 1. */
  readonly level?: number;
  /** Of a heading whose words do not stand in the text. */
  readonly title?: string;
}

/** A line of at most so many words or characters that stands alone may be the label of what follows. */
const longestLabel = { words: 12, characters: 100 };

const blockForms: Readonly<Record<TextPiece['kind'], BlockForm>> = {
  heading: 'heading',
  sentence: 'paragraph',
  item: 'list',
  row: 'row',
  code: 'code',
  entry: 'turn',
};

const partForms: Readonly<Record<TextPiece['kind'], PassagePart['form']>> = {
  heading: 'label',
  sentence: 'sentence',
  item: 'item',
  row: 'row',
  code: 'code',
  entry: 'sentence',
};

/** Of what stands between two rows: the first names columns. */
export const isTableRule = (between: string): boolean => between.includes('---') && /^[\s|:+-]*$/u.test(between);

/** Dots that lead to the number of a page. */
const leader = /(?<!\.\s?)(?:\.\s?){3,}[\s|]*(?:\d{1,4}|[ivxlc]{1,7})$/iu;

/** Where paragraphs stand most lines of which lead to a page. */
function contentsIn(text: string): readonly SourceSpan[] {
  if (!text.includes('...') && !text.includes('. . .')) return [];
  return [...text.matchAll(/\S.*(?:\n.*\S.*)*/gu)].flatMap(({ 0: paragraph, index }) => {
    const lines = paragraph.split('\n');
    const leading = lines.filter((line) => leader.test(line.trim())).length;
    return 2 * leading > lines.length ? [{ start: index, end: index + paragraph.length }] : [];
  });
}

/** Pieces that stand together make a block: sentences of a paragraph, items of a list, rows of a table, lines of code. `headings`: those that the format marks; absent, signs do. */
export function blocksOf(text: string, headings?: ChunkHeadings): readonly Block[] {
  const blocks: Block[] = [];
  let open: TextPiece[] = [];
  const close = (): void => {
    if (open.length > 0) blocks.push(toBlock(text, open));
    open = [];
  };
  const contents = contentsIn(text);
  for (const piece of headings ? besideHeadings(text, headings) : segmentPieces(text)) {
    if ('level' in piece) {
      close();
      blocks.push(piece);
      continue;
    }
    const within = contents.find(({ start, end }) => piece.start < end && piece.end > start);
    if (within) {
      close();
      if (blocks.at(-1)?.start !== within.start) blocks.push({ ...within, form: 'contents', parts: [], words: 0 });
      continue;
    }
    const last = open.at(-1);
    if (last && !standTogether(text, last, piece)) close();
    open.push(piece);
  }
  close();
  return blocks.map((block, at) => (isLabel(text, block, blocks[at + 1]) ? { ...block, form: 'label' } : block));
}

type HeadingBlock = Block & { readonly level: number };

/** The pieces of a text, but for what stands in its headings, which are blocks. */
function* besideHeadings(text: string, headings: ChunkHeadings): Generator<TextPiece | HeadingBlock> {
  let next = 0;
  for (const piece of segmentPieces(text)) {
    let { start } = piece;
    for (let heading = headings[next]; heading && heading.start < piece.end; heading = headings[++next]) {
      const { start: from, end, level, title } = heading;
      const before = text.slice(0, from).trimEnd().length;
      if (start < before) yield { ...piece, start, end: before };
      yield {
        form: 'heading',
        start: from,
        end,
        parts: [],
        words: countWords(text.slice(from, end)),
        level,
        ...(title !== undefined && { title }),
      };
      start = Math.max(start, end);
    }
    start = Math.max(start, headings[next - 1]?.end ?? 0);
    start += /^\s*/u.exec(text.slice(start, piece.end))?.[0].length ?? 0;
    // Comments in code look like headings of Markdown.
    const kind = piece.kind === 'heading' ? 'sentence' : piece.kind;
    if (start < piece.end) yield { ...piece, kind, start };
  }
}

function standTogether(text: string, last: TextPiece, next: TextPiece): boolean {
  if (last.kind !== next.kind || last.kind === 'heading' || last.kind === 'entry') return false;
  // Items may stand apart, and code has empty lines within.
  if (last.kind === 'item' || last.kind === 'code') return true;
  return !/\n[^\S\n]*\n/u.test(text.slice(last.end, next.start));
}

function toBlock(text: string, pieces: readonly TextPiece[]): Block {
  const form = blockForms[pieces[0]?.kind ?? 'sentence'];
  const start = startOf(text, pieces[0]?.start ?? 0, form);
  const last = pieces.at(-1)?.end ?? start;
  const end = form === 'code' ? closedAt(text, last) : last;
  const parts = pieces.map((piece) => ({ start: piece.start, end: piece.end, form: partForms[piece.kind] }));
  const block = { form, start, end, parts, words: countWords(text.slice(start, end)) };
  return form === 'heading' ? { ...block, level: levelAt(text, start) } : block;
}

/** Of a heading that signs mark: how many of them. One without signs stands under all others. */
const levelAt = (text: string, start: number): number =>
  text.slice(text.lastIndexOf('\n', start) + 1, start).trimEnd().length || Number.MAX_SAFE_INTEGER;

/** Where code ends whose last lines are brackets alone. */
function closedAt(text: string, from: number): number {
  let end = from;
  for (let next = from; next < text.length; next += 1) {
    const sign = text.charAt(next);
    if (')}];,'.includes(sign)) end = next + 1;
    else if (sign.trim() !== '') break;
  }
  return end;
}

/** The mark of an item and the indent of code belong to the block. */
function startOf(text: string, start: number, form: BlockForm): number {
  if (form !== 'list' && form !== 'code') return start;
  const line = text.lastIndexOf('\n', start - 1) + 1;
  return start - line <= 12 && !/\p{L}[^\p{L}]*\p{L}/u.test(text.slice(line, start)) ? line : start;
}

const labelled: ReadonlySet<BlockForm> = new Set(['paragraph', 'list', 'code', 'contents']);

/** A short line that stands alone, ends no sentence and is followed by text names that text. */
function isLabel(text: string, block: Block, next: Block | undefined): boolean {
  if (block.form !== 'paragraph' || block.parts.length > 1 || block.words > longestLabel.words) return false;
  if (!next || !labelled.has(next.form)) return false;
  const line = text.slice(block.start, block.end);
  return line.length <= longestLabel.characters && !line.includes('\n') && !/[\p{STerm}:;,…]["'”’»)\]]*$/u.test(line);
}
