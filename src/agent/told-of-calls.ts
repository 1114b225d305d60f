// A budget that tells when a request begins and ends to wait for models: each call reserves before it goes out and settles when it has ended.
import type { ModelBudget, RequestBudget } from '../core/budget.ts';

/** `told` is called with true when the first call of several goes out, with false when the last has ended. */
export function toldOfCalls(budget: RequestBudget, told: (isWaiting: boolean) => void): RequestBudget {
  let open = 0;
  function wrapped<Budget extends ModelBudget>(inner: Budget): Budget {
    return {
      ...inner,
      reserve(most, facts) {
        const reservation = inner.reserve(most, facts);
        let isOpen = true;
        open += 1;
        if (open === 1) told(true);
        return {
          settle(actual) {
            reservation.settle(actual);
            if (!isOpen) return;
            isOpen = false;
            open -= 1;
            if (open === 0) told(false);
          },
        };
      },
      forRole: (role) => wrapped(inner.forRole(role)),
    } satisfies ModelBudget as Budget;
  }
  return wrapped(budget);
}
