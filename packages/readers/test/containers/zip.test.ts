import { describe, expect, it } from 'vitest';
import { openZip, readZipDirectory } from '../../src/containers/zip.ts';
import { zipOf } from '../../testkit/zip-fixture.ts';

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const directoryAt = (bytes: Uint8Array): number => viewOf(bytes).getUint32(bytes.length - 22 + 16, true);

describe('ZIP', () => {
  it('unpacks entries by name, without regard to case', () => {
    const zip = openZip(zipOf({ 'Word/Document.xml': 'text', mimetype: 'stored' }), 'a.zip');
    expect([zip.text('word/document.xml'), zip.text('/mimetype'), zip.text('none')]).toEqual([
      'text',
      'stored',
      undefined,
    ]);
  });

  it('reads UTF-16 parts', () => {
    const zip = openZip(zipOf({ a: Buffer.from('\ufeffgrün', 'utf16le') }), 'a.zip');
    expect(zip.text('a')).toBe('grün');
  });

  it('refuses a bomb by its own directory, before anything is unpacked', () => {
    const bytes = zipOf({ a: 'x' });
    viewOf(bytes).setUint32(directoryAt(bytes) + 24, 0x7fffffff, true);
    expect(() => readZipDirectory(bytes, 'a.zip')).toThrow(expect.objectContaining({ code: 'too-large' }));
  });

  it('does not unpack more than the directory says', () => {
    const bytes = zipOf({ a: 'x'.repeat(100_000) });
    viewOf(bytes).setUint32(directoryAt(bytes) + 24, 10, true);
    expect(() => openZip(bytes, 'a.zip').bytes('a')).toThrow(expect.objectContaining({ code: 'invalid-media' }));
  });

  it('does not unpack one part again and again', () => {
    const zip = openZip(zipOf({ a: new Uint8Array(15_000_000) }), 'a.zip');
    const readAll = (): void => {
      for (let times = 0; times < 40; times++) zip.bytes('a');
    };
    expect(readAll).toThrow(expect.objectContaining({ code: 'too-large' }));
  });

  it('refuses parts over a limit, archives with a password and those without a directory', () => {
    const bytes = zipOf({ a: 'x'.repeat(2_000_000) });
    expect(() => openZip(bytes, 'a.zip').text('a', 1_000_000)).toThrow(expect.objectContaining({ code: 'too-large' }));
    const locked = zipOf({ a: 'x' });
    viewOf(locked).setUint16(directoryAt(locked) + 8, 1, true);
    expect(() => openZip(locked, 'a.zip')).toThrow(/password/u);
    expect(() => openZip(bytes.subarray(0, 500), 'a.zip')).toThrow(/no readable directory/u);
  });
});
