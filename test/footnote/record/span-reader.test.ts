import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chunk, DocumentRecord, Page } from '../../../src/core/document.ts';
import { chunkIdOf, sha256 } from '../../../src/core/ids.ts';
import { localScope } from '../../../src/core/scope.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../../src/db/sqlite/sqlite.ts';
import { createSpanReader, lineAt, pageAt } from '../../../src/footnote/record/span-reader.ts';

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
    await database.forScope(localScope()).commit([
      { kind: 'put-source', source: { name: 's', type: 'docs' } },
      {
        kind: 'put-document',
        write: { document, text, chunks: [chunk], structure: { pages, headings: [], words: [] } },
      },
    ]);
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

describe('a long document', () => {
  it('is read like a short one, without its whole text where the chunk says all', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) =>
      at % 500 === 0 ? `| boat ${at} | ${at} m | Brenna |` : `Line ${at} tells of boat ${at} and of pier ${at % 7}.`,
    );
    const long = lines.join('\n');
    const starts = lines.map((_, at) => lines.slice(0, at).reduce((sum, line) => sum + line.length + 1, 0));
    const size = 400;
    const chunks = Array.from({ length: lines.length / size }, (_, ordinal): Chunk => {
      const [first, last] = [ordinal * size, ordinal * size + size - 1];
      const [start, end] = [starts[first] ?? 0, (starts[last] ?? 0) + (lines[last] ?? '').length];
      const slice = long.slice(start, end);
      return {
        id: chunkIdOf('d2', sha256(long), { start, end }),
        documentId: 'd2',
        ordinal,
        start,
        end,
        text: slice,
        hash: sha256(slice),
        headingPath: [],
        lines: [first + 1, last + 1],
        tokens: 10,
      };
    });
    const hash = sha256(long);
    const facts = { uri: 'long.txt', contentHash: hash, textHash: hash, textLength: long.length };
    const folder = await mkdtemp(join(tmpdir(), 'footnote-span-'));
    const database = openSqliteRecord({ folder });
    await database.forScope(localScope()).commit([
      { kind: 'put-source', source: { name: 's', type: 'docs' } },
      {
        kind: 'put-document',
        write: {
          document: { ...document, ...facts, id: 'd2', chunkCount: chunks.length },
          text: long,
          chunks,
          structure: { pages: [], headings: [], words: [] },
        },
      },
    ]);
    const record = database.forScope(localScope());
    let whole = 0;
    const counting = {
      ...record,
      documents: {
        ...record.documents,
        text: (id: string) => {
          whole += 1;
          return record.documents.text(id);
        },
      },
    };
    for (const chunk of chunks)
      for (const at of [1, 2, 250, size - 1]) {
        const line = chunk.ordinal * size + at;
        const start = starts[line] ?? 0;
        const end = start + (lines[line] ?? '').length;
        const isRow = line % 500 === 0;
        const before = whole;
        const read = createSpanReader(counting);
        expect(await read({ documentId: 'd2', chunkId: chunk.id, start, end })).toMatchObject({
          quote: lines[line],
          lines: [line + 1, line + 1],
        });
        expect(whole - before).toBe(isRow ? 1 : 0);
      }
    await database.close();
    await rm(folder, { recursive: true });
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
