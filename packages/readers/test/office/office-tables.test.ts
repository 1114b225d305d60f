// Tables of office files that are more than rows of equal cells: merged cells, tables in cells, headers that the file declares.
import { describe, expect, it } from 'vitest';
import { createTableGrid } from '../../src/canonical/table-grid.ts';
import type { ParsedDocument } from '../../src/document.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { cells, openDocumentOf, pptxOf, xlsxOf } from '../../testkit/office-fixtures.ts';
import { placeOf } from '../../testkit/program.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';
import { relationships, zipOf } from '../../testkit/zip-fixture.ts';

const parse = async (name: string, bytes: Uint8Array): Promise<ParsedDocument> => {
  const document = await parseFile({ name, bytes });
  expectWellFormed(document);
  return document;
};

describe('tables of DOCX', () => {
  const docx = (body: string): Uint8Array =>
    zipOf({
      '_rels/.rels': relationships({ rId1: ['officeDocument', 'word/document.xml'] }),
      'word/document.xml': `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    });
  const cell = (content: string, properties = ''): string =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${content.startsWith('<') ? content : `<w:p><w:r><w:t>${content}</w:t></w:r></w:p>`}</w:tc>`;
  const row = (...content: readonly string[]): string => `<w:tr>${content.join('')}</w:tr>`;
  const table = (...rows: readonly string[]): string => `<w:tbl>${rows.join('')}</w:tbl>`;

  it('keep figures under their headers where cells are merged', async () => {
    const merged = table(
      row(cell('Region', '<w:vMerge w:val="restart"/>'), cell('Sales', '<w:gridSpan w:val="2"/>'), cell('Staff')),
      row(cell('', '<w:vMerge/>'), cell('2023'), cell('2024'), cell('2024')),
      row(cell('Europe', '<w:vMerge w:val="restart"/>'), cell('5'), cell('6'), cell('7')),
      row(cell('', '<w:vMerge/>'), cell('8'), cell('9'), cell('10')),
      '<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr><w:tc><w:p><w:r><w:t>only here</w:t></w:r></w:p></w:tc></w:tr>',
    );
    expect((await parse('a.docx', docx(merged))).text).toBe(
      [
        'Region | Sales |  | Staff',
        'Region | 2023 | 2024 | 2024',
        'Region: Europe; Sales 2023: 5; Sales 2024: 6; Staff 2024: 7',
        'Region: Europe; Sales 2023: 8; Sales 2024: 9; Staff 2024: 10',
        '| only here',
      ].join('\n'),
    );
  });

  it('name the columns by the rows that Word repeats as headers', async () => {
    const header = (...content: readonly string[]): string =>
      `<w:tr><w:trPr><w:tblHeader/></w:trPr>${content.join('')}</w:tr>`;
    const twoRows = table(
      header(cell('Region', '<w:vMerge w:val="restart"/>'), cell('Sales', '<w:gridSpan w:val="2"/>')),
      header(cell('', '<w:vMerge/>'), cell('2023'), cell('2024')),
      row(cell('Europe'), cell('5'), cell('6')),
      row(cell('Total of all regions', '<w:gridSpan w:val="3"/>')),
      row(cell('Asia'), cell(''), cell('9')),
    );
    expect((await parse('a.docx', docx(twoRows))).text).toBe(
      [
        'Region | Sales',
        'Region | 2023 | 2024',
        'Region: Europe; Sales 2023: 5; Sales 2024: 6',
        'Total of all regions',
        'Region: Asia; Sales 2024: 9',
      ].join('\n'),
    );
  });

  it('stay rows where one cell holds a table, and are read as their contents where most do', async () => {
    const inner = table(row(cell('x'), cell('1')), row(cell('y'), cell('2')));
    const mostly = table(
      row(cell('Part'), cell('Detail')),
      row(cell('Motor'), cell('strong')),
      row(cell('Pump'), cell(`${inner}<w:p/>`)),
    );
    expect((await parse('a.docx', docx(mostly))).text).toBe('Part | Detail\nMotor | strong\nPump | x | 1 y | 2');
    const layout = table(row(cell('Left'), cell(`${inner}<w:p/>`)));
    expect((await parse('a.docx', docx(layout))).text).toBe('Left\n\nx | 1\ny | 2');
  });
});

describe('tables of slides and of ODT', () => {
  it('keep figures under their headers where cells are merged', async () => {
    const cell = (text: string, attributes = ''): string =>
      `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const table = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>${cell('Region')}${cell('Sales', 'gridSpan="2"')}${cell('', 'hMerge="1"')}${cell('Staff')}</a:tr><a:tr>${cell('Europe', 'rowSpan="2"')}${cell('5')}${cell('6')}${cell('7')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('8')}${cell('9')}${cell('10')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    expect((await parse('a.pptx', pptxOf([{ shapes: table }]))).text).toBe(
      'Slide 1\n\nRegion | Sales |  | Staff\nEurope | 5 | 6 | 7\nEurope | 8 | 9 | 10',
    );
    const filled = (text: string, attributes = ''): string =>
      `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
    const covered = '<table:covered-table-cell/>';
    const odt = `<table:table><table:table-header-rows><table:table-row>${filled('Region')}${filled('Sales', 'table:number-columns-spanned="2"')}${covered}${filled('Staff')}</table:table-row></table:table-header-rows><table:table-row>${filled('Europe', 'table:number-rows-spanned="2"')}${filled('5')}${filled('6')}${filled('7')}</table:table-row><table:table-row>${covered}${filled('8')}<table:table-cell/>${filled('10')}</table:table-row></table:table>`;
    expect((await parse('a.odt', openDocumentOf('text', odt))).text).toBe(
      [
        'Region | Sales |  | Staff',
        'Region: Europe; Sales: 5; Sales: 6; Staff: 7',
        'Region: Europe; Sales: 8; Staff: 10',
      ].join('\n'),
    );
  });
});

describe('ODT', () => {
  const text = (content: string): string => `<text:p>${content}</text:p>`;
  const row = (...content: readonly string[]): string =>
    `<table:table-row>${content.map((one) => `<table:table-cell>${text(one)}</table:table-cell>`).join('')}</table:table-row>`;

  it('does not take the first of names and values for a header, though Writer marks it', async () => {
    const table = `<table:table><table:table-header-rows>${row('Name', 'Ann')}</table:table-header-rows>${row('Age', '5')}</table:table>`;
    expect((await parse('a.odt', openDocumentOf('text', table))).text).toBe('Name | Ann\nAge | 5');
  });

  it('reads charts with their figures', async () => {
    const chart = `<office:document-content xmlns:office="o" xmlns:chart="c" xmlns:table="t" xmlns:text="x"><office:body><office:chart><chart:chart><chart:title>${text('Visitors')}</chart:title><table:table table:name="local-table"><table:table-header-rows>${row('', 'Hall A', 'Hall B')}</table:table-header-rows><table:table-rows>${row('May', '120', 'NaN')}${row('June', '180', '95')}</table:table-rows></table:table></chart:chart></office:chart></office:body></office:document-content>`;
    const body = `${text('Before')}<text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>`;
    const document = await parse('a.odt', openDocumentOf('text', body, { extra: { 'Object 1/content.xml': chart } }));
    expect(document.text).toBe('Before\n\nChart: Visitors\nMay; Hall A: 120\nJune; Hall A: 180; Hall B: 95');
  });
});

describe('a grid', () => {
  it('is bounded, whatever a file says of its cells', () => {
    const grid = createTableGrid();
    const wide = { text: 'a', columns: 1e9, continues: false };
    expect(grid.line([wide, wide], { freeColumns: 1e9 }).length).toBeLessThan(1000);
    expect(grid.line([{ text: 'a', columns: Number.NaN, continues: false }], { freeColumns: -3 })).toBe('a');
  });
});

describe('headers that a workbook declares', () => {
  const words = cells(1, ['Owner', 'City']) + cells(2, ['Ann', 'Oslo']) + cells(3, ['Bob', 'Rome']);
  const tableAt = (ref: string, more = ''): Record<string, string> => ({
    'xl/worksheets/_rels/sheet1.xml.rels': relationships({ rIdT: ['table', '../tables/table1.xml'] }),
    'xl/tables/table1.xml': `<table xmlns="m" ref="${ref}" ${more}/>`,
  });

  it('name columns of nothing but words', async () => {
    const undeclared = await parse('a.xlsx', xlsxOf([{ name: 'S', data: words }]));
    expect(undeclared.text).toContain('Ann | Oslo');
    const declared = await parse('a.xlsx', xlsxOf([{ name: 'S', data: words }], tableAt('A1:B3')));
    expect(declared.text).toBe('S\n\nOwner | City\nOwner: Ann; City: Oslo\nOwner: Bob; City: Rome');
    const start = declared.text.indexOf('Owner: Bob');
    expect(placeOf(declared.places, { start, end: start + 5 })).toBe('S!A3:B3');
    const filtered = await parse('a.xlsx', xlsxOf([{ name: 'S', data: words, after: '<autoFilter ref="A1:B3"/>' }]));
    expect(filtered.text).toBe(declared.text);
    const headless = await parse(
      'a.xlsx',
      xlsxOf([{ name: 'S', data: words }], tableAt('A1:B3', 'headerRowCount="0"')),
    );
    expect(headless.text).toContain('Ann | Oslo');
  });

  it('are told by figures that were typed as text', async () => {
    const data = cells(1, ['Supplier', 'Discount']) + cells(2, ['Nordprint', '12 percent']) + cells(3, ['Fair', '€ 3']);
    expect((await parse('a.xlsx', xlsxOf([{ name: 'S', data }]))).text).toBe(
      'S\n\nSupplier | Discount\nSupplier: Nordprint; Discount: 12 percent\nSupplier: Fair; Discount: € 3',
    );
  });

  it('begin a table where no empty row does, its title above it', async () => {
    const data =
      cells(1, ['Total', 5]) +
      cells(2, ['Mean', 2]) +
      cells(3, ['People']) +
      cells(4, ['Owner', 'City']) +
      cells(5, ['Ann', 'Oslo']);
    const document = await parse('a.xlsx', xlsxOf([{ name: 'S', data }], tableAt('A4:B5')));
    expect(document.text).toBe('S\n\nTotal | 5\nMean | 2\n\nPeople\n\nOwner | City\nOwner: Ann; City: Oslo');
  });
});
