// One document as a person looks at it: its facts, its pages, its outline, and the pieces in which it is searched.
import type { Footnote } from '../../footnote/facade.ts';
import { toCount } from '../terminal/figures.ts';
import { type Terminal, toPrintable } from '../terminal/terminal.ts';
import { oneLine, plural, shorten } from './render.ts';

type Of<Name extends keyof Footnote['documents']> = Awaited<ReturnType<NonNullable<Footnote['documents'][Name]>>>;
export type Detail = Of<'get'>;
export type Structure = Of<'structure'>;

const rangeOf = ({ start, end }: { readonly start: number; readonly end: number }): string => `${start}..${end}`;

/** White space is no character that a page could lack. */
const visible = (text: string): number => text.replace(/\s+/gu, '').length;

export function renderFacts(terminal: Terminal, document: Detail): void {
  const { deliveries, warnings, duplicates, metadata, ...facts } = document;
  const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  const rows = [
    ...Object.entries(facts).map(([name, value]) => [name, toText(value)]),
    ...Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, shorten(toText(value), 300)]),
    ...warnings.map((warning) => ['warning', warning]),
    ...duplicates.map(({ documentId, kind, similarity, title, uri }) => [
      kind === 'version' ? 'version' : `${kind} copy`,
      `${documentId} (${Math.round(similarity * 100)} %) ${oneLine(title)}, ${oneLine(uri)}`,
    ]),
    ...deliveries.map(({ store, status, lastError }) => [
      `in ${store}`,
      `${status}${lastError === undefined ? '' : ` (${lastError})`}`,
    ]),
  ];
  terminal.table(rows.map((row) => row.map(toPrintable)));
}

/** Where a chunk stands, as a citation of it would say. */
function placeOf({ pages, lines, place }: Of<'chunks'>[number]): string {
  const between = (name: string, [first, last]: readonly [number, number]): string =>
    first === last ? `${name} ${first}` : `${name}s ${first} to ${last}`;
  if (pages) return between('page', pages);
  return place ?? (lines ? between('line', lines) : '');
}

export function renderChunks(terminal: Terminal, chunks: Of<'chunks'>): void {
  for (const chunk of chunks) {
    const { ordinal, tokens, headingPath, text } = chunk;
    const facts = [rangeOf(chunk), plural(tokens, 'token'), placeOf(chunk)].filter((one) => one !== '');
    terminal.line(`${terminal.paint('cyan', `${ordinal + 1}.`)} ${toPrintable(facts.join(', '))}`);
    if (headingPath.length > 0) terminal.line(`   ${terminal.paint('bold', shorten(headingPath.join(' › '), 200))}`);
    terminal.line(`   ${shorten(text, 300)}`);
  }
  if (chunks.length === 0) terminal.line('It has no chunks, so searches do not find it.');
}

export interface PageFacts {
  readonly number: number;
  readonly label?: string;
  /** Without white space. */
  readonly characters: number;
  readonly words: number;
  readonly start: number;
  readonly end: number;
  readonly width: number;
  readonly height: number;
}

export function toPages({ pages, words }: Structure, text: string): readonly PageFacts[] {
  const boxes = new Map<number, number>();
  for (const { page } of words) boxes.set(page, (boxes.get(page) ?? 0) + 1);
  return pages.map(({ number, label, start, end, width, height }) => ({
    number,
    ...(label !== undefined && { label }),
    characters: visible(text.slice(start, end)),
    words: boxes.get(number) ?? 0,
    start,
    end,
    width,
    height,
  }));
}

export function renderPages(terminal: Terminal, pages: readonly PageFacts[]): void {
  const rows = pages.map((page) => [
    `page ${page.number}${page.label === undefined ? '' : ` (${page.label})`}`,
    page.characters === 0 ? 'no text' : `${toCount(page.characters)} characters`,
    `${toCount(page.words)} word boxes`,
    `${Math.round(page.width)} × ${Math.round(page.height)} pt`,
    rangeOf(page),
  ]);
  terminal.table(rows.map((row) => row.map(toPrintable)));
  if (pages.length === 0) terminal.line('It has no pages. --structure shows its headings and places.');
}

export function renderStructure(terminal: Terminal, { pages, headings, words, places = [] }: Structure): void {
  terminal.line(
    `${plural(headings.length, 'heading')}, ${plural(pages.length, 'page')}, ${plural(places.length, 'place')}, ${toCount(words.length)} word boxes`,
  );
  for (const heading of headings)
    terminal.line(
      `${'  '.repeat(Math.min(8, heading.level))}${shorten(heading.title, 120)} ${terminal.paint('dim', rangeOf(heading))}`,
    );
  const rows = places.map((place) => [`  ${oneLine(place.label)}`, rangeOf(place)]);
  terminal.table(rows);
}
