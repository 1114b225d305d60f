// What is made of what the recogniser sees: grained paper, and pictures without text in which it sees letters.
import { describe, expect, it } from 'vitest';
import { inkOf, type Raster, smoothed } from '../../src/engines/image-raster.ts';
import type { EngineLine, RecognitionEngine } from '../../src/engines/ocr-engine.ts';
import { recognisePicture } from '../../src/pages/ocr-page.ts';

/** Pseudo-random, the same each time (Park and Miller, 1988). */
function noise(): () => number {
  let seed = 7;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

/** Paper with a bar of ink; `grain` is by how much its levels waver. */
function paper(grain: number): Raster {
  const next = noise();
  const [width, height] = [400, 400];
  const pixels = Uint8Array.from({ length: width * height }, (_, at) => {
    const isInk = Math.floor(at / width) % 200 < 1;
    return Math.max(0, Math.min(255, (isInk ? 20 : 215) + grain * (next() + next() + next() - 1.5)));
  });
  return { width, height, pixels };
}

/** A difference of pixels would take minutes to print. */
const areSame = (one: Raster | undefined, other: Raster): boolean =>
  one !== undefined && Buffer.compare(one.pixels, other.pixels) === 0;

describe('grained paper', () => {
  it('is told from its ink', () => {
    const { level, share, isGrained } = inkOf(paper(60));
    expect(isGrained).toBe(true);
    expect(level).toBeGreaterThan(30);
    expect(level).toBeLessThan(185);
    expect(share).toBeLessThan(0.15);
    expect(inkOf(paper(4)).isGrained).toBe(false);
  });

  it('is smoothed before it is read', async () => {
    const seen: Raster[] = [];
    const engine: RecognitionEngine = {
      recognise: async (raster) => {
        seen.push(raster);
        return [];
      },
      unpack: async (bytes) => bytes,
    };
    const raster = paper(60);
    await recognisePicture(raster, { engine, dpi: 200 });
    expect(areSame(seen[0], smoothed(raster))).toBe(true);
    seen.length = 0;
    const clean = paper(4);
    await recognisePicture(clean, { engine, dpi: 200 });
    expect(areSame(seen[0], clean)).toBe(true);
  });
});

describe('letters seen in a picture', () => {
  const read = async (text: string, confidence: number): Promise<number> => {
    const box = { left: 10, right: 90, top: 10, bottom: 30 };
    const line: EngineLine = { ...box, rowHeight: 20, words: [{ ...box, text, confidence }] };
    const engine: RecognitionEngine = { recognise: async () => [line], unpack: async (bytes) => bytes };
    return (await recognisePicture(paper(4), { engine, dpi: 200 })).words.length;
  };

  it('are none where they are few and unsure', async () => {
    expect(await read('AEA', 0.4)).toBe(0);
    expect(await read('AEA', 0.8)).toBe(1);
    expect(await read('Thequickbrownfoxjumpsover', 0.4)).toBe(1);
  });
});
