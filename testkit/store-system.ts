// The system under measurement without its doors: the record, the chunker and the embedded store, as ingestion uses them,
// in a folder that is thrown away. Asking is measured by bench/answers.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsedDocument } from '@footnote/readers/canonical/canonical-text';
import type { DocumentRecord } from '../src/core/document.ts';
import { FootnoteError } from '../src/core/errors.ts';
import { sha256 } from '../src/core/ids.ts';
import { localScope } from '../src/core/scope.ts';
import type { DocumentRepository } from '../src/db/repositories/documents.ts';
import { openSqliteRecord } from '../src/db/sqlite/sqlite.ts';
import type { EvaluatedDocument, EvaluatedSystem } from '../src/evals/system.ts';
import { chunkDocument } from '../src/ingest/chunk/chunk.ts';
import { createEmbeddedStore } from '../src/stores/embedded/embedded-store.ts';
import type { Store } from '../src/stores/store.ts';
import { detectLanguage } from '../src/text/language/language.ts';
import { putAll } from './record-changes.ts';

const batchSize = 200;

/** The chunks of a plain text, as ingestion cuts it unless told otherwise. */
export function cutPlainText({
  id,
  title,
  text,
}: {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}) {
  return chunkDocument(
    parsedDocument({ text, title, mime: 'text/plain', blocks: [{ kind: 'paragraph', start: 0, end: text.length }] }),
    { documentId: id, textHash: sha256(text), maxTokens: 1000, overlapTokens: 100, minTokens: 100 },
  );
}

export function toWrite(document: EvaluatedDocument) {
  const { id, title, metadata = {}, uri = `${id}.txt` } = document;
  const text = document.text === '' ? title : document.text;
  const { language, reliable } = detectLanguage(`${title}\n${text}`);
  const chunks = cutPlainText({ id, title, text });
  const record: DocumentRecord = {
    id,
    source: 'evaluation',
    sourceType: 'docs',
    uri,
    title,
    mime: 'text/plain',
    ...(reliable ? { language } : {}),
    revision: 1,
    updatedAt: '2026-01-01T00:00:00.000Z',
    contentHash: sha256(text),
    textHash: sha256(text),
    textLength: text.length,
    chunkCount: chunks.length,
    metadata,
    citeByLine: false,
    warnings: [],
  };
  return { document: record, text, chunks, structure: { pages: [], headings: [], words: [] } };
}

/** With what it searches by, for benches that put something in between. */
export interface StoreSystem extends EvaluatedSystem {
  readonly store: Store;
  readonly documents: DocumentRepository;
}

export async function openStoreSystem(): Promise<StoreSystem> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-bench-'));
  const database = openSqliteRecord({ folder });
  const scope = localScope();
  const record = database.forScope(scope);
  const store = createEmbeddedStore({ database, scope });

  return {
    store,
    documents: record.documents,
    async ingest(documents) {
      let chunks = 0;
      let count = 0;
      let batch: ReturnType<typeof toWrite>[] = [];
      const flush = async (): Promise<void> => {
        const writes = batch;
        batch = [];
        await record.commit(putAll(writes, store));
      };
      for await (const document of documents) {
        const write = toWrite(document);
        chunks += write.chunks.length;
        count++;
        batch.push(write);
        if (batch.length >= batchSize) await flush();
      }
      await flush();
      return { documents: count, chunks, failed: [] };
    },
    async search(query, { limit, filter }, signal) {
      const page = await store.search({ text: query, mode: 'lexical', limit, ...(filter ? { filter } : {}) }, signal);
      return page.hits;
    },
    ask: () => Promise.reject(new FootnoteError('unsupported', 'This system only searches.')),
    async close() {
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
