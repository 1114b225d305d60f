// Mail as RFC 5322 and MIME write it: the body as text, headers as facts, attached files as documents of their own. Messages inside are attached
// files too, so that each is cited by itself. postal-mime reads; parts nest 60 deep at most.
import { type Address, type Attachment, decodeWords, type Email } from 'postal-mime';
import { publishedDate } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import type { AttachedFile } from '../document.ts';
import { formatOfMime } from '../media-types.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { parseMail } from './mail-charset.ts';
import { holdsNothing, mended } from './mail-mending.ts';
import { type MailMessage, messageDocument, notReadImages } from './mail-message.ts';
import { leastImageBytes, type ShownPicture, shownAddresses, shownPicture } from './mail-pictures.ts';
import { isSealed, isWrapping, type Protected, protectionOf } from './mail-protection.ts';
import { unsealedBytes } from './mail-signed.ts';

const maxPartDepth = 60;
const maxHeaderBytes = 2 * 1024 * 1024;
/** Where the subject of an attached message is looked for. */
const maxNamingBytes = 16 * 1024;

export const mail: Parser = {
  name: 'mail',
  mimes: ['message/rfc822'],
  parse: async (input: ParseInput) => {
    const message = await readMessage(messageOf(input.bytes), input.name);
    if (message.from === undefined && message.subject === undefined && message.date === undefined)
      throw new ReadError(
        'invalid-media',
        `${input.name} has no sender, subject or date: it is no mail. Rename it to .txt if it is text.`,
      );
    return messageDocument(message, input, 'message/rfc822');
  },
};

/** Apple Mail writes the length of the message before it, and notes of its own behind it (EMLX). Blank lines before the head are none of it. */
function messageOf(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const found = /^(\d{1,12})[ \t]*\r?\n/u.exec(head);
  if (found !== null) return bytes.subarray(found[0].length, found[0].length + Number(found[1]));
  return bytes.subarray(/^(?:[ \t]*\r?\n)*/u.exec(head)?.[0].length ?? 0);
}

/** A signed message in a signed message in …: deeper than this it is an attached file. */
const maxSignedDepth = 3;

/** Reads one message. Throws `invalid-media` for one that nests too deeply or whose headers do not end. */
export async function readMessage(bytes: Uint8Array, name: string, depth = 0): Promise<MailMessage> {
  let email: Email;
  try {
    email = await parseParts(bytes);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 160) : 'it is damaged';
    throw new ReadError('invalid-media', `${name} cannot be read as mail: ${why}. Save it again.`, {
      cause: error,
    });
  }
  const type = headerOf(email, 'content-type');
  const protection = protectionOf(type);
  const { files, pictures, small } = filesOf(email, protection);
  const date = headerOf(email, 'date');
  const isWhole = isSealed(type?.split(';')[0]?.trim() ?? '') && depth <= maxSignedDepth;
  const sealed = isWhole ? email.attachments.find(({ mimeType }) => isSealed(mimeType)) : undefined;
  const unsealed = sealed && unsealedBytes(bytesOf(sealed.content));
  const inner = unsealed === undefined ? undefined : await readMessage(unsealed, name, depth + 1);
  return {
    subject: rawHeader(email, 'subject', bytes) ?? email.subject,
    from: addressText(email.from === undefined ? undefined : [email.from]),
    to: addressText(email.to),
    cc: addressText(email.cc),
    date,
    sentAt: publishedDate(email.date),
    messageId: email.messageId,
    inReplyTo: email.inReplyTo,
    references: email.references,
    ...(inner === undefined
      ? {
          text: email.text,
          html: email.html,
          attachments: files,
          shown: pictures,
          warnings: notReadImages(small),
          protection,
        }
      : {
          text: inner.text,
          html: inner.html,
          attachments: inner.attachments,
          shown: inner.shown,
          warnings: inner.warnings,
          protection: { ...inner.protection, signed: 'S/MIME' },
        }),
  };
}

async function parseParts(bytes: Uint8Array): Promise<Email> {
  const options = { forceRfc822Attachments: true, maxNestingDepth: maxPartDepth, maxHeadersSize: maxHeaderBytes };
  const email = await parseMail(bytes, options);
  const again = holdsNothing(email) ? mended(bytes, headerOf(email, 'content-type')) : undefined;
  if (again === undefined) return email;
  if ('text' in again) return { ...email, text: again.text };
  const { text, html, attachments } = await parseMail(again.parts, options);
  return { ...email, attachments, ...(text === undefined ? {} : { text }), ...(html === undefined ? {} : { html }) };
}

const headerOf = (email: Email, key: string): string | undefined =>
  email.headers.find((header) => header.key === key)?.value.trim();

/** Headers with bytes beyond ASCII that no encoded word announces: the encoding is told from the bytes. */
function rawHeader(email: Email, key: string, bytes: Uint8Array): string | undefined {
  const value = headerOf(email, key);
  if (value === undefined || !value.includes('\ufffd')) return undefined;
  const head = Buffer.from(bytes.subarray(0, maxHeaderBytes)).toString('latin1');
  const found = new RegExp(`^${key}:[ \\t]*(.*(?:\\r?\\n[ \\t].*)*)`, 'imu').exec(head)?.[1];
  if (found === undefined) return undefined;
  return decodeText(Buffer.from(found, 'latin1'), key).text.replace(/(?<!\s)\s*\n\s*/gu, ' ');
}

function addressText(addresses: readonly Address[] | undefined): string | undefined {
  if (addresses === undefined || addresses.length === 0) return undefined;
  return addresses
    .flatMap((address) => (address.group === undefined ? [address] : address.group))
    .map(({ name, address }) => (name === '' || name === address ? address : `${name} <${address}>`))
    .join(', ');
}

interface SortedFiles {
  readonly files: AttachedFile[];
  /** Read in place. */
  readonly pictures: ShownPicture[];
  /** How many images of the text are too small to be read. */
  readonly small: number;
}

function filesOf({ attachments, html, text }: Email, protection: Protected): SortedFiles {
  const files: AttachedFile[] = [];
  const pictures: ShownPicture[] = [];
  const named = shownAddresses(html, text);
  let small = 0;
  for (const [index, attachment] of attachments.entries()) {
    if (isWrapping(attachment.mimeType, attachment.filename, protection)) continue;
    const bytes = bytesOf(attachment.content);
    const isShown = attachment.related === true || attachment.disposition === 'inline';
    const file = { name: attachment.filename ?? nameFor(attachment, index, bytes), mime: attachment.mimeType, bytes };
    const picture = shownPicture(file, attachment.contentId, named);
    if (picture !== undefined) pictures.push(picture);
    else if (isShown && attachment.mimeType.startsWith('image/') && bytes.length < leastImageBytes) small++;
    else if (bytes.length > 0 && !isAgain(bytes, attachment, files)) files.push(file);
  }
  return { files, pictures, small };
}

/** Invitations come twice: as a way to read the message, and as a file. The one with a name stays. */
function isAgain(bytes: Uint8Array, { mimeType, filename }: Attachment, files: AttachedFile[]): boolean {
  if (!/^(?:text\/calendar|application\/ics)$/iu.test(mimeType)) return false;
  const before = files.findIndex((file) => Buffer.compare(file.bytes, bytes) === 0);
  if (before < 0) return false;
  if (filename) files[before] = { name: filename, mime: mimeType, bytes };
  return true;
}

const bytesOf = (content: Attachment['content']): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);

/** Forwarded messages mostly come without a name: they are called by their subject, as mail programs show them. */
function nameFor({ mimeType, description }: Attachment, index: number, bytes: Uint8Array): string {
  if (mimeType === 'text/calendar') return `${description ?? 'invitation'}.ics`;
  if (mimeType === 'message/delivery-status') return `${description ?? 'delivery status'}.txt`;
  const extension = formatOfMime(mimeType)?.extensions[0];
  const subject = mimeType === 'message/rfc822' ? subjectName(bytes) : '';
  return `${description ?? (subject || `attachment ${index + 1}`)}${extension === undefined ? '' : `.${extension}`}`;
}

/** The subject of a message as the name of a file; empty where its head says none. */
function subjectName(bytes: Uint8Array): string {
  const head =
    Buffer.from(bytes.subarray(0, maxNamingBytes))
      .toString('utf8')
      .split(/\r?\n\r?\n/u, 1)[0] ?? '';
  const found = /^subject:[ \t]*(.*(?:\r?\n[ \t].*)*)/imu.exec(head)?.[1] ?? '';
  const subject = decodeWords(found.replace(/\s+/gu, ' ')).replace(/[\p{C}\ufffd/\\:*?"<>|]+/gu, ' ');
  return subject.replace(/\s+/gu, ' ').trim().slice(0, 100).trim();
}
