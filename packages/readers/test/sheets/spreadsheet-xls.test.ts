// Workbooks of older Excel, record by record: what stands beside the cells, letters of other code pages, files without a container, and files
// whose container holds others.
import { CFB } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { parseFile } from '../../src/registry/registry.ts';
import { sniffMedia } from '../../src/registry/sniff.ts';
import { expectWellFormed } from '../../testkit/well-formed.ts';

const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2);
  return bytes;
};

const record = (type: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([words(type, body.length), body]);
};

/** BOF, of version 8 or 5; a book or a sheet. */
const begins = (version: number, kind: number): Buffer =>
  record(0x0809, words(version, kind, 0, 0), Buffer.alloc(version === 0x0600 ? 8 : 0));
const ends = record(0x000a);

/** A label (§2.4.148) in the first row; before version 8 its letters are those of the code page. */
const label = (column: number, letters: Uint8Array, isWide?: boolean): Buffer =>
  record(
    0x0204,
    words(0, column, 0, letters.length / (isWide ? 2 : 1)),
    isWide === undefined ? Buffer.alloc(0) : Buffer.from([isWide ? 1 : 0]),
    letters,
  );

interface BookFixture {
  readonly version?: number;
  readonly globals?: readonly Uint8Array[];
  readonly name?: Uint8Array;
  readonly sheet: readonly Uint8Array[];
}

/** The records of a workbook with one sheet. */
function recordsOf({ version = 0x0600, globals = [], name = Buffer.from('S'), sheet }: BookFixture): Buffer {
  const letters = version === 0x0600 ? Buffer.from([name.length, 0, ...name]) : Buffer.from([name.length, ...name]);
  const first = (at: number): Buffer =>
    Buffer.concat([begins(version, 5), ...globals, record(0x0085, words(at & 0xffff, at >>> 16, 0), letters), ends]);
  return Buffer.concat([first(first(0).length), begins(version, 0x10), ...sheet, ends]);
}

function compoundOf(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const file = CFB.utils.cfb_new();
  for (const [name, bytes] of Object.entries(streams))
    CFB.utils.cfb_add(file, name, Buffer.concat([bytes, Buffer.alloc(Math.max(0, 4096 - bytes.length))]));
  return new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer);
}

const read = async (bytes: Uint8Array) => {
  const document = await parseFile({ name: 'a.xls', bytes });
  expectWellFormed(document);
  return document;
};

/** An object (§2.4.181) of this kind with its text (§2.4.329), which may go on in several records; formats follow it. */
const object = (kind: number, id: number, text: readonly Uint8Array[], characters: number): Buffer[] => [
  record(0x005d, words(0x15, 0x12, kind, id), Buffer.alloc(14)),
  record(0x01b6, Buffer.alloc(10), words(characters, 16), Buffer.alloc(4)),
  ...text.map((part) => record(0x003c, part)),
  record(0x003c, Buffer.from('not a text, but runs', 'utf16le').subarray(0, 16)),
];
const narrow = (text: string): Buffer => Buffer.concat([Buffer.from([0]), Buffer.from(text, 'latin1')]);
const wide = (text: string): Buffer => Buffer.concat([Buffer.from([1]), Buffer.from(text, 'utf16le')]);

/** A drawing of a shape at a cell (§2.5.193). */
const drawnAt = (column: number, row: number): Buffer =>
  record(0x00ec, words(0, 0xf010, 18, 0), words(0, column, 0, row, 0, 0, 0, 0, 0));

describe('XLS of 1997 and later', () => {
  it('has the text of notes and text boxes, without the formats behind it, and titles of charts', async () => {
    const sheet = [
      label(0, Buffer.from('Pump'), false),
      drawnAt(2, 6),
      ...object(0x19, 1, [narrow('check '), wide('Gerät')], 11),
      drawnAt(4, 8),
      ...object(6, 2, [narrow('first line\rsecond')], 17),
      record(0x001c, words(2, 1, 0, 1), words(3), Buffer.from('\0Ann', 'latin1')),
      begins(0x0600, 0x20),
      record(0x1025, Buffer.alloc(32)),
      record(0x100d, words(0), Buffer.from([7, 0]), Buffer.from('Heights')),
      record(0x1027, words(1, 0, 0)),
      record(0x1025, Buffer.alloc(32)),
      record(0x100d, words(0), Buffer.from([4, 0]), Buffer.from('axis')),
      record(0x1027, words(2, 0, 0)),
      ends,
    ];
    const document = await read(compoundOf({ '/Workbook': recordsOf({ sheet }) }));
    expect(document.text).toBe('S\n\nPump\n\nHeights\n\nNote on B3: check Gerät\n\nfirst line\n\nsecond');
    expect(document.places.map(({ label: place }) => place)).toEqual(['S!A1', 'S!E9', 'S!B3', 'S!E9']);
  });

  it('steps over the records of a sheet once, however many sheets are said to begin there', async () => {
    const { xlsNotes } = await import('../../src/sheets/spreadsheet-xls-notes.ts');
    const { xlsPictures } = await import('../../src/sheets/spreadsheet-xls-pictures.ts');
    const drawn = record(0x00eb, Buffer.alloc(8));
    const again = Array.from({ length: 20_000 }, () => record(0x0085, words(0, 0, 0), Buffer.from([1, 0, 0x53])));
    const empty = Array.from({ length: 20_000 }, () => record(0x0200));
    const bytes = compoundOf({ '/Workbook': recordsOf({ globals: [drawn, ...again], sheet: empty }) });
    const started = process.cpuUsage();
    expect(xlsNotes(bytes)).toHaveLength(20_001);
    expect(xlsPictures(bytes).bySheet).toHaveLength(20_001);
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
  });

  it('has the text of a note once, however many cells are said to have it', async () => {
    const { xlsNotes } = await import('../../src/sheets/spreadsheet-xls-notes.ts');
    const text = 'a'.repeat(8000);
    const notes = Array.from({ length: 40_000 }, () => record(0x001c, words(2, 1, 0, 1), words(0)));
    const sheet = [...object(0x19, 1, [narrow(text)], text.length), ...notes];
    const [remarks = []] = xlsNotes(compoundOf({ '/Workbook': recordsOf({ sheet }) })) ?? [];
    expect(remarks.map(({ cell, lines }) => [cell, lines.join('').length])).toEqual([['B3', text.length + 12]]);
  });

  it('is told by the streams of its root, whatever is embedded in it and however they are written', async () => {
    const workbook = recordsOf({ sheet: [label(0, Buffer.from('Pump'), false)] });
    const embedding = compoundOf({ '/WORKBOOK': workbook, '/MBD0001/WordDocument': Buffer.from('x') });
    expect(await sniffMedia({ name: 'a', bytes: embedding })).toBe('application/vnd.ms-excel');
    expect((await read(embedding)).text).toBe('S\n\nPump');
    const holder = compoundOf({ '/Contents': Buffer.from('x'), '/MBD0001/WordDocument': Buffer.from('x') });
    await expect(sniffMedia({ name: 'a.pub', bytes: holder })).rejects.toMatchObject({ code: 'unsupported-media' });
  });
});

describe('XLS of 1995 and before', () => {
  it.each([
    [1251, [0xcd, 0xe0, 0xf1, 0xee, 0xf1], 'Насос'],
    [1253, [0xc1, 0xed, 0xf4, 0xeb, 0xdf, 0xe1], 'Αντλία'],
    [932, [0x83, 0x7c, 0x83, 0x93, 0x83, 0x76], 'ポンプ'],
    [10000, [0x50, 0xfc, 0x6d, 0x70, 0x65], 'P¸mpe'],
    [1252, [0x47, 0x65, 0x72, 0xe4, 0x74], 'Gerät'],
  ])('has the letters of code page %d', async (page, letters, text) => {
    const bytes = Buffer.from(letters);
    const globals = [record(0x0042, words(page))];
    const book = recordsOf({ version: 0x0500, globals, name: bytes, sheet: [label(0, bytes)] });
    expect((await read(compoundOf({ '/Book': book }))).text).toBe(`${text}\n\n${text}`);
  });

  it('is read without a container, as simple programs write it', async () => {
    const bare = Buffer.concat([
      begins(0, 0x10),
      label(0, Buffer.from('Pump')),
      record(0x0203, words(0, 1, 0), Buffer.from('0000000000000440', 'hex')),
      // A truth value without a format.
      record(0x0205, words(0, 2, 0), Buffer.from([1, 0])),
      ends,
    ]);
    const document = await read(new Uint8Array(bare));
    expect(document.text).toBe('Sheet1\n\nPump | 2.5 | TRUE');
    expect(document.places[0]?.label).toBe('Sheet1!A1:C1');
  });

  it('is no text that begins with a tab', async () => {
    const text = '\t\u0008\u0008 tabulated';
    await expect(parseFile({ name: 'a.txt', bytes: new TextEncoder().encode(text) })).resolves.toBeDefined();
  });
});
