// Mailboxes (mbox, RFC 4155): many messages in one document, each a place `message 3`. Attached files are named by the message they came with.
// A message that cannot be read costs only itself.

import { parsedDocument } from '../canonical/canonical-text.ts';
import { joinText } from '../canonical/joined-text.ts';
import type { AttachedFile } from '../document.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { readMessage } from './mail.ts';
import { addMessage } from './mail-message.ts';

const maxMessages = 50_000;
const lineFeed = 0x0a;

export const mailBox: Parser = {
  name: 'mail-box',
  mimes: ['application/mbox'],
  // oxlint-disable-next-line complexity -- Each form that the format knows is a case.
  parse: async (input: ParseInput) => {
    const joined = joinText();
    const attachments: AttachedFile[] = [];
    const warnings: string[] = [];
    let messages = 0;
    let damaged = 0;
    let encrypted = 0;
    let deleted = 0;
    let firstSent: string | undefined;
    let lastSent: string | undefined;
    for (const bytes of messagesOf(input.bytes)) {
      if (bytes.length === 0) continue;
      messages++;
      if (messages > maxMessages) {
        warnings.push(`Only the first ${maxMessages} messages are read. Split the mailbox.`);
        break;
      }
      const place = `message ${messages}`;
      if (isDeleted(bytes)) {
        deleted++;
        continue;
      }
      try {
        const message = await readMessage(bytes, `${input.name}, ${place}`);
        if (message.protection?.encrypted !== undefined) encrypted++;
        joined.at(place);
        addMessage(joined, message);
        // Pictures of so many messages are documents of their own.
        const pictures = (message.shown ?? []).map(({ file }) => file);
        for (const file of [...message.attachments, ...pictures])
          attachments.push({ ...file, name: `${place}/${file.name}` });
        if (message.sentAt !== undefined) {
          if (firstSent === undefined || message.sentAt < firstSent) firstSent = message.sentAt;
          if (lastSent === undefined || message.sentAt > lastSent) lastSent = message.sentAt;
        }
      } catch (error) {
        if (!(error instanceof ReadError)) throw error;
        damaged++;
        if (warnings.length < 20) warnings.push(error.message);
      }
    }
    if (deleted > 0)
      warnings.push(
        `${deleted} ${deleted === 1 ? 'message that was deleted still lies in the file and is' : 'messages that were deleted still lie in the file and are'} not read. Compact the folder in your mail program to be rid of them.`,
      );
    if (encrypted > 0)
      warnings.push(
        `${encrypted} ${encrypted === 1 ? 'message is' : 'messages are'} encrypted: only the head is read. Save them without encryption.`,
      );
    const document = joined.finish();
    if (document.text.trim() === '')
      throw new ReadError(
        'invalid-media',
        `${input.name} holds no message that can be read${deleted === 0 ? '' : `, only ${deleted} that ${deleted === 1 ? 'was' : 'were'} deleted`}. Export the mailbox again.`,
      );
    return parsedDocument({
      ...document,
      mime: 'application/mbox',
      metadata: {
        messages: messages - damaged - deleted,
        ...(firstSent === undefined ? {} : { firstSent }),
        ...(lastSent === undefined ? {} : { lastSent }),
      },
      publishedAt: lastSent,
      attachments,
      warnings,
    });
  },
};

/** The messages between lines that begin with "From " after a blank line; the mark that quotes such lines in a body is undone. */
function* messagesOf(bytes: Uint8Array): Generator<Uint8Array> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = -1;
  for (let line = 0, wasBlank = true; line < source.length; ) {
    const newline = source.indexOf(lineFeed, line);
    const next = newline < 0 ? source.length : newline + 1;
    if (wasBlank && isSeparator(source, line, next)) {
      if (start >= 0) yield unquoted(source.subarray(start, line));
      start = next;
    }
    wasBlank = next - line <= 2 && source.toString('latin1', line, next).trim() === '';
    line = next;
  }
  if (start >= 0 && start < source.length) yield unquoted(source.subarray(start));
  if (start < 0) yield source.subarray(beginOfMessage(source));
}

/** Mozilla's programs mark a message as deleted (bit 3 of its status) until the folder is compacted. */
function isDeleted(message: Uint8Array): boolean {
  const head =
    Buffer.from(message.subarray(0, 4096))
      .toString('latin1')
      .split(/\r?\n\r?\n/u, 1)[0] ?? '';
  const status = /^X-Mozilla-Status:[ \t]*([\dA-F]{4})\s*$/imu.exec(head)?.[1];
  return status !== undefined && (Number.parseInt(status, 16) & 8) !== 0;
}

/** A single message may be kept as a mailbox without the line that begins one, or with one that says no date. */
function beginOfMessage(source: Buffer): number {
  const head = source.toString('latin1', 0, 8192);
  const line = /^From [^\n]*\n/u.exec(head)?.[0].length ?? 0;
  const isMessage = /^(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*?(?:From|Date|Subject|Received):/iu.test(
    head.slice(line),
  );
  return isMessage ? line : source.length;
}

function isSeparator(source: Buffer, start: number, end: number): boolean {
  if (source[start] !== 0x46 || end - start > 400) return false;
  return /^From \S.*\d{4}\s*(?:[+-]\d{4}\s*)?$/u.test(source.toString('latin1', start, end).trimEnd());
}

function unquoted(message: Buffer): Buffer {
  if (!message.includes('\n>From ')) return message;
  return Buffer.from(message.toString('latin1').replace(/^>(>*From )/gmu, '$1'), 'latin1');
}
