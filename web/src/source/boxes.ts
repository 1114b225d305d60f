// Where words stand on pages, as the record has it: the boxes of a span, one a line, or each word of a page.
import { callJson } from '../shared/api.ts';

export interface PageSize {
  readonly number: number;
  readonly label?: string;
  readonly width: number;
  readonly height: number;
}
export interface Box {
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** UTF-16 offsets into the canonical text. */
  readonly start: number;
  readonly end: number;
}
export interface Boxes {
  readonly pages: readonly PageSize[];
  readonly boxes: readonly Box[];
}

const load = (id: string, query: string): Promise<Boxes> =>
  callJson(`v1/documents/${encodeURIComponent(id)}/boxes?${query}`);

/** Refused with the reason where nothing of the span can be boxed. */
export const boxesOfSpan = (id: string, { start, end }: { readonly start: number; readonly end: number }) =>
  load(id, `start=${start}&end=${end}`);

export const wordsOfPage = (id: string, page: number): Promise<Boxes> => load(id, `page=${page}`);
