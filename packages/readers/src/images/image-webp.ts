// WebP (RFC 9649) to grey: its size is read here, its pixels are unpacked by the recogniser, the only one of ours that knows the format.

import { assertPixels, type Picture } from '../engines/image-raster.ts';
import type { RecognitionEngine } from '../engines/ocr-engine.ts';
import { ReadError } from '../read-error.ts';
import { readPng } from './image-png.ts';

export async function readWebp(bytes: Uint8Array, name: string, engine: RecognitionEngine): Promise<Picture> {
  const size = sizeOf(bytes);
  if (size === undefined)
    throw new ReadError('invalid-media', `${name} is damaged: its WebP data cannot be read. Export it again.`);
  assertPixels(name, size.width, size.height);
  return readPng(await engine.unpack(bytes), name);
}

function sizeOf(bytes: Uint8Array): { width: number; height: number } | undefined {
  if (bytes.length < 30) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const three = (at: number): number => view.getUint16(at, true) | ((bytes[at + 2] ?? 0) << 16);
  switch (new TextDecoder('latin1').decode(bytes.subarray(12, 16))) {
    case 'VP8X':
      return { width: three(24) + 1, height: three(27) + 1 };
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    default:
      return undefined;
  }
}
