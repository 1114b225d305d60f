// The blocks of a text, as its author set them: headings, labels, paragraphs, lists, tables, code, messages. Invariant: blocks are sorted and never
// overlap; every piece that can be quoted lies in one.
import type { SourceSpan } from '../core/document.ts';
import { countWords, segmentPieces, type TextPiece } from '../text/sentences.ts';
import type { PassagePart } from './passage.ts';

export type BlockForm = 'heading' | 'label' | 'paragraph' | 'list' | 'row' | 'code' | 'turn';

export interface Block extends SourceSpan {
  readonly form: BlockForm;
  readonly parts: readonly PassagePart[];
  readonly words: number;
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

/** Pieces that stand together make a block: sentences of a paragraph, items of a list, rows of a table, lines of code. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: TextPiece[] = [];
  const close = (): void => {
    if (open.length > 0) blocks.push(toBlock(text, open));
    open = [];
  };
  for (const piece of segmentPieces(text)) {
    const last = open.at(-1);
    if (last && !standTogether(text, last, piece)) close();
    open.push(piece);
  }
  close();
  return blocks.map((block, at) => (isLabel(text, block, blocks[at + 1]) ? { ...block, form: 'label' } : block));
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
  return { form, start, end, parts, words: countWords(text.slice(start, end)) };
}

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

/** A short line that stands alone, ends no sentence and is followed by text names that text. */
function isLabel(text: string, block: Block, next: Block | undefined): boolean {
  if (block.form !== 'paragraph' || block.parts.length > 1 || block.words > longestLabel.words) return false;
  if (next?.form !== 'paragraph' && next?.form !== 'list' && next?.form !== 'code') return false;
  const line = text.slice(block.start, block.end);
  return line.length <= longestLabel.characters && !line.includes('\n') && !/[\p{STerm}:;,…]["'”’»)\]]*$/u.test(line);
}
