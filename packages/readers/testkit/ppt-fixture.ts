// PowerPoint 97–2003 files of the least that makes them ([MS-PPT]): records, a directory of parts, slides with shapes and notes.
import { CFB } from '@e965/xlsx';

/** A record; a `version` of 15 makes a container of it. */
export function pptRecord(type: number, body: Uint8Array, { version = 0, instance = 0 } = {}): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(version | (instance << 4), 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

export const pptContainer = (type: number, parts: readonly Uint8Array[], instance = 0): Buffer =>
  pptRecord(type, Buffer.concat(parts), { version: 15, instance });

export const numbersOf = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value, index * 4);
  return bytes;
};

/** A text of a kind: two bytes a character. */
export const pptText = (kind: number, text: string, more: readonly Uint8Array[] = []): Buffer =>
  Buffer.concat([pptRecord(0x0f9f, numbersOf(kind)), pptRecord(0x0fa0, Buffer.from(text, 'utf16le')), ...more]);

export interface PptShape {
  /** Left, top, right, bottom. */
  readonly box: readonly [number, number, number, number];
  /** Records of its text box. */
  readonly text?: Uint8Array;
  readonly placeholder?: number;
  /** Properties by their number. */
  readonly properties?: Readonly<Record<number, number | string>>;
  readonly isChild?: boolean;
  readonly flags?: number;
}

export function pptShape({ box, text, placeholder, properties = {}, isChild = false, flags = 0 }: PptShape): Buffer {
  const [left, top, right, bottom] = box;
  const entries = Object.entries(properties);
  const options = Buffer.alloc(entries.length * 6);
  const long: Buffer[] = [];
  entries.forEach(([id, value], index) => {
    const bytes = typeof value === 'string' ? Buffer.from(`${value}\0`, 'utf16le') : undefined;
    if (bytes !== undefined) long.push(bytes);
    options.writeUInt16LE(Number(id) | (bytes === undefined ? 0 : 0x8000), index * 6);
    options.writeUInt32LE(bytes?.length ?? Number(value), index * 6 + 2);
  });
  return pptContainer(0xf004, [
    pptRecord(0xf00a, numbersOf(1024, flags), { version: 2, instance: 1 }),
    pptRecord(0xf00b, Buffer.concat([options, ...long]), { version: 3, instance: entries.length }),
    isChild
      ? pptRecord(0xf00f, numbersOf(left, top, right, bottom))
      : pptRecord(0xf010, Buffer.from(Int16Array.of(top, left, right, bottom).buffer)),
    ...(placeholder === undefined
      ? []
      : [pptContainer(0xf011, [pptRecord(0x0bc3, Buffer.of(0, 0, 0, 0, placeholder, 0, 0, 0))])]),
    ...(text === undefined ? [] : [pptContainer(0xf00d, [text])]),
  ]);
}

/** Shapes in a group whose coordinates are those of the slide. */
export const pptGroup = (
  box: PptShape['box'],
  shapes: readonly Uint8Array[],
  { properties = {}, flags = 0 }: Pick<PptShape, 'properties' | 'flags'> = {},
): Buffer => {
  const own = pptShape({ box, properties, flags });
  const inside = pptRecord(0xf009, numbersOf(...box));
  return pptContainer(0xf003, [pptContainer(0xf004, [inside, own.subarray(8)]), ...shapes]);
};

export interface PptSlide {
  readonly shapes: readonly Uint8Array[];
  /** Records of texts that stand in the list of slides. */
  readonly outline?: Uint8Array;
  readonly notes?: string;
  readonly isHidden?: boolean;
  /** Further records of the slide. */
  readonly more?: readonly Uint8Array[];
}

const drawing = (shapes: readonly Uint8Array[]): Buffer =>
  pptContainer(0x040c, [pptContainer(0xf002, [pptGroup([0, 0, 0, 0], shapes, { flags: 5 })])]);

export interface PptFixture {
  readonly slides: readonly PptSlide[];
  /** Slides, by their number from 0, that a later saving replaced. */
  readonly saved?: Readonly<Record<number, PptSlide>>;
  /** Further records of the document, and the parts that they name from id 100 on. */
  readonly document?: readonly Uint8Array[];
  readonly parts?: readonly Uint8Array[];
  readonly isEncrypted?: boolean;
  readonly streams?: Readonly<Record<string, Uint8Array>>;
}

export function pptOf({ slides, saved = {}, document = [], parts = [], ...given }: PptFixture): Uint8Array {
  const written: Buffer[] = [];
  const at = (): number => written.reduce((sum, one) => sum + one.length, 0);
  const save = (named: ReadonlyMap<number, Buffer>, before: number): number => {
    const entries = [...named].map(([id, bytes]) => {
      const place = at();
      written.push(bytes);
      return numbersOf(id | (1 << 20), place);
    });
    const directory = at();
    written.push(pptRecord(0x1772, Buffer.concat(entries)));
    const edit = at();
    written.push(pptRecord(0x0ff5, numbersOf(0, 0, before, directory, 1, 0, 0)));
    return edit;
  };
  const slideOf = ({ shapes, isHidden, more = [] }: PptSlide, index: number): Buffer =>
    pptContainer(0x03ee, [
      pptRecord(0x03ef, numbersOf(0, 0, 0, 0, 500 + index, 0)),
      ...(isHidden ? [pptRecord(0x03f9, numbersOf(0, 0, 0x0004_0000, 0))] : []),
      drawing(shapes),
      ...more,
    ]);
  const persist = (id: number, slideId: number): Buffer => pptRecord(0x03f3, numbersOf(id, 0, 0, slideId, 0));
  const whole = pptContainer(0x03e8, [
    pptContainer(
      0x0ff0,
      slides.flatMap(({ outline }, index) => [persist(10 + index, 256 + index), outline ?? Buffer.alloc(0)]),
    ),
    pptContainer(
      0x0ff0,
      slides.map((_, index) => persist(50 + index, 500 + index)),
      2,
    ),
    ...document,
  ]);
  const first = save(
    new Map([
      [1, whole],
      ...slides.map((slide, index) => [10 + index, slideOf(slide, index)] as const),
      ...slides.flatMap(({ notes }, index) =>
        notes === undefined
          ? []
          : [
              [
                50 + index,
                pptContainer(0x03f0, [drawing([pptShape({ box: [0, 0, 9, 9], text: pptText(2, notes) })])]),
              ] as const,
            ],
      ),
      ...parts.map((part, index) => [100 + index, Buffer.from(part)] as const),
    ]),
    0,
  );
  const changes = Object.entries(saved).map(
    ([index, slide]) => [10 + Number(index), slideOf(slide, Number(index))] as const,
  );
  const last = changes.length === 0 ? first : save(new Map(changes), first);
  const user = pptRecord(0x0ff6, numbersOf(20, given.isEncrypted ? 0xf3d1c4df | 0 : 0xe391c05f | 0, last));
  const file = CFB.utils.cfb_new();
  const streams = given.streams ?? {
    'PowerPoint Document': Buffer.concat([...written, Buffer.alloc(4096)]),
    'Current User': user,
  };
  for (const [name, bytes] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${name}`, Buffer.from(bytes));
  return new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer);
}
