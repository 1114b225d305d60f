// Compressed RTF, as Outlook keeps the body of a message ([MS-OXRTFCP]): LZ77 over a ring of 4,096 bytes that starts with common RTF words.
// Invariant: never more bytes come out than the header says, and that no more than 64 MiB.
import { ReadError } from '../read-error.ts';

const packedMark = 0x75465a4c; // "LZFu"
const plainMark = 0x414c454d; // "MELA"
const headerBytes = 16;
const ringBytes = 4096;
const maxBytes = 64 * 1024 * 1024;
const opening =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';

/** Throws `invalid-media` for what is not compressed RTF, `too-large` for what would grow beyond the limit. */
export function unpackRtf(bytes: Uint8Array, name: string): Uint8Array {
  const damaged = (): ReadError =>
    new ReadError('invalid-media', `${name} is damaged: its formatted text cannot be unpacked. Save it again.`);
  if (bytes.length < headerBytes) throw damaged();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getUint32(4, true);
  const mark = view.getUint32(8, true);
  if (mark === plainMark) return bytes.subarray(headerBytes, headerBytes + size);
  if (mark !== packedMark) throw damaged();
  if (size > maxBytes) throw new ReadError('too-large', `${name} holds more than ${maxBytes} bytes of formatted text.`);
  const ring = new Uint8Array(ringBytes);
  for (let index = 0; index < opening.length; index++) ring[index] = opening.charCodeAt(index);
  let write = opening.length;
  const out = new Uint8Array(size);
  let length = 0;
  const put = (byte: number): void => {
    if (length < size) out[length++] = byte;
    ring[write] = byte;
    write = (write + 1) % ringBytes;
  };
  let at = headerBytes;
  while (at < bytes.length && length < size) {
    let control = bytes[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < bytes.length; bit++, control >>= 1) {
      if ((control & 1) === 0) {
        put(bytes[at++] ?? 0);
        continue;
      }
      const token = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
      at += 2;
      const offset = token >> 4;
      if (offset === write) return out.subarray(0, length);
      for (let left = (token & 0xf) + 2, from = offset; left > 0; left--, from = (from + 1) % ringBytes)
        put(ring[from] ?? 0);
    }
  }
  return out.subarray(0, length);
}
