// A span of a text as it is quoted and as it is read: nothing is claimed from what is struck out in it (text/struck-text.ts).
import { standingText } from '../../text/struck-text.ts';
import type { VerifiedSpan } from './draft.ts';

/** `standing`: the text with blanks for what is struck out, where it is known. */
export function quotedAt(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  standing = standingText(text),
): Pick<VerifiedSpan, 'quote' | 'written'> {
  const [quote, written] = [standing.slice(start, end), text.slice(start, end)];
  return quote === written ? { quote } : { quote, written };
}
