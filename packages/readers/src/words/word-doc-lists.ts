// How a DOC counts its lists and numbered headings ([MS-DOC] §2.4.6.3): definitions of lists (§2.9.131, §2.9.147), what paragraphs refer to (§2.9.135), and the styles that
// put their paragraphs into lists. Invariant: every offset is checked against the bytes there are; a damaged table has no lists.
import { type List, type ListLevel, type Numbering, numberingOf } from './docx-numbering.ts';
import { sprmValue } from './word-doc-runs.ts';

export interface ListPlace {
  /** Number of the reference from 1; 0 for none. */
  readonly id: number | undefined;
  /** From 0. */
  readonly level: number | undefined;
}

const [listBytes, levelBytes, referenceBytes] = [28, 28, 16];
const maxLists = 4000;
const levelsOfList = 9;
const formats: Readonly<Record<number, string>> = {
  1: 'upperRoman',
  2: 'lowerRoman',
  3: 'upperLetter',
  4: 'lowerLetter',
  22: 'decimalZero',
  23: 'bullet',
  255: 'none',
};
const [sprmList, sprmLevel] = [0x460b, 0x260a];

/** What properties of a paragraph, or of a style, say of lists. */
export const listPlaceOf = (sprms: Buffer): ListPlace => ({
  id: sprmValue(sprms, sprmList),
  level: sprmValue(sprms, sprmLevel),
});

/** `definitions`: the table stream from the definitions of lists on, of which `length` bytes are heads and the levels follow. */
export function docNumbering(definitions: Buffer, length: number, references: Buffer): Numbering {
  try {
    return numberingOf(readReferences(references, readDefinitions(definitions, length)));
  } catch (error) {
    // Read beyond its end.
    if (!(error instanceof RangeError)) throw error;
    return numberingOf(new Map());
  }
}

function readDefinitions(bytes: Buffer, length: number): Map<number, Map<number, ListLevel>> {
  const lists = new Map<number, Map<number, ListLevel>>();
  if (length < 2 || bytes.length < 2) return lists;
  const count = Math.min(bytes.readUInt16LE(0), maxLists);
  let at = length;
  for (let index = 0; index < count; index++) {
    const head = 2 + index * listBytes;
    const isSimple = ((bytes[head + 26] ?? 0) & 1) === 1;
    const levels = new Map<number, ListLevel>();
    for (let level = 0; level < (isSimple ? 1 : levelsOfList); level++) {
      const read = readLevel(bytes, at);
      levels.set(level, read.level);
      at = read.end;
    }
    lists.set(bytes.readInt32LE(head), levels);
  }
  return lists;
}

/** Start, kind of numbers, properties, then the text with a character below nine for the number of each level. */
function readLevel(bytes: Buffer, at: number): { readonly level: ListLevel; readonly end: number } {
  const textAt = at + levelBytes + bytes.readUInt8(at + 24) + bytes.readUInt8(at + 25);
  const end = textAt + 2 + bytes.readUInt16LE(textAt) * 2;
  let pattern = '';
  for (let sign = textAt + 2; sign < end; sign += 2) {
    const code = bytes.readUInt16LE(sign);
    pattern += code < levelsOfList ? `%${code + 1}` : String.fromCharCode(code);
  }
  const format = formats[bytes.readUInt8(at + 4)] ?? 'decimal';
  return { level: { format, pattern: pattern.trim(), start: bytes.readInt32LE(at) }, end };
}

/** By their number: which list, and what it does otherwise. */
function readReferences(bytes: Buffer, lists: ReadonlyMap<number, Map<number, ListLevel>>): Map<string, List> {
  const found = new Map<string, List>();
  if (bytes.length < 4) return found;
  const count = Math.min(bytes.readUInt32LE(0), maxLists);
  let at = 4 + count * referenceBytes;
  for (let index = 0; index < count; index++) {
    const head = 4 + index * referenceBytes;
    const listId = bytes.readInt32LE(head);
    const levels = new Map(lists.get(listId));
    const overrides = new Map<number, number>();
    const changes = bytes.readUInt8(head + 12);
    // Each begins with a position, which nobody needs.
    at += 4;
    for (let change = 0; change < changes; change++) {
      const flags = bytes.readUInt32LE(at + 4);
      const level = flags & 0xf;
      if ((flags & 0x10) !== 0) overrides.set(level, bytes.readInt32LE(at));
      at += 8;
      if ((flags & 0x20) !== 0) {
        const read = readLevel(bytes, at);
        levels.set(level, read.level);
        at = read.end;
      }
    }
    found.set(`${index + 1}`, { abstractId: `${listId}`, levels, overrides });
  }
  return found;
}

/** Which styles put their paragraphs into a list ([MS-DOC] §2.9.271), with what they inherit. */
export function listsOfStyles(sheet: Buffer): (style: number) => ListPlace {
  const styles: { readonly parent: number; readonly own: ListPlace }[] = [];
  const baseBytes = sheet.length < 6 ? 0 : sheet.readUInt16LE(4);
  const count = sheet.length < 4 ? 0 : Math.min(sheet.readUInt16LE(2), 4095);
  let at = sheet.length < 2 ? 0 : 2 + sheet.readUInt16LE(0);
  for (let index = 0; index < count && at + 2 <= sheet.length; index++) {
    const style = sheet.subarray(at + 2, at + 2 + sheet.readUInt16LE(at));
    styles.push({
      parent: style.length >= 4 ? style.readUInt16LE(2) >>> 4 : 0xfff,
      own: listPlaceOf(propertiesOf(style, baseBytes)),
    });
    at += 2 + style.length + (style.length % 2);
  }
  return (first) => {
    let id: number | undefined;
    let level: number | undefined;
    for (let steps = 0, style = styles[first]; style !== undefined && steps < 20; steps++) {
      id ??= style.own.id;
      level ??= style.own.level;
      style = styles[style.parent];
    }
    return { id, level };
  };
}

/** The properties of paragraphs of a style: behind its name, after their length and the number of the style. */
function propertiesOf(style: Buffer, baseBytes: number): Buffer {
  const isParagraph = style.length >= 4 && (style.readUInt16LE(2) & 0xf) === 1;
  if (!isParagraph || baseBytes + 2 > style.length) return Buffer.alloc(0);
  const at = baseBytes + 2 + style.readUInt16LE(baseBytes) * 2 + 2;
  if (at + 4 > style.length) return Buffer.alloc(0);
  return style.subarray(at + 4, at + 2 + style.readUInt16LE(at));
}
