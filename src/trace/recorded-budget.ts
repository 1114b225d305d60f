// The budget of a request as its trace sees it: what it refused, how much fitted, and what was taken in the end, each a call of port
// `budget`. What models reserve of it is theirs: it stands in their own calls.
import type { RequestBudget } from '../core/budget.ts';
import { type Recording, recordCall, withRecorder } from './recorder.ts';

export const budgetPort = 'budget';

/** The same budget, recorded. */
export function recordedBudget(budget: RequestBudget, recording: Recording): RequestBudget {
  const { took, servedRoles, takeToolCall, takeBytes } = budget;
  return {
    ...budget,
    ...withRecorder(budgetPort, { took, servedRoles, takeToolCall, takeBytes }, recording),
    bytesSpent() {
      const end = recordCall({ port: budgetPort, method: 'bytesSpent', request: [] }, recording);
      const error = budget.bytesSpent();
      const { code, message } = error;
      end({ response: { code, message } });
      return error;
    },
  };
}
