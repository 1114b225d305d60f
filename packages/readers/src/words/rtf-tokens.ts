// Splits RTF (specification 1.9.1) into groups, control words, escaped bytes and text bytes. Nothing is copied or allocated by a length that
// the file states, and binary data is handed on as it stands.

export type RtfToken =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'control'; readonly word: string; readonly value: number | undefined }
  /** `count` characters as far as skipping after `\u` goes: one for `\'hh`, else the number of bytes. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly count: number }
  /** What follows `\bin`: no text. */
  | { readonly kind: 'binary'; readonly bytes: Uint8Array };

const isLetter = (byte: number): boolean => (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;

const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
/** No control word of the specification is longer than 32 letters. */
const maxWordLength = 64;

// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte === openBrace || byte === closeBrace) {
      at++;
      yield byte === openBrace ? { kind: 'open' } : { kind: 'close' };
    } else if (byte === 13 || byte === 10) {
      at++;
    } else if (byte !== backslash) {
      const start = at;
      while (at < bytes.length && !isSpecial(bytes[at] as number)) at++;
      yield { kind: 'bytes', bytes: bytes.subarray(start, at), count: at - start };
    } else {
      at++;
      const next = bytes[at];
      if (next === undefined) return;
      if (next === 39) {
        const digits = String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0);
        at += 3;
        if (/^[\da-f]{2}$/iu.test(digits))
          yield { kind: 'bytes', bytes: Uint8Array.of(Number.parseInt(digits, 16)), count: 1 };
      } else if (!isLetter(next)) {
        at++;
        yield { kind: 'control', word: String.fromCharCode(next), value: undefined };
      } else {
        const start = at;
        while (at < bytes.length && at - start < maxWordLength && isLetter(bytes[at] as number)) at++;
        const word = String.fromCharCode(...bytes.subarray(start, at));
        const from = at;
        if (bytes[at] === 45) at++;
        while (at < bytes.length && at - from < 11 && isDigit(bytes[at] as number)) at++;
        const value = Number.parseInt(String.fromCharCode(...bytes.subarray(from, at)), 10);
        if (bytes[at] === 32) at++;
        if (word === 'bin') {
          const start = at;
          at += Math.max(0, value || 0);
          yield { kind: 'binary', bytes: bytes.subarray(start, at) };
        } else yield { kind: 'control', word, value: Number.isNaN(value) ? undefined : value };
      }
    }
  }
}

const isSpecial = (byte: number): boolean =>
  byte === openBrace || byte === closeBrace || byte === backslash || byte === 13 || byte === 10;
