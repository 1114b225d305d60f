// The blocks of a DOCX (ECMA-376 part 1 §17.2) one after the other: headings, paragraphs, list items with their labels, rows of tables, text
// boxes, charts and pictures behind the paragraph that they are anchored in.
import type { BlockWriter } from '../canonical/block-writer.ts';
import { createTableGrid, headerLevels } from '../canonical/table-grid.ts';
import { type Relationship, relatedPath } from '../containers/office-package.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  descendantsOf,
  elementsOf,
  parseXmlTree,
  type XmlElement,
} from '../containers/xml-text.ts';
import type { ZipFile } from '../containers/zip.ts';
import { chartLines } from '../office/chart-text.ts';
import { drawnParagraphs } from '../office/presentation-shapes.ts';
import { type EmbeddedPictures, pictureLines } from '../pictures/embedded-pictures.ts';
import { chosen, type InlineSink, inlineOf } from './docx-inline.ts';
import type { Numbering } from './docx-numbering.ts';
import { isOn, numberingOf, outlineOf, type ParagraphStyle } from './docx-styles.ts';

export interface DocxSource {
  readonly zip: ZipFile;
  readonly name: string;
  readonly relationships: readonly Relationship[];
  readonly styleOf: (id: string | undefined) => ParagraphStyle;
  readonly numbering: Numbering;
  readonly pictures: EmbeddedPictures;
}

export interface DocxReader {
  /** Writes a child of the body. */
  block(element: XmlElement): void;
  /** Writes what would have gone on in a next paragraph. */
  end(): void;
  readonly picturesWithoutText: number;
  readonly embeddedParts: number;
  /** Pages that begin after the first, as Word last laid them out. */
  readonly pageBreaks: number;
}

const leftOut = new Set(['del', 'moveFrom', 'sectPr', 'sdtPr', 'sdtEndPr', 'tblPr', 'tblGrid', 'tcPr', 'trPr', 'pPr']);

export function createDocxReader(
  source: DocxSource,
  sink: InlineSink,
  writer: Pick<BlockWriter, 'put' | 'at'>,
): DocxReader {
  let picturesWithoutText = 0;
  let embeddedParts = 0;
  let pageBreaks = 0;
  const turnPages = (pages: number): void => {
    pageBreaks += pages;
    writer.at(`page ${pageBreaks + 1}`);
  };
  /** Text of paragraphs whose end was deleted: it goes on in the next. */
  let carried = '';

  const end = (): void => {
    const text = carried.trim();
    carried = '';
    if (text !== '') writer.put('paragraph', text);
  };
  const block = (element: XmlElement): void => {
    if (leftOut.has(element.name)) return;
    if (element.name === 'p') paragraph(element);
    else if (element.name === 'tbl') {
      end();
      table(element);
    } else if (element.name === 'altChunk') embeddedParts++;
    else if (element.name === 'AlternateContent') walk(chosen(element));
    else walk(element);
  };
  const walk = (element: XmlElement): void => {
    for (const child of elementsOf(element)) block(child);
  };
  const paragraph = (element: XmlElement): void => {
    const properties = childOf(element, 'pPr');
    const { text: own, drawings, pageBreaks: breaks } = inlineOf(element, sink);
    turnPages(breaks.before);
    // Two marks that meet would be none.
    const whole = `${carried}${carried.endsWith('~~') ? ' ' : ''}${own}`;
    const text = whole.trim();
    carried = '';
    // A paragraph whose end was deleted goes on in the next one, and a large initial is a paragraph of its own (§17.3.1.11).
    const isInitial = /^(?:drop|margin)$/u.test(attributeOf(childOf(properties, 'framePr'), 'dropCap') ?? '');
    if (isInitial || childOf(properties, 'rPr', 'del') !== undefined) carried = whole;
    else if (text !== '') {
      const style = source.styleOf(attributeOf(childOf(properties, 'pStyle'), 'val'));
      const outline = outlineOf(properties);
      const level = outline === 'text' ? undefined : (outline ?? style.level);
      const said = numberingOf(properties);
      const id = said.id ?? style.numbering?.id;
      const place = id === undefined ? undefined : { id, level: said.level ?? style.numbering?.level ?? 0 };
      const label = place === undefined ? undefined : source.numbering(place);
      if (level !== undefined)
        writer.put('heading', label === undefined || label === '-' ? text : `${label} ${text}`, level);
      else if (label === undefined || label === '') writer.put('paragraph', text);
      else writer.put('list-item', `${'  '.repeat(place?.level ?? 0)}${label} ${text}`);
    }
    for (const drawing of drawings) draw(drawing);
    turnPages(breaks.within);
  };
  const table = (element: XmlElement): void => {
    const rows = rowsOf(element);
    if (isLayout(element, rows, source)) {
      for (const row of rows) for (const cell of cellsOf(row)) walk(cell);
      return;
    }
    const grid = createTableGrid();
    const read = rows.map((row) => {
      // Every cell that goes on over a page says so.
      let breaks = 0;
      const cells = cellsOf(row).map((cell) => {
        const parts: string[] = [];
        const reader = createDocxReader(source, sink, { put: (_, text) => parts.push(text), at: () => {} });
        for (const child of elementsOf(cell)) reader.block(child);
        reader.end();
        picturesWithoutText += reader.picturesWithoutText;
        breaks = Math.max(breaks, reader.pageBreaks);
        const merge = childOf(cell, 'tcPr', 'vMerge');
        return {
          text: parts.join(' ').replace(/\s+/gu, ' ').trim(),
          columns: Number(attributeOf(childOf(cell, 'tcPr', 'gridSpan'), 'val') ?? 1),
          continues: merge !== undefined && attributeOf(merge, 'val') !== 'restart',
        };
      });
      return { cells, breaks, properties: childOf(row, 'trPr') };
    });
    const levels = headerLevels(read.map(({ cells }) => cells));
    for (const [index, { cells, breaks, properties }] of read.entries()) {
      const freeColumns = Number(attributeOf(childOf(properties, 'gridBefore'), 'val') ?? 0);
      const isHeader = index < levels || isOn(childOf(properties, 'tblHeader'));
      const line = grid.line(cells, { isHeader, freeColumns });
      if (line !== '') writer.put('table-row', line);
      turnPages(breaks);
    }
  };
  const draw = (drawing: XmlElement): void => {
    const boxes = [...descendantsOf(drawing, 'txbxContent')];
    const inner = new Set(boxes.flatMap((box) => [...descendantsOf(box, 'txbxContent')]));
    for (const box of boxes) if (!inner.has(box)) walk(box);
    const lines = drawnLines(drawing, source);
    for (const line of lines) writer.put('other', line);
    const described = descriptionOf(drawing);
    if (described !== '') writer.put('other', `Image: ${described}`);
    let hasText = described !== '' || boxes.length > 0 || lines.length > 0;
    for (const path of picturePaths(drawing, source.relationships)) {
      for (const { kind, text } of pictureLines(source.pictures, path)) writer.put(kind, text);
      hasText ||= source.pictures.hasText(path);
    }
    if (!hasText && isPicture(drawing)) picturesWithoutText++;
  };
  return {
    block,
    end,
    get picturesWithoutText() {
      return picturesWithoutText;
    },
    get embeddedParts() {
      return embeddedParts;
    },
    get pageBreaks() {
      return pageBreaks;
    },
  };
}

/** Rows and cells may stand inside controls and marks of changes. */
function rowsOf(table: XmlElement): XmlElement[] {
  return elementsOf(table).flatMap((child) => {
    if (child.name === 'tr') return childOf(child, 'trPr', 'del') === undefined ? [child] : [];
    return leftOut.has(child.name) ? [] : rowsOf(child);
  });
}

function cellsOf(row: XmlElement): XmlElement[] {
  return elementsOf(row).flatMap((child) =>
    child.name === 'tc' ? [child] : leftOut.has(child.name) ? [] : cellsOf(child),
  );
}

/** A table that only places things: of one cell, with headings in its cells, or with tables in most of its rows. */
function isLayout(table: XmlElement, rows: readonly XmlElement[], { styleOf }: DocxSource): boolean {
  const [first] = rows;
  if (rows.length === 1 && first !== undefined && cellsOf(first).length === 1) return true;
  const withTables = rows.filter((row) => descendantsOf(row, 'tbl').next().value !== undefined).length;
  if (withTables * 2 >= Math.max(1, rows.length)) return true;
  for (const style of descendantsOf(table, 'pStyle'))
    if (styleOf(attributeOf(style, 'val')).level !== undefined) return true;
  return false;
}

/** Charts and diagrams of a drawing as lines. */
function drawnLines(drawing: XmlElement, source: DocxSource): string[] {
  const data = descendantsOf(drawing, 'graphicData').next().value;
  const part = (name: string, attribute: string): XmlElement | undefined => {
    const reference = childOf(data, name);
    const path = reference === undefined ? undefined : relatedPath(reference, source.relationships, attribute);
    const text = path === undefined ? undefined : source.zip.text(path);
    return text === undefined ? undefined : parseXmlTree(text, source.name);
  };
  const chart = part('chart', 'r:id');
  const diagram = part('relIds', 'r:dm');
  const points = diagram === undefined ? [] : [...descendantsOf(diagram, 'pt')];
  return [
    ...(chart === undefined
      ? []
      : [
          chartLines(chart)
            .map(({ text }) => text)
            .join('\n'),
        ]),
    ...points.flatMap((point) => drawnParagraphs(childOf(point, 't')).map(({ text }) => text)),
  ].filter((line) => line.trim() !== '');
}

/** Alternative texts of a drawing, each once. */
function descriptionOf(drawing: XmlElement): string {
  const found = [
    ...[...descendantsOf(drawing, 'docPr')].map((element) => attributeOf(element, 'descr')),
    ...[...descendantsOf(drawing, 'cNvPr')].map((element) => attributeOf(element, 'descr')),
    ...[...descendantsOf(drawing, 'shape')].map((element) => attributeOf(element, 'alt')),
  ].map((text) => (text ?? '').replace(/\s+/gu, ' ').trim());
  return [...new Set(found.filter((text) => text !== ''))].join('; ');
}

const isPicture = (drawing: XmlElement): boolean =>
  ['pic', 'imagedata'].some((name) => descendantsOf(drawing, name).next().value !== undefined);

/** Parts of the pictures of a drawing, of either kind (DrawingML, VML). */
function picturePaths(drawing: XmlElement, relationships: readonly Relationship[]): string[] {
  const named = [
    ...[...descendantsOf(drawing, 'blip')].map((blip) => relatedPath(blip, relationships, 'r:embed')),
    ...[...descendantsOf(drawing, 'imagedata')].map((data) => relatedPath(data, relationships)),
  ];
  return named.filter((path) => path !== undefined);
}

/** The text of a note or comment: its paragraphs on one line. */
export function noteText(note: XmlElement, sink: InlineSink): string {
  const paragraphs =
    note.name === 'p'
      ? [note]
      : [
          ...childrenOf(note, 'p'),
          ...childrenOf(childOf(note, 'tbl'), 'tr').flatMap((row) => [...descendantsOf(row, 'p')]),
        ];
  return paragraphs
    .filter((paragraph) => !isOn(childOf(paragraph, 'pPr', 'rPr', 'vanish')))
    .map((paragraph) => inlineOf(paragraph, sink).text)
    .join(' ')
    .replace(/\s+/gu, ' ')
    .trim();
}
