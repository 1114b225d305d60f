// What is searched for is read as it was written, and results are told apart, cut and measured as the server gave them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movementsOf, partsOf, snippetOf } from '../../src/search/scores.ts';
import { filterOf, needs, readState, requestOf, type SearchState, writeState } from '../../src/search/state.ts';
import { unreadOf } from '../../src/shared/unread.ts';

const day = fc.constantFrom('', '2024-02-29', '2026-01-01');
const word = fc.stringMatching(/^[\w:/?#%.= äß-]{1,20}$/u).map((text) => text.trim());
const mode = fc.constantFrom('', 'embedded', 'vector', 'hybrid');
const least = fc.constantFrom('', '0', '0.35', '1');
const state: fc.Arbitrary<SearchState> = fc.record(
  {
    text: word,
    mode,
    minScore: least,
    source: word,
    type: fc.constantFrom('', 'docs', 'code'),
    language: word,
    time: fc.constant('published'),
    from: day,
    to: day,
    fields: fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), word), { maxLength: 3 }),
    limit: fc.integer({ min: 1, max: 1000 }),
    beside: fc.record({ mode, minScore: least, unfiltered: fc.boolean() }),
    open: fc.record({ id: fc.stringMatching(/^doc_[a-z.]{1,8}$/), start: fc.nat(9999), end: fc.nat(9999) }),
  },
  { requiredKeys: ['text', 'mode', 'minScore', 'source', 'type', 'language', 'time', 'from', 'to', 'fields', 'limit'] },
);

describe('what is searched for', () => {
  it('is read from the address as it was written', () => {
    fc.assert(
      fc.property(state, (one) => {
        expect(readState(writeState(one))).toEqual(one);
      }),
    );
  });

  it('passes over what an address should not hold', () => {
    const read = readState('mode=fast&min=2&type=all&from=soon&limit=9999&field==x&open=doc.1&time=never');
    expect(read).toEqual({ ...readState(''), limit: 1000 });
    expect(readState('limit=0').limit).toBe(1);
    for (const none of ['2026-99-01', '2026-02-31', '2026-00-10', '0000-00-00']) {
      const dated = readState(`q=a&from=${none}&to=${none}`);
      expect(requestOf(dated, dated), none).toEqual(requestOf(readState('q=a'), readState('q=a')));
    }
  });

  it('is read however a number is written, and what cannot be read is named', () => {
    const read = ['.5', '0.50', '1.0', '00.5', '1.'].map((text) => readState(`min=${text}`).minScore);
    expect(read).toEqual(['0.5', '0.5', '1', '0.5', '1']);
    const unread = (query: string) =>
      unreadOf(new URLSearchParams(query), new URLSearchParams(writeState(readState(query))), needs);
    expect(unread('min=.5&beside=vector&besideMin=0&from=2026-01-01&to=')).toEqual([]);
    for (const none of ['0,5', '1.1', '2', 'high', '-1', '1e-1', '0.1234567'])
      expect(unread(`min=${none}&beside=vector&besideMin=${none}`), none).toEqual(['min', 'besideMin']);
    expect(unread('q=a&from=12026-01-01&to=2026-02-31')).toEqual(['from', 'to']);
  });

  it('is asked for as filters: days whole, fields by each way that they can be meant', () => {
    const filtered = readState(
      'q=a&type=docs&from=2026-01-01&to=2026-01-31&time=read&field=shelf%3D7&field=done%3Dtrue',
    );
    expect(filterOf(filtered)).toEqual({
      op: 'and',
      filters: [
        { op: 'eq', field: 'sourceType', value: 'docs' },
        { op: 'gte', field: 'updatedAt', value: '2026-01-01T00:00:00Z' },
        { op: 'lt', field: 'updatedAt', value: '2026-02-01T00:00:00Z' },
        { op: 'in', field: 'metadata.shelf', values: ['7', 7] },
        { op: 'in', field: 'metadata.done', values: ['true', true] },
      ],
    });
    const beside = readState('q=a&source=s&min=0.5&beside=vector&besideMin=0.2&unfiltered=1&field=x%3Dy');
    expect(requestOf(beside, beside)).toMatchObject({ sources: ['s'], minScore: 0.5, filter: { op: 'in' } });
    expect(requestOf(beside, beside.beside ?? beside, true)).toEqual({
      query: 'a',
      explain: true,
      topK: 10,
      mode: 'vector',
      minScore: 0.2,
    });
  });
});

describe('results', () => {
  const leg = { rank: 1, score: 1, normalised: 1, weight: 1 };
  it('have scores whose parts sum to them, whatever joined them', () => {
    const sum = (scored: Parameters<typeof partsOf>[0]): number =>
      partsOf(scored).reduce((total, { value }) => total + value, 0);
    const explained = { terms: [], notes: [] };
    const fusion = {
      method: 'min-max' as const,
      semanticWeight: 0.3,
      lexical: { ...leg, contribution: 0.5 },
      vector: { ...leg, contribution: 0.2 },
    };
    expect(sum({ score: 0.7, scores: { fused: 0.7 }, explanation: { ...explained, fusion } })).toBeCloseTo(0.7);
    const kind = { ...leg, name: 'docs', score: 0.7, contribution: 0.35 };
    const ranking = [
      { name: 'freshness', weight: 0.1 },
      { name: 'authority', weight: -0.05 },
    ];
    const all = { score: 0.4, scores: { fused: 0.35 }, explanation: { ...explained, fusion, kind, ranking } };
    expect(sum(all)).toBeCloseTo(0.4);
    expect(partsOf(all).map(({ name }) => name)).toEqual(['words', 'meaning', 'freshness', 'authority']);
    expect(partsOf({ score: 2, scores: { fused: 2 } })).toEqual([{ name: 'meaning', value: 2 }]);
    const lists = [{ ...leg, name: 'azure', contribution: 0.016 }];
    expect(partsOf({ score: 0.016, scores: { fused: 0.016 }, explanation: { ...explained, lists } })).toEqual([
      { name: 'azure', value: 0.016 },
    ]);
  });

  it('are followed from one list to the other', () => {
    expect(movementsOf(['a', 'b', 'c'], ['c', 'd', 'a'])).toEqual([
      { chunkId: 'a', left: 1, right: 3 },
      { chunkId: 'b', left: 2 },
      { chunkId: 'c', left: 3, right: 1 },
      { chunkId: 'd', right: 2 },
    ]);
  });

  it('are cut where most of the terms stand, in no character', () => {
    const text = `${'nothing here. '.repeat(80)}the lock and the mill${' 🌊'.repeat(400)} lock`;
    const at = (term: string, from = 0) => {
      const start = text.indexOf(term, from);
      return { term, start, end: start + term.length };
    };
    const last = { term: 'lock', start: text.length - 4, end: text.length };
    const { start, end } = snippetOf(text, [at('lock'), at('mill'), last]);
    expect(text.slice(start, end)).toContain('lock and the mill');
    expect(end - start).toBeLessThan(500);
    expect(text.slice(start, end).isWellFormed()).toBe(true);
    const unbroken = '🌊'.repeat(2000);
    const part = snippetOf(unbroken, [{ term: 'x', start: 1001, end: 1003 }]);
    expect(unbroken.slice(part.start, part.end).isWellFormed()).toBe(true);
    expect(snippetOf('short', [])).toEqual({ start: 0, end: 5 });
  });
});
