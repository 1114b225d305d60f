// Files that end before their end say so instead of what a decoder makes of them; whole ones never do.
import { deflateSync } from 'node:zlib';
import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { isCutOff } from '../../src/containers/cut-off.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { zipOf } from '../../testkit/zip-fixture.ts';

const chunk = (type: string, body: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), body, Buffer.alloc(4)]);
};
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  chunk('IHDR', Buffer.from('00000040000000400800000000', 'hex')),
  chunk('IDAT', deflateSync(Buffer.alloc(65 * 64, 7))),
  chunk('IEND', Buffer.alloc(0)),
]);
/** A preview in the head, with an end of its own, and a picture. */
const jpeg = Buffer.from(`ffd8ffe10008ffd8ffd90000ffda00040000${'11ff0022ff00'.repeat(50)}ffd9`, 'hex');
const webp = Buffer.concat([Buffer.from('RIFF\u0010\0\0\0WEBPVP8 ', 'latin1'), Buffer.alloc(8)]);
const zip = zipOf({ 'a.txt': 'words '.repeat(99) });
const pdf = async (): Promise<Uint8Array> => {
  const document = await PDFDocument.create();
  document.addPage();
  return document.save();
};
const linearized = Buffer.from(`%PDF-1.4\n1 0 obj <</Linearized 1 /L 200>>\n%%EOF\n${' '.repeat(148)}%%EOF`);

describe('files that end before their end', () => {
  it.each([
    ['PNG', png],
    ['JPEG', jpeg],
    ['WebP', webp],
    ['ZIP', zip],
    ['a PDF for the web', linearized],
  ])('are told from whole ones: %s', (_, whole) => {
    expect(isCutOff(whole)).toBe(false);
    expect(isCutOff(Buffer.concat([whole, Buffer.from('more')]))).toBe(false);
    expect(isCutOff(whole.subarray(0, Math.floor(whole.length * 0.7)))).toBe(true);
  });

  it('are told also of PDF, and of other files not at all', async () => {
    const whole = await pdf();
    expect(isCutOff(whole)).toBe(false);
    expect(isCutOff(whole.subarray(0, 100))).toBe(true);
    for (let length = 0; length < 24; length++) expect(isCutOff(jpeg.subarray(3, 3 + length))).toBe(false);
  });

  it.each([
    ['photo.png', png.subarray(0, png.length - 20)],
    ['paper.pdf', Buffer.from('%PDF-1.7\n1 0 obj <</Type /Catalog')],
  ])('%s says so, and what to do', async (name, bytes) => {
    await expect(parseFile({ name, bytes })).rejects.toMatchObject({
      code: 'invalid-media',
      message: `${name} is damaged: it is cut off, its end is missing. The download or the copy may be incomplete: fetch the file again.`,
      details: { reason: 'cut-off' },
    });
  });
});
