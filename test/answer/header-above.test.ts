// A row of a long table is judged by the header that stands in an earlier chunk of its document: the reader of the record names its columns.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyDraft } from '../../src/answer/verify.ts';
import type { Chunk, DocumentRecord } from '../../src/core/document.ts';
import { chunkIdOf, sha256 } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../src/db/sqlite/sqlite.ts';
import { createSpanReader } from '../../src/footnote/record/span-reader.ts';

const row = 'Q350 | 5.6 | 12';
const text = `Station | Salinity | Depth (m)\nQ348 | 7.1 | 30\nQ349 | 6.2 | 18\n${row}\nQ351 | 4.2 | 44`;
const start = text.indexOf(row);
const chunks = [
  [0, start - 1],
  [start, text.length],
].map(([from = 0, end = 0], ordinal): Chunk => {
  const part = text.slice(from, end);
  return {
    id: chunkIdOf('d1', sha256(text), { start: from, end }),
    documentId: 'd1',
    ordinal,
    start: from,
    end,
    text: part,
    hash: sha256(part),
    headingPath: [],
    tokens: 10,
  };
});

describe('a row whose header stands in an earlier chunk', () => {
  let folder: string;
  let database: SqliteRecordDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-header-'));
    database = openSqliteRecord({ folder });
    const document: DocumentRecord = {
      id: 'd1',
      source: 's',
      sourceType: 'docs',
      uri: 'a.txt',
      title: 'Stations',
      mime: 'text/plain',
      revision: 1,
      updatedAt: '2026-01-01T00:00:00.000Z',
      contentHash: sha256(text),
      textHash: sha256(text),
      textLength: text.length,
      chunkCount: 2,
      metadata: {},
      citeByLine: true,
      warnings: [],
    };
    await database.forScope(localScope()).commit([
      { kind: 'put-source', source: { name: 's', type: 'docs' } },
      { kind: 'put-document', write: { document, text, chunks, structure: { pages: [], headings: [], words: [] } } },
    ]);
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  const verify = (claim: string) => {
    const span = { documentId: 'd1', chunkId: chunks[1]?.id ?? '', start, end: start + row.length };
    const draft = { claims: [{ text: claim, spans: [span], relevance: 1 }] };
    return verifyDraft(draft, createSpanReader(database.forScope(localScope())));
  };

  it('carries what its columns say, cited alone', async () => {
    const { claims } = await verify('The salinity of station Q350 was 5.6.');
    expect(claims).toMatchObject([{ spans: [{ quote: row }], notes: ['read-by-columns: Salinity'] }]);
  });
  it('does not carry what they say of another column', async () => {
    const { claims, dropped } = await verify('The salinity of station Q350 was 12 m.');
    expect(claims).toEqual([]);
    expect(dropped[0]?.reasons[0]).toMatch(/^not-in-row: /);
  });
});
