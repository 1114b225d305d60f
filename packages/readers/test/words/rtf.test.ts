import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { placeOf } from '../../testkit/program.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const read = async (source: string) => {
  const document = await parseFile({ name: 'a.rtf', bytes: Uint8Array.from(Buffer.from(source, 'latin1')) });
  expectWellFormed(document);
  return document;
};

describe('RTF', () => {
  it('reads paragraphs, headings by style and outline, lists and tables', async () => {
    const document = await read(
      `{\\rtf1\\ansi{\\fonttbl{\\f0 Times;}}{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 Kop;}{\\s2 heading 2;}}
{\\info{\\title The \\'e9tude}{\\author Ada}{\\creatim\\yr2024\\mo3\\dy5\\hr1}}
{\\header Page 1\\par}
\\pard\\s1 Part\\par\\pard\\s2 Chapter\\par\\pard one \\b two\\b0  three\\line four\\par
\\pard{\\listtext\\bullet\\tab}point\\par{\\listtext 2.\\tab}second\\par
\\trowd\\pard\\intbl a\\cell b\\cell\\row\\trowd\\pard\\intbl 1\\par 2\\cell\\cell\\row
\\pard after\\par}`,
    );
    expect(document.text).toBe('Part\n\nChapter\n\none two three\nfour\n\n- point\n2. second\n\na | b\n1 2\n\nafter');
    expect(document.headings).toMatchObject([
      { level: 1, title: 'Part' },
      { level: 2, title: 'Chapter' },
    ]);
    expect(document).toMatchObject({ title: 'The étude', metadata: { author: 'Ada', created: '2024-03-05' } });
  });

  it.each([
    ['a code page', "\\ansicpg1251 \\'cf\\'f0\\'e8", 'При'],
    [
      'the character set of a font',
      "{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset128 B;}}\\f1 \\'93\\'fa\\'96{\\'7b}",
      '日本'.slice(0, 1),
    ],
    ['a two-byte page with a raw second byte', "\\ansicpg932 \\'83A\\'83C", 'アイ'],
    ['escapes with a substitute', "\\uc1\\u8364 ?5 \\u-3913\\'3f", '€5 •'],
    ['escapes without one', '{\\uc0\\u26085\\u26412}x', '日本x'],
    ['pairs of surrogates', '\\u-10179?\\u-8704?', '😀'],
    ['words for characters', '\\ldblquote a\\rdblquote\\~b\\emdash c\\_d\\-e', '“a”\u00a0b—c\u2011de'],
    ['both forms of one text', '{\\upr{wrong}{\\*\\ud{right}}}', 'right'],
    ['results of fields, not their code', '{\\field{\\*\\fldinst HYPERLINK "http://x"}{\\fldrslt link}}', 'link'],
    ['no hidden text', 'a{\\v hidden}b{\\deleted gone}c', 'abc'],
    ['nothing unknown that may be passed over', 'a{\\*\\unknown text}b', 'ab'],
    ['binary data stepped over', 'a{\\pict\\bin5 }}}}}}b', 'ab'],
    ['lengths that are not there', 'ab\\bin2000000000 c', 'ab'],
    ['ends of paragraphs as macOS writes them', 'one\\\ntwo\\\r\nthree', 'one\n\ntwo\n\nthree'],
    [
      'symbols that Word inserts as fields',
      '{\\field{\\*\\fldinst SYMBOL 176 \\\\f "Symbol" \\\\s 12}{\\fldrslt\\f3 x}}C',
      '°C',
    ],
    [
      'letters of symbol fonts',
      "{\\fonttbl{\\f0 Times;}{\\f1\\fcharset2 Symbol;}{\\f2\\fcharset2 Wingdings;}}\\f1 a\\'b3\\f2 \\'fc\\f0 a\\plain b",
      'α≥✓ab',
    ],
    [
      'text boxes as paragraphs of their own',
      'round {\\shpgrp{\\shp{\\*\\shpinst{\\shptxt one}}}{\\shp{\\*\\shpinst{\\shptxt two}}}}about',
      'one\n\ntwo\n\nround about',
    ],
    ['the text of shapes', '{\\shp{\\*\\shpinst{\\sp{\\sn name}{\\sv 5}}{\\shptxt boxed}}}', 'boxed'],
  ])('reads %s', async (_, source, text) => {
    const document = await read(`{\\rtf1\\ansi ${source}}`);
    expect(document.text.slice(0, text.length + 20)).toContain(text);
    if (!source.includes('fcharset128')) expect(document.text).toBe(text);
  });

  it('cites footnotes and comments by the heading that their marks stand under', async () => {
    const { text, places } = await read(
      '{\\rtf1{\\stylesheet{\\s1\\outlinelevel0 Kop;}}\\pard\\s1 Report\\par\\pard\\s1 Rent\\par\\pard paid{\\footnote\\pard first\\par}\\par\\pard\\s1 Repairs\\par\\pard done{\\*\\atnid AB}{\\*\\annotation really?}\\par\\pard\\s1 Last\\par\\pard end\\par}',
    );
    const placed = (part: string): string | undefined =>
      placeOf(places, { start: text.indexOf(part), end: text.indexOf(part) + part.length });
    expect(['paid', '[1] first', 'really?', 'end'].map(placed)).toEqual(['Rent', 'Rent', 'Repairs', 'Last']);
    expect(
      (await read('{\\rtf1{\\stylesheet{\\s1\\outlinelevel0 Kop;}}\\pard\\s1 Report\\par\\pard one\\par}')).places,
    ).toEqual([]);
  });

  it('puts footnotes and comments at the end', async () => {
    const document = await read(
      '{\\rtf1 Claim{\\super\\chftn}{\\footnote\\pard{\\chftn} Source\\par} stands{\\*\\atnid AB}{\\*\\atnauthor Bob}{\\chatn{\\*\\annotation really?}}.\\par}',
    );
    expect(document.text).toBe('Claim[1] stands.\n\n[1] Source\n\nComment by Bob: really?');
  });

  it('keeps the paragraph around boxes of text, its label and its level, however boxes nest', async () => {
    const box = (text: string): string => `{\\shp{\\*\\shpinst{\\shptxt\\pard ${text}\\par}}}`;
    const document = await read(
      `{\\rtf1\\pard Before ${box(`Outer ${box('Inner')} more`)} after\\par
\\pard{\\listtext 1.\\tab}${box('Beside')}Item\\par\\pard\\outlinelevel0 ${box('Drawn')}Heading\\par\\pard End\\par}`,
    );
    expect(document.text).toBe('Inner\n\nOuter  more\n\nBefore  after\n\nBeside\n\n1. Item\n\nDrawn\n\nHeading\n\nEnd');
    expect(document.headings).toMatchObject([{ level: 1, title: 'Heading' }]);
  });

  it('reads letters of symbol fonts as places, whatever the code page of the file', async () => {
    const fonts =
      '{\\fonttbl{\\f0 Times;}{\\f1\\fcharset2 Symbol;}{\\f2\\fcharset2 Wingdings;}{\\f3\\fcharset2 Webdings;}}';
    const document = await read(
      `{\\rtf1\\ansi\\ansicpg1251${fonts}\\pard {\\f1 \\'e5\\'61} {\\f2\\'9f\\'fc} {\\f3\\'fc}\\'cf\\par}`,
    );
    // What Webdings has in the place of a tick is none.
    expect(document.text).toBe('∑α •✓ П');
  });

  it('reads what a file calls DOC and is RTF', async () => {
    const document = await parseFile({ name: 'old.doc', bytes: new TextEncoder().encode('{\\rtf1 hello}') });
    expect(document).toMatchObject({ mime: 'application/rtf', text: 'hello' });
  });

  it('refuses groups without end and files without text', async () => {
    await expect(read(`{\\rtf1 ${'{'.repeat(100_000)}`)).rejects.toMatchObject({ code: 'too-large' });
    await expect(read('{\\rtf1 {\\fonttbl{\\f0 Times;}}}')).rejects.toThrow(/has no text/u);
  });

  it('reads a long file in linear time', async () => {
    const started = process.cpuUsage();
    const document = await read(`{\\rtf1 ${"{\\b a}\\'e9{".repeat(400)}${'\\par word \\u233 ?'.repeat(100_000)}`);
    expect(document.text.length).toBeGreaterThan(600_000);
    expect(process.cpuUsage(started).user).toBeLessThan(6_000_000);
  });
});

const path = sharedData('documents', 'office', 'r2r-rtf.rtf');
describe.skipIf(path === undefined)('a real RTF', () => {
  it('gives its text', async () => {
    const document = await parseFile({ name: 'a.rtf', bytes: new Uint8Array(readFileSync(path ?? '')) });
    expectWellFormed(document);
    expect(document.text).toMatch(/^Lorem ipsum dolor sit amet[\s\S]+deserunt mollit anim id est laborum\.$/u);
  });
});
