// Files made to hurt whoever parses them, generated, a few hundred KB at most as they lie on disk: bombs, loops, lies about sizes, depth
// without end, and text on which naive parsers take quadratic time. None of them may cost more than itself.
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { agileOf } from './office-seal.ts';
import { type ZipMember, zipFile } from './zip-file.ts';

export interface HostileFile {
  readonly name: string;
  /** What it tries. */
  readonly tries: string;
  readonly bytes: () => Uint8Array;
}

const mebibyte = 1024 * 1024;
const text = (content: string) => (): Uint8Array => new TextEncoder().encode(content);
const file = (name: string, tries: string, bytes: () => Uint8Array): HostileFile => ({ name, tries, bytes });

function tarFile(entries: readonly { name: string; type: string; link?: string; content?: string }[]): Buffer {
  const blocks = entries.flatMap(({ name, type, link = '', content = '' }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000644\0', 100);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('        ', 148);
    header.write(type, 156);
    header.write(link, 157);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
    body.write(content, 0);
    return [header, body];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function nestedZip(levels: number): Buffer {
  let bytes = zipFile([{ name: 'core.txt', content: 'core' }]);
  for (let level = 0; level < levels; level++) bytes = zipFile([{ name: 'inner.zip', content: bytes }]);
  return bytes;
}

/** The parts that make a ZIP an office file. */
function office(kind: 'docx' | 'xlsx' | 'pptx', members: readonly ZipMember[]): Buffer {
  const main = { docx: 'word/document.xml', xlsx: 'xl/workbook.xml', pptx: 'ppt/presentation.xml' }[kind];
  const type = {
    docx: 'wordprocessingml.document.main',
    xlsx: 'spreadsheetml.sheet.main',
    pptx: 'presentationml.presentation.main',
  }[kind];
  const types = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/></Types>`;
  const relations = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${main}"/></Relationships>`;
  return zipFile([
    { name: '[Content_Types].xml', content: types },
    { name: '_rels/.rels', content: relations },
    ...members,
  ]);
}

const wordOf = (body: string, before = ''): string =>
  `<?xml version="1.0"?>${before}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;

const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(100)}"><!ENTITY c "${'&b;'.repeat(100)}"><!ENTITY d "${'&c;'.repeat(100)}">]>`;

function sheetOfEverything(): Buffer {
  const space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const relations =
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>';
  return office('xlsx', [
    {
      name: 'xl/workbook.xml',
      content: `<?xml version="1.0"?><workbook ${space} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="All" sheetId="1" r:id="s1"/></sheets></workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', content: relations },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<?xml version="1.0"?><worksheet ${space}><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>first</t></is></c></row><row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>last</t></is></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>`,
    },
  ]);
}

/** A PNG of one pixel's data that says it is `side` pixels wide and high. */
function hugePng(side: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(64))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function pdfOf(objects: readonly string[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  let at = parts[0]?.length ?? 0;
  const offsets: number[] = [];
  objects.forEach((object, index) => {
    const bytes = Buffer.from(`${index + 1} 0 obj\n${object}\nendobj\n`, 'latin1');
    offsets.push(at);
    at += bytes.length;
    parts.push(bytes);
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

function flateStream(content: Buffer, times: number): string {
  let packed = content;
  for (let round = 0; round < times; round++) packed = deflateSync(packed);
  const filters = Array.from({ length: times }, () => '/FlateDecode').join(' ');
  return `<</Length ${packed.length}/Filter [${filters}]>>\nstream\n${packed.toString('latin1')}\nendstream`;
}

const onePage = (content: string): readonly string[] => [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>',
  content,
];

export const hostileFiles: readonly HostileFile[] = [
  file('flat-bomb.zip', 'unpacks to 64 MiB of zeros', () =>
    zipFile([{ name: 'zeros.txt', content: Buffer.alloc(64 * mebibyte) }]),
  ),
  file('sharing.zip', 'ten thousand entries share one file', () =>
    zipFile(
      Array.from({ length: 10_000 }, (_, at) => ({ name: `${at}.txt`, content: 'x' })),
      { sharing: true },
    ),
  ),
  file('crowd.zip', '20,000 entries', () =>
    zipFile(Array.from({ length: 20_000 }, (_, at) => ({ name: `${at}.txt`, content: '' }))),
  ),
  file('slip.zip', 'paths that lead out, absolute ones, links', () =>
    zipFile([
      { name: '../../../../tmp/escaped.txt', content: 'x' },
      { name: '/etc/escaped.txt', content: 'x' },
      { name: 'link', content: '/etc/passwd', mode: 0o120777 },
      { name: 'harmless.txt', content: 'harmless' },
    ]),
  ),
  file('nested.zip', 'archives in archives, 12 deep', () => nestedZip(12)),
  file('lying.zip', 'sizes that are not those of the files', () =>
    zipFile([
      { name: 'longer.txt', content: 'x'.repeat(mebibyte), claimedBytes: 1 },
      { name: 'shorter.txt', content: 'x', claimedBytes: 1000 },
    ]),
  ),
  file('secret.zip', 'encrypted', () => zipFile([{ name: 'a.txt', content: 'a', isEncrypted: true }])),
  file('bomb.txt.gz', 'unpacks to 64 MiB of zeros', () => gzipSync(Buffer.alloc(64 * mebibyte))),
  file('bomb.bz2', 'unpacks to 64 MB of zeros, a million to one', () =>
    Buffer.from(
      'QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZFwkgoACKo8EAwABAAAAIIAAwzAUppqhJIbAiSQ8XckU4UJALGuUe',
      'base64',
    ),
  ),
  file('bomb.zst', 'unpacks to 64 MiB of zeros', () => zstdCompressSync(Buffer.alloc(64 * mebibyte))),
  file('spin.docx', 'encrypted, with four billion rounds of hashing for each password', () =>
    agileOf(Buffer.from('x'), 'x', {
      hash: 'sha512',
      keyBits: 256,
      spins: 1,
      spoil(streams) {
        streams.info = streams.info.replace('spinCount="1"', 'spinCount="4000000000"');
      },
    }),
  ),
  file('bomb.tar.gz', 'a tar of 64 MiB of spaces', () =>
    gzipSync(tarFile([{ name: 'spaces.txt', type: '0', content: ' '.repeat(64 * mebibyte) }])),
  ),
  file('links.tar', 'links, devices, paths that lead out', () =>
    tarFile([
      { name: 'link', type: '2', link: '/etc/passwd' },
      { name: 'hard', type: '1', link: '../outside' },
      { name: 'device', type: '3' },
      { name: '../out.txt', type: '0', content: 'x' },
      { name: 'harmless.txt', type: '0', content: 'harmless' },
    ]),
  ),
  file('cut.tar.gz', 'ends in the middle', () => {
    const whole = gzipSync(tarFile([{ name: 'a.txt', type: '0', content: 'text '.repeat(10_000) }]));
    return whole.subarray(0, whole.length >> 1);
  }),
  file('laughs.docx', 'entities that expand to a million', () =>
    office('docx', [{ name: 'word/document.xml', content: wordOf('<w:p><w:r><w:t>&d;</w:t></w:r></w:p>', laughs) }]),
  ),
  file('outside.docx', 'an entity of a file of the system', () =>
    office('docx', [
      {
        name: 'word/document.xml',
        content: wordOf(
          '<w:p><w:r><w:t>&x;</w:t></w:r></w:p>',
          '<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        ),
      },
    ]),
  ),
  file('deep.docx', 'tables in tables, 20,000 deep', () =>
    office('docx', [
      {
        name: 'word/document.xml',
        content: wordOf(`${'<w:tbl><w:tr><w:tc>'.repeat(20_000)}${'</w:tc></w:tr></w:tbl>'.repeat(20_000)}`),
      },
    ]),
  ),
  file('zeros.docx', 'a part that unpacks to 64 MiB', () =>
    office('docx', [{ name: 'word/document.xml', content: wordOf(' '.repeat(64 * mebibyte)) }]),
  ),
  file('everything.xlsx', 'a sheet that says it has 17 thousand million cells', sheetOfEverything),
  file('laughs.xml', 'entities that expand to a million', text(`<?xml version="1.0"?>${laughs}<x>&d;</x>`)),
  file('deep.xml', 'elements 100,000 deep', text(`${'<a>'.repeat(100_000)}x${'</a>'.repeat(100_000)}`)),
  file('laughs.yaml', 'aliases that expand to thousands of millions', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level++)
      lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]`);
    return Buffer.from(lines.join('\n'));
  }),
  file('deep.json', 'arrays 200,000 deep', text('['.repeat(200_000) + ']'.repeat(200_000))),
  file(
    'proto.json',
    'keys that are properties of every object',
    text('{"__proto__":{"x":1},"constructor":{"prototype":{"y":2}}}'),
  ),
  file('deep.ipynb', 'a notebook nested without end', text(`{"cells":${'[{"cells":'.repeat(50_000)}[]`)),
  file(
    'openers.md',
    'brackets that make link parsers quadratic',
    text(`# Open\n\n${`${'[a]('.repeat(1000)}\n`.repeat(60)}`),
  ),
  file('stars.md', 'emphasis that makes parsers quadratic', text('**a '.repeat(40_000))),
  file('quotes.md', 'quotes 20,000 deep', text(`${'>'.repeat(20_000)} x`)),
  file('deep.html', 'elements 200,000 deep', text(`<html><body>${'<div>'.repeat(200_000)}x`)),
  file(
    'attributes.html',
    '200,000 attributes',
    text(`<html><body><p ${Array.from({ length: 200_000 }, (_, at) => `a${at}=1`).join(' ')}>x</p>`),
  ),
  file('tables.html', 'tables in tables, 3,000 deep', text(`<html><body>${'<table><tr><td>'.repeat(3000)}x`)),
  file('wide.csv', 'a row of a million cells', text(`${'a,'.repeat(1_000_000)}b\n1,2\n`)),
  file('quote.csv', 'a quotation mark that is never closed', text(`a,b\n"${'x,y\n'.repeat(200_000)}`)),
  file('groups.rtf', 'groups 100,000 deep', text(`{\\rtf1 ${'{'.repeat(100_000)}x${'}'.repeat(100_000)}}`)),
  file('parts.eml', 'parts in parts, 2,000 deep', () => {
    const head = Array.from(
      { length: 2000 },
      (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`,
    );
    return Buffer.from(`From: a@example.org\r\nSubject: Parts\r\nMIME-Version: 1.0\r\n${head.join('')}\r\nx`);
  }),
  file('headers.eml', '100,000 header lines', text(`${'X-Header: value\r\n'.repeat(100_000)}\r\nText.`)),
  file(
    'repeat.ics',
    'an event every second for ever',
    text(
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20200101T000000Z\r\nRRULE:FREQ=SECONDLY\r\nSUMMARY:Tick\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    ),
  ),
  file(
    'braces.tex',
    'groups 50,000 deep',
    text(`\\documentclass{article}\\begin{document}${'{'.repeat(50_000)}x${'}'.repeat(50_000)}\\end{document}`),
  ),
  file(
    'include.tex',
    'reads a file of the system',
    text('\\documentclass{article}\\begin{document}\\input{/etc/passwd}Text.\\end{document}'),
  ),
  file('include.rst', 'reads a file of the system', text('Title\n=====\n\n.. include:: /etc/passwd\n\nText.\n')),
  file('huge.png', 'says that it has 60,000 by 60,000 pixels', () => hugePng(60_000)),
  file('bomb.pdf', 'a content stream deflated three times, 64 MiB', () =>
    pdfOf(onePage(flateStream(Buffer.alloc(64 * mebibyte, 0x20), 3))),
  ),
  file('loop.pdf', 'a page tree that is its own child', () =>
    pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R 2 0 R]/Count 1000000>>']),
  ),
  file('form-loop.pdf', 'a form that draws itself', () =>
    pdfOf([
      ...onePage('<</Length 6>>\nstream\n/X Do \nendstream').map((object) =>
        object.replace('/Resources<<', '/Resources<</XObject<</X 5 0 R>>'),
      ),
      '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>/Length 12>>\nstream\n/X Do /X Do \nendstream',
    ]),
  ),
  file('glyphs.pdf', 'a million glyphs on one page', () =>
    pdfOf(onePage(flateStream(Buffer.from(`BT /F1 1 Tf 10 10 Td ${'(aaaaaaaaaa) Tj '.repeat(100_000)} ET`), 1))),
  ),
  file('script.pdf', 'a script to be run when it is opened', () =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(while(true){})>>>>',
      ...onePage('<</Length 38>>\nstream\nBT /F1 12 Tf 10 10 Td (Text.) Tj ET    \nendstream').slice(1),
    ]),
  ),
  file('not.docx', 'plain text under the name of an office file', text('Only text.')),
  file('noise.pdf', 'a PDF in its first line only', text(`%PDF-1.7\n${'\u0001\u0002\u0003'.repeat(1000)}`)),
  file('noise.bin', 'bytes of nothing', () => Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919) % 256))),
  file('wide.txt', 'one word of 5 MB', text('a'.repeat(5_000_000))),
  file('marks.txt', 'a letter with 200,000 accents', text(`a${'\u0301'.repeat(200_000)}`)),
  file('lines.sql', 'a comment that is never closed', text(`SELECT 1;\n/*${'* '.repeat(200_000)}`)),
  file('deep.ts', 'brackets 50,000 deep', text(`const x = ${'('.repeat(50_000)}1${')'.repeat(50_000)};`)),
  file(
    'times.vtt',
    '50,000 subtitles that overlap',
    text(`WEBVTT\n\n${'00:00:00.000 --> 99:59:59.999\nx\n\n'.repeat(50_000)}`),
  ),
];
