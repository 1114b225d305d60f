import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { epubOf } from '../../testkit/office-fixtures.ts';
import { placeOf } from '../../testkit/program.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const read = async (...args: Parameters<typeof epubOf>) => {
  const document = await parseFile({ name: 'a.epub', bytes: epubOf(...args) });
  expectWellFormed(document);
  return document;
};

describe('EPUB', () => {
  it('reads the spine in order, in spite of empty titles, with the facts of the book', async () => {
    const document = await read({
      'b chapter.xhtml': '<h1>One</h1><p>first<a id="x"/> text</p>',
      'a.xhtml': '<h1>Two</h1><p>second</p>',
    });
    expect(document.text).toBe('One\n\nfirst text\n\nTwo\n\nsecond');
    expect(document).toMatchObject({
      title: 'The Book',
      language: 'en',
      publishedAt: '2008-01-15',
      metadata: { author: 'Ada, Bob' },
      headings: [{ title: 'One' }, { title: 'Two' }],
    });
  });

  it('makes headings of what only the table of contents says, and cites by chapter', async () => {
    const document = await read(
      {
        'one.xhtml': '<p class="title">Chapter  1</p><p>text</p><p id="s">Section A</p><p>more</p>',
        'two.xhtml': '<p>untitled text</p>',
      },
      {
        navigation:
          '<li><a href="one.xhtml">Chapter 1</a><ol><li><a href="one.xhtml#s">Section A</a></li></ol></li><li><a href="two.xhtml">Chapter 2</a></li>',
      },
    );
    expect(document.text).toBe('Chapter 1\n\ntext\n\nSection A\n\nmore\n\nChapter 2\n\nuntitled text');
    expect(document.headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'Chapter 1'],
      [2, 'Section A'],
      [1, 'Chapter 2'],
    ]);
    const placeAt = (text: string) =>
      placeOf(document.places, { start: document.text.indexOf(text), end: document.text.indexOf(text) + 4 });
    expect([placeAt('text'), placeAt('more'), placeAt('untitled')]).toEqual(['Chapter 1', 'Section A', 'Chapter 2']);
  });

  it('reads NCX contents of older books', async () => {
    const document = await parseFile({
      name: 'a.epub',
      bytes: epubOf(
        { 'one.xhtml': '<p>Opening</p><p>text</p>' },
        {
          extra: {
            'OEBPS/book.opf':
              '<package xmlns="o"><metadata/><manifest><item id="c" href="one.xhtml"/><item id="ncx" href="toc.ncx"/></manifest><spine toc="ncx"><itemref idref="c"/></spine></package>',
            'OEBPS/toc.ncx':
              '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://x/ncx.dtd"><ncx xmlns="n"><navMap><navPoint><navLabel><text>Opening</text></navLabel><content src="one.xhtml"/></navPoint></navMap></ncx>',
          },
        },
      ),
    });
    expect(document.headings).toMatchObject([{ title: 'Opening' }]);
    expect(document.text).toBe('Opening\n\ntext');
  });

  it('refuses a protected book, but not one with scrambled fonts', async () => {
    const encryption = (path: string): string =>
      `<encryption xmlns:enc="e"><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="${path}"/></enc:CipherData></enc:EncryptedData></encryption>`;
    const withEncryption = (path: string) =>
      parseFile({
        name: 'a.epub',
        bytes: epubOf({ 'one.xhtml': '<p>text</p>' }, { extra: { 'META-INF/encryption.xml': encryption(path) } }),
      });
    await expect(withEncryption('OEBPS/one.xhtml')).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('DRM'),
    });
    expect((await withEncryption('OEBPS/font.otf')).text).toBe('text');
  });

  it('reads a book with missing chapters and says so; refuses one without a package', async () => {
    const opf =
      '<package xmlns="o"><metadata/><manifest><item id="a" href="one.xhtml"/><item id="b" href="../../gone.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>';
    const document = await read({ 'one.xhtml': '<p>text</p>' }, { extra: { 'OEBPS/book.opf': opf } });
    expect(document.warnings).toEqual(['The book lacks 1 of its files: gone.xhtml.']);
    const bytes = epubOf({}, { extra: { 'OEBPS/book.opf': '<package xmlns="o"/>' } });
    await expect(parseFile({ name: 'a.epub', bytes })).rejects.toThrow(/names nothing to read/u);
  });
});

const folder = sharedData('documents', 'office');
describe.skipIf(folder === undefined)('real books', () => {
  it.each([
    ['markitdown-test.epub', ['Chapter 1: Test Content', 'Chapter 2: More Content']],
    ['r2r-epub.epub', ['Introduction', 'Chapter 1: THE NETHERLANDS: Happiness Is a Number']],
  ])('%s', async (name, titles) => {
    const document = await parseFile({ name, bytes: new Uint8Array(readFileSync(`${folder}/${name}`)) });
    expectWellFormed(document);
    expect(document.headings.map(({ title }) => title)).toEqual(expect.arrayContaining(titles));
    expect(document.places.length).toBeGreaterThan(1);
  });
});
