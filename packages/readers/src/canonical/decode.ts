// Bytes of a text file to a canonical string: a byte order mark decides, then valid UTF-8, then what the file declares, then what its bytes look
// like (decode-guess). Binary content is refused, never shown as noise; what was guessed is said.

import { readableFormats } from '../media-types.ts';
import { ReadError } from '../read-error.ts';
import { canonicalText } from './canonical-text.ts';
import { guessEncoding } from './decode-guess.ts';
import { decodeSingle, nameOfEncoding } from './decode-letters.ts';
import { isStepBack, terminalText } from './terminal-text.ts';

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
  const wide = wideWithoutMark(bytes);
  if (wide !== undefined) return decodeAs(bytes, wide, [`No byte order mark: read as ${wide.toUpperCase()}.`]);
  if (looksBinary(bytes))
    throw new ReadError('unsupported-media', `${name} holds binary data, not text. ${readableFormats}`);
  // All of its bytes are ASCII, and so would be valid UTF-8.
  if (hasJapaneseEscapes(bytes)) return decodeAs(bytes, 'iso-2022-jp', []);
  if (isUtf8(bytes)) return decodeAs(bytes, 'utf-8', []);
  const label = declared === undefined ? undefined : knownLabel(declared);
  if (label !== undefined && label !== 'utf-8') return decodeAs(bytes, label, []);
  const sample = sampleOf(bytes);
  if (isMostlyUtf8(sample))
    return decodeAs(bytes, 'utf-8', ['Some bytes are not valid UTF-8; they are shown as U+FFFD.']);
  const guessed = guessEncoding(sample);
  return decodeAs(bytes, guessed, [`Not UTF-8: read as ${encodingNames[guessed] ?? nameOfEncoding(guessed)}.`]);
}

const encodingNames: Readonly<Record<string, string>> = {
  shift_jis: 'Shift-JIS',
  'euc-jp': 'EUC-JP',
  'euc-kr': 'EUC-KR',
  gb18030: 'GB 18030',
  big5: 'Big5',
};

/** True where the bytes cannot be text in an encoding we read: NUL bytes or many control characters. */
export function looksBinary(bytes: Uint8Array): boolean {
  if (byteOrderMark(bytes) !== undefined || wideWithoutMark(bytes) !== undefined) return false;
  if (bytes.includes(0)) return true;
  const sample = bytes.subarray(0, sampleBytes);
  let controls = 0;
  for (const [at, byte] of sample.entries())
    if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b && !isStepBack(sample, at)) controls++;
  return controls > 8 && controls > sample.length / 50;
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/**
 * UTF-16 without a mark: every other byte is NUL for most characters of Latin script, and line ends and spaces in any. It must decode to printable
 * characters, or raw samples of sound would pass.
 */
function wideWithoutMark(bytes: Uint8Array): string | undefined {
  if (bytes.length < 4 || bytes.length % 2 === 1) return undefined;
  const sample = bytes.subarray(0, Math.min(bytes.length, 4096));
  let even = 0;
  let odd = 0;
  for (let index = 0; index + 1 < sample.length; index += 2) {
    if (sample[index] === 0) even++;
    if (sample[index + 1] === 0) odd++;
  }
  const characters = sample.length / 2;
  const encoding =
    odd > characters / 2 && even === 0 ? 'utf-16le' : even > characters / 2 && odd === 0 ? 'utf-16be' : '';
  if (encoding === '') return undefined;
  const text = new TextDecoder(encoding).decode(sample, { stream: true });
  const printable = text.match(/[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\t\r\n]/gu)?.length ?? 0;
  return printable >= text.length * 0.98 ? encoding : undefined;
}

/** ISO-2022-JP switches to Japanese and back by escape sequences (RFC 1468). */
function hasJapaneseEscapes(bytes: Uint8Array): boolean {
  if (!bytes.includes(0x1b)) return false;
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 4 * sampleBytes));
  return /\u001b\$[@B][!-~]{2}/u.test(text) && /\u001b\([BJ]/u.test(text);
}

/** From the line of the first byte beyond ASCII on: a long head of ASCII says nothing of the encoding. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const line = bytes.lastIndexOf(0x0a, first) + 1;
  const start = first - line > 1000 ? first : line;
  return bytes.subarray(start, start + sampleBytes);
}

function decodeAs(bytes: Uint8Array, encoding: string, warnings: readonly string[]): DecodedText {
  return { text: terminalText(canonicalText(decodeSingle(bytes, encoding))), encoding, warnings };
}

/** Whether the bytes as a whole are valid UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
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
function isMostlyUtf8(sample: Uint8Array): boolean {
  let right = 0;
  let wrong = 0;
  for (const character of new TextDecoder('utf-8').decode(sample)) {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0xfffd) wrong++;
    else if (code > 0x7f) right++;
  }
  return right > 4 * wrong;
}
