// Tells what a file is from its bytes; its name and the sender's media type only decide between kinds of text. Where these differ, what is called
// HTML is read as that: a page may hide words that nobody sees, and read as another kind of text it would show them.
// A file whose bytes contradict its name is what the bytes say, or is refused where we cannot read that.
import { decodeText, looksBinary } from '../canonical/decode.ts';
import { openZip, type ZipFile } from '../containers/zip.ts';
import { nameBeneath } from '../file-names.ts';
import { isLfsPointer, lfsPointerError } from '../lfs-pointer.ts';
import { type Format, formatOfExtension, formatOfMime, readableFormats } from '../media-types.ts';
import { isEncodedData, isPrivateKey } from '../private-keys.ts';
import { nothingInIt, ReadError } from '../read-error.ts';
import type { ParseInput } from '../reader.ts';
import { keyKind, type RefusedKind, refusedByExtension, refusedByMime, refusedByOpening } from '../refused-types.ts';
import { encryptedOffice, isBareWorkbook, kindOfCompound } from './compound-kind.ts';

export { encryptedOffice };

/** The media type that the name and the sender claim; the bytes may say otherwise. */
export function claimedMedia({ name, mime }: ParseInput): string | undefined {
  return claimedFormat(formatOfExtension(kindExtension(name)), formatOfMime(mime))?.mime;
}

/** Kinds of data that servers call HTML where they do not know better. */
const data = /xml|json|csv|tab-separated|calendar|vcard/u;
const openingOfData = /^(?:[^<]|<(?:\?xml|rss|feed|rdf|urlset|sitemapindex|svg|opml|kml|gpx)\b)/iu;

/** The name decides, but that of a plain text says less than any sender, and that of any text less than one who says HTML. `head`: how the text begins. */
function claimedFormat(named: Format | undefined, sent: Format | undefined, head = ''): Format | undefined {
  if (named === undefined || sent === undefined || sent.isBinary) return named ?? sent;
  const yields =
    sent.mime === 'text/html' ? !data.test(named.mime) || !openingOfData.test(head) : named.mime === 'text/plain';
  return yields ? sent : named;
}

/**
 * The media type to parse a file as. Throws `invalid-media` for an empty file, a file that is not what its name says and
 * cannot be read otherwise, and `unsupported-media` for what no parser reads.
 */
export async function sniffMedia({ bytes, name, mime }: ParseInput): Promise<string> {
  if (bytes.length === 0)
    throw new ReadError('invalid-media', `${name} is empty. Give a file with text in it.`, nothingInIt);
  if (isLfsPointer(bytes)) throw refusedByName(name) ?? lfsPointerError(name);
  const unfinished = refusedAsUnfinished(name);
  if (unfinished !== undefined) throw unfinished;
  const extension = kindExtension(name);
  const claimed = formatOfExtension(extension);
  const opened = claimed === undefined || claimed.isBinary ? refusedByOpening(bytes) : undefined;
  if (opened !== undefined) throw refused(name, opened, { extension });
  const found = await sniffBinary(bytes, claimed);
  const format = formatOfMime(found);
  if (format) return format.mime;
  if (found !== undefined) {
    // What it is shows when it is opened (parsers/office-unlock.ts).
    if (found === encryptedOffice) return found;
    const claim = claimed === undefined ? '' : `, although its name says ${claimed.name}`;
    const kind = refusedByMime(found);
    if (kind !== undefined) throw refused(name, kind, { mime: found });
    throw new ReadError('unsupported-media', `${name} is ${found}${claim}. ${readableFormats}`, {
      details: { mime: found, ...unknownKind },
    });
  }
  const damaged = (what: string): ReadError =>
    new ReadError('invalid-media', `${name} is not ${withArticle(claimed?.name ?? '')} file${what}`);
  // UTF-16 without a mark has NULs, and so has what a tar holds.
  if (looksBinary(bytes)) {
    if (claimed?.isBinary) throw damaged(', or it is damaged beyond reading.');
    const kind = refusedByExtension(extension);
    if (kind !== undefined) throw refused(name, kind, { extension });
    throw new ReadError('unsupported-media', `${name} holds binary data that no parser knows. ${readableFormats}`, {
      details: unknownKind,
    });
  }
  if (isPrivateKey(lettersOf(bytes))) throw refused(name, keyKind, { extension });
  if (claimed?.isBinary) {
    const kind = sniffMisnamed(bytes, claimed);
    if (kind === undefined) throw damaged(': it holds plain text. Rename or re-export it.');
    return kind;
  }
  return sniffText(bytes, name, { claimed, sent: mime });
}

/** The beginning of a text byte for byte, for what is told by its letters of ASCII: keys, and data in letters. */
const lettersOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 65_536)).toString('latin1');

/** What documents are called also where they are texts: Excel and Word open them. A text called a picture or a PDF is a mistake. */
const oftenTexts: ReadonlySet<string> = new Set([
  'DOC',
  'DOCX',
  'ODT',
  'XLS',
  'XLSX',
  'ODS',
  'Pages',
  'Keynote',
  'Numbers',
  'Outlook messages',
]);
const tables: ReadonlySet<string> = new Set(['XLS', 'XLSX', 'ODS', 'Numbers']);

/** What a text is whose name says a kind that is none: web applications call pages with a table XLS, banks lines with tabs. */
function sniffMisnamed(bytes: Uint8Array, claimed: Format): string | undefined {
  const head = decodeText(bytes.subarray(0, 4096), claimed.name).text.trimStart();
  if (/^<(?:table|meta|style|head|body|div|font|center|p|h[1-6])\b/iu.test(head)) return 'text/html';
  const kind = sniffText(bytes, '', { claimed: undefined, sent: undefined });
  if (kind === 'text/html' || formatOfMime(kind)?.isBinary) return kind;
  if (!oftenTexts.has(claimed.name)) return undefined;
  // A page with its pictures, as wikis export theirs for Word.
  if (claimed.name !== 'Outlook messages' && /^MIME-Version: 1\.0$/imu.test(head)) return 'multipart/related';
  return kind === 'text/plain' && tables.has(claimed.name) ? kindOfRows(head) : kind;
}

/** A table where most of the first lines are parted in the same way. */
function kindOfRows(head: string): string {
  const lines = head
    .split('\n')
    .slice(0, 40)
    .filter((line) => line.trim() !== '');
  const areMost = (delimiter: RegExp): boolean =>
    lines.filter((line) => delimiter.test(line)).length * 2 > lines.length;
  if (areMost(/\t/u)) return 'text/tab-separated-values';
  return areMost(/[;,|]/u) ? 'text/csv' : 'text/plain';
}

const withArticle = (name: string): string => `${/^[AEIOUX]/u.test(name) ? 'an' : 'a'} ${name}`;

/** For people, of a file whose name says a kind of document that its bytes are not, and that is read as the text it is; else undefined. */
export function misnamedWarning({ name }: ParseInput, mime: string): string | undefined {
  const claimed = formatOfExtension(kindExtension(name));
  const found = formatOfMime(mime);
  if (!claimed?.isBinary || found === undefined || found.isBinary) return undefined;
  return `It is called ${withArticle(claimed.name)} file, but is not: it was read as what it is (${found.name}).`;
}

/** No more is known of the file than that nothing reads it: such files are summed up, all others told one by one. */
const unknownKind = { reason: 'unknown-kind' } as const;

/** Why a file is refused whose name says a kind that is known and not read; undefined where its bytes have to say. */
export function refusedByName(name: string): ReadError | undefined {
  const extension = kindExtension(name);
  const kind = refusedByExtension(extension);
  return refusedAsUnfinished(name) ?? (kind && refused(name, kind, { extension }));
}

function refusedAsUnfinished(name: string): ReadError | undefined {
  const extension = extensionOf(name);
  const kind = refusedByExtension(extension);
  return kind?.isUnfinished ? refused(name, kind, { extension }) : undefined;
}

/** For a file of a kind that is known and not read. */
function refused(name: string, kind: RefusedKind, details: Readonly<Record<string, string>>): ReadError {
  const found = { details: { ...details, ...(kind.isNoise && unknownKind) } };
  return new ReadError('unsupported-media', `${name} ${kind.why}`, found);
}

// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
function sniffText(
  bytes: Uint8Array,
  name: string,
  hint: { claimed: Format | undefined; sent: string | undefined },
): string {
  const sent = formatOfMime(hint.sent);
  const head = decodeText(bytes.subarray(0, 16_384), name).text.trimStart();
  const kind = claimedFormat(hint.claimed, sent?.isBinary ? undefined : sent, head);
  if (
    /^(<\?xml[^>]*>\s*)?(<!--(?:(?!-->)[\s\S])*-->\s*)*<(!doctype\s+html|html)\b/i.test(head) &&
    !kind?.mime.startsWith('text/x-')
  )
    return 'text/html';
  if (/^\{\\rtf\d/u.test(head)) return 'application/rtf';
  if (kind?.mime === 'application/xml' || (kind === undefined && /^<(\?xml|!doctype)\b/iu.test(head))) {
    const found = kindOfXml(head);
    const unread = refusedByMime(found);
    if (unread !== undefined) throw refused(name, unread, { mime: found });
    return found;
  }
  // Programs export both under either name.
  if (kind?.mime === 'text/vcard' && /^BEGIN:VCALENDAR\n/iu.test(head)) return 'text/calendar';
  if (kind?.mime === 'text/calendar' && /^BEGIN:VCARD[ \t]*\n/iu.test(head)) return 'text/vcard';
  if (kind !== undefined) return kind.mime;
  const opening = openings.find(([pattern]) => pattern.test(head));
  if (opening !== undefined) return opening[1];
  const isSentAsText = hint.sent?.split(';')[0]?.trim() === 'text/plain';
  const extension = kindExtension(name);
  const known = refusedByExtension(extension);
  if (known?.isText && !isSentAsText) throw refused(name, known, { extension });
  if (!isSentAsText && isEncodedData(lettersOf(bytes)))
    throw new ReadError(
      'unsupported-media',
      `${name} holds data in letters and digits (base64 or the like), no words. Give what it encodes, or call it .txt to have it read all the same.`,
      { details: { extension, ...unknownKind } },
    );
  if (extension !== '' && !isSentAsText && !isLikelyText(bytes))
    throw new ReadError(
      'unsupported-media',
      `${name}: files of type .${extension} are not known, and its bytes are no plain text. If it is text, save it as UTF-8. ${readableFormats}`,
      { details: { extension, ...unknownKind } },
    );
  return isJson(bytes, head) ? 'application/json' : 'text/plain';
}

/** How texts begin that say what they are, whatever they are called. */
const openings: readonly (readonly [opening: RegExp, mime: string])[] = [
  [
    /^(?:[\w-]+: [^\n]*\n(?:[ \t][^\n]*\n)*){0,20}?(?:Snapshot-Content-Location: |From: "?<Saved by )/iu,
    'multipart/related',
  ],
  [/^From \S[^\n]{1,200} \d{4}\n[\w-]+: /u, 'application/mbox'],
  [
    /^(?:(?:(?:ARC|DKIM|List|Received|Resent|X)-[\w-]+|Received|Return-Path|Envelope-To|Deliver(?:ed-To|y-Date)|Message-ID|MIME-Version|Content-(?:Type|Transfer-Encoding)|From|Sender|Reply-To|To|B?Cc|Subject|Date|In-Reply-To|References|Authentication-Results|User-Agent):[ \t][^\n]*\n(?:[ \t][^\n]*\n)*){3}/iu,
    'message/rfc822',
  ],
  [/^BEGIN:VCALENDAR\n/u, 'text/calendar'],
  [/^BEGIN:VCARD[ \t]*\n/iu, 'text/vcard'],
  [/^WEBVTT(?:[ \t][^\n]*)?\n/u, 'text/vtt'],
  // Scripts without an extension say in their first line what runs them.
  [program('(?:ba|da|k|z)?sh'), 'application/x-sh'],
  [program('python[\\d.]*'), 'text/x-python'],
  [program('(?:node|nodejs|deno|bun)'), 'text/javascript'],
  [program('ruby[\\d.]*'), 'text/x-ruby'],
  [program('php[\\d.]*'), 'application/x-php'],
];

function program(name: string): RegExp {
  return new RegExp(`^#! ?/\\S{1,100}/(?:env (?:-\\S{1,20} )?)?${name}(?:\\s|$)`, 'u');
}

/** What XML says it is by its first element. */
function kindOfXml(head: string): string {
  const root =
    /^(?:<\?(?:(?!\?>)[\s\S])*\?>|<!--(?:(?!-->)[\s\S])*-->|<!doctype[^>[]*(?:\[(?:(?!\]>)[\s\S])*\])?>|\s)*<([\w.:-]+)/iu.exec(
      head,
    )?.[1];
  if (root === undefined) return 'application/xml';
  // All of an OpenDocument in one file (ODF 1.3 part 3 §2.2.1); its namespaces come first, a page of them.
  if (/^(?:\w+:)?document$/u.test(root))
    return (
      formatOfMime(/\bmimetype="(application\/vnd\.oasis\.opendocument\.[\w.-]{1,40})"/u.exec(head)?.[1])?.mime ??
      'application/xml'
    );
  if (/^(rss|rdf:RDF)$/iu.test(root)) return 'application/rss+xml';
  if (/^FictionBook$/u.test(root)) return 'application/x-fictionbook+xml';
  if (/^(?:svg:)?svg$/u.test(root)) return 'image/svg+xml';
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

// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
async function sniffBinary(bytes: Uint8Array, claimed: Format | undefined): Promise<string | undefined> {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  if (/^\s*\{\\rtf\d/u.test(head)) return 'application/rtf';
  if (bytes[0] === 0x78 && bytes[1] === 0x9f && bytes[2] === 0x3e && bytes[3] === 0x22) return 'application/ms-tnef';
  // Other bytes may stand before it (ISO 32000-1, Annex H, note 13), but a text that speaks of it is none.
  if (head.startsWith('%PDF-') || (head.includes('%PDF-') && !isPlainText(bytes))) return 'application/pdf';
  if (isBareWorkbook(bytes)) return 'application/vnd.ms-excel';
  if (head.startsWith('bplist00')) return kindOfPropertyList(bytes);
  // Loaded for what is no text alone: most files are texts, and it is a fifth of what a process of its own loads to read one.
  if (isPlainText(bytes)) return undefined;
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (found?.mime === 'application/x-cfb') return kindOfCompound(bytes);
  if (found?.mime === 'application/zip') return kindOfZip(bytes, claimed);
  // Documents of Pages and Keynote that hold a table look like those of Numbers.
  if (isApple(found?.mime) && isApple(claimed?.mime)) return claimed?.mime;
  if (found === undefined || textualTypes.has(found.mime)) return undefined;
  return claimed !== undefined && !claimed.isBinary && hasNoControls(bytes) ? undefined : found.mime;
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

/** Of what is called a text, in any encoding: a recording begins with two bytes that are `яп` in windows-1251. */
const hasNoControls = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, 4096).every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b);

/** Under a name that says nothing: UTF-8 or UTF-16, or an older encoding of letters that are mostly ASCII. */
function isLikelyText(bytes: Uint8Array): boolean {
  if (bytes.includes(0) || isPlainText(bytes)) return true;
  const head = bytes.subarray(0, 4096);
  return head.filter((byte) => byte < 0x80).length >= head.length * 0.8;
}

/** Binary property lists of Apple hold saved pages, and links. */
function kindOfPropertyList(bytes: Uint8Array): string {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.includes('WebMainResource')) return 'application/x-webarchive';
  return file.length < 20_000 && file.includes('URL') ? 'application/internet-shortcut' : 'application/x-bplist';
}

const officeParts: readonly (readonly [part: string, extension: string])[] = [
  ['word/document.xml', 'docx'],
  ['xl/workbook.xml', 'xlsx'],
  ['xl/workbook.bin', 'xlsb'],
  ['ppt/presentation.xml', 'pptx'],
  ['META-INF/container.xml', 'epub'],
  ['visio/document.xml', 'vsdx'],
];

/** Of iWork before and since 2013: which of its programs wrote it, the name says. */
const appleParts = ['index.xml', 'index.xml.gz', 'index.apxl', 'index.apxl.gz', 'Index/Document.iwa', 'Index.zip'];
const isApple = (mime: string | undefined): boolean => mime?.startsWith('application/vnd.apple.') ?? false;

/** Office files are ZIP files; where their parts come in an unusual order, the directory tells them from archives. */
function kindOfZip(bytes: Uint8Array, claimed: Format | undefined): string {
  let zip: ZipFile;
  try {
    zip = openZip(bytes, 'archive');
  } catch {
    return 'application/zip';
  }
  // The sequence of the documents in it (ECMA-388 §9.1.2), as Windows and Office call it.
  if (zip.has('FixedDocumentSequence.fdseq') || zip.has('FixedDocSeq.fdseq')) return 'application/vnd.ms-xpsdocument';
  const part = officeParts.find(([name]) => zip.has(name));
  const format = part && formatOfExtension(part[1]);
  if (format) return format.mime;
  if (isApple(claimed?.mime) && appleParts.some((name) => zip.has(name))) return claimed?.mime ?? '';
  // Of a file that is encrypted as a whole, all else lies in the package inside.
  const declared = zip.has('content.xml') || zip.has('encrypted-package') ? declaredType(zip) : undefined;
  return declared ?? 'application/zip';
}

function declaredType(zip: ZipFile): string | undefined {
  try {
    return formatOfMime(zip.text('mimetype', 200) ?? manifestType(zip))?.mime;
  } catch {
    return undefined;
  }
}

/** Of a package without that part: what its manifest says of the whole (ODF 1.3 part 2 §4.8.4). */
function manifestType(zip: ZipFile): string | undefined {
  const entries = (zip.text('META-INF/manifest.xml', 1_000_000) ?? '').matchAll(/<manifest:file-entry\b[^<>]*>/gu);
  const whole = entries.find(([entry]) => entry.includes('full-path="/"'));
  return /media-type="([^"]+)"/u.exec(whole?.[0] ?? '')?.[1];
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

/** The extension by which the kind of a file is told: of copies, that of what they are copies of. */
const kindExtension = (name: string): string => extensionOf(nameBeneath(name));
