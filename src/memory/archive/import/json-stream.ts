// The members of a large JSON array, one at a time, and lines of a large file: what is held is one of them. A member that is no JSON is told
// of and left out.
import { FootnoteError } from '../../../core/errors.ts';
import type { ImportNotes } from './incoming.ts';

/** No conversation and no line is longer. */
const mostBytes = 256 * 1024 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const opens = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const closes = (byte: number): boolean => byte === 0x7d || byte === 0x5d;
const isBlank = (byte: number): boolean => byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf;

/**
 * Values at the depth of an array's members; of an object at the top the whole of it. Lines that are values of their own each come as one.
 */
export async function* jsonMembers(bytes: AsyncIterable<Uint8Array>, notes: ImportNotes): AsyncGenerator<unknown> {
  const pieces: Uint8Array[] = [];
  let held = 0;
  let depth = 0;
  /** Depth at which members stand: 1 within an array, 0 where objects follow one another. */
  let memberDepth: number | undefined;
  let inString = false;
  let escaped = false;
  let count = 0;
  for await (const chunk of bytes) {
    notes.signal?.throwIfAborted();
    let from = depth > (memberDepth ?? 0) ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inString = false;
        continue;
      }
      if (byte === quote) inString = true;
      else if (opens(byte)) {
        if (memberDepth === undefined) memberDepth = byte === 0x5b ? 1 : 0;
        if (depth === memberDepth) from = at;
        depth += 1;
      } else if (closes(byte)) {
        depth -= 1;
        if (depth === memberDepth && from !== -1) {
          pieces.push(chunk.subarray(from, at + 1));
          count += 1;
          const value = parse(pieces, count, notes);
          pieces.length = 0;
          held = 0;
          from = -1;
          if (value !== undefined) yield value;
        }
      } else if (memberDepth === undefined && !isBlank(byte))
        throw new FootnoteError(
          'invalid-media',
          'The file is no JSON with conversations in it. Name the file that was downloaded, and its format.',
        );
    }
    if (from === -1) continue;
    // The chunk is the reader's: what is kept of it is copied.
    pieces.push(Uint8Array.from(chunk.subarray(from)));
    held += chunk.length - from;
    if (held > mostBytes)
      throw new FootnoteError('too-large', `Conversation ${count + 1} of the file is larger than ${mostBytes} bytes.`);
  }
  tellEnd({ depth, inString, count }, notes);
}

function tellEnd(
  { depth, inString, count }: { readonly depth: number; readonly inString: boolean; readonly count: number },
  notes: ImportNotes,
): void {
  if (depth > 0) notes.warn(`The file ends within conversation ${count + 1}, which is left out: it was cut off.`);
  else if (inString || depth < 0)
    notes.warn(`Behind conversation ${count} the file is no JSON: what follows there is left out.`);
}

function parse(pieces: readonly Uint8Array[], count: number, notes: ImportNotes): unknown {
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown;
  } catch (error) {
    notes.warn(`Conversation ${count} is no JSON and is left out: ${(error as Error).message}`);
    return undefined;
  }
}

/** Lines without their ends, from 1. */
export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string = 'utf-8',
): AsyncGenerator<{ readonly line: string; readonly number: number }> {
  const decoder = new TextDecoder(encoding);
  let rest = '';
  let number = 0;
  for await (const chunk of bytes) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > mostBytes)
      throw new FootnoteError('too-large', `Line ${number + 1} is larger than ${mostBytes}.`);
    for (const line of lines) {
      number += 1;
      yield { line: line.endsWith('\r') ? line.slice(0, -1) : line, number };
    }
  }
  rest += decoder.decode();
  if (rest !== '') yield { line: rest, number: number + 1 };
}
