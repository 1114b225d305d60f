import { describe, expect, it } from 'vitest';
import { readFirstFrame, readGif } from '../../src/images/image-gif.ts';
import { readPng } from '../../src/images/image-png.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { gifOf } from '../../testkit/gif-fixture.ts';
import { pictureOf } from '../../testkit/picture-fixture.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const size = { width: 8, height: 12 };
const gradient = Uint8Array.from({ length: 96 }, (_, at) => at);
const rows = (frame: Uint8Array): number[] => Array.from({ length: 12 }, (_, y) => frame[y * 8] ?? -1);

describe('GIF', () => {
  it('gives the greys of its colours, also interlaced', () => {
    const [plain] = readGif(gifOf(size, [{ ...size, indexes: gradient }]), 'a.gif').pictures;
    expect(plain?.raster).toEqual({ ...size, pixels: gradient });
    // Rows 0, 8, 4, 2, 6, 10, 1, 3, 5, 7, 9, 11 in the order in which they are stored.
    const [woven] = readGif(gifOf(size, [{ ...size, indexes: gradient, isInterlaced: true }]), 'a.gif').pictures;
    expect(rows(woven?.raster.pixels ?? new Uint8Array())).toEqual([0, 48, 24, 56, 16, 64, 32, 72, 8, 80, 40, 88]);
  });

  it('reads codes that are used by the code that makes them', () => {
    // 5, then the entry 258 (5 5) while it is made, then 259 (5 5 5) the same way.
    const codes = [256, 5, 258, 259, 257];
    const [one] = readGif(
      gifOf({ width: 6, height: 1 }, [{ width: 6, height: 1, indexes: gradient, codes }]),
      'a',
    ).pictures;
    expect([...(one?.raster.pixels ?? [])]).toEqual([5, 5, 5, 5, 5, 5]);
  });

  it('shows frames over one another, and each that differs once', () => {
    const dot = { left: 1, top: 1, width: 1, height: 1, indexes: Uint8Array.of(9) };
    const clearDot = { ...dot, indexes: Uint8Array.of(3), transparent: 3 };
    const { pictures, left } = readGif(
      gifOf(size, [{ ...size, indexes: gradient }, dot, clearDot, { ...dot, left: 0, disposal: 2 }, clearDot]),
      'a.gif',
    );
    expect(left).toBe(0);
    // The first two and the third look the same; the last shows what the fourth left.
    expect(pictures.map(({ raster }) => [...raster.pixels.slice(8, 11)])).toEqual([
      [8, 9, 10],
      [9, 9, 10],
      [255, 9, 10],
    ]);
    expect(readFirstFrame(gifOf(size, [{ ...size, indexes: gradient }, dot]), 'a').raster.pixels).toEqual(gradient);
  });

  it('reads the first frame of a film, and says so', () => {
    const frames = Array.from({ length: 30 }, (_, grey) => ({ ...size, indexes: new Uint8Array(96).fill(grey) }));
    const { pictures, left } = readGif(gifOf(size, frames), 'a.gif');
    expect([pictures.length, left]).toEqual([1, 29]);
  });

  it('ends on entries that refer to themselves, and on codes that are not there', () => {
    const paint = (codes: readonly number[]): number[] => {
      const area = { width: 4, height: 1 };
      return [...(readGif(gifOf(area, [{ ...area, indexes: gradient, codes }]), 'a').pictures[0]?.raster.pixels ?? [])];
    };
    expect(paint([256, 258, 258, 258, 258])).toEqual([0, 0, 0, 0]);
    expect(paint([256, 7, 300, 9, 9])).toEqual([7, 0, 0, 0]);
    expect(paint([256, 7])).toEqual([7, 0, 0, 0]);
  });

  it('is refused from its header, or as damaged', () => {
    const large = gifOf(size, [{ ...size, indexes: gradient }]);
    large.set([0xff, 0xff, 0xff, 0xff], 6);
    expect(() => readGif(large, 'a.gif')).toThrow(expect.objectContaining({ code: 'too-large' }));
    const outside = gifOf(size, [{ ...size, left: 1, indexes: gradient }]);
    expect(() => readGif(outside, 'a.gif')).toThrow(expect.objectContaining({ code: 'invalid-media' }));
    expect(() => readGif(gifOf(size, []), 'a.gif')).toThrow(expect.objectContaining({ code: 'invalid-media' }));
  });

  it('is a document by OCR, a page for each frame', async () => {
    const frames = await Promise.all(
      ['The harbour fee is 340 euros a night.', 'Ships longer than 90 metres pay double.'].map(async (line) => {
        const { raster } = await readPng(await pictureOf([line]), 'a.png');
        return { width: raster.width, height: raster.height, indexes: raster.pixels };
      }),
    );
    const area = { width: frames[0]?.width ?? 0, height: frames[0]?.height ?? 0 };
    const document = await parseFile({ name: 'steps.gif', bytes: gifOf(area, frames) });
    expectWellFormed(document);
    expect(document.pages).toHaveLength(2);
    expect(document.text).toContain('harbour fee is 340 euros');
    expect(document.text).toContain('longer than 90 metres');
    expect(document.words.length).toBeGreaterThan(10);
  });
});
