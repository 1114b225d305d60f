// What a picture says of itself: when it was taken and what its author wrote on it. EXIF (2.32) in JPEG, PNG and WebP, text chunks of PNG (W3C §11.3.4).
// Nothing is unpacked that says to be long, and directories are read once each: no offset is followed twice.
import { inflateSync } from 'node:zlib';
import { canonicalText, publishedDate } from '../canonical/canonical-text.ts';
import type { Metadata } from '../document.ts';

const maxValueBytes = 20_000;
const maxEntries = 500;
const description = 0x010e;
const artist = 0x013b;
const changed = 0x0132;
const taken = 0x9003;
const innerDirectory = 0x8769;

/** Facts by the names that all documents use (`created`, `author`, `description`, `title`); a damaged part says nothing. */
export function pictureFacts(bytes: Uint8Array, mime: string | undefined): Metadata {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mime === 'image/jpeg') return exifFacts(jpegExif(file));
  if (mime === 'image/png') return pngFacts(file);
  return mime === 'image/webp' ? exifFacts(webpExif(file)) : {};
}

function jpegExif(file: Buffer): Buffer | undefined {
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff; at += 2 + file.readUInt16BE(at + 2)) {
    const marker = file[at + 1] ?? 0;
    // The picture itself begins.
    if (marker === 0xda || (marker >= 0xd0 && marker <= 0xd9)) return undefined;
    if (marker === 0xe1 && file.toString('latin1', at + 4, at + 10) === 'Exif\0\0')
      return file.subarray(at + 10, at + 2 + file.readUInt16BE(at + 2));
    if (file.readUInt16BE(at + 2) < 2) return undefined;
  }
  return undefined;
}

function webpExif(file: Buffer): Buffer | undefined {
  for (let at = 12; at + 8 <= file.length; at += 8 + file.readUInt32LE(at + 4) + (file.readUInt32LE(at + 4) % 2)) {
    if (file.toString('latin1', at, at + 4) !== 'EXIF') continue;
    const body = file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4));
    return body.toString('latin1', 0, 6) === 'Exif\0\0' ? body.subarray(6) : body;
  }
  return undefined;
}

const oneLine = (text: string): string => canonicalText(text).replace(/\s+/gu, ' ').trim().slice(0, 2000);

/** EXIF writes `2024:05:17 10:30:00`, in the time of wherever the camera was. */
function dateOf(value: string | undefined): string | undefined {
  const found = /^(\d{4}):(\d\d):(\d\d)[ T](\d\d:\d\d:\d\d)/u.exec(value ?? '');
  if (found === null || found[1] === '0000') return undefined;
  const written = `${found[1]}-${found[2]}-${found[3]}T${found[4]}`;
  return Number.isNaN(Date.parse(`${written}Z`)) ? undefined : written;
}

function exifFacts(block: Buffer | undefined): Metadata {
  if (block === undefined || block.length < 8) return {};
  const isLittle = block.toString('latin1', 0, 2) === 'II';
  const two = (at: number): number => (isLittle ? block.readUInt16LE(at) : block.readUInt16BE(at));
  const four = (at: number): number => (isLittle ? block.readUInt32LE(at) : block.readUInt32BE(at));
  const texts = new Map<number, string>();
  const directory = (start: number): number | undefined => {
    let inner: number | undefined;
    const count = start + 2 <= block.length ? Math.min(two(start), maxEntries) : 0;
    for (let entry = start + 2; entry < start + 2 + count * 12 && entry + 12 <= block.length; entry += 12) {
      const tag = two(entry);
      if (tag === innerDirectory) inner = four(entry + 8);
      // Texts (type 2) of up to four bytes stand in the entry itself.
      if (two(entry + 2) !== 2) continue;
      const length = four(entry + 4);
      const from = length <= 4 ? entry + 8 : four(entry + 8);
      if (length > maxValueBytes || from + length > block.length) continue;
      const text =
        new TextDecoder()
          .decode(block.subarray(from, from + length))
          .split('\0')[0]
          ?.trim() ?? '';
      if (text !== '') texts.set(tag, text);
    }
    return inner;
  };
  const inner = directory(four(4));
  if (inner !== undefined) directory(inner);
  const created = dateOf(texts.get(taken) ?? texts.get(changed));
  const said = oneLine(texts.get(description) ?? '');
  const author = oneLine(texts.get(artist) ?? '');
  return {
    ...(created === undefined ? {} : { created }),
    // Cameras that write their own name into it say nothing.
    ...(said === '' || /^(?:olympus|sony|konica|digital)/iu.test(said) ? {} : { description: said }),
    ...(author === '' ? {} : { author }),
  };
}

const pngKeys: Readonly<Record<string, string>> = {
  Title: 'title',
  Author: 'author',
  Description: 'description',
  'Creation Time': 'created',
};

function pngFacts(file: Buffer): Metadata {
  const facts: Metadata = {};
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const kind = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    at += 12 + length;
    if (kind === 'IEND') break;
    if (length > maxValueBytes) continue;
    if (kind === 'eXIf') Object.assign(facts, exifFacts(body));
    if (!/^[tiz](?:EXt|TXt)$/u.test(kind)) continue;
    const end = body.indexOf(0);
    const key = pngKeys[body.toString('latin1', 0, Math.max(0, end))];
    if (key === undefined) continue;
    const text = oneLine(pngText(kind, body.subarray(end + 1)));
    const value = key === 'created' ? publishedDate(text) : text;
    if (value !== undefined && value !== '') facts[key] = value;
  }
  return facts;
}

/** The value behind the keyword of a text chunk: plain Latin-1, packed Latin-1, or UTF-8 which may be packed. */
function pngText(kind: string, rest: Buffer): string {
  if (kind === 'tEXt') return rest.toString('latin1');
  try {
    if (kind === 'zTXt') return inflateSync(rest.subarray(1), { maxOutputLength: maxValueBytes }).toString('latin1');
    const language = rest.indexOf(0, 2);
    const translated = rest.indexOf(0, language + 1);
    if (language < 0 || translated < 0) return '';
    const value = rest.subarray(translated + 1);
    return (rest[0] === 1 ? inflateSync(value, { maxOutputLength: maxValueBytes }) : value).toString('utf8');
  } catch {
    // Damaged, or longer than it may be.
    return '';
  }
}
