// Text in pictures inside older office files, pages and messages: where it stands, and what is said of what is left.
import { beforeAll, describe, expect, it } from 'vitest';
import type { ParsedDocument } from '../../src/document.ts';
import { bmpOfDib, readBmp } from '../../src/images/image-bmp.ts';
import { artRecords } from '../../src/office/office-art.ts';
import { foldPictures } from '../../src/pictures/markdown-pictures.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { artRecord, docWithPictures, xlsWithPicture } from '../../testkit/older-office-fixture.ts';
import { pictureOf } from '../../testkit/picture-fixture.ts';
import { placeOf } from '../../testkit/program.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const first = ['The harbour fee is 340 euros a night.'];
const second = ['Ships longer than 90 metres pay double.'];
const label = 'Text in the picture (OCR):';

let one: Uint8Array;
let two: Uint8Array;
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

beforeAll(async () => {
  one = await pictureOf(first);
  two = await pictureOf(second);
});

async function parse(name: string, content: Uint8Array | string, isOff = false): Promise<ParsedDocument> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const document = await parseFile({ name, bytes, ...(isOff && { recognition: { off: true } }) });
  expectWellFormed(document);
  return document;
}

describe('pictures of DOC', () => {
  it('stand behind their paragraphs, in the line and floating', async () => {
    const bytes = docWithPictures({
      text: 'As shown \u0001 here.\rAnchor\u0008\rAfter.\r',
      inline: one,
      floating: two,
    });
    const document = await parse('a.doc', bytes);
    expect(document.text).toBe(
      `As shown  here.\n\n${label}\n\n${first[0]}\n\nAnchor\n\n${label}\n\n${second[0]}\n\nAfter.`,
    );
    expect(document.metadata).toMatchObject({ ocrPictures: 2 });
    expect(document.warnings).toEqual([expect.stringMatching(/^OCR used on 2 pictures/u)]);
    const off = await parse('a.doc', bytes, true);
    expect(off.text).toBe('As shown  here.\n\nAnchor\n\nAfter.');
    expect(off.warnings).toEqual(['OCR is switched off: 2 pictures are not read.']);
  });
});

describe('pictures of XLS', () => {
  it('are cited by the cell that they lie on, and drawings are named', async () => {
    const document = await parse('a.xls', xlsWithPicture(one, { row: 4, column: 2 }));
    expect(document.text).toContain(`${label}\n\n${first[0]}`);
    const start = document.text.indexOf('340 euros');
    expect(placeOf(document.places, { start, end: start + 9 })).toBe('Fees!C5');
    expect(document.warnings).toEqual([
      expect.stringMatching(/^OCR used on 1 picture/u),
      '1 picture is a drawing (EMF): it is not read.',
    ]);
  });
});

describe('records of drawings', () => {
  it('end with the bytes, whatever their lengths say', () => {
    const long = artRecord(0xf00a, Buffer.alloc(4));
    long.writeUInt32LE(0xffff_fff0, 4);
    expect([...artRecords(long)].map(({ type, body }) => [type, body.length])).toEqual([[0xf00a, 4]]);
    const nested = Buffer.concat(
      Array.from({ length: 5000 }, () => artRecord(0xf004, Buffer.alloc(0), { version: 15 })),
    );
    expect([...artRecords(nested)]).toHaveLength(5000);
    expect([...artRecords(Buffer.alloc(7))]).toHaveLength(0);
  });
});

describe('bitmaps without a file', () => {
  it('get the header of one', () => {
    const dib = Buffer.alloc(40 + 8 + 4);
    dib.writeUInt32LE(40, 0);
    dib.writeInt32LE(2, 4);
    dib.writeInt32LE(1, 8);
    dib.writeUInt16LE(1, 12);
    dib.writeUInt16LE(1, 14);
    dib.writeUInt32LE(2, 32);
    dib.fill(0xff, 44, 48);
    dib[48] = 0x40;
    expect([...readBmp(bmpOfDib(dib) ?? new Uint8Array(), 'a').raster.pixels]).toEqual([0, 255]);
    expect(bmpOfDib(Buffer.alloc(60))).toBeUndefined();
  });
});

describe('pictures of RTF', () => {
  const hex = (bytes: Uint8Array): string =>
    Buffer.from(bytes)
      .toString('hex')
      .replace(/.{100}/gu, '$&\n');

  it('are read once, as digits and as bytes, also in shapes, and drawings are named', async () => {
    const shaped = `{\\shp{\\*\\shpinst{\\sp{\\sn pib}{\\sv {\\pict\\pngblip ${hex(two)}}}}}{\\shprslt{\\pict\\wmetafile8 00}}}`;
    const document = await parse(
      'a.rtf',
      `{\\rtf1\\ansi Before {\\*\\shppict{\\pict{\\*\\picprop x}\\picw900\\pngblip\n${hex(one)}}}{\\nonshppict{\\pict\\wmetafile8 0102}}here.\\par Next ${shaped}\\par {\\pict\\emfblip 0102}End.\\par}`,
    );
    expect(document.text).toBe(`Before here.\n\n${label}\n\n${first[0]}\n\nNext\n\n${label}\n\n${second[0]}\n\nEnd.`);
    expect(document.warnings.at(-1)).toBe('1 picture is a drawing (EMF): it is not read.');
    const raw = Buffer.concat([
      Buffer.from(`{\\rtf1 A{\\pict\\pngblip\\bin${one.length} `),
      Buffer.from(one),
      Buffer.from('}\\par B\\par}'),
    ]);
    expect((await parse('b.rtf', raw)).text).toBe(`A\n\n${label}\n\n${first[0]}\n\nB`);
  });
});

describe('pictures that a text carries in itself', () => {
  it('of HTML stand behind the image', async () => {
    const page = `<html><body><h1>Fees</h1><p>See <img alt="List" src="data:image/png;base64,${base64(one)}"> now.</p><p>Last.</p></body></html>`;
    const document = await parse('a.html', page);
    expect(document.text).toBe(`Fees\n\nSee List\n\n${label}\n\n${first[0]}\n\nnow.\n\nLast.`);
    expect(document.metadata).toMatchObject({ ocrPictures: 1 });
    expect((await parse('a.html', page, true)).warnings).toEqual(['OCR is switched off: 1 picture is not read.']);
  });

  it('of Markdown stand on their line, and no line moves', async () => {
    const source = [
      '# Fees',
      '',
      `See ![List](data:image/png;base64,${base64(one)} "t") now.`,
      '',
      'And ![][plan] there.',
      '',
      'Last.',
      '',
      `[plan]: <data:image/png;base64,${base64(two)}>`,
    ].join('\n');
    const document = await parse('a.md', source);
    expect(document.text.split('\n')).toEqual([
      '# Fees',
      '',
      `See ![List](data:image/png;base64,… "t") ${label} ${first[0]} now.`,
      '',
      `And ![][plan] ${label} ${second[0]} there.`,
      '',
      'Last.',
      '',
      '[plan]: <data:image/png;base64,…>',
    ]);
    expect(document.citeByLine).toBe(true);
  });

  it('are folded in linear time, and other addresses are left', () => {
    const long = `![a](data:image/png;base64,${'A'.repeat(8_000_000)})`;
    expect(foldPictures(long).text).toBe('![a](data:image/png;base64,…)');
    const other = '![a](https://example.org/a.png) data:image/png;base64,AAAA [b](data:text/plain,x)';
    expect(foldPictures(other)).toMatchObject({ text: other, held: [] });
    const many = `${'![a]('.repeat(100_000)}data:image/png;base64,${'B'.repeat(100)}`;
    expect(foldPictures(many).text.length).toBeLessThan(many.length);
  });
});

describe('pictures of mail', () => {
  const message = (html: string, name = 'plan.png', picture = one): string =>
    [
      'From: A <a@a.org>',
      'Subject: Fees',
      'Date: Mon, 6 May 2024 10:00:00 +0200',
      'MIME-Version: 1.0',
      'Content-Type: multipart/related; boundary=b',
      '',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      html,
      '--b',
      `Content-Type: image/png; name="${name}"`,
      'Content-ID: <Plan@a.org>',
      `Content-Disposition: inline; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      base64(picture).replace(/.{76}/gu, '$&\r\n'),
      '--b--',
      '',
    ].join('\r\n');

  it('stand where the message shows them instead of being attached files', async () => {
    const padded = Buffer.concat([one, Buffer.alloc(20_000)]);
    const document = await parse('a.eml', message('<p>See <img src="cid:plan@a.org"> now.</p>', 'plan.png', padded));
    expect(document.text).toContain(`See\n\n${label}\n\n${first[0]}\n\nnow.`);
    expect(document.attachments).toBeUndefined();
    expect(document.metadata).toMatchObject({ ocrPictures: 1 });
  });

  it('stay attached files where the text does not show them', async () => {
    const padded = Buffer.concat([one, Buffer.alloc(20_000)]);
    const document = await parse('a.eml', message('<p>See below.</p>', 'plan.png', padded));
    expect(document.attachments?.map(({ name }) => name)).toEqual(['plan.png']);
    expect(document.text).not.toContain(label);
  });
});
