// Bytes of a text file to a canonical string: a byte order mark decides, then valid UTF-8, then what the file declares,
// then Shift-JIS where it reads as Japanese, then windows-1252. Binary content is refused, never shown as noise.
import { FootnoteError } from '../../core/errors.ts';
import { readableFormats } from '../media-types.ts';
import { canonicalText } from './canonical-text.ts';

export interface DecodedText {
  readonly text: string;
  /** WHATWG label of the encoding that was used. */
  readonly encoding: string;
  readonly warnings: readonly string[];
}

/** Bytes looked at when telling text from binary and one encoding from another. */
const sampleBytes = 65_536;

/** `declared` is an encoding named by the file itself (an HTML meta, an XML declaration); it is tried after UTF-8. */
export function decodeText(bytes: Uint8Array, name: string, declared?: string): DecodedText {
  const marked = byteOrderMark(bytes);
  if (marked !== undefined) return decodeAs(bytes, marked, []);
  if (looksBinary(bytes))
    throw new FootnoteError('unsupported-media', `${name} holds binary data, not text. ${readableFormats}`);
  if (isUtf8(bytes)) return decodeAs(bytes, 'utf-8', []);
  const label = declared === undefined ? undefined : knownLabel(declared);
  if (label !== undefined && label !== 'utf-8') return decodeAs(bytes, label, []);
  if (isMostlyUtf8(bytes))
    return decodeAs(bytes, 'utf-8', ['Some bytes are not valid UTF-8; they are shown as U+FFFD.']);
  if (isJapanese(bytes)) return decodeAs(bytes, 'shift_jis', ['Not UTF-8: read as Shift-JIS.']);
  return decodeAs(bytes, 'windows-1252', ['Not UTF-8: read as windows-1252.']);
}

/** True where the bytes cannot be text in an encoding we read: NUL bytes or many control characters. */
export function looksBinary(bytes: Uint8Array): boolean {
  if (byteOrderMark(bytes) !== undefined) return false;
  if (bytes.includes(0)) return true;
  const sample = bytes.subarray(0, sampleBytes);
  let controls = 0;
  for (const byte of sample) if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b) controls++;
  return controls > 8 && controls > sample.length / 50;
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

function decodeAs(bytes: Uint8Array, encoding: string, warnings: readonly string[]): DecodedText {
  return { text: canonicalText(new TextDecoder(encoding).decode(bytes)), encoding, warnings };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function knownLabel(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

/** A damaged UTF-8 file: its multi-byte sequences are far more often right than wrong. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, sampleBytes));
  let right = 0;
  let wrong = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0xfffd) wrong++;
    else if (code > 0x7f) right++;
  }
  return right > 4 * wrong;
}

/** Shift-JIS that decodes without error into text in which kana and kanji outweigh the half-width forms of noise. */
function isJapanese(bytes: Uint8Array): boolean {
  // An odd cut through a pair at the end of the sample must not make it fail.
  for (const cut of [0, 1]) {
    const length = Math.min(bytes.length, sampleBytes) - (bytes.length > sampleBytes ? cut : 0);
    try {
      const text = new TextDecoder('shift_jis', { fatal: true }).decode(bytes.subarray(0, length));
      const kana = (text.match(/[\u3041-\u30ff]/g) ?? []).length;
      const kanji = (text.match(/[\u4e00-\u9fff]/g) ?? []).length;
      const halfWidth = (text.match(/[\uff61-\uff9f]/g) ?? []).length;
      return kana + kanji >= 2 && kana + kanji > 2 * halfWidth;
    } catch {}
  }
  return false;
}
