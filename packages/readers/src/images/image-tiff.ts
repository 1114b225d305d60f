// TIFF (TIFF 6.0) to grey, page by page: the directories are read here within bounds, so that offsets that run in circles and counts
// out of nowhere end; the strips and tiles are unpacked by utif2 (fax, LZW, deflate, PackBits, JPEG).
import * as utif from 'utif2';
import { assertPixels, greyOf, onWhite, type Picture, turned } from '../engines/image-raster.ts';
import { isReadError, ReadError } from '../read-error.ts';
import { turnsOfOrientation } from './image-jpeg.ts';

/** A CommonJS module: what its types call its exports are members of its default. */
const unpacker = (utif as unknown as { readonly default: typeof utif }).default;

/** Values of the tags of one directory. */
type Directory = ReadonlyMap<number, readonly number[]>;

const mostPages = 2000;
/** Bytes that a page may take while it is unpacked, and pixels where it takes four bytes for each. */
const mostUnpackedBytes = 160_000_000;
const mostColourPixels = 40_000_000;
const sizeOfType: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 5: 8, 7: 1 };
const tags = {
  subfile: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  orientation: 274,
  samples: 277,
  stripBytes: 279,
  resolutionX: 282,
  resolutionUnit: 296,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
} as const;
/** What utif2 wants to know beside these: fill order, rows of a strip, planes, fax options, predictor, palette, alpha, sample format, JPEG tables. */
const read = new Set<number>([...Object.values(tags), 266, 278, 284, 292, 293, 317, 320, 338, 339, 347]);

export interface TiffPages {
  readonly count: number;
  /** From 0. Throws `invalid-media` or `too-large` for a page that cannot be read. */
  page(index: number): Picture;
}

export function openTiff(bytes: Uint8Array, name: string): TiffPages {
  // A copy of its own: `slice` of a Buffer would be a view of what lies around it, and utif2 reads from the beginning of the memory.
  const exact = new Uint8Array(bytes);
  const directories = readDirectories(exact, name).filter((directory) => !isThumbnail(directory));
  if (directories.length === 0) throw damaged(name);
  for (const directory of directories) assertPixels(name, first(directory, tags.width), first(directory, tags.height));
  return {
    count: directories.length,
    page: (index) => readPage(exact.buffer, directories[index] ?? new Map(), name),
  };
}

const first = (directory: Directory, tag: number, otherwise = 0): number => directory.get(tag)?.[0] ?? otherwise;

/** A smaller copy of another page (bit 0). */
const isThumbnail = (directory: Directory): boolean => (first(directory, tags.subfile) & 1) === 1;

const damaged = (name: string, cause?: unknown): ReadError =>
  new ReadError('invalid-media', `${name} is damaged: its TIFF data cannot be read. Export it again.`, { cause });

function readDirectories(bytes: Uint8Array, name: string): Directory[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8) throw damaged(name);
  const isLittle = bytes[0] === 0x49;
  const directories: Directory[] = [];
  const seen = new Set<number>();
  for (let at = view.getUint32(4, isLittle); at !== 0 && !seen.has(at) && directories.length < mostPages; ) {
    if (at + 6 > bytes.length) break;
    seen.add(at);
    const count = view.getUint16(at, isLittle);
    const end = at + 2 + count * 12;
    if (end + 4 > bytes.length) break;
    const directory = new Map<number, readonly number[]>();
    for (let entry = at + 2; entry < end; entry += 12) {
      const tag = view.getUint16(entry, isLittle);
      if (read.has(tag)) directory.set(tag, valuesAt(view, entry, isLittle));
    }
    if (directory.has(tags.width) && directory.has(tags.height)) directories.push(directory);
    at = view.getUint32(end, isLittle);
  }
  return directories;
}

/** The values of an entry, as far as they lie inside the file. Fractions as numbers. */
function valuesAt(view: DataView, entry: number, isLittle: boolean): number[] {
  const type = view.getUint16(entry + 2, isLittle);
  const size = sizeOfType[type];
  if (size === undefined) return [];
  const count = view.getUint32(entry + 4, isLittle);
  const start = count * size <= 4 ? entry + 8 : view.getUint32(entry + 8, isLittle);
  const inside = Math.max(0, Math.min(count, Math.floor((view.byteLength - start) / size)));
  return Array.from({ length: inside }, (_, index) => {
    const at = start + index * size;
    if (size === 1) return view.getUint8(at);
    if (type === 3) return view.getUint16(at, isLittle);
    const value = view.getUint32(at, isLittle);
    return type === 4 ? value : value / (view.getUint32(at + 4, isLittle) || 1);
  });
}

function readPage(buffer: ArrayBuffer, directory: Directory, name: string): Picture {
  const width = first(directory, tags.width);
  const height = first(directory, tags.height);
  const samples = first(directory, tags.samples, 1);
  const bits = first(directory, tags.bits, 1);
  const photometric = first(directory, tags.photometric, bits === 1 ? 0 : 2);
  assertPieces(buffer, directory, name);
  const isGrey = samples === 1 && photometric <= 1 && (bits === 1 || bits === 8);
  const unpacked = height * Math.ceil((width * bits * samples) / 8);
  if (unpacked > mostUnpackedBytes || (!isGrey && width * height > mostColourPixels)) {
    const message = `${name} has a page of ${width} × ${height} pixels in colour, more than can be unpacked. Save it in grey, or scale it down.`;
    throw new ReadError('too-large', message, { details: { width, height, bits, samples } });
  }
  const image = Object.fromEntries(
    [...directory].map(([tag, values]) => [`t${tag}`, [...values]]),
  ) as unknown as utif.IFD;
  const raster = { width, height, pixels: new Uint8Array(width * height) };
  try {
    unpacker.decodeImage(buffer, image);
    if (isGrey) copyGrey(image.data, raster, { bits, isInverted: photometric === 0 });
    else copyColour(unpacker.toRGBA8(image), raster.pixels);
  } catch (cause) {
    throw isReadError(cause) ? cause : damaged(name, cause);
  }
  const turns = turnsOfOrientation[first(directory, tags.orientation, 1)] ?? 0;
  const perUnit = first(directory, tags.resolutionX);
  // Unit 3 is the centimetre, 1 none at all.
  const unit = first(directory, tags.resolutionUnit, 2);
  const dpi = unit === 1 ? 0 : Math.round(perUnit * (unit === 3 ? 2.54 : 1));
  return { raster: turned(raster, turns), ...(dpi > 0 && { dpi }) };
}

/** Every strip or tile lies inside the file: utif2 reads where it is told to. */
function assertPieces(buffer: ArrayBuffer, directory: Directory, name: string): void {
  const isTiled = directory.has(tags.tileWidth);
  const offsets = directory.get(isTiled ? tags.tileOffsets : tags.stripOffsets) ?? [];
  const lengths = directory.get(isTiled ? tags.tileBytes : tags.stripBytes) ?? [];
  const width = first(directory, tags.tileWidth, 1);
  const height = first(directory, tags.tileHeight, 1);
  const areInside = offsets.every((offset, index) => offset + (lengths[index] ?? 0) <= buffer.byteLength);
  const isSane = offsets.length > 0 && offsets.length === lengths.length && width > 0 && height > 0;
  if (!areInside || !isSane || width * height > mostColourPixels) throw damaged(name);
}

function copyGrey(
  data: Uint8Array | undefined,
  raster: Picture['raster'],
  { bits, isInverted }: { bits: number; isInverted: boolean },
): void {
  if (data === undefined) throw new TypeError('no pixels');
  const { width, height, pixels } = raster;
  const stride = bits === 1 ? Math.ceil(width / 8) : width;
  const flip = isInverted ? 255 : 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const value =
        bits === 8 ? (data[y * stride + x] ?? 0) : -(((data[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1);
      pixels[y * width + x] = (value & 255) ^ flip;
    }
}

function copyColour(colours: Uint8Array, pixels: Uint8Array): void {
  for (let at = 0; at < pixels.length; at++) {
    const from = at * 4;
    const grey = greyOf(colours[from] ?? 0, colours[from + 1] ?? 0, colours[from + 2] ?? 0);
    pixels[at] = onWhite(grey, colours[from + 3] ?? 255);
  }
}
