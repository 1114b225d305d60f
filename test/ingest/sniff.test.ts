import { describe, expect, it } from 'vitest';
import { extensionOf, sniffMedia } from '../../src/ingest/sniff.ts';

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
  ])('%s is %s', async (name, text, mime) => {
    expect(await sniffMedia({ name, bytes: bytes(text) })).toBe(mime);
  });

  it('believes the sender about text where the name says nothing', async () => {
    expect(await sniffMedia({ name: 'stdin', bytes: bytes('# A'), mime: 'text/markdown; charset=utf-8' })).toBe(
      'text/markdown',
    );
    expect(await sniffMedia({ name: 'stdin', bytes: bytes('words'), mime: 'application/pdf' })).toBe('text/plain');
  });

  it.each([
    ['picture.md', png, 'unsupported-media', 'image/png'],
    ['noise', Uint8Array.from({ length: 200 }, (_, index) => (index * 7) % 256), 'unsupported-media', 'binary'],
    ['nul.txt', bytes('a\u0000b'), 'unsupported-media', 'binary'],
    ['a.rss', bytes('words'), 'unsupported-media', '.rss'],
    ['feed', bytes('<?xml version="1.0"?><rss/>'), 'unsupported-media', 'XML'],
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

describe('extensionOf', () => {
  it('reads the last extension of the file name, not of a folder or a dot file', () => {
    expect(['a.tar.GZ', 'x.d/file', '.env', 'a\\b.Md'].map(extensionOf)).toEqual(['gz', '', '', 'md']);
  });
});
