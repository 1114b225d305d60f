import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chunk, DocumentRecord, Page } from '../../src/core/document.ts';
import { chunkIdOf, sha256 } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../src/db/sqlite.ts';
import { createSpanReader, lineAt, pageAt } from '../../src/footnote/span-reader.ts';

const text = 'First line.\nSecond line here.\n\nThird paragraph on page two.';
const pages: Page[] = [
  { number: 1, start: 0, end: 30, width: 600, height: 800 },
  { number: 2, label: 'ii', start: 31, end: text.length, width: 600, height: 800 },
];

function chunkOf(documentId: string, start: number, end: number): Chunk {
  const slice = text.slice(start, end);
  return {
    id: chunkIdOf(documentId, sha256(text), { start, end }),
    documentId,
    ordinal: 0,
    start,
    end,
    text: slice,
    hash: sha256(slice),
    headingPath: [],
    pages: [1, 2],
    lines: [1, 4],
    tokens: 10,
  };
}

const document: DocumentRecord = {
  id: 'd1',
  source: 's',
  sourceType: 'docs',
  uri: 'a.txt',
  title: 'A',
  mime: 'text/plain',
  revision: 1,
  updatedAt: '2026-01-01T00:00:00.000Z',
  contentHash: sha256(text),
  textHash: sha256(text),
  textLength: text.length,
  chunkCount: 1,
  metadata: {},
  citeByLine: true,
  warnings: [],
};

describe('createSpanReader', () => {
  let folder: string;
  let database: SqliteRecordDatabase;
  const chunk = chunkOf('d1', 0, text.length);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-span-'));
    database = openSqliteRecord({ folder });
    await database.forScope(localScope()).transact((transaction) => {
      transaction.putSource({ name: 's', type: 'docs' });
      transaction.putDocument({ document, text, chunks: [chunk], structure: { pages, headings: [], words: [] } });
    });
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  const at = (start: number, end: number, overrides: object = {}) => ({
    documentId: 'd1',
    chunkId: chunk.id,
    start,
    end,
    ...overrides,
  });

  it('reads the exact text with its page and lines', async () => {
    const read = createSpanReader(database.forScope(localScope()));
    expect(await read(at(12, 29))).toMatchObject({ quote: 'Second line here.', page: 1, lines: [2, 2], title: 'A' });
    expect(await read(at(31, text.length))).toMatchObject({
      quote: 'Third paragraph on page two.',
      page: 2,
      place: 'page ii',
      lines: [4, 4],
    });
  });

  it.each([
    ['another document', { documentId: 'd2' }],
    ['another chunk', { chunkId: 'chk_none' }],
    ['beyond the end', { end: text.length + 1 }],
    ['an empty span', { start: 5, end: 5 }],
    ['a broken offset', { start: 1.5 }],
    ['a negative offset', { start: -1 }],
  ])('does not know %s', async (_, overrides) => {
    const read = createSpanReader(database.forScope(localScope()));
    expect(await read(at(0, 5, overrides))).toBeUndefined();
  });

  it('does not cross tenants', async () => {
    const read = createSpanReader(database.forScope(localScope('other')));
    expect(await read(at(0, 5))).toBeUndefined();
  });
});

describe('pageAt and lineAt', () => {
  it('find pages and lines at their borders', () => {
    expect(pageAt(pages, 0)?.number).toBe(1);
    expect(pageAt(pages, 30)?.number).toBe(1);
    expect(pageAt(pages, 31)?.number).toBe(2);
    expect(pageAt([], 3)).toBeUndefined();
    expect([0, 11, 12, 30].map((position) => lineAt(text, position))).toEqual([1, 1, 2, 3]);
  });
});
