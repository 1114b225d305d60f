import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Raster, rotated, turned } from '../../src/engines/image-raster.ts';
import { openEngine } from '../../src/engines/ocr-engine.ts';
import { readWebp } from '../../src/images/image-webp.ts';
import { findSkew } from '../../src/pages/ocr-skew.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { drawnPage, type PngOptions, pngOf } from '../../testkit/picture-fixture.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';
import { wordsFound } from '../../testkit/words-found.ts';

const lines = [
  'The harbour master keeps a ledger of every vessel.',
  'Each entry names the captain and the cargo,',
  'the hour of arrival and the depth of the water.',
  'No ship leaves before the tide has turned.',
];
const expected = lines.join(' ');

let page: Raster;
let paper: PDFDocument;

beforeAll(async () => {
  paper = await PDFDocument.create();
  const font = await paper.embedFont(StandardFonts.TimesRoman);
  const sheet = paper.addPage([400, 200]);
  for (const [index, line] of lines.entries()) sheet.drawText(line, { x: 40, y: 150 - index * 24, size: 14, font });
  page = await drawnPage(await paper.save(), 200);
});

const png = (raster: Raster, claimed: PngOptions['claimed'] = raster): Uint8Array =>
  pngOf(raster, { dpi: 200, claimed });

/** Grey, eight bits, a strip a page, little endian. */
function tiff(pages: readonly Raster[]): Uint8Array {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0])];
  let at = 8;
  for (const [index, { width, height, pixels }] of pages.entries()) {
    const entries = [
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, at + 2 + 9 * 12 + 4],
      [277, 1],
      [278, height],
      [279, pixels.length],
    ] as const;
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    directory.writeUInt16LE(entries.length, 0);
    for (const [place, [tag, value]] of entries.entries()) {
      directory.writeUInt16LE(tag, 2 + place * 12);
      directory.writeUInt16LE(4, 4 + place * 12);
      directory.writeUInt32LE(1, 6 + place * 12);
      directory.writeUInt32LE(value, 10 + place * 12);
    }
    at += directory.length + pixels.length;
    directory.writeUInt32LE(index + 1 < pages.length ? at : 0, directory.length - 4);
    parts.push(directory, Buffer.from(pixels));
  }
  return Buffer.concat(parts);
}

/** 24 bits, bottom row first. */
function bmp({ width, height, pixels }: Raster): Uint8Array {
  const stride = Math.ceil((width * 3) / 4) * 4;
  const bytes = Buffer.alloc(54 + stride * height);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      bytes.fill(
        pixels[y * width + x] ?? 0,
        54 + (height - 1 - y) * stride + x * 3,
        54 + (height - 1 - y) * stride + x * 3 + 3,
      );
  return bytes;
}

describe('pictures', { timeout: 120_000 }, () => {
  it('are read with a box for each word, and say that they were', async () => {
    const document = await parseFile({ bytes: png(page), name: 'ledger.png' });
    expectWellFormed(document);
    expect(wordsFound(document.text, expected)).toBeGreaterThanOrEqual(0.97);
    expect(document.warnings).toEqual([expect.stringMatching(/^OCR used on page 1 \(mean confidence 0\.\d+\)\.$/)]);
    expect(document.metadata).toMatchObject({ ocrPages: '1' });
    expect(document.pages).toMatchObject([
      { number: 1, width: expect.closeTo(400, -1), height: expect.closeTo(200, -1) },
    ]);
    // "harbour" stands in the first line, the second word: drawn at 40 points from the left, 150 from below.
    const start = document.text.indexOf('harbour');
    const box = document.words.find((word) => word.start === start);
    expect(box).toMatchObject({ x: expect.closeTo(66, -1), y: expect.closeTo(40, -1) });
  });

  it('are read the other way up and askew, with boxes where the words are seen', async () => {
    const slanted = turned(rotated(page, (3 * Math.PI) / 180), 2);
    const document = await parseFile({ bytes: png(slanted), name: 'turned.png' });
    expect(wordsFound(document.text, expected)).toBeGreaterThanOrEqual(0.95);
    const box = document.words.find((word) => word.start === document.text.indexOf('harbour'));
    // Near the lower right corner.
    expect(box?.x).toBeGreaterThan(230);
    expect(box?.y).toBeGreaterThan(110);
  });

  it('are TIFFs of several pages, and BMPs', async () => {
    const sheets = await parseFile({ bytes: tiff([page, page]), name: 'fax.tiff' });
    expect(sheets.pages).toHaveLength(2);
    expect(sheets.metadata).toMatchObject({ ocrPages: '1-2' });
    expect(wordsFound(sheets.text, `${expected} ${expected}`)).toBeGreaterThanOrEqual(0.95);
    // As it comes from another process: in the middle of a larger memory.
    const inside = Buffer.concat([Buffer.alloc(300_000, 255), tiff([page])]).subarray(300_000);
    const sheet = await parseFile({ bytes: inside, name: 'fax.tiff' });
    expect(wordsFound(sheet.text, expected)).toBeGreaterThanOrEqual(0.95);
    const document = await parseFile({ bytes: bmp(page), name: 'ledger.bmp' });
    expect(wordsFound(document.text, expected)).toBeGreaterThanOrEqual(0.95);
  });

  it('are recognised on the pages of a PDF that have no text, and on no others', async () => {
    const mixed = await PDFDocument.load(await paper.save());
    const scan = await mixed.embedPng(png(page));
    mixed.addPage([400, 200]).drawImage(scan, { x: 0, y: 0, width: 400, height: 200 });
    const bytes = await mixed.save();
    const document = await parseFile({ bytes, name: 'mixed.pdf' });
    expectWellFormed(document);
    expect(document.metadata).toMatchObject({ ocrPages: '2' });
    const [first, second] = document.pages;
    expect(wordsFound(document.text.slice(first?.start, first?.end), expected)).toBe(1);
    expect(wordsFound(document.text.slice(second?.start, second?.end), expected)).toBeGreaterThanOrEqual(0.95);
    const off = await parseFile({ bytes, name: 'mixed.pdf', recognition: { off: true } });
    expect(off.warnings).toEqual([expect.stringContaining('OCR is switched off')]);
    expect(off.metadata['ocrPages']).toBeUndefined();
    const late = await parseFile({ bytes, name: 'mixed.pdf', budgetMs: 0 });
    expect(late.warnings).toEqual([expect.stringContaining('OCR did not come to page 2')]);
  });

  it('are unpacked from WebP', async () => {
    // One transparent pixel, lossless.
    const dot = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
    const { raster } = await readWebp(dot, 'dot.webp', openEngine());
    expect(raster).toMatchObject({ width: 1, height: 1, pixels: new Uint8Array([255]) });
    dot.writeUInt32LE(0x3fff | (0x3fff << 14), 21);
    await expect(readWebp(dot, 'dot.webp', openEngine())).rejects.toMatchObject({ code: 'too-large' });
  });

  it('are refused with a reason: too large, damaged, blank, switched off', async () => {
    const blank = { width: 200, height: 200, pixels: new Uint8Array(40_000).fill(255) };
    const fails = (bytes: Uint8Array, more: object = {}) =>
      expect(parseFile({ bytes, name: 'a.png', ...more })).rejects;
    await fails(png(blank, { width: 60_000, height: 60_000 })).toMatchObject({ code: 'too-large' });
    await fails(png(blank, { width: 2000, height: 2000 })).toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('damaged'),
    });
    await fails(png(blank)).toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('no text was found in the picture (OCR in: eng). Give a sharper'),
    });
    await fails(png(page), { recognition: { off: true } }).toMatchObject({ code: 'unsupported-media' });
    const folder = mkdtempSync(join(tmpdir(), 'footnote-models-'));
    await fails(png(page), { recognition: { languages: 'deu', folder } }).toMatchObject({ code: 'config-invalid' });
    rmSync(folder, { recursive: true });
    const circle = tiff([blank]);
    new DataView(circle.buffer, circle.byteOffset).setUint32(8 + 2 + 9 * 12, 8, true);
    await expect(parseFile({ bytes: circle, name: 'a.tiff' })).rejects.toMatchObject({ details: { pages: 1 } });
  });
});

describe('findSkew', () => {
  it('measures the angle and sees lines that run down', () => {
    for (const degrees of [-6, -1.5, 2, 5]) {
      const { radians, runsDown } = findSkew(rotated(page, (degrees * Math.PI) / 180));
      expect((radians * 180) / Math.PI).toBeCloseTo(degrees, 0);
      expect(runsDown).toBe(false);
    }
    expect(findSkew(turned(page, 1)).runsDown).toBe(true);
  });
});
