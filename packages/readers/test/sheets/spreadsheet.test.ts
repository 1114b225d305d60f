import { readFileSync } from 'node:fs';
import { CFB, utils, write } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { displayNumber } from '../../src/sheets/spreadsheet-format.ts';
import { cellAt, columnName, placeLabel } from '../../src/sheets/spreadsheet-sheet.ts';
import { cells, openDocumentOf, type SheetFixture, xlsxOf } from '../../testkit/office-fixtures.ts';
import { placeOf } from '../../testkit/program.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const read = async (sheets: readonly SheetFixture[], extra?: Readonly<Record<string, string>>) => {
  const document = await parseFile({ name: 'a.xlsx', bytes: xlsxOf(sheets, extra) });
  expectWellFormed(document);
  return document;
};

describe('XLSX', () => {
  it('reads rows by their headers, and cites them by their cells', async () => {
    const data =
      cells(1, ['Region', '2021', 'Share']) +
      cells(2, ['North', 12, '<c s="3"><v>0.125</v></c>']) +
      cells(3, ['South', 7]);
    const document = await read([{ name: 'Q1 costs', data }]);
    expect(document.text).toBe(
      'Q1 costs\n\nRegion | 2021 | Share\nRegion: North; 2021: 12; Share: 12.50%\nRegion: South; 2021: 7',
    );
    const row = document.text.indexOf('Region: South');
    expect(placeOf(document.places, { start: row, end: document.text.length })).toBe("'Q1 costs'!A3:B3");
    expect(placeOf(document.places, { start: 0, end: document.text.length })).toBe("'Q1 costs'!A1:B3");
    expect(document).toMatchObject({
      title: 'Figures & facts',
      language: 'en',
      metadata: { author: 'Ada', sheets: ['Q1 costs'] },
      headings: [{ level: 1, title: 'Q1 costs' }],
    });
  });

  it('reads shared and rich text, booleans, errors and dates as displayed', async () => {
    const row = [
      '<c t="s"><v>0</v></c>',
      '<c t="s"><v>1</v></c>',
      '<c t="b"><v>1</v></c>',
      '<c t="e"><v>#REF!</v></c>',
      '<c s="1"><v>45356</v></c>',
      '<c s="2"><v>45356</v></c>',
    ];
    const document = await read([{ name: 'S', data: cells(1, row) }]);
    expect(document.text).toBe('S\n\nshared | rich text | TRUE | #REF! | 5-Mar-24 (2024-03-05) | 2024-03-05');
  });

  it('gives the values of formulas and tells of those that have none', async () => {
    const data = cells(1, ['Sum', '<c><f>1+1</f><v>2</v></c>']) + cells(2, ['Rest', '<c><f>A1*2</f></c>']);
    const document = await read([{ name: 'S', data }]);
    expect(document.text).toBe('S\n\nSum | 2\nRest');
    expect(document.warnings).toEqual([expect.stringContaining('1 formula has no stored value')]);
  });

  it('reads what stands on hidden sheets, and says that they are hidden', async () => {
    const document = await read([
      { name: 'Shown', data: cells(1, ['a']) },
      { name: 'Secret', data: cells(1, ['b']), state: 'veryHidden' },
      { name: 'Empty', data: '' },
    ]);
    expect(document.text).toBe('Shown\n\na\n\nSecret\n\nb');
    expect(document.warnings).toEqual(['Hidden in the file, read all the same: sheet Secret.']);
  });

  it('reads hidden rows and columns, and says whose they are', async () => {
    const hiddenRow = cells(2, ['Ann', 'Oslo', 5]).replace('<row ', '<row hidden="1" ');
    const rows = cells(1, ['Owner', 'City', 'Sum']) + hiddenRow;
    const document = await parseFile({ name: 'a.xlsx', bytes: xlsxOf([{ name: 'Costs', data: rows }]) });
    expect(document.text).toContain('Owner: Ann');
    expect(document.warnings).toEqual(['Hidden in the file, read all the same: rows or columns of Costs.']);
    const columns = xlsxOf([{ name: 'Plan', data: '' }], {
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="m"><cols><col min="3" max="3" hidden="1"/><col min="9" max="16384" hidden="1"/></cols><sheetData>${cells(1, ['Owner', 'City', 'Sum'])}</sheetData></worksheet>`,
    });
    expect((await parseFile({ name: 'a.xlsx', bytes: columns })).warnings).toEqual([
      'Hidden in the file, read all the same: rows or columns of Plan.',
    ]);
    const unfilled = rows.replace(hiddenRow, '<row r="2" hidden="1"/>') + cells(3, ['Bob', 'Rome', 6]);
    expect((await parseFile({ name: 'a.xlsx', bytes: xlsxOf([{ name: 'Costs', data: unfilled }]) })).warnings).toEqual(
      [],
    );
  });

  it('finds several tables, their titles, and keeps the header over an empty row', async () => {
    const data =
      cells(1, ['Revenue by region']) +
      cells(2, ['Region', 'Euro']) +
      cells(3, ['North', 5]) +
      cells(5, ['South', 6]) +
      cells(9, ['Name', 'Age', 'City']) +
      cells(10, ['Ann', 'old', 'Ulm']);
    const document = await read([{ name: 'S', data }]);
    expect(document.text).toBe(
      'S\n\nRevenue by region\n\nRegion | Euro\nRegion: North; Euro: 5\n\nRegion: South; Euro: 6\n\nName | Age | City\nName: Ann; Age: old; City: Ulm',
    );
    expect(document.headings.map(({ title }) => title)).toEqual(['S', 'Revenue by region']);
  });

  it('parts tables that stand side by side, but not a table with a spacer column', async () => {
    const beside = cells(1, ['A', 'B', undefined, 'C', 'D']) + cells(2, ['x', 1, undefined, 'y', 2]);
    expect((await read([{ name: 'S', data: beside }])).text).toBe('S\n\nA | B\nA: x; B: 1\n\nC | D\nC: y; D: 2');
    const spaced = cells(1, ['Item', undefined, '2020', '2021']) + cells(2, ['Sales', undefined, 1, 2]);
    expect((await read([{ name: 'S', data: spaced }])).text).toBe(
      'S\n\nItem | 2020 | 2021\nItem: Sales; 2020: 1; 2021: 2',
    );
  });

  it('reads merged cells for each of their rows and names columns by merged headers', async () => {
    const data =
      cells(1, [undefined, '2023', undefined]) +
      cells(2, ['Region', 'Plan', 'Actual']) +
      cells(3, ['North', 1, 2]) +
      cells(4, [undefined, 3, 4]);
    const after = '<mergeCells><mergeCell ref="B1:C1"/><mergeCell ref="A3:A4"/></mergeCells>';
    const document = await read([{ name: 'S', data, after }]);
    expect(document.text).toContain(
      'Region: North; 2023 Plan: 1; 2023 Actual: 2\nRegion: North; 2023 Plan: 3; 2023 Actual: 4',
    );
  });

  it('names columns by merged years above the same names, also where the years are numbers', async () => {
    const after = '<mergeCells><mergeCell ref="B1:C1"/><mergeCell ref="D1:E1"/></mergeCells>';
    for (const [first, second] of [
      ['2023', '2024'],
      [2023, 2024],
    ] as const) {
      const data =
        cells(1, [undefined, first, undefined, second]) +
        cells(2, ['Truck', 'Plan', 'Actual', 'Plan', 'Actual']) +
        cells(3, ['Dromedary', 11, 12, 13, 17]);
      expect((await read([{ name: 'S', data, after }])).text).toContain(
        'Truck: Dromedary; 2023 Plan: 11; 2023 Actual: 12; 2024 Plan: 13; 2024 Actual: 17',
      );
    }
    // Below merged cells, twice the same value is no name.
    const people =
      cells(1, ['Name', undefined, 'Since']) + cells(2, ['Ann', 'Ann', 2019]) + cells(3, ['Bo', 'Lee', 2020]);
    const merged = '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>';
    expect((await read([{ name: 'S', data: people, after: merged }])).text).toContain('Name: Ann; Ann; Since: 2019');
  });

  it('does not take pairs of name and value for a table with a header', async () => {
    const data = cells(1, ['Name', 'Ann']) + cells(2, ['Age', 30]) + cells(3, ['City', 'Ulm']);
    expect((await read([{ name: 'S', data }])).text).toBe('S\n\nName | Ann\nAge | 30\nCity | Ulm');
  });

  it('reads notes, text boxes and the titles of charts where they stand', async () => {
    const { relationships } = await import('../../testkit/zip-fixture.ts');
    const document = await read([{ name: 'S', data: cells(1, ['a']) }], {
      'xl/worksheets/_rels/sheet1.xml.rels': relationships({
        c: ['comments', '../comments1.xml'],
        d: ['drawing', '../drawings/drawing1.xml'],
      }),
      'xl/comments1.xml':
        '<comments xmlns="m"><commentList><comment ref="B3"><text><r><t>check </t></r><r><t>this</t></r></text></comment></commentList></comments>',
      'xl/drawings/drawing1.xml':
        '<d:wsDr xmlns:d="d" xmlns:a="a"><d:twoCellAnchor><d:from><d:col>4</d:col><d:row>6</d:row></d:from><d:sp><d:txBody><a:p><a:r><a:t>in a box</a:t></a:r></a:p></d:txBody></d:sp></d:twoCellAnchor></d:wsDr>',
    });
    expect(document.text).toBe('S\n\na\n\nNote on B3: check this\n\nin a box');
    expect(document.places.map(({ label }) => label)).toEqual(['S!A1', 'S!B3', 'S!E7']);
  });

  it('spends nothing on what a sheet declares without filling it', async () => {
    const data = `${cells(1, ['a'])}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`;
    const after =
      '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells><hyperlinks><hyperlink ref="A1:XFD1048576"/></hyperlinks>';
    const started = process.cpuUsage();
    const document = await read([{ name: 'S', data, after, dimension: 'A1:XFD1048576' }]);
    expect(document.text).toContain('1');
    expect(document.places.at(-1)?.label).toContain('1048576');
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  });

  it('reads files whose elements have a prefix, and cells without a reference', async () => {
    const bytes = xlsxOf([
      { name: 'S', data: '<x:row xmlns:x="m"><x:c><x:v>1</x:v></x:c><x:c t="str"><x:v>two</x:v></x:c></x:row>' },
    ]);
    const document = await parseFile({ name: 'a.xlsx', bytes });
    expect(document.text).toBe('S\n\n1 | two');
    expect(document.places[0]?.label).toBe('S!A1:B1');
  });

  it.each([
    ['no filled cell', xlsxOf([{ name: 'S', data: '' }]), 'invalid-media', 'no text'],
    [
      'XML that is not well-formed',
      xlsxOf([{ name: 'S', data: '<row><c></row>' }]),
      'invalid-media',
      'not well-formed',
    ],
    ['nested XML', xlsxOf([{ name: 'S', data: '<a>'.repeat(300) + '</a>'.repeat(300) }]), 'too-large', 'nests'],
  ])('refuses a file with %s', async (_, bytes, code, why) => {
    await expect(parseFile({ name: 'a.xlsx', bytes })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(why),
    });
  });

  it('refuses a file with a DTD', async () => {
    const bytes = xlsxOf([], { 'xl/workbook.xml': '<!DOCTYPE w [<!ENTITY a "b">]><workbook/>' });
    await expect(parseFile({ name: 'a.xlsx', bytes })).rejects.toThrow(/document type/u);
  });
});

describe('XLS', () => {
  const book = () => {
    const sheet = utils.aoa_to_sheet([
      ['Item', 'Price', 'When'],
      ['Tea', 2.5, 45356],
    ]);
    Object.assign(sheet['C2'] ?? {}, { z: 'd-mmm-yy' });
    Object.assign(sheet['B2'] ?? {}, { z: '0.00' });
    const result = utils.book_new();
    utils.book_append_sheet(result, sheet, 'Bill');
    return result;
  };

  it.each([
    ['biff8', 'a.xls'],
    ['xlsb', 'a.xlsb'],
  ] as const)('reads %s as XLSX is read', async (bookType, name) => {
    const bytes = new Uint8Array(write(book(), { bookType, type: 'buffer' }) as Buffer);
    const document = await parseFile({ name, bytes });
    expectWellFormed(document);
    expect(document.text).toBe('Bill\n\nItem | Price | When\nItem: Tea; Price: 2.50; When: 5-Mar-24 (2024-03-05)');
    expect(document.places.at(-1)?.label).toBe('Bill!A2:C2');
  });

  it('refuses a damaged file', async () => {
    const bytes = new Uint8Array(write(book(), { bookType: 'biff8', type: 'buffer' }) as Buffer);
    await expect(parseFile({ name: 'a.xls', bytes: bytes.subarray(0, 1400) })).rejects.toMatchObject({
      code: 'invalid-media',
    });
  });
});

describe('an XLS with a password', () => {
  it('is refused as such', async () => {
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet([['secret']]), 'S');
    const file = CFB.read(write(book, { bookType: 'biff8', type: 'buffer' }) as Buffer, { type: 'buffer' });
    const stream = Buffer.from((CFB.find(file, '/Workbook')?.content ?? []) as Uint8Array);
    // The record FilePass ([MS-XLS] §2.4.117), of the oldest kind, stands behind the first record.
    const first = 4 + stream.readUInt16LE(2);
    const filePass = Buffer.from([0x2f, 0, 6, 0, 0, 0, 0x12, 0x34, 0x56, 0x78]);
    const locked = CFB.utils.cfb_new();
    CFB.utils.cfb_add(
      locked,
      '/Workbook',
      Buffer.concat([stream.subarray(0, first), filePass, stream.subarray(first)]),
    );
    const bytes = new Uint8Array(CFB.write(locked, { type: 'buffer' }) as Buffer);
    await expect(parseFile({ name: 'a.xls', bytes })).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('password'),
    });
  });
});

describe('ODS', () => {
  const cell = (text: string, attributes = ''): string =>
    `<table:table-cell ${attributes}>${text === '' ? '' : `<text:p>${text}</text:p>`}</table:table-cell>`;
  const row = (content: string, attributes = ''): string =>
    `<table:table-row ${attributes}>${content}</table:table-row>`;
  const sheet = (rows: string, attributes = ''): string =>
    `<table:table table:name="Plan" ${attributes}>${rows}</table:table>`;
  const parse = async (body: string, styles = '') => {
    const document = await parseFile({ name: 'a.ods', bytes: openDocumentOf('spreadsheet', body, { styles }) });
    expectWellFormed(document);
    return document;
  };

  it('reads cells as displayed, dates with their ISO form, notes and text boxes', async () => {
    const document = await parse(
      sheet(
        row(cell('Item') + cell('Due')) +
          row(
            `<table:table-cell><office:annotation><text:p>ask <text:span>Ann</text:span></text:p></office:annotation><text:p>Tea</text:p></table:table-cell>` +
              cell('05.03.24', 'office:value-type="date" office:date-value="2024-03-05T00:00:00"'),
          ),
      ),
    );
    expect(document.text).toBe('Plan\n\nItem | Due\nItem: Tea; Due: 05.03.24 (2024-03-05)\n\nNote on A2: ask Ann');
    expect(document).toMatchObject({ title: 'Figures', language: 'de', metadata: { author: 'Ada' } });
  });

  it('gives the value of a cell whose text the program left out', async () => {
    const stored = (type: string, value: string): string => cell('', `office:value-type="${type}" ${value}`);
    const document = await parse(
      sheet(
        row(cell('Mean') + stored('float', 'office:value="12.098"') + stored('percentage', 'office:value="0.07"')) +
          row(
            stored('currency', 'office:value="5" office:currency="EUR"') +
              stored('boolean', 'office:boolean-value="true"') +
              stored('time', 'office:time-value="PT10H30M00S"') +
              stored('date', 'office:date-value="2024-03-05"') +
              stored('string', 'office:string-value="in full"'),
          ),
      ),
    );
    expect(document.text).toBe('Plan\n\nMean | 12.098 | 7%\n5 EUR | TRUE | 10:30:00 | 2024-03-05 | in full');
  });

  it('follows repetitions only as far as cells are filled', async () => {
    const document = await parse(
      sheet(
        row(cell('', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1000000"') +
          row(cell('x', 'table:number-columns-repeated="3"'), 'table:number-rows-repeated="2"'),
      ),
    );
    expect(document.text).toBe('Plan\n\nx | x | x\nx | x | x');
    expect(document.places.at(-1)?.label).toBe('Plan!A1000002:C1000002');
  });

  it('tells of hidden sheets and of repetitions that it cuts short', async () => {
    const document = await parse(
      sheet(row(cell('x'), 'table:number-rows-repeated="1000000"'), 'table:style-name="ta2"'),
      '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>',
    );
    expect(document.blocks.filter(({ kind }) => kind !== 'heading')).toHaveLength(1000);
    expect(document.warnings).toEqual(
      expect.arrayContaining([expect.stringContaining('sheet Plan'), expect.stringContaining('1000 times')]),
    );
  });
});

describe('cells', () => {
  it('names columns and finds cells', () => {
    expect([0, 25, 26, 701, 702, 16_383].map(columnName)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD']);
    expect(cellAt('$XFD$1048576')).toEqual({ row: 1_048_576, column: 16_383 });
    expect(['A0', 'XFE1', 'A1048577', '1A'].map(cellAt)).toEqual([undefined, undefined, undefined, undefined]);
    expect([placeLabel('Costs', 'A1'), placeLabel("Ann's", 'A1')]).toEqual(['Costs!A1', "'Ann''s'!A1"]);
  });

  it.each([
    [0.1 + 0.2, 'General', '0.3'],
    [1234.5, '#,##0.00', '1,234.50'],
    [-3, '0;(0)', '(3)'],
    [5, ';;;', '5'],
    [45356.5, 'yyyy-mm-dd hh:mm', '2024-03-05 12:00'],
    [45356, 'mmm yyyy', 'Mar 2024 (2024-03)'],
    [0.5, 'h:mm', '12:00'],
    [1.5, '[h]:mm', '36:00'],
    [45356, 'yyyy', '2024'],
    [45356.5, 'DD.MM.YYYY HH:MM', '05.03.2024 12:00 (2024-03-05 12:00)'],
    [45356, '[$-407]d. mmm yy;@', '5. Mar 24 (2024-03-05)'],
    [0.5, 'hh.mm', '12.00'],
    [0.50001, 'mm:ss.0', '00:00.9'],
    [45356, 'dd."."yyyy', '05..2024 (2024-03-05)'],
  ])('displays %d in %s as %s', (value, format, text) => {
    expect(displayNumber(value, format, false).text).toBe(text);
  });
});

const folder = sharedData('documents', 'office');
describe.skipIf(folder === undefined)('real spreadsheets', () => {
  it.each(['markitdown-test.xlsx', 'markitdown-test.xls'])('%s', async (name) => {
    const document = await parseFile({ name, bytes: new Uint8Array(readFileSync(`${folder}/${name}`)) });
    expectWellFormed(document);
    expect(document.text).toContain('Alpha: 58; Beta: 6ff4173b-42a5-4784-9b19-f49caff4d93d; Gamma: 22; Delta: 9');
    expect(document.text).toContain('ColD: affc7dad-52dc-4b98-9b5d-51e65d8a8ad0');
    expect(document.headings).toHaveLength(2);
  });
});
