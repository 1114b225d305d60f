// Rows below a header of several levels say each figure with all that stands above it, whichever program wrote the table and whether it marks its header.
import { describe, expect, it } from 'vitest';
import { headerLevels } from '../../src/canonical/table-grid.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { openDocumentOf, pptxOf } from '../../testkit/office-fixtures.ts';
import { relationships, zipOf } from '../../testkit/zip-fixture.ts';

/** A cell, and over how many columns it goes. */
type Cell = readonly [text: string, columns?: number];
const tram: readonly (readonly Cell[])[] = [
  [['Route'], ['Weekdays', 2], ['Weekend', 2]],
  [[''], ['First'], ['Last'], ['First'], ['Last']],
  [['Line 7'], ['05:10'], ['23:40'], ['07:30'], ['22:15']],
  [['Line 9'], ['05:20'], [''], ['07:50'], ['20:00']],
];
const rows = (
  table: typeof tram,
  row: (cells: string) => string,
  cell: (text: string, columns: number) => string,
): string => table.map((cells) => row(cells.map(([text, columns = 1]) => cell(text, columns)).join(''))).join('');

const files: Readonly<Record<string, readonly [name: string, bytes: () => Uint8Array]>> = {
  DOCX: [
    'a.docx',
    () =>
      zipOf({
        '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        '_rels/.rels': relationships({ rId1: ['officeDocument', 'word/document.xml'] }),
        'word/document.xml': `<w:document xmlns:w="w"><w:body><w:tbl>${rows(
          tram,
          (cells) => `<w:tr>${cells}</w:tr>`,
          (text, columns) =>
            `<w:tc><w:tcPr><w:gridSpan w:val="${columns}"/></w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`,
        )}</w:tbl></w:body></w:document>`,
      }),
  ],
  ODT: [
    'a.odt',
    () =>
      openDocumentOf(
        'text',
        `<table:table>${rows(
          tram,
          (cells) => `<table:table-row>${cells}</table:table-row>`,
          (text, columns) =>
            `<table:table-cell table:number-columns-spanned="${columns}"><text:p>${text}</text:p></table:table-cell>${'<table:covered-table-cell/>'.repeat(columns - 1)}`,
        )}</table:table>`,
      ),
  ],
  PPTX: [
    'a.pptx',
    () =>
      pptxOf([
        {
          shapes: `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${rows(
            tram,
            (cells) => `<a:tr>${cells}</a:tr>`,
            (text, columns) =>
              `<a:tc gridSpan="${columns}"><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>${'<a:tc hMerge="1"><a:txBody><a:p/></a:txBody></a:tc>'.repeat(columns - 1)}`,
          )}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
        },
      ]),
  ],
  HTML: [
    'a.html',
    () =>
      new TextEncoder().encode(
        `<table>${rows(
          tram,
          (cells) => `<tr>${cells}</tr>`,
          (text, columns) => `<td colspan="${columns}">${text}</td>`,
        )}</table>`,
      ),
  ],
  'marked HTML': [
    'a.html',
    () =>
      new TextEncoder().encode(
        `<table><thead><tr><th rowspan="2">Route<th colspan="2">Weekdays<th colspan="2">Weekend<tr><th>First<th>Last<th>First<th>Last</thead>${rows(
          tram.slice(2),
          (cells) => `<tr>${cells}</tr>`,
          (text) => `<td>${text}</td>`,
        )}</table>`,
      ),
  ],
};

it.each(Object.entries(files))('%s', async (_, [name, bytes]) => {
  const { text } = await parseFile({ name, bytes: bytes() });
  expect(text.split('\n').slice(-2)).toEqual([
    'Route: Line 7; Weekdays First: 05:10; Weekdays Last: 23:40; Weekend First: 07:30; Weekend Last: 22:15',
    'Route: Line 9; Weekdays First: 05:20; Weekend First: 07:50; Weekend Last: 20:00',
  ]);
});

describe('a header of several levels', () => {
  const levels = (table: typeof tram): number =>
    headerLevels(table.map((cells) => cells.map(([text, columns = 1]) => ({ text, columns, continues: false }))));
  it.each<[number, typeof tram]>([
    [2, tram],
    [0, [[['Fares', 3]], [['Zone'], ['Adults', 2]], [[''], ['day'], ['week']], [['A'], ['3'], ['12']]]],
    [
      2,
      [
        [['Firm'], ['Sales', 2]],
        [[''], ['2022'], ['2023']],
        [['Ada'], ['31'], ['35']],
      ],
    ],
    [
      2,
      [
        [['Team'], ['Home', 2], ['Away', 2]],
        [[''], ['shirt'], ['socks'], ['shirt'], ['socks']],
        [['Larks'], ['red'], ['red'], ['blue'], ['white']],
      ],
    ],
    [2, [...tram, [['All trams stop at midnight', 5]]]],
    // None of these has one.
    [
      0,
      [
        [['Name'], ['Price']],
        [['Ada'], ['3']],
      ],
    ],
    [
      0,
      [
        [['Name'], ['Contact', 2]],
        [['Ada'], ['Oslo'], ['north']],
        [['Bo'], ['Rome'], ['south']],
      ],
    ],
    [
      0,
      [
        [['Name'], ['Contact', 2]],
        [['Ada'], ['0142'], ['9']],
        [['Bo'], ['0143'], ['8']],
      ],
    ],
    [0, [[['Note', 3]]]],
    [
      0,
      [
        [['Day'], ['Work', 2]],
        [['Monday'], ['boat', 2]],
        [['Tuesday'], ['car', 2]],
      ],
    ],
  ])('has %i rows', (count, table) => {
    expect(levels(table)).toBe(count);
  });
});
