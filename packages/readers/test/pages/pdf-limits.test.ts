// What a PDF may cost: pages with more letters than can be seen, forms that draw themselves, a million pages that are none.
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { readColumns } from '../../src/pages/layout/pdf-columns.ts';
import type { PdfPage, PdfWord } from '../../src/pages/layout/pdf-content.ts';
import { layoutPage } from '../../src/pages/layout/pdf-layout.ts';
import { readPdf } from '../../src/pages/pdf-reader.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { hostileFiles } from '../../testkit/hostile-files.ts';

const bytesOf = (name: string): Uint8Array =>
  hostileFiles.find((file) => file.name === name)?.bytes() ?? new Uint8Array();
const read = (name: string) => parseFile({ name, bytes: bytesOf(name), recognition: { off: true } });

async function smallPdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  document.addPage([300, 300]).drawText('A sound page.', { x: 20, y: 200, size: 12, font });
  return document.save();
}

describe('a PDF made to hurt', () => {
  it('of a million letters in one word is read in linear time', { timeout: 60_000 }, async () => {
    const before = process.cpuUsage();
    const content = await readPdf(bytesOf('glyphs.pdf'), 'glyphs.pdf');
    const { user } = process.cpuUsage(before);
    expect(content.pages[0]?.words.map(({ text }) => text.length)).toEqual([1_000_000]);
    // It took a minute while each letter copied the word so far; 2 s now.
    expect(user / 1e6).toBeLessThan(20);
    await expect(read('glyphs.pdf')).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('lies outside its visible page') as string,
    });
  });

  it('that takes all memory is refused at its limit, and the next file is read', { timeout: 60_000 }, async () => {
    const before = process.memoryUsage.rss();
    await expect(read('form-loop.pdf')).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringMatching(
        /more memory than reading a PDF may \(320 MiB\).*Print it to a new PDF/u,
      ) as string,
    });
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(500);
    expect((await parseFile({ name: 'a.pdf', bytes: await smallPdf() })).text).toBe('A sound page.');
  });

  it('that is encrypted for a certificate is not called damaged, and asks for no password', async () => {
    const document = await PDFDocument.create();
    document.addPage([300, 300]);
    const { context } = document;
    context.trailerInfo.Encrypt = context.register(
      context.obj({ Filter: 'Adobe.PubSec', SubFilter: 'adbe.pkcs7.s4', V: 2, Length: 128 }),
    );
    await expect(parseFile({ name: 'a.pdf', bytes: await document.save() })).rejects.toMatchObject({
      code: 'invalid-media',
      details: { reason: 'encrypted' },
      message: expect.stringContaining('for the holder of a certificate') as string,
    });
  });

  it('that says it has a million pages costs no more than the first thousand', async () => {
    const content = await readPdf(bytesOf('loop.pdf'), 'loop.pdf');
    expect(content.pages).toHaveLength(1000);
    expect(content.warnings).toEqual([
      'The file says that it has 1000000 pages; after 1000 no more of them were tried.',
      'Could not be read: pages 1-1000.',
    ]);
  });

  it('has more lines than can be seen, or as many on one line, or in two columns', { timeout: 60_000 }, () => {
    const page = (words: readonly PdfWord[]): PdfPage => ({
      ...{ number: 1, width: 900, height: 600 },
      ...{ words, notes: [], isBlank: false },
    });
    const word = (x: number, y: number): PdfWord => ({
      ...{ text: 'a', x, y, width: 1, height: 1, size: 1 },
      ...{ bold: false, turn: 0, spaceBefore: true },
    });
    const many = Array.from({ length: 150_000 }, (_, index) => index);
    const before = process.cpuUsage();
    expect(layoutPage(page(many.map((index) => word(0, index * 2))))).toHaveLength(many.length);
    expect(layoutPage(page(many.map((index) => word(index * 4, 0))))).toHaveLength(1);
    // Of two heights by turns, so that the lower edges of neighbours lie far apart.
    const segments = many.map((index) => {
      const [at, row] = [index % 2, index >> 1];
      const y = row / 100;
      const bottom = y + at / 1000 + (row % 2) * 500;
      return {
        x: at * 500,
        right: at * 500 + 300,
        y,
        bottom,
        size: 1e-6,
        place: index,
        words: Array(3).fill(word(0, y)),
      };
    });
    expect(readColumns(segments, { height: 600, rules: undefined })).toHaveLength(2);
    // Minutes while each line was held against all others; 3 s now.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(20);
  });
});
