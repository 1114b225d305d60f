// Which edition of its reader read a document, so that after an upgrade just those are read again whose reader was improved (ADR 0026).
// Invariant: whoever changes what a reader makes of a sound file raises its edition, by hand; test/ingest/read/reading-editions.test.ts fails
// where something else comes out of its files and the edition is the same.
import { formatOfMime } from '@footnote/readers/media-types';

/** What every kind goes through: recognising it, cutting it into chunks, what counts as boilerplate. Raised, everything is read again. */
const ofAll = 1;

/**
 * By type of the table of formats (media-types.ts); one that is not named is at 1. A file that is told to be another kind than before is
 * read again where the edition of the kind that it was taken for is raised.
 */
const raised: Readonly<Record<string, number>> = {
  'application/pdf': 4,
  'application/x-tex': 2,
  'message/rfc822': 4,
  'application/mbox': 4,
  'application/vnd.ms-outlook': 3,
  'application/ms-tnef': 2,
  'multipart/related': 2,
  'text/csv': 2,
  'text/tab-separated-values': 2,
  'text/html': 3,
  'application/jsonl': 2,
  'text/markdown': 2,
  'application/epub+zip': 3,
  'application/rss+xml': 2,
  'application/atom+xml': 2,
  'application/rtf': 2,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 2,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 2,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 2,
  'application/vnd.oasis.opendocument.text': 2,
  'application/vnd.oasis.opendocument.presentation': 2,
};

/** The edition of the reader of a kind, from 1. */
export type EditionOf = (kind: string) => number;

export const currentEdition: EditionOf = (kind) => ofAll + (Object.hasOwn(raised, kind) ? (raised[kind] ?? 1) : 1);

/** All that was raised, as one text: what could not be read before is tried again where it changes. */
export const editionsOfAll = JSON.stringify([ofAll, raised]);

/** As it is kept with a document of this type: `text/html 3`. */
export function toReading(mime: string, editionOf = currentEdition): string {
  const kind = formatOfMime(mime)?.mime ?? mime;
  return `${kind} ${editionOf(kind)}`;
}

/**
 * Whether an unchanged document is read: where one asks for all, or where an earlier edition read it and nobody said that it shall stay.
 */
export const isReadAgain = (
  reading: string | undefined,
  { reread, editionOf }: { readonly reread?: boolean | undefined; readonly editionOf?: EditionOf | undefined },
): boolean => reread ?? isOutdated(reading, editionOf);

/** Whether an earlier edition of its reader read it. Of those that were read before editions were kept nobody knows. */
export function isOutdated(reading: string | undefined, editionOf = currentEdition): boolean {
  const mark = reading?.lastIndexOf(' ') ?? -1;
  return reading !== undefined && Number(reading.slice(mark + 1)) < editionOf(reading.slice(0, mark));
}
