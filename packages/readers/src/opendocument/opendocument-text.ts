// The text of OpenDocument (ODF 1.3 part 3) as blocks: headings, paragraphs, lists, rows of tables, text boxes, alternative texts; notes and
// comments are handed over apart. Recursion follows the tree, whose depth its reader bounds.

import { createStruckText, type StruckText } from '../canonical/struck-text.ts';
import { createTableGrid, type GridCell, headerLevels } from '../canonical/table-grid.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  contentOf,
  descendantsOf,
  elementsOf,
  isElement,
  type XmlElement,
  type XmlNode,
} from '../containers/xml-text.ts';
import type { BlockKind } from '../document.ts';
import { headingLevel, isStruckBy, listOfStyle, noStyles, type OpenDocumentStyles } from './opendocument-styles.ts';

export interface OpenDocumentSink {
  put(kind: BlockKind, text: string, level?: number): void;
  /** A footnote, endnote or comment; gives the mark that stands in the text. */
  note(kind: 'note' | 'comment', text: string): string;
  /** A picture that is shown: its part inside the file, and whether an alternative text is given. */
  picture(part: string, isDescribed: boolean): void;
  /** A page ended here when the file was last laid out. */
  pageBreak?(): void;
  /** The text of an embedded object: a formula or a chart. */
  object(path: string): string | undefined;
  /** Whether a style strikes out what it is given to. Default: as the styles of the text say. */
  isStruck?(style: string | undefined): boolean | undefined;
}

interface ListPlace {
  readonly style: string;
  readonly level: number;
  /** Numbers by level, of this list and those around it. */
  readonly counts: number[];
}

/**
 * A body without what was deleted: it stands apart (ODF 1.3 part 3 §5.5.2), but in flat files LibreOffice leaves it where it was, between the marks of
 * its change.
 */
export function withoutDeleted(body: XmlElement): XmlElement {
  const deleted = new Set<string>();
  for (const region of descendantsOf(body, 'changed-region'))
    if (childOf(region, 'deletion') !== undefined) deleted.add(attributeOf(region, 'id') ?? '');
  if (deleted.size === 0 || descendantsOf(body, 'change-start').next().value === undefined) return body;
  const open = new Set<string>();
  const kept = (element: XmlElement): XmlElement => ({
    ...element,
    children: element.children.flatMap((child): readonly XmlNode[] => {
      if (!isElement(child)) return open.size === 0 ? [child] : [];
      const change = attributeOf(child, 'change-id') ?? '';
      if (child.name === 'change-start' && deleted.has(change)) open.add(change);
      else if (child.name === 'change-end') open.delete(change);
      else if (open.size === 0 || child.children.length > 0) return [kept(child)];
      return [];
    }),
  });
  return kept(body);
}

/** Elements that only hold others. */
const containers = new Set(
  'section breaks frames index-body index-title table-of-content alphabetical-index illustration-index table-index user-index bibliography numbered-paragraph text-box g a'.split(
    ' ',
  ),
);
/** In a paragraph, but not for its readers. */
const leftOut = new Set(['hidden-text', 'script', 'event-listeners']);

/** Blocks of the children of an element, in their order. */
export function writeOpenDocument(container: XmlElement, styles: OpenDocumentStyles, given: OpenDocumentSink): void {
  const sink = { isStruck: (style: string | undefined) => isStruckBy(style, styles), ...given };
  const outline: number[] = [];
  /** Numbers of lists that ended, which others may go on with: by their id, and the last one of a style. */
  const ended = new Map<string, number[]>();
  const headingMark = (element: XmlElement, level: number): string => {
    const start = Number(attributeOf(element, 'start-value') ?? Number.NaN);
    if (attributeOf(element, 'restart-numbering') === 'true') outline[level - 1] = (start || 1) - 1;
    if (attributeOf(element, 'is-list-header') === 'true' || listOfStyle(element, styles) === '') return '';
    const label = styles.numbering.nextHeading(level, outline);
    return label === '' ? '' : `${label} `;
  };
  const paragraph = (
    element: XmlElement,
    kind: BlockKind,
    { mark, level }: { mark?: string | undefined; level?: number | undefined } = {},
  ): void => {
    const boxes: XmlElement[] = [];
    const text = inlineText(element, sink, boxes).trim();
    // Empty ones count, too.
    const label = mark ?? (element.name === 'h' ? headingMark(element, level ?? 1) : '');
    if (text !== '') sink.put(level === undefined ? kind : 'heading', `${label}${text}`, level);
    for (const box of boxes) walk(box);
  };
  // oxlint-disable-next-line complexity -- Each form that the format knows is a case.
  const list = (element: XmlElement, outer: ListPlace | undefined): void => {
    const style =
      attributeOf(element, 'style-name') ?? outer?.style ?? listOfStyle(firstParagraph(element), styles) ?? '';
    const place: ListPlace = {
      style,
      level: (outer?.level ?? 0) + 1,
      counts: outer?.counts ?? [...(ended.get(continued(element, style)) ?? [])],
    };
    const indent = '  '.repeat(Math.min(place.level - 1, 8));
    for (const item of elementsOf(element)) {
      if (item.name !== 'list-item' && item.name !== 'list-header') continue;
      const start = Number(attributeOf(item, 'start-value') ?? Number.NaN);
      if (Number.isInteger(start)) place.counts[place.level - 1] = start - 1;
      let isFirst = item.name === 'list-item';
      for (const child of elementsOf(item)) {
        if (isList(child)) list(child, place);
        else if (child.name === 'h') {
          // A heading in a list of its own is counted there and not in the outline.
          const label =
            isFirst && style !== 'Outline' ? styles.numbering.next(style, place.level, place.counts) : undefined;
          if (label !== undefined) isFirst = false;
          const mark = label === undefined || label === '' ? label : `${label} `;
          paragraph(child, 'paragraph', { mark, level: headingLevel(child, styles) });
        } else if (child.name === 'p') {
          // An item that only holds another list is none of its own.
          const label = isFirst ? styles.numbering.next(place.style, place.level, place.counts) : undefined;
          const shown =
            label === undefined || label === '' ? '-' : `${label}${/[\p{L}\p{N}]$/u.test(label) ? '.' : ''}`;
          const mark = isFirst ? `${indent}${shown} ` : item.name === 'list-item' ? `${indent}  ` : indent;
          paragraph(child, 'list-item', { mark });
          isFirst = false;
        } else block(child);
      }
    }
    if (outer !== undefined) return;
    ended.set(`style ${style}`, place.counts);
    const id = attributeOf(element, 'id');
    if (id !== undefined) ended.set(`id ${id}`, place.counts);
  };
  const table = (element: XmlElement): void => {
    const grid = createTableGrid();
    const spans = new Map<number, number>();
    const read: { readonly cells: readonly GridCell[]; readonly isHeader: boolean; breaks: number }[] = [];
    const rows = (container: XmlElement, isHeader: boolean): void => {
      for (const row of elementsOf(container)) {
        const last = read.at(-1);
        if (row.name === 'soft-page-break' && last) last.breaks++;
        else if (row.name === 'soft-page-break') sink.pageBreak?.();
        else if (row.name === 'table-row') {
          const cells = rowCells(row, spans).map(({ cell, ...place }) => ({
            ...place,
            text: cell === undefined ? '' : cellText(cell, sink),
          }));
          // Writer marks the first row of every new table: that of a list of names and values is none.
          read.push({ cells, isHeader: isHeader && cells.length > 2, breaks: 0 });
        } else if (/^table-(?:rows|header-rows|row-group)$/u.test(row.name))
          rows(row, isHeader || row.name === 'table-header-rows');
      }
    };
    rows(element, false);
    const levels = headerLevels(read.map(({ cells }) => cells));
    for (const [index, { cells, isHeader, breaks }] of read.entries()) {
      const line = grid.line(cells, { isHeader: isHeader || index < levels });
      if (line !== '') sink.put('table-row', line);
      for (let at = 0; at < breaks; at++) sink.pageBreak?.();
    }
  };
  const block = (element: XmlElement): void => {
    if (element.name === 'soft-page-break') {
      sink.pageBreak?.();
      return;
    }
    if (element.name === 'h' || element.name === 'p')
      paragraph(element, 'paragraph', { level: headingLevel(element, styles) });
    else if (isList(element)) list(element, undefined);
    else if (element.name === 'table') table(element);
    else if (element.name === 'frame') frame(element);
    else if (element.name === 'annotation') sink.note('comment', commentText(element, sink));
    else if (
      containers.has(element.name) ||
      childOf(element, 'p') !== undefined ||
      childOf(element, 'list') !== undefined
    )
      walk(element);
  };
  const frame = (element: XmlElement): void => {
    const described = alternativeText(element);
    const picture = childOf(element, 'image');
    let isRead = false;
    for (const child of elementsOf(element)) {
      if (child.name === 'text-box') walk(child);
      else if (child.name === 'table') table(child);
      else if (child.name === 'object' && !isRead) {
        const text = sink.object(attributeOf(child, 'href') ?? '');
        if (text !== undefined) sink.put('other', text);
        isRead = text !== undefined;
      } else continue;
      isRead = true;
    }
    if (described !== '') sink.put('other', `Image: ${described}`);
    if (picture !== undefined && !isRead)
      sink.picture((attributeOf(picture, 'href') ?? '').replace(/^\.\//u, ''), described !== '');
  };
  const walk = (element: XmlElement): void => {
    for (const child of elementsOf(element)) block(child);
  };
  walk(container);
}

/** OpenOffice.org 1 told lists with numbers from those without. */
const isList = ({ name }: XmlElement): boolean => /^(?:(?:un)?ordered-)?list$/u.test(name);

/** Which of the lists that ended an outer list goes on with. */
const continued = (list: XmlElement, style: string): string => {
  const id = attributeOf(list, 'continue-list');
  if (id !== undefined) return `id ${id}`;
  return attributeOf(list, 'continue-numbering') === 'true' ? `style ${style}` : '';
};

const firstParagraph = (list: XmlElement): XmlElement | undefined => descendantsOf(list, 'p').next().value;

const maxRowCells = 200;

interface RowCell {
  readonly cell: XmlElement | undefined;
  columns: number;
  readonly continues: boolean;
}

/** Cells of a row (ODF 1.3 part 3 §9.1.4); `spans` counts the rows that cells above still cover, by their column. */
function rowCells(row: XmlElement, spans: Map<number, number>): RowCell[] {
  const cells: RowCell[] = [];
  let column = 0;
  for (const cell of elementsOf(row)) {
    const isCovered = cell.name === 'covered-table-cell';
    if (!isCovered && cell.name !== 'table-cell') continue;
    const repeated = Number(attributeOf(cell, 'number-columns-repeated') ?? 1) || 1;
    for (let time = 0; time < repeated && column < maxRowCells; time++, column++) {
      const left = spans.get(column) ?? 0;
      if (left > 0) spans.set(column, left - 1);
      const rows = Number(attributeOf(cell, 'number-rows-spanned') ?? 1);
      if (!isCovered && rows > 1) spans.set(column, rows - 1);
      const last = cells.at(-1);
      if (isCovered && left === 0 && last !== undefined) last.columns++;
      else cells.push({ cell: isCovered ? undefined : cell, columns: 1, continues: isCovered });
    }
  }
  return cells;
}

/** `svg:title` and `svg:desc` of a frame or shape. */
export function alternativeText(element: XmlElement): string {
  const parts = ['title', 'desc'].map((name) => contentOf(childOf(element, name)).replace(/\s+/gu, ' ').trim());
  return [...new Set(parts)].filter((part) => part !== '').join(': ');
}

/** The text of a cell on one line; what it holds of lists and tables is joined. */
function cellText(cell: XmlElement, sink: OpenDocumentSink): string {
  const parts: string[] = [];
  writeOpenDocument(cell, noStyles, { ...sink, put: (_, text) => parts.push(text) });
  return parts.join(' ').replace(/\s+/gu, ' ').trim();
}

function commentText(annotation: XmlElement, sink: OpenDocumentSink): string {
  const author = contentOf(childOf(annotation, 'creator')).trim();
  const text = [...childrenOf(annotation, 'p'), ...descendantsOf(annotation, 'list-item')]
    .map((paragraph) => inlineText(paragraph, sink, []).trim())
    .filter((line) => line !== '')
    .join(' ');
  return text === '' ? '' : `Comment${author === '' ? '' : ` by ${author}`}: ${text}`;
}

/** The text of a paragraph; what is anchored in it and stands apart is put into `boxes`. */
export function inlineText(element: XmlElement, sink: OpenDocumentSink, boxes: XmlElement[]): string {
  const line: Line = { sink, boxes, text: createStruckText(), last: '', hasText: false };
  const isStruck = sink.isStruck?.(attributeOf(element, 'style-name')) ?? false;
  readSpan(element, line, isStruck);
  return line.text.finish();
}

/** White space is collapsed over the whole paragraph (ODF 1.3 part 3 §6.1.2), so that of a span stays. */
interface Line {
  readonly sink: OpenDocumentSink;
  readonly boxes: XmlElement[];
  readonly text: StruckText;
  last: string;
  hasText: boolean;
}

function readSpan(element: XmlElement, line: Line, isStruck: boolean): void {
  const { sink, boxes } = line;
  const add = (text: string): void => {
    line.text.add(text, isStruck ? 'struck' : undefined);
    line.last = text.at(-1) ?? line.last;
    line.hasText ||= text.trim() !== '';
  };
  for (const child of element.children) {
    if (!isElement(child)) {
      const collapsed = child.replace(/[ \t\r\n]+/gu, ' ');
      add(collapsed.startsWith(' ') && (line.last === '' || line.last === ' ') ? collapsed.slice(1) : collapsed);
      continue;
    }
    switch (child.name) {
      case 's':
        add(' '.repeat(Math.min(Math.max(Number(attributeOf(child, 'c') ?? 1) || 1, 1), 100)));
        break;
      case 'soft-page-break':
        // Amid a paragraph the page ends with it, since that begins on the page before.
        if (!line.hasText) sink.pageBreak?.();
        else boxes.push({ name: 'breaks', attributes: {}, children: [child] });
        break;
      case 'tab':
      case 'tab-stop':
        add('\t');
        break;
      case 'line-break':
        add('\n');
        break;
      case 'note':
      case 'footnote':
      case 'endnote': {
        const body = childOf(child, `${child.name}-body`);
        const lines = body === undefined ? [] : elementsOf(body).map((part) => inlineText(part, sink, []).trim());
        add(sink.note('note', lines.join(' ')));
        break;
      }
      case 'annotation':
        sink.note('comment', commentText(child, sink));
        break;
      case 'frame': {
        const object = childOf(child, 'object');
        const formula = object && sink.object(attributeOf(object, 'href') ?? '');
        if (formula !== undefined) add(formula);
        else boxes.push({ name: 'frames', attributes: {}, children: [child] });
        break;
      }
      case 'custom-shape':
      case 'rect':
      case 'g':
        boxes.push(child);
        break;
      case 'ruby':
        readSpan(childOf(child, 'ruby-base') ?? child, line, isStruck);
        break;
      default:
        if (!leftOut.has(child.name))
          readSpan(child, line, sink.isStruck?.(attributeOf(child, 'style-name')) ?? isStruck);
    }
  }
}
