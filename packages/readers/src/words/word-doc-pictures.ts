// The pictures of Word 97–2003 files: those in the line, which the Data stream holds ([MS-DOC] §2.9.192), and those that float, which shapes show by
// their number in a store ([MS-DOC] §2.9.172). Each is handed out under the key that its mark in the text has.

import { firstPicture, pictureShapes, type StoredPicture, storedPictures } from '../office/office-art.ts';
import type { HeldPicture } from '../pictures/embedded-pictures.ts';

/** The mark of a picture in the text: an offset into the Data stream, or the id of a shape. */
export type PictureMark = { readonly inData: number } | { readonly shape: number };

export const pictureKey = (mark: PictureMark): string =>
  'shape' in mark ? `shape ${mark.shape}` : `data ${mark.inData}`;

export interface DocPictures {
  readonly held: readonly HeldPicture[];
  /** Kinds of what is drawn by commands, one for each. */
  readonly drawings: readonly string[];
}

const maxMarks = 2000;

/** `art` is the drawing of the table stream, `main` the stream in which pictures of its store stand. */
export function docPictures(
  marks: readonly PictureMark[],
  { data, art, main }: { readonly data: Buffer | undefined; readonly art: Buffer; readonly main: Buffer },
): DocPictures {
  const stored = storedPictures(art, main);
  const byShape = new Map(drawnShapes(art).map(({ id, picture }) => [id, stored[picture - 1]]));
  const held: HeldPicture[] = [];
  const drawings: string[] = [];
  for (const mark of marks.slice(0, maxMarks)) {
    const picture = 'shape' in mark ? byShape.get(mark.shape) : pictureInData(data, mark.inData);
    if (picture === undefined) continue;
    if ('drawing' in picture) drawings.push(picture.drawing);
    else held.push({ key: pictureKey(mark), bytes: () => picture.bytes });
  }
  return { held, drawings };
}

/** Behind the store come the drawings of the text and of its headers, each after a byte that says which ([MS-DOC] §2.9.172). */
function drawnShapes(art: Buffer): ReturnType<typeof pictureShapes> {
  if (art.length < 8) return [];
  const shapes: ReturnType<typeof pictureShapes> = [];
  for (let at = 8 + art.readUInt32LE(4); at + 9 <= art.length; ) {
    const end = at + 9 + art.readUInt32LE(at + 5);
    shapes.push(...pictureShapes(art.subarray(at + 1, end)));
    at = end;
  }
  return shapes;
}

const linkedFile = 0x66;

function pictureInData(data: Buffer | undefined, at: number): StoredPicture | undefined {
  if (data === undefined || at + 0x44 > data.length) return undefined;
  const end = Math.min(data.length, at + data.readUInt32LE(at));
  let start = at + data.readUInt16LE(at + 4);
  // The name of the file that it is from.
  if (data.readUInt16LE(at + 6) === linkedFile) start += 1 + (data[start] ?? 0);
  return start < end ? firstPicture(data.subarray(start, end)) : undefined;
}
