// Text in pictures inside office files: where it stands, what is left, and what people are told.
import { beforeAll, describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../src/document.ts';
import { pictureHead } from '../../src/pictures/picture-head.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { cells, epubOf, openDocumentOf, pptxOf, shape, xlsxOf } from '../../testkit/office-fixtures.ts';
import { pictureOf, pngOf } from '../../testkit/picture-fixture.ts';
import { placeOf } from '../../testkit/program.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';
import { relationships, zipOf } from '../../testkit/zip-fixture.ts';

const lines = ['The harbour fee is 340 euros a night.', 'Ships longer than 90 metres pay double.'];
const read = `Text in the picture (OCR):\n\n${lines.join('\n')}`;
const used = 'OCR used on 1 picture (mean confidence 0.';

let picture: Uint8Array;
let photograph: Uint8Array;
let logo: Uint8Array;
let grey: Uint8Array;

beforeAll(async () => {
  picture = await pictureOf(lines);
  logo = pngOf({ width: 120, height: 120, pixels: new Uint8Array(120 * 120) });
  grey = pngOf({ width: 400, height: 100, pixels: new Uint8Array(40_000).fill(200) });
  const pixels = Uint8Array.from({ length: 400 * 300 }, (_, at) => 128 + 90 * Math.sin(at / 37) * Math.cos(at / 9100));
  photograph = pngOf({ width: 400, height: 300, pixels });
});

async function parse(name: string, bytes: Uint8Array, isOff = false): Promise<ParsedDocument> {
  const document = await parseFile({ name, bytes, ...(isOff && { recognition: { off: true } }) });
  expectWellFormed(document);
  return document;
}

const shown = (id: string, descr = '', y = 900): string =>
  `<p:pic><p:nvPicPr><p:cNvPr id="2" name="p" descr="${descr}"/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="${id}"/></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="${y}"/><a:ext cx="900" cy="300"/></a:xfrm></p:spPr></p:pic>`;

/** The fixtures take texts; pictures are put in behind. */
function slides(): Uint8Array {
  const image = (file: string): readonly [string, string] => ['image', `../media/${file}`];
  return pptxOf(
    [
      {
        shapes: shape('Prices', [0, 0], 'title') + shape('Before', [0, 300]) + shown('rIdP', 'A price list'),
        relations: { rIdP: image('a.png') },
      },
      {
        shapes: shape('Again', [0, 0], 'title') + shown('rIdP') + shown('rIdL', '', 1400) + shown('rIdF', '', 1800),
        relations: { rIdP: image('a.png'), rIdL: image('logo.png'), rIdF: image('photograph.png') },
      },
    ],
    { 'ppt/media/a.png': picture, 'ppt/media/logo.png': logo, 'ppt/media/photograph.png': photograph },
  );
}

describe('pictures on slides', () => {
  it('are read once, where they are shown first, and cited by their slide', async () => {
    const document = await parse('a.pptx', slides());
    expect(document.text).toContain(`Before\n\nImage: A price list\n\n${read}\n\nAgain`);
    expect(document.text.split('340 euros')).toHaveLength(2);
    const start = document.text.indexOf('340 euros');
    expect(placeOf(document.places, { start, end: start + 9 })).toBe('slide 1');
    expect(document.metadata).toMatchObject({ ocrPictures: 1 });
    expect(document.warnings).toEqual([
      expect.stringContaining(used),
      '2 pictures have no text to read: none was recognised, and no alternative text is given.',
    ]);
  });

  it('are read where they fill a shape, and left where no shape shows them', async () => {
    const filled =
      '<p:sp><p:nvSpPr><p:cNvPr id="3" name="f"/><p:nvPr/></p:nvSpPr><p:spPr><a:blipFill><a:blip r:embed="rIdP"/></a:blipFill></p:spPr></p:sp>';
    const deck = (shapes: string): Uint8Array =>
      pptxOf([{ shapes, relations: { rIdP: ['image', '../media/a.png'] } }], { 'ppt/media/a.png': picture });
    expect((await parse('a.pptx', deck(filled))).text).toBe(`Slide 1\n\n${read}`);
    const unseen = await parse('a.pptx', deck(shape('Words', [0, 0])));
    expect(unseen).toMatchObject({ text: 'Slide 1\n\nWords', warnings: [], metadata: { slides: 1 } });
    expect(unseen.metadata).not.toHaveProperty('ocrPictures');
  });

  it('are named where OCR is switched off', async () => {
    const document = await parse('a.pptx', slides(), true);
    expect(document.text).toBe('Prices\n\nBefore\n\nImage: A price list\n\nAgain');
    expect(document.warnings).toEqual(['OCR is switched off: 2 pictures are not read.']);
    expect(document.metadata).not.toHaveProperty('ocrPictures');
  });
});

describe('without the model of a language', () => {
  it('the rest is read, and why the pictures are not is said', async () => {
    const document = await parseFile({ name: 'a.pptx', bytes: slides(), recognition: { languages: 'tlh' } });
    expect(document.text).toContain('Before');
    expect(document.warnings).toEqual([expect.stringMatching(/^Text in tlh cannot be recognised: .* Put tlh/u)]);
  });
});

describe('many photographs', () => {
  it('end recognition, which is said', async () => {
    const names = Array.from({ length: 16 }, (_, at) => `p${at}`);
    const bytes = pptxOf(
      [
        {
          shapes: shape('Album', [0, 0], 'title') + names.map((name) => shown(name, 'A view')).join(''),
          relations: Object.fromEntries(names.map((name) => [name, ['image', `../media/${name}.png`] as const])),
        },
      ],
      Object.fromEntries(names.map((name) => [`ppt/media/${name}.png`, grey])),
    );
    const document = await parse('a.pptx', bytes);
    expect(document.warnings).toEqual([
      'OCR ended after 12 pictures in a row without text: 4 pictures behind them not read.',
    ]);
  });
});

describe('pictures in other office files', () => {
  it('of DOCX stand behind their paragraph', async () => {
    const drawing =
      '<w:p><w:r><w:t>As the list says:</w:t></w:r><w:r><w:drawing><pic:pic><pic:blipFill><a:blip r:embed="rIdP"/></pic:blipFill></pic:pic></w:drawing></w:r></w:p><w:p><w:r><w:t>After.</w:t></w:r></w:p>';
    const bytes = zipOf({
      '_rels/.rels': relationships({ rId1: ['officeDocument', 'word/document.xml'] }),
      'word/document.xml': `<w:document xmlns:w="w" xmlns:pic="pic" xmlns:a="a" xmlns:r="r"><w:body>${drawing}</w:body></w:document>`,
      'word/_rels/document.xml.rels': relationships({ rIdP: ['image', 'media/a.png'] }),
      'word/media/a.png': picture,
    });
    const document = await parse('a.docx', bytes);
    expect(document.text).toBe(`As the list says:\n\n${read}\n\nAfter.`);
    expect(document.warnings).toEqual([expect.stringContaining(used)]);
  });

  it('of ODT and ODP stand where their frame does', async () => {
    const frame = '<draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame>';
    const text = openDocumentOf('text', `<text:p>One</text:p><text:p>${frame}</text:p><text:p>Two</text:p>`, {
      extra: { 'Pictures/a.png': picture },
    });
    expect((await parse('a.odt', text)).text).toBe(`One\n\n${read}\n\nTwo`);
    const show = openDocumentOf('presentation', `<draw:page>${frame}</draw:page>`, {
      extra: { 'Pictures/a.png': picture },
    });
    const document = await parse('a.odp', show);
    expect(document.text).toBe(`Slide 1\n\n${read}`);
    expect(document.places.map(({ label }) => label)).toEqual(['slide 1']);
  });

  it('of XLSX are cited by the cell that they lie on', async () => {
    const drawing =
      '<xdr:wsDr xmlns:xdr="x" xmlns:a="a" xmlns:r="r"><xdr:oneCellAnchor><xdr:from><xdr:col>2</xdr:col><xdr:row>4</xdr:row></xdr:from><xdr:pic><xdr:blipFill><a:blip r:embed="rIdP"/></xdr:blipFill></xdr:pic></xdr:oneCellAnchor></xdr:wsDr>';
    const bytes = xlsxOf([{ name: 'Fees', data: cells(1, ['Harbour']) }], {
      'xl/worksheets/_rels/sheet1.xml.rels': relationships({ rIdD: ['drawing', '../drawings/drawing1.xml'] }),
      'xl/drawings/drawing1.xml': drawing,
      'xl/drawings/_rels/drawing1.xml.rels': relationships({ rIdP: ['image', '../media/a.png'] }),
      'xl/media/a.png': picture,
    });
    const document = await parse('a.xlsx', bytes);
    const start = document.text.indexOf('340 euros');
    expect(placeOf(document.places, { start, end: start + 9 })).toBe('Fees!C5');
  });

  it('of EPUB stand behind the image, also with an address that is escaped', async () => {
    const bytes = epubOf(
      { 'one.xhtml': '<h1>Fees</h1><p>Before <img src="my%20pictures/a.png" alt="A list"/> after &amp; more.</p>' },
      { extra: { 'OEBPS/my pictures/a.png': picture } },
    );
    const document = await parse('a.epub', bytes);
    expect(document.text).toContain(lines.join('\n'));
    expect(document.text).toContain('after & more.');
  });

  it('of EPUB do with a bare percent sign in their address, and where the chapter carries them itself', async () => {
    const data = `data:image/png;base64,${Buffer.from(picture).toString('base64')}`;
    const bytes = epubOf(
      { 'one.xhtml': '<h1>Fees</h1><img src="100%.png"/>', 'two.xhtml': `<h1>More</h1><p>As <img src="${data}"/></p>` },
      { extra: { 'OEBPS/100%.png': picture } },
    );
    const document = await parse('a.epub', bytes);
    expect(document.text).toBe(`Fees\n\n${read}\n\nMore\n\nAs\n\n${read}`);
    expect(document.metadata).toMatchObject({ ocrPictures: 2 });
  });
});

describe('the head of a picture', () => {
  it('says kind and size, or nothing', () => {
    expect(pictureHead(logo)).toEqual({ mime: 'image/png', width: 120, height: 120 });
    const jpeg = Buffer.from(`ffd8ffe00010${'00'.repeat(14)}ffffc0001108012c0190${'00'.repeat(20)}`, 'hex');
    expect(pictureHead(jpeg)).toEqual({ mime: 'image/jpeg', width: 400, height: 300 });
    const webp = Buffer.from(
      `${Buffer.from('RIFF....WEBPVP8X').toString('hex')}0a00000000000000${'8f0100'}${'2b0100'}${'00'.repeat(8)}`,
      'hex',
    );
    expect(pictureHead(webp)).toEqual({ mime: 'image/webp', width: 400, height: 300 });
    const gif = Buffer.from(`${Buffer.from('GIF89a').toString('hex')}90012c01${'00'.repeat(30)}`, 'hex');
    expect(pictureHead(gif)).toEqual({ mime: 'image/gif', width: 400, height: 300 });
    expect(pictureHead(jpeg.subarray(0, 24))).toBeUndefined();
    expect(pictureHead(Buffer.from(`ffd8${'00'.repeat(40)}`, 'hex'))).toBeUndefined();
    expect(pictureHead(Buffer.from('words without a picture, thirty letters and more'))).toBeUndefined();
  });
});
