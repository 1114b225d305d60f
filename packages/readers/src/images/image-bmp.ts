// BMP to grey: 1 to 32 bits a pixel, without compression ([MS-WMF] 2.2.2, BITMAPCOREHEADER and BITMAPINFOHEADER). Bounded by its header.

import { assertPixels, greyOf, type Picture } from '../engines/image-raster.ts';
import { ReadError } from '../read-error.ts';

/** Compressions without one: none, and masks that say where the colours are. */
const plain = [0, 3, 6];

export function readBmp(bytes: Uint8Array, name: string): Picture {
  const damaged = new ReadError('invalid-media', `${name} is damaged: its BMP data cannot be read. Export it again.`);
  if (bytes.length < 26) throw damaged;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const dataStart = view.getUint32(10, true);
  const headerBytes = view.getUint32(14, true);
  const isOld = headerBytes === 12;
  if (!isOld && (headerBytes < 40 || bytes.length < 54)) throw damaged;
  const width = isOld ? view.getUint16(18, true) : view.getInt32(18, true);
  const signedHeight = isOld ? view.getInt16(20, true) : view.getInt32(22, true);
  const height = Math.abs(signedHeight);
  const bits = view.getUint16(isOld ? 24 : 28, true);
  const compression = isOld ? 0 : view.getUint32(30, true);
  assertPixels(name, width, height);
  if (!plain.includes(compression))
    throw new ReadError('unsupported-media', `${name} is a compressed BMP. Save it as PNG.`, {
      details: { compression },
    });
  const stride = Math.ceil((width * bits) / 32) * 4;
  if (![1, 4, 8, 16, 24, 32].includes(bits) || dataStart + stride * height > bytes.length + 3) throw damaged;
  const entryBytes = isOld ? 3 : 4;
  const paletteStart = 14 + headerBytes;
  const table = Uint8Array.from({ length: bits <= 8 ? 2 ** bits : 0 }, (_, value) => {
    const at = paletteStart + value * entryBytes;
    return greyOf(bytes[at + 2] ?? 0, bytes[at + 1] ?? 0, bytes[at] ?? 0);
  });
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = dataStart + stride * (signedHeight < 0 ? y : height - 1 - y);
    for (let x = 0; x < width; x++) pixels[y * width + x] = greyAt(bytes, row, { x, bits, table });
  }
  const perMetre = isOld ? 0 : view.getInt32(38, true);
  return { raster: { width, height, pixels }, ...(perMetre > 0 && { dpi: Math.round(perMetre * 0.0254) }) };
}

function greyAt(bytes: Uint8Array, row: number, at: { x: number; bits: number; table: Uint8Array }): number {
  const { x, bits, table } = at;
  if (bits <= 8) {
    const value = (bytes[row + ((x * bits) >> 3)] ?? 0) >> (8 - bits - ((x * bits) & 7));
    return table[value & (2 ** bits - 1)] ?? 255;
  }
  const first = row + (x * bits) / 8;
  if (bits > 16) return greyOf(bytes[first + 2] ?? 0, bytes[first + 1] ?? 0, bytes[first] ?? 0);
  // Five bits a colour, as nearly all of them are.
  const value = (bytes[first] ?? 0) | ((bytes[first + 1] ?? 0) << 8);
  return greyOf(((value >> 10) & 31) * 8, ((value >> 5) & 31) * 8, (value & 31) * 8);
}

/** A bitmap without the header of its file (a DIB, as clipboards and old office files hold it) with one. */
export function bmpOfDib(dib: Uint8Array): Uint8Array | undefined {
  if (dib.length < 16) return undefined;
  const view = new DataView(dib.buffer, dib.byteOffset, dib.byteLength);
  const headerBytes = view.getUint32(0, true);
  if ((headerBytes !== 12 && headerBytes < 40) || headerBytes > 124 || dib.length < headerBytes) return undefined;
  const isOld = headerBytes === 12;
  const bits = view.getUint16(isOld ? 10 : 14, true);
  const masks = !isOld && headerBytes === 40 && view.getUint32(16, true) === 3 ? 12 : 0;
  const said = isOld || dib.length < 36 ? 0 : view.getUint32(32, true);
  const colours = bits > 8 ? 0 : said > 0 && said <= 256 ? said : 2 ** bits;
  const file = Buffer.alloc(14 + dib.length);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(14 + headerBytes + masks + colours * (isOld ? 3 : 4), 10);
  file.set(dib, 14);
  return file;
}
