// How documents and their spans are named through MCP: `doc_1` and `doc_1:120-480` as tools take them, `footnote://document/doc_1#120-480` as a
// resource. Offsets are UTF-16 code units of the canonical text.
import { FootnoteError } from '../core/errors.ts';
import type { DocumentDetail, Footnote } from '../footnote/facade.ts';

export interface Place {
  readonly documentId: string;
  readonly start?: number;
  readonly end?: number;
}

const scheme = 'footnote://document/';
export const resourceTemplate = `${scheme}{id}{#span}`;

const pattern = /^(?<documentId>.+?)(?:[:#](?<start>\d{1,15})-(?<end>\d{1,15}))?$/su;

/** Reads either name. Throws `invalid-request` for anything else. */
export function placeOf(name: string): Place {
  const { documentId, start, end } = pattern.exec(name.replace(scheme, ''))?.groups ?? {};
  if (documentId === undefined)
    throw new FootnoteError('invalid-request', 'An id is that of a search result, or of a document of a list.');
  return {
    documentId,
    ...(start !== undefined && { start: Number(start), end: Number(end) }),
  };
}

type Spanned = Required<Place>;
export const idOf = ({ documentId, start, end }: Spanned): string => `${documentId}:${start}-${end}`;
export const resourceOf = ({ documentId, start, end }: Place): string =>
  `${scheme}${documentId}${start === undefined ? '' : `#${start}-${end}`}`;
export const viewOf = (address: string, { documentId, start, end }: Spanned): string =>
  `${address}/v1/documents/${encodeURIComponent(documentId)}/view?start=${start}&end=${end}`;

/** Longer texts come in parts. */
export const mostCharacters = 20_000;

export interface Part extends Spanned {
  readonly document: DocumentDetail;
  readonly text: string;
  /** What follows, as far as it was asked for. */
  readonly next?: Spanned;
}

/** The text of a place, or the first part of a long one: cut between lines, else between words. Throws what reading it throws. */
export async function readPart({ documents }: Pick<Footnote, 'documents'>, place: Place): Promise<Part> {
  const document = await documents.get(place.documentId);
  const { documentId, start = 0, end = document.textLength } = place;
  const isLong = end - start > mostCharacters;
  const { text } = await documents.text(documentId, { start, end: isLong ? start + mostCharacters : end });
  if (!isLong) return { document, documentId, start, end, text };
  const room = mostCharacters / 2;
  const gap = [text.lastIndexOf('\n'), text.lastIndexOf(' ')].find((at) => at >= room);
  // Half a character is none.
  const cut = gap === undefined ? mostCharacters - (/[\ud800-\udbff]$/u.test(text) ? 1 : 0) : gap + 1;
  const next = { documentId, start: start + cut, end };
  return { document, documentId, start, end: start + cut, text: text.slice(0, cut), next };
}
