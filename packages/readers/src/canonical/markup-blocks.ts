// Builds the structure of markup that is read line by line and kept as it is written (reStructuredText, Org, AsciiDoc). Invariant: blocks are runs
// of whole lines without the white space around them, in order, and never overlap.
import type { Block, BlockKind } from '../document.ts';
import type { HeadingMark } from './canonical-text.ts';
import { lineSpans } from './line-spans.ts';

export interface MarkupBlocks {
  readonly count: number;
  /** A line without its end; '' beyond the text. */
  line(index: number): string;
  /** Adds a line to the block that is open if it is of that kind, else opens one. */
  extend(kind: BlockKind, index: number): void;
  /** Whether the line above belongs to an open block of that kind. */
  continues(kind: BlockKind, index: number): boolean;
  /** A block of its own from one line to another, the last included. */
  add(kind: BlockKind, first: number, last: number): void;
  heading(title: string, level: number, range: { readonly first: number; readonly last: number }): void;
  /** Ends the open block. */
  end(): void;
  finish(): { readonly marks: HeadingMark[]; readonly blocks: Block[] };
}

const maxTitleLength = 500;

export function markupBlocks(text: string): MarkupBlocks {
  const lines = lineSpans(text);
  const marks: HeadingMark[] = [];
  const blocks: Block[] = [];
  let open: { kind: BlockKind; first: number; last: number } | undefined;
  const put = (kind: BlockKind, first: number, last: number): void => {
    const from = lines[first]?.start ?? text.length;
    const content = text.slice(from, lines[last]?.end ?? text.length);
    const trimmed = content.trim();
    if (trimmed === '') return;
    const start = from + content.indexOf(trimmed);
    blocks.push({ start, end: start + trimmed.length, kind });
  };
  const end = (): void => {
    if (open !== undefined) put(open.kind, open.first, open.last);
    open = undefined;
  };
  return {
    count: lines.length,
    line(index) {
      const span = lines[index];
      return span === undefined ? '' : text.slice(span.start, span.end);
    },
    extend(kind, index) {
      if (open?.kind !== kind || open.last !== index - 1) {
        end();
        open = { kind, first: index, last: index };
      } else open.last = index;
    },
    continues: (kind, index) => open?.kind === kind && open.last === index - 1,
    add(kind, first, last) {
      end();
      put(kind, first, last);
    },
    heading(title, level, { first, last }) {
      end();
      const clean = title.replace(/\s+/gu, ' ').trim().slice(0, maxTitleLength);
      if (clean !== '') marks.push({ start: lines[first]?.start ?? 0, level, title: clean });
      put('heading', first, last);
    },
    end,
    finish() {
      end();
      return { marks, blocks };
    },
  };
}
