// What a judge could add to the verifier and what it cannot: figures with judges that are always right, and that always agree.

import { describe, expect, it } from 'vitest';
import type { Judge } from '../../../src/answer/judge/judge.ts';
import { createJudging } from '../../../src/answer/judge/judge-claims.ts';
import { verifyDraft } from '../../../src/answer/verify.ts';
import { nothingSpent } from '../../../src/models/role-question.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';
import { type ForgeSentence, forgePairs, forgeries } from '../../../testkit/forge/forge.ts';
import { forgeTexts } from '../../../testkit/forge/forge-texts.ts';
import { callContext } from '../../../testkit/request-context.ts';
import { readerOf } from '../model-turn.ts';
import { handPairs } from '../verify-pairs.ts';
import { faithfulClaims, type JudgedPair, looseClaims } from './judge-pairs.ts';

describe('figures', () => {
  const own: ForgeSentence[] = forgeTexts.flatMap(({ language, sentences }) =>
    sentences.map((text) => ({ text, language })),
  );
  const forged = forgePairs(own, { count: 600, seed: 7, kinds: forgeries });
  const lying: Judge = {
    judge: async (claims) => ({
      verdicts: claims.map(() => ({ verdict: 'supported', reason: '' })),
      spent: nothingSpent,
    }),
  };
  /** Knows which claims say what their quotes say. */
  const perfect = (faithful: readonly JudgedPair[]): Judge => {
    const known = new Set(faithful.map(({ claim, quote }) => `${claim}\n${quote}`));
    return {
      judge: async (claims) => ({
        verdicts: claims.map(({ text, quotes }) => ({
          verdict: known.has(`${text}\n${quotes[0]?.quote}`) ? 'supported' : 'unsupported',
          reason: '',
        })),
        spent: nothingSpent,
      }),
    };
  };
  async function passing(pairs: readonly JudgedPair[], judge?: Judge): Promise<readonly string[]> {
    const judging = judge && createJudging({ judge, context: callContext() });
    const passed: string[] = [];
    for (const { claim, quote } of pairs) {
      const evidence = [evidenceOf({ id: 'c1', text: quote })];
      const span = { documentId: 'doc-c1', chunkId: 'c1', start: 0, end: quote.length };
      const draft = { claims: [{ text: claim, spans: [span], relevance: 1 }] };
      const { claims } = await verifyDraft(draft, readerOf(evidence));
      for (const one of claims) {
        const decision = await judging?.decide(one, evidence);
        if (!decision?.isRefused) passed.push(`${claim} ← ${quote}`);
      }
    }
    return passed;
  }

  it('what narrows a quote is kept by the verifier alone, and a perfect judge takes nothing more', async () => {
    const faithful = [...faithfulClaims, ...handPairs.filter(({ supported }) => supported)];
    const judge = perfect(faithful);
    expect(await passing(looseClaims)).toEqual([]);
    expect(await passing(looseClaims, judge)).toEqual([]);
    const alone = await passing(faithful);
    // The others are in words of their own, and not the verifier's to accept.
    expect(alone.length).toBeGreaterThan(0.9 * faithful.length);
    expect(await passing(faithful, judge)).toEqual(alone);
  });

  it('a lying judge raises no figure: not of 600 forged claims, not of those judged by hand', async () => {
    const wrong = [...forged, ...handPairs.filter(({ supported }) => !supported), ...looseClaims];
    expect(await passing(wrong, lying)).toEqual(await passing(wrong));
    expect(await passing(forged, lying)).toEqual([]);
  });
});
