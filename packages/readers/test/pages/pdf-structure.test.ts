// What a PDF holds besides lines of prose: tables, raised figures, footnotes, fields, notes, attached files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument, type PDFFont, PDFHexString, PDFName, PDFString, StandardFonts } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import type { ParsedDocument } from '../../src/document.ts';
import { isReadError } from '../../src/read-error.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';
import { wordsFound } from '../../testkit/words-found.ts';

type Draw = (text: string, at: { x: number; y: number; size?: number }) => void;

/** Pages of 400 × 600 points; y counts from the top. */
async function pdfOf(
  pages: readonly ((draw: Draw, font: PDFFont) => void)[],
  finish: (document: PDFDocument) => void | Promise<void> = () => undefined,
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const write of pages) {
    const page = document.addPage([400, 600]);
    write((text, { x, y, size = 10 }) => page.drawText(text, { x, y: 600 - y, size, font }), font);
  }
  await finish(document);
  return document.save();
}

async function parse(bytes: Uint8Array, more: { password?: string } = {}): Promise<ParsedDocument> {
  const document = await parseFile({ name: 'a.pdf', bytes, ...more });
  expectWellFormed(document);
  return document;
}

const rowsOf = ({ text, blocks }: ParsedDocument): string[] =>
  blocks.filter(({ kind }) => kind === 'table-row').map(({ start, end }) => text.slice(start, end));

describe('tables of a PDF', () => {
  it('keeps figures under their headers where cells are empty', async () => {
    const cells = [
      ['Product', 'Expected', 'Actual', 'Status'],
      ['Bolts', '450', '', 'OK'],
      ['Nuts', '', '289', ''],
      ['', '180', '', 'CRITICAL'],
    ];
    const bytes = await pdfOf([
      (draw) => {
        for (const [row, line] of cells.entries())
          for (const [column, text] of line.entries()) if (text) draw(text, { x: 40 + column * 85, y: 60 + row * 14 });
      },
    ]);
    expect(rowsOf(await parse(bytes))).toEqual([
      'Product | Expected | Actual | Status',
      'Bolts | 450 |  | OK',
      'Nuts |  | 289',
      '| 180 |  | CRITICAL',
    ]);
  });

  it('joins a currency sign with its figure, and reads totals without a label under theirs', async () => {
    const bytes = await pdfOf([
      (draw, font) => {
        const right = (text: string, x: number, y: number): void =>
          draw(text, { x: x - font.widthOfTextAtSize(text, 10), y });
        right('2022', 250, 60);
        right('2021', 340, 60);
        for (const [row, [label, first, second]] of [
          ['Cash and cash equivalents', '5,911,893', '4,703,059'],
          ['Inventories', '126,065', '96,374'],
          ['', '6,037,958', '4,799,433'],
        ].entries()) {
          const y = 74 + row * 14;
          if (label) draw(label, { x: 40, y });
          if (row !== 1) draw('$', { x: 190, y });
          right(first ?? '', 250, y);
          // Close to the figure before it.
          if (row !== 1) draw('$', { x: 262, y });
          right(second ?? '', 340, y);
        }
      },
    ]);
    expect(rowsOf(await parse(bytes))).toEqual([
      '| 2022 | 2021',
      'Cash and cash equivalents | $ 5,911,893 | $ 4,703,059',
      'Inventories | 126,065 | 96,374',
      '| $ 6,037,958 | $ 4,799,433',
    ]);
  });

  const wrapped = (draw: Draw): void => {
    for (const [y, cells] of [
      [60, ['Risk', 'What may happen', 'Owner']],
      [80, ['Flood', 'The lower store may be', 'Ada']],
      [92, ['', 'under water for a week.', '']],
      [112, ['Fire', 'All may burn.', 'Bob']],
      [132, ['Theft', 'Tools may be carried', 'Eve']],
      [144, ['', 'away at night.', '']],
    ] as const)
      for (const [column, text] of cells.entries()) if (text) draw(text, { x: [40, 120, 300][column]!, y });
  };

  it('joins the lines of a cell that wraps between rules', async () => {
    const bytes = await pdfOf([wrapped], (document) => {
      const page = document.getPages()[0]!;
      for (const y of [48, 66, 98, 118, 150])
        page.drawLine({ start: { x: 35, y: 600 - y }, end: { x: 360, y: 600 - y }, thickness: 0.5 });
      for (const x of [35, 115, 295, 360])
        page.drawLine({ start: { x, y: 600 - 48 }, end: { x, y: 600 - 150 }, thickness: 0.5 });
    });
    const document = await parse(bytes);
    expect(rowsOf(document)).toEqual([
      'Risk | What may happen | Owner',
      'Flood | The lower store may be under water for a week. | Ada',
      'Fire | All may burn. | Bob',
      'Theft | Tools may be carried away at night. | Eve',
    ]);
  });

  it('leaves lines apart where no upright rules part the columns', async () => {
    const bytes = await pdfOf([wrapped], (document) => {
      const page = document.getPages()[0]!;
      for (const y of [48, 66, 150])
        page.drawLine({ start: { x: 35, y: 600 - y }, end: { x: 360, y: 600 - y }, thickness: 0.5 });
    });
    expect(rowsOf(await parse(bytes))).toContain('| under water for a week.');
  });

  it('leaves lines apart where no rules part them', async () => {
    expect(rowsOf(await parse(await pdfOf([wrapped])))).toContain('| under water for a week.');
  });

  it('takes a list whose numbers stand apart for no table', async () => {
    const bytes = await pdfOf([
      (draw) => {
        for (let item = 1; item <= 4; item++) {
          draw(`${item}.`, { x: 40, y: 40 + item * 20 });
          draw(`The text of item number ${item} of the list`, { x: 80, y: 40 + item * 20 });
        }
      },
    ]);
    expect((await parse(bytes)).text).not.toContain('|');
  });
});

describe('raised figures', () => {
  it('are no part of the number or the word before them', async () => {
    const bytes = await pdfOf([
      (draw, font) => {
        const put = (parts: readonly [string, boolean][], y: number): void => {
          let x = 40;
          for (const [text, isRaised] of parts) {
            const size = isRaised ? 6 : 10;
            draw(text, { x, y: isRaised ? y - 4 : y, size });
            x += font.widthOfTextAtSize(text, size);
          }
        };
        put(
          [
            ['It took 10', false],
            ['20', true],
            [' steps on each machine', false],
            ['5', true],
            ['.', false],
          ],
          60,
        );
        put(
          [
            ['5', true],
            ['We used four machines.', false],
          ],
          500,
        );
        put(
          [
            ['H', false],
            ['2', false],
            ['O and 42 things.', false],
          ],
          120,
        );
      },
    ]);
    const { text } = await parse(bytes);
    expect(text).toContain('It took 10²⁰ steps on each machine ⁵.');
    expect(text).toContain('⁵ We used four machines.');
    expect(text).toContain('H2O and 42 things.');
  });
});

describe('the flow of a PDF', () => {
  const lines = (draw: Draw, from: { y: number; text: string; count: number }): void => {
    for (let line = 0; line < from.count; line++)
      draw(`${from.text} line ${'abcdefghij'[line]} goes on and on without an end to it`, {
        x: 40,
        y: from.y + line * 12,
      });
  };

  it('does not let a footnote and a table cut a sentence at the end of a page', async () => {
    const bytes = await pdfOf([
      (draw) => {
        lines(draw, { y: 60, text: 'first', count: 6 });
        draw('1', { x: 40, y: 546, size: 5 });
        draw('A footnote in small type.', { x: 44, y: 550, size: 7 });
      },
      (draw) => {
        draw('Table 1: Some figures', { x: 40, y: 40 });
        for (let row = 0; row < 3; row++)
          for (let column = 0; column < 3; column++) draw(`${row}${column}`, { x: 40 + column * 90, y: 60 + row * 14 });
        lines(draw, { y: 140, text: 'second', count: 6 });
      },
    ]);
    const { text, pages } = await parse(bytes);
    expect(text).toContain('first line f goes on and on without an end to it\nsecond line a');
    const [first, second] = pages.map(({ start, end }) => text.slice(start, end));
    expect(first).toContain('¹ A footnote in small type.');
    expect(second).toMatch(/second line f.*Table 1: Some figures.*20 \| 21 \| 22/s);
  });

  it('moves nothing where whole pages stand between the parts of a sentence', async () => {
    const bytes = await pdfOf([
      (draw) => lines(draw, { y: 60, text: 'first', count: 6 }),
      (draw) => {
        draw('Table 1: Some figures', { x: 40, y: 40 });
        for (let row = 0; row < 20; row++)
          for (let column = 0; column < 3; column++) draw(`${row}${column}`, { x: 40 + column * 90, y: 60 + row * 14 });
      },
      (draw) => lines(draw, { y: 60, text: 'third', count: 6 }),
    ]);
    const { text, pages } = await parse(bytes);
    const [first, second, third] = pages.map(({ start, end }) => text.slice(start, end).trim());
    expect(first).toMatch(/^first line a.*first line f goes on and on without an end to it$/s);
    expect(second).toMatch(/^Table 1: Some figures.*190 \| 191 \| 192$/s);
    expect(third).toMatch(/^third line a.*third line f/s);
  });

  it('leaves a footnote where it stands if the sentence ends before it', async () => {
    const bytes = await pdfOf([
      (draw) => {
        lines(draw, { y: 60, text: 'first', count: 6 });
        draw('And here the sentence ends.', { x: 40, y: 132 });
        draw('* A footnote in small type.', { x: 40, y: 550, size: 7 });
      },
      (draw) => lines(draw, { y: 60, text: 'Second', count: 6 }),
    ]);
    const { text, pages } = await parse(bytes);
    expect(text.slice(0, pages[1]!.start).trimEnd()).toMatch(/ends\.\n\n\* A footnote in small type\.$/);
  });

  it('gives a caption a block of its own', async () => {
    const bytes = await pdfOf([
      (draw) => {
        lines(draw, { y: 60, text: 'The text', count: 4 });
        draw('And it ends in a line that goes as far as others do.', { x: 40, y: 108 });
        draw('Figure 3: What the figure shows', { x: 40, y: 120 });
        draw('Figure 3 shows nothing of this.', { x: 40, y: 160 });
      },
    ]);
    const { text, blocks, words } = await parse(bytes);
    const at = text.indexOf('Figure 3:');
    expect(blocks).toContainEqual({ start: at, end: at + 'Figure 3: What the figure shows'.length, kind: 'paragraph' });
    const box = words.find(({ start }) => start === at)!;
    expect([box.page, Math.round(box.x)]).toEqual([1, 40]);
  });
});

describe('what a PDF carries', () => {
  it('reads form fields by their names, and no passwords', async () => {
    const bytes = await pdfOf([(draw) => draw('Application', { x: 40, y: 40 })], (document) => {
      const [page] = document.getPages();
      const form = document.getForm();
      const field = (name: string, value: string, y: number) => {
        const text = form.createTextField(name);
        text.setText(value);
        text.addToPage(page!, { x: 120, y, width: 100, height: 16 });
        return text;
      };
      field('applicant.Last name', 'Lovelace', 500);
      field('Text7', 'Unnamed value', 470);
      field('Pass phrase', 'hunter2', 440).enablePassword();
      const box = form.createCheckBox('Newsletter');
      box.addToPage(page!, { x: 120, y: 400, width: 12, height: 12 });
      box.check();
    });
    const { text, blocks, words } = await parse(bytes);
    const notes = blocks.filter(({ kind }) => kind === 'other').map(({ start, end }) => text.slice(start, end));
    expect(notes).toEqual(['Last name: Lovelace', 'Newsletter: checked']);
    expect(text).toContain('Unnamed value');
    expect(notes.join()).not.toContain('hunter2');
    const box = words.find(({ start }) => start === text.indexOf('Last name: Lovelace'))!;
    expect([Math.round(box.x), Math.round(box.y)]).toEqual([120, 84]);
  });

  it('reads the text of annotations with their authors, and no hidden ones', async () => {
    const bytes = await pdfOf([(draw) => draw('Under review', { x: 40, y: 40 })], (document) => {
      const { context } = document;
      const note = (text: string, more: Record<string, number> = {}) =>
        context.register(
          context.obj({
            Type: 'Annot',
            Subtype: 'Text',
            Rect: [50, 500, 70, 520],
            Contents: PDFHexString.fromText(text),
            T: PDFString.of('Ada'),
            ...more,
          }),
        );
      const annotations = [note('Please check\nthis figure'), note('invisible', { F: 2 })];
      document.getPages()[0]!.node.set(PDFName.of('Annots'), context.obj(annotations));
    });
    const { text } = await parse(bytes);
    expect(text).toBe('Under review\n\nNote (Ada): Please check this figure');
  });

  it('gives attached files', async () => {
    const bytes = await pdfOf([(draw) => draw('See the attachment', { x: 40, y: 40 })], async (document) => {
      await document.attach(new TextEncoder().encode('a,b\n1,2\n'), 'figures ü.csv', { mimeType: 'text/csv' });
    });
    const { attachments, warnings } = await parse(bytes);
    expect(warnings).toEqual([]);
    expect(attachments).toEqual([
      { name: 'figures ü.csv', mime: 'text/csv', bytes: new TextEncoder().encode('a,b\n1,2\n') },
    ]);
  });

  it('knows the labels of pages', async () => {
    const bytes = await pdfOf(
      [(draw) => draw('Preface', { x: 40, y: 40 }), (draw) => draw('Body', { x: 40, y: 40 })],
      (document) => {
        const { context, catalog } = document;
        catalog.set(PDFName.of('PageLabels'), context.obj({ Nums: [0, { S: 'r' }, 1, { S: 'D' }] }));
      },
    );
    expect((await parse(bytes)).pages.map(({ label }) => label)).toEqual(['i', '1']);
  });
});

describe('real PDFs', () => {
  const attached = sharedData('documents', 'pdf', 'attachment.pdf');
  it.skipIf(attached === undefined)('give a file whose name and bytes stand under different keys', async () => {
    const { attachments } = await parse(readFileSync(attached!));
    expect(attachments?.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)])).toEqual([
      ['foo.txt', 'bar baz \n'],
    ]);
  });

  const encrypted = sharedData('documents', 'pdf-encrypted', 'issue9972-1.pdf');
  it.skipIf(encrypted === undefined)(
    'open without a password where only the owner has one, whatever is given',
    async () => {
      expect((await parse(readFileSync(encrypted!), { password: 'of another file' })).text.length).toBeGreaterThan(
        1000,
      );
    },
  );

  const report = sharedData('financebench', 'pdfs', 'FOOTLOCKER_2022_8K_dated-2022-05-20.pdf');
  it.skipIf(report === undefined)('do not read a letter twice for the blank behind it', async () => {
    expect((await parse(readFileSync(report!))).text).toContain('requirements of the Exchange Act');
  });

  const folder = sharedData('documents', 'pdf');
  const expected = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.expected.md'));
  it.skipIf(folder === undefined).each(expected)('hold the words of %s', async (name) => {
    const document = await parse(readFileSync(join(folder!, name.replace('.expected.md', '.pdf'))));
    expect(wordsFound(document.text, readFileSync(join(folder!, name), 'utf8'))).toBeGreaterThan(0.99);
  });

  const small = [
    'vertical.pdf',
    'rotation.pdf',
    'habibi.pdf',
    'multicolumn.pdf',
    'issue840.pdf',
    'canvas.pdf',
    'rc_annotation.pdf',
  ];
  it.skipIf(folder === undefined).each(small)('are well formed: %s', async (name) => {
    const fault = await parse(readFileSync(join(folder!, name))).catch((error: unknown) => error);
    expect(fault instanceof Error && !isReadError(fault) ? fault : undefined).toBeUndefined();
  });
});
