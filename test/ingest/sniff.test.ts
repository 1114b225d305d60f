import { describe, expect, it } from 'vitest';
import { extensionOf, sniffMedia } from '../../src/ingest/sniff.ts';
import { zipOf } from './parsers/zip-fixture.ts';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('sniffMedia', () => {
  it.each([
    ['a.md', '# A', 'text/markdown'],
    ['A.MD', '# A', 'text/markdown'],
    ['README', 'plain words', 'text/plain'],
    ['page', '<!-- c -->\n<!DOCTYPE html><p>x', 'text/html'],
    ['page.txt', '<html><p>x', 'text/html'],
    ['data', '{"a": 1}', 'application/json'],
    ['a.py', 'print("<html>")', 'text/x-python'],
    ['a.ts', '// <html>', 'text/x-typescript'],
    ['notes.pdf.txt', 'words', 'text/plain'],
    ['x.txt', '%PDF-1.4 …', 'application/pdf'],
    ['feed', '<?xml version="1.0"?><!-- c --><rss version="2.0"/>', 'application/rss+xml'],
    ['feed.xml', '<feed xmlns="http://www.w3.org/2005/Atom"/>', 'application/atom+xml'],
    ['parts.xml', '<?xml version="1.0"?><!DOCTYPE parts [<!ENTITY a "b">]><parts/>', 'application/xml'],
    ['message', 'Received: by a\n for b\nFrom: a@a.org\nSubject: Hi\n\nText', 'message/rfc822'],
    ['inbox', 'From a@a.org Mon May  6 10:00:00 2024\nSubject: Hi\n\nText', 'application/mbox'],
    ['invite', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR', 'text/calendar'],
    ['note', 'From: the bank\nwe had words', 'text/plain'],
    ['letter.txt', '{\\rtf1\\ansi hello}', 'application/rtf'],
  ])('%s is %s', async (name, text, mime) => {
    expect(await sniffMedia({ name, bytes: bytes(text) })).toBe(mime);
  });

  it('tells a picture by its bytes, whatever its name', async () => {
    expect(await sniffMedia({ name: 'picture.md', bytes: png })).toBe('image/png');
  });

  it('tells files of the compound format by their streams', async () => {
    const compound = (stream: string): Uint8Array => {
      const file = Buffer.alloc(1536);
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(file);
      const name = Buffer.from(`${stream}\0`, 'utf16le');
      name.copy(file, 1024);
      file.writeUInt16LE(name.length, 1024 + 64);
      return file;
    };
    expect(await sniffMedia({ name: 'a.bin', bytes: compound('WordDocument') })).toBe('application/msword');
    expect(await sniffMedia({ name: 'a.doc', bytes: compound('Workbook') })).toBe('application/vnd.ms-excel');
    expect(await sniffMedia({ name: 'm', bytes: compound('__properties_version1.0') })).toBe(
      'application/vnd.ms-outlook',
    );
    await expect(sniffMedia({ name: 'a.docx', bytes: compound('EncryptedPackage') })).rejects.toMatchObject({
      code: 'invalid-media',
      message: expect.stringContaining('password'),
    });
    await expect(sniffMedia({ name: 'a.doc', bytes: compound('Other') })).rejects.toMatchObject({
      code: 'unsupported-media',
    });
  });

  it('believes the sender about text where the name says nothing', async () => {
    expect(await sniffMedia({ name: 'stdin', bytes: bytes('# A'), mime: 'text/markdown; charset=utf-8' })).toBe(
      'text/markdown',
    );
    expect(await sniffMedia({ name: 'stdin', bytes: bytes('words'), mime: 'application/pdf' })).toBe('text/plain');
  });

  it.each([
    ['packed.md', Uint8Array.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4]), 'unsupported-media', '7z archive'],
    ['noise', Uint8Array.from({ length: 200 }, (_, index) => (index * 7) % 256), 'unsupported-media', 'binary'],
    ['nul.txt', bytes('a\u0000b'), 'unsupported-media', 'binary'],
    ['a.xyz', bytes('words'), 'unsupported-media', '.xyz'],
    ['a.pdf', bytes('words'), 'invalid-media', 'not a PDF'],
    ['a.docx', bytes('words'), 'invalid-media', 'not a DOCX'],
    ['a.md', bytes(''), 'invalid-media', 'is empty'],
  ])('refuses %s', async (name, content, code, why) => {
    await expect(sniffMedia({ name, bytes: content })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(why),
    });
  });
});

describe('office files under other names', () => {
  it.each([
    ['parts in an unusual order', { 'a.txt': 'x', 'word/document.xml': '<w/>' }, 'wordprocessingml.document'],
    [
      'an OpenDocument whose type does not come first',
      { 'content.xml': '<c/>', mimetype: 'application/vnd.oasis.opendocument.text' },
      'opendocument.text',
    ],
    ['a book without a type', { 'META-INF/container.xml': '<c/>' }, 'epub+zip'],
    ['a binary workbook', { 'xl/workbook.bin': 'x' }, 'vnd.ms-excel'],
    ['an archive', { 'a.txt': 'x', 'b.txt': 'y' }, 'application/zip'],
  ])('kinds of ZIP: %s', async (_, entries, mime) => {
    expect(await sniffMedia({ name: 'file', bytes: zipOf(entries) })).toContain(mime);
  });

  it('reads what its bytes are: RTF and web pages that call themselves DOC and XLS', async () => {
    expect(await sniffMedia({ name: 'a.doc', bytes: bytes('{\\rtf1 x}') })).toBe('application/rtf');
    expect(await sniffMedia({ name: 'a.xls', bytes: bytes('<html><table><tr><td>1</table>') })).toBe('text/html');
    await expect(sniffMedia({ name: 'a.xls', bytes: bytes('a,b') })).rejects.toMatchObject({ code: 'invalid-media' });
  });

  it.each(['BMP4 in mice', 'FORM 10-K of Acme', 'ID3 genes — a study', 'MZ twins', 'GIF89a is a format of images'])(
    'takes a text for a text whatever its first letters: %s',
    async (text) => {
      expect(await sniffMedia({ name: 'a.txt', bytes: bytes(`${text} and more.`) })).toBe('text/plain');
    },
  );

  it('calls a compound file that ends before its directory damaged', async () => {
    const file = Buffer.alloc(1024);
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(file);
    file.writeUInt16LE(9, 0x1e);
    file.writeUInt32LE(7, 0x30);
    await expect(sniffMedia({ name: 'a.doc', bytes: file })).rejects.toMatchObject({ code: 'invalid-media' });
  });
});

describe('extensionOf', () => {
  it('reads the last extension of the file name, not of a folder or a dot file', () => {
    expect(['a.tar.GZ', 'x.d/file', '.env', 'a\\b.Md'].map(extensionOf)).toEqual(['gz', '', '', 'md']);
  });
});
