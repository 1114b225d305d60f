// Kinds of files that people have in their downloads besides documents: what is read of each, how it is cited, and what is never done.
import { utils, write } from '@e965/xlsx';
import { beforeAll, describe, expect, it } from 'vitest';
import { startProcessorTime } from '../../../testkit/processor-time.ts';
import type { ParsedDocument } from '../src/document.ts';
import { parseFile } from '../src/registry/registry.ts';
import { openDocumentNames } from '../testkit/office-fixtures.ts';
import { pictureOf } from '../testkit/picture-fixture.ts';
import { placeOf } from '../testkit/program.ts';
import { binaryPlist } from '../testkit/property-list-fixture.ts';
import { expectWellFormed } from '../testkit/well-formed.ts';
import { relationships, zipOf } from '../testkit/zip-fixture.ts';

let picture: Uint8Array;
const line = 'The harbour fee is 340 euros a night.';
const recognised = `Text in the picture (OCR):\n\n${line}`;
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

beforeAll(async () => {
  picture = await pictureOf([line]);
});

async function parse(name: string, content: string | Uint8Array): Promise<ParsedDocument> {
  const document = await parseFile({ name, bytes: typeof content === 'string' ? Buffer.from(content) : content });
  expectWellFormed(document);
  return document;
}
const titles = ({ headings }: ParsedDocument): unknown => headings.map(({ level, title }) => [level, title]);
const placeAt = ({ text, places }: ParsedDocument, words: string): string | undefined => {
  const start = text.indexOf(words);
  return placeOf(places, { start, end: start + words.length });
};

describe('saved web pages', () => {
  const saved = (): string =>
    [
      'From: <Saved by Blink>',
      'Snapshot-Content-Location: https://example.org/fees?a=1',
      'Subject: =?utf-8?Q?Fees?=',
      'Date: Mon, 6 May 2024 10:00:00 -0000',
      'MIME-Version: 1.0',
      'Content-Type: multipart/related;',
      '\ttype="text/html";',
      '\tboundary="----b"',
      '',
      '',
      '------b',
      'Content-Type: text/html',
      'Content-Transfer-Encoding: quoted-printable',
      'Content-Location: https://example.org/fees?a=1',
      '',
      '<!DOCTYPE html><html><head><title>Harbour =E2=80=93 fees</title><script>alert(1)</script></head><body><h1>Fees</h1><p>It is =E2=82=AC 5.</p><img src=3D"list.png"><p>After.</p></body></html>',
      '------b',
      'Content-Type: image/png',
      'Content-Transfer-Encoding: base64',
      'Content-Location: https://example.org/list.png',
      '',
      base64(picture).replace(/.{76}/gu, '$&\r\n'),
      '------b',
      'Content-Type: text/css',
      'Content-Location: https://example.org/a.css',
      '',
      '.a { color: red }',
      '------b--',
      '',
    ].join('\r\n');

  it.each(['page.mhtml', 'page.mht', 'page'])('of a browser are read with their pictures: %s', async (name) => {
    const document = await parse(name, saved());
    expect(document).toMatchObject({
      mime: 'multipart/related',
      title: 'Harbour – fees',
      text: `Fees\n\nIt is € 5.\n\n${recognised}\n\nAfter.`,
      metadata: { link: 'https://example.org/fees?a=1', saved: '2024-05-06T10:00:00.000Z' },
    });
    expect(document.attachments).toBeUndefined();
  });

  it('without a page are refused', async () => {
    const source =
      'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/css\r\n\r\n.a {}\r\n--b--\r\n';
    await expect(parse('a.mht', source)).rejects.toMatchObject({ code: 'invalid-media' });
  });

  it('of Safari are read with their pictures, and loops of a property list end', async () => {
    const page =
      '<html><head><title>Säfari</title></head><body><h1>Fees</h1><img src="list.png"><p>Ümlaut.</p></body></html>';
    const archive = binaryPlist({
      WebMainResource: {
        WebResourceData: Buffer.from(page),
        WebResourceURL: 'https://example.org/a/',
        WebResourceMIMEType: 'text/html',
        WebResourceTextEncodingName: 'UTF-8',
      },
      WebSubresources: [
        {
          WebResourceData: picture,
          WebResourceURL: 'https://example.org/a/list.png',
          WebResourceMIMEType: 'image/png',
        },
      ],
      WebSubframeArchives: [
        {
          WebMainResource: {
            WebResourceData: Buffer.from('<p>Ram\u00eb.</p>', 'utf16le'),
            WebResourceURL: 'https://example.org/a/frame',
            WebResourceMIMEType: 'text/html',
            WebResourceTextEncodingName: 'UTF-16LE',
          },
          WebSubframeArchives: [
            {
              WebMainResource: {
                WebResourceData: Buffer.from('<p>Innermost.</p>'),
                WebResourceMIMEType: 'text/html',
              },
            },
          ],
        },
      ],
    });
    const document = await parse('a.webarchive', archive);
    expect(document).toMatchObject({
      title: 'Säfari',
      text: `Fees\n\n${recognised}\n\nÜmlaut.\n\nRamë.\n\nInnermost.`,
    });
    const loop = binaryPlist('WebMainResource', { loop: true });
    await expect(parse('a.webarchive', loop)).rejects.toMatchObject({ code: 'too-large' });
    // A text that is referred to a thousand times: objects are the list of fields, its name, the list and its texts.
    const text = binaryPlist({ WebMainResource: ['x'.repeat(100_000), ...Array<string>(999).fill('')] });
    const table = text.length - 32 - 1003 * 4;
    for (let entry = 4; entry < 1003; entry++) text.copyWithin(table + entry * 4, table + 12, table + 16);
    await expect(parse('b.webarchive', text)).rejects.toMatchObject({ code: 'too-large' });
    const cut = Buffer.from(archive.subarray(0, archive.length - 40));
    await expect(parse('a.webarchive', cut)).rejects.toMatchObject({ code: 'invalid-media' });
  });
});

describe('links', () => {
  const plist =
    '<?xml version="1.0"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd"><plist version="1.0"><dict><key>URL</key><string>https://example.org/x</string></dict></plist>';
  it.each([
    [
      'Harbour fees.url',
      '[InternetShortcut]\r\nURL=https://example.org/x\r\nIconFile=http://example.org/i.ico\r\n',
      'Harbour fees',
    ],
    ['Harbour fees.webloc', plist, 'Harbour fees'],
    [
      'a.desktop',
      '[Desktop Entry]\nType=Link\nName=Harbour\nName[de]=Hafen\nURL=https://example.org/x\n[Other]\nURL=no\n',
      'Harbour',
    ],
  ])('are title and address: %s', async (name, content, title) => {
    const document = await parse(name, content);
    expect(document).toMatchObject({
      title,
      text: `${title}\n\nURL: https://example.org/x`,
      metadata: { link: 'https://example.org/x' },
    });
  });

  it('of binary property lists are, too, and those of programs are refused', async () => {
    expect((await parse('b.webloc', binaryPlist({ URL: 'https://example.org/b' }))).text).toContain(
      'https://example.org/b',
    );
    const program = '[Desktop Entry]\nType=Application\nName=Editor\nExec=rm -rf /\n';
    await expect(parse('a.desktop', program)).rejects.toMatchObject({ code: 'unsupported-media' });
  });
});

describe('drawings', () => {
  it('of SVG are their words in order; nothing runs and nothing is followed', async () => {
    const source =
      '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/x.dtd"><svg xmlns="http://www.w3.org/2000/svg"><title>Harbour plan</title><desc>Where ships lie.</desc><script>alert(1)</script><style>text{}</style><g><title>Tip</title><text x="1">Pier <tspan>one</tspan><tspan dy="1">two</tspan></text></g><foreignObject><div><p>In HTML</p></div></foreignObject><image href="file:///etc/passwd"/></svg>';
    for (const name of ['a.svg', 'a.xml']) {
      const document = await parse(name, source);
      expect(document).toMatchObject({
        mime: 'image/svg+xml',
        title: 'Harbour plan',
        text: 'Harbour plan\n\nWhere ships lie.\n\nTip\n\nPier one two\n\nIn HTML',
        warnings: ['1 picture in the drawing not read.'],
      });
    }
    await expect(parse('a.svg', '<svg><path d="M0"/></svg>')).rejects.toMatchObject({ code: 'invalid-media' });
  });

  it('of OpenDocument are cited by page', async () => {
    const page = (text: string): string =>
      `<draw:page draw:name="p"><draw:rect svg:x="1cm" svg:y="1cm"><text:p>${text}</text:p></draw:rect></draw:page>`;
    const bytes = zipOf({
      mimetype: 'application/vnd.oasis.opendocument.graphics',
      'content.xml': `<office:document-content ${openDocumentNames}><office:body><office:drawing>${page('Pier one')}${page('Pier two')}</office:drawing></office:body></office:document-content>`,
    });
    const document = await parse('a.odg', bytes);
    expect(document.text).toBe('Page 1\n\nPier one\n\nPage 2\n\nPier two');
    expect(placeAt(document, 'Pier two')).toBe('page 2');
    expect(document.title).toBeUndefined();
  });
});

describe('Visio', () => {
  it('is the texts of shapes in reading order, those of masters and groups among them', async () => {
    const shape = (id: number, [x, y]: readonly [number, number], inside: string, more = ''): string =>
      `<Shape ID="${id}" ${more}><Cell N="PinX" V="${x}"/><Cell N="PinY" V="${y}"/><Cell N="Width" V="2"/><Cell N="Height" V="1"/>${inside}</Shape>`;
    const page = `<PageContents xmlns="v" xmlns:r="r"><Shapes>${shape(1, [2, 2], '<Text>Below</Text>')}${shape(2, [2, 8], '<Text><cp IX="0"/>Above\n<pp IX="1"/>it</Text>')}${shape(3, [2, 5], '', 'Master="4"')}${shape(6, [2, 3.5], `<Shapes>${shape(7, [0, 0], '<Text>Grouped</Text>')}</Shapes>`)}${shape(8, [2, 0.5], '<ForeignData><Rel r:id="rId1"/></ForeignData>')}</Shapes></PageContents>`;
    const index = (what: string, entries: string): string => `<${what} xmlns="v" xmlns:r="r">${entries}</${what}>`;
    const bytes = zipOf({
      'visio/document.xml': '<VisioDocument/>',
      'visio/pages/pages.xml': index(
        'Pages',
        '<Page ID="0" Name="Piers"><Rel r:id="rId1"/></Page><Page ID="1" Name="Empty"/>',
      ),
      'visio/pages/_rels/pages.xml.rels': relationships({ rId1: ['page', 'page1.xml'] }),
      'visio/pages/page1.xml': page,
      'visio/pages/_rels/page1.xml.rels': relationships({ rId1: ['image', '../media/a.png'] }),
      'visio/media/a.png': picture,
      'visio/masters/masters.xml': index('Masters', '<Master ID="4"><Rel r:id="rId1"/></Master>'),
      'visio/masters/_rels/masters.xml.rels': relationships({ rId1: ['master', 'master1.xml'] }),
      'visio/masters/master1.xml':
        '<MasterContents xmlns="v"><Shapes><Shape ID="5"><Text>Of the master</Text></Shape></Shapes></MasterContents>',
    });
    for (const name of ['a.vsdx', 'a.zip']) {
      const document = await parse(name, bytes);
      expect(document.text).toBe(`Piers\n\nAbove\n\nit\n\nOf the master\n\nGrouped\n\nBelow\n\n${recognised}`);
      expect(placeAt(document, 'Grouped')).toBe('page 1');
    }
  });
});

describe('references', () => {
  it('of BibTeX are records cited by their key', async () => {
    const document = await parse(
      'a.bib',
      '% note\n@string{acl = "Proc. of ACL"}\n@Article{Mueller2020,\n  author = {M{\\"u}ller, J{\\\'o}se and {\\L}ukasz Kaiser},\n  title = "The {BERT} of \\\'Etudes --- a {Study}",\n  journal = acl # { 2020},\n  year = 2020, month = mar,\n  pages = {1--10},\n}\n@comment{ignored {x}}\n@book(Knuth84, title={The {\\TeX}book}, publisher={Addison \\& Wesley})\n@misc{broken, title = {Never ends',
    );
    expect(document.text).toBe(
      'The BERT of Études — a Study\n\nMueller2020 (article)\nauthor: Müller, Jóse and Łukasz Kaiser\njournal: Proc. of ACL 2020\nyear: 2020\nmonth: March\npages: 1–10\n\nThe TeXbook\n\nKnuth84 (book)\npublisher: Addison & Wesley\n\nNever ends\n\nbroken (misc)',
    );
    expect(placeAt(document, 'Wesley')).toBe('Knuth84');
    expect(document.metadata).toEqual({ references: 3 });
  });

  it('of RIS are, too', async () => {
    const document = await parse(
      'a.ris',
      'TY  - JOUR\r\nAU  - Smith, J.\r\nAU  - Doe, A.\r\nTI  - On fees\r\nPY  - 2019\r\nID  - smith2019\r\nAB  - Long text\r\ngoes on.\r\nER  - \r\n\r\nTY  - BOOK\r\nT1  - No key\r\nER  -\r\n',
    );
    expect(document.text).toBe(
      'On fees\n\nsmith2019 (article)\nauthor: Smith, J.; Doe, A.\nyear: 2019\nabstract: Long text goes on.\n\nNo key\n\nentry 2 (book)',
    );
    expect(placeAt(document, 'goes on')).toBe('smith2019');
  });

  it('of RIS go on with the field of the line before, and say nothing twice', async () => {
    const document = await parse(
      'a.ris',
      'TY  - JOUR\nAU  - Smith, J.\nTI  - On fees\nAU  - Doe,\nAnna\nAU  - Smith, J.\nAU  - Doe, Anna\nER  - \nstray\n',
    );
    expect(document.text).toBe('On fees\n\nentry 1 (article)\nauthor: Smith, J.; Doe, Anna');
    const tookMs = startProcessorTime();
    const many = Array.from({ length: 60_000 }, (_, index) => `KW  - word ${index}\n`).join('');
    const long = await parse('b.ris', `TY  - JOUR\nTI  - T\n${many}ER  - \n`);
    expect(long.text).toContain('word 0; word 1;');
    expect(tookMs()).toBeLessThan(10_000);
  });

  it('of BibTeX whose strings make too much of them are refused', async () => {
    const long = `@string{a = {${'x'.repeat(90_000)}}}`;
    const joined = await parse('a.bib', `${long}\n@misc{k, note = ${'a # '.repeat(20_000)}a, title = {End}}`);
    expect(joined.title).toBeUndefined();
    expect(joined.headings.map(({ title }) => title)).toEqual(['End']);
    expect(joined.text.length).toBeLessThan(101_000);
    const entries = Array.from({ length: 2000 }, (_, index) => `@misc{k${index}, note = a}\n`).join('');
    await expect(parse('b.bib', `${long}\n${entries}`)).rejects.toMatchObject({ code: 'too-large' });
  }, 60_000);

  it('are read in linear time, and a file without any is text', async () => {
    const text = (await parse('a.bib', 'Just a note.')).text;
    expect(text).toBe('Just a note.');
    const open = await parse('b.bib', `@a{k, t = {x}} ${'@b{'.repeat(50_000)}${'{'.repeat(50_000)}`);
    expect(open.text).toContain('k (a)');
  });
});

describe('lines with sections', () => {
  it('of settings', async () => {
    const source = '; all\n[server]\nport = 80\n\n[client] ; us\nname = b\n';
    const document = await parse('a.ini', source);
    expect(document).toMatchObject({ text: source, citeByLine: true });
    expect(titles(document)).toEqual([
      [1, 'server'],
      [1, 'client'],
    ]);
    expect(document.blocks.map(({ kind }) => kind)).toEqual(['record', 'heading', 'record', 'heading', 'record']);
    expect((await parse('a.properties', 'app.name=Footnote\n')).mime).toBe('text/x-ini');
  });

  it('of patches, by the file that is changed', async () => {
    const git =
      'Subject: [PATCH 1/2] Fix the fees\n\nBecause.\n---\n a.c | 2 +-\n\ndiff --git a/src/a.c b/src/a.c\n--- a/src/a.c\n+++ b/src/a.c\n@@ -1,3 +1,3 @@ int f()\n-int b;\n+int c;\n--- a/sql comment\ndiff --git a/b.txt b/b.txt\nnew file mode 100644\n--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+hello\n';
    const document = await parse('a.patch', git);
    expect(document).toMatchObject({ text: git, title: 'Fix the fees', citeByLine: true });
    expect(titles(document)).toEqual([
      [1, 'src/a.c'],
      [1, 'b.txt'],
    ]);
    const plain =
      '--- old/x.txt\t2020\n+++ new/x.txt\t2021\n@@ -1 +1 @@\n-a\n+b\n--- old/y.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-c\n';
    expect(titles(await parse('b.diff', plain))).toEqual([
      [1, 'new/x.txt'],
      [1, 'old/y.txt'],
    ]);
  });

  it('of translations, an entry a record', async () => {
    const source =
      'msgid ""\nmsgstr ""\n"Language: de_DE\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n#: a.c:1\nmsgid "Fee"\nmsgstr "Gebühr"\n';
    const document = await parse('a.po', source);
    expect(document).toMatchObject({ text: source, language: 'de' });
    expect(document.blocks.map(({ kind }) => kind)).toEqual(['record', 'record']);
  });
});

describe('places on maps', () => {
  it('are records of JSON and XML', async () => {
    const json =
      '{"type":"FeatureCollection","features":[{"properties":{"name":"Pier"}},{"properties":{"name":"Quay"}}]}';
    expect(placeAt(await parse('a.geojson', json), 'Quay')).toBe('features[1]');
    const kml =
      '<kml><Document><Placemark><name>Pier</name><styleUrl>#a</styleUrl></Placemark><Placemark><name>Quay</name><styleUrl>#a</styleUrl></Placemark></Document></kml>';
    expect(placeAt(await parse('a.kml', kml), 'Quay')).toBe('/kml/Document/Placemark[2]');
  });
});

describe('documents of Apple', () => {
  it('of Numbers are tables', async () => {
    const { default: template } = await import('@e965/xlsx/dist/xlsx.zahl.mjs');
    const book = utils.book_new();
    utils.book_append_sheet(
      book,
      utils.aoa_to_sheet([
        ['Region', '2021'],
        ['North', 12],
      ]),
      'Costs',
    );
    const bytes = write(book, {
      bookType: 'numbers',
      numbers: template as unknown as string,
      type: 'buffer',
    }) as Buffer;
    for (const name of ['a.numbers', 'a.zip']) {
      const document = await parse(name, bytes);
      expect(document.text).toBe('Costs\n\nRegion | 2021\nRegion: North; 2021: 12');
      expect(placeAt(document, 'North')).toBe('Costs!A2:B2');
    }
  });

  it('of Pages and Keynote are read by their preview, or refused with what to do', async () => {
    const { PDFDocument, StandardFonts } = await import('pdf-lib');
    const paper = await PDFDocument.create();
    const font = await paper.embedFont(StandardFonts.Helvetica);
    paper.addPage([400, 200]).drawText(line, { x: 20, y: 100, size: 12, font });
    const preview = await paper.save();
    const pages = zipOf({ 'Index/Document.iwa': 'x', 'QuickLook/Preview.pdf': preview });
    const document = await parse('a.pages', pages);
    expect(document).toMatchObject({ mime: 'application/vnd.apple.pages', text: line });
    expect(document.pages).toHaveLength(1);
    expect(document.warnings).toEqual(['Read from the preview (PDF) that Pages put into the file.']);
    const bare = zipOf({ 'Index/Document.iwa': 'x', 'Index/MasterSlide-1.iwa': 'x' });
    await expect(parse('a.key', bare)).rejects.toMatchObject({
      code: 'unsupported-media',
      message: expect.stringMatching(/Keynote .*Export it as PDF/u),
    });
  });
});
