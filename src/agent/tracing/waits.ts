// When a request waits for others: calls of models, which reserve before they go out and settle when they have ended, and stores elsewhere.
// Meanwhile the processor is free for whoever comes next.
import { type ModelBudget, orUndone, type RequestBudget } from '../../core/budget.ts';

export interface Waits {
  /** The budget of the request, which tells of the calls that it pays. */
  budgetOf(budget: RequestBudget): RequestBudget;
  /** The same work, waited for. */
  during<T>(work: Promise<T>): Promise<T>;
}

/** `told` is called with true when the first of several waits begins, with false when the last has ended. */
export function createWaits(told: (isWaiting: boolean) => void): Waits {
  let open = 0;
  /** Hands back what ends it, once. */
  function begin(): () => void {
    let isOpen = true;
    open += 1;
    if (open === 1) told(true);
    return () => {
      if (!isOpen) return;
      isOpen = false;
      open -= 1;
      if (open === 0) told(false);
    };
  }
  function wrapped<Budget extends ModelBudget>(inner: Budget): Budget {
    return {
      ...inner,
      reserve(most, facts) {
        const reservation = inner.reserve(most, facts);
        const end = begin();
        return {
          ...orUndone(reservation.held, end),
          settle(actual) {
            reservation.settle(actual);
            end();
          },
        };
      },
      forRole: (role) => wrapped(inner.forRole(role)),
    } satisfies ModelBudget as Budget;
  }
  return {
    budgetOf: wrapped,
    during(work) {
      const end = begin();
      return work.finally(end);
    },
  };
}
