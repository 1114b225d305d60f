// Pages to be recognised whose words are known: pages of PDFs that have a text layer, drawn as a scanner would have drawn them, at
// several resolutions, noisy, askew and on their side. Made with a seed: the same samples each time.
import { readFileSync } from 'node:fs';
import { type QuarterTurns, type Raster, rotated, turned } from '@footnote/readers/engines/image-raster';
import { drawnPage } from '../../packages/readers/testkit/picture-fixture.ts';

export interface Treatment {
  readonly name: string;
  readonly dpi: number;
  /** Standard deviation of the grey of each pixel. */
  readonly noise?: number;
  readonly degrees?: number;
  readonly turns?: QuarterTurns;
  /** Paper and ink are no longer white and black. */
  readonly isFaded?: boolean;
}

export const treatments: readonly Treatment[] = [
  { name: '300 dpi', dpi: 300 },
  { name: '200 dpi', dpi: 200 },
  { name: '150 dpi', dpi: 150 },
  { name: '100 dpi', dpi: 100 },
  { name: '200 dpi, noise', dpi: 200, noise: 25 },
  { name: '200 dpi, faded, noise', dpi: 200, noise: 12, isFaded: true },
  { name: '200 dpi, 2° askew', dpi: 200, degrees: 2 },
  { name: '200 dpi, −5° askew, noise', dpi: 200, degrees: -5, noise: 12 },
  { name: '200 dpi, on its side', dpi: 200, turns: 1 },
  { name: '200 dpi, upside down', dpi: 200, turns: 2 },
];

/** `page` from 1. */
export function drawSample(file: string, page: number, dpi: number): Promise<Raster> {
  return drawnPage(readFileSync(file), dpi, page);
}

export function treated(raster: Raster, treatment: Treatment): Raster {
  const { noise = 0, degrees = 0, turns = 0, isFaded = false } = treatment;
  const askew = degrees === 0 ? raster : rotated(raster, (degrees * Math.PI) / 180);
  const { width, height, pixels } = turned(askew, turns);
  if (noise === 0 && !isFaded) return { width, height, pixels };
  const next = randomOf(7);
  const grey = (pixel: number): number => {
    const faded = isFaded ? 70 + (pixel * 150) / 255 : pixel;
    // The sum of four even ones is nearly normal, with a deviation of 1/√3.
    const bell = next() + next() + next() + next() - 2;
    return Math.max(0, Math.min(255, faded + bell * Math.sqrt(3) * noise));
  };
  return { width, height, pixels: pixels.map(grey) };
}

/** mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
