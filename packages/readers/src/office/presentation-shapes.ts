// The shapes of a PPTX slide: text of boxes and groups with where they stand, tables, charts and diagrams as lines, pictures by their
// alternative text. Placeholders without a position of their own stand where the layout puts them.

import { createStruckText } from '../canonical/struck-text.ts';
import { createTableGrid, headerLevels } from '../canonical/table-grid.ts';
import { type Relationship, relatedPath } from '../containers/office-package.ts';
import {
  attributeOf,
  childOf,
  childrenOf,
  contentOf,
  descendantsOf,
  elementsOf,
  isElement,
  parseXmlTree,
  type XmlElement,
} from '../containers/xml-text.ts';
import type { ZipFile } from '../containers/zip.ts';
import { type EmbeddedPictures, pictureLines } from '../pictures/embedded-pictures.ts';
import { chartLines } from './chart-text.ts';
import { equationText } from './equation-text.ts';
import { isSymbolFont, symbolsAsText, symbolText } from './office-symbols.ts';
import { groupedIn, type ShapeBox, type Transform } from './presentation-order.ts';
import type { Slide, SlideLine, SlideShape } from './presentation-slide.ts';

export interface SlideSource {
  readonly zip: ZipFile;
  readonly name: string;
  readonly relationships: readonly Relationship[];
  readonly tree: XmlElement | undefined;
  /** What fills the slide behind its shapes. */
  readonly background: XmlElement | undefined;
  readonly layout: XmlElement | undefined;
  readonly pictures: EmbeddedPictures;
}

/** From the coordinates of a group's children to the slide's. */

// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
export function readShapes(source: SlideSource): Pick<Slide, 'title' | 'shapes' | 'footers' | 'picturesWithoutText'> {
  const shapes: SlideShape[] = [];
  const titles: string[] = [];
  const footers: string[] = [];
  let picturesWithoutText = 0;
  const layout = layoutBoxes(source.layout);
  const pending: { readonly element: XmlElement; readonly transform: Transform }[] = [];
  const enqueue = (elements: readonly XmlElement[], transform: Transform): void => {
    for (const element of [...elements].reverse()) pending.push({ element, transform });
  };
  const pictureIn = (holder: XmlElement | undefined): string | undefined => {
    const blip = childOf(holder, 'blipFill', 'blip');
    return blip && relatedPath(blip, source.relationships, 'r:embed');
  };
  const filledWith = (fill: XmlElement | undefined): SlideLine[] => pictureLines(source.pictures, pictureIn(fill));
  const behind = filledWith(source.background);
  if (behind.length > 0) shapes.push({ box: undefined, lines: behind });
  if (source.tree !== undefined) enqueue(elementsOf(source.tree), (box) => box);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { element, transform } = next;
    const facts = elementsOf(element).find(({ name }) => /^nv.*Pr$/u.test(name));
    const own = childOf(facts, 'cNvPr');
    if (own !== undefined && attributeOf(own, 'hidden') === '1') continue;
    const described = (attributeOf(own, 'descr') ?? '').replace(/\s+/gu, ' ').trim();
    switch (element.name) {
      case 'AlternateContent': {
        const choice = childOf(element, 'Choice') ?? childOf(element, 'Fallback');
        if (choice !== undefined) enqueue(elementsOf(choice), transform);
        break;
      }
      case 'grpSp':
        enqueue(elementsOf(element), groupTransform(element, transform));
        break;
      case 'sp':
      case 'cxnSp': {
        const placeholder = childOf(facts, 'nvPr', 'ph');
        const type = placeholder === undefined ? undefined : (attributeOf(placeholder, 'type') ?? 'obj');
        const paragraphs = drawnParagraphs(childOf(element, 'txBody'));
        const text = paragraphs
          .map((paragraph) => paragraph.text)
          .join(' ')
          .trim();
        const fill = filledWith(childOf(element, 'spPr'));
        if (fill.length > 0) {
          const box = boxOf(childOf(element, 'spPr', 'xfrm'));
          shapes.push({ box: box === undefined ? layout(placeholder) : transform(box), lines: fill });
        }
        if (text === '') break;
        if (type === 'title' || type === 'ctrTitle') titles.push(text);
        else if (type === 'ftr' || type === 'dt' || type === 'hdr') footers.push(text);
        else if (type !== 'sldNum') {
          const box = boxOf(childOf(element, 'spPr', 'xfrm'));
          shapes.push({
            box: box === undefined ? layout(placeholder) : transform(box),
            lines: paragraphLines(paragraphs, type === 'body' || type === 'obj'),
          });
        }
        break;
      }
      case 'pic': {
        const box = boxOf(childOf(element, 'spPr', 'xfrm'));
        const path = pictureIn(element);
        const lines = [
          ...(described === '' ? [] : [{ kind: 'other' as const, text: `Image: ${described}` }]),
          ...pictureLines(source.pictures, path),
        ];
        if (lines.length > 0)
          shapes.push({ box: box === undefined ? layout(childOf(facts, 'nvPr', 'ph')) : transform(box), lines });
        else if (!source.pictures.hasText(path)) picturesWithoutText++;
        break;
      }
      case 'graphicFrame': {
        const lines = frameLines(element, source);
        const box = boxOf(childOf(element, 'xfrm'));
        if (described !== '') lines.push({ kind: 'other', text: `Image: ${described}` });
        if (lines.length > 0) shapes.push({ box: box === undefined ? undefined : transform(box), lines });
        break;
      }
    }
  }
  return { title: titles.join(' '), shapes, footers, picturesWithoutText };
}

const frameLines = (frame: XmlElement, source: SlideSource): SlideLine[] => {
  const data = childOf(frame, 'graphic', 'graphicData');
  if (data === undefined) return [];
  const part = (element: XmlElement, attribute: string): XmlElement | undefined => {
    const path = relatedPath(element, source.relationships, attribute);
    const text = path === undefined ? undefined : source.zip.text(path);
    return text === undefined ? undefined : parseXmlTree(text, source.name);
  };
  const table = childOf(data, 'tbl');
  if (table !== undefined) return tableLines(table);
  const chart = childOf(data, 'chart');
  const chartRoot = chart && part(chart, 'r:id');
  if (chartRoot !== undefined) return chartLines(chartRoot);
  const diagram = childOf(data, 'relIds');
  const diagramRoot = diagram && part(diagram, 'r:dm');
  if (diagramRoot === undefined) return [];
  return [...descendantsOf(diagramRoot, 'pt')].flatMap((point) =>
    drawnParagraphs(childOf(point, 't'))
      .filter(({ text }) => text.trim() !== '')
      .map(({ text }): SlideLine => ({ kind: 'list-item', text: `- ${text.trim()}` })),
  );
};

function tableLines(table: XmlElement): SlideLine[] {
  const grid = createTableGrid();
  const rows = childrenOf(table, 'tr').map((row) =>
    childrenOf(row, 'tc').flatMap((cell, at, cells) => {
      if (isMerged(cell, 'hMerge') && at > 0) return [];
      const next = cells.findIndex((other, index) => index > at && !isMerged(other, 'hMerge'));
      return {
        // What is merged into another cell keeps the text that it had before.
        text: isMerged(cell, 'hMerge') || isMerged(cell, 'vMerge') ? '' : cellText(cell),
        columns: (next < 0 ? cells.length : next) - at,
        continues: isMerged(cell, 'vMerge'),
      };
    }),
  );
  const levels = headerLevels(rows);
  return rows.flatMap((cells, index) => {
    const text = grid.line(cells, { isHeader: index < levels });
    return text === '' ? [] : [{ kind: 'table-row', text } as const];
  });
}

const isMerged = (cell: XmlElement, attribute: string): boolean =>
  /^(?:1|true)$/u.test(cell.attributes[attribute] ?? '');

const cellText = (cell: XmlElement): string =>
  drawnParagraphs(childOf(cell, 'txBody'))
    .map(({ text }) => text)
    .join(' ')
    .replace(/\s+/gu, ' ')
    .trim();

export interface DrawnParagraph {
  readonly text: string;
  /** From 0. */
  readonly level: number;
  /** What stands before it: undefined where the style decides. */
  readonly bullet: 'none' | 'sign' | 'number' | undefined;
}

/** The paragraphs of a DrawingML text body; line breaks are kept. */
export function drawnParagraphs(body: XmlElement | undefined): DrawnParagraph[] {
  return childrenOf(body, 'p').map((paragraph) => {
    const properties = childOf(paragraph, 'pPr');
    const bullet =
      childOf(properties, 'buNone') !== undefined
        ? 'none'
        : childOf(properties, 'buAutoNum') !== undefined
          ? 'number'
          : childOf(properties, 'buChar') !== undefined || childOf(properties, 'buBlip') !== undefined
            ? 'sign'
            : undefined;
    const level = Number.parseInt(attributeOf(properties, 'lvl') ?? '0', 10) || 0;
    return { text: runsOf(paragraph), level: Math.min(Math.max(level, 0), 8), bullet };
  });
}

function runsOf(paragraph: XmlElement): string {
  const parts = createStruckText();
  const pending = [...paragraph.children].reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isElement(next)) continue;
    if (next.name === 'r') parts.add(runText(next), isStruck(next) ? 'struck' : undefined);
    else if (next.name === 't') parts.add(contentOf(next));
    else if (next.name === 'br') parts.add('\n');
    else if (next.name === 'oMath') parts.add(equationText(next));
    else if (next.name === 'AlternateContent') {
      const choice = childOf(next, 'Choice') ?? childOf(next, 'Fallback');
      if (choice !== undefined) pending.push(choice);
    } else
      for (let index = next.children.length - 1; index >= 0; index--) {
        const child = next.children[index];
        if (child !== undefined) pending.push(child);
      }
  }
  return parts.finish();
}

/** `sngStrike` or `dblStrike` (ECMA-376 part 1 §20.1.10.79). */
const isStruck = (run: XmlElement): boolean =>
  /Strike$/u.test(attributeOf(childOf(run, 'rPr'), 'strike') ?? '') &&
  attributeOf(childOf(run, 'rPr'), 'strike') !== 'noStrike';

/** Letters of symbol fonts as they are shown; those for symbols among others are in a font of their own (`a:sym`). */
function runText(run: XmlElement): string {
  const properties = childOf(run, 'rPr');
  const fontOf = (name: string): string => attributeOf(childOf(properties, name), 'typeface') ?? '';
  const text = contentOf(childOf(run, 't'));
  const letters = fontOf('latin');
  if (isSymbolFont(letters)) return symbolsAsText(text, letters);
  return text.replace(/[\uf020-\uf0ff]/gu, (sign) => symbolText(fontOf('sym'), sign.charCodeAt(0)));
}

/** In the body of a slide paragraphs are points by default, unless there is but one. */
export function paragraphLines(paragraphs: readonly DrawnParagraph[], isBody: boolean): SlideLine[] {
  const filled = paragraphs.filter(({ text }) => text.trim() !== '');
  const numbers: number[] = [];
  return filled.map(({ text, level, bullet }) => {
    const isPoint = bullet === 'sign' || (bullet === undefined && isBody && filled.length > 1);
    const content = text.trim();
    numbers.length = Math.min(numbers.length, bullet === 'number' ? level + 1 : level);
    if (bullet === 'number') {
      numbers[level] = (numbers[level] ?? 0) + 1;
      return { kind: 'list-item', text: `${'  '.repeat(level)}${numbers[level]}. ${content}` };
    }
    return isPoint
      ? { kind: 'list-item', text: `${'  '.repeat(level)}- ${content}` }
      : { kind: 'paragraph', text: content };
  });
}

function boxOf(transform: XmlElement | undefined): ShapeBox | undefined {
  const offset = childOf(transform, 'off');
  const extent = childOf(transform, 'ext');
  if (offset === undefined || extent === undefined) return undefined;
  const number = (element: XmlElement, key: string): number => Number(attributeOf(element, key)) || 0;
  return {
    x: number(offset, 'x'),
    y: number(offset, 'y'),
    width: number(extent, 'cx'),
    height: number(extent, 'cy'),
  };
}

function groupTransform(group: XmlElement, outer: Transform): Transform {
  const transform = childOf(group, 'grpSpPr', 'xfrm');
  const box = boxOf(transform);
  const offset = childOf(transform, 'chOff');
  const extent = childOf(transform, 'chExt');
  if (box === undefined || offset === undefined || extent === undefined) return outer;
  const inner = {
    x: Number(attributeOf(offset, 'x')) || 0,
    y: Number(attributeOf(offset, 'y')) || 0,
    width: Number(attributeOf(extent, 'cx')),
    height: Number(attributeOf(extent, 'cy')),
  };
  return groupedIn(box, inner, outer);
}

/** Where the layout puts a placeholder: by its index, else by its type. */
function layoutBoxes(layout: XmlElement | undefined): (placeholder: XmlElement | undefined) => ShapeBox | undefined {
  const boxes = new Map<string, ShapeBox>();
  if (layout !== undefined)
    for (const shape of descendantsOf(layout, 'sp')) {
      const placeholder = childOf(shape, 'nvSpPr', 'nvPr', 'ph');
      const box = boxOf(childOf(shape, 'spPr', 'xfrm'));
      if (placeholder === undefined || box === undefined) continue;
      for (const key of placeholderKeys(placeholder)) if (!boxes.has(key)) boxes.set(key, box);
    }
  return (placeholder) => {
    if (placeholder === undefined) return undefined;
    for (const key of placeholderKeys(placeholder)) {
      const box = boxes.get(key);
      if (box !== undefined) return box;
    }
    return undefined;
  };
}

function placeholderKeys(placeholder: XmlElement): string[] {
  const index = attributeOf(placeholder, 'idx');
  return [...(index === undefined ? [] : [`index ${index}`]), `type ${attributeOf(placeholder, 'type') ?? 'obj'}`];
}
