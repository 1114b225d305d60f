// PNG (W3C PNG, third edition) to grey, row by row while it is unpacked: what is held is the result and two rows, and no more
// is unpacked than the header announces. Transparency is laid on white.
import { Readable } from 'node:stream';
import { createInflate } from 'node:zlib';
import { assertPixels, greyOf, onWhite, type Picture, type Raster } from '../engines/image-raster.ts';
import { ReadError } from '../read-error.ts';

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha. */
  readonly kind: number;
  readonly isInterlaced: boolean;
}

interface Chunks {
  readonly header: Header;
  readonly palette: Uint8Array;
  readonly transparency: Uint8Array;
  readonly data: readonly Uint8Array[];
  readonly dpi: number | undefined;
}

const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Adam7: [first column, first row, column step, row step]. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export async function readPng(bytes: Uint8Array, name: string): Promise<Picture> {
  const chunks = readChunks(bytes, name);
  const { width, height } = chunks.header;
  assertPixels(name, width, height);
  const raster: Raster = { width, height, pixels: new Uint8Array(width * height).fill(255) };
  await unpackRows(chunks, raster, name);
  return { raster, ...(chunks.dpi !== undefined && { dpi: chunks.dpi }) };
}

const damaged = (name: string): ReadError =>
  new ReadError('invalid-media', `${name} is damaged: its PNG data cannot be read. Export it again.`);

function readChunks(bytes: Uint8Array, name: string): Chunks {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: Header | undefined;
  let palette: Uint8Array = new Uint8Array();
  let transparency: Uint8Array = new Uint8Array();
  let dpi: number | undefined;
  const data: Uint8Array[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR' && length >= 13) {
      const [depth = 0, kind = -1, , , interlace = 0] = body.subarray(8);
      header = {
        width: view.getUint32(at + 8),
        height: view.getUint32(at + 12),
        depth,
        kind,
        isInterlaced: interlace === 1,
      };
    } else if (type === 'PLTE') palette = body;
    else if (type === 'tRNS') transparency = body;
    // Pixels per metre.
    else if (type === 'pHYs' && length >= 9 && body[8] === 1) dpi = Math.round(view.getUint32(at + 8) * 0.0254);
    else if (type === 'IDAT') data.push(body);
    else if (type === 'IEND') break;
    at += 12 + length;
  }
  const known = header !== undefined && samplesOf[header.kind] !== undefined && [1, 2, 4, 8, 16].includes(header.depth);
  if (header === undefined || !known || data.length === 0) throw damaged(name);
  return { header, palette, transparency, data, dpi };
}

/** A row as it is packed, and where its pixels go. */
interface Row {
  readonly bytes: number;
  readonly pixels: number;
  readonly first: number;
  readonly step: number;
  /** The filters of the first row of a pass know none above it. */
  readonly startsPass: boolean;
}

function* rowsOf({ width, height, depth, kind, isInterlaced }: Header): Generator<Row> {
  const bitsPerPixel = depth * (samplesOf[kind] ?? 1);
  for (const [left, top, stepX, stepY] of isInterlaced ? passes : ([[0, 0, 1, 1]] as const)) {
    const pixels = Math.ceil((width - left) / stepX);
    if (pixels <= 0) continue;
    const bytes = Math.ceil((pixels * bitsPerPixel) / 8);
    for (let y = top; y < height; y += stepY)
      yield { bytes, pixels, first: y * width + left, step: stepX, startsPass: y === top };
  }
}

async function unpackRows(chunks: Chunks, raster: Raster, name: string): Promise<void> {
  const { header, data } = chunks;
  const pixelBytes = Math.max(1, (header.depth * (samplesOf[header.kind] ?? 1)) >> 3);
  const greyAt = readerOf(chunks);
  const rows = rowsOf(header);
  let row = rows.next().value as Row | undefined;
  let above: Uint8Array = new Uint8Array(0);
  let packed = new Uint8Array((row?.bytes ?? 0) + 1);
  let filled = 0;
  const stream = Readable.from(data, { objectMode: false }).pipe(createInflate());
  try {
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      for (let at = 0; at < piece.length && row !== undefined; ) {
        const taken = Math.min(packed.length - filled, piece.length - at);
        packed.set(piece.subarray(at, at + taken), filled);
        filled += taken;
        at += taken;
        if (filled < packed.length) break;
        const line = packed.subarray(1);
        unfilter(packed[0] ?? 0, line, { above: row.startsPass ? new Uint8Array(line.length) : above, pixelBytes });
        for (let index = 0, to = row.first; index < row.pixels; index++, to += row.step)
          raster.pixels[to] = greyAt(line, index);
        above = line;
        row = rows.next().value as Row | undefined;
        packed = new Uint8Array((row?.bytes ?? 0) + 1);
        filled = 0;
      }
      if (row === undefined) break;
    }
  } catch (cause) {
    throw new ReadError('invalid-media', damaged(name).message, { cause });
  }
  if (row !== undefined) throw damaged(name);
}

function unfilter(filter: number, line: Uint8Array, past: { above: Uint8Array; pixelBytes: number }): void {
  const { above, pixelBytes } = past;
  if (filter === 0) return;
  for (let at = 0; at < line.length; at++) {
    const left = at < pixelBytes ? 0 : (line[at - pixelBytes] ?? 0);
    const up = above[at] ?? 0;
    const corner = at < pixelBytes ? 0 : (above[at - pixelBytes] ?? 0);
    const guess =
      filter === 1
        ? left
        : filter === 2
          ? up
          : filter === 3
            ? (left + up) >> 1
            : filter === 4
              ? paeth(left, up, corner)
              : 0;
    line[at] = (line[at] ?? 0) + guess;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const toLeft = Math.abs(guess - left);
  const toUp = Math.abs(guess - up);
  const toCorner = Math.abs(guess - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** The grey of a pixel of an unfiltered row. Of 16 bits the upper eight count. */
function readerOf({ header, palette, transparency }: Chunks): (line: Uint8Array, index: number) => number {
  const { depth, kind } = header;
  if (kind === 0 || kind === 3) {
    const most = 2 ** Math.min(depth, 8) - 1;
    const clear = kind === 0 && transparency.length >= 2 && depth <= 8 ? (transparency[1] ?? -1) : -1;
    const table = Uint8Array.from({ length: 256 }, (_, value) => {
      if (kind === 0) return value === clear ? 255 : Math.round((value * 255) / most);
      const grey = greyOf(palette[value * 3] ?? 0, palette[value * 3 + 1] ?? 0, palette[value * 3 + 2] ?? 0);
      return onWhite(grey, transparency[value] ?? 255);
    });
    if (depth >= 8) return (line, index) => table[line[index * (depth >> 3)] ?? 0] ?? 255;
    const perByte = 8 / depth;
    return (line, index) => {
      const shift = 8 - depth * ((index % perByte) + 1);
      return table[((line[Math.floor(index / perByte)] ?? 0) >> shift) & most] ?? 255;
    };
  }
  const size = depth === 16 ? 2 : 1;
  const step = size * (samplesOf[kind] ?? 1);
  if (kind === 4) return (line, index) => onWhite(line[index * step] ?? 0, line[index * step + size] ?? 255);
  return (line, index) => {
    const at = index * step;
    const grey = greyOf(line[at] ?? 0, line[at + size] ?? 0, line[at + 2 * size] ?? 0);
    return kind === 6 ? onWhite(grey, line[at + 3 * size] ?? 255) : grey;
  };
}
