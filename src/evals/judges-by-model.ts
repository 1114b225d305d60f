// Judges whole answers by the model of the judge role, beside the rules of judges/, which always stay: groundedness (do the quotes
// carry the claims?) and relevance (does the answer answer?), as in Es et al. 2024 (RAGAS). Invariant: an answer that the judge failed on
// has no score, and is counted.

import { z } from 'zod';
import { createModelJudge } from '../answer/judge/model-judge.ts';
import { bestGrade, judgeAnswerMessages, judgeAnswerPromptName } from '../answer/prompts/judge-answer.ts';
import type { Answer } from '../core/answer.ts';
import type { ModelBudget } from '../core/budget.ts';
import { createDeadline } from '../core/deadline.ts';
import type { EventSink } from '../core/events.ts';
import { systemClock } from '../core/ids.ts';
import type { LanguageModel } from '../models/language/language-model.ts';
import { modelName } from '../models/language/model-name.ts';
import { addSpending, askRole, nothingSpent, type RoleSpending } from '../models/role-question.ts';

export interface AnswerScores {
  /** Claims by verdict; absent where the answer has none or the judge failed. */
  readonly verdicts?: { readonly supported: number; readonly unsupported: number; readonly unclear: number };
  /** Share of the claims that are supported, 0..1; an unclear one counts as not. */
  readonly groundedness?: number;
  /** 0..1; absent for an abstention and where the judge failed. */
  readonly relevance?: number;
  /** Why a score is missing. */
  readonly failures: readonly string[];
  readonly spent: RoleSpending;
}

export interface AnswerJudge {
  /** `provider:model`. */
  readonly model: string;
  /** Throws only `cancelled`. */
  score(question: string, answer: Answer, signal?: AbortSignal): Promise<AnswerScores>;
}

export interface ModelAnswerJudgeOptions {
  readonly model: LanguageModel;
  readonly budget?: ModelBudget;
  /** Of each of the two calls. Default 30,000. */
  readonly timeoutMs?: number;
  /** Gets every call of the model, prompt and answer. */
  readonly sink?: EventSink;
}

const gradeSchema = z.strictObject({ grade: z.number().min(0).max(bestGrade), reason: z.string() });

export function createModelAnswerJudge(options: ModelAnswerJudgeOptions): AnswerJudge {
  const { model, budget, timeoutMs = 30_000, sink = () => undefined } = options;
  const judge = createModelJudge({ model, ...(budget && { budget }) });
  return {
    model: modelName(model),
    async score(question, answer, signal) {
      if (answer.abstained || answer.claims.length === 0) return { failures: [], spent: nothingSpent };
      // Twice a call's time: neither ends with its request, which is nobody's here.
      const deadline = createDeadline(2 * timeoutMs + 1_000, signal);
      const call = { deadline, sink, clock: systemClock, shareMs: timeoutMs };
      const claims = answer.claims.map(({ text, citations }) => ({
        text,
        quotes: answer.citations
          .filter(({ index }) => citations.includes(index))
          .map(({ title, quote }) => ({ title, quote, before: '', after: '' })),
      }));
      const grounded = await judge.judge(claims, call);
      const count = (wanted: string): number => grounded.verdicts.filter(({ verdict }) => verdict === wanted).length;
      const verdicts = { supported: count('supported'), unsupported: count('unsupported'), unclear: count('unclear') };
      const graded = await askRole(
        model,
        {
          port: 'evals.judge',
          prompt: judgeAnswerPromptName,
          messages: judgeAnswerMessages(question, answer.claims.map(({ text }) => text).join('\n')),
          schema: gradeSchema,
          maxOutputTokens: 1_000,
        },
        { ...call, budget },
      );
      return {
        ...(!grounded.failure && { verdicts, groundedness: verdicts.supported / claims.length }),
        ...(graded.ok && { relevance: graded.value.grade / bestGrade }),
        failures: [
          ...(grounded.failure ? [`groundedness: ${grounded.failure.detail}`] : []),
          ...(graded.ok ? [] : [`relevance: ${graded.failure.detail}`]),
        ],
        spent: addSpending(grounded.spent, graded.spent),
      };
    },
  };
}

export interface ModelJudgeSummary {
  readonly model: string;
  /** Answers that have both scores. */
  readonly scored: number;
  /** Answers with claims that lack a score, and the first reason. */
  readonly failed: number;
  readonly failure?: string;
  /** Claims by verdict. */
  readonly supported: number;
  readonly unsupported: number;
  readonly unclear: number;
  readonly spent: RoleSpending;
}

/** What the judge did over a whole run. */
export function summariseScores(model: string, all: readonly AnswerScores[]): ModelJudgeSummary {
  const sum = (kind: 'supported' | 'unsupported' | 'unclear'): number =>
    all.reduce((total, { verdicts }) => total + (verdicts?.[kind] ?? 0), 0);
  const failed = all.filter(({ failures }) => failures.length > 0);
  const [failure] = failed[0]?.failures ?? [];
  return {
    model,
    scored: all.filter(({ groundedness, relevance }) => groundedness !== undefined && relevance !== undefined).length,
    failed: failed.length,
    ...(failure !== undefined && { failure }),
    supported: sum('supported'),
    unsupported: sum('unsupported'),
    unclear: sum('unclear'),
    spent: all.map(({ spent }) => spent).reduce(addSpending, nothingSpent),
  };
}
