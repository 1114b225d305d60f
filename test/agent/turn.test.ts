import { describe, expect, it } from 'vitest';
import { createSearchGatherer } from '../../src/agent/turn/gatherer.ts';
import type { TurnRequest } from '../../src/agent/turn/turn-state.ts';
import { runTurn } from '../../src/agent/turn.ts';
import type { SpanReader } from '../../src/answer/claims/draft.ts';
import { answerSchema } from '../../src/core/answer.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import type { Evidence } from '../../src/core/search.ts';
import type { Retriever } from '../../src/retrieval/retrieve.ts';
import { requestContext } from '../../testkit/request-context.ts';

const text = 'The reservoir holds 40,000 cubic metres of water. It was completed in 1974 by the county.';

function evidenceOf(body: string): Evidence {
  return {
    chunkId: 'chk_1',
    documentId: 'doc_1',
    title: 'Reservoir',
    uri: 'reservoir.md',
    url: '',
    source: 's',
    sourceType: 'docs',
    stores: ['embedded'],
    text: body,
    start: 0,
    end: body.length,
    headingPath: [],
    score: 3,
    scores: { fused: 3 },
    ranks: { embedded: 1 },
    alsoIn: [],
    related: [],
  };
}

const found = (evidence: readonly Evidence[]): Retriever => ({
  retrieve: async () => ({ evidence, routing: { sources: [], reason: 'all' }, degraded: [] }),
});
const readerOf =
  (stored: string): SpanReader =>
  async ({ documentId, chunkId, start, end }) => ({
    documentId,
    chunkId,
    start,
    end,
    quote: stored.slice(start, end),
    title: 'Reservoir',
    uri: 'reservoir.md',
    source: 's',
  });

async function run(question: string, retriever: Retriever, readSpan: SpanReader, overrides: Partial<TurnRequest> = {}) {
  const events: FootnoteEvent[] = [];
  const answer = await runTurn(
    { question, mode: 'embedded', degraded: [], ...overrides },
    {
      gatherer: createSearchGatherer(retriever),
      readSpan,
      contextTokens: 2000,
      spanUrl: (id, span) => `http://x/${id}?start=${span.start}&end=${span.end}`,
    },
    requestContext({ sink: (event) => events.push(event) }),
  );
  return { answer, events };
}

describe('runTurn', () => {
  it('answers with verified citations, and the stream agrees with the answer byte for byte', async () => {
    const { answer, events } = await run(
      'When was the reservoir completed?',
      found([evidenceOf(text)]),
      readerOf(text),
    );
    answerSchema.parse(answer);
    expect(answer.abstained).toBe(false);
    expect(answer.claims[0]?.text).toContain('1974');
    for (const citation of answer.citations) expect(citation.quote).toBe(text.slice(citation.start, citation.end));
    const streamed = events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('');
    expect(streamed).toBe(answer.answer);
    const cited = events.flatMap((event) => (event.type === 'citation' ? [event.citation] : []));
    expect(cited).toEqual(answer.citations);
    expect(events.at(-1)).toEqual({ type: 'done', answer });
  });

  it('abstains when the record no longer says what was read', async () => {
    const { answer, events } = await run(
      'When was the reservoir completed?',
      found([evidenceOf(text)]),
      readerOf(text.replace(/[a-z]/gu, 'x')),
    );
    expect(answer).toMatchObject({ abstained: true, claims: [], citations: [] });
    expect(answer.degraded).toMatchObject([{ component: 'verifier', code: 'claim-dropped' }]);
    expect(events.some((event) => event.type === 'verdict' && !event.kept)).toBe(true);
  });

  it('abstains with a reason when nothing was found, and lists no source', async () => {
    const { answer } = await run('When was the reservoir completed?', found([]), readerOf(text));
    expect(answer).toMatchObject({ abstained: true, ragEnabled: false, sources: [] });
    expect(answer.usedFallback).toBeUndefined();
    expect(answer.abstainReason).toBeTruthy();
    expect(answer.answer).toContain(answer.abstainReason);
  });

  it('does not take what no store could tell for what is not there', async () => {
    const degraded = [{ component: 'cloud', code: 'upstream-unavailable', detail: 'd', effect: 'e' }];
    const retriever: Retriever = {
      retrieve: async () => ({ evidence: [], routing: { sources: [], reason: '' }, degraded, usedFallback: true }),
    };
    const { answer } = await run('When was the reservoir completed?', retriever, readerOf(text));
    expect(answer).toMatchObject({ abstained: true, ragEnabled: false, usedFallback: true, degraded });
    expect(answer.abstainReason).toContain('is down');
  });

  it('greets without pretending to have read anything', async () => {
    const { answer } = await run('Hello!', found([]), readerOf(text));
    expect(answer).toMatchObject({
      intent: 'conversational',
      ragEnabled: false,
      claims: [],
      disclaimer: 'Response generated without documentation context',
    });
  });

  it('hands an error of the search on instead of abstaining', async () => {
    const broken: Retriever = {
      retrieve: async () => Promise.reject(new FootnoteError('upstream-unavailable', 'The store is down.')),
    };
    await expect(run('When?', broken, readerOf(text))).rejects.toMatchObject({ code: 'upstream-unavailable' });
  });

  it('keeps what the door had to leave out', async () => {
    const degraded = [{ component: 'workspace', code: 'unsupported', detail: 'd', effect: 'e' }];
    const { answer } = await run('When was it completed?', found([evidenceOf(text)]), readerOf(text), { degraded });
    expect(answer.degraded).toMatchObject(degraded);
  });
});
