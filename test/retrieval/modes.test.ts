// The three modes over a real store, with a model that was learned from its documents.
import { describe, expect, it } from 'vitest';
import type { Evidence, Mode } from '../../src/core/search.ts';
import { modes } from '../../src/core/search.ts';
import { termOf } from '../../src/text/analyze.ts';
import { scopeOf } from '../../testkit/record-fixture.ts';
import { semanticCorpusForAllTests } from './semantic-corpus.ts';

const corpus = semanticCorpusForAllTests();

const search = (request: { query: string; mode: Mode; topK?: number; explain?: boolean }, scope = scopeOf()) =>
  corpus.search(undefined, scope)(request);
const idsOf = (evidence: readonly Evidence[]): string[] => evidence.map(({ chunkId }) => chunkId);
const subjectsOf = (evidence: readonly Evidence[]): string[] => [...new Set(evidence.map(({ source }) => source))];

describe('search in three modes', () => {
  it('finds by meaning what does not hold the word', async () => {
    const words = await search({ query: 'otter', mode: 'embedded', topK: 30 });
    const meaning = await search({ query: 'otter', mode: 'vector', topK: 16 });
    expect(words.evidence.every(({ text }) => text.includes('otter'))).toBe(true);
    expect(subjectsOf(meaning.evidence)).toEqual(['water']);
    expect(meaning.evidence.some(({ text }) => !text.includes('otter'))).toBe(true);
    expect(meaning.evidence.every(({ scores }) => scores.bm25 === undefined && scores.vector === scores.fused)).toBe(
      true,
    );
    expect([words.degraded, meaning.degraded]).toEqual([[], []]);
  });

  it('joins both: every hit of the words, and beyond them what means the same', async () => {
    const words = await search({ query: 'otter burrow', mode: 'embedded', topK: 64 });
    const both = await search({ query: 'otter burrow', mode: 'hybrid', topK: 64 });
    expect(idsOf(both.evidence)).toEqual(expect.arrayContaining(idsOf(words.evidence)));
    expect(both.evidence.length).toBeGreaterThan(words.evidence.length);
    expect(both.evidence[0]?.text).toMatch(/otter.*burrow|burrow.*otter/);
  });

  it('explains hybrid by what each mode alone returns, in sums that hold', async () => {
    const request = { query: 'audit of the ledger', topK: 8, explain: true };
    const [words, meaning, both] = await Promise.all(modes.map((mode) => search({ ...request, mode })));
    if (!words || !meaning || !both) throw new Error('a mode is missing');
    expect(both.legs).toEqual({ lexical: idsOf(words.evidence), vector: idsOf(meaning.evidence) });
    for (const { chunkId, explanation, scores, ranks, text } of both.evidence) {
      for (const { term, fields } of explanation?.terms ?? []) {
        const own = explanation?.matches?.filter((match) => match.term === term) ?? [];
        expect(own).toHaveLength(fields?.body ?? 0);
        for (const { start, end } of own) expect(termOf(text.slice(start, end), 'en')).toBe(term);
      }
      const { lexical, vector } = explanation?.fusion ?? {};
      expect((lexical?.contribution ?? 0) + (vector?.contribution ?? 0)).toBe(scores.fused);
      const alone = words.evidence.find((one) => one.chunkId === chunkId);
      if (!alone) continue;
      expect(lexical).toMatchObject({ rank: alone.ranks['embedded'], score: alone.score });
      expect(ranks).toMatchObject({ embedded: lexical?.rank, hybrid: expect.any(Number) });
      const { terms = [], proximity = [] } = explanation ?? {};
      const sum = [...terms, ...proximity].reduce((total, { weight }) => total + weight, 0);
      expect(sum).toBeCloseTo(lexical?.score ?? 0, 5);
    }
    const notes = both.evidence[0]?.explanation?.notes.join('\n');
    expect(notes).toMatch(/cosine similarity/);
    expect(notes).toMatch(/half way between the query and its best hits by words: \S+/);
    expect(notes).toMatch(/guard: \d+ of the first 10 hits/);
  });

  it('shows nobody what is not theirs, by words or by meaning', async () => {
    const reader = scopeOf('default', 'key:r', 'reader', []);
    for (const mode of modes) {
      const all = await search({ query: 'audit ledger', mode, topK: 64 });
      const some = await search({ query: 'audit ledger', mode, topK: 64 }, reader);
      const hidden = (evidence: readonly Evidence[]) =>
        evidence.filter(({ documentId, source }) => source === 'money' && Number(documentId.split('-')[1]) % 2 === 0);
      expect(hidden(all.evidence).length, mode).toBeGreaterThan(0);
      expect(hidden(some.evidence), mode).toEqual([]);
      expect(some.evidence.length, mode).toBeGreaterThan(0);
    }
  });

  it('keeps to a filter in both legs', async () => {
    const filtered = corpus.search();
    for (const mode of modes) {
      const { evidence } = await filtered({
        query: 'otter moon',
        mode,
        topK: 64,
        filter: { op: 'eq', field: 'source', value: 'sky' },
      });
      expect(subjectsOf(evidence), mode).toEqual(['sky']);
    }
  });

  it('returns the same twice', async () => {
    for (const mode of modes)
      expect((await search({ query: 'rye loaf', mode })).evidence).toEqual(
        (await search({ query: 'rye loaf', mode })).evidence,
      );
  });

  it('goes on with the model that took the place of the one it began with', async () => {
    const before = corpus.learned();
    const learned = await corpus.learn(8);
    expect(learned.space).not.toBe(before.space);
    const models = [before, learned];
    const searching = corpus.search({ current: async () => models.shift() ?? learned });
    const { evidence, degraded } = await searching({ query: 'otter', mode: 'hybrid', topK: 20 });
    expect(degraded).toEqual([]);
    expect(evidence.some(({ scores }) => scores.vector !== undefined)).toBe(true);
    const gone = corpus.search({ current: async () => before });
    expect((await gone({ query: 'otter', mode: 'vector' })).degraded).toMatchObject([
      { component: 'vector', code: 'conflict', effect: 'Searched by words only.' },
    ]);
  });
});
