// Tells what a file is from its bytes; its name and the sender's media type only decide between kinds of text.
// A file whose bytes contradict its name is what the bytes say, or is refused where we cannot read that.
import { fileTypeFromBuffer } from 'file-type';
import { FootnoteError } from '../core/errors.ts';
import { type Format, formatOfExtension, formatOfMime, readableFormats } from './media-types.ts';
import type { ParseInput } from './parse.ts';
import { decodeText, looksBinary } from './parsers/decode.ts';
import { openZip, type ZipFile } from './parsers/zip.ts';

/** Office files with a password are such a container. */
const encryptedOffice = 'application/x-encrypted-office';

/** The media type that the name, else the sender, claims; the bytes may say otherwise. */
export function claimedMedia({ name, mime }: ParseInput): string | undefined {
  return (formatOfExtension(extensionOf(name)) ?? formatOfMime(mime))?.mime;
}

/**
 * The media type to parse a file as. Throws `invalid-media` for an empty file, a file that is not what its name says and
 * cannot be read otherwise, and `unsupported-media` for what no parser reads.
 */
export async function sniffMedia({ bytes, name, mime }: ParseInput): Promise<string> {
  if (bytes.length === 0) throw new FootnoteError('invalid-media', `${name} is empty. Give a file with text in it.`);
  const claimed = formatOfExtension(extensionOf(name));
  const found = await sniffBinary(bytes);
  const format = formatOfMime(found);
  if (format) return format.mime;
  if (found !== undefined) {
    // A kind that is read, but for its password, as PDF says it.
    if (found === encryptedOffice)
      throw new FootnoteError(
        'invalid-media',
        `${name} is encrypted with a password. Save it without one, or export it as PDF.`,
      );
    const claim = claimed === undefined ? '' : `, although its name says ${claimed.name}`;
    const why = refusals[found] ?? `is ${found}${claim}. ${readableFormats}`;
    throw new FootnoteError('unsupported-media', `${name} ${why}`, { details: { mime: found } });
  }
  const damaged = (what: string): FootnoteError =>
    new FootnoteError('invalid-media', `${name} is not a ${claimed?.name} file${what}`);
  // UTF-16 without a mark has NULs, and so has what a tar holds.
  if (looksBinary(bytes)) {
    if (claimed?.isBinary) throw damaged(', or it is damaged beyond reading.');
    throw new FootnoteError('unsupported-media', `${name} holds binary data that no parser knows. ${readableFormats}`);
  }
  if (claimed?.isBinary) {
    // What web applications call a spreadsheet is often a page with a table.
    const kind = sniffText(bytes, 'text', { claimed: undefined, sent: 'text/plain' });
    if (kind === 'text/html') return kind;
    throw damaged(': it holds plain text. Rename or re-export it.');
  }
  return sniffText(bytes, name, { claimed, sent: mime });
}

/** What is known and cannot be read, with what to do about it. */
const refusals: Readonly<Record<string, string>> = {
  'application/x-7z-compressed': 'is a 7z archive. Unpack it, or pack it as ZIP.',
  'application/x-rar-compressed': 'is a RAR archive. Unpack it, or pack it as ZIP.',
  'application/vnd.ms-powerpoint': 'is a PowerPoint file of before 2007. Save it as PPTX or PDF.',
};

function sniffText(
  bytes: Uint8Array,
  name: string,
  hint: { claimed: Format | undefined; sent: string | undefined },
): string {
  const sent = formatOfMime(hint.sent);
  const kind = hint.claimed ?? (sent?.isBinary ? undefined : sent);
  const head = decodeText(bytes.subarray(0, 4096), name).text.trimStart();
  if (
    /^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<(!doctype\s+html|html)\b/i.test(head) &&
    !kind?.mime.startsWith('text/x-')
  )
    return 'text/html';
  if (/^\{\\rtf\d/u.test(head)) return 'application/rtf';
  if (kind?.mime === 'application/xml' || (kind === undefined && /^<(\?xml|!doctype)\b/iu.test(head)))
    return kindOfXml(head);
  if (kind !== undefined) return kind.mime;
  const opening = openings.find(([pattern]) => pattern.test(head));
  if (opening !== undefined) return opening[1];
  const extension = extensionOf(name);
  if (extension !== '' && hint.sent?.split(';')[0]?.trim() !== 'text/plain')
    throw new FootnoteError(
      'unsupported-media',
      `${name}: files of type .${extension} cannot be read yet. ${readableFormats}`,
      { details: { extension } },
    );
  return isJson(bytes, head) ? 'application/json' : 'text/plain';
}

/** How texts begin that say what they are, whatever they are called. */
const openings: readonly (readonly [opening: RegExp, mime: string])[] = [
  [/^From \S[^\n]{1,200} \d{4}\n[\w-]+: /u, 'application/mbox'],
  [
    /^(?:(?:Received|Return-Path|Delivered-To|Message-ID|MIME-Version|From|To|Subject|Date|X-[\w-]+): [^\n]*\n(?:[ \t][^\n]*\n)*){3}/iu,
    'message/rfc822',
  ],
  [/^BEGIN:VCALENDAR\n/u, 'text/calendar'],
  [/^BEGIN:VCARD[ \t]*\n/iu, 'text/vcard'],
  [/^WEBVTT(?:[ \t][^\n]*)?\n/u, 'text/vtt'],
];

/** What XML says it is by its first element. */
function kindOfXml(head: string): string {
  const root = /^(?:<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype[^>[]*(?:\[[\s\S]*?\])?>|\s)*<([\w.:-]+)/iu.exec(head)?.[1];
  if (root === undefined) return 'application/xml';
  if (/^(rss|rdf:RDF)$/iu.test(root)) return 'application/rss+xml';
  return /^feed$/iu.test(root) ? 'application/atom+xml' : 'application/xml';
}

/** Types that file-type finds in what is text all the same, and that the name decides better. */
const textualTypes = new Set([
  'application/xml',
  'application/json',
  'application/rtf',
  'text/vcard',
  'text/calendar',
  'text/vtt',
  'application/x-ndjson',
]);

async function sniffBinary(bytes: Uint8Array): Promise<string | undefined> {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  if (/^\s*\{\\rtf\d/u.test(head)) return 'application/rtf';
  if (bytes[0] === 0x78 && bytes[1] === 0x9f && bytes[2] === 0x3e && bytes[3] === 0x22) return 'application/ms-tnef';
  if (head.includes('%PDF-')) return 'application/pdf';
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (found?.mime === 'application/x-cfb') return kindOfCompound(bytes);
  if (found?.mime === 'application/zip') return kindOfZip(bytes);
  return found === undefined || textualTypes.has(found.mime) || isPlainText(bytes) ? undefined : found.mime;
}

/**
 * A few letters at its beginning do not make a text an image or a program: "BMP4 in mice" (bitmaps begin with BM), "FORM 10-K", "ID3".
 * No real one of these has a kilobyte of UTF-8 without control characters.
 */
function isPlainText(bytes: Uint8Array): boolean {
  try {
    // A character that the cut divides is no fault.
    const head = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, 4096), { stream: true });
    return !/[^\P{Cc}\t\n\f\r]/u.test(head);
  } catch {
    return false;
  }
}

const officeParts: readonly (readonly [part: string, extension: string])[] = [
  ['word/document.xml', 'docx'],
  ['xl/workbook.xml', 'xlsx'],
  ['xl/workbook.bin', 'xlsb'],
  ['ppt/presentation.xml', 'pptx'],
  ['META-INF/container.xml', 'epub'],
];

/** Office files are ZIP files; where their parts come in an unusual order, the directory tells them from archives. */
function kindOfZip(bytes: Uint8Array): string {
  let zip: ZipFile;
  try {
    zip = openZip(bytes, 'archive');
  } catch {
    return 'application/zip';
  }
  const part = officeParts.find(([name]) => zip.has(name));
  const format = part && formatOfExtension(part[1]);
  if (format) return format.mime;
  const declared = zip.has('content.xml') ? declaredType(zip) : undefined;
  return declared ?? 'application/zip';
}

function declaredType(zip: ZipFile): string | undefined {
  try {
    return formatOfMime(zip.text('mimetype', 200))?.mime;
  } catch {
    return undefined;
  }
}

const compoundKinds: readonly (readonly [stream: string, mime: string])[] = [
  ['EncryptedPackage', encryptedOffice],
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['Book', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
  ['__properties_version1.0', 'application/vnd.ms-outlook'],
];

/** Files of the Compound File Binary format ([MS-CFB]) are told apart by the names of their streams, which their directory holds as UTF-16. */
function kindOfCompound(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Cut off before its directory (§2.2: sector size as a power of two, number of the first sector of the directory).
  if (
    buffer.length < 512 ||
    (buffer.readUInt32LE(0x30) + 1) * 2 ** Math.min(buffer.readUInt16LE(0x1e), 16) >= buffer.length
  )
    return undefined;
  // An entry: 64 bytes of name, its length in bytes with the closing NUL, its type (1 storage, 2 stream).
  const holds = (stream: string): boolean => {
    const name = Buffer.from(`${stream}\0`, 'utf16le');
    for (let at = buffer.indexOf(name); at >= 0; at = buffer.indexOf(name, at + 2))
      if (at % 128 === 0 && at + 66 < buffer.length && buffer.readUInt16LE(at + 64) === name.length) return true;
    return false;
  };
  return compoundKinds.find(([stream]) => holds(stream))?.[1] ?? 'application/x-cfb';
}

function isJson(bytes: Uint8Array, head: string): boolean {
  if (!/^[[{]/.test(head) || bytes.length > 16_000_000) return false;
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** The extension of a file name in lower case, without the dot; '' where it has none (dot files included). */
export function extensionOf(name: string): string {
  const file = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const dot = file.lastIndexOf('.');
  return dot <= 0 ? '' : file.slice(dot + 1).toLowerCase();
}
