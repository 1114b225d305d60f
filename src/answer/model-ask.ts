// One question to the answering model and its cost. Invariants: it is asked within a share of the request's time, so that the answer
// without a model can still be made; whatever goes wrong is a value with its reason, except that the caller went away.

import { createDeadline, type Deadline } from '../core/deadline.ts';
import { toFootnoteError } from '../core/errors.ts';
import type { Degradation } from '../core/search.ts';
import type { LanguageModel, Message } from '../models/language-model.ts';
import type { ModelBudget } from '../models/model-budget.ts';
import { generateStructured, toDegradation } from '../models/structured.ts';
import { type ModelAnswer, modelAnswerSchema } from './model-output.ts';

export interface AskedModel {
  /** Undefined: `failure` says why. */
  readonly value?: ModelAnswer;
  /** Without its effect, which is the caller's business. */
  readonly failure?: Omit<Degradation, 'effect'>;
}

export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

export interface ModelAskerOptions {
  readonly model: LanguageModel;
  readonly budget?: ModelBudget;
  /** Of the whole request. */
  readonly deadline: Deadline;
  readonly maxOutputTokens: number;
  /** The answer is refused, once with a second chance, where it is clearly in another language (ISO 639-1). */
  readonly language: string | undefined;
}

export interface ModelAsker {
  /** `name` is shown to the model. Throws only the request's own `cancelled` and `deadline-exceeded`. */
  ask(name: string, messages: readonly Message[]): Promise<AskedModel>;
  /** Of all questions so far. */
  spent(): Spent;
  /** Milliseconds that models may still take. */
  remainingMs(): number;
}

/** What is left for the answer without a model: a fifth of the time, two seconds at most. */
const reserve = { share: 0.2, mostMs: 2_000 };

export const answerModelComponent = 'answer-model';

const textOf = ({ claims }: ModelAnswer): string => claims.map(({ text }) => text).join('\n');

export function createModelAsker({
  model,
  budget,
  deadline,
  maxOutputTokens,
  language,
}: ModelAskerOptions): ModelAsker {
  const spent = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const allowedMs = deadline.remainingMs() - Math.min(reserve.mostMs, deadline.remainingMs() * reserve.share);
  const share = createDeadline(allowedMs, deadline.signal);
  return {
    spent: () => ({ ...spent }),
    remainingMs: () => share.remainingMs(),
    async ask(name, messages) {
      deadline.check();
      try {
        const asked = await generateStructured(
          model,
          {
            name,
            messages,
            maxOutputTokens,
            schema: modelAnswerSchema,
            ...(language !== undefined && { language: { code: language, textOf } }),
          },
          { deadline: share, signal: share.signal, ...(budget && { budget }) },
        );
        spent.inputTokens += asked.usage.inputTokens;
        spent.outputTokens += asked.usage.outputTokens;
        spent.costUsd += asked.costUsd ?? 0;
        if (asked.ok) return { value: asked.value };
        const { component, code, detail } = toDegradation(asked.failure, answerModelComponent, '');
        return { failure: { component, code, detail } };
      } catch (thrown) {
        // The request is over, or only the model's share of it.
        deadline.check();
        const { code, message } = toFootnoteError(thrown);
        const isLate = share.remainingMs() === 0;
        return {
          failure: {
            component: answerModelComponent,
            code: isLate ? 'deadline-exceeded' : code,
            detail: isLate ? 'The model did not answer within its share of the time.' : message,
          },
        };
      }
    },
  };
}
