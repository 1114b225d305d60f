// Headings as places, for readers of formats whose notes are cited by the heading of their mark. The program cites all other documents by
// their headings in the same way (core/places.ts); a test holds the two against each other.
import type { Heading, Place } from '../document.ts';

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
