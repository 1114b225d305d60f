// What Outlook packs into `winmail.dat` (TNEF, [MS-OXTNEF]): the message's text and attached files, as a message of its own. Every length is checked
// against the bytes that are there; nothing is followed or opened.

import { decodeText } from '../canonical/decode.ts';
import type { AttachedFile } from '../document.ts';
import { decoderOfPage } from '../office/rtf-text.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { charsetInHtml } from './mail-charset.ts';
import { messageDocument, outlookBody } from './mail-message.ts';
import { type MapiProperties, readProperties } from './mail-tnef-properties.ts';

const mime = 'application/ms-tnef';
const signature = 0x223e9f78;
const headBytes = 6;
const maxFiles = 1000;

/** Attributes by the lower half of their ids (§2.1.3.3). */
const subjectAttribute = 0x8004;
const bodyAttribute = 0x800c;
const messageProperties = 0x9003;
const attachmentBegins = 0x9002;
const attachmentTitle = 0x8010;
const attachmentData = 0x800f;
const attachmentProperties = 0x9005;
/** The code page of texts that are not Unicode (§2.1.3.3.4). */
const codepageAttribute = 0x9007;

/** Properties ([MS-OXPROPS]). */
const subjectId = 0x0037;
const bodyId = 0x1000;
const htmlId = 0x1013;
const compressedRtfId = 0x1009;
const senderId = 0x0c1a;
const dataId = 0x3701;
const longNameId = 0x3707;
const typeId = 0x370e;

export const packedMail: Parser = {
  name: 'mail-tnef',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const { bytes, name } = input;
    const packed = readPacked(bytes, name);
    const { properties } = packed;
    const html = properties.get(htmlId);
    const body = await outlookBody(
      {
        text: packed.decode(properties.get(bodyId)) ?? packed.body,
        html: html && decodeText(html, name, charsetInHtml(html)).text,
        rtf: properties.get(compressedRtfId),
      },
      name,
    );
    return messageDocument(
      {
        subject: packed.decode(properties.get(subjectId)) ?? packed.subject,
        from: packed.decode(properties.get(senderId)),
        ...body,
        attachments: packed.files,
        warnings: [],
      },
      input,
      mime,
    );
  },
};

interface Packed {
  /** Of texts that end with a NUL. */
  decode(text: Uint8Array | undefined): string | undefined;
  readonly subject: string | undefined;
  readonly body: string | undefined;
  readonly properties: MapiProperties;
  readonly files: readonly AttachedFile[];
}

function readPacked(bytes: Uint8Array, name: string): Packed {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headBytes || view.getUint32(0, true) !== signature)
    throw new ReadError('invalid-media', `${name} is damaged: it does not begin as TNEF does. Save it again.`);
  let subject: Uint8Array | undefined;
  let body: Uint8Array | undefined;
  let encoding: string | undefined;
  let properties: MapiProperties = new Map();
  const files: { title?: Uint8Array | undefined; data?: Uint8Array | undefined; type?: Uint8Array | undefined }[] = [];
  // Level, id, length, data, checksum; what is cut off is not read.
  for (let at = headBytes; at + 9 <= bytes.length; ) {
    const id = view.getUint16(at + 1, true);
    const start = at + 9;
    const end = start + view.getUint32(at + 5, true);
    if (end > bytes.length) break;
    const data = bytes.subarray(start, end);
    const file = files.at(-1);
    if (id === subjectAttribute) subject = data;
    else if (id === bodyAttribute) body = data;
    else if (id === codepageAttribute && data.length >= 4)
      encoding = decoderOfPage(view.getUint32(start, true)).encoding;
    else if (id === messageProperties) properties = readProperties(data);
    else if (id === attachmentBegins && files.length < maxFiles) files.push({});
    else if (file !== undefined && id === attachmentTitle) file.title ??= data;
    else if (file !== undefined && id === attachmentData) file.data = data;
    else if (file !== undefined && id === attachmentProperties) {
      const own = readProperties(data);
      file.title = own.get(longNameId) ?? file.title;
      file.type = own.get(typeId);
      // A message in a message: the identifier of its interface, then TNEF again.
      const inner = own.get(dataId);
      if (file.data === undefined && inner !== undefined && inner.length > 16) file.data = inner.subarray(16);
    }
    at = end + 2;
  }
  const decode = (text: Uint8Array | undefined): string | undefined => textOf(text, encoding);
  return {
    decode,
    subject: decode(subject),
    body: decode(body),
    properties,
    files: files.flatMap(({ title, data, type }, index): AttachedFile[] =>
      data === undefined || data.length === 0
        ? []
        : [
            {
              name: decode(title) || `attachment ${index + 1}`,
              ...(decode(type) === undefined ? {} : { mime: decode(type) ?? '' }),
              bytes: Uint8Array.from(data),
            },
          ],
    ),
  };
}

/** Texts end with a NUL; those of properties are made UTF-8 when they are read. */
function textOf(bytes: Uint8Array | undefined, encoding: string | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  const end = bytes.indexOf(0);
  const text = decodeText(end < 0 ? bytes : bytes.subarray(0, end), 'winmail.dat', encoding).text.trim();
  return text === '' ? undefined : text;
}
