// Where a reader finds a part of a document in the original, where pages and lines do not say it: a range of cells, a slide, a cell of a
// notebook, a time, else a heading. Invariant: places are sorted and do not overlap, and what stands between two belongs to the one before.
import type { Heading, Page, Place, SourceSpan } from '../document.ts';

const cellRange = /^(?<sheet>.*!)(?<from>[A-Z]+\d+)(?::(?<to>[A-Z]+\d+))?$/u;
const counted = /^(?<what>\D+ )(?<number>\d+)$/u;

/** One label for two places and what lies between them. Cells are told from headings such as `Q1` by the sheet that they name. */
function joinLabels(first: string, last: string): string {
  if (first === last) return first;
  const from = cellRange.exec(first)?.groups;
  const to = cellRange.exec(last)?.groups;
  if (from && to && from['sheet'] === to['sheet']) return `${from['sheet']}${from['from']}:${to['to'] ?? to['from']}`;
  const begin = counted.exec(first)?.groups;
  const end = counted.exec(last)?.groups;
  if (begin && end && begin['what'] === end['what']) return `${begin['what']}${begin['number']}–${end['number']}`;
  return `${first} – ${last}`;
}

/** `page 2` before `page 10`. */
function isCountedBefore(label: string, other: string): boolean {
  const one = counted.exec(label)?.groups;
  const two = counted.exec(other)?.groups;
  return (
    one !== undefined &&
    two !== undefined &&
    one['what'] === two['what'] &&
    Number(one['number']) < Number(two['number'])
  );
}

/** The places that a span touches, as one label; undefined where the document has none there. */
export function placeOf(places: readonly Place[], { start, end }: SourceSpan): string | undefined {
  let low = 0;
  let high = places.length - 1;
  let at = -1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as Place).start <= start) {
      at = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  // A span may begin in what stands before the first place.
  const first = places[Math.max(0, at)];
  if (first === undefined || first.start >= Math.max(end, start + 1)) return undefined;
  // Footnotes at the end of a text may go back to the pages that they stand on: the first and the last page of all are said.
  let [from, to] = [first.label, first.label];
  for (let next = Math.max(0, at) + 1; next < places.length; next++) {
    const { start: begins, label } = places[next] as Place;
    if (begins >= end) break;
    if (isCountedBefore(label, from)) from = label;
    else if (!isCountedBefore(label, to)) to = label;
  }
  return joinLabels(from, to);
}

/** Whole paragraphs are headings to some: of longer ones the beginning names them. */
const longestLabel = 100;

function shortLabel(title: string): string {
  if (title.length <= longestLabel) return title;
  const part = title
    .slice(0, longestLabel)
    .toWellFormed()
    .replace(/\uFFFD$/u, '');
  return `${part.replace(/(?<!\s)\s+\S{0,30}$/u, '')}…`;
}

/** Headings as places. One that opens the document and is its title says nothing more. */
export function headingPlaces(headings: readonly Heading[], title: string | undefined): readonly Place[] {
  const opening = headings.findIndex((heading) => heading.title !== title);
  const named = opening < 0 ? [] : headings.slice(opening);
  return named.map(({ title: name, start, end }, at) => ({
    label: shortLabel(name),
    start,
    end: Math.min(end, named[at + 1]?.start ?? end),
  }));
}

/** By what spans of a document are cited: its own places, or its headings where it has neither places nor pages nor lines. */
export function placesOf(
  { pages, places = [], headings }: Structured,
  { title, citeByLine }: { readonly title: string; readonly citeByLine: boolean },
): readonly Place[] {
  return places.length > 0 || pages.length > 0 || citeByLine ? places : headingPlaces(headings, title);
}

interface Structured {
  readonly pages: readonly Page[];
  readonly places?: readonly Place[];
  readonly headings: readonly Heading[];
}

/** What a page calls itself, where that is not its number: `page xii`. */
export const pageLabelOf = (page: Pick<Page, 'number' | 'label'> | undefined): string | undefined =>
  page?.label === undefined || page.label === '' || page.label === String(page.number)
    ? undefined
    : `page ${page.label}`;
