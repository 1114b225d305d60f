// Reads the straight lines that a page draws, as tables have them: edges of rectangles and strokes along the axes, as they are seen.
// Bounded: beyond so many paths a page is a drawing, and its lines are not looked at.

import type { OpenPdf, Rectangle } from '../../engines/pdf-module.ts';
import type { PdfRule, PdfRules } from './pdf-content.ts';
import { type Frame, seenBox } from './pdf-words.ts';

interface PathCalls {
  FPDFPage_CountObjects(page: number): number;
  FPDFPage_GetObject(page: number, index: number): number;
  FPDFPageObj_GetType(object: number): number;
  FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  FPDFPageObj_GetMatrix(object: number, matrix: number): number;
  FPDFPath_CountSegments(path: number): number;
  FPDFPath_GetPathSegment(path: number, index: number): number;
  FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number;
  FPDFPathSegment_GetType(segment: number): number;
}

/** FPDF_PAGEOBJ_PATH, FPDF_SEGMENT_LINETO and _MOVETO. */
const pathObject = 2;
const lineTo = 0;
const moveTo = 2;
const mostPaths = 4000;
const mostSegments = 8000;
/** Thicker than this is a box, shorter is a mark (points). */
const thickest = 2.5;
const shortest = 6;

/** Undefined where the page draws no straight line, or too much. */
export function readRules({ pdfium, memory }: OpenPdf, page: number, frame: Frame): PdfRules | undefined {
  const calls = pdfium.pdfium.wasmExports as unknown as PathCalls;
  const horizontal: PdfRule[] = [];
  const vertical: PdfRule[] = [];
  const scratch = memory.allocate(24);
  const add = (box: Rectangle): void => {
    const { left, top, right, bottom } = seenBox(frame, box);
    if (bottom - top <= thickest && right - left >= shortest)
      horizontal.push({ at: (top + bottom) / 2, from: left, to: right });
    else if (right - left <= thickest && bottom - top >= shortest)
      vertical.push({ at: (left + right) / 2, from: top, to: bottom });
  };
  let paths = 0;
  let segments = 0;
  const objects = calls.FPDFPage_CountObjects(page);
  for (let index = 0; index < objects; index++) {
    const object = calls.FPDFPage_GetObject(page, index);
    if (calls.FPDFPageObj_GetType(object) !== pathObject) continue;
    if (++paths > mostPaths) return undefined;
    calls.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12);
    // Written in this order: left, bottom, right, top.
    const { left, top: bottom, right, bottom: top } = memory.rectangle(scratch);
    if (right - left <= thickest || top - bottom <= thickest) {
      add({ left, top, right, bottom });
      continue;
    }
    const count = calls.FPDFPath_CountSegments(object);
    segments += count;
    if (segments > mostSegments) return undefined;
    readEdges({ calls, memory, object, count, scratch }, add);
  }
  return horizontal.length + vertical.length === 0 ? undefined : { horizontal, vertical };
}

/** The strokes of one path that run along an axis. */
function readEdges(
  {
    calls,
    memory,
    object,
    count,
    scratch,
  }: {
    readonly calls: PathCalls;
    readonly memory: OpenPdf['memory'];
    readonly object: number;
    readonly count: number;
    readonly scratch: number;
  },
  add: (box: Rectangle) => void,
): void {
  if (calls.FPDFPageObj_GetMatrix(object, scratch) === 0) return;
  const [a, b, c, d, e, f] = [0, 4, 8, 12, 16, 20].map((offset) => memory.float(scratch + offset)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  let last: readonly [number, number] | undefined;
  let first: readonly [number, number] | undefined;
  const draw = (from: readonly [number, number], to: readonly [number, number]): void => {
    const [left, right] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])];
    const [bottom, top] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])];
    if (right - left < 0.5 || top - bottom < 0.5) add({ left, top, right, bottom });
  };
  for (let index = 0; index < count; index++) {
    const segment = calls.FPDFPath_GetPathSegment(object, index);
    const type = calls.FPDFPathSegment_GetType(segment);
    calls.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4);
    const [x, y] = [memory.float(scratch), memory.float(scratch + 4)];
    const point = [a * x + c * y + e, b * x + d * y + f] as const;
    if (type === moveTo) {
      if (first !== undefined && last !== undefined) draw(last, first);
      first = point;
    } else if (type === lineTo && last !== undefined) draw(last, point);
    last = point;
  }
  // A path that is filled, or closed, ends where it began.
  if (first !== undefined && last !== undefined && count > 3) draw(last, first);
}
