// The layout of a page from the places of its words alone: lines that run down, columns with hardly a cell, headers that stand on every page.
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import type { PdfPage, PdfWord } from '../../../src/ingest/parsers/pdf-content.ts';
import { layoutPage } from '../../../src/ingest/parsers/pdf-layout.ts';
import { parseFile } from '../../../src/ingest/parsers/registry.ts';
import { expectWellFormed } from './well-formed.ts';

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

  it('are none where a rule between rows is missing, or one between columns', () => {
    expect(rowsOf({ horizontal: horizontal.slice(0, 2), vertical })).toEqual(['', '', '']);
    expect(rowsOf({ horizontal, vertical: vertical.filter(({ at }) => at !== 70 && at !== 110) })).toEqual([
      '',
      '',
      '',
    ]);
    expect(rowsOf(undefined)).toEqual(['', '', '']);
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
