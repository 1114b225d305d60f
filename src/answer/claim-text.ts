// Writes a piece of a document as a sentence for people: on one line, without the marks of Markdown, with words that the end
// of a line cut in two made whole. Whatever the verifier would not accept against the exact text is left as it stands; the
// quote of the citation is never touched.

import { toInert } from '../core/answers/inert-text.ts';
import { withoutAnchors } from '../text/anchors.ts';
import { joinLineEndHyphens } from '../text/line-end-hyphens.ts';
import { standingText } from '../text/struck-text.ts';
import { supportOf } from './support.ts';

/** Marks that Markdown repeats on each line of a quotation are layout, like the line breaks. */
const quotationMark = /(^|\n)[ \t]*(?:>[ \t]?)+/g;

/** The piece as a claim; `reference` is the text around it, which shows how hyphenated words are written. Pure. */
export function claimTextOf(quoted: string, reference: string = quoted): string {
  const piece = standingText(quoted);
  const exact = onOneLine(piece.replace(quotationMark, (mark, line: string) => (line === '' ? mark : ' ')));
  const joined = joinLineEndHyphens(piece.replace(quotationMark, '$1'), reference);
  for (const written of [onOneLine(withoutMarkdown(joined)), onOneLine(withoutMarkdown(exact)), onOneLine(joined)])
    if (written !== '' && (written === exact || supportOf(written, piece).verdict === 'supported'))
      return toInert(written);
  return toInert(exact);
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A stretch of code, or else a link or image; a link's text may hold code. */
const codeOrLink =
  /(?<!`)(`+)(?!`)[^`\n]+\1|!?\[((?:`[^`\n]+`|[^[\]`\n])+)\](?:\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)|\[[^\]\n]*\])/g;

/** Links and images become their text, emphasis goes; code between backticks stays as it is. */
function withoutMarkdown(text: string): string {
  const once = (written: string): string =>
    written.replace(codeOrLink, (whole, _ticks, label: string | undefined) => label ?? whole);
  // An image in a link, as badges are, leaves an image of the link's address behind.
  return once(once(withoutAnchors(text)))
    .split(/((?<!`)`+[^`\n]+`+)/)
    .map((part, index) => (index % 2 === 1 ? part : withoutEmphasis(part)))
    .join('')
    .replace(/^\s*(?:#{1,6}|[-*+])\s+/, '');
}

function withoutEmphasis(text: string): string {
  return text
    .replace(/<(https?:\/\/[^\s<>]+)>/g, '$1')
    .replace(/(?<![\p{L}\p{N}*\\])(\*{1,3})(?=[^\s*])([^*\n]*[^\s*\\])\1(?![\p{L}\p{N}*])/gu, '$2')
    .replace(/(?<![\p{L}\p{N}_\\])(_{1,3})(?=[^\s_])([^_\n]*[^\s_\\])\1(?![\p{L}\p{N}_])/gu, '$2');
}
