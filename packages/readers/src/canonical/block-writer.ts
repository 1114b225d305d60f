// Builds a canonical text block by block, with the headings and places of its blocks. Invariant: blocks, headings and places come out sorted,
// inside the text, and a place covers all blocks written while it was in force.
import type { Block, BlockKind, Heading, Place } from '../document.ts';
import { canonicalText, governHeadings, type HeadingMark } from './canonical-text.ts';

export interface BlockWriter {
  /** The label of where the following blocks stand in the original; undefined ends the present place. */
  at(label: string | undefined): void;
  /** Leaves a blank line before the next block, also between rows or list items. */
  apart(): void;
  /** Writes a block; white space around it goes, nothing else. A `level` (from 1) makes a heading of it. */
  put(kind: BlockKind, content: string, level?: number): void;
  readonly length: number;
  /** Title of the heading written last. */
  readonly heading: string | undefined;
  finish(): { text: string; headings: Heading[]; blocks: Block[]; places: Place[] };
}

/** The cells of a row as one line; empty ones at its end are left out. */
export function rowText(cells: readonly string[]): string {
  const last = cells.findLastIndex((cell) => cell !== '');
  return cells
    .slice(0, last + 1)
    .join(' | ')
    .trim();
}

/** Kinds whose neighbours of the same kind stand on the next line. */
const tight = new Set<BlockKind>(['list-item', 'table-row', 'record']);

export function createBlockWriter(): BlockWriter {
  const parts: string[] = [];
  const blocks: Block[] = [];
  const marks: HeadingMark[] = [];
  const places: { label: string; start: number; end: number }[] = [];
  let length = 0;
  let isApart = false;
  let before: BlockKind | undefined;
  let label: string | undefined;

  const extendPlace = (start: number): void => {
    if (label === undefined) return;
    const last = places.at(-1);
    if (last?.label === label) last.end = length;
    else places.push({ label, start, end: length });
  };
  return {
    at(next) {
      label = next;
    },
    apart() {
      isApart = true;
    },
    put(kind, content, level) {
      const text = canonicalText(content)
        .replace(/^(?:[^\S\n]*\n)+/u, '')
        .trimEnd();
      const body = kind === 'code' || kind === 'list-item' ? text : text.trimStart();
      if (body === '') return;
      if (length > 0) {
        const breaks = kind === before && tight.has(kind) && !isApart ? '\n' : '\n\n';
        parts.push(breaks);
        length += breaks.length;
      }
      isApart = false;
      before = kind;
      const start = length;
      parts.push(body);
      length += body.length;
      blocks.push({ start, end: length, kind });
      if (level !== undefined) marks.push({ start, level, title: body.replace(/\s+/gu, ' ').trim() });
      extendPlace(start);
    },
    get length() {
      return length;
    },
    get heading() {
      return marks.at(-1)?.title;
    },
    finish() {
      const text = parts.join('');
      return { text, headings: governHeadings(marks, text.length), blocks, places };
    },
  };
}
