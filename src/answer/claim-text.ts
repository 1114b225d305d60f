// Writes a piece of a document as a sentence for people: on one line, without the marks of Markdown, with words that the end
// of a line cut in two made whole. Whatever the verifier would not accept against the exact text is left as it stands; the
// quote of the citation is never touched.
import { joinLineEndHyphens } from '../text/line-end-hyphens.ts';
import { supportOf } from './support.ts';

/** Marks that Markdown repeats on each line of a quotation are layout, like the line breaks. */
const quotationMark = /(^|\n)[ \t]*(?:>[ \t]?)+/g;

/** The piece as a claim; `reference` is the text around it, which shows how hyphenated words are written. Pure. */
export function claimTextOf(piece: string, reference: string = piece): string {
  const exact = onOneLine(piece.replace(quotationMark, (mark, line: string) => (line === '' ? mark : ' ')));
  const joined = joinLineEndHyphens(piece.replace(quotationMark, '$1'), reference);
  for (const written of [onOneLine(withoutMarkdown(joined)), onOneLine(joined)])
    if (written !== '' && (written === exact || supportOf(written, piece).verdict === 'supported')) return written;
  return exact;
}

/** Is the piece only the name of something (a link, an address, an image) that says nothing by itself? */
export function isBareLink(piece: string): boolean {
  const rest = piece
    .replace(/!?\[[^\]\n]*\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)/g, '')
    .replace(/<?\bhttps?:\/\/[^\s>]+>?/g, '');
  return rest !== piece && !/[\p{L}\p{N}]/u.test(rest);
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Links and images become their text, emphasis goes; code between backticks stays as it is. */
function withoutMarkdown(text: string): string {
  return text
    .split(/(`+[^`\n]+`+)/)
    .map((part, index) => (index % 2 === 1 ? part : proseWithoutMarkdown(part)))
    .join('');
}

function proseWithoutMarkdown(text: string): string {
  return text
    .replace(/!?\[([^\]\n]+)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/\[([^\]\n]+)\]\[[^\]\n]*\]/g, '$1')
    .replace(/<(https?:\/\/[^\s>]+)>/g, '$1')
    .replace(/(?<![\p{L}\p{N}*\\])(\*{1,3})(?=[^\s*])([^*\n]*[^\s*\\])\1(?![\p{L}\p{N}*])/gu, '$2')
    .replace(/(?<![\p{L}\p{N}_\\])(_{1,3})(?=[^\s_])([^_\n]*[^\s_\\])\1(?![\p{L}\p{N}_])/gu, '$2')
    .replace(/~~(?=\S)([^~\n]*\S)~~/g, '$1')
    .replace(/^\s*(?:#{1,6}|[-*+])\s+/, '');
}
