// A plain reading of Markdown, line by line: headings that start with "#", fenced code and paragraphs. It takes linear time
// whatever the file holds, and stands in where a full parser (quadratic in open brackets, recursive in nesting) would not end.

import { type HeadingMark, paragraphBlocks } from '../canonical/canonical-text.ts';
import type { Block } from '../document.ts';

export const readByLine =
  'Nested too deeply, or too dense, for a full reading of its Markdown: headings, code blocks and paragraphs were read line by line.';

/** More of these in one line than people write: each may pair with each. */
const mostOpeners = 2000;
/** The same for the lines of one paragraph, which people fill with links now and then: 8,000 take two seconds, twice as many four times that. */
const mostOpenersOfParagraph = 8000;
const startsAnew = /^[ \t]*(?:$|[-*+>#|]|\d{1,9}[.)][ \t])/;
const deepQuote = /^(?:[ \t]*>){100}/;
const deepIndent = /^[ \t]{200,}(?:[-*+]|\d{1,9}[.)])\s/;
const deepMarkers = /^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]+){100}/;
/** A thematic break, however long. */
const rule = /^[\s*-]*$/;

/** Whether a full parser may need minutes, or more stack than there is. */
export function isNestedTooDeeply(text: string): boolean {
  let ofParagraph = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const head = text.slice(start, Math.min(end, start + 2000));
    if (deepQuote.test(head) || deepIndent.test(head)) return true;
    if (deepMarkers.test(head) && !rule.test(text.slice(start, end))) return true;
    if (startsAnew.test(head)) ofParagraph = 0;
    let openers = 0;
    for (let at = text.indexOf('[', start); at >= 0 && at < end; at = text.indexOf('[', at + 1))
      if (++openers > mostOpeners) return true;
    ofParagraph += openers;
    if (ofParagraph > mostOpenersOfParagraph) return true;
    start = end + 1;
  }
  return false;
}

export function readLines(text: string): { readonly marks: HeadingMark[]; readonly blocks: Block[] } {
  const marks: HeadingMark[] = [];
  const blocks: Block[] = [];
  let plainStart = 0;
  let fence: { readonly mark: string; readonly start: number } | undefined;
  const endPlain = (end: number): void => {
    for (const block of paragraphBlocks(text.slice(plainStart, end)))
      blocks.push({ ...block, start: block.start + plainStart, end: block.end + plainStart });
  };
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    const ticks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    const heading = fence === undefined ? /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) : null;
    if (fence !== undefined) {
      if (ticks?.startsWith(fence.mark) && line.trim() === ticks) {
        blocks.push({ kind: 'code', start: fence.start, end });
        fence = undefined;
        plainStart = end;
      }
    } else if (ticks !== undefined) {
      endPlain(start);
      fence = { mark: ticks, start };
    } else if (heading !== null) {
      endPlain(start);
      const title = (heading[2] ?? '').replace(/\s#+\s*$/, '').trim();
      marks.push({ start, level: heading[1]?.length ?? 1, title: title.slice(0, 500) });
      blocks.push({ kind: 'heading', start, end });
      plainStart = end;
    }
    start = end + 1;
  }
  if (fence === undefined) endPlain(text.length);
  else if (text.length > fence.start) blocks.push({ kind: 'code', start: fence.start, end: text.trimEnd().length });
  return { marks, blocks };
}
