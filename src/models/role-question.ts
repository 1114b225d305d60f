// One structured question to the model of a role beside the answer: within a share of the request's time, traced, and with what it
// cost. Invariants: it ends with its share even where the model does not, and whatever goes wrong is a value, except that the request
// itself is over.

import type { z } from 'zod';
import type { ModelBudget } from '../core/budget.ts';
import type { CallContext } from '../core/context.ts';
import { createShare } from '../core/deadline.ts';
import { toFootnoteError } from '../core/errors.ts';
import { namedModel } from '../core/named-model.ts';
import { untilAborted } from '../core/waiting/until-aborted.ts';
import { countTokens } from '../text/tokens/tokens.ts';
import type { LanguageModel } from './language/language-model.ts';
import type { Message } from './language/messages.ts';
import { modelName } from './language/model-name.ts';
import { recordedModel } from './language/recorded-model.ts';
import { generateStructured, toDegradation } from './language/structured/structured.ts';

export interface RoleQuestion<Value> {
  /** As the trace names it: `answer.judge`. */
  readonly port: string;
  /** Name and version of the prompt: `judge-claim@1`. */
  readonly prompt: string;
  readonly messages: readonly Message[];
  readonly schema: z.ZodType<Value>;
  readonly maxOutputTokens: number;
}

export interface RoleCall extends CallContext {
  /** What the call may take of the time of the whole request, milliseconds. */
  readonly shareMs: number;
  readonly budget?: ModelBudget | undefined;
}

export interface RoleSpending {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Calls of unknown price count as 0. */
  readonly costUsd: number;
}

export interface RoleFailure {
  readonly code: string;
  /** One sentence without anything that the model wrote. */
  readonly detail: string;
}

export type RoleAnswer<Value> = { readonly spent: RoleSpending } & (
  | { readonly ok: true; readonly value: Value; readonly model: string }
  | { readonly ok: false; readonly failure: RoleFailure }
);

export const nothingSpent: RoleSpending = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

export const addSpending = (a: RoleSpending, b: RoleSpending): RoleSpending => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costUsd: a.costUsd + b.costUsd,
});

/** Throws only the request's own `cancelled` and `deadline-exceeded`. Each call of the model, a repair too, is one `call` of the trace. */
export async function askRole<Value>(
  model: LanguageModel,
  question: RoleQuestion<Value>,
  { deadline, shareMs, budget, sink, clock }: RoleCall,
): Promise<RoleAnswer<Value>> {
  const { port, prompt, ...request } = question;
  deadline.check();
  const share = createShare(deadline, shareMs, clock);
  const punctual = (one: LanguageModel): LanguageModel => ({
    ...one,
    ...(one.after && {
      after(name: string) {
        const next = one.after?.(name);
        return next && punctual(next);
      },
    }),
    generate: (asked, call) => untilAborted(one.generate(asked, call), share.signal),
  });
  try {
    const asked = await generateStructured(
      recordedModel(punctual(model), { port, prompt }, { sink, clock }),
      // Providers take letters, digits, `_` and `-`.
      { ...request, name: prompt.replace(/[^\w-]/gu, '_') },
      { deadline: share, signal: share.signal, ...(budget && { budget }) },
    );
    const { inputTokens, outputTokens } = asked.usage;
    const spent = { inputTokens, outputTokens, costUsd: asked.costUsd ?? 0 };
    if (asked.ok) return { ok: true, value: asked.value, model: asked.model, spent };
    const { code, detail } = toDegradation(asked.failure, port, '');
    return { ok: false, failure: { code, detail }, spent };
  } catch (thrown) {
    deadline.check();
    const error = toFootnoteError(thrown);
    const isLate = share.isOver();
    const name = error.details['model'] ?? modelName(model);
    if (!isLate)
      return { ok: false, failure: { code: error.code, detail: namedModel(name, error.message) }, spent: nothingSpent };
    const detail = namedModel(name, 'The model did not answer within its share of the time.');
    // A call that was aborted reports no usage; the provider had read its prompt, so the tokens of that are counted.
    const inputTokens = request.messages.reduce((sum, { content }) => sum + countTokens(content), 0);
    return {
      ok: false,
      failure: { code: 'deadline-exceeded', detail },
      spent: { ...nothingSpent, inputTokens },
    };
  }
}
