// One canonical text out of pieces that have structure of their own: the bodies of messages, the cells of a notebook, the items of a feed.
// Invariant: what comes out is sorted and inside the text when the pieces are; a place covers all pieces added while it was in force.
import type { Block, BlockKind, Heading, Place } from '../document.ts';
import { canonicalText, governHeadings, type HeadingMark } from './canonical-text.ts';

/** A canonical text and its structure, by offsets into it. */
export interface TextPiece {
  readonly text: string;
  readonly headings: readonly HeadingMark[];
  readonly blocks: readonly Block[];
}

export interface JoinedText {
  /** The label of where the following pieces stand in the original; undefined ends the present place. */
  at(label: string | undefined): void;
  /** Adds a piece after a blank line, its headings lowered by `levelsDown`. */
  add(piece: TextPiece, levelsDown?: number): void;
  /** Adds a block; white space around it goes. A `level` (from 1) makes a heading of it. */
  put(kind: BlockKind, content: string, level?: number): void;
  finish(): { text: string; headings: Heading[]; blocks: Block[]; places: Place[] };
}

export function joinText(): JoinedText {
  const parts: string[] = [];
  const marks: HeadingMark[] = [];
  const blocks: Block[] = [];
  const places: { label: string; start: number; end: number }[] = [];
  let length = 0;
  let label: string | undefined;
  const add = ({ text, headings, blocks: inner }: TextPiece, levelsDown = 0): void => {
    if (text.trim() === '') return;
    if (length > 0) {
      parts.push('\n\n');
      length += 2;
    }
    const start = length;
    parts.push(text);
    length += text.length;
    for (const mark of headings)
      if (mark.title !== '')
        marks.push({ start: mark.start + start, level: mark.level + levelsDown, title: mark.title });
    for (const block of inner) blocks.push({ ...block, start: block.start + start, end: block.end + start });
    if (label === undefined) return;
    const last = places.at(-1);
    if (last?.label === label) last.end = length;
    else places.push({ label, start, end: length });
  };
  return {
    at(next) {
      label = next;
    },
    add,
    put(kind, content, level) {
      const text = canonicalText(content).trim();
      const title = text.replace(/\s+/gu, ' ');
      add({
        text,
        headings: level === undefined ? [] : [{ start: 0, level, title }],
        blocks: [{ start: 0, end: text.length, kind }],
      });
    },
    finish() {
      const text = parts.join('');
      return { text, headings: governHeadings(marks, text.length), blocks, places };
    },
  };
}
