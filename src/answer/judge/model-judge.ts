// The judge that asks a language model: one prompt for all claims of a request, one verdict for each claim.

import { z } from 'zod';
import type { ModelBudget } from '../../core/budget.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { askRole, nothingSpent } from '../../models/role-question.ts';
import { onOneLine } from '../../text/one-line.ts';
import { judgeClaimMessages, judgeClaimPromptName } from '../prompts/judge-claim.ts';
import { type ClaimJudgement, type Judge, judgeVerdicts } from './judge.ts';

export interface ModelJudgeOptions {
  /** Every prompt and answer of it is one `call` of port `answer.judge` in the trace: no recorder is needed around it. */
  readonly model: LanguageModel;
  /** Of this request; what cannot be paid is not sent, and the claim stays as the verifier left it. */
  readonly budget?: ModelBudget;
  /** Default 1,000 and 100 for each claim: what models that reason spend on it is included. */
  readonly maxOutputTokens?: number;
}

const judgementSchema = z.strictObject({
  verdicts: z.array(z.strictObject({ id: z.int(), verdict: z.enum(judgeVerdicts), reason: z.string() })),
});

const longestReason = 200;

export function createModelJudge({ model, budget, maxOutputTokens }: ModelJudgeOptions): Judge {
  return {
    async judge(claims, call) {
      if (claims.length === 0) return { verdicts: [], spent: nothingSpent };
      const asked = await askRole(
        model,
        {
          port: 'answer.judge',
          prompt: judgeClaimPromptName,
          messages: judgeClaimMessages(claims),
          schema: judgementSchema,
          maxOutputTokens: maxOutputTokens ?? 1_000 + 100 * claims.length,
        },
        { ...call, budget },
      );
      const { spent } = asked;
      if (!asked.ok) return { verdicts: [], failure: asked.failure, spent };
      const said = asked.value.verdicts;
      const { model: name } = asked;
      return {
        verdicts: claims.map((_, at) => toJudgement(said.filter(({ id }) => id === at + 1))),
        model: name,
        spent,
      };
    },
  };
}

/** A claim without a verdict, or with two that differ, is one that the judge could not tell. */
function toJudgement(said: readonly ClaimJudgement[]): ClaimJudgement {
  const [first] = said;
  if (!first) return { verdict: 'unclear', reason: 'no verdict was given' };
  if (said.some(({ verdict }) => verdict !== first.verdict))
    return { verdict: 'unclear', reason: 'two verdicts were given that differ' };
  return { verdict: first.verdict, reason: onOneLine(first.reason, longestReason) };
}
