import { describe, expect, it } from 'vitest';
import { parseFile } from '../../src/registry.ts';
import { mobiOf } from '../../testkit/mobi-fixture.ts';
import { pictureOf } from '../../testkit/picture-fixture.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const read = async (fixture: Parameters<typeof mobiOf>[0]) => {
  const document = await parseFile({ name: 'a.mobi', bytes: mobiOf(fixture) });
  expectWellFormed(document);
  return document;
};

const long = Array.from({ length: 400 }, (_, at) => `<p>Ship ${at} pays “${at * 7} euros” in the harbour.</p>`).join(
  '',
);
const chapter = `<html><head><guide></guide></head><body><h1>One</h1>${long}<mbp:pagebreak/><h1>Two</h1><p>End.</p></body></html>`;

describe('Kindle books', () => {
  it.each([
    ['packed', {}],
    ['not packed', { packing: 1 }],
    ['with entries behind the text of each record', { hasTrailers: true }],
    ['of the newer kind, with styles behind the text', { styles: '.a { color: red }' }],
  ])('are read %s', async (_, more) => {
    const facts = { 100: 'Ann Lee', 503: 'The Harbour', 106: '2001-02-03', 524: 'en-GB' };
    const document = await read({ html: chapter, facts, ...more });
    expect(document.text.startsWith('One\n\nShip 0 pays “0 euros” in the harbour.\n\nShip 1 pays')).toBe(true);
    expect(document.text.endsWith('Ship 399 pays “2793 euros” in the harbour.\n\nTwo\n\nEnd.')).toBe(true);
    expect(document.text.match(/“\d+ euros” in the harbour\./gu)).toHaveLength(400);
    expect(document).toMatchObject({
      title: 'The Harbour',
      language: 'en',
      publishedAt: '2001-02-03',
      metadata: { author: 'Ann Lee' },
      headings: [{ title: 'One' }, { title: 'Two' }],
    });
  });

  it('show the text of their pictures, by either name', async () => {
    const [one, two] = await Promise.all([
      pictureOf(['The harbour fee is 340 euros a night.']),
      pictureOf(['Ships longer than 90 metres pay double.']),
    ]);
    const html =
      '<html><body><p>A<img recindex="00001"/></p><p>B<img src="kindle:embed:0002?mime=image/png"/></p></body></html>';
    const document = await read({ html, pictures: [one, two] });
    expect(document.text).toMatch(
      /^A\n\nText in the picture .*\n\nThe harbour fee .*\n\nB\n\nText in the picture .*\n\nShips longer/u,
    );
  });

  it('are read where codes stand for phrases', async () => {
    // So many pairs of letters that the last ones have the long codes.
    const words = Array.from({ length: 400 }, (_, at) => ((at * 7919) % 100_003).toString(36)).join(' ');
    const html = `<html><body><h1>Tides</h1><p>${words}</p><p>Ebbe größer als 5 mm.</p></body></html>`;
    const document = await read({ html, packing: 17_480, hasTrailers: true });
    expect(document.text).toBe((await read({ html })).text);
    expect(document.text).toContain(`${words}\n\nEbbe größer als 5 mm.`);
  });

  it('are refused where the tables of their codes are damaged, and end whatever these say', async () => {
    const whole = mobiOf({ html: '<p>Low water at noon.</p>'.repeat(300), packing: 17_480 });
    const huff = Buffer.from(whole).indexOf('HUFF');
    const cdic = Buffer.from(whole).indexOf('CDIC');
    for (const at of [huff, huff + 8, huff + 24 + 255 * 4 + 3, cdic, cdic + 8, cdic + 16]) {
      const spoilt = Buffer.from(whole);
      spoilt.fill(0xff, at, at + 4);
      await expect(parseFile({ name: 'a.mobi', bytes: spoilt })).rejects.toMatchObject({ code: 'invalid-media' });
    }
    // A phrase that is packed, of itself: its code is 255.
    const endless = Buffer.from(whole);
    const body = cdic + 16 + endless.readUInt16BE(cdic + 16);
    endless.writeUInt16BE(endless.readUInt16BE(body) & 0x7fff, body);
    endless.fill(0xff, body + 2, body + 3);
    await expect(parseFile({ name: 'a.mobi', bytes: endless })).rejects.toMatchObject({ code: 'invalid-media' });
  });

  it('are refused where they are protected, packed in another way, or damaged', async () => {
    const of = (fixture: Partial<Parameters<typeof mobiOf>[0]>): Promise<unknown> =>
      read({ html: chapter, ...fixture });
    await expect(of({ protection: 2 })).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('DRM'),
    });
    await expect(of({ packing: 3 })).rejects.toMatchObject({
      code: 'unsupported-media',
      message: expect.stringContaining('EPUB'),
    });
    const whole = mobiOf({ html: chapter });
    for (const length of [79, 90, 130, 400]) {
      const bytes = whole.subarray(0, length);
      await expect(parseFile({ name: 'a.mobi', bytes })).rejects.toMatchObject({ code: 'invalid-media' });
    }
    const cut = await parseFile({ name: 'a.mobi', bytes: whole.subarray(0, 9000) });
    expect(cut.text).toContain('Ship 1 pays');
  });
});
