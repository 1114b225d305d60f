import { readFileSync } from 'node:fs';
import {
  Document,
  FootnoteReferenceRun,
  HeadingLevel,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { placeOf } from '../../testkit/program.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';
import { wordsFound } from '../../testkit/words-found.ts';
import { relationships, zipOf } from '../../testkit/zip-fixture.ts';

async function docx(): Promise<Uint8Array> {
  const cell = (text: string): TableCell => new TableCell({ children: [new Paragraph(text)] });
  const document = new Document({
    title: 'Minutes',
    creator: 'Ada',
    footnotes: { 1: { children: [new Paragraph('By hand.')] } },
    sections: [
      {
        children: [
          new Paragraph({ text: 'Agenda', heading: HeadingLevel.HEADING_1 }),
          new Paragraph({
            children: [
              new TextRun('We met '),
              new TextRun({ text: 'twice', bold: true }),
              new TextRun(' & left.'),
              new FootnoteReferenceRun(1),
            ],
          }),
          new Paragraph({ text: 'point', bullet: { level: 0 } }),
          new Table({
            rows: [
              new TableRow({ children: [cell('a'), cell('b')] }),
              new TableRow({ children: [cell('1'), cell('2')] }),
            ],
          }),
        ],
      },
    ],
  });
  return new Uint8Array(await Packer.toBuffer(document));
}

const names =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:wps="wps" xmlns:c="c" xmlns:v="urn:schemas-microsoft-com:vml"';

/** A document with this body, written by hand. */
async function read(body: string, extra: Readonly<Record<string, string>> = {}) {
  const bytes = zipOf({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relationships({ rId1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': `<w:document ${names}><w:body>${body}</w:body></w:document>`,
    ...extra,
  });
  const document = await parseFile({ name: 'a.docx', bytes });
  expectWellFormed(document);
  return document;
}

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const mathRun = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;

describe('DOCX', () => {
  it('keeps headings, lists, tables, footnotes and the facts of the file', async () => {
    const document = await parseFile({ name: 'a.docx', bytes: await docx() });
    expectWellFormed(document);
    expect(document.text).toBe('Agenda\n\nWe met twice & left.[1]\n\n- point\n\na | b\n1 | 2\n\n[1] By hand.');
    expect(document.headings).toMatchObject([{ level: 1, title: 'Agenda', start: 0 }]);
    expect(document).toMatchObject({ title: 'Minutes', metadata: { author: 'Ada' } });
  });

  it('writes equations as text', async () => {
    const formula = `<m:oMathPara><m:oMath>${mathRun('x=')}<m:f><m:num>${mathRun('-b±')}<m:rad><m:deg/><m:e><m:sSup><m:e>${mathRun('b')}</m:e><m:sup>${mathRun('2')}</m:sup></m:sSup>${mathRun('-4ac')}</m:e></m:rad></m:num><m:den>${mathRun('2a')}</m:den></m:f></m:oMath></m:oMathPara>`;
    const sum = `<m:oMath><m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${mathRun('i=1')}</m:sub><m:sup>${mathRun('n')}</m:sup><m:e><m:sSub><m:e>${mathRun('x')}</m:e><m:sub>${mathRun('i')}</m:sub></m:sSub></m:e></m:nary></m:oMath>`;
    const matrix = `<m:oMath><m:d><m:dPr><m:begChr m:val="|"/><m:endChr m:val="|"/></m:dPr><m:e><m:m><m:mr><m:e>${mathRun('a')}</m:e><m:e>${mathRun('b')}</m:e></m:mr><m:mr><m:e>${mathRun('c')}</m:e><m:e>${mathRun('d')}</m:e></m:mr></m:m></m:e></m:d></m:oMath>`;
    const document = await read(
      `<w:p>${run('So ')}${formula}${run(' and ')}${sum}${run('.')}</w:p><w:p>${matrix}</w:p>`,
    );
    expect(document.text).toBe('So x=(-b±√(b^2-4ac))/(2a) and ∑_(i=1)^n x_i.\n\n|[a, b; c, d]|');
  });

  it('reads text boxes once, charts, moved text, fields and ruby; marks what was deleted', async () => {
    const box = `<w:txbxContent><w:p>${run('boxed')}</w:p></w:txbxContent>`;
    const both = `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><a:graphic><a:graphicData><wps:wsp><wps:txbx>${box}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>${box.replace('boxed', 'older')}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
    const newOnly = both.replace(/<mc:Fallback>.*<\/mc:Fallback>/u, '').replace('boxed', 'only new');
    const chart =
      '<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><c:chart r:id="rIdC"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>';
    const document = await read(
      `<w:p>${run('see')}${both}${newOnly}</w:p><w:p>${chart}</w:p>
<w:p><w:del>${run('gone')}</w:del>${run('unseen').replace('<w:t', '<w:rPr><w:vanish/></w:rPr><w:t')}<w:moveTo>${run('moved')}</w:moveTo><w:fldSimple w:instr="PAGE">${run(' field')}</w:fldSimple><w:r><w:ruby><w:rt>${run('kana')}</w:rt><w:rubyBase>${run(' base')}</w:rubyBase></w:ruby></w:r></w:p>`,
      {
        'word/_rels/document.xml.rels': relationships({ rIdC: ['chart', 'charts/chart1.xml'] }),
        'word/charts/chart1.xml':
          '<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><a:t>Growth</a:t></c:title><c:ser><c:val><c:numRef><c:pt idx="0"><c:v>4</c:v></c:pt></c:numRef></c:val></c:ser></c:chart></c:chartSpace>',
      },
    );
    expect(document.text.match(/boxed/gu)).toHaveLength(1);
    expect(document.text).toContain('only new');
    expect(document.text).toContain('Chart: Growth\n1; 4');
    expect(document.text).toContain('~~gone~~moved field base');
    expect(document.text).not.toMatch(/kana|unseen|older/u);
  });

  it('takes titles and styles of the outline for headings, and puts comments at the end', async () => {
    const styled = (style: string, text: string): string =>
      `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${run(text)}</w:p>`;
    const document = await read(
      `${styled('T', 'The title')}${styled('K', 'Kapitel')}<w:p>${run('text')}<w:r><w:commentReference w:id="0"/></w:r>${run(' on')}</w:p>`,
      {
        'word/_rels/document.xml.rels': relationships({ c: ['comments', 'comments.xml'], s: ['styles', 'styles.xml'] }),
        'word/styles.xml': `<w:styles ${names}><w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style><w:style w:type="paragraph" w:styleId="K0"><w:name w:val="Mein Kapitel"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style><w:style w:type="paragraph" w:styleId="K"><w:name w:val="Kapitel neu"/><w:basedOn w:val="K0"/></w:style></w:styles>`,
        'word/comments.xml': `<w:comments ${names}><w:comment w:id="0" w:author="Ann Bee" w:initials="AB"><w:p>${run('really?')}</w:p></w:comment></w:comments>`,
      },
    );
    expect(document.headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'The title'],
      [2, 'Kapitel'],
    ]);
    expect(document.text).toMatch(/text on\n\nComment by Ann Bee: really\?$/u);
  });

  it('counts the labels of headings and lists as Word shows them', async () => {
    const level = (at: number, format: string, pattern: string): string =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${pattern}"/></w:lvl>`;
    const item = (text: string, id: number, at: number, style = ''): string =>
      `<w:p><w:pPr>${style}<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr></w:pPr>${run(text)}</w:p>`;
    const outline = (at: number): string => `<w:outlineLvl w:val="${at}"/>`;
    const document = await read(
      item('Scope', 1, 0, outline(0)) +
        item('Terms', 1, 1, outline(1)) +
        item('Forms', 1, 1, outline(1)) +
        item('Rules', 1, 0, outline(0)) +
        item('Deep', 1, 1, outline(1)) +
        item('first', 2, 0) +
        item('inner', 2, 1) +
        item('point', 2, 2) +
        item('second', 2, 0) +
        item('anew', 3, 0),
      {
        'word/_rels/document.xml.rels': relationships({ n: ['numbering', 'numbering.xml'] }),
        'word/numbering.xml': `<w:numbering ${names}><w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1')}${level(1, 'decimal', '%1.%2')}</w:abstractNum><w:abstractNum w:abstractNumId="1">${level(0, 'upperRoman', '%1.')}${level(1, 'lowerLetter', '(%2)')}${level(2, 'bullet', 'o')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="4"/></w:lvlOverride></w:num></w:numbering>`,
      },
    );
    expect(document.text).toBe(
      '1 Scope\n\n1.1 Terms\n\n1.2 Forms\n\n2 Rules\n\n2.1 Deep\n\nI. first\n  (a) inner\n    - point\nII. second\nIV. anew',
    );
    expect(document.headings.map((heading) => heading.level)).toEqual([1, 2, 2, 1, 2]);
  });

  it('reads tables that only place things as their contents, and joins what a deleted line end parted', async () => {
    const cell = (content: string): string => `<w:tc><w:tcPr/>${content}</w:tc>`;
    const document = await read(
      `<w:tbl><w:tr>${cell(`<w:p>${run('framed')}</w:p><w:p>${run('twice')}</w:p>`)}</w:tr></w:tbl>
<w:tbl><w:tr>${cell(`<w:p>${run('a')}</w:p><w:p>${run('b')}</w:p>`)}${cell(`<w:p/>`)}${cell(`<w:p>${run('c')}</w:p>`)}</w:tr><w:tr><w:trPr><w:del/></w:trPr>${cell(`<w:p>${run('gone')}</w:p>`)}</w:tr></w:tbl>
<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>${run('one ')}</w:p><w:p>${run('line')}<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Symbol" w:char="F061"/></w:r></w:p>
<w:sdt><w:sdtPr><w:alias w:val="x"/></w:sdtPr><w:sdtContent><w:p>${run('controlled')}</w:p></w:sdtContent></w:sdt>`,
    );
    expect(document.text).toBe('framed\n\ntwice\n\na b |  | c\n\none line✓α\n\ncontrolled');
  });

  it('reads what check boxes and lists of forms show', async () => {
    const field = (data: string): string =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${data}</w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const document = await read(
      `<w:p>${field('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>')}${run(' yes ')}${field('<w:checkBox><w:default w:val="0"/></w:checkBox>')}${run(' no, ')}${field('<w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList>')}</w:p>`,
    );
    expect(document.text).toBe('☒ yes ☐ no, blue');
  });

  it('joins large initials with their paragraph, and reads letters of symbol fonts', async () => {
    const inFont = (font: string, text: string): string =>
      run(text).replace('<w:t', `<w:rPr><w:rFonts w:ascii="${font}"/></w:rPr><w:t`);
    const document = await read(
      `<w:p><w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr>${run('O')}</w:p><w:p>${run('nce upon a time')}</w:p>
<w:p>${inFont('Wingdings', '\u00fc')}${run(' at 90')}${inFont('Symbol', '\uf0b0')}${run(' \uf0b7 (')}${inFont('Symbol', 'a')}${run(') a')}</w:p>`,
    );
    expect(document.text).toBe('Once upon a time\n\n✓ at 90° • (α) a');
  });

  it('keeps paragraphs that would go on in a next one where there is none', async () => {
    const goesOn = (text: string): string => `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>${run(text)}</w:p>`;
    const cells = `<w:tc>${goesOn('cell')}</w:tc><w:tc><w:p>${run('x')}</w:p></w:tc>`;
    const initial = `<w:p><w:pPr><w:framePr w:dropCap="drop"/></w:pPr>${run('L')}</w:p>`;
    const document = await read(`${goesOn('above')}<w:tbl><w:tr>${cells}</w:tr></w:tbl>${initial}`);
    expect(document.text).toBe('above\n\ncell | x\n\nL');
  });

  it('cites pages where Word counted as many as it marked', async () => {
    const turn = '<w:r><w:lastRenderedPageBreak/></w:r>';
    const cell = (text: string): string => `<w:tc><w:p>${turn}${run(text)}</w:p></w:tc>`;
    const body = `<w:p>${run('one')}</w:p><w:p>${turn}${run('two ')}${turn}${run('and on')}</w:p><w:p>${run('three')}</w:p><w:tbl><w:tr>${cell('over')}${cell('pages')}</w:tr></w:tbl><w:p>${run('four')}</w:p>`;
    const counted = (pages: number) => ({
      'docProps/app.xml': `<Properties xmlns="p"><Pages>${pages}</Pages></Properties>`,
    });
    const document = await read(body, counted(4));
    expect(document.places.map(({ label, start, end }) => [label, document.text.slice(start, end)])).toEqual([
      ['page 1', 'one'],
      ['page 2', 'two and on'],
      ['page 3', 'three\n\nover | pages'],
      ['page 4', 'four'],
    ]);
    expect((await read(body, counted(9))).places).toEqual([]);
    expect((await read(body)).places).toEqual([]);
  });

  it('cites footnotes and comments by the page that their marks stand on', async () => {
    const turn = '<w:r><w:lastRenderedPageBreak/></w:r>';
    const mark = (id: number): string => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
    const row = `<w:tbl><w:tr><w:tc><w:p>${run('cell')}${mark(3)}</w:p></w:tc></w:tr></w:tbl>`;
    const body = `<w:p>${run('one')}${mark(2)}</w:p><w:p>${turn}${run('two')}<w:r><w:commentReference w:id="0"/></w:r></w:p><w:p>${turn}${run('three')}</w:p>${row}`;
    const note = (id: number): string => `<w:footnote w:id="${id}"><w:p>${run(`note ${id}`)}</w:p></w:footnote>`;
    const { text, places } = await read(body, {
      'docProps/app.xml': '<Properties xmlns="p"><Pages>3</Pages></Properties>',
      'word/_rels/document.xml.rels': relationships({
        f: ['footnotes', 'footnotes.xml'],
        c: ['comments', 'comments.xml'],
      }),
      'word/footnotes.xml': `<w:footnotes ${names}>${note(2)}${note(3)}</w:footnotes>`,
      'word/comments.xml': `<w:comments ${names}><w:comment w:id="0"><w:p>${run('really?')}</w:p></w:comment></w:comments>`,
    });
    const placed = (part: string): string | undefined =>
      placeOf(places, { start: text.indexOf(part), end: text.indexOf(part) + part.length });
    expect(['note 2', 'note 3', 'really?', 'three'].map(placed)).toEqual(['page 1', 'page 3', 'page 2', 'page 3']);
    expect(placeOf(places, { start: 0, end: text.length })).toBe('page 1–3');
  });

  it('cites footnotes and comments by the heading that their marks stand under where there are no pages', async () => {
    const mark = (id: number): string => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
    const heading = (text: string): string => `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>${run(text)}</w:p>`;
    const note = (id: number): string => `<w:footnote w:id="${id}"><w:p>${run(`note ${id}`)}</w:p></w:footnote>`;
    const body = `<w:p>${run('before')}${mark(1)}</w:p>${heading('Report')}<w:p>${run('opening')}</w:p>${heading('Rent')}<w:p>${run('paid')}${mark(2)}</w:p>${heading('Repairs')}<w:p>${run('done')}<w:r><w:commentReference w:id="0"/></w:r></w:p>${heading('Last')}<w:p>${run('end')}</w:p>`;
    const { text, places } = await read(body, {
      'word/_rels/document.xml.rels': relationships({
        f: ['footnotes', 'footnotes.xml'],
        c: ['comments', 'comments.xml'],
      }),
      'word/footnotes.xml': `<w:footnotes ${names}>${note(1)}${note(2)}</w:footnotes>`,
      'word/comments.xml': `<w:comments ${names}><w:comment w:id="0"><w:p>${run('really?')}</w:p></w:comment></w:comments>`,
    });
    const placed = (part: string): string | undefined =>
      placeOf(places, { start: text.indexOf(part), end: text.indexOf(part) + part.length });
    expect(['opening', 'paid', 'note 1', 'note 2', 'really?', 'end'].map(placed)).toEqual([
      undefined,
      'Rent',
      'Notes',
      'Rent',
      'Repairs',
      'Last',
    ]);
  });

  it('hands over files that were put into it, not the data of its charts', async () => {
    const document = await read(`<w:p>${run('see the sheet')}</w:p>`, {
      'word/_rels/document.xml.rels': relationships({
        p: ['package', 'embeddings/Budget.xlsx'],
        c: ['chart', 'charts/chart1.xml'],
      }),
      'word/charts/_rels/chart1.xml.rels': relationships({ p: ['package', '../embeddings/data.xlsx'] }),
      'word/charts/chart1.xml': '<c:chartSpace xmlns:c="c"/>',
      'word/embeddings/Budget.xlsx': 'bytes',
      'word/embeddings/data.xlsx': 'others',
    });
    expect(document.attachments?.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['Budget.xlsx', 'bytes'],
    ]);
  });

  it('reads a long document in a fraction of the memory that its tree would take', async () => {
    const started = process.cpuUsage();
    const document = await read(`<w:p>${run('A paragraph of a long book.')}</w:p>`.repeat(60_000));
    expect(document.blocks).toHaveLength(60_000);
    expect(process.cpuUsage(started).user).toBeLessThan(6_000_000);
  });

  it('refuses a truncated archive', async () => {
    const bytes = await docx();
    await expect(parseFile({ name: 'a.docx', bytes: bytes.subarray(0, bytes.length - 400) })).rejects.toMatchObject({
      code: 'invalid-media',
    });
  });

  it.each([
    ['declares entities', '<!DOCTYPE w [<!ENTITY a "b">]><w/>', 'invalid-media', 'document type'],
    ['nests without end', '<w>'.repeat(5000), 'too-large', 'nests more than'],
    ['is no XML', 'text', 'invalid-media', 'not well-formed'],
  ])('refuses a part that %s, whichever it is', async (_, source, code, why) => {
    for (const part of ['word/document.xml', 'word/numbering.xml'])
      await expect(
        read(`<w:p>${run('x')}</w:p>`, {
          'word/_rels/document.xml.rels': relationships({ n: ['numbering', 'numbering.xml'] }),
          [part]: source,
        }),
      ).rejects.toMatchObject({ code, message: expect.stringContaining(why) });
  });
});

const folder = sharedData('documents', 'office');
describe.skipIf(folder === undefined)('real documents', () => {
  it.each([
    ['markitdown-test.docx', 'AutoGen: Enabling Next-Gen LLM Applications via Multi-Agent Conversation'],
    ['markitdown-equations.docx', 'sin θ=mλ/a=((1)(550×10^-6 mm))/(2.5 mm)=2.2×10^-4'],
    ['markitdown-rlink.docx', 'A red and blue square'],
  ])('%s', async (name, text) => {
    const bytes = new Uint8Array(readFileSync(`${folder}/${name}`));
    const document = await parseFile({ name, bytes });
    expectWellFormed(document);
    expect(document.text).toContain(text);
    expect(wordsFound(document.text, text)).toBe(1);
  });
});
