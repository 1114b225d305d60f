// What books name in their own ways: entities of HTML, paths with percent signs.
import { describe, expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';
import { epubOf } from '../../testkit/office-fixtures.ts';
import { pictureOf } from '../../testkit/picture-fixture.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

async function parse(name: string, content: string | Uint8Array) {
  const document = await parseFile({ name, bytes: typeof content === 'string' ? Buffer.from(content) : content });
  expectWellFormed(document);
  return document;
}

describe('EPUB', () => {
  it('has chapters and pictures whose names hold percent signs of their own', async () => {
    const picture = await pictureOf(['The harbour fee is 340 euros a night.']);
    const document = await parse(
      'a.epub',
      epubOf(
        {},
        {
          extra: {
            'OEBPS/book.opf':
              '<package xmlns="o"><metadata/><manifest><item id="c" href="a%20b.xhtml" media-type="application/xhtml+xml"/><item id="d" href="c%20d.xhtml" media-type="application/xhtml+xml"/><item id="p" href="p%20q.png" media-type="image/png"/></manifest><spine><itemref idref="c"/><itemref idref="d"/></spine></package>',
            'OEBPS/a%20b.xhtml': '<p>First.</p><img src="p%20q.png"/>',
            'OEBPS/c d.xhtml': '<p>Second.</p>',
            'OEBPS/p%20q.png': picture,
          },
        },
      ),
    );
    expect(document.warnings).toEqual([expect.stringContaining('OCR used on 1 picture')]);
    expect(document.text).toBe(
      'First.\n\nText in the picture (OCR):\n\nThe harbour fee is 340 euros a night.\n\nSecond.',
    );
  });

  it('has entities in the titles of its contents', async () => {
    const document = await parse(
      'a.epub',
      epubOf({ 'one.xhtml': '<p>words</p>' }, { navigation: '<li><a href="one.xhtml">Caf&eacute;&nbsp;1</a></li>' }),
    );
    expect(document.headings).toMatchObject([{ title: 'Café 1' }]);
  });
});
