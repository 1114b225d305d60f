// The planner role: a model says how much a question asks and takes it apart, where the rules see more in it than one plain question. Invariants: its
// plan passes the same check as one of the rules; a plan that is refused leaves the plain question, a model that fails leaves the rules, and both are
// disclosed; the model sees the question alone, so that no text that was read can set what is searched.
import { z } from 'zod';
import type { ModelBudget } from '../../core/budget.ts';
import type { Degradation } from '../../core/search.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { askRole } from '../../models/role-question.ts';
import { onOneLine } from '../../text/one-line.ts';
import { checkPlan, type ProposedPlan, type SubQuery } from './plan.ts';
import { planMessages, planPromptName } from './plan-prompt.ts';
import { type PlanLimits, type PlannedQuestion, type Planner, planByRules } from './planner.ts';

export interface ModelPlannerOptions extends PlanLimits {
  /** Every prompt and answer of it is one `call` of port `agent.planner` in the trace: no recorder is needed around it. */
  readonly model: LanguageModel;
  /** Of this request. */
  readonly budget?: ModelBudget;
  /** Time it may take; never more than a fifth of what is left of the request. Default 10,000. */
  readonly shareMs?: number;
  /** Default 1,500: what models that reason spend on it is included. */
  readonly maxOutputTokens?: number;
}

const plannedSchema = z.strictObject({
  complexity: z.number().min(0).max(1),
  reason: z.string(),
  subQueries: z.array(
    z.strictObject({
      id: z.string(),
      query: z.string(),
      dependencies: z.array(z.string()),
      thing: z.string().nullable(),
      criterion: z.string().nullable(),
    }),
  ),
});
type Written = z.infer<typeof plannedSchema>;

const component = 'planner';
const mostOfRemaining = 0.2;
/** Longer texts are no question: the rules ask them as a whole, too. */
const longestQuestion = 2_000;
const longestReason = 160;
/** What one question in a plain sentence weighs by the rules. */
const plainScore = 0.1;
const joins = /[,;:]|\?[^?]*\?|\b(?:and|or|plus|as well as|versus|vs|und|sowie)\b/iu;

/** Makes the planner of one request. */
export function createModelPlanner(options: ModelPlannerOptions): Planner {
  const { model, budget, threshold, most, shareMs = 10_000, maxOutputTokens = 1_500 } = options;
  return async (question, { deadline, sink, clock }): Promise<PlannedQuestion> => {
    const byRules = planByRules(question, { threshold, most });
    const isPlain = byRules.complexity.score <= plainScore && !joins.test(question);
    if (isPlain || most < 2 || question.length > longestQuestion) return byRules;
    const asked = await askRole(
      model,
      {
        port: 'agent.planner',
        prompt: planPromptName,
        messages: planMessages(question, most),
        schema: plannedSchema,
        maxOutputTokens,
      },
      { deadline, sink, clock, shareMs: Math.min(shareMs, deadline.remainingMs() * mostOfRemaining), budget },
    );
    if (!asked.ok) {
      const { code, detail } = asked.failure;
      const effect = byRules.plan
        ? 'The question was taken apart by rules.'
        : 'Rules see one question in it, and it was asked as a whole.';
      return { ...byRules, degraded: [{ component, code, detail, effect }] };
    }
    const complexity = { score: round(asked.value.complexity), reasoning: reasonOf(asked.value) };
    if (asked.value.subQueries.length < 2 || complexity.score < threshold) return { complexity };
    const checked = checkPlan(toProposed(asked.value, question), most);
    return checked.ok ? { complexity, plan: checked.plan } : { complexity, degraded: [refused(checked.reason)] };
  };
}

const round = (score: number): number => Math.round(score * 1000) / 1000;

const reasonOf = ({ reason }: Written): string => `by a model: ${onOneLine(reason, longestReason)}`;

const refused = (reason: string): Degradation => ({
  component,
  code: 'plan-refused',
  detail: `The plan that a model made of the question was refused: ${reason}`,
  effect: 'The question was asked as a whole.',
});

/** Things and criteria count where they stand in the words that they are of: what else a model names would make right answers beside the point. */
function toProposed({ subQueries }: Written, question: string): ProposedPlan {
  const whole = question.toLowerCase();
  const isThing = (name: string): boolean => name.trim() !== '' && whole.includes(name.toLowerCase());
  const things = [...new Set(subQueries.flatMap(({ thing }) => (thing !== null && isThing(thing) ? [thing] : [])))];
  return {
    form: 'model',
    subQueries: subQueries.map(({ id, query, dependencies, thing, criterion }): SubQuery => {
      const own = query.toLowerCase();
      const text = query.replace(/\s+/gu, ' ').trim();
      const isOf = thing !== null && things.includes(thing) && own.includes(thing.toLowerCase());
      const named = isOf ? { name: thing, others: things.filter((other) => other !== thing) } : undefined;
      const isSaid = criterion !== null && criterion.trim() !== '' && own.includes(criterion.toLowerCase());
      return {
        id,
        query: text,
        dependencies,
        ...(isSaid && { criterion }),
        ...(named && { thing: named }),
      };
    }),
  };
}
