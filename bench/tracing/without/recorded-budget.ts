// In the place of src/trace/recorded-budget.ts: the budget itself.
import type { RequestBudget } from '../../../src/core/budget.ts';

export const budgetPort = 'budget';

export const recordedBudget = (budget: RequestBudget): RequestBudget => budget;
