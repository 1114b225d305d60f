// A WhatsApp chat as text: `[03.04.24, 18:05:12] Anna: …` or `4/3/24, 6:05 PM - Anna: …`, and lines that go on from it. Times are local, so
// the zone of the phone has to be named. Which of two numbers is the day is told from the whole file.

import { sha256 } from '../../../core/ids.ts';
import { defined } from '../../../core/values/defined.ts';
import type { ImportNotes, IncomingPiece } from './incoming.ts';
import { toTimestamp } from './incoming.ts';
import { linesOf } from './json-stream.ts';
import { instantOf } from './times.ts';
import { withoutMedia } from './whatsapp-media.ts';

const linePattern =
  /^[\u200e\u200f\ufeff]*\[?(\d{1,4})[./-](\d{1,2})[./-](\d{2,4}),?\s{1,3}(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?[\s\u202f]{0,2}([AaPp]\.?\s?[Mm]\.?)?\]?\s{0,2}(?:[-–]\s{0,2})?(.*)$/u;

interface Stamp {
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly hour: number;
  readonly minute: number;
  readonly seconds: number | undefined;
  readonly rest: string;
}

function readStamp(line: string): Stamp | undefined {
  const found = linePattern.exec(line);
  if (!found) return undefined;
  const [, first, second, third, hour, minute, seconds, half, rest = ''] = found;
  const isAfternoon = half?.toLowerCase().startsWith('p');
  const hours = Number(hour);
  return {
    first: Number(first),
    second: Number(second),
    third: Number(third),
    hour: half === undefined ? hours : (hours % 12) + (isAfternoon ? 12 : 0),
    minute: Number(minute),
    seconds: seconds === undefined ? undefined : Number(seconds),
    rest,
  };
}

export const looksLikeWhatsApp = (text: string): boolean =>
  text.split(/\r?\n/u, 40).filter((line) => /: /u.test(readStamp(line)?.rest ?? '')).length >= 2;

export type DayOrder = 'day-month' | 'month-day' | 'year-month';

/** Which order the dates of a file have: told by a number above 12; day before month where nothing tells. */
export async function tellDayOrder(bytes: AsyncIterable<Uint8Array>): Promise<DayOrder> {
  let previous: readonly [number, number] | undefined;
  let [dayFirst, monthFirst] = [0, 0];
  for await (const { line } of linesOf(bytes)) {
    const stamp = readStamp(line);
    if (!stamp) continue;
    const { first, second } = stamp;
    if (first > 31) return 'year-month';
    if (first > 12) return 'day-month';
    if (second > 12) return 'month-day';
    // Chats go forward: the number that goes up from day to day, while the other stays, is the day.
    if (previous && (previous[0] !== first || previous[1] !== second)) {
      if (previous[1] === second) dayFirst += 1;
      else if (previous[0] === first) monthFirst += 1;
    }
    previous = [first, second];
  }
  return monthFirst > dayFirst ? 'month-day' : 'day-month';
}

interface Open {
  readonly atMs: number | undefined;
  readonly author: string;
  text: string;
}

/** No message goes on for longer. */
const mostCharacters = 1_000_000;

export async function* readWhatsApp(
  bytes: AsyncIterable<Uint8Array>,
  notes: ImportNotes,
  order: DayOrder,
): AsyncGenerator<IncomingPiece> {
  const title = notes.name.replace(/^(?:WhatsApp Chat with|WhatsApp-Chat mit|_chat)\s*/iu, '').trim() || notes.name;
  const conversation = { id: `whatsapp:${title}`, title };
  const seen = new Map<string, number>();
  let open: Open | undefined;
  const close = (): IncomingPiece | undefined => {
    const message = open;
    open = undefined;
    if (!message || message.text.trim() === '') return undefined;
    const { atMs, author } = message;
    const text = message.text.replace(/^\u200e/u, '').trimEnd();
    const name = sha256(JSON.stringify([atMs ?? null, author, text])).slice(0, 24);
    const copy = (seen.get(name) ?? 0) + 1;
    seen.set(name, copy);
    const key = copy === 1 ? name : `${name}-${copy}`;
    const timestamp = toTimestamp(atMs);
    // Its key is of what stands in the file, so that it stays the same turn.
    const said = withoutMedia(message.text.trimEnd());
    const { attachments } = said;
    const words = attachments.length > 0 ? said.text : text;
    return {
      conversation,
      turns: [
        {
          key,
          id: `turn_${sha256(`${conversation.id}\n${key}`).slice(0, 24)}`,
          ...(atMs !== undefined && { atMs }),
          messages: [
            defined({ role: 'user', author, text: words, timestamp, ...(attachments.length > 0 && { attachments }) }),
          ],
        },
      ],
    };
  };
  for await (const { line, number } of linesOf(bytes)) {
    notes.signal?.throwIfAborted();
    const stamp = readStamp(line);
    const said = stamp && /^([^:]{1,100}?): ?([\s\S]*)$/u.exec(stamp.rest);
    if (stamp && said) {
      const piece = close();
      if (piece) yield piece;
      const atMs = timeOf(stamp, order, notes.timeZone);
      if (atMs === undefined) notes.warn(`Line ${number} has a date that is none: its message has no time.`);
      open = {
        atMs,
        author: (said[1] as string).replace(/[\u200e\u200f\u202a-\u202e~]/gu, '').trim(),
        text: said[2] as string,
      };
    } else if (stamp) {
      // A notice of WhatsApp's own: nobody said it.
      const piece = close();
      if (piece) yield piece;
    } else if (open && open.text.length < mostCharacters) open.text += `\n${line}`;
    else if (line.trim() !== '')
      notes.warn(
        open
          ? `Line ${number} is left out: its message is longer than ${mostCharacters} characters.`
          : `Line ${number} belongs to no message and is left out.`,
      );
  }
  const piece = close();
  if (piece) yield piece;
}

function timeOf(stamp: Stamp, order: DayOrder, timeZone: string): number | undefined {
  const { first, second, third, hour, minute, seconds } = stamp;
  const [year, month, day] =
    order === 'year-month'
      ? [first, second, third]
      : order === 'month-day'
        ? [third, first, second]
        : [third, second, first];
  const full = year < 100 ? 2000 + year : year;
  return instantOf({ year: full, month, day, hour, minute, second: seconds ?? 0 }, timeZone);
}
