// Text that its author struck out: readers write it between "~~" as GFM does, so that it stays in the text and says itself that it no longer
// holds. Spans are found as they are written there and in Markdown (GFM 6.5; `del`, `s` and `strike` of HTML). Linear in the text.
import type { SourceSpan } from '../document.ts';

/** A stretch of code on one line, a mark, a tag, or the end of a paragraph. */
const sign = /(?<!`)(`+)(?!`)[^`\n]+\1(?!`)|(?<!~)~~(?!~)|<(\/?)(del|s|strike)(?:\s[^<>]*)?>|\n[^\S\n]*\n/giu;
const mayHold = /~~|<\/(?:del|s|strike)\b/iu;
const punctuation = /[\p{P}\p{S}]/u;
const letterOrDigit = /[\p{L}\p{N}]/u;

const isSpace = (character: string): boolean => character.trim() === '';

/** Whether a mark between two characters can begin (`after` is inside) or end (`before` is inside) what is struck out (GFM 6.2). */
const canMark = (inside: string, outside: string): boolean =>
  !isSpace(inside) && (!punctuation.test(inside) || isSpace(outside) || punctuation.test(outside));

/** What is struck out, with its marks. A word of which a part is struck out is no whole word any more: it goes with it. Sorted, apart. */
export function struckSpans(text: string): SourceSpan[] {
  if (!mayHold.test(text)) return [];
  const spans: SourceSpan[] = [];
  let mark: number | undefined;
  const tags = new Map<string, number>();
  const add = (start: number, end: number): void => {
    while (spans.length > 0 && (spans.at(-1)?.start ?? 0) >= start) spans.pop();
    if (start >= (spans.at(-1)?.end ?? 0)) spans.push(wholeWord(text, { start, end }));
  };
  for (const { 0: found, 2: slash, 3: name, index } of text.matchAll(sign)) {
    const end = index + found.length;
    if (found === '~~') {
      const [before, after] = [text.charAt(index - 1), text.charAt(end)];
      if (mark !== undefined && canMark(before, after)) {
        add(mark, end);
        mark = undefined;
      } else if (canMark(after, before)) mark = index;
    } else if (name !== undefined) {
      const tag = name.toLowerCase();
      const start = tags.get(tag);
      if (slash === '') tags.set(tag, index);
      else if (start !== undefined) add(start, end);
      if (slash !== '') tags.delete(tag);
    } else if (found.startsWith('\n')) {
      mark = undefined;
      // An element that begins a line may hold paragraphs.
      for (const [tag, start] of tags) if (start > 0 && text[start - 1] !== '\n') tags.delete(tag);
    }
  }
  return spans;
}

function wholeWord(text: string, { start, end }: SourceSpan): SourceSpan {
  const isWithin = letterOrDigit.test(text.charAt(start - 1)) && letterOrDigit.test(text.charAt(end));
  if (!isWithin) return { start, end };
  let [from, to] = [start, end];
  while (letterOrDigit.test(text.charAt(from - 1))) from -= 1;
  while (letterOrDigit.test(text.charAt(to))) to += 1;
  return { start: from, end: to };
}

/** The text with blanks in the place of what is struck out, so that offsets stay. */
export function standingText(text: string): string {
  let [standing, from] = ['', 0];
  for (const { start, end } of struckSpans(text)) {
    standing +=
      text.slice(from, start) + text.slice(start, end).replace(/[^\n]/gu, (character) => ' '.repeat(character.length));
    from = end;
  }
  return from === 0 ? text : standing + text.slice(from);
}

/** A title without what is struck out in it; as it is where nothing else is in it. */
export function standingTitle(title: string): string {
  let [standing, from] = ['', 0];
  for (const { start, end } of struckSpans(title)) {
    standing += title.slice(from, start);
    from = end;
  }
  const rest = `${standing}${title.slice(from)}`.replace(/\s+/gu, ' ').trim();
  return from === 0 || rest === '' ? title : rest;
}

/** `deleted`: by a tracked change, whose author sees the text without it; `struck`: what is shown struck out. */
export type Standing = 'deleted' | 'struck' | undefined;

export interface StruckText {
  add(text: string, standing?: Standing): void;
  readonly isEmpty: boolean;
  finish(): string;
}

/** Collects the text of a paragraph or cell from its runs and marks what does not stand, line by line; letters deleted inside a word are left out. */
export function createStruckText(): StruckText {
  const runs: { text: string; readonly standing: Standing }[] = [];
  return {
    add(text, standing) {
      const last = runs.at(-1);
      if (last && last.standing === standing) last.text += text;
      else if (text !== '') runs.push({ text, standing });
    },
    get isEmpty() {
      return runs.length === 0;
    },
    finish() {
      let whole = '';
      for (const [at, { text, standing }] of runs.entries()) {
        const [before, after] = [whole.slice(-1), runs[at + 1]?.text.charAt(0) ?? ''];
        if (standing === undefined) whole += text;
        else if (standing === 'struck' || !letterOrDigit.test(before) || !letterOrDigit.test(after))
          whole += marked(text, before, after);
      }
      return whole;
    },
  };
}

/** A text that is struck out as a whole. */
export const struckLine = (text: string): string => marked(text, '', '');

/** White space stays outside the marks, and a space parts them from what would make them unreadable. */
function marked(text: string, before: string, after: string): string {
  const lines = text.split('\n');
  return lines
    .map((line, at) => {
      const core = line.trim().replaceAll('~~', '');
      if (core === '') return line;
      const opening = line.slice(0, line.length - line.trimStart().length);
      const closing = line.slice(line.trimEnd().length);
      const [left, right] = [at === 0 ? before : '', at === lines.length - 1 ? after : ''];
      const isOpen = opening !== '' || (left !== '~' && canMark(core.charAt(0), left));
      const isClosed = closing !== '' || (right !== '~' && canMark(core.slice(-1), right));
      return `${opening}${isOpen ? '' : ' '}~~${core}~~${isClosed ? '' : ' '}${closing}`;
    })
    .join('\n');
}
