// Pictures as recognition reads them: grey, one byte a pixel, and the few things done to them: scaled, turned, set straight.
// Invariant: no picture of more than `mostPixels` is ever unpacked; that is refused from its header.
import { ReadError } from '../read-error.ts';

/** Grey pixels, 0 black to 255 white, row by row without padding, origin top left. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A quarter turn, clockwise. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** A picture ready to be read: upright as its file says. */
export interface Picture {
  readonly raster: Raster;
  /** Pixels per inch, where the file says so. */
  readonly dpi?: number;
}

/** A sheet of A0 at 200 dpi has 62 million. */
const mostPixels = 100_000_000;

/** Refuses pictures that are too large, from what their header says, and those without an area. */
export function assertPixels(name: string, width: number, height: number): void {
  if (!(width > 0 && height > 0))
    throw new ReadError(
      'invalid-media',
      `${name} is a picture without an area (${width} × ${height}). Export it again.`,
    );
  if (width * height <= mostPixels) return;
  throw new ReadError(
    'too-large',
    `${name} has ${width} × ${height} pixels; at most ${mostPixels / 1e6} million are read. Scale it down or cut it up.`,
    { details: { width, height, mostPixels } },
  );
}

/** Weights of ITU-R BT.601 in 256ths. */
export const greyOf = (red: number, green: number, blue: number): number => (red * 77 + green * 150 + blue * 29) >> 8;

/** As it looks on white paper. `alpha` from 0 to 255. */
export const onWhite = (grey: number, alpha: number): number => 255 - Math.round(((255 - grey) * alpha) / 255);

/** Smaller by averaging, larger by interpolating. */
export function scaled(raster: Raster, factor: number): Raster {
  if (Math.abs(factor - 1) < 0.01) return raster;
  const width = Math.max(1, Math.round(raster.width * factor));
  const height = Math.max(1, Math.round(raster.height * factor));
  return factor < 1 ? shrunk(raster, width, height) : resampled(raster, width, height);
}

function shrunk({ width: fromWidth, height: fromHeight, pixels }: Raster, width: number, height: number): Raster {
  const result = new Uint8Array(width * height);
  const columns = Uint32Array.from({ length: width + 1 }, (_, x) => Math.floor((x * fromWidth) / width));
  for (let y = 0; y < height; y++) {
    const top = Math.floor((y * fromHeight) / height);
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * fromHeight) / height));
    for (let x = 0; x < width; x++) {
      const left = columns[x] ?? 0;
      const right = Math.max(left + 1, columns[x + 1] ?? 0);
      let sum = 0;
      for (let row = top; row < bottom; row++)
        for (let at = row * fromWidth + left; at < row * fromWidth + right; at++) sum += pixels[at] ?? 0;
      result[y * width + x] = sum / ((bottom - top) * (right - left));
    }
  }
  return { width, height, pixels: result };
}

function resampled(raster: Raster, width: number, height: number): Raster {
  const stepX = raster.width / width;
  const stepY = raster.height / height;
  return drawn(raster, { width, height, a: stepX, b: 0, c: 0, d: stepY, e: stepX / 2 - 0.5, f: stepY / 2 - 0.5 });
}

/** Turned clockwise by quarters. */
export function turned(raster: Raster, turns: QuarterTurns): Raster {
  if (turns === 0) return raster;
  const { width, height, pixels } = raster;
  const result = new Uint8Array(pixels.length);
  if (turns === 2) {
    for (let at = 0, last = pixels.length - 1; at <= last; at++) result[last - at] = pixels[at] ?? 0;
    return { width, height, pixels: result };
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = turns === 1 ? x * height + (height - 1 - y) : (width - 1 - x) * height + y;
      result[at] = pixels[y * width + x] ?? 0;
    }
  }
  return { width: height, height: width, pixels: result };
}

/** Rotated clockwise about its centre, the size kept; what comes in from outside is white. */
export function rotated(raster: Raster, radians: number): Raster {
  const { width, height } = raster;
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  const centreX = (width - 1) / 2;
  const centreY = (height - 1) / 2;
  const e = centreX - cos * centreX - sin * centreY;
  const f = centreY + sin * centreX - cos * centreY;
  return drawn(raster, { width, height, a: cos, b: -sin, c: sin, d: cos, e, f });
}

/** Size of the result, and where its pixel (x, y) comes from: (a·x + c·y + e, b·x + d·y + f). */
interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

function drawn(raster: Raster, { width, height, a, b, c, d, e, f }: Drawing): Raster {
  const { width: fromWidth, height: fromHeight, pixels } = raster;
  const result = new Uint8Array(width * height).fill(255);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const fromX = a * x + c * y + e;
      const fromY = b * x + d * y + f;
      if (fromX < -0.5 || fromY < -0.5 || fromX > fromWidth - 0.5 || fromY > fromHeight - 0.5) continue;
      const left = Math.max(0, Math.floor(fromX));
      const top = Math.max(0, Math.floor(fromY));
      const right = Math.min(left + 1, fromWidth - 1);
      const below = Math.min(top + 1, fromHeight - 1) * fromWidth;
      const row = top * fromWidth;
      const shareX = Math.max(0, fromX - left);
      const shareY = Math.max(0, fromY - top);
      const upper = (pixels[row + left] ?? 0) * (1 - shareX) + (pixels[row + right] ?? 0) * shareX;
      const lower = (pixels[below + left] ?? 0) * (1 - shareX) + (pixels[below + right] ?? 0) * shareX;
      result[at] = upper * (1 - shareY) + lower * shareY + 0.5;
    }
  }
  return { width, height, pixels: result };
}

export interface Window {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A window of it; inside it, or cut to it. */
export function windowOf(raster: Raster, { x, y, width, height }: Window): Raster {
  const wide = Math.min(width, raster.width - x);
  const high = Math.min(height, raster.height - y);
  const pixels = new Uint8Array(wide * high);
  for (let row = 0; row < high; row++) {
    const from = (y + row) * raster.width + x;
    pixels.set(raster.pixels.subarray(from, from + wide), row * wide);
  }
  return { width: wide, height: high, pixels };
}

export interface Ink {
  readonly level: number;
  /** Of the pixels. */
  readonly share: number;
  /** The paper is noisy, and its ink much darker than that. */
  readonly isGrained: boolean;
}

/** Levels that are parted without contrast are one grained paper where this share of the picture is dark. */
const grainShare = 0.1;
const clearDistance = 64;
const leastInk = 0.001;

/**
 * The level that best parts dark from light (Otsu, 1979), and the share of pixels that are dark; no contrast: a share of 0. Where that only cuts
 * the grain of the paper in two, as it does on noisy scans with little ink, it is the level that best parts what is clearly darker.
 */
export function inkOf({ pixels }: Raster): Ink {
  const counts = new Float64Array(256);
  for (const pixel of pixels) counts[pixel] = (counts[pixel] ?? 0) + 1;
  let total = 0;
  for (let level = 0; level < 256; level++) total += level * (counts[level] ?? 0);
  let dark = 0;
  let darkSum = 0;
  let best = { level: 0, share: 0, spread: 0, distance: 0 };
  let clear = best;
  for (let level = 0; level < 255; level++) {
    dark += counts[level] ?? 0;
    darkSum += level * (counts[level] ?? 0);
    const light = pixels.length - dark;
    if (dark === 0 || light === 0) continue;
    const distance = (total - darkSum) / light - darkSum / dark;
    const found = { level, share: dark / pixels.length, spread: dark * light * distance * distance, distance };
    // Paper is not quite even: what differs by less than a tenth is no ink.
    if (found.spread > best.spread && distance > 25) best = found;
    if (found.spread > clear.spread && distance > clearDistance) clear = found;
  }
  const isGrained = best.share > grainShare && best.distance < clearDistance && clear.share > leastInk;
  const { level, share } = isGrained ? clear : best;
  return { level, share, isGrained };
}

/** Each pixel the mean of the nine around it: grain of single pixels fades, strokes stay. */
export function smoothed({ width, height, pixels }: Raster): Raster {
  const result = new Uint8Array(pixels.length);
  const sums = new Uint16Array(width);
  for (let y = 0; y < height; y++) {
    const [above, row, below] = [Math.max(0, y - 1), y, Math.min(height - 1, y + 1)].map((line) => line * width);
    for (let x = 0; x < width; x++)
      sums[x] = (pixels[(above ?? 0) + x] ?? 0) + (pixels[(row ?? 0) + x] ?? 0) + (pixels[(below ?? 0) + x] ?? 0);
    for (let x = 0; x < width; x++) {
      const around = (sums[Math.max(0, x - 1)] ?? 0) + (sums[x] ?? 0) + (sums[Math.min(width - 1, x + 1)] ?? 0);
      result[y * width + x] = around / 9;
    }
  }
  return { width, height, pixels: result };
}
