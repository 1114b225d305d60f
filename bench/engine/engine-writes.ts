// Documents of one chunk as ingestion would write them, for benchmarks that go through the record and the store.
import type { DocumentRecord } from '../../src/core/document.ts';
import { chunkIdOf, sha256 } from '../../src/core/ids.ts';

export function toWrite(number: number, text: string) {
  const id = `d${number}`;
  const textHash = sha256(text);
  const span = { start: 0, end: text.length };
  const document: DocumentRecord = {
    id,
    source: 'speed',
    sourceType: 'docs',
    uri: `${id}.txt`,
    title: '',
    mime: 'text/plain',
    language: 'en',
    revision: 1,
    updatedAt: '2026-01-01T00:00:00.000Z',
    contentHash: textHash,
    textHash,
    textLength: text.length,
    chunkCount: 1,
    metadata: {},
    citeByLine: false,
    warnings: [],
  };
  const chunk = {
    id: chunkIdOf(id, textHash, span),
    documentId: id,
    ordinal: 0,
    ...span,
    text,
    hash: textHash,
    headingPath: [],
    tokens: 150,
  };
  return { document, text, chunks: [chunk], structure: { pages: [], headings: [], words: [] } };
}
