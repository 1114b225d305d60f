// The shapes of a slide of PowerPoint 97–2003 ([MS-PPT] §2.5.13 over [MS-ODRAW]): texts with where they stand, groups, tables, pictures by their alternative
// text. Invariant: nested groups are gone over without recursion, each record once.

import { utf16Text } from '../canonical/utf16-text.ts';
import { groupedIn, type ShapeBox, type Transform } from '../office/presentation-order.ts';
import { paragraphLines } from '../office/presentation-shapes.ts';
import type { SlideLine, SlideShape } from '../office/presentation-slide.ts';
import { firstRecord, type PptRecord, pptRecords } from './presentation-ppt-file.ts';
import { type PptCell, pptTableLines } from './presentation-ppt-table.ts';
import { bodyKinds, notesKind, type PptText, pptTexts, titleKinds } from './presentation-ppt-text.ts';

export interface PptDrawing {
  readonly titles: readonly string[];
  readonly shapes: readonly SlideShape[];
  readonly footers: readonly string[];
  /** Texts of the speaker's notes, on pages of notes. */
  readonly notes: readonly string[];
}

export interface PptDrawingSource {
  /** Texts that the file keeps outside of the slide, by their number. */
  readonly outline: readonly PptText[];
  /** Names of fonts by their number. */
  readonly fonts: readonly string[];
  /** The lines of a picture of the store, by its number from 1. */
  pictureLines(picture: number, isDescribed: boolean): readonly SlideLine[];
}

interface Texts {
  readonly fonts: readonly string[];
  /** A text of the outline by its number. */
  take(index: number): PptText | undefined;
}

interface Shape {
  readonly head: Buffer;
  readonly shapeType: number;
  readonly properties: ReadonlyMap<number, ShapeProperty>;
  readonly box: ShapeBox | undefined;
  /** Of a group: the coordinates of what it holds. */
  readonly inner: ShapeBox | undefined;
  /** What stands in its placeholder; 0 where it is none. */
  readonly placeholder: number;
  readonly text: PptText | undefined;
}

interface ShapeProperty {
  readonly value: number;
  readonly text: string;
}

const [groupContainer, shapeContainer] = [0xf003, 0xf004];
const [deleted, patriarch, connector] = [0x8, 0x4, 0x100];
/** Properties of shapes ([MS-ODRAW] §2.3): their picture, words drawn as art, the alternative text, visibility, whether a group is a table. */
const property = { picture: 0x0104, art: 0x00c0, description: 0x0381, visibility: 0x03bf, table: 0x039f } as const;
const hiddenBits = 0x0002_0002;
/** Placeholders of the date, the number, the footer and the header (§2.13.24). */
const [numberPlaceholder, footerPlaceholders] = [8, new Set([7, 9, 10])];
/** Titles, centred ones and upright ones. */
const titlePlaceholders: ReadonlySet<number> = new Set([13, 15, 17]);

/** `drawing`: what the container of a slide's drawing holds. */
// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
export function readPptDrawing(drawing: Buffer, source: PptDrawingSource): PptDrawing {
  /** What is written as a title; several may be, of which the one in its place is the slide's. */
  const titles: { readonly words: readonly string[]; readonly isPlaced: boolean; readonly shape: SlideShape }[] = [];
  const shapes: SlideShape[] = [];
  const footers: string[] = [];
  const notes: string[] = [];
  // Each stands on the slide once, however many shapes refer to it.
  const outline = new Map(source.outline.entries());
  const texts: Texts = {
    fonts: source.fonts,
    take(index) {
      const text = outline.get(index);
      outline.delete(index);
      return text;
    },
  };
  const pending: { readonly record: PptRecord; readonly transform: Transform }[] = [];
  const enqueue = (records: readonly PptRecord[], transform: Transform): void => {
    for (const record of records.toReversed())
      if (record.type === groupContainer || record.type === shapeContainer) pending.push({ record, transform });
  };
  enqueue([...pptRecords(firstRecord(drawing, 0xf002)?.body ?? Buffer.alloc(0))], (box) => box);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { record, transform } = next;
    if (record.type === groupContainer) {
      const [first, ...rest] = [...pptRecords(record.body)];
      const group = first?.type === shapeContainer ? readShape(first.body, texts) : undefined;
      const inside =
        group?.box === undefined || group.inner === undefined
          ? transform
          : groupedIn(group.box, group.inner, transform);
      if (((group?.properties.get(property.table)?.value ?? 0) & 1) === 1) {
        const lines = pptTableLines(cellsOf(rest, texts, inside));
        const box = group?.box && transform(group.box);
        if (lines.length > 0) shapes.push({ box, lines });
      } else enqueue(rest, inside);
      continue;
    }
    const shape = readShape(record.body, texts);
    if (shape === undefined) continue;
    const box = shape.box && transform(shape.box);
    const { kind = 4, paragraphs = [] } = shape.text ?? {};
    const filled = paragraphs.filter(({ text }) => text.trim() !== '');
    const words = filled.map(({ text }) => text.trim());
    if (shape.placeholder === numberPlaceholder) continue;
    if (footerPlaceholders.has(shape.placeholder)) footers.push(...words);
    else if (kind === notesKind) notes.push(...words);
    else {
      const lines = [...paragraphLines(filled, bodyKinds.has(kind)), ...drawnLines(shape, source, words.length > 0)];
      if (lines.length === 0) continue;
      const isTitle = titleKinds.has(kind) && words.length > 0;
      if (isTitle) titles.push({ words, isPlaced: titlePlaceholders.has(shape.placeholder), shape: { box, lines } });
      else shapes.push({ box, lines });
    }
  }
  const title = titles.find(({ isPlaced }) => isPlaced) ?? titles[0];
  shapes.push(...titles.filter((one) => one !== title).map(({ shape }) => shape));
  return { titles: title?.words ?? [], shapes, footers, notes };
}

/** Words drawn as art, and what is said of a picture. */
function drawnLines({ properties }: Shape, source: PptDrawingSource, hasWords: boolean): SlideLine[] {
  const said = (id: number): string => (properties.get(id)?.text ?? '').replace(/\s+/gu, ' ').trim();
  const art = hasWords ? '' : said(property.art);
  const described = said(property.description);
  const picture = properties.get(property.picture)?.value ?? 0;
  return [
    ...(art === '' ? [] : [{ kind: 'paragraph', text: art } as const]),
    ...(described === '' || described === art ? [] : [{ kind: 'other', text: `Image: ${described}` } as const]),
    ...(picture === 0 ? [] : source.pictureLines(picture, described !== '')),
  ];
}

function cellsOf(records: readonly PptRecord[], texts: Texts, transform: Transform): PptCell[] {
  return records.flatMap((record) => {
    const shape = record.type === shapeContainer ? readShape(record.body, texts) : undefined;
    // The borders are lines beside the cells.
    if (shape?.box === undefined || shape.shapeType === lineShape) return [];
    const text = (shape.text?.paragraphs ?? []).map((paragraph) => paragraph.text).join(' ');
    return [{ text: text.replace(/\s+/gu, ' ').trim(), box: transform(shape.box) }];
  });
}

const lineShape = 20;

/** Undefined for what is deleted, hidden, or a line between shapes. */
function readShape(body: Buffer, texts: Texts): Shape | undefined {
  const properties = new Map<number, ShapeProperty>();
  let head = Buffer.alloc(8);
  let shapeType = 0;
  let box: ShapeBox | undefined;
  let inner: ShapeBox | undefined;
  let placeholder = 0;
  let text: PptText | undefined;
  for (const { type, instance, body: data } of pptRecords(body)) {
    if (type === 0xf00a && data.length >= 8) {
      head = Buffer.from(data);
      shapeType = instance;
    } else if (type === 0xf00b || type === 0xf121 || type === 0xf122) readProperties(data, instance, properties);
    else if (type === 0xf009) inner = boxOf(data, 4, 'xy');
    else if (type === 0xf00f) box = boxOf(data, 4, 'xy');
    else if (type === 0xf010) box = boxOf(data, data.length >= 16 ? 4 : 2, 'yx');
    else if (type === 0xf011) placeholder = placeholderIn(data);
    else if (type === 0xf00d) text = textIn(data, texts);
  }
  const flags = head.readUInt32LE(4);
  const isHidden = ((properties.get(property.visibility)?.value ?? 0) & hiddenBits) === hiddenBits;
  if ((flags & deleted) !== 0 || isHidden || ((flags & connector) !== 0 && text === undefined)) return undefined;
  return { head, shapeType, properties, box: (flags & patriarch) !== 0 ? undefined : box, inner, placeholder, text };
}

/** Four numbers: left, top, right and bottom, or top, left, right and bottom. */
function boxOf(data: Buffer, bytes: 2 | 4, order: 'xy' | 'yx'): ShapeBox | undefined {
  if (data.length < bytes * 4) return undefined;
  const [first, second, right, bottom] = [0, 1, 2, 3].map((index) => data.readIntLE(index * bytes, bytes)) as [
    number,
    number,
    number,
    number,
  ];
  const [x, y] = order === 'xy' ? [first, second] : [second, first];
  return { x, y, width: right - x, height: bottom - y };
}

const [placeholderAtom, newerFooterAtom] = [0x0bc3, 0x0420];

function placeholderIn(clientData: Buffer): number {
  let found = 0;
  for (const { type, body } of pptRecords(clientData)) {
    if (type === placeholderAtom) found ||= body[4] ?? 0;
    // PowerPoint 2007 names footers so (§2.5.21).
    else if (type === newerFooterAtom) found ||= body[0] ?? 0;
  }
  return found;
}

const outlineReference = 0x0f9e;

/** Its own text, or the one of the outline that it refers to. */
function textIn(box: Buffer, { take, fonts }: Texts): PptText | undefined {
  const reference = firstRecord(box, outlineReference)?.body;
  return reference !== undefined && reference.length >= 4 ? take(reference.readUInt32LE(0)) : pptTexts(box, fonts)[0];
}

/** Six bytes each; what is longer than four stands behind them all, in their order ([MS-ODRAW] §2.2.7). */
function readProperties(data: Buffer, count: number, properties: Map<number, ShapeProperty>): void {
  let more = count * 6;
  for (let at = 0; at + 6 <= data.length && at < count * 6; at += 6) {
    const id = data.readUInt16LE(at);
    const value = data.readUInt32LE(at + 2);
    const isLong = (id & 0x8000) !== 0;
    const text = isLong ? utf16Text(data.subarray(more, more + value)) : '';
    if (isLong) more += value;
    properties.set(id & 0x3fff, { value, text: text.split('\0', 1)[0] ?? '' });
  }
}
