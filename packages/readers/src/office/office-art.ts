// The drawings of older Office files ([MS-ODRAW]): which pictures they hold, and which shape shows which. Records are gone over once, in the order of the
// file: a container is entered by stepping over its head, so depth costs nothing and no length is believed beyond the bytes there are.
import { bmpOfDib } from '../images/image-bmp.ts';

/** A picture as it is stored, or the kind of drawing that stands in its place and cannot be read. */
export type StoredPicture = { readonly bytes: Uint8Array } | { readonly drawing: 'EMF' | 'WMF' | 'PICT' | 'TIFF' };

/** A shape that shows a picture of the store. */
export interface PictureShape {
  /** Of the shape in its document. */
  readonly id: number;
  /** Number in the store, from 1. */
  readonly picture: number;
  /** The cell of a sheet at which it begins; both from 0. */
  readonly cell?: { readonly row: number; readonly column: number };
}

export interface ArtRecord {
  readonly type: number;
  readonly instance: number;
  readonly body: Buffer;
}

const headBytes = 8;
const maxRecords = 500_000;

const shapeContainer = 0xf004;
const storeEntry = 0xf007;
const shapeHead = 0xf00a;
const shapeOptions = 0xf00b;
const cellAnchor = 0xf010;
/** The property of a shape that names its picture (§2.3.23.2). */
const pictureProperty = 0x0104;

const drawings: Readonly<Record<number, 'EMF' | 'WMF' | 'PICT' | 'TIFF'>> = {
  61466: 'EMF',
  61467: 'WMF',
  61468: 'PICT',
  61481: 'TIFF',
};
const jpegs = new Set([0xf01d, 0xf02a]);
const png = 0xf01e;
const dib = 0xf01f;

/** The records that begin in the bytes, containers and what they hold alike, containers first. */
export function* artRecords(bytes: Buffer): Generator<ArtRecord> {
  let records = 0;
  for (let at = 0; at + headBytes <= bytes.length && records < maxRecords; records++) {
    const versionAndInstance = bytes.readUInt16LE(at);
    const isContainer = (versionAndInstance & 0xf) === 0xf;
    const length = bytes.readUInt32LE(at + 4);
    const start = at + headBytes;
    const body = bytes.subarray(start, Math.min(start + length, bytes.length));
    yield { type: bytes.readUInt16LE(at + 2), instance: versionAndInstance >> 4, body };
    at = isContainer ? start : start + length;
  }
}

/** The picture that a record is; undefined for other records and for empty ones. */
function pictureIn({ type, instance, body }: ArtRecord): StoredPicture | undefined {
  const drawing = drawings[type];
  if (drawing !== undefined) return { drawing };
  if (!jpegs.has(type) && type !== png && type !== dib) return undefined;
  // One or two digests and a byte stand before it (§2.2.27 and after).
  const bytes = body.subarray(16 * (1 + (instance & 1)) + 1);
  const whole = type === dib ? bmpOfDib(bytes) : bytes;
  return whole === undefined || whole.length === 0 ? undefined : { bytes: whole };
}

/** The first picture among the records, also inside an entry of a store. */
export function firstPicture(bytes: Buffer): StoredPicture | undefined {
  for (const record of artRecords(bytes)) {
    const picture = record.type === storeEntry ? entryPicture(record.body) : pictureIn(record);
    if (picture !== undefined) return picture;
  }
  return undefined;
}

const entryBytes = 36;

/** An entry of a store (§2.2.32) holds its picture, or says where it stands in another stream. */
function entryPicture(entry: Buffer, elsewhere?: Buffer): StoredPicture | undefined {
  if (entry.length < entryBytes) return undefined;
  const inside = entry.subarray(entryBytes + (entry[33] ?? 0));
  if (inside.length > headBytes) return firstOf(inside);
  const offset = entry.readUInt32LE(28);
  if (elsewhere === undefined || offset === 0xffff_ffff || offset + headBytes > elsewhere.length) return undefined;
  return firstOf(elsewhere.subarray(offset));
}

function firstOf(bytes: Buffer): StoredPicture | undefined {
  const record = artRecords(bytes).next().value;
  return record === undefined ? undefined : pictureIn(record);
}

/** The pictures of a document in the order of their numbers, from 1: places of which nothing can be had are empty. */
export function storedPictures(bytes: Buffer, elsewhere?: Buffer): (StoredPicture | undefined)[] {
  const pictures: (StoredPicture | undefined)[] = [];
  for (const { type, body } of artRecords(bytes)) if (type === storeEntry) pictures.push(entryPicture(body, elsewhere));
  return pictures;
}

/** The shapes that show pictures, in the order of the file. */
export function pictureShapes(bytes: Buffer): PictureShape[] {
  const shapes: { id: number; picture: number; cell?: { row: number; column: number } }[] = [];
  let shape = { id: 0, picture: 0 } as (typeof shapes)[number];
  for (const { type, instance, body } of artRecords(bytes)) {
    if (type === shapeContainer) {
      shape = { id: 0, picture: 0 };
      shapes.push(shape);
    } else if (type === shapeHead && body.length >= 4) shape.id = body.readUInt32LE(0);
    else if (type === shapeOptions) shape.picture = optionOf(body, instance) ?? shape.picture;
    else if (type === cellAnchor && body.length >= 18)
      shape.cell = { column: body.readUInt16LE(2), row: body.readUInt16LE(6) };
  }
  return shapes.filter(({ picture }) => picture > 0);
}

/** The number of the picture among the properties of a shape: six bytes each. */
function optionOf(body: Buffer, count: number): number | undefined {
  for (let index = 0; index < count && index * 6 + 6 <= body.length; index++)
    if ((body.readUInt16LE(index * 6) & 0x3fff) === pictureProperty) return body.readUInt32LE(index * 6 + 2);
  return undefined;
}
