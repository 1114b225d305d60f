// The judge that asks a model for chances: a file of this machine that writes, for "Yes" as the first word of its answer, or one that was trained to tell whether a
// passage carries a statement. Invariants: one call for each claim, which sees nothing of the others; what no chance is sure of is left to the rules.
import { z } from 'zod';
import type { ModelBudget } from '../../core/budget.ts';
import { createShare } from '../../core/deadline.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Evidence } from '../../core/search.ts';
import type { GenerateRequest } from '../../models/language/generation.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { modelName } from '../../models/language/model-name.ts';
import { recordedModel } from '../../models/language/recorded-model.ts';
import { addSpending, nothingSpent, type RoleSpending } from '../../models/role-question.ts';
import { judgePairName, judgeYesName, pairMessages, yesMessages } from '../prompts/judge-by-chance.ts';
import type { JudgedClaim } from '../prompts/judge-claim.ts';
import type { ClaimJudgement, Judge } from './judge.ts';

export interface ChanceJudgeOptions {
  /** Every prompt and answer of it is one `call` of port `answer.judge` in the trace. */
  readonly model: LanguageModel;
  readonly budget?: ModelBudget;
  /** Passages that the model wrote the claims from; absent: it sees what each of them cites. */
  readonly shown?: readonly Evidence[];
}

/** Of natural language inference: sure enough to admit, and to refuse. */
const least = { entailment: 0.8, contradiction: 0.5 };
const chancesSchema = z.record(z.string(), z.number());

export function createChanceJudge({ model, budget, shown }: ChanceJudgeOptions): Judge {
  const isTrained = model.provider === 'onnx';
  return {
    isOnlyOfReworded: !isTrained,
    async judge(claims, { deadline, shareMs, sink, clock }) {
      const asked = recordedModel(
        model,
        { port: 'answer.judge', prompt: isTrained ? judgePairName : judgeYesName },
        { sink, clock },
      );
      const share = createShare(deadline, shareMs, clock);
      const verdicts: ClaimJudgement[] = [];
      let spent: RoleSpending = nothingSpent;
      try {
        for (const claim of claims) {
          const call = { deadline: share, ...(budget && { budget }) };
          const {
            text,
            usage,
            costUsd = 0,
            model: served,
          } = await asked.generate(chanceRequest(model, claim, shown), call);
          spent = addSpending(spent, { ...usage, costUsd });
          // The chances of one writer of a list say nothing of those of another.
          const isOwn = isTrained || served === modelName(model);
          verdicts.push(
            isOwn ? verdictOf(chancesOf(text), model.leastYes) : { verdict: 'undecided', reason: `${served} served` },
          );
        }
      } catch (thrown) {
        deadline.check();
        const { code, message } = toFootnoteError(thrown);
        return { verdicts, model: modelName(model), failure: { code, detail: message }, spent };
      }
      return { verdicts, model: modelName(model), spent };
    },
  };
}

/** What is asked about one claim. `shown`: in the place of what it cites. */
export const chanceRequest = (
  { provider }: Pick<LanguageModel, 'provider'>,
  claim: JudgedClaim,
  shown: Parameters<typeof yesMessages>[1] = claim.quotes.map(asPassage),
): GenerateRequest => ({
  messages: provider === 'onnx' ? pairMessages(claim) : yesMessages(claim.text, shown),
  choices: provider === 'onnx' ? Object.keys(least) : ['Yes', 'No'],
  maxOutputTokens: 1,
});

const asPassage = ({ title, before, quote, after }: JudgedClaim['quotes'][number]) => ({
  title,
  headingPath: [],
  text: `${before}${quote}${after}`,
});

/** Throws `upstream-invalid` for what are no chances. */
export function chancesOf(text: string): Readonly<Record<string, number>> {
  try {
    return chancesSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new FootnoteError('upstream-invalid', 'The judge gave no chances.', { cause });
  }
}

function verdictOf(
  { Yes: yes = 0, entailment = 0, contradiction = 0 }: Readonly<Record<string, number>>,
  leastYes = Infinity,
) {
  const reason = Object.entries({ yes, entailment, contradiction }).flatMap(([name, chance]) =>
    chance > 0 ? `${name} ${chance.toFixed(2)}` : [],
  );
  const verdict =
    contradiction >= least.contradiction
      ? 'unsupported'
      : yes >= leastYes || entailment >= least.entailment
        ? 'supported'
        : 'undecided';
  return { verdict, reason: reason.join(', ') } as const;
}
