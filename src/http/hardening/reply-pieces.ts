// Long replies leave in pieces, each when the client took the one before: one write of everything would hold the event loop while it
// becomes bytes, keep it twice, and hide whether the client takes anything (stalled-reader.ts).
import { Readable } from 'node:stream';

/** What the kernel takes at once. */
const pieceLength = 64 * 1024;
/** Shorter replies are one write. */
const longLength = 4 * pieceLength;

function* piecesOfText(text: string): Generator<Buffer> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + pieceLength);
    // Both halves of a surrogate pair become one character.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    yield Buffer.from(text.slice(at, end));
    at = end;
  }
}

function* piecesOfBytes(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The same reply in pieces, if it is long; undefined for any other. */
export function inReplyPieces(payload: unknown): Readable | undefined {
  const length = typeof payload === 'string' || payload instanceof Uint8Array ? payload.length : 0;
  if (length < longLength) return undefined;
  const pieces = typeof payload === 'string' ? piecesOfText(payload) : piecesOfBytes(payload as Uint8Array);
  return Readable.from(pieces, { objectMode: false, highWaterMark: pieceLength });
}
