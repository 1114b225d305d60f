// A message, from whatever container, as canonical text: the subject, who wrote to whom and when, then the body whole. Quotations, signatures and
// notices stay in the text and are blocks of their own. Invariant: nothing of the body is left out.

import { canonicalText, paragraphBlocks, parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { type JoinedText, joinText, type TextPiece } from '../canonical/joined-text.ts';
import type { AttachedFile, Block, Metadata, ParsedDocument } from '../document.ts';
import { pictureLines } from '../pictures/embedded-pictures.ts';
import { addressOf, showPictureText } from '../pictures/html-pictures.ts';
import type { ParseInput } from '../reader.ts';
import { htmlPiece } from '../web/html-piece.ts';
import { rtf } from '../words/rtf.ts';
import { type MessagePictures, messagePictures, type ShownPicture } from './mail-pictures.ts';
import { armouredRegions, encryptedMark, type Protected, protectionWarnings } from './mail-protection.ts';
import { mailRegions } from './mail-regions.ts';
import { unpackRtf } from './mail-rtf.ts';

export interface MailMessage {
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cc?: string | undefined;
  /** As the message has it. */
  readonly date?: string | undefined;
  /** RFC 3339. */
  readonly sentAt?: string | undefined;
  readonly messageId?: string | undefined;
  readonly inReplyTo?: string | undefined;
  /** Ids of the messages before it in its thread, the first one first, apart by white space. */
  readonly references?: string | undefined;
  /** What an item that is no message says of itself, shown behind the date. */
  readonly facts?: readonly (readonly [label: string, value: string])[] | undefined;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  readonly attachments: readonly AttachedFile[];
  /** Pictures that the HTML shows and that may hold text; they are read in place. */
  readonly shown?: readonly ShownPicture[] | undefined;
  readonly warnings: readonly string[];
  readonly protection?: Protected;
}

/** The warning about images of the text that are left out. */
export function notReadImages(count: number): string[] {
  if (count === 0) return [];
  return [count === 1 ? 'A small image in the text is not read.' : `${count} small images in the text are not read.`];
}

/** An HTML part this many times longer than the plain one says more: the plain one is then a note that there is HTML. */
const plainIsNote = 4;

/** Pictures are shown where they were read. */
export function addMessage(joined: JoinedText, message: MailMessage, pictures?: MessagePictures): void {
  const subject = message.subject?.trim() ?? '';
  if (subject !== '') joined.put('heading', subject, 1);
  const facts = [
    ['From', message.from],
    ['To', message.to],
    ['Cc', message.cc],
    ['Date', message.date],
    ...(message.facts ?? []),
    ['Attachments', message.attachments.map(({ name }) => name).join(', ')],
  ] as const;
  joined.put(
    'record',
    facts
      .filter(([, value]) => value !== undefined && value.trim() !== '')
      .map(([key, value]) => `${key}: ${value?.replace(/\s+/gu, ' ').trim()}`)
      .join('\n'),
  );
  joined.add(bodyOf(message, pictures), 1);
  // What the plain text does not show stands behind it.
  if (pictures !== undefined)
    for (const key of pictures.keys) for (const { kind, text } of pictureLines(pictures, key)) joined.put(kind, text);
}

/** The facts that are kept beside the text. */
function messageFacts(message: MailMessage): Metadata {
  const { from, to, cc, sentAt, messageId, inReplyTo, references, protection } = message;
  const facts: Metadata = {};
  const thread = threadOf(message);
  for (const [key, value] of Object.entries({ author: from, to, cc, sentAt, messageId, inReplyTo, references, thread }))
    if (value !== undefined && value.trim() !== '')
      facts[key] = canonicalText(value).replace(/\s+/gu, ' ').slice(0, 2000);
  if (protection?.encrypted !== undefined) facts['encrypted'] = protection.encrypted;
  if (protection?.signed !== undefined) facts['signed'] = protection.signed;
  if (message.attachments.length > 0) facts['attachments'] = message.attachments.length;
  return facts;
}

/** The id of the message that the thread began with (RFC 5322 §3.6.4): the same for all messages of it. */
function threadOf({ messageId, inReplyTo, references }: MailMessage): string | undefined {
  const first = /<[^<>\s]+>/u;
  return (first.exec(references ?? '') ?? first.exec(inReplyTo ?? '') ?? first.exec(messageId ?? ''))?.[0];
}

/** What people should know of a message, wherever it came from. */
export function messageWarnings(message: MailMessage): string[] {
  const { text = '', html = '', protection = {}, warnings } = message;
  const isArmoured = protection.encrypted === undefined && encryptedMark.test(text);
  const hasText = text.trim() !== '' || html.trim() !== '';
  return [
    ...warnings,
    ...protectionWarnings(protection, hasText),
    ...(isArmoured ? ['A part of the message is encrypted (PGP) and cannot be searched.'] : []),
  ];
}

/** The body of a message of Outlook: plain text, HTML, or the compressed RTF that it keeps when it has neither. */
export async function outlookBody(
  kept: { readonly text: string | undefined; readonly html: string | undefined; readonly rtf: Uint8Array | undefined },
  name: string,
): Promise<{ text?: string; html?: string }> {
  const text = kept.text?.trim() ? kept.text : undefined;
  if (text !== undefined || kept.html !== undefined || kept.rtf === undefined)
    return { ...(text === undefined ? {} : { text }), ...(kept.html === undefined ? {} : { html: kept.html }) };
  return { text: (await rtf.parse({ bytes: unpackRtf(kept.rtf, name), name })).text };
}

function bodyOf({ text, html }: MailMessage, pictures: MessagePictures | undefined): TextPiece {
  const plain = canonicalText(text ?? '')
    .replace(/^(?:[^\S\n]*\n)+/u, '')
    .trimEnd();
  if (html === undefined || html.trim() === '') return plainBody(plain);
  // Rendering is dear: a source that is not much longer cannot say much more.
  if (plain !== '' && html.length < plain.length * plainIsNote) return plainBody(plain);
  const bare = htmlPiece(html);
  if (plain !== '' && bare.text.length <= plain.length * plainIsNote) return plainBody(plain);
  if (pictures === undefined || pictures.keys.length === 0) return withRegions(bare);
  const keyOf = (element: Parameters<typeof addressOf>[0]): string | undefined =>
    pictures.keyOf(addressOf(element) ?? '');
  return withRegions(htmlPiece(html, (tree) => showPictureText(tree, pictures, keyOf)));
}

/** Plain text by its paragraphs, cut where a quotation or a signature begins and ends: those are boilerplate. */
function plainBody(text: string): TextPiece {
  const blocks: Block[] = [];
  const add = (start: number, end: number, kind: Block['kind']): void => {
    for (const block of paragraphBlocks(text.slice(start, end), kind))
      blocks.push({ ...block, start: block.start + start, end: block.end + start });
  };
  let at = 0;
  const armoured = armouredRegions(text);
  let next = 0;
  const regions = mailRegions(text).filter(({ start, end }) => {
    while ((armoured[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    return (armoured[next]?.start ?? Number.POSITIVE_INFINITY) >= end;
  });
  for (const region of [...regions, ...armoured].sort((a, b) => a.start - b.start)) {
    add(at, region.start, 'paragraph');
    add(region.start, region.end, 'boilerplate');
    at = region.end;
  }
  add(at, text.length, 'paragraph');
  return { text, headings: [], blocks };
}

/** HTML with its quotations and signatures told by its text. */
function withRegions(piece: TextPiece): TextPiece {
  const regions = mailRegions(piece.text);
  let next = 0;
  const blocks = piece.blocks.map((block): Block => {
    while (next < regions.length && (regions[next]?.end ?? 0) <= block.start) next++;
    const region = regions[next];
    if (region === undefined || region.start > block.start || region.end < block.end) return block;
    if (block.kind === 'table-row' || block.kind === 'code') return block;
    return { ...block, kind: 'boilerplate' };
  });
  return { ...piece, blocks };
}

/** A file that is one message. Throws `invalid-media` where it says nothing. */
export async function messageDocument(message: MailMessage, input: ParseInput, mime: string): Promise<ParsedDocument> {
  const pictures = await messagePictures(input, message);
  const joined = joinText();
  addMessage(joined, message, pictures);
  const document = joined.finish();
  requireText(document.text, input.name);
  return parsedDocument({
    ...document,
    mime,
    title: message.subject === undefined ? undefined : canonicalText(message.subject).trim(),
    publishedAt: message.sentAt,
    metadata: { ...messageFacts(message), ...pictures.metadata() },
    attachments: message.attachments,
    warnings: [
      ...messageWarnings(message),
      ...pictures.warnings(pictures.keys.filter((key) => !pictures.hasText(key)).length),
    ],
  });
}
