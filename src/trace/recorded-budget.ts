// The budget of a request as its trace sees it: what it refused, how much fitted, and what was taken in the end, each a call of port
// `budget`. What models reserve of it is theirs: it stands in their own calls.
import type { RequestBudget } from '../core/budget.ts';
import { type Recording, recordCall, recorded } from './recorder.ts';

export const budgetPort = 'budget';

/** The same budget, recorded. */
export function recordedBudget(budget: RequestBudget, recording: Recording): RequestBudget {
  const { took, servedRoles, takeToolCall, takeBytes } = budget;
  const taped = <Given extends unknown[], Result>(method: string, work: (...given: Given) => Result) =>
    recorded({ port: budgetPort, method, work: (given: Given) => work(...given) }, recording);
  return {
    ...budget,
    took: taped('took', took),
    servedRoles: taped('servedRoles', servedRoles),
    takeToolCall: taped('takeToolCall', takeToolCall),
    takeBytes: taped('takeBytes', takeBytes),
    bytesSpent() {
      const end = recordCall({ port: budgetPort, method: 'bytesSpent', request: [] }, recording);
      const error = budget.bytesSpent();
      const { code, message } = error;
      end({ response: { code, message } });
      return error;
    },
  };
}
