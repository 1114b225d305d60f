// Names a PDF: by its own information where that is a title, else by the largest upright type on its first page. What tools fill in
// ("untitled", "Microsoft Word - x.doc", a file name) is no title; undefined leaves the file name.
import { canonicalText } from '../../canonical/canonical-text.ts';
import { bodySize, type PdfParagraph } from './pdf-headings.ts';
import type { PdfLine } from './pdf-layout.ts';

const toolTitle =
  /^(?:\(?(?:untitled|anonymous|unspecified|unknown|no title)\)?[\s\d.-]*|title|document\s*\d*|microsoft (?:word|powerpoint|excel)\b.*|\S+\.[a-z]{2,8}|.*\.(?:docx?|pdf|pptx?|xlsx?|tex|dvi|indd|qxd|rtf|odt))$/i;

/** `given` is the title in the information dictionary; paragraphs come in reading order. */
export function pdfTitle(given: string | undefined, paragraphs: readonly PdfParagraph[]): string | undefined {
  const named = canonicalText(given ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  if (isNamed(named) && /\p{L}/u.test(named)) return named;
  return largestLines(paragraphs);
}

/** Points by which lines of one title may differ. */
const sameSize = 0.5;
/** Larger than the body by as much as a heading is. */
const fewestTimesBody = 1.12;
const longestTitle = 200;
const mostLines = 4;

function largestLines(paragraphs: readonly PdfParagraph[]): string | undefined {
  const first = paragraphs[0]?.page;
  const lines = paragraphs
    .filter(({ page, isNote }) => page === first && !isNote)
    .flatMap((paragraph) => paragraph.lines);
  const upright = lines.filter((line) => line.words[0]?.turn === 0);
  const body = bodySize(paragraphs);
  const sizes = [...new Set(upright.map((line) => line.size))].sort((a, b) => b - a);
  for (const size of sizes) {
    if (size < body * fewestTimesBody) return undefined;
    const start = upright.findIndex((line) => line.size === size);
    const rest = upright.slice(start);
    const end = rest.findIndex((line, index) => index > 0 && !belongs(rest[index - 1], line));
    const group = end < 0 ? rest : rest.slice(0, end);
    const text = canonicalText(group.map((line) => line.text).join(' '))
      .replace(/\s+/g, ' ')
      .trim();
    if (group.length <= mostLines && isTitle(text)) return text;
  }
  return undefined;
}

/** Whether a line carries on the title that the line before it is part of. */
function belongs(before: PdfLine | undefined, line: PdfLine): boolean {
  if (before === undefined || Math.abs(before.size - line.size) > sameSize) return false;
  return line.y > before.y && line.y - before.bottom < line.size * 0.5;
}

function isNamed(text: string): boolean {
  return text.length <= longestTitle && !toolTitle.test(text) && !/[\ufffd\p{Co}]/u.test(text);
}

/** Parts that every second document has: what they name is a section. */
const sectionTitle =
  /^(?:\d+(?:\.\d+)*\.?\s+\S|(?:table of )?contents\b|abstract\b|introduction\b|inhalt|sommaire|índice|目录|目次)/i;

function isTitle(text: string): boolean {
  if (!isNamed(text) || sectionTitle.test(text)) return false;
  const letters = (text.match(/[\p{L}\p{M}]/gu) ?? []).length;
  const hasWord = /\p{L}{3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/u.test(text);
  return hasWord && letters >= text.replace(/\s/g, '').length * 0.5;
}
