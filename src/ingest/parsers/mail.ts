// Mail as RFC 5322 and MIME write it: the body as text, headers as facts, attached files as documents of their own. Messages inside are attached
// files too, so that each is cited by itself. postal-mime reads; parts nest 60 deep at most.
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import type { AttachedFile } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { ParseInput, Parser } from '../parse.ts';
import { publishedDate } from './canonical-text.ts';
import { decodeText } from './decode.ts';
import { leastImageBytes, type MailMessage, messageDocument, notReadImages } from './mail-message.ts';

const maxPartDepth = 60;
const maxHeaderBytes = 2 * 1024 * 1024;

export const mail: Parser = {
  name: 'mail',
  mimes: ['message/rfc822'],
  parse: async (input: ParseInput) => {
    const message = await readMessage(input.bytes, input.name);
    if (message.from === undefined && message.subject === undefined && message.date === undefined)
      throw new FootnoteError(
        'invalid-media',
        `${input.name} has no sender, subject or date: it is no mail. Rename it to .txt if it is text.`,
      );
    return messageDocument(message, { name: input.name, mime: 'message/rfc822' });
  },
};

/** Reads one message. Throws `invalid-media` for one that nests too deeply or whose headers do not end. */
export async function readMessage(bytes: Uint8Array, name: string): Promise<MailMessage> {
  let email: Email;
  try {
    email = await PostalMime.parse(bytes, {
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
  const { files, shown } = filesOf(email.attachments);
  const date = headerOf(email, 'date');
  return {
    subject: rawHeader(email, 'subject', bytes) ?? email.subject,
    from: addressText(email.from === undefined ? undefined : [email.from]),
    to: addressText(email.to),
    cc: addressText(email.cc),
    date,
    sentAt: publishedDate(email.date),
    messageId: email.messageId,
    inReplyTo: email.inReplyTo,
    text: email.text,
    html: email.html,
    attachments: files,
    warnings: notReadImages(shown),
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

function filesOf(attachments: readonly Attachment[]): { files: AttachedFile[]; shown: number } {
  const files: AttachedFile[] = [];
  let shown = 0;
  for (const [index, attachment] of attachments.entries()) {
    const bytes = bytesOf(attachment.content);
    const isShown = attachment.related === true || attachment.disposition === 'inline';
    if (isShown && attachment.mimeType.startsWith('image/') && bytes.length < leastImageBytes) shown++;
    else if (bytes.length > 0)
      files.push({ name: attachment.filename ?? nameFor(attachment, index), mime: attachment.mimeType, bytes });
  }
  return { files, shown };
}

const bytesOf = (content: Attachment['content']): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);

function nameFor({ mimeType, description }: Attachment, index: number): string {
  const extension =
    { 'message/rfc822': '.eml', 'text/calendar': '.ics', 'text/html': '.html', 'text/plain': '.txt' }[mimeType] ?? '';
  return `${description ?? `attachment ${index + 1}`}${extension}`;
}
