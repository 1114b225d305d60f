// The critic role: a model says how much of the question a draft answers, and what it wants looked for, taken away or worded anew. Invariants: what
// comes out names claims and passages that it was shown and a few plain words, nothing else; a model that fails leaves the draft as it was.

import { z } from 'zod';
import type { ModelBudget } from '../../core/budget.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { askRole } from '../../models/role-question.ts';
import { onOneLine } from '../../text/one-line.ts';
import type { Critic } from './critic.ts';
import { criticMessages, criticPromptName } from './critic-prompt.ts';

export interface ModelCriticOptions {
  /** Every prompt and answer of it is one `call` of port `agent.critic` in the trace: no recorder is needed around it. */
  readonly model: LanguageModel;
  /** Of this request. */
  readonly budget?: ModelBudget;
  /** Longest text of a passage that it is shown. */
  readonly summaryCharacters?: number;
  /** Default 1,500: what models that reason spend on it is included. */
  readonly maxOutputTokens?: number;
}

const criticComponent = 'critic';
const shares = z.number().min(0).max(1);
const critiqueSchema = z.strictObject({
  coverage: shares,
  groundedness: shares,
  claims: z.array(z.strictObject({ id: z.int(), verdict: z.enum(['keep', 'remove', 'revise']), text: z.string() })),
  queries: z.array(z.string()),
  read: z.array(z.int()),
  reason: z.string(),
});

const mostPassages = 8;
const mostQueries = 3;
const mostRead = 3;
const longest = { question: 2_000, quote: 600, query: 200, text: 500, reason: 200 };

const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();

export function createModelCritic({
  model,
  budget,
  summaryCharacters = 400,
  maxOutputTokens = 1_500,
}: ModelCriticOptions): Critic {
  return async (draft, { shareMs, ...context }) => {
    const { claims, state } = draft;
    const passages = state.findings.evidence().slice(0, mostPassages);
    const asked = await askRole(
      model,
      {
        port: 'agent.critic',
        prompt: criticPromptName,
        messages: criticMessages({
          question: cut(state.request.question, longest.question),
          claims: claims.map(({ text, spans }) => ({
            text,
            quotes: spans.map(({ quote }) => cut(quote, longest.quote)),
          })),
          passages: passages.map(({ title, text }) => ({ title, text: cut(text, summaryCharacters) })),
        }),
        schema: critiqueSchema,
        maxOutputTokens,
      },
      { ...context, shareMs, budget },
    );
    if (!asked.ok) {
      const { code, detail } = asked.failure;
      return { failure: { component: criticComponent, code, detail, effect: 'The draft was released as it was.' } };
    }
    const { value, model: name } = asked;
    const words = new Map(value.claims.map(({ id, ...said }) => [id, said]));
    const remove = claims.filter((_, at) => words.get(at + 1)?.verdict === 'remove');
    const revise = claims.flatMap((claim, at) => {
      const said = words.get(at + 1);
      const text = onOneLine(said?.text ?? '', longest.text);
      return said?.verdict === 'revise' && text !== '' && text !== claim.text ? [{ claim, text }] : [];
    });
    const queries = [...new Set(value.queries.map((query) => onOneLine(query, longest.query)))]
      .filter((query) => /[\p{L}\p{N}]/u.test(query))
      .slice(0, mostQueries);
    const read = [...new Set(value.read)].flatMap((id) => passages[id - 1] ?? []).slice(0, mostRead);
    const isEnough = remove.length + revise.length + queries.length + read.length === 0;
    return {
      verdict: isEnough ? 'release' : 'revise',
      coverage: value.coverage,
      groundedness: value.groundedness,
      reason: onOneLine(value.reason, longest.reason),
      model: name,
      remove,
      revise,
      queries,
      read,
    };
  };
}
