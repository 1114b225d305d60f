// HTML inside another format (the body of a mail, an item of a feed, an output of a notebook) as a piece of canonical text. Nothing is executed
// and nothing is fetched.
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { TextPiece } from '../canonical/joined-text.ts';
import { renderHtml } from './html-text.ts';

/** `prepare` may change the page before it becomes text. */
export function htmlPiece(
  source: string,
  prepare: (tree: DefaultTreeAdapterTypes.Document) => void = () => undefined,
): TextPiece {
  const tree = parse(source, { scriptingEnabled: false });
  prepare(tree);
  return renderHtml(tree);
}

/** Whether a text is written as HTML rather than as plain text: it has a tag or an entity. */
export const looksLikeHtml = (text: string): boolean =>
  /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>|&(?:#\d+|#x[\da-f]+|[a-z]+);/iu.test(text);
