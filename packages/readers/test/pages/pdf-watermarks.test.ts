// What is stamped over or under the pages of a PDF is no part of their text and heads none of them; what merely stands askew stays.
import { degrees, PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';

const pale = { color: rgb(0.85, 0.85, 0.85) };
type Draw = (page: PDFPage, font: PDFFont, page_: number) => void;

/** Pages that each have a heading of their own and eighteen lines. */
async function read(stamp: Draw, { pages = 4, isOver = false } = {}) {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let n = 1; n <= pages; n++) {
    const page = document.addPage([595, 842]);
    if (!isOver) stamp(page, font, n);
    page.drawText(`Ropes of kind ${'ABCDEFGH'[n]}`, { x: 60, y: 700 - n * 9, size: 16, font });
    for (let line = 0; line < 18; line++)
      page.drawText(`Berth ${n * 100 + line} is deep, and its crane lifts ${line + 3} tonnes.`, {
        ...{ x: 60, y: 640 - n * 9 - line * 22, size: 11, font },
      });
    if (isOver) stamp(page, font, n);
  }
  const parsed = await parseFile({ name: 'a.pdf', bytes: await document.save() });
  return { ...parsed, titles: parsed.headings.map(({ title }) => title) };
}
const own = (pages: number): string[] =>
  Array.from({ length: pages }, (_, at) => `Ropes of kind ${'ABCDEFGH'[at + 1]}`);

describe('a watermark', () => {
  const large = { size: 90, ...pale };
  const stamps: Readonly<Record<string, Draw>> = {
    'across the page': (page, font) => page.drawText('DRAFT', { x: 150, y: 300, font, rotate: degrees(45), ...large }),
    'of several words, less steep': (page, font) =>
      page.drawText('DO NOT COPY', { x: 40, y: 250, font, rotate: degrees(30), ...large, size: 70 }),
    'upright, among the lines': (page, font) => page.drawText('SPECIMEN', { x: 60, y: 420, font, ...large }),
    'small and askew': (page, font) =>
      page.drawText('Entwurf', { x: 300, y: 500, font, rotate: degrees(-20), ...pale, size: 24 }),
  };
  it.each(Object.keys(stamps))('%s is set aside, whether it lies over or under the text', async (name) => {
    const stamp = stamps[name] as Draw;
    const plain = await read(() => undefined);
    for (const isOver of [false, true])
      for (const pages of [2, 4]) {
        const { text, titles, runningHeads } = await read(stamp, { pages, isOver });
        expect(titles).toEqual(own(pages));
        expect(text).toBe(plain.text.slice(0, text.length));
        expect(new Set(runningHeads.map(({ page }) => page)).size).toBe(pages);
      }
  });

  it('on one page alone is read, behind it, and is no heading', async () => {
    const { text, titles } = await read(stamps['across the page'] as Draw, { pages: 1 });
    expect(titles).toEqual(own(1));
    expect(text).toMatch(/20 tonnes\.\s+DRAFT$/);
    expect((await read(stamps['upright, among the lines'] as Draw, { pages: 1 })).titles).toEqual(own(1));
  });
});

describe('what is no watermark', () => {
  it('is the same line on most pages beside the text: it stays, and heads none of them', async () => {
    const at = { x: 60, y: 130, size: 30 };
    const same = await read((page, font) => page.drawText('Harbour of Arkvik', { ...at, font }));
    expect(same.titles).toEqual(own(4));
    expect(same.text.match(/Harbour of Arkvik/g)).toHaveLength(4);
    // At another place of each page it heads what stands beneath it.
    const moved = await read((page, font, n) => page.drawText('Harbour of Arkvik', { ...at, y: 150 - n * 7, font }));
    expect(moved.titles.filter((title) => title === 'Harbour of Arkvik')).toHaveLength(4);
  });

  it('are labels that stand askew in the size of the text, and other words on each page', async () => {
    const labels = await read((page, font, n) =>
      page.drawText(`Quay${'ABCDEFGH'[n]}`, { x: 400, y: 700, size: 11, font, rotate: degrees(45) }),
    );
    for (const n of [1, 2, 3, 4]) expect(labels.text).toContain(`Quay${'ABCDEFGH'[n]}`);
    const words = ['Lantern', 'Mooring', 'Bollard', 'Capstan'];
    const others = await read((page, font, n) =>
      page.drawText(words[n - 1] ?? '', { x: 150, y: 300, size: 60, font, rotate: degrees(45) }),
    );
    for (const word of words) expect(others.text).toContain(word);
    expect(others.titles).toEqual(own(4));
  });
});
