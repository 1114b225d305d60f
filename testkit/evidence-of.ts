// Evidence for tests: passages of our own, one chunk each, with offsets as in a document.
import type { Evidence } from '../src/core/search.ts';

export interface Passage {
  readonly id: string;
  readonly text: string;
  readonly title?: string;
  readonly score?: number;
  readonly documentId?: string;
  /** Where the chunk starts in its document. */
  readonly start?: number;
}

export function evidenceOf(passage: Passage): Evidence {
  const { id, text, title = '', score = 1, documentId = `doc-${id}`, start = 0 } = passage;
  return {
    chunkId: id,
    documentId,
    title,
    uri: `${documentId}.txt`,
    url: '',
    source: 'test',
    sourceType: 'docs',
    stores: ['embedded'],
    text,
    start,
    end: start + text.length,
    headingPath: [],
    score,
    scores: { bm25: score, fused: score },
    ranks: { embedded: 1 },
    alsoIn: [],
    related: [],
  };
}
