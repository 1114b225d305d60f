// The router role: where the patterns only guess (intent.ts), a model says what kind of request a question is. Invariants: a certain
// pattern is never overruled, whatever fails leaves the guess and is disclosed, and no model makes a question that has anything to look
// up skip the search.

import { z } from 'zod';
import { type Intent, intents } from '../../core/answer.ts';
import type { ModelBudget } from '../../core/budget.ts';
import type { CallContext } from '../../core/context.ts';
import type { Degradation } from '../../core/search.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { askRole, type RoleFailure } from '../../models/role-question.ts';
import { onOneLine } from '../../text/one-line.ts';
import { termsOf } from '../../text/terms.ts';
import { classifyIntent, politeWords } from './intent.ts';
import { intentMessages, intentPromptName } from './intent-prompt.ts';

export interface RoutedIntent {
  readonly intent: Intent;
  readonly reason: string;
  readonly degraded: readonly Degradation[];
}

/** Throws only the request's own `cancelled` and `deadline-exceeded`. */
export type IntentClassifier = (question: string, context: CallContext) => Promise<RoutedIntent>;

export interface IntentClassifierOptions {
  /** Every prompt and answer of it is one `call` of port `agent.router` in the trace: no recorder is needed around it. */
  readonly model: LanguageModel;
  /** Of this request. */
  readonly budget?: ModelBudget;
  /** Time it may take; never more than a tenth of what is left of the request. Default 2,000. */
  readonly shareMs?: number;
  /** Default 500: what models that reason spend on it is included. */
  readonly maxOutputTokens?: number;
}

const routerComponent = 'router';

const routedSchema = z.strictObject({ intent: z.enum(intents), reason: z.string() });
const mostOfRemaining = 0.1;
/** Longer questions are cut for the model: their beginning says what kind they are. */
const longestQuestion = 2_000;
const longestReason = 160;

/** Makes the classifier of one request. */
export function createIntentClassifier(options: IntentClassifierOptions): IntentClassifier {
  const { model, budget, shareMs = 2_000, maxOutputTokens = 500 } = options;
  return async (question, { deadline, sink, clock }) => {
    const { isCertain, ...guess } = classifyIntent(question);
    if (isCertain) return { ...guess, degraded: [] };
    const shown =
      question.length <= longestQuestion ? question : `${question.slice(0, longestQuestion).toWellFormed()}…`;
    const asked = await askRole(
      model,
      {
        port: 'agent.router',
        prompt: intentPromptName,
        messages: intentMessages(shown),
        schema: routedSchema,
        maxOutputTokens,
      },
      { deadline, sink, clock, shareMs: Math.min(shareMs, deadline.remainingMs() * mostOfRemaining), budget },
    );
    if (!asked.ok) return { ...guess, degraded: [toDegradation(asked.failure)] };
    const { intent } = asked.value;
    if (intent === 'conversational' && hasContent(question))
      return {
        ...guess,
        reason: `${guess.reason}; small talk by a model, refused: the question has words to look up`,
        degraded: [],
      };
    const why = onOneLine(asked.value.reason, longestReason);
    return { intent, reason: `by a model: ${why}`, degraded: [] };
  };
}

/** Has the question any word, beside those of politeness, that a search could look up? */
export const hasContent = (question: string): boolean => termsOf(question.replace(politeWords, ' ')).length > 0;

const toDegradation = ({ code, detail }: RoleFailure): Degradation => ({
  component: routerComponent,
  code,
  detail,
  effect: 'What kind of request it is was guessed by rules.',
});
