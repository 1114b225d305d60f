// The text in pictures that files hold, recognised before the file is read, so that readers put it where the picture stands. Each picture
// is read once and its text stands where it is shown first; what is too small, too large or no text is left, and counted.

import type { ZipFile } from '../containers/zip.ts';
import type { Metadata } from '../document.ts';
import { isReadError } from '../read-error.ts';
import type { ParseInput } from '../reader.ts';
import { type PictureHead, pictureHead } from './picture-head.ts';
import type { PictureLine, PictureReader, PictureText } from './picture-text.ts';

/** A picture inside a file, by the key by which its reader asks for it: a path, a number. */
export interface HeldPicture {
  readonly key: string;
  /** Undefined where there are none; may throw ReadError. */
  bytes(): Uint8Array | undefined;
}

/** Pictures that are known by the addresses under which a text shows them, each once. */
export interface AddressedPictures {
  readonly held: readonly HeldPicture[];
  keyOf(address: string): string | undefined;
  /** What no bytes can be had of is none; they are asked for once. */
  add(address: string, bytesOf: () => Uint8Array | undefined): void;
}

export function addressedPictures(): AddressedPictures {
  const keys = new Map<string, string>();
  const held: HeldPicture[] = [];
  return {
    held,
    keyOf: (address) => keys.get(address),
    add(address, bytesOf) {
      const bytes = keys.has(address) ? undefined : bytesOf();
      if (bytes === undefined) return;
      const key = `picture ${held.length + 1}`;
      keys.set(address, key);
      held.push({ key, bytes: () => bytes });
    },
  };
}

export interface EmbeddedPictures {
  /** The text of the picture of that part (or key); none where it has none, or gave it before. Case does not count. */
  linesOf(part: string | undefined): readonly PictureLine[];
  /** Whether text was found in it, also when it was given before. */
  hasText(part: string | undefined): boolean;
  /** What people should know. `without` is how many pictures shown have neither recognised text nor an alternative one. */
  warnings(without: number): string[];
  /** How many pictures gave text, and how sure it is: what stands in the document by now. */
  metadata(): Metadata;
}

/** A dark room of a hundred slides takes five minutes. */
const maxPictures = 100;
/** Photographs take as long as pages, and tell nothing: after so many in a row without text the others are left. */
const maxFruitless = 12;
const maxPictureBytes = 32 * 1024 * 1024;
/** A sheet of A4 at 600 dpi has 35 million. */
const maxPixels = 40_000_000;
/** What is smaller is a logo, a line, a portrait. */
const leastWidth = 160;
const leastHeight = 40;
const leastPixels = 30_000;
/** Mean confidence below which what was recognised is more likely a photograph than a text. */
const sure = 0.7;
/** Below this mean confidence people are told to look for themselves. */
const doubtful = 0.75;
/** Fewer letters and digits than this are a sign on a wall. */
const leastCharacters = 12;
/** Of the time for a file, what may be spent on its pictures. */
const budgetShare = 0.8;
const defaultBudgetMs = 20 * 60_000;

function withoutText(count: number): string[] {
  if (count === 0) return [];
  return [
    `${count} ${count === 1 ? 'picture has' : 'pictures have'} no text to read: none was recognised, and no alternative text is given.`,
  ];
}

const counted = (count: number): string => (count === 1 ? '1 picture' : `${count} pictures`);

/** Reads the pictures of these parts, in their order. A part that is no picture we can unpack is none. */
export const recogniseEmbedded = (
  input: ParseInput,
  zip: ZipFile,
  parts: Iterable<string>,
): Promise<EmbeddedPictures> => recognisePictures(input, partPictures(zip, parts));

/** The pictures among the parts of a container, each once. */
export const partPictures = (zip: ZipFile, parts: Iterable<string>): HeldPicture[] =>
  rasterParts(parts).map((key) => ({ key, bytes: () => zip.bytes(key, maxPictureBytes) }));

/** Reads these pictures, in their order, each key once. What is no picture we can unpack is none. */
export async function recognisePictures(input: ParseInput, pictures: Iterable<HeldPicture>): Promise<EmbeddedPictures> {
  const endMs = performance.now() + (input.budgetMs ?? defaultBudgetMs) * budgetShare;
  const found = new Map<string, PictureText>();
  let reader: PictureReader | undefined;
  let candidates = 0;
  let late = 0;
  let fruitless = 0;
  let left = 0;
  const seen = new Set<string>();
  for (const held of pictures) {
    const picture = seen.has(held.key.toLowerCase()) ? undefined : pictureOf(held);
    seen.add(held.key.toLowerCase());
    if (picture === undefined) continue;
    candidates++;
    if (input.recognition?.off) continue;
    if (candidates > maxPictures || performance.now() > endMs) {
      late++;
      continue;
    }
    if (fruitless >= maxFruitless) {
      left++;
      continue;
    }
    fruitless++;
    try {
      // What recognises is loaded for files that have something to recognise.
      reader ??= (await import('./picture-text.ts')).openPictureReader(input);
      const read = await reader.read(picture, sure);
      if (read.characters < leastCharacters) continue;
      found.set(held.key.toLowerCase(), read);
      fruitless = 0;
    } catch (error) {
      if (!isReadError(error)) throw error;
      // A damaged picture is one without text. Without the model of a language there is still the text of the document.
      if (error.code !== 'config-invalid') continue;
      return noPictures(error.message);
    }
  }
  if (!input.recognition?.off || candidates === 0) return readPictures(found, { late, left });
  return noPictures(`OCR is switched off: ${counted(candidates)} ${candidates === 1 ? 'is' : 'are'} not read.`);
}

/** None was read, and this is why. */
function noPictures(warning: string): EmbeddedPictures {
  return { ...readPictures(new Map(), { late: 0, left: 0 }), warnings: () => [warning] };
}

function readPictures(
  found: ReadonlyMap<string, PictureText>,
  { late, left }: { readonly late: number; readonly left: number },
): EmbeddedPictures {
  const given = new Set<string>();
  /** Pictures that a file keeps without showing them are none of its text. */
  const shown = (): PictureText[] => [...found].filter(([key]) => given.has(key)).map(([, text]) => text);
  const meanOf = (texts: readonly PictureText[]): number => {
    const characters = texts.reduce((sum, text) => sum + text.characters, 0);
    const weighted = texts.reduce((sum, text) => sum + text.confidence * text.characters, 0);
    return Math.round((weighted / Math.max(1, characters)) * 100) / 100;
  };
  return {
    linesOf(part = '') {
      const key = part.toLowerCase();
      if (given.has(key)) return [];
      given.add(key);
      return found.get(key)?.lines ?? [];
    },
    hasText: (part = '') => found.has(part.toLowerCase()),
    warnings(without) {
      const texts = shown();
      const doubts = texts.filter(({ confidence }) => confidence < doubtful).length;
      return [
        ...(texts.length === 0
          ? []
          : [`OCR used on ${counted(texts.length)} (mean confidence ${meanOf(texts).toFixed(2)}).`]),
        ...(doubts === 0 ? [] : [`OCR is unsure of ${counted(doubts)}: check what is quoted from there.`]),
        ...(left === 0
          ? []
          : [`OCR ended after ${maxFruitless} pictures in a row without text: ${counted(left)} behind them not read.`]),
        ...(late === 0
          ? []
          : [
              `OCR did not come to ${counted(late)}: at most ${maxPictures} are read, as far as the time for one file allows.`,
            ]),
        ...withoutText(Math.max(0, without - left - late)),
      ];
    },
    metadata() {
      const texts = shown();
      return texts.length === 0 ? {} : { ocrPictures: texts.length, ocrConfidence: meanOf(texts) };
    },
  };
}

/** The text of a picture under a label that says where it is from; none where it has none. */
export function pictureLines(
  pictures: EmbeddedPictures,
  part: string | undefined,
): { readonly kind: 'other' | 'paragraph' | 'table-row'; readonly text: string }[] {
  const lines = pictures.linesOf(part);
  return lines.length === 0 ? [] : [{ kind: 'other', text: 'Text in the picture (OCR):' }, ...lines];
}

/** Each once, by its name. */
function rasterParts(parts: Iterable<string>): string[] {
  const byKey = new Map<string, string>();
  for (const part of parts) if (/\.(?:png|jpe?g|gif|bmp|webp)$/iu.test(part)) byKey.set(part.toLowerCase(), part);
  return [...byKey.values()];
}

/** What is drawn by commands instead of pixels, and cannot be read: `2 pictures are drawings (EMF): they are not read.` */
export function drawingsNotRead(kinds: readonly string[]): string[] {
  if (kinds.length === 0) return [];
  const names = [...new Set(kinds)].sort().join(', ');
  return [
    kinds.length === 1
      ? `1 picture is a drawing (${names}): it is not read.`
      : `${kinds.length} pictures are drawings (${names}): they are not read.`,
  ];
}

/** A picture that is large enough to hold text and small enough to be read. */
function pictureOf({
  key,
  bytes: open,
}: HeldPicture): { readonly bytes: Uint8Array; readonly name: string; readonly mime: string } | undefined {
  try {
    const bytes = open();
    const head = bytes === undefined || bytes.length > maxPictureBytes ? undefined : pictureHead(bytes);
    return bytes !== undefined && head !== undefined && isLegible(head)
      ? { bytes, name: key, mime: head.mime }
      : undefined;
  } catch (error) {
    if (!isReadError(error)) throw error;
    return undefined;
  }
}

/** Whether a picture of that size can hold a text that is worth reading, and may be unpacked. */
export const isLegible = ({ width, height }: Pick<PictureHead, 'width' | 'height'>): boolean =>
  width >= leastWidth && height >= leastHeight && width * height >= leastPixels && width * height <= maxPixels;
