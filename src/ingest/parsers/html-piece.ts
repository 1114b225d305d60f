// HTML inside another format (the body of a mail, an item of a feed, an output of a notebook) as a piece of canonical text. Nothing is executed
// and nothing is fetched.
import { parse } from 'parse5';
import { renderHtml } from './html-text.ts';
import type { TextPiece } from './joined-text.ts';

export function htmlPiece(source: string): TextPiece {
  return renderHtml(parse(source, { scriptingEnabled: false }));
}

/** Whether a text is written as HTML rather than as plain text: it has a tag or an entity. */
export const looksLikeHtml = (text: string): boolean =>
  /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>|&(?:#\d+|#x[\da-f]+|[a-z]+);/iu.test(text);
