// Saved answers are read by the versions before and after the one that wrote them; damage is still seen.
import { describe, expect, it } from 'vitest';
import { type Answer, answerSchema, answerVersion, readSavedAnswer } from '../../src/core/answer.ts';

const answer: Answer = {
  id: 'ans_1',
  version: answerVersion,
  traceId: 'trc_1',
  mode: 'embedded',
  intent: 'factual_lookup',
  answer: 'It is 43 metres tall. [1]',
  claims: [{ text: 'It is 43 metres tall.', citations: [1], support: 1 }],
  citations: [
    {
      index: 1,
      documentId: 'd',
      chunkId: 'c',
      title: 'Lighthouse',
      uri: 'lighthouse.md',
      url: '/',
      source: 'notes',
      quote: 'It is 43 metres tall.',
      start: 0,
      end: 21,
      score: 1,
      alsoIn: [],
    },
  ],
  conflicts: [],
  sources: [],
  abstained: false,
  ragEnabled: true,
  confidence: 1,
  coverage: 1,
  routing: { sources: [], reason: 'all' },
  degraded: [],
  usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: 1, costUsd: 0 },
  timings: { totalMs: 1 },
};
/** As a later version may write it: fields that are not known here, at several depths. */
const newer = (version: number | undefined): unknown => ({
  ...answer,
  version,
  mood: 'calm',
  claims: answer.claims.map((claim) => ({ ...claim, asOf: '2027', because: { nested: true } })),
  routing: { ...answer.routing, rank: 2 },
});

describe('readSavedAnswer', () => {
  it('reads what this version wrote, and what was written before there were versions', () => {
    expect(readSavedAnswer(answer).data).toEqual(answer);
    const { version: _version, ...old } = answer;
    expect(readSavedAnswer(old).data).toEqual(old);
  });

  it('reads what a later version wrote, without what it added', () => {
    const saved = newer(answerVersion + 1);
    const before = structuredClone(saved);
    expect(answerSchema.safeParse(saved).success).toBe(false);
    expect(readSavedAnswer(saved).data).toEqual({ ...answer, version: answerVersion + 1 });
    expect(saved).toEqual(before);
  });

  it.each([answerVersion, 0, undefined])('takes unknown fields for damage in an answer of version %s', (version) => {
    expect(readSavedAnswer(newer(version)).success).toBe(false);
  });

  it.each([undefined, null, 7, [], 'x', { version: 99 }, { ...answer, version: 99, claims: 'none' }])(
    'refuses %o',
    (saved) => {
      expect(readSavedAnswer(saved).success).toBe(false);
    },
  );
});
