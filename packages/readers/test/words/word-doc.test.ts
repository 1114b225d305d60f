import { readFileSync } from 'node:fs';
import { CFB } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../testkit/shared-data.ts';
import { parseFile } from '../../src/registry/registry.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

interface DocFixture {
  readonly body: string;
  readonly footnotes?: string;
  readonly flags?: number;
  readonly version?: number;
  readonly isWide?: boolean;
  /** Lengths of the pieces of the text, which all begin at its beginning; one of all by default. */
  readonly pieces?: readonly number[];
}

/** A Word document of the least that makes one: header, text, piece table ([MS-DOC] §2.4.1). */
function docOf({ body, footnotes = '', flags = 0, version = 0xc1, isWide = false, ...given }: DocFixture): Uint8Array {
  const text = body + footnotes;
  const pieces = given.pieces ?? [text.length];
  const main = Buffer.alloc(0x400);
  main.writeUInt16LE(0xa5ec, 0);
  main.writeUInt16LE(version, 2);
  main.writeUInt16LE(flags, 0x0a);
  main.writeInt32LE(given.pieces === undefined ? body.length : 0x7fff_ffff, 0x4c);
  main.writeInt32LE(footnotes.length, 0x50);
  const plc = Buffer.alloc(4 + 12 * pieces.length);
  pieces.forEach((length, index) => {
    plc.writeUInt32LE(plc.readUInt32LE(index * 4) + length, index * 4 + 4);
    plc.writeUInt32LE(isWide ? 0x400 : (0x400 * 2) | 0x4000_0000, (pieces.length + 1) * 4 + index * 8 + 2);
  });
  const table = Buffer.concat([Buffer.from([2]), Buffer.alloc(4), plc]);
  table.writeUInt32LE(plc.length, 1);
  main.writeUInt32LE(0, 0x9a + 33 * 8);
  main.writeUInt32LE(table.length, 0x9a + 33 * 8 + 4);
  const file = CFB.utils.cfb_new();
  CFB.utils.cfb_add(
    file,
    '/WordDocument',
    Buffer.concat([main, Buffer.from(text, isWide ? 'utf16le' : 'latin1'), Buffer.alloc(4096)]),
  );
  CFB.utils.cfb_add(file, '/0Table', Buffer.concat([table, Buffer.alloc(4096)]));
  return new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer);
}

const read = async (fixture: DocFixture) => {
  const document = await parseFile({ name: 'a.doc', bytes: docOf(fixture) });
  expectWellFormed(document);
  return document;
};

describe('DOC', () => {
  it('reads one-byte and two-byte text', async () => {
    expect((await read({ body: 'First.\rSecond \x93line\x94\x0bbroken\x1ehere\r' })).text).toBe(
      'First.\n\nSecond “line”\nbroken\u2011here',
    );
    expect((await read({ body: 'Übung 日本\r', isWide: true })).text).toBe('Übung 日本');
  });

  it('parts what a page break parts', async () => {
    expect((await read({ body: 'One page.\fThe next.\r' })).text).toBe('One page.\n\nThe next.');
  });

  it('shows the results of fields, also of nested ones, and marks footnotes', async () => {
    const document = await read({
      body: 'See \x13 HYPERLINK "\x13 code \x14inner\x15" \x14the page\x15 now\x02.\r',
      footnotes: '\x02 A source.\r',
    });
    expect(document.text).toBe('See the page now[1].\n\n[1] A source.');
  });

  it.each([
    ['an encrypted file', { body: 'x\r', flags: 0x0100 }, 'invalid-media', 'password'],
    ['a file of Word 2', { body: 'x\r', version: 0x2d }, 'unsupported-media', 'Word 95 or older'],
    ['a file of Word 95', { body: 'x\r', version: 0x68 }, 'unsupported-media', 'save it as DOCX'],
    ['an encrypted file of Word 95', { body: 'x\r', version: 0x68, flags: 0x100 }, 'unsupported-media', 'as DOCX'],
    ['a file without its table', { body: 'x\r', flags: 0x0200 }, 'invalid-media', 'table stream'],
    ['a file without text', { body: '\r\r' }, 'invalid-media', 'has no text'],
  ] as const)('refuses %s', async (_, fixture, code, why) => {
    await expect(read(fixture)).rejects.toMatchObject({ code, message: expect.stringContaining(why) });
  });
});

describe('pieces', () => {
  it('of a text that is used again and again end at a limit', async () => {
    const started = process.cpuUsage();
    const document = await read({ body: 'x'.repeat(1000), pieces: Array.from({ length: 5000 }, () => 400_000) });
    expect(document.text.length).toBeLessThan(4_000_000);
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
  });
});

const path = sharedData('documents', 'office', 'r2r-doc.doc');
describe.skipIf(path === undefined)('a real DOC', () => {
  it('gives headings, lists, tables and facts', async () => {
    const document = await parseFile({ name: 'a.doc', bytes: new Uint8Array(readFileSync(path ?? '')) });
    expectWellFormed(document);
    expect(document.headings[0]).toMatchObject({ level: 1, title: 'Lorem ipsum' });
    expect(document.headings.some(({ level }) => level === 2)).toBe(true);
    expect(document.text).toContain('\n- Nulla facilisi.\n');
    expect(document.text).toContain('2 | Cras fringilla ipsum magna, in fringilla dui commodo a. | Ipsum\n');
    expect(document.text).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/u);
    expect(document.metadata).toMatchObject({ created: '2017-08-02T09:09:18.006Z' });
  });
});
