// A range of a document's canonical text, as the facade and the thread of long documents give it.
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
