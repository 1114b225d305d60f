// Mailboxes (mbox, RFC 4155) and single messages: a thread is a conversation, each message a turn, known by its Message-ID. The thread is
// named by the first message that it refers to, so that a message finds its thread whatever else was brought in. Messages are read by the
// program's own reader, in its box; here they are only told apart.

import { isFootnoteError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/ids.ts';
import { type ImportNotes, type IncomingMail, type IncomingPiece, toTimestamp } from './incoming.ts';

export interface ReadMailMessage {
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  readonly sentAt?: string | undefined;
  readonly text: string;
}

export type ReadMail = (bytes: Uint8Array, name: string, signal?: AbortSignal) => Promise<ReadMailMessage>;

const separator = /^From \S.*\d{4}\s*(?:[+-]\d{4}\s*)?$/u;

export const isMail = (head: string): boolean => {
  const lines = head.split(/\r?\n/u);
  if (separator.test(lines[0] ?? '')) return true;
  const fields = /^(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+/u.exec(head.replace(/\r\n/gu, '\n'))?.[0] ?? '';
  return /^From:/imu.test(fields) && /^(?:Date|Message-ID|Received):/imu.test(fields);
};

/** No message is larger. */
const mostBytes = 64 * 1024 * 1024;
const lineFeed = 0x0a;

async function* messagesOf(bytes: AsyncIterable<Uint8Array>, notes: ImportNotes): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  let lines: Buffer[] = [];
  let held = 0;
  let wasBlank = true;
  const close = (): Buffer | undefined => {
    const message = Buffer.concat(lines);
    lines = [];
    held = 0;
    return message.length === 0 ? undefined : message;
  };
  async function* take(line: Buffer): AsyncGenerator<Buffer> {
    if (wasBlank && line[0] === 0x46 && separator.test(line.toString('latin1').trimEnd())) {
      const message = close();
      if (message) yield message;
    } else if (held <= mostBytes) {
      // `>From` within a body was `From` once.
      const plain = /^>+From /u.test(line.toString('latin1', 0, 20)) ? line.subarray(1) : line;
      lines.push(Buffer.from(plain));
      held += plain.length;
      if (held > mostBytes) notes.warn(`A message is larger than ${mostBytes} bytes: its end is left out.`);
    }
    wasBlank = line.length <= 2 && line.toString('latin1').trim() === '';
  }
  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = rest.indexOf(lineFeed); end !== -1; end = rest.indexOf(lineFeed, start)) {
      yield* take(rest.subarray(start, end + 1));
      start = end + 1;
    }
    rest = Buffer.from(rest.subarray(start));
  }
  if (rest.length > 0) yield* take(rest);
  const message = close();
  if (message) yield message;
}

/** Fields of a message's head, unfolded, by their names in small letters. */
function headOf(message: Buffer): ReadonlyMap<string, string> {
  const head = message.toString('latin1', 0, 256 * 1024).split(/\r?\n\r?\n/u, 1)[0] ?? '';
  const fields = new Map<string, string>();
  for (const [, name = '', value = ''] of head.replace(/\r?\n[ \t]+/gu, ' ').matchAll(/^([!-9;-~]+):[ \t]*(.*)$/gmu))
    if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
  return fields;
}

const idsIn = (text: string | undefined): readonly string[] =>
  [...(text ?? '').matchAll(/<([^<>\s]+)>/gu)].map(([, id]) => id as string);

/** The name of a sender; the address where they gave none. */
function nameOf(from: string): string {
  const at = from.lastIndexOf('<');
  const name = from.slice(0, Math.max(0, at)).replaceAll('"', '').trim();
  return (name === '' ? from : name).slice(0, 200);
}

/** Messages one by one, as they are: nothing of them is read but what tells their threads. */
export async function* splitMails(bytes: AsyncIterable<Uint8Array>, notes: ImportNotes): AsyncGenerator<IncomingMail> {
  let count = 0;
  for await (const message of messagesOf(bytes, notes)) {
    count += 1;
    const head = headOf(message);
    const id = idsIn(head.get('message-id'))[0] ?? sha256(message).slice(0, 32);
    const root = idsIn(head.get('references'))[0] ?? idsIn(head.get('in-reply-to'))[0] ?? id;
    yield { mail: message, count, id, root };
  }
}

/** The turn that a message is; undefined where it cannot be read, which is told. */
export async function readIncomingMail(
  { mail, count, id, root }: IncomingMail,
  notes: ImportNotes,
  readMail: ReadMail,
): Promise<IncomingPiece | undefined> {
  const leaveOut = (why: string): undefined => void notes.warn(`Message ${count} is left out: ${why}`);
  try {
    const read = await readMail(mail, `message ${count}.eml`, notes.signal);
    if (read.text.trim() === '') return leaveOut('it has no text.');
    const subject = (read.subject ?? '').replace(/^(?:(?:re|aw|fwd?|wg|sv|antw)\s*:\s*)+/iu, '').trim();
    const atMs = read.sentAt === undefined ? undefined : Date.parse(read.sentAt);
    const known = atMs !== undefined && Number.isFinite(atMs) ? atMs : undefined;
    const timestamp = toTimestamp(known);
    const message = {
      role: 'user' as const,
      ...(read.from !== undefined && { author: nameOf(read.from) }),
      text: read.text,
      ...(timestamp !== undefined && { timestamp }),
    };
    return {
      conversation: { id: `mail:${root}`, ...(subject !== '' && { title: subject }) },
      turns: [{ key: id, id: `mail:${id}`, ...(known !== undefined && { atMs: known }), messages: [message] }],
    };
  } catch (error) {
    if (!isFootnoteError(error) || error.code === 'cancelled' || notes.signal?.aborted) throw error;
    return leaveOut(error.message);
  }
}
