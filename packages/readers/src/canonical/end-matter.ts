// Footnotes and comments, which stand at the end of the canonical text and are cited by where their marks stand. Invariant: none is taken for a
// part of the section that happens to be the last.
import type { Heading, Place } from '../document.ts';
import type { BlockWriter } from './block-writer.ts';
import { headingPlaces } from './heading-places.ts';

/** Of a note whose mark stands before every heading. */
const ownLabel = 'Notes';

export interface EndMatter {
  /** `heading`: the title of that under which its mark stands. */
  put(text: string, heading: string | undefined): void;
  /** Where the file is cited by heading and has notes: its headings, then each note under that of its mark. Else none. */
  places(headings: readonly Heading[], title: string | undefined): readonly Place[];
}

export function createEndMatter(writer: Pick<BlockWriter, 'put' | 'length'>): EndMatter {
  const notes: { heading: string | undefined; start: number; end: number }[] = [];
  return {
    put(text, heading) {
      const before = writer.length;
      writer.put('other', text);
      if (writer.length > before) notes.push({ heading, start: before === 0 ? 0 : before + 2, end: writer.length });
    },
    places(headings, title) {
      const named = headingPlaces(headings, title);
      const [first] = notes;
      if (first === undefined || named.length === 0) return [];
      const shown = headings.slice(headings.length - named.length);
      const labels = new Map<string | undefined, string | undefined>(
        shown.map(({ title: name }, at) => [name, named[at]?.label]),
      );
      return [
        ...named.map((place) => ({ ...place, end: Math.min(place.end, first.start) })),
        ...notes.map(({ heading, start, end }) => ({ label: labels.get(heading) ?? ownLabel, start, end })),
      ];
    },
  };
}
