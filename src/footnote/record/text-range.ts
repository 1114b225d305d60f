// A range of a document's canonical text, or of the bytes of its file, as the facade and the thread of long documents give it.
import { FootnoteError } from '../../core/errors.ts';

export interface TextRange {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The whole by default. Throws `invalid-request` for a range that is not within the text. */
export function textRange(text: string, range: { readonly start?: number; readonly end?: number }): TextRange {
  const start = range.start ?? 0;
  const end = range.end ?? text.length;
  if (!(start >= 0 && start <= end && end <= text.length))
    throw new FootnoteError(
      'invalid-request',
      `The range ${start}..${end} is not within the text, which has ${text.length} code units.`,
    );
  return { text: text.slice(start, end), start, end };
}

/** Of a file, as `slice` takes it: a negative start counts from the end. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

export interface FileSlice {
  readonly bytes: Uint8Array;
  /** Of the whole file. */
  readonly size: number;
}

export const bytesIn = (bytes: Uint8Array, range: ByteRange | undefined): FileSlice => ({
  bytes: range ? bytes.subarray(range.start, range.end) : bytes,
  size: bytes.byteLength,
});
