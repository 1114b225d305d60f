// Patches (unified and context diffs, `git format-patch`): the canonical text is the file itself, cited by line; each file that is changed is a
// heading, each hunk a block. Nothing is applied, and no file that is named is opened.

import { governHeadings, type HeadingMark, parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { lineSpans } from '../canonical/line-spans.ts';
import type { Block, BlockKind } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';

const mime = 'text/x-diff';

export const patch: Parser = {
  name: 'patch',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const { text, encoding, warnings } = decodeText(input.bytes, input.name);
    requireText(text, input.name);
    const { marks, blocks } = structureOf(text);
    return parsedDocument({
      text,
      mime,
      title: /^Subject: (?:\[PATCH[^\]\n]*\] )?(.{1,300})$/mu.exec(text.slice(0, 4096))?.[1]?.trim(),
      headings: governHeadings(marks, text.length),
      blocks,
      metadata: { files: marks.length, ...(encoding === 'utf-8' ? {} : { encoding }) },
      citeByLine: true,
      warnings,
    });
  },
};

const gitHead = /^diff --git "?a\/.* "?b\/(.{1,1000}?)"?$/u;
const otherHead = /^(?:diff|Index:) (?:.*\s)?(\S+)$/u;
const newFile = /^(?:\+\+\+|\*\*\*) (?:b\/)?([^\t\n]{1,1000})(?:\t.*)?$/u;
const hunk = /^(?:@@+ |\*{15}|\d+(?:,\d+)?[acd]\d)/u;

/** Before the first file stands prose: what the patch is for. */
function structureOf(text: string): { marks: HeadingMark[]; blocks: Block[] } {
  const marks: HeadingMark[] = [];
  const blocks: Block[] = [];
  let open: { start: number; end: number; kind: BlockKind } | undefined;
  let isInHunk = false;
  /** Whether the lines that name a file have begun: they name it twice or three times. */
  let isNamed = false;
  const lines = lineSpans(text);
  const finish = (): void => {
    if (open !== undefined && text.slice(open.start, open.end).trim() !== '') blocks.push(open);
    open = undefined;
  };
  const head = (start: number, title: string): void => {
    marks.push({ start, level: 1, title: title.trim() });
    isNamed = true;
    isInHunk = false;
  };
  for (const [index, { start, end }] of lines.entries()) {
    const line = text.slice(start, end);
    const next = lines[index + 1];
    const nextLine = next === undefined ? '' : text.slice(next.start, next.end);
    const begins = gitHead.exec(line)?.[1] ?? otherHead.exec(line)?.[1];
    if (begins?.trim()) {
      finish();
      head(start, begins);
      open = { start, end, kind: 'other' };
    } else if (!isInHunk && /^(?:---|\*\*\*) /u.test(line) && /^(?:\+\+\+|---) /u.test(nextLine)) {
      if (!isNamed) {
        finish();
        head(start, fileOf(line, nextLine));
        open = { start, end, kind: 'other' };
      } else if (open !== undefined) open.end = end;
    } else if (hunk.test(line) && marks.length > 0) {
      finish();
      isInHunk = true;
      isNamed = false;
      open = { start, end, kind: 'code' };
    } else if (isInHunk && !/^[ +\-!\\@\t]|^$/u.test(line)) {
      finish();
      isInHunk = false;
      open = { start, end, kind: 'other' };
    } else if (line.trim() === '' && !isInHunk) finish();
    else if (isInHunk && /^--- /u.test(line) && /^\+\+\+ /u.test(nextLine)) {
      // The next file of a patch whose files have no line before them.
      finish();
      head(start, fileOf(line, nextLine));
      open = { start, end, kind: 'other' };
    } else if (open === undefined) open = { start, end, kind: marks.length === 0 ? 'paragraph' : 'other' };
    else open.end = end;
  }
  finish();
  return { marks, blocks };
}

/** What the file is called after the change, or before it where it is deleted; of the two lines that name both. */
function fileOf(before: string, after: string): string {
  const name = newFile.exec(/^\+\+\+/u.test(after) ? after : before)?.[1]?.trim() ?? '';
  const old = before.slice(4).split('\t')[0]?.replace(/^a\//u, '').trim() ?? '';
  return (name === '/dev/null' ? old : name) || 'file';
}
