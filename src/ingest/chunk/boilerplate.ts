// Where a document's text is boilerplate (navigation, footers, quoted mail, signatures): it stays in the text and in the view, but no
// chunk holds it and no fingerprint counts it. Invariant: a document that is nothing but boilerplate has none.
import type { ParsedDocument, SourceSpan } from '../../core/document.ts';

/** Sorted, apart, running from the first to the last of blocks that stand together. */
export function boilerplateOf({ text, blocks }: Pick<ParsedDocument, 'text' | 'blocks'>): readonly SourceSpan[] {
  const spans: { start: number; end: number }[] = [];
  for (const { kind, start, end } of blocks) {
    if (kind !== 'boilerplate') continue;
    const last = spans.at(-1);
    if (last !== undefined && isBlank(text, last.end, start)) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return contentBeside(text, spans).length === 0 ? [] : spans;
}

const mails = new Set(['message/rfc822', 'application/mbox', 'application/vnd.ms-outlook', 'application/ms-tnef']);

/** How comments of programs begin; with an end: up to it, else line by line. */
const comments: readonly (readonly [opening: string, closing?: string])[] = [
  ['/*', '*/'],
  ['<!--', '-->'],
  ['{-', '-}'],
  ['(*', '*)'],
  ['--[[', ']]'],
  ...['//', '# ', '#!', '#\n', '##', '-- ', ';', '%'].map((opening) => [opening] as const),
];

/** Where the comment ends that a program begins with: who owns it under which licence is alike in all files of a project. */
function headerEnd(text: string): number {
  let at = text.length - text.trimStart().length;
  const [opening, closing] = comments.find(([one]) => text.startsWith(one, at)) ?? [];
  if (opening === undefined) return 0;
  if (closing !== undefined) {
    const end = text.indexOf(closing, at);
    return end === -1 ? 0 : end + closing.length;
  }
  while (at < text.length && comments.some(([one, end]) => end === undefined && text.startsWith(one, at))) {
    const end = text.indexOf('\n', at);
    at = end === -1 ? text.length : end + 1;
  }
  return at;
}

/**
 * What no fingerprint counts: boilerplate, the comment at the head of a program, and who wrote to whom when, which is alike in all mails
 * between the same people.
 */
export function uncountedOf(parsed: Pick<ParsedDocument, 'text' | 'blocks' | 'mime'>): readonly SourceSpan[] {
  const end =
    parsed.blocks.length > 0 && parsed.blocks.every(({ kind }) => kind === 'code') ? headerEnd(parsed.text) : 0;
  if (end > 0) return isBlank(parsed.text, end, parsed.text.length) ? [] : [{ start: 0, end }];
  if (!mails.has(parsed.mime)) return boilerplateOf(parsed);
  const blocks = parsed.blocks.map((block) =>
    block.kind === 'record' ? { ...block, kind: 'boilerplate' as const } : block,
  );
  return boilerplateOf({ text: parsed.text, blocks });
}

/** What such spans leave of the text, in order. */
export function contentBeside(text: string, spans: readonly SourceSpan[]): readonly SourceSpan[] {
  const content: SourceSpan[] = [];
  let start = 0;
  for (const span of [...spans, { start: text.length, end: text.length }]) {
    if (!isBlank(text, start, span.start)) content.push({ start, end: span.start });
    start = Math.max(start, span.end);
  }
  return content;
}

function isBlank(text: string, start: number, end: number): boolean {
  const visible = /\S/g;
  visible.lastIndex = start;
  const found = visible.exec(text);
  return found === null || found.index >= end;
}
