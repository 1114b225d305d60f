// What pictures say of themselves, written by hand as cameras and programs write it.
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pictureFacts } from '../../src/images/image-facts.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { pictureOf, pngChunk } from '../../testkit/picture-fixture.ts';

/** A directory of texts, and one inside it with the time at which the picture was taken. */
function exif(isLittle: boolean): Buffer {
  const block = Buffer.alloc(200);
  const two = (value: number, at: number): number =>
    isLittle ? block.writeUInt16LE(value, at) : block.writeUInt16BE(value, at);
  const four = (value: number, at: number): number =>
    isLittle ? block.writeUInt32LE(value, at) : block.writeUInt32BE(value, at);
  block.write(isLittle ? 'II' : 'MM', 0, 'latin1');
  two(42, 2);
  four(8, 4);
  const entry = (at: number, tag: number, [type, count, value]: readonly [number, number, number]): void => {
    two(tag, at);
    two(type, at + 2);
    four(count, at + 4);
    four(value, at + 8);
  };
  two(3, 8);
  entry(10, 0x010e, [2, 13, 100]);
  entry(22, 0x013b, [2, 4, 0]);
  block.write('Ada\0', 30, 'latin1');
  entry(34, 0x8769, [4, 1, 60]);
  two(1, 60);
  entry(62, 0x9003, [2, 20, 120]);
  block.write('Pier at dawn\0', 100, 'latin1');
  block.write('2024:05:17 10:30:00\0', 120, 'latin1');
  return block;
}

const jpegWith = (block: Buffer): Buffer => {
  const head = Buffer.from('ffd8ffe000040000ffe10000', 'hex');
  head.writeUInt16BE(8 + block.length, 10);
  return Buffer.concat([head, Buffer.from('Exif\0\0'), block, Buffer.from('ffda', 'hex')]);
};

/** A PNG with chunks before its end. */
const pngWith = (png: Uint8Array, ...chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from(png).subarray(0, -12), ...chunks, Buffer.from(png).subarray(-12)]);

describe('facts of pictures', () => {
  it.each([true, false])('of EXIF, whatever the order of its bytes (little: %s)', (isLittle) => {
    const wanted = { created: '2024-05-17T10:30:00', description: 'Pier at dawn', author: 'Ada' };
    expect(pictureFacts(jpegWith(exif(isLittle)), 'image/jpeg')).toEqual(wanted);
  });

  it('of damaged EXIF are none', () => {
    const whole = jpegWith(exif(true));
    for (let length = 2; length < whole.length; length += 3)
      expect(() => pictureFacts(whole.subarray(0, length), 'image/jpeg')).not.toThrow();
    const loop = exif(true);
    loop.writeUInt32LE(8, 42);
    expect(pictureFacts(jpegWith(loop), 'image/jpeg')).toMatchObject({ author: 'Ada' });
    const none = exif(true);
    none.write('0000:00:00 00:00:00', 120, 'latin1');
    expect(pictureFacts(jpegWith(none), 'image/jpeg')).not.toHaveProperty('created');
  });

  it('of PNG stand in the document', async () => {
    const png = await pictureOf(['The harbour fee is 340 euros a night.']);
    const bomb = Buffer.concat([Buffer.from('Description\0\0'), deflateSync(Buffer.alloc(5_000_000))]);
    const bytes = pngWith(
      png,
      pngChunk('tEXt', Buffer.from('Title\0Fees \xe0 la carte', 'latin1')),
      pngChunk('iTXt', Buffer.concat([Buffer.from('Author\0\x01\0en\0\0'), deflateSync(Buffer.from('Jörg'))])),
      pngChunk('zTXt', bomb),
      pngChunk('tEXt', Buffer.from('Creation Time\x002024-05-17')),
    );
    const document = await parseFile({ name: 'a.png', bytes });
    expect(document.title).toBe('Fees à la carte');
    expect(document.metadata).toMatchObject({ author: 'Jörg', created: '2024-05-17' });
    expect(document.metadata).not.toHaveProperty('description');
  });
});
