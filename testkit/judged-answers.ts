// Answers made by hand, for judges: each claim with the quotes that it cites.
import type { Answer } from '../src/core/answer.ts';

export type MadeClaim = readonly [text: string, ...quotes: readonly string[]];

/** Without claims it abstains. */
export function answerOf(...claims: readonly MadeClaim[]): Answer {
  const quotes = claims.flatMap(([, ...of]) => of);
  let at = 0;
  return {
    id: 'ans_made',
    traceId: 'trc_made',
    mode: 'embedded',
    intent: 'factual_lookup',
    answer: claims.map(([text]) => text).join(' '),
    claims: claims.map(([text, ...of]) => ({ text, citations: of.map(() => ++at), support: 1 })),
    citations: quotes.map((quote, position) => ({
      index: position + 1,
      documentId: 'd1',
      chunkId: 'c1',
      title: 'Harbours',
      uri: 'harbours.pdf',
      url: '',
      source: 'test',
      quote,
      start: 0,
      end: quote.length,
      score: 1,
      alsoIn: [],
    })),
    conflicts: [],
    sources: [],
    abstained: claims.length === 0,
    ragEnabled: true,
    confidence: 0.8,
    coverage: 1,
    routing: { sources: [], reason: '' },
    degraded: [],
    usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: 1, costUsd: 0 },
    timings: { totalMs: 1 },
  };
}
