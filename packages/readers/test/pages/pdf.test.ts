import { readFileSync } from 'node:fs';
import { degrees, PDFDict, PDFDocument, type PDFFont, PDFName, type PDFPage, StandardFonts } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import type { ParsedDocument } from '../../src/document.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { createParserPool } from '../../testkit/program.ts';

interface Fonts {
  readonly regular: PDFFont;
  readonly bold: PDFFont;
}
type Write = (draw: Draw, fonts: Fonts, place: { readonly number: number; readonly page: PDFPage }) => void;
type Draw = (text: string, at: { x: number; y: number; size?: number; font?: PDFFont }) => void;

/** A PDF of 400 × 600 points; y counts from the top. */
async function pdfOf(pages: readonly Write[], title = 'A Test'): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const fonts = {
    regular: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
  };
  document.setTitle(title);
  document.setAuthor('Somebody');
  for (const [index, write] of pages.entries()) {
    const page = document.addPage([400, 600]);
    write(
      (text, { x, y, size = 10, font = fonts.regular }) => page.drawText(text, { x, y: 600 - y, size, font }),
      fonts,
      { number: index + 1, page },
    );
  }
  return document.save();
}

const parse = (bytes: Uint8Array, name = 'a.pdf'): Promise<ParsedDocument> => parseFile({ name, bytes });
const words = (start: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `w${start + index}`).join(' ');

describe('PDF', () => {
  it('reads two columns one after the other, between what spans them', async () => {
    const bytes = await pdfOf([
      (draw) => {
        draw('A headline that spans the whole page from the left edge to the right edge.', { x: 40, y: 40 });
        for (let line = 0; line < 8; line++) {
          draw(`left${line} ${words(line * 10, 7)}`, { x: 40, y: 80 + line * 12 });
          draw(`right${line} ${words(500 + line * 10, 6)}`, { x: 235, y: 80 + line * 12 });
        }
        draw('A closing line that again spans the page from the left edge to the right edge.', { x: 40, y: 200 });
      },
    ]);
    const { text } = await parse(bytes);
    const order = [...text.matchAll(/headline|left\d|right\d|closing/g)].map(([found]) => found);
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7];
    expect(order).toEqual([
      'headline',
      ...numbers.map((n) => `left${n}`),
      ...numbers.map((n) => `right${n}`),
      'closing',
    ]);
  });

  it('reads the rows of a table row by row', async () => {
    const bytes = await pdfOf([
      (draw) => {
        for (let row = 0; row < 8; row++)
          for (let column = 0; column < 3; column++)
            draw(`r${row}c${column}`, { x: 40 + column * 120, y: 60 + row * 14 });
      },
    ]);
    const { text } = await parse(bytes);
    expect(text.split('\n')).toEqual(
      Array.from({ length: 8 }, (_, row) => [0, 1, 2].map((column) => `r${row}c${column}`).join(' | ')),
    );
  });

  it('sets running heads and page numbers aside, and nothing else', async () => {
    const pages = Array.from({ length: 5 }, () => (draw: Draw, _: Fonts, { number }: { number: number }) => {
      draw('The Journal of Tests', { x: 40, y: 30 });
      draw(`Unique text of page ${'abcde'[number - 1]} begins here.`, { x: 40, y: 60 });
      draw('It ends with the same line as others do.', { x: 40, y: 300 });
      draw(`${number + 10}`, { x: 200, y: 580 });
    });
    const { text, runningHeads } = await parse(await pdfOf(pages));
    expect(text).not.toContain('Journal');
    expect(text.match(/same line/g)).toHaveLength(5);
    expect(text).toContain('Unique text of page c begins here.');
    expect(text).not.toMatch(/\b1[1-5]\b/);
    expect(runningHeads).toEqual(
      [1, 2, 3, 4, 5].flatMap((page) => [
        { page, text: 'The Journal of Tests' },
        { page, text: `${page + 10}` },
      ]),
    );
  });

  it('keeps figures at the foot of pages that do not count up', async () => {
    const pages = [42, 7, 1999].map((figure) => (draw: Draw) => {
      draw(`Some text about ${figure} things, long enough to be a line.`, { x: 40, y: 60 });
      draw(`${figure}`, { x: 200, y: 580 });
    });
    const { runningHeads } = await parse(await pdfOf(pages));
    expect(runningHeads).toEqual([]);
  });

  it('does not believe that a font is heavier than fonts can be', async () => {
    const headingsWith = async (thicknessOfStems: number): Promise<string[]> => {
      const document = await PDFDocument.create();
      const [font, other] = [StandardFonts.Helvetica, StandardFonts.TimesRoman].map((name) =>
        document.embedStandardFont(name),
      );
      const page = document.addPage([400, 600]);
      page.drawText('A short heading', { x: 40, y: 560, size: 10, font: font! });
      for (const at of [0, 1, 2, 3])
        page.drawText(words(at * 16, 16), { x: 40, y: 540 - 12 * at, size: 10, font: other! });
      await document.flush();
      const { context } = document;
      const facts = { Type: 'FontDescriptor', FontName: 'Helvetica', Flags: 32, StemV: thicknessOfStems };
      context.lookup(font!.ref, PDFDict).set(PDFName.of('FontDescriptor'), context.register(context.obj(facts)));
      return (await parse(await document.save())).headings.map(({ title }) => title);
    };
    expect(await headingsWith(130)).toEqual(['A short heading']);
    expect(await headingsWith(400)).toEqual([]);
  });

  it('takes no notes and formulas that read as letters for headings', async () => {
    const bytes = await pdfOf([
      (draw, { bold }) => {
        const rest = ['hhh h h N PP', 'E x y z', '7 h + h N 1.50 ct', '1.2.3 API', 'Q4 FY23 vs Q4 FY22', 'May 2023'];
        for (const [index, line] of rest.entries()) {
          draw(line, { x: 40, y: 40 + index * 90, size: 16, font: bold });
          for (let row = 0; row < 4; row++)
            draw(`Body ${words(row * 20, 12)}`, { x: 40, y: 70 + index * 90 + row * 12 });
        }
      },
    ]);
    const { headings, text } = await parse(bytes);
    expect(headings.map(({ title }) => title)).toEqual(['1.2.3 API', 'Q4 FY23 vs Q4 FY22', 'May 2023']);
    expect(text).toContain('hhh h h N PP');
  });

  it('finds headings by their type, and the title by the information', async () => {
    const bytes = await pdfOf([
      (draw, { bold }) => {
        draw('The Great Title', { x: 40, y: 40, size: 20, font: bold });
        for (const [index, title] of ['1 Beginning', '1.1 Details'].entries()) {
          draw(title, { x: 40, y: 90 + index * 100, size: 13 - index, font: bold });
          for (let line = 0; line < 5; line++)
            draw(`Body ${words(line * 20, 12)}`, { x: 40, y: 110 + index * 100 + line * 12 });
        }
      },
    ]);
    const { headings, title, metadata } = await parse(bytes);
    expect(headings.map((heading) => [heading.level, heading.title])).toEqual([
      [1, 'The Great Title'],
      [2, '1 Beginning'],
      [3, '1.1 Details'],
    ]);
    expect(title).toBe('A Test');
    expect(metadata).toMatchObject({ author: 'Somebody' });
    expect(metadata).not.toHaveProperty('title');
  });

  it.each(['', '  ', 'untitled', '(anonymous)', 'Microsoft Word - x.doc', 'paper-final.tex', 'Document1'])(
    'takes the largest upright lines for a title where the file is called %j',
    async (given) => {
      const bytes = await pdfOf(
        [
          (draw, { bold }, { page }) => {
            page.drawText('arXiv:1234.5678v9 [cs.CL] 1 Jan 2020', { x: 30, y: 100, size: 28, rotate: degrees(90) });
            draw('7', { x: 360, y: 40, size: 30, font: bold });
            draw('A Study of Titles That', { x: 60, y: 80, size: 18, font: bold });
            draw('Take Two Lines', { x: 60, y: 101, size: 18, font: bold });
            draw('Somebody, Some Place', { x: 60, y: 130, size: 12 });
            for (let line = 0; line < 12; line++) draw(`Body ${words(line * 20, 10)}`, { x: 60, y: 160 + line * 12 });
          },
        ],
        given,
      );
      expect((await parse(bytes)).title).toBe('A Study of Titles That Take Two Lines');
    },
  );

  it('has no title where nothing stands out', async () => {
    const bytes = await pdfOf(
      [
        (draw) => {
          for (let line = 0; line < 12; line++) draw(`Body ${words(line * 20, 10)}`, { x: 60, y: 60 + line * 12 });
        },
      ],
      'Untitled',
    );
    expect(await parse(bytes)).not.toHaveProperty('title');
  });

  it('keeps quotes, dashes, dot leaders and hyphens at line ends as they are printed', async () => {
    const bytes = await pdfOf([
      (draw) => {
        draw('“Quoted” – and ‘so’ — on … to the special-', { x: 40, y: 60 });
        draw('ization of types', { x: 40, y: 72 });
        draw('Preface . . . . . . . . . . . . . . . . 3', { x: 40, y: 120 });
      },
    ]);
    expect((await parse(bytes)).text).toBe(
      '“Quoted” – and ‘so’ — on … to the special-\nization of types\n\nPreface . . . . . . . . . . . . . . . . 3',
    );
  });

  it('joins an accent with the letter it is printed over, and no other', async () => {
    const bytes = await pdfOf([
      (draw, { regular }) => {
        const width = (text: string): number => regular.widthOfTextAtSize(text, 20);
        draw('na', { x: 40, y: 60, size: 20 });
        draw('¨', { x: 40 + width('na') - 1, y: 60, size: 20 });
        draw('ive', { x: 40 + width('na'), y: 60, size: 20 });
        draw('a `quote` here', { x: 40, y: 120, size: 20 });
      },
    ]);
    expect((await parse(bytes)).text.split(/\n+/)).toEqual(['naïve', 'a `quote` here']);
  });

  it('reads a letter that overlaps an equal one, and a shadow once', async () => {
    const bytes = await pdfOf([
      (draw, { regular }) => {
        let x = 40;
        for (const [index, letter] of [...'to affect us'].entries()) {
          draw(letter, { x, y: 60, size: 20 });
          // The second f of "affect" starts within the first.
          x += regular.widthOfTextAtSize(letter, 20) * (letter === 'f' && index === 4 ? 0.6 : 1);
        }
        draw('A', { x: 40, y: 120, size: 20 });
        draw('A', { x: 40.5, y: 120.3, size: 20 });
      },
    ]);
    expect((await parse(bytes)).text.split(/\n+/)).toEqual(['to affect us', 'A']);
  });

  it('reads through a child process as it does here', async () => {
    const pool = createParserPool({ size: 1 });
    const bytes = await pdfOf([(draw) => draw('Read by a child', { x: 50, y: 100 })]);
    const input = { name: 'a.pdf', bytes };
    expect(await pool.parse(input)).toEqual(await parseFile(input));
    await pool.close();
  });

  it('maps every word to its page and box', async () => {
    const bytes = await pdfOf([
      (draw) => draw('First page', { x: 50, y: 100 }),
      (draw) => draw('Second “page” — text', { x: 60, y: 200 }),
    ]);
    const document = await parse(bytes);
    expect(document.pages.map(({ number, width, height }) => [number, width, height])).toEqual([
      [1, 400, 600],
      [2, 400, 600],
    ]);
    expect(document.pages[0]!.start).toBe(0);
    expect(document.pages[1]!.end).toBe(document.text.length);
    for (const word of document.words) {
      const page = document.pages[word.page - 1]!;
      expect(word.start >= page.start && word.end <= page.end).toBe(true);
      expect(document.text.slice(word.start, word.end)).toMatch(/^\S+$/);
    }
    const second = document.words.find((word) => document.text.slice(word.start, word.end) === 'Second')!;
    expect(second.page).toBe(2);
    expect(Math.abs(second.x - 60)).toBeLessThan(3);
    expect(Math.abs(second.y + second.height - 200)).toBeLessThan(5);
  });

  it('says why it cannot read a PDF', async () => {
    await expect(parse(await pdfOf([() => undefined]))).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('nothing stands on its 1 page(s)'),
    });
    await expect(parse(new TextEncoder().encode('%PDF-1.7 nothing'))).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('damaged: it is cut off'),
    });
  });

  const locked = sharedData('documents', 'pdf-encrypted', 'issue6010_1.pdf');
  it.skipIf(locked === undefined)('asks for a password, and takes it', async () => {
    const bytes = readFileSync(locked!);
    await expect(parse(bytes)).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('password is needed'),
    });
    await expect(parseFile({ name: 'a.pdf', bytes, password: 'wrong' })).rejects.toMatchObject({
      message: expect.stringContaining('Check the password'),
    });
    expect((await parseFile({ name: 'a.pdf', bytes, password: 'abc' })).text).toBe('Issue 6010');
  });
});
