// Outlook messages ([MS-OXMSG], a compound file of properties): read into the same message that mail becomes. msgreader reads the properties;
// messages attached to messages are attached files.
import MsgReaderModule, { type FieldsData } from '@kenjiuno/msgreader';
import { publishedDate } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { requireSoundCompound } from '../containers/mail-compound.ts';
import type { AttachedFile } from '../document.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { readMessage } from './mail.ts';
import { charsetInHtml } from './mail-charset.ts';
import { type MailMessage, messageDocument, notReadImages, outlookBody } from './mail-message.ts';
import { textCodepage } from './mail-outlook-encoding.ts';
import { itemFacts } from './mail-outlook-items.ts';
import { leastImageBytes, type ShownPicture, shownAddresses, shownPicture } from './mail-pictures.ts';
import { isSealed, isWrapping, type Protected } from './mail-protection.ts';
import { unsealedBytes } from './mail-signed.ts';

// The package is CommonJS with a default export inside, which some loaders hand out and others do not.
const MsgReader = (MsgReaderModule.default ?? MsgReaderModule) as typeof MsgReaderModule.default;
type MsgReader = InstanceType<typeof MsgReader>;

export const outlookMessage: Parser = {
  name: 'mail-outlook',
  mimes: ['application/vnd.ms-outlook'],
  parse: async (input: ParseInput) => {
    const message = await readOutlookMessage(input);
    return messageDocument(message, input, 'application/vnd.ms-outlook');
  },
};

async function readOutlookMessage({ bytes, name }: ParseInput): Promise<MailMessage> {
  const damaged = (cause: unknown): ReadError =>
    new ReadError('invalid-media', `${name} is damaged: its properties cannot be read. Save it again from Outlook.`, {
      cause,
    });
  requireSoundCompound(bytes, name);
  let reader: MsgReader;
  let fields: FieldsData;
  try {
    ({ reader, fields } = readFields(bytes));
  } catch (error) {
    throw damaged(error);
  }
  if (fields.error !== undefined) throw damaged(fields.error);
  const html = fields.bodyHtml ?? (fields.html && decodeText(fields.html, name, charsetInHtml(fields.html)).text);
  const body = await outlookBody({ text: fields.body, html, rtf: fields.compressedRtf }, name);
  const hasBody = body.text !== undefined || body.html !== undefined;
  const protection = protectionOfClass(fields.messageClass, hasBody);
  const { files, pictures, small, unread, sealed } = filesOf(reader, fields.attachments ?? [], {
    protection,
    bodies: [html, body.text],
  });
  const unsealed = sealed && unsealedBytes(sealed);
  const inner = unsealed === undefined ? undefined : await readMessage(unsealed, name);
  const date = fields.clientSubmitTime ?? fields.messageDeliveryTime ?? fields.creationTime;
  return {
    subject: fields.subject,
    from: personText(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail),
    to: recipientsText(fields.recipients, 'to'),
    cc: recipientsText(fields.recipients, 'cc'),
    date: headerOf(fields.headers, 'date') ?? date,
    sentAt: publishedDate(date),
    facts: itemFacts(fields),
    messageId: fields.messageId,
    inReplyTo: headerOf(fields.headers, 'in-reply-to'),
    references: /^references:[ \t]*(.+(?:\r?\n[ \t].+)*)/imu.exec(fields.headers ?? '')?.[1],
    // A copy of the body may stand beside the signed message; the files stand in it alone.
    text: hasBody ? body.text : inner?.text,
    html: hasBody ? body.html : inner?.html,
    attachments: inner === undefined ? files : inner.attachments,
    shown: inner === undefined ? pictures : inner.shown,
    warnings: [
      ...notReadImages(small),
      ...(unread === 0 ? [] : [`${unread} attached ${unread === 1 ? 'file' : 'files'} could not be read.`]),
    ],
    protection: inner === undefined ? protection : { signed: 'S/MIME', ...inner.protection },
  };
}

/** Read once more where its texts are not Unicode: their code page is known only from the whole. */
function readFields(bytes: Uint8Array): { readonly reader: MsgReader; readonly fields: FieldsData } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const codepage = textCodepage();
  const open = (config: Exclude<MsgReader['parserConfig'], undefined>) => {
    const reader = new MsgReader(view);
    reader.parserConfig = { includeRawProps: true, ...config };
    return { reader, fields: reader.getFileData() };
  };
  const first = open({ propertyObserver: (_, tag, raw) => codepage.observe(tag, raw ?? undefined) });
  const ansiEncoding = codepage.name();
  return ansiEncoding === undefined || first.fields.error !== undefined ? first : open({ ansiEncoding });
}

/** Outlook says it by the class of the message ([MS-OXOSMIME] §2.1.3), the same one for what is encrypted and what is wrapped in a signature. */
function protectionOfClass(messageClass: string | undefined, hasText: boolean): Protected {
  const found = /^IPM\.Note\.(?:[^.]+\.)?SMIME(\.MultipartSigned)?/iu.exec(messageClass ?? 'IPM.Note');
  if (found === null) return {};
  return found[1] === undefined && !hasText ? { encrypted: 'S/MIME' } : { signed: 'S/MIME' };
}

function headerOf(headers: string | undefined, key: string): string | undefined {
  return new RegExp(`^${key}:[ \\t]*(.+)$`, 'imu').exec(headers ?? '')?.[1]?.trim();
}

function personText(name: string | undefined, address: string | undefined): string | undefined {
  // Inside an organisation the address is a path of its directory, which says nothing to people.
  const mailbox = address?.includes('@') && !address.startsWith('/') ? address : undefined;
  if (!name || name === mailbox) return mailbox ?? (name || undefined);
  return mailbox === undefined ? name : `${name} <${mailbox}>`;
}

function recipientsText(recipients: readonly FieldsData[] | undefined, kind: 'to' | 'cc'): string | undefined {
  const people = (recipients ?? [])
    .filter(({ recipType }) => recipType === kind)
    .map(({ name, smtpAddress, email }) => personText(name, smtpAddress ?? email))
    .filter((person) => person !== undefined);
  return people.length === 0 ? undefined : people.join(', ');
}

interface SortedFiles {
  readonly files: AttachedFile[];
  /** Read in place. */
  readonly pictures: ShownPicture[];
  /** How many images of the text are too small to be read. */
  readonly small: number;
  readonly unread: number;
  readonly sealed: Uint8Array | undefined;
}

function filesOf(
  reader: MsgReader,
  attachments: readonly FieldsData[],
  { protection, bodies }: { readonly protection: Protected; readonly bodies: readonly (string | undefined)[] },
): SortedFiles {
  const files: AttachedFile[] = [];
  const pictures: ShownPicture[] = [];
  const addresses = shownAddresses(...bodies);
  let sealed: Uint8Array | undefined;
  let small = 0;
  let unread = 0;
  for (const [index, attachment] of attachments.entries()) {
    try {
      const { fileName, content } = reader.getAttachment(attachment);
      const tag = attachment.attachMimeTag ?? '';
      // Clear-signed, the whole message is its one attachment ([MS-OXOSMIME] §2.1.3.1).
      const isSigned = protection.signed !== undefined && /^multipart\/signed\b/iu.test(tag);
      const wrapping = isSigned || /\.p7m$/iu.test(fileName) ? 'application/pkcs7-mime' : tag;
      if (isWrapping(wrapping, fileName, protection)) {
        if (isSealed(wrapping)) sealed = content;
        continue;
      }
      const isShown = attachment.pidContentId !== undefined || attachment.attachmentHidden === true;
      const isImage = /\.(?:png|gif|jpe?g|bmp)$/iu.test(fileName);
      const file = { ...named(fileName, attachment, index), bytes: content };
      const picture = shownPicture(file, attachment.pidContentId, addresses);
      if (picture !== undefined) pictures.push(picture);
      else if (isShown && isImage && content.length < leastImageBytes) small++;
      else if (content.length > 0) files.push(file);
    } catch {
      unread++;
    }
  }
  return { files, pictures, small, unread, sealed };
}

function named(fileName: string, attachment: FieldsData, index: number): Pick<AttachedFile, 'name' | 'mime'> {
  const name = fileName || (attachment.innerMsgContent ? `message ${index + 1}.msg` : `attachment ${index + 1}`);
  return attachment.attachMimeTag === undefined ? { name } : { name, mime: attachment.attachMimeTag };
}
