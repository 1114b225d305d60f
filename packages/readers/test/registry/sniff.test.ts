import { describe, expect, it } from 'vitest';
import { encryptedOffice, extensionOf, misnamedWarning, sniffMedia } from '../../src/registry/sniff.ts';
import { zipOf } from '../../testkit/zip-fixture.ts';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('sniffMedia', () => {
  it('knows a package of OpenDocument without its type by what its manifest says of the whole, in linear time', async () => {
    const entry = (path: string, type: string): string =>
      `<manifest:file-entry manifest:media-type="${type}" manifest:full-path="${path}"/>`;
    const manifest = `<manifest:manifest>${entry('content.xml', 'text/xml')}${entry('/', 'application/vnd.oasis.opendocument.text')}</manifest:manifest>`;
    const packageOf = (written: string): Uint8Array =>
      zipOf({ 'content.xml': '<c/>', 'META-INF/manifest.xml': written });
    expect(await sniffMedia({ bytes: packageOf(manifest), name: 'a' })).toBe('application/vnd.oasis.opendocument.text');
    const hostile = packageOf(`<manifest:file-entry ${'full-path="/" '.repeat(60_000)}`);
    const before = process.cpuUsage();
    expect(await sniffMedia({ bytes: hostile, name: 'a' })).toBe('application/zip');
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  }, 60_000);

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
    [
      'page',
      'From: <Saved by Blink>\nSubject: Hi\nDate: x\nMIME-Version: 1.0\nContent-Type: multipart/related;\n',
      'multipart/related',
    ],
    [
      'mail',
      'From: a@a.org\nSubject: Hi\nDate: x\nMIME-Version: 1.0\nContent-Type: multipart/related;\n',
      'message/rfc822',
    ],
    ['inbox', 'From a@a.org Mon May  6 10:00:00 2024\nSubject: Hi\n\nText', 'application/mbox'],
    ['invite', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR', 'text/calendar'],
    ['note', 'From: the bank\nwe had words', 'text/plain'],
    ['letter.txt', '{\\rtf1\\ansi hello}', 'application/rtf'],
    // A text is a text, whatever it is called.
    ['Lighthouse.mediawiki', "== Lamp ==\n'''Bright'''", 'text/plain'],
    ['manual.textile', 'h1. Pump', 'text/plain'],
    ['ls.1', '.TH LS 1', 'text/plain'],
    ['data.xyz', '{"a": 1}', 'application/json'],
    ['CONFIG.SYS', 'FILES=40', 'text/plain'],
    // Copies are what they are copies of.
    ['nginx.conf.bak', 'listen 80', 'text/x-ini'],
    ['notes.md~', '# Notes', 'text/markdown'],
    ['main.go.~1~', 'package main', 'text/x-go'],
    ['server.log.2', 'started', 'text/x-log'],
    ['server.log-20260311', 'started', 'text/x-log'],
    ['list.csv.old', 'a,b', 'text/csv'],
    ['.bak', 'words', 'text/plain'],
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
    expect(await sniffMedia({ name: 'a.docx', bytes: compound('EncryptedPackage') })).toBe(encryptedOffice);
    await expect(sniffMedia({ name: 'a.doc', bytes: compound('Other') })).rejects.toMatchObject({
      code: 'unsupported-media',
    });
  });

  it('says of a file whether no more is known than that nothing reads its kind', async () => {
    const sevenZip = Buffer.from('377abcaf271c0004000000000000000000000000', 'hex');
    const reasonOf = async (name: string, bytes: Uint8Array): Promise<unknown> =>
      sniffMedia({ name, bytes }).catch((thrown: { details: Record<string, unknown> }) => thrown.details['reason']);
    expect(await reasonOf('a.7z', sevenZip)).toBeUndefined();
    await expect(sniffMedia({ name: 'a.7z', bytes: sevenZip })).rejects.toThrow(/7z archive. Unpack it/);
    expect(await reasonOf('a.xyz', bytes('\u0000strange program'))).toBe('unknown-kind');
    expect(await reasonOf('a.bin', new Uint8Array(64).fill(0x81))).toBe('unknown-kind');
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
    ['blob', bytes('QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo='.repeat(30)), 'unsupported-media', 'base64'],
    ['a.pdf', bytes('words'), 'invalid-media', 'not a PDF'],
    ['a.epub', bytes('words'), 'invalid-media', 'not an EPUB file'],
    ['a.png', bytes('words'), 'invalid-media', 'not a PNG file: it holds plain text'],
    ['a.xls', Uint8Array.from({ length: 200 }, (_, index) => index % 7), 'invalid-media', 'not an XLS file'],
    ['film.mkv.part', bytes('words'), 'unsupported-media', 'a download that did not finish. Finish it, or remove it.'],
    ['page.html.crdownload', bytes('<!doctype html><p>x'), 'unsupported-media', 'a download that did not finish'],
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

  it('knows documents for printing by their sequence', async () => {
    const bytes = zipOf({ '[Content_Types].xml': '<Types/>', 'FixedDocSeq.fdseq': '<FixedDocumentSequence/>' });
    await expect(sniffMedia({ name: 'talk.xps', bytes })).rejects.toThrow(
      /document for printing \(XPS\)\. Print it to PDF/u,
    );
  });

  it('tells calendars from contacts by what they hold', async () => {
    const [calendar, cards] = ['BEGIN:VCALENDAR\nEND:VCALENDAR\n', 'BEGIN:VCARD\nEND:VCARD\n'].map((text) =>
      Buffer.from(text),
    );
    expect(await sniffMedia({ name: 'user-cal.vcf', bytes: calendar ?? Buffer.alloc(0) })).toBe('text/calendar');
    expect(await sniffMedia({ name: 'people.ics', bytes: cards ?? Buffer.alloc(0) })).toBe('text/vcard');
  });

  it('reads what its bytes are: RTF and web pages that call themselves DOC and XLS', async () => {
    expect(await sniffMedia({ name: 'a.doc', bytes: bytes('{\\rtf1 x}') })).toBe('application/rtf');
    expect(await sniffMedia({ name: 'a.xls', bytes: bytes('<html><table><tr><td>1</table>') })).toBe('text/html');
    expect(await sniffMedia({ name: 'a.xls', bytes: bytes('<table><tr><td>1</table>') })).toBe('text/html');
  });

  it.each([
    ['umsatz.xls', 'Datum\tBetrag\n1.3.2026\t12,50\n', 'text/tab-separated-values'],
    ['umsatz.xlsx', 'Datum;Betrag\n1.3.2026;12,50\n', 'text/csv'],
    ['todo.doc', 'Call the plumber, then the roofer.', 'text/plain'],
    ['wiki.doc', 'Date: x\nMIME-Version: 1.0\nContent-Type: multipart/related;\n', 'multipart/related'],
    ['mail.msg', 'Received: by a\nFrom: a@a.org\nSubject: Hi\n\nText', 'message/rfc822'],
    ['old.xls', '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>', 'application/xml'],
  ])('reads the text that %s is, and says so', async (name, text, mime) => {
    const input = { name, bytes: bytes(text) };
    expect(await sniffMedia(input)).toBe(mime);
    expect(misnamedWarning(input, mime)).toMatch(/^It is called an? [A-Z]\S* .*file, but is not/u);
  });

  it('says nothing of files that are what they are called', () => {
    expect(misnamedWarning({ name: 'a.doc', bytes: bytes('x') }, 'application/msword')).toBeUndefined();
    expect(misnamedWarning({ name: 'a.txt', bytes: bytes('x') }, 'application/pdf')).toBeUndefined();
  });

  it('tells an OpenDocument in one XML file by the type that it declares', async () => {
    const flat = (name: string, kind: string): Promise<string> =>
      sniffMedia({
        name,
        bytes: bytes(
          `<?xml version="1.0"?>\n<office:document ${'xmlns:a="http://a.example/" '.repeat(150)}office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body/></office:document>`,
        ),
      });
    expect(await flat('a.fodt', 'text')).toBe('application/vnd.oasis.opendocument.text');
    expect(await flat('a.xml', 'spreadsheet')).toBe('application/vnd.oasis.opendocument.spreadsheet');
  });

  it.each(['BMP4 in mice', 'FORM 10-K of Acme', 'ID3 genes — a study', 'MZ twins', 'GIF89a is a format of images'])(
    'takes a text for a text whatever its first letters: %s',
    async (text) => {
      expect(await sniffMedia({ name: 'a.txt', bytes: bytes(`${text} and more.`) })).toBe('text/plain');
    },
  );

  it.each([
    ['#!/bin/sh\nset -e\n', 'application/x-sh'],
    ['#!/usr/bin/env -S python3 -u\nimport os\n', 'text/x-python'],
    ['#! /usr/bin/python2.7\nimport os\n', 'text/x-python'],
    ['#!/usr/bin/env node\nrun();\n', 'text/javascript'],
    ['#!/usr/bin/perl\nprint;\n', 'text/plain'],
    ['#!/bin/shell-like\n', 'text/plain'],
  ])('tells a script without an extension by what runs it: %s', async (source, mime) => {
    expect(await sniffMedia({ name: 'bin/run', bytes: bytes(source) })).toBe(mime);
  });

  it('takes no text in an old encoding for a recording', async () => {
    // "яч" in windows-1251; a recording has control characters among its first bytes.
    const text = Buffer.from(
      '\xff\xf7\xe5\xe9\xea\xe8; \xf3\xe4\xe0\xeb\xe5\xed\xe8\xe5 \xe8 \xea\xe8\xf2\xe0\xe9',
      'latin1',
    );
    expect(await sniffMedia({ name: 'a.txt', bytes: text })).toBe('text/plain');
    const recording = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x04]), Buffer.alloc(100, 1)]);
    await expect(sniffMedia({ name: 'a.txt', bytes: recording })).rejects.toMatchObject({ code: 'unsupported-media' });
  });

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
