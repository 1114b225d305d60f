// One document as the file that the vector store is given: its canonical text, put together again from its chunks, which may overlap.
// Invariant: every stretch between two marks is a stretch of the canonical text, so that what the vendor cuts out of it can be found there.
import type { Chunk } from '../../core/document.ts';
import { sha256 } from '../../core/ids.ts';

export interface CanonicalFile {
  /** Tells whose it is and what it holds, so that a file whose upload was not confirmed is known again. */
  readonly name: string;
  readonly text: string;
  /** Of the text and of how it is written. */
  readonly textHash: string;
}

/** Stands where the chunks leave something out: running heads, templates of a site. */
const gap = '\n\f\n';

const shortHash = (text: string): string => sha256(text).slice(0, 24);

/** What the names of all files of one vector store begin with. */
export const namePrefix = (vectorStoreId: string): string => `footnote-${shortHash(vectorStoreId)}-`;
/** … and of all files of one document there. */
export const documentPrefix = (vectorStoreId: string, documentId: string): string =>
  `${namePrefix(vectorStoreId)}${shortHash(documentId)}-`;
/** Whether a file has the name of one of a document, in whatever vector store. */
export const isFileOf = (name: string, documentId: string): boolean => {
  const [program, , document] = name.split('-', 3);
  return program === 'footnote' && document === shortHash(documentId);
};

function joined(chunks: readonly Chunk[]): string {
  let text = '';
  let reached: number | undefined;
  for (const chunk of [...chunks].sort((left, right) => left.start - right.start || left.end - right.end)) {
    if (reached !== undefined && chunk.end <= reached) continue;
    if (reached !== undefined && chunk.start > reached) text += gap;
    text += chunk.text.slice(Math.max(0, (reached ?? chunk.start) - chunk.start));
    reached = chunk.end;
  }
  return text;
}

/** Undefined where there is nothing to index: the vendor takes no empty file. */
export function canonicalFileOf(
  vectorStoreId: string,
  documentId: string,
  chunks: readonly Chunk[],
): CanonicalFile | undefined {
  const text = joined(chunks).toWellFormed();
  if (text.trim() === '') return undefined;
  const textHash = shortHash(text);
  return { name: `${documentPrefix(vectorStoreId, documentId)}${textHash}.txt`, text, textHash };
}

/** Of a piece that the vendor cut, the longest stretch that stands in the canonical text as it is. */
export function stretchOf(piece: string): string {
  const stretches = piece.split('\f').map((stretch) => stretch.trim());
  return stretches.reduce((longest, stretch) => (stretch.length > longest.length ? stretch : longest), '');
}
