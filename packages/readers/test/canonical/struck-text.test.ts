// Text that is struck out in a file stays in its text between marks, in every format that knows it, and what stands is never marked.
import { describe, expect, it } from 'vitest';
import { createStruckText, standingText, standingTitle, struckSpans } from '../../src/canonical/struck-text.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { cells, epubOf, openDocumentOf, pptxOf, shape, xlsxOf } from '../../testkit/office-fixtures.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';
import { relationships, zipOf } from '../../testkit/zip-fixture.ts';

const struckIn = (text: string): string[] => struckSpans(text).map(({ start, end }) => text.slice(start, end));

describe('struck-out text', () => {
  it.each([
    ['A car costs ~~30 EUR~~ 35 EUR.', ['~~30 EUR~~']],
    ['~~A car costs 30 EUR.~~ A car costs 35 EUR.', ['~~A car costs 30 EUR.~~']],
    ['use ~~`--force`~~ `--yes`', ['~~`--force`~~']],
    [
      'a <del>b</del> c <S class="x">d</S> <strike>e</strike>',
      ['<del>b</del>', '<S class="x">d</S>', '<strike>e</strike>'],
    ],
    ['<del>\n\none\n\ntwo\n\n</del> three', ['<del>\n\none\n\ntwo\n\n</del>']],
    ['~~one\nline~~', ['~~one\nline~~']],
    ['35~~0~~2 EUR', ['35~~0~~2']],
    ['| ~~car~~ | ~~30~~ 35 |', ['~~car~~', '~~30~~']],
    // Nothing of these is struck out.
    ['~~~\ncode\n~~~', []],
    ['costs ~~ 30 EUR ~~ or so', []],
    ['~~open\n\nclosed~~', []],
    ['see `~~text~~` and `<s>` or `</s>`', []],
    ['(~~x)+(~~y)', []],
    ['from 5~10 to 6~8', []],
    ['Title\n~~~~~\n', []],
    ['an inline <s> that never ends', []],
  ])('is found in %j', (text, spans) => {
    expect(struckIn(text)).toEqual(spans);
    expect(standingText(text)).toHaveLength(text.length);
    for (const span of spans) expect(standingText(text)).not.toContain(span);
  });

  it('is found in time linear in the text', () => {
    for (const piece of ['~~a ', '~~a~~', '<del>', '<del ', '`', '`` ', '\n \n', '</s>'])
      struckSpans(piece.repeat(200_000));
  });

  it('is no part of a title, unless all of it is', () => {
    expect(standingTitle('~~Old~~ New  prices')).toBe('New prices');
    expect(standingTitle('~~Old prices~~')).toBe('~~Old prices~~');
  });

  it.each([
    [
      [
        ['costs ', 0],
        [' 30 EUR ', 1],
        ['35', 0],
      ],
      'costs  ~~30 EUR~~ 35',
    ],
    [
      [
        ['costs ', 0],
        ['30 EUR.', 1],
        ['35', 0],
      ],
      'costs ~~30 EUR.~~ 35',
    ],
    [
      [
        ['costs', 0],
        ['(30)', 1],
        ['35', 0],
      ],
      'costs ~~(30)~~ 35',
    ],
    [
      [
        ['a', 1],
        ['b', 1],
        [' c', 0],
      ],
      '~~ab~~ c',
    ],
    [[['one\n\ntwo', 1]], '~~one~~\n\n~~two~~'],
    [
      [
        ['  ', 1],
        ['a', 0],
      ],
      '  a',
    ],
    [
      [
        ['~~x~~', 1],
        ['y', 0],
      ],
      '~~x~~y',
    ],
  ] as const)('is written so that it is found again: %j', (runs, text) => {
    const written = createStruckText();
    for (const [run, isStruck] of runs) written.add(run, isStruck === 1 ? 'struck' : undefined);
    expect(written.finish()).toBe(text);
    const standing = runs.flatMap(([run, isStruck]) => (isStruck === 0 ? [run.trim()] : [])).join('');
    expect(standingText(written.finish()).replace(/\s/gu, '')).toBe(standing.replace(/\s/gu, ''));
  });

  it('leaves out letters that were deleted inside a word', () => {
    const written = createStruckText();
    written.add('colo');
    written.add('u', 'deleted');
    written.add('r of ');
    written.add('30', 'deleted');
    written.add('35');
    expect(written.finish()).toBe('color of ~~30~~35');
  });
});

const wordRun = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const docx = (body: string): Uint8Array =>
  zipOf({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relationships({ rId1: ['officeDocument', 'word/document.xml'] }),
    'word/_rels/document.xml.rels': relationships({ rId1: ['styles', 'styles.xml'] }),
    'word/styles.xml':
      '<w:styles xmlns:w="w"><w:style w:type="character" w:styleId="Gone"><w:rPr><w:strike/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="GoneLine"><w:basedOn w:val="GoneBase"/></w:style><w:style w:type="paragraph" w:styleId="GoneBase"><w:rPr><w:dstrike/></w:rPr></w:style></w:styles>',
    'word/document.xml': `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
  });
const sentence = (struck: string): string => `<w:p>${wordRun('A car costs ')}${struck}${wordRun(' 35 EUR.')}</w:p>`;
const line = 'A car costs ';
const styles =
  '<style:style style:name="T1" style:family="text" style:parent-style-name="T0"/><style:style style:name="T0" style:family="text"><style:text-properties style:text-line-through-style="solid"/></style:style><style:style style:name="T2" style:family="text"><style:text-properties style:text-line-through-style="none"/></style:style>';
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Each says that a car costs 35 EUR, and with struck-out letters that it costs 30 EUR. */
const files: Readonly<Record<string, readonly [name: string, bytes: () => Uint8Array]>> = {
  del: ['a.html', () => utf8(`<p>${line}<del>30 EUR</del> 35 EUR.</p>`)],
  s: ['a.html', () => utf8(`<p>${line}<s>30 <b>EUR</b> </s>35 EUR.</p>`)],
  strike: [
    'a.html',
    () =>
      utf8(
        `<table><tr><th>what</th><th>EUR</th></tr><tr><td>car</td><td><strike>30 EUR</strike> 35 EUR</td></tr></table>`,
      ),
  ],
  'a style of CSS': [
    'a.html',
    () => utf8(`<p>${line}<span style="color:red; text-decoration: line-through red">30 EUR</span> 35 EUR.</p>`),
  ],
  'blocks in del': [
    'a.html',
    () => utf8(`<del><p>A car costs 30 EUR.</p><ul><li>30 EUR</li></ul></del><p>${line}35 EUR.</p>`),
  ],
  EPUB: ['a.epub', () => epubOf({ 'one.xhtml': `<p>${line}<del>30 EUR</del> 35 EUR.</p>` })],
  Markdown: ['a.md', () => utf8(`${line}~~30 EUR~~ 35 EUR.`)],
  'HTML in Markdown': ['a.md', () => utf8(`${line}<del>30 EUR</del> 35 EUR.`)],
  'w:strike': ['a.docx', () => docx(sentence(wordRun('30 ', '<w:strike/>') + wordRun('EUR', '<w:strike w:val="1"/>')))],
  'w:dstrike': ['a.docx', () => docx(sentence(wordRun('30 EUR', '<w:dstrike w:val="true"/>')))],
  'a style of characters': ['a.docx', () => docx(sentence(wordRun('30 EUR', '<w:rStyle w:val="Gone"/>')))],
  'a style of paragraphs': [
    'a.docx',
    () =>
      docx(`<w:p><w:pPr><w:pStyle w:val="GoneLine"/></w:pPr>${wordRun('A car costs 30 EUR.')}</w:p>${sentence('')}`),
  ],
  'w:del': ['a.docx', () => docx(sentence('<w:del><w:r><w:delText>30 EUR</w:delText></w:r></w:del>'))],
  'a deleted end of a paragraph': [
    'a.docx',
    () =>
      docx(
        `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:del><w:r><w:delText>A car costs 30 EUR.</w:delText></w:r></w:del></w:p>${sentence('')}`,
      ),
  ],
  RTF: ['a.rtf', () => utf8(`{\\rtf1 ${line}{\\strike 30 EUR}\\striked1  30 EUR\\striked0  35 EUR.\\par}`)],
  ODT: [
    'a.odt',
    () =>
      openDocumentOf(
        'text',
        `<text:p>${line}<text:span text:style-name="T1">30 <text:span>EUR</text:span></text:span><text:span text:style-name="T2"> 35 EUR.</text:span></text:p>`,
        { styles },
      ),
  ],
  PPTX: [
    'a.pptx',
    () =>
      pptxOf([
        {
          shapes: shape('', [0, 0]).replace(
            '<a:p><a:r><a:t></a:t></a:r></a:p>',
            `<a:p><a:r><a:t>${line}</a:t></a:r><a:r><a:rPr strike="dblStrike"/><a:t>30 EUR</a:t></a:r><a:r><a:rPr strike="noStrike"/><a:t> 35 EUR.</a:t></a:r></a:p>`,
          ),
        },
      ]),
  ],
  'a struck cell': [
    'a.xlsx',
    () =>
      xlsxOf(
        [
          {
            name: 'S',
            data: cells(1, [
              'car',
              '<c s="1" t="inlineStr"><is><t>30 EUR</t></is></c>',
              '<c s="0" t="inlineStr"><is><t>35 EUR</t></is></c>',
            ]),
          },
        ],
        {
          'xl/styles.xml':
            '<styleSheet xmlns="m"><fonts><font/><font><strike/></font></fonts><cellXfs><xf numFmtId="0" fontId="0"/><xf numFmtId="0" fontId="1"/></cellXfs></styleSheet>',
        },
      ),
  ],
  'struck runs in a cell': [
    'a.xlsx',
    () =>
      xlsxOf([{ name: 'S', data: cells(1, ['<c t="s"><v>0</v></c>']) }], {
        'xl/sharedStrings.xml':
          '<sst xmlns="m"><si><r><t xml:space="preserve">A car costs </t></r><r><rPr><strike/></rPr><t>30 EUR</t></r><r><rPr><strike val="0"/></rPr><t xml:space="preserve"> 35 EUR</t></r></si></sst>',
      }),
  ],
};

describe.each(Object.entries(files))('struck out by %s', (_, [name, bytes]) => {
  it('stays in the text, marked', async () => {
    const document = await parseFile({ name, bytes: bytes() });
    expectWellFormed(document);
    expect(document.text).toContain('30 EUR');
    const standing = standingText(document.text);
    expect(standing).not.toContain('30');
    expect(standing).toContain('35 EUR');
    expect(standing).toContain('car');
  });
});

it('strikes out no title', async () => {
  for (const [name, text] of [
    ['a.html', '<h1><s>Old</s> New prices</h1><p>x</p>'],
    ['a.md', '# ~~Old~~ New prices\n\nx'],
  ] as const) {
    const document = await parseFile({ name, bytes: utf8(text) });
    expect(document).toMatchObject({ title: 'New prices', headings: [{ title: 'New prices' }] });
  }
});
