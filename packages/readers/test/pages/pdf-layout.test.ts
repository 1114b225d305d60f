// The layout of a page from the places of its words alone: lines that run down, columns with hardly a cell, headers that stand on every page.
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import type { PdfPage, PdfRule, PdfWord } from '../../src/pages/layout/pdf-content.ts';
import { layoutPage } from '../../src/pages/layout/pdf-layout.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const style = { size: 12, bold: false, turn: 0, spaceBefore: true } as const;
const down = (text: string, x: number): PdfWord => ({ text, x, y: 40, width: 12, height: 12 * text.length, ...style });
const across = (text: string, y: number): PdfWord => ({
  text,
  x: 40,
  y,
  width: 12 * text.length,
  height: 12,
  ...style,
});
const pageOf = (words: readonly PdfWord[]): PdfPage => ({
  number: 1,
  width: 300,
  height: 400,
  words,
  notes: [],
  isBlank: false,
});
const textsOf = (words: readonly PdfWord[]): string[] => layoutPage(pageOf(words)).map(({ text }) => text);

describe('lines that run down', () => {
  const columns = [down('灯台守の名前は', 200), down('佐藤健一という。', 180), down('灯りは先まで届く。', 160)];

  it('follow each other from right to left, in whatever order the file has them', () => {
    const read = ['灯台守の名前は', '佐藤健一という。', '灯りは先まで届く。'];
    expect(textsOf(columns)).toEqual(read);
    expect(textsOf(columns.toReversed())).toEqual(read);
  });

  it('leave a line across as it is, and are none where most lines stand across', () => {
    expect(textsOf([...columns, across('第三章', 10)])).toContain('第三章');
    const lines = [
      across('灯台守の名前は佐藤健一', 40),
      across('灯りは二十海里先まで届', 60),
      { ...down('奥付', 250), y: 200 },
    ];
    expect(textsOf(lines).slice(0, 2)).toEqual(['灯台守の名前は佐藤健一', '灯りは二十海里先まで届']);
  });
});

describe('a statement of three pages', () => {
  /** Rows of one page; only the second row of the last page has money coming in. */
  async function statement(): Promise<Uint8Array> {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    for (let number = 0; number < 3; number++) {
      const page = document.addPage([400, 600]);
      const put = (cells: readonly string[], y: number): void => {
        for (const [column, text] of cells.entries())
          if (text) page.drawText(text, { x: 30 + column * 75, y: 600 - y, size: 10, font });
      };
      put(['Date', 'Details', 'Paid out', 'Paid in', 'Balance'], 40);
      for (let row = 0; row < 30; row++) {
        const isIn = number === 2 && row === 1;
        put(
          [`${row + 1} May`, `Shop ${number}${row}`, isIn ? '' : '35.60', isIn ? '640.00' : '', '120.00'],
          54 + row * 14,
        );
      }
    }
    return document.save();
  }

  it('keeps the column with a single figure, and the header on each page', async () => {
    const parsed = await parseFile({ name: 'statement.pdf', bytes: await statement() });
    expectWellFormed(parsed);
    const rows = parsed.text.split(/\n+/u);
    expect(rows.filter((row) => row === 'Date | Details | Paid out | Paid in | Balance')).toHaveLength(3);
    expect(rows).toContain('1 May | Shop 00 | 35.60 |  | 120.00');
    expect(rows).toContain('2 May | Shop 21 |  | 640.00 | 120.00');
  });
});

describe('tables that gaps do not show', () => {
  const cell = (text: string, x: number, y: number): PdfWord => ({ ...across(text, y), x, width: 12 * text.length });
  const rows = [
    ['型号', '制冷量', '噪音'],
    ['二六', '两千六', '二十二'],
    ['三五', '三千五', '二十五'],
  ];
  // The cells fill their columns: nothing but the rules parts them.
  const lefts = [44, 72, 112];
  const words = rows.flatMap((row, at) => row.map((text, column) => cell(text, lefts[column] ?? 0, 40 + at * 20)));
  const horizontal = [36, 56, 76, 96].map((at) => ({ at, from: 42, to: 152 }));
  const vertical = [42, 70, 110, 152].map((at) => ({ at, from: 36, to: 96 }));
  const rowsOf = (rules: PdfPage['rules']): string[] =>
    layoutPage({ ...pageOf(words), ...(rules && { rules }) }).map(({ row = [] }) =>
      row.map((cells) => cells.map(({ text }) => text).join(' ')).join(' | '),
    );

  it('are parted by a whole grid of rules, cell by cell', () => {
    expect(rowsOf({ horizontal, vertical })).toEqual(rows.map((row) => row.join(' | ')));
  });

  it('are parted by the borders of columns where none but the header is ruled off', () => {
    expect(rowsOf({ horizontal: horizontal.slice(0, 2), vertical })).toEqual(rows.map((row) => row.join(' | ')));
  });

  it('are none where no border parts the cells, or none runs along the rows', () => {
    expect(rowsOf({ horizontal: [], vertical })).toEqual(['', '', '']);
    expect(rowsOf({ horizontal, vertical: vertical.filter(({ at }) => at !== 70 && at !== 110) })).toEqual([
      '',
      '',
      '',
    ]);
    expect(rowsOf(undefined)).toEqual(['', '', '']);
  });

  it('are two where the borders of one are not those of the next', () => {
    const wide = (text: string, x: number, y: number): PdfWord => ({ ...across(text, y), x, width: 40 });
    const bill = [
      ...['Item', 'Name', 'Price'].map((text, at) => wide(text, 42 + at * 44, 40)),
      ...['1', 'Bolts', '33.00'].map((text, at) => wide(text, 42 + at * 44, 54)),
      ...['VAT', 'Net', 'Gross'].map((text, at) => wide(text, 64 + at * 44, 80)),
      ...['23%', '121.00', '148.83'].map((text, at) => wide(text, 64 + at * 44, 94)),
    ];
    const grid = (left: number, top: number): { horizontal: PdfRule[]; vertical: PdfRule[] } => ({
      horizontal: [top, top + 14, top + 28].map((at) => ({ at, from: left, to: left + 132 })),
      vertical: [0, 44, 88, 132].map((x) => ({ at: left + x, from: top, to: top + 28 })),
    });
    const [first, second] = [grid(40, 38), grid(62, 78)];
    const rules = {
      horizontal: [...first.horizontal, ...second.horizontal],
      vertical: [...first.vertical, ...second.vertical],
    };
    const read = layoutPage({ ...pageOf(bill), rules }).map(({ row = [] }) =>
      row.map((cells) => cells.map(({ text }) => text).join(' ')).join(' | '),
    );
    expect(read).toEqual(['Item | Name | Price', '1 | Bolts | 33.00', 'VAT | Net | Gross', '23% | 121.00 | 148.83']);
  });

  it('have no cells where a word stands across the rule: it belongs to a drawing', () => {
    const line = (y: number): PdfWord[] => [38, 84, 130].map((x) => ({ ...across('word', y), x, width: 42 }));
    const drawing = {
      horizontal: [{ at: 36, from: 30, to: 200 }],
      vertical: [82, 128].map((at) => ({ at, from: 36, to: 100 })),
    };
    const read = (words: readonly PdfWord[]): number =>
      layoutPage({ ...pageOf(words), rules: drawing }).filter(({ row }) => row !== undefined).length;
    expect(read([...line(40), ...line(54)])).toBe(2);
    expect(read([...line(40), ...line(54), { ...across('acrossboth', 68), width: 120 }])).toBe(0);
  });

  it('have a row for labels in small capitals over values in large type, as tickets do', () => {
    const small = (text: string, x: number, y: number): PdfWord => ({
      ...across(text, y),
      x,
      size: 7,
      height: 7,
      width: 5 * text.length,
    });
    const ticket = [
      ...[small('PASSENGER', 40, 30), small('FLIGHT', 140, 30)],
      ...[cell('OLSEN', 40, 42), cell('KL1704', 140, 42)],
      ...[small('GATE', 40, 70), small('SEAT', 100, 70), small('GROUP', 160, 70)],
      ...[cell('H17', 40, 82), cell('22F', 100, 82), cell('4', 160, 82)],
    ];
    const read = layoutPage(pageOf(ticket)).map(({ row = [] }) =>
      row.map((cells) => cells.map(({ text }) => text).join(' ')).join(' | '),
    );
    expect(read).toEqual(['PASSENGER | FLIGHT', 'OLSEN | KL1704', 'GATE | SEAT | GROUP', 'H17 | 22F | 4']);
  });
});

describe('a page that is wider than high', () => {
  // Short lines on either side: no prose, and a table if they stood on the same lines.
  const column = (name: string, x: number, top: number): PdfWord[] =>
    Array.from({ length: 20 }, (_, row) =>
      ['name', 'of', `${name}${row}`].map((text, at) => ({
        ...across(text, top + row * 14),
        x: x + at * 44,
        width: 36,
      })),
    ).flat();
  const linesOf = (words: readonly PdfWord[], more: Partial<PdfPage> = {}): string[] =>
    layoutPage({ ...pageOf(words), width: 500, height: 320, ...more }).map(({ words: read }) =>
      read.map(({ text }) => text).join(' '),
    );
  const apart = [...column('a', 20, 20), ...column('b', 300, 25)];

  it('is read half by half where neither goes by the lines of the other', () => {
    const lines = linesOf(apart);
    expect(lines.slice(0, 2)).toEqual(['name of a0', 'name of a1']);
    expect(lines.slice(20, 22)).toEqual(['name of b0', 'name of b1']);
  });

  it('is read row by row where they share their lines, where a rule runs across, and where it is no wider', () => {
    expect(linesOf([...column('a', 20, 20), ...column('b', 300, 20)])[0]).toBe('name of a0 name of b0');
    const rules = { horizontal: [{ at: 100, from: 20, to: 460 }], vertical: [] };
    expect(linesOf(apart, { rules })[0]).toBe('name of a0 name of b0');
    expect(linesOf(apart, { width: 350 })[0]).toBe('name of a0 name of b0');
  });
});
