// A small sound file of every kind that can be written by hand, each with what its kind is read for. The same bytes at any time and on any machine.
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { fuzzSeeds } from '../../packages/readers/testkit/fuzz-seeds.ts';
import {
  cells,
  epubOf,
  openDocumentOf,
  pptxOf,
  shape,
  xlsxOf,
} from '../../packages/readers/testkit/office-fixtures.ts';
import { relationships, zipOf } from '../../packages/readers/testkit/zip-fixture.ts';

export interface ReadingSample {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Kinds without a sample: pictures are read by recognition, which takes seconds, and the others cannot be written in a few lines. */
export const withoutSample: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/tiff',
  'image/webp',
  'image/bmp',
  'image/gif',
  'application/vnd.ms-powerpoint',
  'application/vnd.visio',
  'application/vnd.oasis.opendocument.graphics',
  'application/ms-tnef',
  'application/vnd.apple.pages',
  'application/vnd.apple.keynote',
  'application/vnd.apple.numbers',
]);

const texts: Readonly<Record<string, string>> = {
  'b.md': `# Prices\n\nWhat things cost.[^1]\n\n## Tools\n\n| item | price |\n|---|---:|\n| anvil | 40 |\n| bellows | 12.50 |\n\n1. one\n2. two\n   - inner\n\n> A quote\n> of two lines.\n\n~~~py\nprint("x")\n~~~\n\n[^1]: In euro.\n`,
  'b.html': `<!doctype html><html lang="en"><head><title>Prices</title><meta name="author" content="Ada"></head><body><nav><a href="/">Home</a> <a href="/x">Other</a></nav><article><h1>Prices</h1><p>What things <b>cost</b>, as of <time datetime="2024-03-05">5 March</time>.</p><h2>Tools</h2><table><thead><tr><th>item<th>price<tbody><tr><td>anvil<td>40<tr><td>bellows<td>12.50</table><ul><li>one<li>two</ul><pre>a\n  b</pre></article><footer>Imprint</footer></body></html>`,
  'b.csv': 'item;price;date\nanvil;40,00;2024-03-05\nbellows;12,50;2024-03-06\n',
  'b.json': '[{"name":"anvil","price":40},{"name":"bellows","price":12.5}]',
  'b.eml':
    'From: Ada <a@example.org>\r\nTo: Bob <b@example.org>\r\nSubject: Plan\r\nDate: Tue, 05 Mar 2024 10:00:00 +0100\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="y"\r\n\r\n--y\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHello Bob,\r\n\r\nhere it is.\r\n\r\n-- \r\nAda\r\n\r\nOn Monday Bob wrote:\r\n> Where is it?\r\n--y\r\nContent-Type: text/html\r\n\r\n<p>Hello Bob,<p>here it is.\r\n--y--\r\n',
  'a.tsx': 'export function A({ b }: { b: string }) {\n  return <p>{b}</p>;\n}\n',
  'a.js': 'class A {\n  b(x) {\n    return x + 1;\n  }\n}\n',
  'a.ps1': 'function Get-B {\n  param($x)\n  return $x + 1\n}\n',
  'a.kt': 'class A {\n  fun b(x: Int): Int = x + 1\n}\n',
  'a.swift': 'struct A {\n  func b(x: Int) -> Int { x + 1 }\n}\n',
};

function wordFile(): Uint8Array {
  const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
  const heading = `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>${run('Prices')}</w:p>`;
  const row = (...values: string[]): string =>
    `<w:tr>${values.map((value) => `<w:tc><w:p>${run(value)}</w:p></w:tc>`).join('')}</w:tr>`;
  const body = `${heading}<w:p>${run('What things ')}${run('cost.')}</w:p><w:tbl>${row('item', 'price')}${row('anvil', '40')}</w:tbl>`;
  return zipOf({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels': relationships({ rId1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  });
}

async function pdfFile(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const number of [1, 2]) {
    const page = document.addPage([400, 300]);
    const line = (text: string, x: number, y: number, size = 11): void => page.drawText(text, { x, y, size, font });
    line(`Prices, part ${number}`, 40, 260, 20);
    line('What things cost, as they were in March,', 40, 220);
    line('and what they cost now.', 40, 206);
    for (const [at, [item, price]] of [
      ['item', 'price'],
      ['anvil', '40'],
      ['bellows', '12.50'],
    ].entries()) {
      line(String(item), 40, 170 - 16 * at);
      line(String(price), 200, 170 - 16 * at);
    }
    line(`Page ${number}`, 180, 20, 8);
  }
  document.setTitle('Prices');
  document.setCreationDate(new Date('2024-03-05T10:00:00Z'));
  document.setModificationDate(new Date('2024-03-05T10:00:00Z'));
  return document.save({ useObjectStreams: false });
}

const officeFiles = (): readonly ReadingSample[] => [
  { name: 'b.docx', bytes: wordFile() },
  {
    name: 'b.xlsx',
    bytes: xlsxOf([
      { name: 'Costs', data: cells(1, ['item', 'price']) + cells(2, ['anvil', 40]) + cells(3, ['bellows', 12.5]) },
      { name: 'More', data: cells(1, ['a note']) },
    ]),
  },
  {
    name: 'b.pptx',
    bytes: pptxOf([
      { shapes: shape('Prices', [0, 0], 'title') + shape('one\ntwo', [0, 500], 'body'), notes: 'Say it.' },
      { shapes: shape('A note', [0, 0]) },
    ]),
  },
  {
    name: 'b.odt',
    bytes: openDocumentOf('text', '<text:h text:outline-level="1">Prices</text:h><text:p>What things cost.</text:p>'),
  },
  {
    name: 'b.ods',
    bytes: openDocumentOf(
      'spreadsheet',
      '<table:table table:name="Costs"><table:table-row><table:table-cell><text:p>item</text:p></table:table-cell><table:table-cell><text:p>price</text:p></table:table-cell></table:table-row></table:table>',
    ),
  },
  {
    name: 'b.odp',
    bytes: openDocumentOf(
      'presentation',
      '<draw:page draw:name="One"><draw:frame><draw:text-box><text:p>Prices</text:p></draw:text-box></draw:frame></draw:page>',
    ),
  },
  {
    name: 'b.epub',
    bytes: epubOf({ 'one.xhtml': '<h1>One</h1><p>Text of it.</p>', 'two.xhtml': '<h1>Two</h1><p>More.</p>' }),
  },
];

/** Among the seeds, those that say when they were made, and archives, whose files are samples themselves. */
const left: ReadonlySet<string> = new Set(['a.docx', 'a.pdf', 'a.zip', 'a.txt.gz', 'a.gif']);

export async function readingSamples(): Promise<readonly ReadingSample[]> {
  const seeds = (await fuzzSeeds()).filter(({ name }) => !left.has(name));
  return [
    ...seeds,
    ...Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    ...officeFiles(),
    { name: 'b.pdf', bytes: await pdfFile() },
  ];
}
