// GIF (89a) to grey, its few frames as they are shown one over another, each that differs as a picture of its own. Sizes are judged before anything
// is unpacked; every code of its LZW is checked against the table, so that no entry refers to itself and no frame grows beyond its area.

import { assertPixels, greyOf, type Picture } from '../engines/image-raster.ts';
import { ReadError } from '../read-error.ts';

/** Animations of more frames are films: their first frame is read. */
const mostFrames = 12;
/** Over all frames of one file; a slide of a presentation in HD has two million. */
const mostFramePixels = 60_000_000;
/** Blocks that a file may have before it is taken for damaged: frames, comments, extensions. */
const mostBlocks = 100_000;

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Where its palette begins, and how many colours it has. */
  readonly palette: number;
  readonly colours: number;
  readonly transparent: number | undefined;
  readonly disposal: number;
  readonly isInterlaced: boolean;
  /** Where its data begins: the size of its codes. */
  readonly data: number;
}

interface GifFile {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly Frame[];
  readonly bytes: Uint8Array;
}

export interface GifPictures {
  readonly pictures: readonly Picture[];
  /** Frames that are not read. */
  readonly left: number;
}

/** Throws `invalid-media` for a damaged file, `too-large` from its header. */
export function readGif(bytes: Uint8Array, name: string): GifPictures {
  const file = readBlocks(bytes, name);
  const pixels = file.width * file.height;
  const isFilm = file.frames.length > mostFrames || file.frames.length * pixels > mostFramePixels;
  const frames = isFilm ? file.frames.slice(0, 1) : file.frames;
  const canvas = new Uint8Array(pixels).fill(255);
  const shown: Uint8Array[] = [];
  for (const frame of frames) {
    const before = frame.disposal === 3 ? Uint8Array.from(canvas) : undefined;
    paint(canvas, file, { frame, indexes: unpack(bytes, frame) });
    if (!shown.some((one) => Buffer.compare(one, canvas) === 0)) shown.push(Uint8Array.from(canvas));
    if (before !== undefined) canvas.set(before);
    else if (frame.disposal === 2) erase(canvas, file, frame);
  }
  const { width, height } = file;
  return {
    pictures: shown.map((one) => ({ raster: { width, height, pixels: one } })),
    left: file.frames.length - frames.length,
  };
}

/** The first frame alone: what a document shows. Throws as `readGif` does. */
export function readFirstFrame(bytes: Uint8Array, name: string): Picture {
  const file = readBlocks(bytes, name, 1);
  const { width, height } = file;
  const canvas = new Uint8Array(width * height).fill(255);
  for (const frame of file.frames) paint(canvas, file, { frame, indexes: unpack(bytes, frame) });
  return { raster: { width, height, pixels: canvas } };
}

function readBlocks(bytes: Uint8Array, name: string, wanted = Number.POSITIVE_INFINITY): GifFile {
  const damaged = new ReadError('invalid-media', `${name} is damaged: its GIF data cannot be read. Export it again.`);
  if (bytes.length < 14 || !/^GIF8[79]a$/u.test(Buffer.from(bytes.subarray(0, 6)).toString('latin1'))) throw damaged;
  const two = (at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
  const coloursOf = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 2 << (flags & 7));
  const [width, height, flags] = [two(6), two(8), bytes[10] ?? 0];
  assertPixels(name, width, height);
  const shared = { palette: 13, colours: coloursOf(flags) };
  const frames: Frame[] = [];
  let control: { transparent: number | undefined; disposal: number } = { transparent: undefined, disposal: 0 };
  /** Behind runs of bytes, each with its length; the end of the file where it is cut short. */
  const behindRuns = (from: number): number => {
    let at = from;
    for (let length = bytes[at++]; length !== undefined && length > 0; length = bytes[at++]) at += length;
    return at;
  };
  let blocks = 0;
  for (let at = 13 + shared.colours * 3; at < bytes.length && frames.length < wanted; ) {
    if (++blocks > mostBlocks) throw damaged;
    const kind = bytes[at++];
    if (kind === 0x3b) break;
    if (kind === 0x21) {
      const label = bytes[at++];
      if (label === 0xf9 && bytes[at] === 4) {
        const bits = bytes[at + 1] ?? 0;
        control = { transparent: (bits & 1) === 0 ? undefined : bytes[at + 4], disposal: (bits >> 2) & 7 };
      }
      at = behindRuns(at);
    } else if (kind === 0x2c && at + 10 < bytes.length) {
      const [left, top, wide, high, bits] = [two(at), two(at + 2), two(at + 4), two(at + 6), bytes[at + 8] ?? 0];
      const own = coloursOf(bits);
      const data = at + 9 + own * 3;
      const colours = own === 0 ? shared : { palette: at + 9, colours: own };
      if (left + wide > width || top + high > height) throw damaged;
      if (wide * high > 0)
        frames.push({
          left,
          top,
          width: wide,
          height: high,
          ...colours,
          ...control,
          isInterlaced: (bits & 0x40) !== 0,
          data,
        });
      control = { transparent: undefined, disposal: 0 };
      at = behindRuns(data + 1);
    } else if (kind !== 0) break;
  }
  if (frames.length === 0) throw damaged;
  return { width, height, frames, bytes };
}

const mostCodes = 4096;

/** The colours of a frame, by their number (§22 and appendix F). What is cut short or broken off stays 0. */
// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
function unpack(bytes: Uint8Array, { width, height, data }: Frame): Uint8Array {
  const indexes = new Uint8Array(width * height);
  const least = bytes[data] ?? 0;
  if (least < 1 || least > 8) return indexes;
  const clear = 1 << least;
  const prefixes = new Uint16Array(mostCodes);
  const suffixes = new Uint8Array(mostCodes);
  const lengths = new Uint16Array(mostCodes).fill(1, 0, clear);
  for (let code = 0; code < clear; code++) suffixes[code] = code;
  let next = clear + 2;
  let size = least + 1;
  let before: number | undefined;
  let at = data + 1;
  let run = 0;
  let held = 0;
  let bits = 0;
  for (let written = 0; written < indexes.length; ) {
    while (bits < size) {
      if (run === 0) run = bytes[at++] ?? 0;
      const byte = bytes[at++];
      if (run === 0 || byte === undefined) return indexes;
      run--;
      held |= byte << bits;
      bits += 8;
    }
    const code = held & ((1 << size) - 1);
    held >>>= size;
    bits -= size;
    if (code === clear) {
      next = clear + 2;
      size = least + 1;
      before = undefined;
      continue;
    }
    // The next entry may be used by the code that makes it; others that are not there yet are damage.
    if (code === clear + 1 || code > next || (code === next && before === undefined)) return indexes;
    if (before !== undefined && next < mostCodes) {
      // It begins as the one before it and ends with the first colour of this one.
      let first = code === next ? before : code;
      while ((lengths[first] ?? 1) > 1) first = prefixes[first] ?? 0;
      prefixes[next] = before;
      suffixes[next] = suffixes[first] ?? 0;
      lengths[next] = (lengths[before] ?? 0) + 1;
      next++;
      if (next === 1 << size && size < 12) size++;
    } else if (code >= next) return indexes;
    const length = lengths[code] ?? 1;
    let entry = code;
    for (let place = written + length - 1; place >= written; place--) {
      if (place < indexes.length) indexes[place] = suffixes[entry] ?? 0;
      entry = prefixes[entry] ?? 0;
    }
    written += length;
    before = code;
  }
  return indexes;
}

/** First row and step of the four passes of an interlaced frame (appendix E). */
const passes = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const;

function paint(
  canvas: Uint8Array,
  { width, bytes }: GifFile,
  { frame, indexes }: { readonly frame: Frame; readonly indexes: Uint8Array },
): void {
  const greys = Uint8Array.from({ length: 256 }, (_, colour) => {
    const at = frame.palette + colour * 3;
    return colour < frame.colours ? greyOf(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0) : 0;
  });
  let row = 0;
  for (const [first, step] of frame.isInterlaced ? passes : ([[0, 1]] as const))
    for (let y = first; y < frame.height; y += step, row++)
      for (let x = 0; x < frame.width; x++) {
        const colour = indexes[row * frame.width + x] ?? 0;
        if (colour !== frame.transparent) canvas[(frame.top + y) * width + frame.left + x] = greys[colour] ?? 0;
      }
}

function erase(canvas: Uint8Array, { width }: GifFile, { left, top, ...frame }: Frame): void {
  for (let y = top; y < top + frame.height; y++) canvas.fill(255, y * width + left, y * width + left + frame.width);
}
