// The pictures of RTF (specification 1.9.1, "Pictures"): hexadecimal digits or raw bytes, collected while the file is read. Invariant: what is kept of a
// file is never longer than the file.

import { bmpOfDib } from '../images/image-bmp.ts';
import type { HeldPicture } from '../pictures/embedded-pictures.ts';

/** Control words that say what a picture is; drawings cannot be read. */
const pixelKinds = new Set(['pngblip', 'jpegblip', 'dibitmap']);
const drawingKinds: Readonly<Record<string, string>> = {
  emfblip: 'EMF',
  wmetafile: 'WMF',
  macpict: 'PICT',
  pmmetafile: 'PM',
  wbitmap: 'WBMP',
};

export interface RtfPictures {
  begin(): void;
  /** A control word inside a picture. */
  word(name: string): void;
  /** Digits as they stand in the file. */
  digits(bytes: Uint8Array): void;
  raw(bytes: Uint8Array): void;
  /** The key of the picture that ends; undefined for a drawing and for an empty one. */
  end(): string | undefined;
  readonly held: readonly HeldPicture[];
  /** Kinds of what is drawn by commands, one for each. */
  readonly drawings: readonly string[];
}

export function rtfPictures(): RtfPictures {
  const held: HeldPicture[] = [];
  const drawings: string[] = [];
  let kind = '';
  let parts: string[] = [];
  let raw: Uint8Array | undefined;
  return {
    begin() {
      kind = '';
      parts = [];
      raw = undefined;
    },
    word(name) {
      if (pixelKinds.has(name) || Object.hasOwn(drawingKinds, name)) kind = name;
    },
    digits(bytes) {
      if (pixelKinds.has(kind))
        parts.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
    },
    raw(bytes) {
      if (pixelKinds.has(kind)) raw = bytes;
    },
    end() {
      const drawing = drawingKinds[kind];
      if (drawing !== undefined) drawings.push(drawing);
      const bytes = raw ?? Buffer.from(parts.join('').replace(/\s+/gu, ''), 'hex');
      parts = [];
      raw = undefined;
      if (!pixelKinds.has(kind) || bytes.length === 0) return undefined;
      const key = `picture ${held.length + 1}`;
      const isBare = kind === 'dibitmap';
      held.push({ key, bytes: () => (isBare ? bmpOfDib(bytes) : bytes) });
      return key;
    },
    held,
    drawings,
  };
}
