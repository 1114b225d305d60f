// What is kept is of one revision of a tenant's documents, and within its bound.
import { describe, expect, it } from 'vitest';
import type { Chunk, DocumentRecord } from '../../../../src/core/document.ts';
import { freezeJson, keptJson } from '../../../../src/core/traces/kept-json.ts';
import {
  type ChunkInDocument,
  createRowCache,
  frozenChunk,
  type TenantRows,
} from '../../../../src/db/sqlite/documents/row-cache.ts';
import { createWrite } from '../../../../testkit/record-fixture.ts';

function rowOf(text: string, id: string): ChunkInDocument {
  const { chunks, document } = createWrite(text, { id });
  const [chunk] = chunks;
  if (chunk === undefined) throw new Error('a text has a chunk');
  return frozenChunk(freezeJson<Chunk>(chunk), freezeJson<DocumentRecord>(document));
}

const keepRow = (rows: TenantRows, row: ChunkInDocument): void => {
  rows.keep('documents', row.document.id, row.document);
  rows.keep('chunks', row.chunk.id, row);
};

/** A row of ASCII with 100 characters takes about 3,600 bytes with its document. */
const rowsOf = (count: number): readonly ChunkInDocument[] =>
  Array.from({ length: count }, (_, at) => rowOf(String(at).padEnd(100, 'x'), `d${at}`));

const keptOf = (rows: TenantRows, all: readonly ChunkInDocument[]): number =>
  all.filter(({ chunk }) => rows.get('chunks', chunk.id) !== undefined).length;

describe('the cache of rows', () => {
  it('gives the very rows while the revision is the same, and nothing of another or of another tenant', () => {
    const cache = createRowCache();
    const row = rowOf('a river', 'd');
    keepRow(cache.at('t', 1), row);
    expect(cache.at('t', 1).get('chunks', row.chunk.id)).toBe(row);
    expect(cache.at('u', 1).get('chunks', row.chunk.id)).toBeUndefined();
    expect(cache.at('t', 2).get('chunks', row.chunk.id)).toBeUndefined();
    // Not even for who still believes in the old one.
    expect(cache.at('t', 1).get('chunks', row.chunk.id)).toBeUndefined();
    expect(cache.at('t', 1).get('documents', 'd')).toBeUndefined();
  });

  it('keeps within its bound, what was used last longest', () => {
    const cache = createRowCache(400_000);
    const rows = cache.at('t', 1);
    const all = rowsOf(400);
    const [favourite] = all;
    if (favourite === undefined) throw new Error('there are rows');
    for (const row of all) {
      keepRow(rows, row);
      expect(rows.get('chunks', favourite.chunk.id)).toBe(favourite);
    }
    expect(rows.get('documents', favourite.document.id)).toBe(favourite.document);
    const newest = all.slice(-20);
    expect(keptOf(rows, newest)).toBe(newest.length);
    // Read from the newest on, so that looking does not drive out what is looked for.
    const kept = keptOf(rows, [...all].reverse());
    expect(kept).toBeGreaterThan(40);
    expect(kept).toBeLessThan(130);
  });

  it('shares its bound between tenants, whatever order they come in', () => {
    const cache = createRowCache(400_000);
    const all = rowsOf(100);
    for (let at = 0; at < 40; at += 1) for (const row of all) keepRow(cache.at(`t${at}`, 1), row);
    let kept = 0;
    for (let at = 39; at >= 0; at -= 1) kept += keptOf(cache.at(`t${at}`, 1), all);
    expect(kept).toBeGreaterThan(40);
    expect(kept).toBeLessThan(130);
  });

  it('forgets what a tenant that changes took of the bound', () => {
    const cache = createRowCache(400_000);
    const quiet = rowsOf(20);
    for (const row of quiet) keepRow(cache.at('quiet', 1), row);
    for (let revision = 1; revision < 200; revision += 1)
      for (const row of quiet) keepRow(cache.at('busy', revision), row);
    expect(keptOf(cache.at('quiet', 1), quiet)).toBe(quiet.length);
  });

  it('does not keep what would drive out everything else', () => {
    const rows = createRowCache(400_000).at('t', 1);
    const { document } = rowOf('a river', 'd');
    rows.keep('texts', 'd', { document, text: 'x'.repeat(7_000) });
    expect(rows.get('texts', 'd')).toBeUndefined();
    rows.keep('texts', 'd', { document, text: 'x'.repeat(3_000) });
    expect(rows.get('texts', 'd')?.text).toHaveLength(3_000);
  });

  it('gives rows that nobody can change, with the JSON that they have', () => {
    const row = rowOf('Zürich, "東京"\n', 'd');
    expect(JSON.parse(keptJson(row) ?? '')).toEqual(JSON.parse(JSON.stringify(row)));
    expect(keptJson(row)).toBe(JSON.stringify(row));
    const headingPath = row.chunk.headingPath as string[];
    expect(() => headingPath.push('changed')).toThrow(TypeError);
    expect(() => Object.assign(row.document, { title: 'changed' })).toThrow(TypeError);
    // A changed copy is not taken for what it was copied from.
    expect(keptJson({ ...row, document: { ...row.document, title: 'changed' } })).toBeUndefined();
  });
});
