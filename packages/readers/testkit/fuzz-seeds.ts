// Small sound files of every kind that can be written by hand, to be spoiled.
import { gzipSync } from 'node:zlib';
import { Document, Packer, Paragraph, Table, TableCell, TableRow } from 'docx';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { gifOf } from './gif-fixture.ts';
import { membersOf, type Seed } from './mutate.ts';
import { docWithPictures, xlsWithPicture } from './older-office-fixture.ts';
import { messageOf } from './outlook-fixture.ts';
import { pngOf } from './picture-fixture.ts';
import { binaryPlist } from './property-list-fixture.ts';
import { zipFile } from './zip-file.ts';

const texts: Readonly<Record<string, string>> = {
  'a.txt': 'A first paragraph.\n\nA second one, of 12 words.\n',
  'a.md':
    '---\ntitle: T\ndate: 2024-01-01\n---\n# One\n\n- item [a](b)\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```js\ncode()\n```\n> quote *em* `x`\n',
  'a.mdx': 'import X from "x"\n\n# One\n\n<X prop={1}>Text</X>\n',
  'a.html':
    '<!doctype html><html><head><title>T</title></head><body><nav>n</nav><main><h1>One</h1><p>Text &amp; more</p><table><tr><th>a<td>1</table></main></body></html>',
  'a.rst': 'Title\n=====\n\n.. note:: Text\n\n* item\n\n+---+---+\n| a | b |\n+---+---+\n',
  'a.org': '#+TITLE: T\n* One\n** Two\n| a | b |\n#+BEGIN_SRC sh\nls\n#+END_SRC\n',
  'a.adoc': '= Title\n\n== One\n\nText.\n\n----\ncode\n----\n',
  'a.tex':
    '\\documentclass{article}\n\\title{T}\n\\begin{document}\n\\section{One}\nText $x^2$ % comment\n\\begin{itemize}\\item a\\end{itemize}\n\\end{document}\n',
  'a.log': '2024-01-01T00:00:00Z ERROR failed 1\n2024-01-01T00:00:01Z INFO ok\n',
  'a.srt': '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nWorld\n',
  'a.vtt': 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n',
  'a.csv': 'name,value\n"a, b",1\nc,2\n',
  'a.tsv': 'name\tvalue\na\t1\n',
  'a.json': '{"title":"T","items":[{"a":1,"b":[true,null,1.5e3]},"x"]}',
  'a.jsonl': '{"id":"a","text":"One."}\n{"id":"b","text":"Two."}\n',
  'a.ipynb':
    '{"cells":[{"cell_type":"markdown","source":["# One\\n","text"],"metadata":{}},{"cell_type":"code","source":"print(1)","outputs":[{"output_type":"stream","name":"stdout","text":["1\\n"]}],"execution_count":1,"metadata":{}}],"metadata":{"kernelspec":{"language":"python"}},"nbformat":4,"nbformat_minor":5}',
  'a.xml':
    '<?xml version="1.0"?><catalog><item id="1"><name>One</name><price>2</price></item><item id="2"><name>Two</name></item></catalog>',
  'a.rss':
    '<?xml version="1.0"?><rss version="2.0"><channel><title>T</title><item><title>One</title><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate><description>&lt;p&gt;Text&lt;/p&gt;</description></item></channel></rss>',
  'a.atom':
    '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title>One</title><updated>2024-01-01T00:00:00Z</updated><content>Text</content></entry></feed>',
  'a.yaml': 'title: T\nitems:\n  - a: 1\n    b: &x [1, 2]\n  - *x\n',
  'a.toml': 'title = "T"\n[section]\nvalue = 1\n',
  'a.ics':
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20240101T100000Z\r\nDTEND:20240101T110000Z\r\nRRULE:FREQ=DAILY;COUNT=3\r\nSUMMARY:Meeting\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  'a.vcf':
    'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC=\r\nller;Jo\r\nTEL;CELL:1\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann\r\nitem1.EMAIL;TYPE="work,pref":a@example.org\r\nitem1.X-ABLabel:_$!<Work>!$_\r\nNOTE:a\\nb\r\n c\r\nEND:VCARD\r\n',
  'a.eml':
    'From: A <a@example.org>\r\nTo: b@example.org\r\nSubject: =?utf-8?B?SGVsbG8=?=\r\nDate: Mon, 01 Jan 2024 00:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nText.\r\n> quoted\r\n--x\r\nContent-Type: text/plain; name="a.txt"\r\nContent-Disposition: attachment; filename="a.txt"\r\nContent-Transfer-Encoding: base64\r\n\r\nSGVsbG8=\r\n--x--\r\n',
  'a.mbox':
    'From a@example.org Mon Jan  1 00:00:00 2024\nFrom: a@example.org\nSubject: One\n\nText.\n\nFrom b@example.org Mon Jan  1 00:00:01 2024\nFrom: b@example.org\nSubject: Two\n\nMore.\n',
  'a.ts': 'export class A {\n  /** Says. */\n  b(x: number): string {\n    return String(x);\n  }\n}\n',
  'a.py': 'class A:\n    """Doc."""\n    def b(self, x):\n        return x + 1\n',
  'a.go': 'package a\n\nfunc B(x int) int {\n\treturn x + 1\n}\n',
  'a.java': 'class A { int b(int x) { return x + 1; } }\n',
  'a.rs': 'pub fn b(x: i32) -> i32 { x + 1 }\n',
  'a.cpp': '#include <x>\nint b(int x) { return x + 1; }\n',
  'a.cs': 'class A { int B(int x) => x + 1; }\n',
  'a.rb': 'class A\n  def b(x)\n    x + 1\n  end\nend\n',
  'a.php': '<?php\nfunction b($x) { return $x + 1; }\n',
  'a.sh': '#!/bin/sh\nb() {\n  echo "$1"\n}\n',
  'a.sql': 'CREATE TABLE a (b INT);\n-- comment\nSELECT * FROM a;\n',
  'a.css': '.a { color: red }\n',
  'a.bib': '@string{p = "P"}\n@article{k1,\n  author = {M{\\"u}ller, J.},\n  title = "A {B}" # p,\n  year = 2020,\n}\n',
  'a.ris': 'TY  - JOUR\nAU  - Doe, A.\nTI  - T\nID  - k\nER  - \n',
  'a.ini': '; note\n[one]\na = 1\n\n[two]\nb = 2\n',
  'a.po': 'msgid ""\nmsgstr "Language: de\\n"\n\nmsgid "a"\nmsgstr "b"\n',
  'a.diff': 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n',
  'a.vcs':
    'BEGIN:VCALENDAR\r\nVERSION:1.0\r\nBEGIN:VEVENT\r\nSUMMARY;ENCODING=QUOTED-PRINTABLE:Low =C3=\r\n=BC\r\nDTSTART:20240506T100000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  'a.url': '[InternetShortcut]\r\nURL=https://example.org/\r\n',
  'a.svg':
    '<svg xmlns="http://www.w3.org/2000/svg"><title>T</title><desc>D</desc><text>One <tspan>two</tspan></text></svg>',
  'a.mhtml':
    'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="x"\r\n\r\n--x\r\nContent-Type: text/html\r\nContent-Location: https://example.org/\r\n\r\n<p>Text</p>\r\n--x\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\nContent-Location: https://example.org/a.png\r\n\r\niVBORw0KGgo=\r\n--x--\r\n',
  'a.rtf':
    "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}{\\info{\\title T}}\\b One\\b0\\par Text \\u8364? \\'e9\\par\\trowd\\cellx1000 a\\cell\\row}",
};

/** Containers of pictures, too small to be recognised: their structure is what is spoiled. */
function pictured(): readonly Seed[] {
  const area = { width: 20, height: 10 };
  const pixels = Uint8Array.from({ length: 200 }, (_, at) => at);
  const png = pngOf({ ...area, pixels });
  const page = {
    WebResourceData: Buffer.from('<p>Text</p>'),
    WebResourceURL: 'https://example.org/',
    WebResourceMIMEType: 'text/html',
  };
  return [
    { name: 'a.gif', bytes: Buffer.from(gifOf(area, [{ ...area, indexes: pixels }])) },
    { name: 'a.doc', bytes: Buffer.from(docWithPictures({ text: 'A \u0001\rB\u0008\r', inline: png, floating: png })) },
    { name: 'a.xls', bytes: Buffer.from(xlsWithPicture(png, { row: 1, column: 1 })) },
    { name: 'b.rtf', bytes: Buffer.from(`{\\rtf1 A{\\pict\\pngblip ${Buffer.from(png).toString('hex')}}\\par}`) },
    {
      name: 'a.msg',
      bytes: Buffer.from(
        messageOf({
          '__properties_version1.0': new Uint8Array(32),
          '__substg1.0_0037001E': Buffer.from('cff0e8e2e5f2', 'hex'),
          '__substg1.0_1000001E': Buffer.from('Words of a message.'),
          '__attach_version1.0_#00000000': {
            '__properties_version1.0': new Uint8Array(8),
            '__substg1.0_37010102': Buffer.from('a,b\n1,2\n'),
            '__substg1.0_3707001E': Buffer.from('a.csv'),
          },
        }),
      ),
    },
    { name: 'a.webarchive', bytes: Buffer.from(binaryPlist({ WebMainResource: page })) },
  ];
}

async function wordFile(): Promise<Buffer> {
  const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] });
  const table = new Table({ rows: [new TableRow({ children: [cell('a'), cell('b')] })] });
  const heading = new Paragraph({ text: 'One', heading: 'Heading1' });
  return Packer.toBuffer(new Document({ sections: [{ children: [heading, new Paragraph('Text.'), table] }] }));
}

async function pdfFile(): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const page of ['First page.', 'Second page.'])
    document.addPage([300, 300]).drawText(page, { x: 20, y: 200, size: 12, font });
  document.setTitle('T');
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

export async function withMembers(name: string, bytes: Buffer): Promise<Seed> {
  const members = bytes.length > 4 ? await membersOf(bytes) : undefined;
  return { name, bytes, ...(members && { members }) };
}

export async function fuzzSeeds(): Promise<readonly Seed[]> {
  const archive = zipFile([
    { name: 'a/one.md', content: '# One' },
    { name: 'two.txt', content: 'Two' },
  ]);
  return [
    ...Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    await withMembers('a.docx', await wordFile()),
    { name: 'a.pdf', bytes: await pdfFile() },
    await withMembers('a.zip', archive),
    ...pictured(),
    { name: 'a.txt.gz', bytes: gzipSync(texts['a.txt'] ?? '') },
  ];
}
