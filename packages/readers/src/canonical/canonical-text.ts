// The rules every canonical text obeys (well-formed Unicode, "\n" line ends, no NUL, no byte order mark) and the pieces of
// structure that all parsers share: headings that govern what follows them, and line numbers.
import type { Block, BlockKind, Heading, ParsedDocument } from '../document.ts';
import { nothingInIt, ReadError } from '../read-error.ts';
import { standingTitle } from './struck-text.ts';

/** Makes any string canonical. Idempotent. */
export function canonicalText(text: string): string {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return bare.replace(/\r\n?/g, '\n').replaceAll('\u0000', '').toWellFormed();
}

export interface HeadingMark {
  readonly start: number;
  readonly level: number;
  readonly title: string;
}

/** Gives each heading the range it governs: up to the next one of the same or a higher level. Marks sorted by start. */
export function governHeadings(marks: readonly HeadingMark[], textLength: number): Heading[] {
  const ends = new Array<number>(marks.length).fill(textLength);
  const open: number[] = [];
  marks.forEach((mark, index) => {
    for (let last = open.at(-1); last !== undefined && (marks[last]?.level ?? 0) >= mark.level; last = open.at(-1)) {
      ends[last] = mark.start;
      open.pop();
    }
    open.push(index);
  });
  return marks.map((mark, index) => ({ ...mark, title: standingTitle(mark.title), end: ends[index] ?? textLength }));
}

/** Splits text at blank lines; each block is trimmed of surrounding white space. */
export function paragraphBlocks(text: string, kind: BlockKind = 'paragraph'): Block[] {
  const blocks: Block[] = [];
  let start = -1;
  let end = -1;
  for (let line = 0; line <= text.length; ) {
    const newline = text.indexOf('\n', line);
    const lineEnd = newline < 0 ? text.length : newline;
    const content = text.slice(line, lineEnd);
    const trimmed = content.trim();
    if (trimmed !== '') {
      const first = line + content.indexOf(trimmed);
      if (start < 0) start = first;
      end = first + trimmed.length;
    } else if (start >= 0) {
      blocks.push({ start, end, kind });
      start = -1;
    }
    line = lineEnd + 1;
  }
  if (start >= 0) blocks.push({ start, end, kind });
  return blocks;
}

/** A parsed document with the fields that most formats leave empty. */
export function parsedDocument(
  fields: Pick<ParsedDocument, 'text' | 'mime'> & {
    readonly [K in keyof ParsedDocument]?: ParsedDocument[K] | undefined;
  },
): ParsedDocument {
  const { title, language, publishedAt, attachments } = fields;
  return {
    text: fields.text,
    mime: fields.mime,
    pages: fields.pages ?? [],
    headings: fields.headings ?? [],
    blocks: fields.blocks ?? [],
    words: fields.words ?? [],
    runningHeads: fields.runningHeads ?? [],
    places: fields.places ?? [],
    metadata: fields.metadata ?? {},
    citeByLine: fields.citeByLine ?? false,
    warnings: fields.warnings ?? [],
    ...(title === undefined || title === '' ? {} : { title: standingTitle(title) }),
    ...(language === undefined ? {} : { language }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(attachments?.length ? { attachments } : {}),
  };
}

/** Refuses a text that holds nothing to search. */
export function requireText(text: string, name: string): void {
  if (text.trim() === '')
    throw new ReadError(
      'invalid-media',
      `${name} has no text. Give a file with text in it, or leave it out.`,
      nothingInIt,
    );
}

/** Longest canonical text that is kept, in UTF-16 code units. */
const maxTextLength = 64 * 1024 * 1024;

/** Refuses a text that has grown too long; a parser whose text is longer than its file asks while it writes. */
export function assertTextLength(name: string, length: number): void {
  if (length <= maxTextLength) return;
  const message = `${name} holds more than ${maxTextLength} characters of text. Split it.`;
  throw new ReadError('too-large', message, { details: { maxTextLength } });
}

/** RFC 3339 for what people write as a date; undefined where it is none. A bare year, month or day stays as precise as it is. */
export function publishedDate(value: unknown): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1000 && value <= 2999) return String(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d{4}(-\d{2}(-\d{2})?)?$/.test(text)) return Number.isNaN(Date.parse(text)) ? undefined : text;
  if (!/\d{4}/.test(text) || text.length > 60) return undefined;
  const zoned = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;
  const milliseconds = Date.parse(zoned);
  if (Number.isNaN(milliseconds)) return undefined;
  return /\d:\d/.test(text) ? new Date(milliseconds).toISOString() : localDay(milliseconds, text);
}

function localDay(milliseconds: number, text: string): string {
  // "March 3, 2020" is parsed as local midnight, ISO forms as UTC; the day that was written is the day meant.
  const date = new Date(milliseconds);
  if (/^\d{4}-/.test(text)) return date.toISOString().slice(0, 10);
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
