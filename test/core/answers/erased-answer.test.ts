// An answer without what was erased is still an answer: numbered from one, its text its claims, and it says what is gone.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, answerSchema } from '../../../src/core/answer.ts';
import { eraseFromAnswer } from '../../../src/core/answers/erased-answer.ts';

const at = '2026-11-23T00:00:00.000Z';

/** An answer in which claim `n` says `word<n>` and cites these documents. */
function answerOf(claims: readonly (readonly string[])[]): Answer {
  const documents = [...new Set(claims.flat())];
  const citations = documents.map((documentId, place) => ({
    index: place + 1,
    documentId,
    chunkId: `chunk-${documentId}`,
    title: `Title of ${documentId}`,
    uri: `${documentId}.md`,
    url: `http://127.0.0.1/v1/documents/${documentId}/view?start=0&end=4`,
    source: 'notes',
    quote: `quote of ${documentId}`,
    start: 0,
    end: 4,
    score: 1,
    alsoIn: documents.filter((other) => other !== documentId).map((other) => ({ source: 'notes', documentId: other })),
  }));
  const told = claims.map((cited, n) => ({
    text: `Claim word${n} says so.`,
    citations: [...new Set(cited)].map((id) => documents.indexOf(id) + 1),
    support: 1,
  }));
  return answerSchema.parse({
    id: 'ans_1',
    traceId: 'trc_1',
    mode: 'hybrid',
    intent: 'factual_lookup',
    answer: told.map(({ text, citations: of }) => `${text} ${of.map((index) => `[${index}]`).join('')}`).join(' '),
    claims: told,
    citations,
    conflicts: [
      { about: 'it', positions: told.map(({ text, citations: of }) => ({ statement: text, citations: of })) },
    ],
    sources: documents.map((documentId) => ({
      documentId,
      chunkId: `chunk-${documentId}`,
      title: `Title of ${documentId}`,
      uri: `${documentId}.md`,
      score: 1,
      contextTokens: 1,
      cited: true,
    })),
    abstained: false,
    ragEnabled: true,
    confidence: 0.9,
    coverage: 0.9,
    routing: { reason: 'asked', sources: [] },
    degraded: [],
    usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: 0, costUsd: 0 },
    timings: { totalMs: 1 },
  });
}

describe('erasing from an answer', () => {
  it('keeps exactly the claims that rest on nothing erased, and no word of what is', () => {
    const names = ['alder', 'birch', 'cedar', 'dogwood'];
    const claims = fc.array(fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(claims, fc.subarray(names), (cited, gone) => {
        const answer = answerOf(cited);
        const left = eraseFromAnswer(answer, ({ documentId }) => gone.includes(documentId), at);
        const concerned = cited.flat().some((id) => gone.includes(id));
        if (!concerned) {
          expect(left).toBeUndefined();
          return;
        }
        const parsed = answerSchema.parse(left);
        const kept = cited.flatMap((of, n) => (of.some((id) => gone.includes(id)) ? [] : [n]));
        expect(parsed.claims.map(({ text }) => text)).toEqual(kept.map((n) => `Claim word${n} says so.`));
        expect(parsed.citations.map(({ index }) => index)).toEqual(parsed.citations.map((_, place) => place + 1));
        for (const [place, claim] of parsed.claims.entries())
          expect(claim.citations.map((index) => parsed.citations[index - 1]?.documentId)).toEqual(
            cited[kept[place] ?? 0],
          );
        const { erased, ...rest } = parsed;
        for (const id of gone) expect(JSON.stringify(rest)).not.toContain(id);
        expect(erased?.documents.toSorted()).toEqual(
          [...new Set(cited.flat())].filter((id) => gone.includes(id)).toSorted(),
        );
        expect(erased?.claims).toBe(cited.length - kept.length);
        if (kept.length === 0) expect([parsed.abstained, parsed.answer]).toEqual([true, parsed.abstainReason]);
        else
          expect(parsed.answer).toBe(
            parsed.claims
              .map(({ text, citations }) => `${text} ${citations.map((index) => `[${index}]`).join('')}`)
              .join(' '),
          );
        // Once more changes nothing.
        expect(eraseFromAnswer(parsed, ({ documentId }) => gone.includes(documentId), at)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});
