// A document as the source pane shows it, and parts of its text.
import { callJson, keyVersion } from '../shared/api.ts';

export interface ShownDocument {
  readonly id: string;
  readonly title: string;
  readonly uri: string;
  readonly source: string;
  readonly mime: string;
  readonly language?: string;
  readonly updatedAt: string;
  readonly textLength: number;
  readonly citeByLine: boolean;
  readonly revision: number;
  readonly chunks: number;
  readonly warnings: readonly string[];
  readonly deliveries: readonly {
    readonly store: string;
    readonly status: string;
    readonly attempts: number;
    readonly lastError?: string;
  }[];
  readonly duplicates: readonly {
    readonly documentId: string;
    readonly title: string;
    readonly similarity: number;
  }[];
}

export interface TextPart {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** UTF-16 code units that are laid out at once. */
export const partLength = 200_000;

const pathOf = (id: string): string => `v1/documents/${encodeURIComponent(id)}`;
export const filePath = (id: string): string => `${pathOf(id)}/file`;

const documents = new Map<string, Promise<ShownDocument>>();
/** So long several parts of a page share what was fetched: its title, its source and its facts. */
const sharedMs = 5000;

/** What was fetched with another key is fetched anew. */
export function loadDocument(id: string): Promise<ShownDocument> {
  const name = `${keyVersion.value} ${id}`;
  const known = documents.get(name);
  if (known) return known;
  const fetched = callJson<ShownDocument>(pathOf(id));
  documents.set(name, fetched);
  const forget = (): boolean => documents.delete(name);
  fetched.then(() => setTimeout(forget, sharedMs), forget);
  return fetched;
}

export const loadText = (
  id: string,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<TextPart> => callJson(`${pathOf(id)}/text?start=${start}&end=${end}`);

/** The part of a text that is shown around a span: whole where it fits, else with more after the span than before it. */
export function partAround(span: { readonly start: number; readonly end: number }, textLength: number) {
  if (textLength <= partLength) return { start: 0, end: textLength };
  const start = Math.max(0, Math.min(span.start - partLength / 4, textLength - partLength));
  return { start, end: Math.min(textLength, Math.max(start + partLength, span.end)) };
}
