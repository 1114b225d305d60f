// Search with a reranker over a real store and record, in all modes: what is fetched, cut, explained and told.

import { describe, expect, it } from 'vitest';
import type { FootnoteEvent } from '../../src/core/events.ts';
import { type Evidence, modes } from '../../src/core/search.ts';
import { withRecorder } from '../../src/trace/recorder.ts';
import { scopeOf } from '../../testkit/record-fixture.ts';
import { callContext } from '../../testkit/request-context.ts';
import { createScriptedReranker, rerankingBy, scoring } from './scripted-reranker.ts';
import { semanticCorpusForAllTests } from './semantic-corpus.ts';

const corpus = semanticCorpusForAllTests();

const idsOf = (evidence: readonly Evidence[]): string[] => evidence.map(({ chunkId }) => chunkId);
const open = (more: Parameters<typeof corpus.search>[2], scope = scopeOf()) => corpus.search(undefined, scope, more);
const reverse = scoring((_text, index) => index / 100);

describe('search with a reranker', () => {
  it.each(modes)('finds the same in mode %s, in another order, beyond the page', async (mode) => {
    const query = 'otter and the river bank';
    const plain = await open({})({ query, mode, topK: 10 });
    expect(plain.evidence).toHaveLength(10);
    const events: FootnoteEvent[] = [];
    const found = await open({ reranking: rerankingBy(reverse), sink: (event) => events.push(event) })({
      query,
      mode,
      topK: 3,
    });
    expect(idsOf(found.evidence)).toEqual(idsOf(plain.evidence).reverse().slice(0, 3));
    expect(found.evidence.map(({ score }) => score)).toEqual(plain.evidence.slice(0, 3).map(({ score }) => score));
    expect(events.map(({ type }) => type)).toEqual(['routing', 'reranking', 'left-out', 'retrieval']);
    expect(events.find(({ type }) => type === 'left-out')).toMatchObject({
      stage: 'search',
      passages: [{ reason: 'not among the best' }],
    });
    expect(events.at(-1)).toMatchObject({ resultCount: 3 });
  });

  it('explains what moved, and the sums of the search still hold', async () => {
    const { evidence, legs } = await open({ reranking: rerankingBy(reverse) })({
      query: 'audit of the ledger',
      topK: 5,
      explain: true,
    });
    expect(legs?.lexical?.length).toBeLessThanOrEqual(5);
    for (const { explanation, scores, ranks } of evidence) {
      const { lexical, vector } = explanation?.fusion ?? {};
      expect((lexical?.contribution ?? 0) + (vector?.contribution ?? 0)).toBe(scores.fused);
      expect(explanation?.notes.at(-1)).toContain(`place ${ranks['hybrid']} -> ${ranks['rerank']} of 10`);
    }
  });

  it('asks no reranker where no evidence is wanted, and none beyond what is there', async () => {
    const model = createScriptedReranker(reverse);
    const search = open({ reranking: rerankingBy(model, { topK: 1000 }) });
    expect((await search({ query: 'otter', topK: 0 })).evidence).toEqual([]);
    expect((await search({ query: 'zebra', mode: 'embedded' })).evidence).toEqual([]);
    expect(model.requests).toEqual([]);
    const all = await search({ query: 'otter', mode: 'embedded', topK: 2 });
    expect(all.evidence).toHaveLength(2);
    expect(model.requests[0]?.texts.length).toBe(
      (await open({})({ query: 'otter', mode: 'embedded', topK: 64 })).evidence.length,
    );
  });

  it('does not fill up what the threshold dropped with what nobody judged', async () => {
    const reranking = rerankingBy(
      scoring((_text, index) => (index < 2 ? 0.9 : 0.1)),
      { threshold: 0.5 },
    );
    const search = open({ reranking });
    expect((await search({ query: 'otter river', topK: 10 })).evidence).toHaveLength(2);
    // What was asked for beyond the reranked ones stays.
    const wide = await search({ query: 'otter river', topK: 15 });
    const plain = await open({})({ query: 'otter river', topK: 15 });
    expect(idsOf(wide.evidence)).toEqual([...idsOf(plain.evidence).slice(0, 2), ...idsOf(plain.evidence).slice(10)]);
  });

  it('shows a reranker nothing that the caller may not read', async () => {
    const model = createScriptedReranker(reverse);
    const reader = scopeOf('default', 'ann', 'reader');
    await open({ reranking: rerankingBy(model, { topK: 64 }) }, reader)({ query: 'audit ledger tax', topK: 64 });
    const hidden = model.requests[0]?.texts.filter((text) => /^Note money \d*[02468]\n/u.test(text));
    expect(model.requests[0]?.texts.some((text) => text.startsWith('Note money'))).toBe(true);
    expect(hidden).toEqual([]);
  });

  it('serves the order of the search when the reranker is late, and says so on the stream', async () => {
    const events: FootnoteEvent[] = [];
    const late = rerankingBy(() => new Promise<never>(() => undefined), { timeoutMs: 20 });
    const search = open({ reranking: late, sink: (event) => events.push(event) });
    const { evidence, degraded } = await search({ query: 'otter' });
    expect(idsOf(evidence)).toEqual(idsOf((await open({})({ query: 'otter' })).evidence));
    expect(degraded).toMatchObject([{ component: 'reranker', code: 'deadline-exceeded' }]);
    expect(events).toContainEqual({ type: 'degraded', degradation: degraded[0] });
  });

  it('ends when the request does', async () => {
    const left = new AbortController();
    const hanging = createScriptedReranker(() => {
      left.abort();
      return new Promise<never>(() => undefined);
    });
    const search = open({ reranking: rerankingBy(hanging) });
    await expect(search({ query: 'otter' }, left.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('leaves a call in the trace: query, texts and order', async () => {
    const events: FootnoteEvent[] = [];
    const sink = (event: FootnoteEvent): void => void events.push(event);
    const model = withRecorder('reranker', createScriptedReranker(reverse), callContext({ sink }));
    await open({ reranking: rerankingBy(model), sink })({ query: 'otter' });
    const call = events.find((event) => event.type === 'call');
    expect(call).toMatchObject({
      call: {
        port: 'reranker',
        method: 'rerank',
        request: [{ query: 'otter', texts: expect.any(Array) }, expect.anything()],
        response: { model: 'scripted:script', ranking: expect.any(Array) },
      },
    });
  });
});
