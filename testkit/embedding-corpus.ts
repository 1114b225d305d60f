// A record with many chunks for measurements of embedding: ten chunks a document, each of its own words, with their index; and the
// check that every chunk has the vector of its own text in the end.
import type { DocumentRecord } from '../src/core/document.ts';
import { chunkIdOf, sha256 } from '../src/core/ids.ts';
import { localScope } from '../src/core/scope.ts';
import { openSqliteRecord } from '../src/db/sqlite/sqlite.ts';
import { createEmbeddedStore } from '../src/stores/embedded/embedded-store.ts';
import { vectorNumberOf, vectorsOf } from './embedding-vectors.ts';
import { createSpeedCorpus } from './engine-corpus.ts';
import { putAll } from './record-changes.ts';

const chunksPerDocument = 10;
const documentsTogether = 50;

/** What the model is given of a chunk, as composition does it (src/footnote/roles/embedders.ts). */
const given = (title: string, text: string): string => `${title}\n${text}`;

export async function writeCorpus(folder: string, chunks: number): Promise<void> {
  const database = openSqliteRecord({ folder });
  const store = createEmbeddedStore({ database, scope: localScope() });
  const corpus = createSpeedCorpus(1, chunks);
  const documents = Math.ceil(chunks / chunksPerDocument);
  for (let from = 0; from < documents; from += documentsTogether) {
    const writes = Array.from({ length: Math.min(documentsTogether, documents - from) }, (_, at) =>
      documentOf(from + at, (place) => corpus.chunk((from + at) * chunksPerDocument + place)),
    );
    await store.prepare?.(writes);
    await database.forScope(localScope()).commit(putAll(writes, store));
  }
  await database.close();
}

function documentOf(index: number, textOf: (place: number) => string) {
  const id = `d${String(index).padStart(6, '0')}`;
  const pieces = Array.from({ length: chunksPerDocument }, (_, place) => textOf(place));
  const text = pieces.join('\n');
  const textHash = sha256(text);
  let start = 0;
  const chunks = pieces.map((piece, ordinal) => {
    const end = start + piece.length;
    const chunk = {
      id: chunkIdOf(id, textHash, { start, end }),
      documentId: id,
      ordinal,
      start,
      end,
      text: piece,
      hash: sha256(piece),
      headingPath: [],
      tokens: Math.ceil(piece.length / 4),
    };
    start = end + 1;
    return chunk;
  });
  const document: DocumentRecord = {
    id,
    source: 'bench',
    sourceType: 'docs',
    uri: `${id}.txt`,
    title: id,
    mime: 'text/plain',
    language: 'en',
    revision: 1,
    updatedAt: '2026-01-02T03:04:05.000Z',
    contentHash: textHash,
    textHash,
    textLength: text.length,
    chunkCount: chunks.length,
    metadata: {},
    citeByLine: false,
    warnings: [],
  };
  return { document, text, chunks, structure: { pages: [], headings: [], words: [] } };
}

export interface VectorCheck {
  readonly chunks: number;
  /** Chunks with the vector of their own text. */
  readonly right: number;
}

/** Reads every block of the space as it lies in the record. */
export async function checkVectorsOf(folder: string, dimensions: number): Promise<VectorCheck> {
  const database = openSqliteRecord({ folder });
  const expected = vectorsOf(dimensions).map((vector) => Buffer.from(vector.buffer));
  let [chunks, right] = [0, 0];
  try {
    database.read((connection) => {
      const rows = connection
        .prepare(
          `SELECT c.text, d.title, c.ordinal, b.bytes FROM chunk AS c
           JOIN document AS d ON d.tenant = c.tenant AND d.id = c.document_id
           LEFT JOIN vector_block AS b ON b.tenant = c.tenant AND b.document_id = c.document_id AND b.bytes IS NOT NULL`,
        )
        .iterate();
      for (const { text, title, ordinal, bytes } of rows) {
        chunks += 1;
        if (!bytes) continue;
        const { number } = vectorNumberOf(given(String(title), String(text)));
        const at = Number(ordinal) * dimensions * 4;
        if (isNear(Buffer.from(bytes as Uint8Array).subarray(at, at + dimensions * 4), expected[number])) right += 1;
      }
    });
  } finally {
    await database.close();
  }
  return { chunks, right };
}

/** They are brought to length 1 once more on their way. */
function isNear(found: Buffer, wanted: Buffer | undefined): boolean {
  if (!wanted || found.length !== wanted.length) return false;
  for (let at = 0; at < found.length; at += 4)
    if (Math.abs(found.readFloatLE(at) - wanted.readFloatLE(at)) > 1e-6) return false;
  return true;
}
