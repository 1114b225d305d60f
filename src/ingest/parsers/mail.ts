// Mail as RFC 5322 and MIME write it: the body as text, headers as facts, attached files as documents of their own. Messages inside are attached
// files too, so that each is cited by itself. postal-mime reads; parts nest 60 deep at most.
import type { Address, Attachment, Email } from 'postal-mime';
import type { AttachedFile } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { ParseInput, Parser } from '../parse.ts';
import { publishedDate } from './canonical-text.ts';
import { decodeText } from './decode.ts';
import { parseMail } from './mail-charset.ts';
import { leastImageBytes, type MailMessage, messageDocument, notReadImages } from './mail-message.ts';
import { isSealed, isWrapping, type Protected, protectionOf } from './mail-protection.ts';
import { unsealedBytes } from './mail-signed.ts';

const maxPartDepth = 60;
const maxHeaderBytes = 2 * 1024 * 1024;

export const mail: Parser = {
  name: 'mail',
  mimes: ['message/rfc822'],
  parse: async (input: ParseInput) => {
    const message = await readMessage(messageOf(input.bytes), input.name);
    if (message.from === undefined && message.subject === undefined && message.date === undefined)
      throw new FootnoteError(
        'invalid-media',
        `${input.name} has no sender, subject or date: it is no mail. Rename it to .txt if it is text.`,
      );
    return messageDocument(message, { name: input.name, mime: 'message/rfc822' });
  },
};

/** Apple Mail writes the length of the message before it, and notes of its own behind it (EMLX). */
function messageOf(bytes: Uint8Array): Uint8Array {
  const head = Buffer.from(bytes.subarray(0, 20)).toString('latin1');
  const found = /^(\d{1,12})[ \t]*\r?\n/u.exec(head);
  return found === null ? bytes : bytes.subarray(found[0].length, found[0].length + Number(found[1]));
}

/** A signed message in a signed message in …: deeper than this it is an attached file. */
const maxSignedDepth = 3;

/** Reads one message. Throws `invalid-media` for one that nests too deeply or whose headers do not end. */
export async function readMessage(bytes: Uint8Array, name: string, depth = 0): Promise<MailMessage> {
  let email: Email;
  try {
    email = await parseMail(bytes, {
      forceRfc822Attachments: true,
      maxNestingDepth: maxPartDepth,
      maxHeadersSize: maxHeaderBytes,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 160) : 'it is damaged';
    throw new FootnoteError('invalid-media', `${name} cannot be read as mail: ${why}. Save it again.`, {
      cause: error,
    });
  }
  const type = headerOf(email, 'content-type');
  const protection = protectionOf(type);
  const { files, shown } = filesOf(email.attachments, protection);
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
      ? { text: email.text, html: email.html, attachments: files, warnings: notReadImages(shown), protection }
      : {
          text: inner.text,
          html: inner.html,
          attachments: inner.attachments,
          warnings: inner.warnings,
          protection: { ...inner.protection, signed: 'S/MIME' },
        }),
  };
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
  return decodeText(Buffer.from(found, 'latin1'), key).text.replace(/\s*\n\s*/gu, ' ');
}

function addressText(addresses: readonly Address[] | undefined): string | undefined {
  if (addresses === undefined || addresses.length === 0) return undefined;
  return addresses
    .flatMap((address) => (address.group === undefined ? [address] : address.group))
    .map(({ name, address }) => (name === '' || name === address ? address : `${name} <${address}>`))
    .join(', ');
}

function filesOf(attachments: readonly Attachment[], protection: Protected): { files: AttachedFile[]; shown: number } {
  const files: AttachedFile[] = [];
  let shown = 0;
  for (const [index, attachment] of attachments.entries()) {
    if (isWrapping(attachment.mimeType, attachment.filename, protection)) continue;
    const bytes = bytesOf(attachment.content);
    const isShown = attachment.related === true || attachment.disposition === 'inline';
    if (isShown && attachment.mimeType.startsWith('image/') && bytes.length < leastImageBytes) shown++;
    else if (bytes.length > 0 && !isAgain(bytes, attachment, files))
      files.push({ name: attachment.filename ?? nameFor(attachment, index), mime: attachment.mimeType, bytes });
  }
  return { files, shown };
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

function nameFor({ mimeType, description }: Attachment, index: number): string {
  if (mimeType === 'text/calendar') return `${description ?? 'invitation'}.ics`;
  const extension = { 'message/rfc822': '.eml', 'text/html': '.html', 'text/plain': '.txt' }[mimeType] ?? '';
  return `${description ?? `attachment ${index + 1}`}${extension}`;
}
