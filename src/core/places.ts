// Where a reader finds a part of a document in the original, where pages and lines do not say it: a range of cells, a slide, a cell of a
// notebook, a time. Invariant: places are sorted and do not overlap, and what stands between two belongs to the one before.
import type { Page, Place, SourceSpan } from './document.ts';

const cellRange = /^(?<sheet>.*!)?(?<from>[A-Z]+\d+)(?::(?<to>[A-Z]+\d+))?$/u;
const counted = /^(?<what>\D+ )(?<number>\d+)$/u;

/** One label for two places and what lies between them. */
function joinLabels(first: string, last: string): string {
  if (first === last) return first;
  const from = cellRange.exec(first)?.groups;
  const to = cellRange.exec(last)?.groups;
  if (from && to && from['sheet'] === to['sheet'])
    return `${from['sheet'] ?? ''}${from['from']}:${to['to'] ?? to['from']}`;
  const begin = counted.exec(first)?.groups;
  const end = counted.exec(last)?.groups;
  if (begin && end && begin['what'] === end['what']) return `${begin['what']}${begin['number']}–${end['number']}`;
  return `${first} – ${last}`;
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
  let last = first;
  for (let next = Math.max(0, at) + 1; next < places.length; next++) {
    const place = places[next] as Place;
    if (place.start >= end) break;
    last = place;
  }
  return joinLabels(first.label, last.label);
}

/** What a page calls itself, where that is not its number: `page xii`. */
export const pageLabelOf = (page: Pick<Page, 'number' | 'label'> | undefined): string | undefined =>
  page?.label === undefined || page.label === '' || page.label === String(page.number)
    ? undefined
    : `page ${page.label}`;
