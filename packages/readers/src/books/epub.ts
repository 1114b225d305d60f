// EPUB 2 and 3 to canonical text: the documents of the spine in reading order, rendered as HTML is; titles of the table of contents become
// headings where the book only looks like it has them. Cited by chapter. Protected books are refused.
import { parse } from 'parse5';
import {
  assertTextLength,
  canonicalText,
  governHeadings,
  type HeadingMark,
  parsedDocument,
  publishedDate,
  requireText,
} from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { languageCode } from '../canonical/language-code.ts';
import { declaredXmlEncoding } from '../containers/xml-events.ts';
import type { Block, Heading, Metadata, Place } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { renderHtml } from '../web/html-text.ts';
import { type ContentsEntry, type EpubBook, openBook } from './epub-package.ts';
import { type BookPictures, bookPictures } from './epub-pictures.ts';

const mime = 'application/epub+zip';
const maxTitleLength = 300;
/** Lines of the same words among which a title of the contents is looked for. */
const maxSameLines = 50;

export const epub: Parser = {
  name: 'epub',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const book = openBook(input);
    const pictures = await bookPictures(input, book);
    const reading = readSpine(book, input.name, pictures);
    requireText(reading.text, input.name);
    const { title, language, publishedAt, metadata } = factsOf(book);
    return parsedDocument({
      ...reading,
      mime,
      title,
      language,
      publishedAt,
      metadata: { ...metadata, ...pictures.metadata() },
      // Books have ornaments: pictures without text are nothing to speak of.
      warnings: [...reading.warnings, ...pictures.warnings(0)],
    });
  },
};

interface Reading {
  readonly text: string;
  readonly headings: Heading[];
  readonly blocks: Block[];
  readonly places: Place[];
  readonly warnings: readonly string[];
}

function readSpine(book: EpubBook, name: string, pictures: BookPictures): Reading {
  const parts: string[] = [];
  const blocks: Block[] = [];
  const marks: HeadingMark[] = [];
  const places: { label: string; start: number; end: number }[] = [];
  const missing: string[] = [];
  let length = 0;
  for (const path of book.spine) {
    const bytes = book.chapter(path);
    if (bytes === undefined) {
      missing.push(path);
      continue;
    }
    const chapter = readChapter(bytes, { path, contents: book.contents.get(path.toLowerCase()) ?? [], pictures });
    if (chapter.text === '') continue;
    if (length > 0) {
      parts.push('\n\n');
      length += 2;
    }
    for (const block of chapter.blocks) blocks.push({ ...block, start: block.start + length, end: block.end + length });
    for (const mark of chapter.marks) marks.push({ ...mark, start: mark.start + length });
    for (const place of chapter.places) {
      const before = places.at(-1);
      if (before !== undefined) before.end = Math.max(before.end, length + place.start);
      places.push({ label: place.label, start: length + place.start, end: length + chapter.text.length });
    }
    parts.push(chapter.text);
    length += chapter.text.length;
    const last = places.at(-1);
    if (last !== undefined) last.end = length;
    assertTextLength(name, length);
  }
  for (const [index, place] of places.entries()) {
    const next = places[index + 1];
    if (next !== undefined) place.end = Math.min(place.end, next.start);
  }
  return {
    text: parts.join(''),
    headings: governHeadings(marks, length),
    blocks,
    places,
    warnings:
      missing.length === 0 ? [] : [`The book lacks ${missing.length} of its files: ${missing.slice(0, 5).join(', ')}.`],
  };
}

interface Chapter {
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly marks: readonly HeadingMark[];
  readonly places: readonly { readonly label: string; readonly start: number }[];
}

const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** One document of the spine. Titles that the contents give and that stand on a line of their own are headings. */
function readChapter(
  bytes: Uint8Array,
  {
    path,
    contents,
    pictures,
  }: { readonly path: string; readonly contents: readonly ContentsEntry[]; readonly pictures: BookPictures },
): Chapter {
  const source = decodeText(bytes, path, declaredXmlEncoding(bytes)).text;
  const tree = parse(closeTags(source), { scriptingEnabled: false });
  pictures.showIn(tree, path);
  const rendered = renderHtml(tree);
  const marks: HeadingMark[] = rendered.headings.map(({ start, level, title }) => ({ start, level, title }));
  const blocks: Block[] = [...rendered.blocks];
  const places: { label: string; start: number }[] = [];
  const byStart = new Map(blocks.map((block, index) => [block.start, index]));
  const lines = new Map<string, number[]>();
  for (const [index, block] of blocks.entries()) {
    const text = folded(rendered.text.slice(block.start, Math.min(block.end, block.start + maxTitleLength)));
    const same = lines.get(text);
    if (same === undefined) lines.set(text, [index]);
    else if (same.length < maxSameLines) same.push(index);
  }
  const known = new Set(marks.map(({ start }) => start));
  let from = 0;
  for (const entry of contents) {
    const wanted = folded(entry.title);
    const at = wanted === '' ? -1 : (lines.get(wanted)?.find((index) => index >= from) ?? -1);
    const block = blocks[at];
    if (block === undefined) {
      if (entry.fragment === '' && places.length === 0 && entry.title !== '')
        places.push({ label: entry.title, start: 0 });
      continue;
    }
    from = at + 1;
    places.push({ label: entry.title, start: places.length === 0 && at < 4 ? 0 : block.start });
    if (known.has(block.start)) continue;
    marks.push({ start: block.start, level: Math.min(entry.level, 6), title: entry.title });
    blocks[byStart.get(block.start) ?? at] = { ...block, kind: 'heading' };
  }
  marks.sort((a, b) => a.start - b.start);
  const [first] = contents;
  if (marks.length === 0 && first !== undefined && first.title !== '' && rendered.text !== '')
    return withTitle({ text: rendered.text, blocks, marks, places }, first);
  return { text: rendered.text, blocks, marks, places };
}

/** A chapter that says its title only in the contents begins with it. */
function withTitle(chapter: Chapter, { title, level }: ContentsEntry): Chapter {
  const shift = title.length + 2;
  return {
    text: `${title}\n\n${chapter.text}`,
    blocks: [
      { start: 0, end: title.length, kind: 'heading' },
      ...chapter.blocks.map((block) => ({ ...block, start: block.start + shift, end: block.end + shift })),
    ],
    marks: [{ start: 0, level: Math.min(level, 6), title }],
    places:
      chapter.places.length === 0
        ? [{ label: title, start: 0 }]
        : chapter.places.map(({ label, start }) => ({ label, start: start === 0 ? 0 : start + shift })),
  };
}

const voidTags = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

/** XHTML may write `<title/>`, which HTML would read as the beginning of a title that never ends. */
const closeTags = (source: string): string =>
  source.replace(/<([a-z][\w:.-]*)(?![\w:.-])([^<>]*)\/>/giu, (whole, tag: string, rest: string) =>
    voidTags.has(tag.toLowerCase()) ? whole : `<${tag}${rest}></${tag}>`,
  );

function factsOf(book: EpubBook): {
  title?: string;
  language?: string;
  publishedAt?: string;
  metadata: Metadata;
} {
  const all = (name: string): string[] =>
    book.facts
      .filter((fact) => fact.name === name)
      .map(({ value }) => canonicalText(value).replace(/\s+/gu, ' ').trim())
      .filter((value) => value !== '');
  const metadata: Metadata = {};
  for (const [name, key] of [
    ['creator', 'author'],
    ['publisher', 'publisher'],
    ['subject', 'keywords'],
    ['description', 'description'],
    ['identifier', 'identifier'],
  ] as const) {
    const values = all(name);
    if (values.length > 0) metadata[key] = values.join(name === 'description' ? ' ' : ', ').slice(0, 2000);
  }
  const [title] = all('title');
  const language = languageCode(all('language')[0]);
  const publishedAt = all('date')
    .map(publishedDate)
    .find((date) => date !== undefined);
  return {
    metadata,
    ...(title === undefined ? {} : { title }),
    ...(language === undefined ? {} : { language }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
  };
}
