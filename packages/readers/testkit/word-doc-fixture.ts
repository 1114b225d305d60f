// Word files with properties of characters and paragraphs, of the least that makes them: for Word 97 to 2003 ([MS-DOC]).
import { CFB } from '@e965/xlsx';

export interface RunFixture {
  /** Of the text, one byte a character; the end is not part of it. */
  readonly from: number;
  readonly to: number;
  /** Properties with their operands, hex. */
  readonly sprms: string;
}

export interface RunsFixture {
  readonly text: string;
  readonly characters?: readonly RunFixture[];
  readonly paragraphs?: readonly RunFixture[];
  readonly fonts?: readonly { readonly name: string }[];
  /** Of the Data stream. */
  readonly data?: Uint8Array;
  /** Levels of one list, by their kind of numbers and their text (`%1` for the number of the first level); two references count in it. */
  readonly levels?: readonly { readonly kind: number; readonly text: string }[];
  /** With which the second reference begins anew. */
  readonly secondStart?: number;
  /** As programs other than Word write them: without a mark before each. */
  readonly comments?: readonly { readonly text: string; readonly author: string }[];
  /** Properties of the one style that there is, the first heading. */
  readonly heading?: string;
}

const [textStart, charactersAt, paragraphsAt] = [0x800, 0x400, 0x600];

/** A page of 512 bytes with runs; what is between them has no properties. */
function pageOf(given: readonly RunFixture[], entryBytes: number, propertiesOf: (sprms: Buffer) => Buffer): Buffer {
  const page = Buffer.alloc(512);
  const runs = given.flatMap((run, index) => [
    { from: given[index - 1]?.to ?? 0, to: run.from, sprms: undefined },
    run,
  ]);
  page[511] = runs.length;
  let end = 510;
  runs.forEach(({ from, to, sprms }, index) => {
    page.writeUInt32LE(textStart + from, index * 4);
    page.writeUInt32LE(textStart + to, index * 4 + 4);
    if (sprms === undefined) return;
    const properties = propertiesOf(Buffer.from(sprms.replace(/\s/gu, ''), 'hex'));
    end = (end - properties.length) & ~1;
    properties.copy(page, end);
    page[(runs.length + 1) * 4 + index * entryBytes] = end / 2;
  });
  return page;
}

const ofCharacters = (sprms: Buffer): Buffer => Buffer.concat([Buffer.of(sprms.length), sprms]);
/** A length in words, a style, the properties. */
const ofParagraph = (sprms: Buffer): Buffer => {
  const padded = Buffer.concat([sprms, Buffer.alloc((sprms.length + 1) % 2)]);
  return Buffer.concat([Buffer.of((padded.length + 2 + 1) / 2), Buffer.alloc(2), padded]);
};

function fileOf(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const file = CFB.utils.cfb_new();
  for (const [name, bytes] of Object.entries(streams))
    CFB.utils.cfb_add(file, `/${name}`, Buffer.concat([bytes, Buffer.alloc(4096)]));
  return new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer);
}

const pair = (...numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, value] of numbers.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
};

function listLevel({ kind, text }: { readonly kind: number; readonly text: string }): Buffer {
  const head = Buffer.alloc(28);
  head.writeInt32LE(1, 0);
  head[4] = kind;
  const letters = text.replace(/%(\d)/gu, (_, level: string) => String.fromCharCode(Number(level) - 1));
  return Buffer.concat([head, Buffer.of(letters.length, 0), Buffer.from(letters, 'utf16le')]);
}

export function docOfRuns({ text, characters = [], paragraphs = [], fonts = [], ...given }: RunsFixture): Uint8Array {
  const { data, levels, secondStart = 0, heading, comments = [] } = given;
  const said = comments.map((comment) => `${comment.text}\r`).join('');
  const main = Buffer.alloc(textStart);
  main.writeUInt16LE(0xa5ec, 0);
  main.writeUInt16LE(0xc1, 2);
  main.writeInt32LE(text.length, 0x4c);
  pageOf(characters, 1, ofCharacters).copy(main, charactersAt);
  pageOf(paragraphs, 13, ofParagraph).copy(main, paragraphsAt);
  const table: Buffer[] = [];
  const put = (index: number, body: Buffer): void => {
    main.writeUInt32LE(Buffer.concat(table).length, 0x9a + index * 8);
    main.writeUInt32LE(body.length, 0x9a + index * 8 + 4);
    table.push(body);
  };
  const piece = Buffer.alloc(8);
  piece.writeUInt32LE((textStart * 2) | 0x4000_0000, 2);
  put(33, Buffer.concat([Buffer.of(2), pair(16), pair(0, text.length + said.length), piece]));
  main.writeInt32LE(said.length, 0x5c);
  if (comments.length > 0) {
    const references = comments.map((_, index) => {
      const reference = Buffer.alloc(30);
      reference.writeUInt16LE(index, 20);
      return reference;
    });
    put(4, Buffer.concat([pair(...comments.map((_, index) => index), text.length), ...references]));
    let end = 0;
    const starts = comments.map((comment) => (end += comment.text.length + 1));
    put(5, pair(0, ...starts, end));
    put(
      36,
      Buffer.concat(
        comments.map(({ author }) => Buffer.concat([Buffer.of(author.length, 0), Buffer.from(author, 'utf16le')])),
      ),
    );
  }
  put(12, pair(0, 0x10000, charactersAt / 512));
  put(13, pair(0, 0x10000, paragraphsAt / 512));
  const named = fonts.map(({ name }) => {
    const letters = Buffer.from(`${name}\0`, 'utf16le');
    return Buffer.concat([Buffer.of(39 + letters.length), Buffer.alloc(39), letters]);
  });
  put(15, Buffer.concat([Buffer.of(fonts.length, 0, 0, 0), ...named]));
  if (levels !== undefined) {
    const head = Buffer.alloc(2 + 28);
    head.writeUInt16LE(1, 0);
    head.writeInt32LE(77, 2);
    put(73, head);
    table.push(...Array.from({ length: 9 }, (_, index) => listLevel(levels[index] ?? { kind: 255, text: '' })));
    const references = Buffer.alloc(4 + 2 * 16);
    references.writeUInt32LE(2, 0);
    references.writeInt32LE(77, 4);
    references.writeInt32LE(77, 20);
    references[32] = 1;
    put(74, Buffer.concat([references, pair(0xffff_ffff), pair(0xffff_ffff, secondStart, 0x10)]));
  }
  if (heading !== undefined) {
    const sprms = Buffer.from(heading.replace(/\s/gu, ''), 'hex');
    const style = Buffer.concat([
      Buffer.of(1, 0, 0xf1, 0xff, 1, 0, 0, 0, 0, 0),
      Buffer.of(1, 0, 0x41, 0, 0, 0),
      Buffer.of(sprms.length + 2, 0, 0, 0),
      sprms,
    ]);
    put(1, Buffer.concat([Buffer.of(4, 0, 1, 0, 10, 0), Buffer.of(style.length, 0), style]));
  }
  return fileOf({
    WordDocument: Buffer.concat([main, Buffer.from(text + said, 'latin1')]),
    '0Table': Buffer.concat(table),
    ...(data !== undefined && { Data: data }),
  });
}
