// Older Office files with pictures, of the least that makes them ([MS-ODRAW], [MS-DOC], [MS-XLS]): records of drawings, Word documents and workbooks.
import { CFB, utils, write } from '@e965/xlsx';

/** A record; a `version` of 15 makes a container of it. */
export function artRecord(type: number, body: Uint8Array, { version = 0, instance = 0 } = {}): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(version | (instance << 4), 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

const container = (type: number, parts: readonly Uint8Array[]): Buffer =>
  artRecord(type, Buffer.concat(parts), { version: 15 });

/** A PNG, with one digest and a tag before it. */
const pngRecord = (png: Uint8Array): Buffer =>
  artRecord(0xf01e, Buffer.concat([Buffer.alloc(17, 7), png]), { instance: 0x6e0 });

/** A drawing by commands: EMF. */
export const emfRecord = artRecord(0xf01a, Buffer.alloc(80, 1), { instance: 0x3d4 });

/** An entry of a store: the picture itself, or where it stands in another stream. */
function entry(inside: Uint8Array, offset = 0): Buffer {
  const head = Buffer.alloc(36);
  head.writeUInt32LE(offset, 28);
  return artRecord(0xf007, Buffer.concat([head, inside]), { version: 2 });
}

/** A shape that shows a picture of the store, by its number. */
function shape(id: number, picture: number, more: readonly Uint8Array[] = []): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(id, 0);
  const option = Buffer.alloc(6);
  option.writeUInt16LE(0x4104, 0);
  option.writeUInt32LE(picture, 2);
  return container(0xf004, [
    artRecord(0xf00a, head, { version: 2 }),
    artRecord(0xf00b, option, { version: 3, instance: 1 }),
    ...more,
  ]);
}

interface DocWithPictures {
  /** One-byte text: \u0001 stands for the picture in the line, \u0008 for the floating one. */
  readonly text: string;
  readonly inline: Uint8Array;
  readonly floating: Uint8Array;
}

/** A Word document with a picture in the line and one that floats. */
export function docWithPictures({ text, inline, floating }: DocWithPictures): Uint8Array {
  const textStart = 0x800;
  const main = Buffer.alloc(textStart);
  main.writeUInt16LE(0xa5ec, 0);
  main.writeUInt16LE(0xc1, 2);
  main.writeInt32LE(text.length, 0x4c);
  const table: Buffer[] = [];
  const put = (index: number, body: Buffer): void => {
    main.writeUInt32LE(Buffer.concat(table).length, 0x9a + index * 8);
    main.writeUInt32LE(body.length, 0x9a + index * 8 + 4);
    table.push(body);
  };
  const plc = Buffer.alloc(16);
  plc.writeUInt32LE(text.length, 4);
  plc.writeUInt32LE((textStart * 2) | 0x4000_0000, 10);
  const clx = Buffer.concat([Buffer.from([2, 16, 0, 0, 0]), plc]);
  put(33, clx);
  // Where the characters with a picture stand: a page of runs at 0x400, whose property is at its end.
  const at = textStart + text.indexOf('\u0001');
  const runs = main.subarray(0x400, 0x600);
  runs.writeUInt32LE(at, 0);
  runs.writeUInt32LE(at + 1, 4);
  runs[8] = 0x1f0 / 2;
  runs[511] = 1;
  Buffer.from([6, 0x03, 0x6a, 0, 0, 0, 0]).copy(runs, 0x1f0);
  const pages = Buffer.alloc(12);
  pages.writeUInt32LE(0x10000, 4);
  pages.writeUInt32LE(0x400 / 512, 8);
  put(12, pages);
  const anchors = Buffer.alloc(8 + 26);
  anchors.writeUInt32LE(text.indexOf('\u0008'), 0);
  anchors.writeUInt32LE(text.length, 4);
  anchors.writeUInt32LE(1025, 8);
  put(40, anchors);
  const store = container(0xf000, [container(0xf001, [entry(new Uint8Array(), textStart + text.length)])]);
  put(50, Buffer.concat([store, Buffer.from([0]), container(0xf002, [container(0xf003, [shape(1025, 1)])])]));
  const shown = Buffer.concat([container(0xf004, []), entry(pngRecord(inline))]);
  const head = Buffer.alloc(0x44);
  head.writeUInt32LE(0x44 + shown.length, 0);
  head.writeUInt16LE(0x44, 4);
  head.writeUInt16LE(0x64, 6);
  const file = CFB.utils.cfb_new();
  const padded = (body: Buffer): Buffer => Buffer.concat([body, Buffer.alloc(4096)]);
  CFB.utils.cfb_add(
    file,
    '/WordDocument',
    padded(Buffer.concat([main, Buffer.from(text, 'latin1'), pngRecord(floating)])),
  );
  CFB.utils.cfb_add(file, '/0Table', padded(Buffer.concat(table)));
  CFB.utils.cfb_add(file, '/Data', padded(Buffer.concat([head, shown])));
  return new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer);
}

const recordOf = (type: number, body: Uint8Array): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(body.length, 2);
  return Buffer.concat([head, body]);
};

/** A body of any length as a record and those that go on with it. */
function longRecord(type: number, body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += 8000)
    parts.push(recordOf(at === 0 ? type : 0x3c, body.subarray(at, at + 8000)));
  return Buffer.concat(parts);
}

/** A workbook whose first sheet shows a picture at a cell, and a drawing by commands. */
export function xlsWithPicture(
  picture: Uint8Array,
  cell: { readonly row: number; readonly column: number },
): Uint8Array {
  const book = utils.book_new();
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['Name', 'Value'],
      ['a', 1],
    ]),
    'Fees',
  );
  const compound = CFB.read(write(book, { bookType: 'biff8', type: 'buffer' }) as Buffer, { type: 'buffer' });
  const stream = Buffer.from(CFB.find(compound, '/Workbook')?.content as Uint8Array);
  const anchor = Buffer.alloc(18);
  anchor.writeUInt16LE(cell.column, 2);
  anchor.writeUInt16LE(cell.row, 6);
  const at = artRecord(0xf010, anchor);
  const group = longRecord(0xeb, container(0xf000, [container(0xf001, [entry(pngRecord(picture)), entry(emfRecord)])]));
  const drawn = longRecord(0xec, container(0xf002, [container(0xf003, [shape(1, 1, [at]), shape(2, 2, [at])])]));
  const parts: Buffer[] = [];
  let ends = 0;
  for (let from = 0; from + 4 <= stream.length; ) {
    const type = stream.readUInt16LE(from);
    const next = from + 4 + stream.readUInt16LE(from + 2);
    const record = Buffer.from(stream.subarray(from, next));
    if (type === 0x0a) parts.push(ends++ === 0 ? group : drawn);
    // Sheets begin later by what stands before them now.
    if (type === 0x85) record.writeUInt32LE(record.readUInt32LE(4) + group.length, 4);
    parts.push(record);
    from = next;
  }
  const file = CFB.utils.cfb_new();
  CFB.utils.cfb_add(file, '/Workbook', Buffer.concat(parts));
  return new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer);
}
