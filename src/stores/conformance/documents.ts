// Documents that stores are tried with: small, generated, sound (hashes and offsets fit).
import type { Chunk, DocumentRecord } from '../../core/document.ts';
import { chunkIdOf, documentIdOf, sha256 } from '../../core/ids.ts';
import type { StoreDocument } from '../delivered.ts';

export interface TrialDocument extends StoreDocument {
  /** The canonical text, of which each chunk is a slice. */
  readonly text: string;
}

const chunkLength = 200;

/** A sound revision: chunks of 200 code units that never cut a character in two. */
export function createTrialDocument(text: string, facts: Partial<DocumentRecord> = {}): TrialDocument {
  const source = facts.source ?? 'notes';
  const uri = facts.uri ?? `${sha256(text).slice(0, 12)}.md`;
  const id = facts.id ?? documentIdOf(source, uri);
  const textHash = sha256(text);
  const chunks: Chunk[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + chunkLength);
    if (end < text.length && /[\uD800-\uDBFF]/u.test(text[end - 1] ?? '')) end -= 1;
    const piece = text.slice(start, end);
    chunks.push({
      id: chunkIdOf(id, textHash, { start, end }),
      documentId: id,
      ordinal: chunks.length,
      start,
      end,
      text: piece,
      hash: sha256(piece),
      headingPath: ['Notes', 'Part'],
      lines: [1, 2],
      tokens: Math.ceil(piece.length / 4),
    });
    start = end;
  }
  return {
    document: {
      sourceType: 'docs',
      title: `Title of ${uri}`,
      mime: 'text/markdown',
      revision: 1,
      updatedAt: '2026-01-02T03:04:05.000Z',
      contentHash: textHash,
      metadata: {},
      citeByLine: true,
      warnings: [],
      ...facts,
      id,
      source,
      uri,
      textHash,
      textLength: text.length,
      chunkCount: chunks.length,
    },
    text,
    chunks,
  };
}
