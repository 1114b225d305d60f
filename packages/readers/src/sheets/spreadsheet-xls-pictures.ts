// The pictures on the sheets of XLS files ([MS-XLS] §2.4.170, §2.4.171): the workbook holds them in a store, the drawings of its sheets show them at a cell.
// Records are stepped through once; every length is held against the stream.

import { isCompound, openCompound } from '../containers/compound-file.ts';
import { pictureShapes, storedPictures } from '../office/office-art.ts';
import type { HeldPicture } from '../pictures/embedded-pictures.ts';
import { isReadError } from '../read-error.ts';

export interface SheetPicture {
  readonly key: string;
  /** Both from 0. */
  readonly cell: { readonly row: number; readonly column: number };
}

export interface XlsPictures {
  readonly held: readonly HeldPicture[];
  /** Of each sheet in the order of the workbook, in the order of its drawing. */
  readonly bySheet: readonly (readonly SheetPicture[])[];
  /** Kinds of what is drawn by commands, one for each. */
  readonly drawings: readonly string[];
}

const none: XlsPictures = { held: [], bySheet: [], drawings: [] };

const boundSheet = 0x0085;
const drawingGroup = 0x00eb;
const drawing = 0x00ec;
const goesOn = 0x003c;
const begins = 0x0809;
const ends = 0x000a;

/** None where the file is no compound file with a workbook: others are read by their parts. */
export function xlsPictures(bytes: Uint8Array): XlsPictures {
  const stream = workbookStream(bytes);
  if (stream === undefined) return none;
  const globals = readPart(stream, 0);
  if (globals.group.length === 0) return none;
  const stored = storedPictures(globals.group);
  const drawings: string[] = [];
  const held = new Map<string, HeldPicture>();
  const budget = budgetOf(stream);
  const bySheet = globals.sheets.map((start) => {
    const shown: SheetPicture[] = [];
    for (const { picture, cell } of pictureShapes(readPart(stream, start, budget).drawn)) {
      const found = stored[picture - 1];
      if (found === undefined || cell === undefined) continue;
      if ('drawing' in found) {
        drawings.push(found.drawing);
        continue;
      }
      const key = `picture ${picture}`;
      held.set(key, { key, bytes: () => found.bytes });
      shown.push({ key, cell });
    }
    return shown;
  });
  return { held: [...held.values()], bySheet, drawings };
}

/** The records; undefined where they lie in no compound file. */
export function workbookStream(bytes: Uint8Array): Buffer | undefined {
  if (!isCompound(bytes)) return undefined;
  try {
    const file = openCompound(bytes, 'The workbook');
    return file.stream('Workbook') ?? file.stream('Book');
  } catch (error) {
    if (!isReadError(error)) throw error;
    // A file whose cells could be read all the same has no pictures that can.
    return undefined;
  }
}

interface Part {
  /** Where the sheets begin. */
  readonly sheets: readonly number[];
  /** The drawings that all sheets share, and those of this one. */
  readonly group: Buffer;
  readonly drawn: Buffer;
}

/** What may be stepped over for the sheets of a workbook: they lie one behind another, and a file that says otherwise is not read over and over. */
export const budgetOf = (stream: Buffer): { bytes: number } => ({ bytes: stream.length });

/** The records from one beginning to its end; charts inside have a beginning and an end of their own. */
export function readPart(stream: Buffer, start: number, budget = budgetOf(stream)): Part {
  const sheets: number[] = [];
  const group: Buffer[] = [];
  const drawn: Buffer[] = [];
  let depth = 0;
  /** What the next record goes on with, if it goes on. */
  let open: Buffer[] | undefined;
  for (let at = start; at + 4 <= stream.length && budget.bytes > 0; ) {
    const type = stream.readUInt16LE(at);
    const body = stream.subarray(at + 4, at + 4 + stream.readUInt16LE(at + 2));
    at += 4 + body.length;
    budget.bytes -= 4 + body.length;
    if (type === begins) depth++;
    else if (type === ends && --depth <= 0) break;
    if (type === drawingGroup) open = group;
    else if (type === drawing && depth === 1) open = drawn;
    else if (type !== goesOn) open = undefined;
    open?.push(body);
    if (type === boundSheet && body.length >= 4) sheets.push(body.readUInt32LE(0));
  }
  return { sheets, group: Buffer.concat(group), drawn: Buffer.concat(drawn) };
}
