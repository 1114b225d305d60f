// The text of OpenDocument (ODF 1.3 part 3) as blocks: headings, paragraphs, lists, rows of tables, text boxes, alternative texts; notes and
// comments are handed over apart. Recursion follows the tree, whose depth its reader bounds.
import type { BlockKind } from '../../core/document.ts';
import { createTableGrid } from './table-grid.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  contentOf,
  descendantsOf,
  elementsOf,
  isElement,
  type XmlElement,
} from './xml-text.ts';

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
}

/** Styles by name: what a paragraph style is based on, and which list styles count at which level. */
export interface OpenDocumentStyles {
  readonly parents: ReadonlyMap<string, string>;
  readonly numbered: ReadonlySet<string>;
}

export function stylesOf(...roots: readonly (XmlElement | undefined)[]): OpenDocumentStyles {
  const parents = new Map<string, string>();
  const numbered = new Set<string>();
  for (const root of roots) {
    if (root === undefined) continue;
    for (const style of descendantsOf(root, 'style')) {
      const name = attributeOf(style, 'name');
      const parent = attributeOf(style, 'parent-style-name');
      if (name !== undefined && parent !== undefined && !parents.has(name)) parents.set(name, parent);
    }
    for (const style of descendantsOf(root, 'list-style'))
      for (const level of childrenOf(style, 'list-level-style-number'))
        if ((attributeOf(level, 'num-format') ?? '') !== '')
          numbered.add(`${attributeOf(style, 'name')} ${attributeOf(level, 'level')}`);
  }
  return { parents, numbered };
}

interface ListPlace {
  readonly style: string;
  readonly level: number;
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
export function writeOpenDocument(container: XmlElement, styles: OpenDocumentStyles, sink: OpenDocumentSink): void {
  const paragraph = (
    element: XmlElement,
    kind: BlockKind,
    { mark = '', level }: { mark?: string; level?: number | undefined } = {},
  ): void => {
    const boxes: XmlElement[] = [];
    const text = inlineText(element, sink, boxes).trim();
    if (text !== '') sink.put(level === undefined ? kind : 'heading', `${mark}${text}`, level);
    for (const box of boxes) walk(box);
  };
  const list = (element: XmlElement, outer: ListPlace | undefined): void => {
    const place: ListPlace = {
      style: attributeOf(element, 'style-name') ?? outer?.style ?? '',
      level: (outer?.level ?? 0) + 1,
    };
    const isNumbered = styles.numbered.has(`${place.style} ${place.level}`);
    const indent = '  '.repeat(Math.min(place.level - 1, 8));
    let number = 0;
    for (const item of elementsOf(element)) {
      if (item.name !== 'list-item' && item.name !== 'list-header') continue;
      number = Number(attributeOf(item, 'start-value') ?? number + 1);
      let mark = item.name === 'list-header' ? indent : `${indent}${isNumbered ? `${number}.` : '-'} `;
      for (const child of elementsOf(item)) {
        if (child.name === 'list') list(child, place);
        else if (child.name === 'p' || child.name === 'h') {
          paragraph(child, 'list-item', { mark, level: child.name === 'h' ? headingLevel(child, styles) : undefined });
          mark = `${indent}  `;
        } else block(child);
      }
    }
  };
  const table = (element: XmlElement): void => {
    const grid = createTableGrid();
    const spans = new Map<number, number>();
    const rows = (container: XmlElement, isHeader: boolean): void => {
      for (const row of elementsOf(container)) {
        if (row.name === 'soft-page-break') sink.pageBreak?.();
        else if (row.name === 'table-row') {
          const cells = rowCells(row, spans).map(({ cell, ...place }) => ({
            ...place,
            text: cell === undefined ? '' : cellText(cell, sink),
          }));
          // Writer marks the first row of every new table: that of a list of names and values is none.
          const line = grid.line(cells, { isHeader: isHeader && cells.length > 2 });
          if (line !== '') sink.put('table-row', line);
        } else if (/^table-(?:rows|header-rows|row-group)$/u.test(row.name))
          rows(row, isHeader || row.name === 'table-header-rows');
      }
    };
    rows(element, false);
  };
  const block = (element: XmlElement): void => {
    if (element.name === 'soft-page-break') {
      sink.pageBreak?.();
      return;
    }
    if (element.name === 'h' || element.name === 'p')
      paragraph(element, 'paragraph', { level: headingLevel(element, styles) });
    else if (element.name === 'list') list(element, undefined);
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

function headingLevel(element: XmlElement, styles: OpenDocumentStyles): number | undefined {
  if (element.name === 'h') {
    const level = Number(attributeOf(element, 'outline-level') ?? 1);
    return Number.isInteger(level) && level >= 1 && level <= 10 ? level : 1;
  }
  let style = attributeOf(element, 'style-name');
  for (let steps = 0; style !== undefined && steps < 10; steps++) {
    if (style === 'Title') return 1;
    const heading = /^Heading(?:_20_|\s)(\d)$/u.exec(style)?.[1];
    if (heading !== undefined) return Number(heading);
    style = styles.parents.get(style);
  }
  return undefined;
}

/** The text of a cell on one line; what it holds of lists and tables is joined. */
function cellText(cell: XmlElement, sink: OpenDocumentSink): string {
  const parts: string[] = [];
  writeOpenDocument(cell, { parents: new Map(), numbered: new Set() }, { ...sink, put: (_, text) => parts.push(text) });
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
  let text = '';
  for (const child of element.children) {
    if (!isElement(child)) {
      const collapsed = child.replace(/[ \t\r\n]+/gu, ' ');
      text += collapsed.startsWith(' ') && (text === '' || text.endsWith(' ')) ? collapsed.slice(1) : collapsed;
      continue;
    }
    switch (child.name) {
      case 's':
        text += ' '.repeat(Math.min(Math.max(Number(attributeOf(child, 'c') ?? 1) || 1, 1), 100));
        break;
      case 'soft-page-break':
        // Amid a paragraph the page ends with it, since that begins on the page before.
        if (text.trim() === '') sink.pageBreak?.();
        else boxes.push({ name: 'breaks', attributes: {}, children: [child] });
        break;
      case 'tab':
        text += '\t';
        break;
      case 'line-break':
        text += '\n';
        break;
      case 'note': {
        const body = childOf(child, 'note-body');
        const lines = body === undefined ? [] : elementsOf(body).map((part) => inlineText(part, sink, []).trim());
        text += sink.note('note', lines.join(' '));
        break;
      }
      case 'annotation':
        sink.note('comment', commentText(child, sink));
        break;
      case 'frame': {
        const object = childOf(child, 'object');
        const formula = object && sink.object(attributeOf(object, 'href') ?? '');
        if (formula !== undefined) text += formula;
        else boxes.push({ name: 'frames', attributes: {}, children: [child] });
        break;
      }
      case 'custom-shape':
      case 'rect':
      case 'g':
        boxes.push(child);
        break;
      case 'ruby':
        text += `${inlineText(childOf(child, 'ruby-base') ?? child, sink, boxes)}`;
        break;
      default:
        if (!leftOut.has(child.name)) text += inlineText(child, sink, boxes);
    }
  }
  return text;
}
