// Contexts of requests that tests and benchmarks make: time enough, a budget that limits nothing and counts nothing, events kept in a list.
import type { RequestBudget, RequestLimits } from '../src/core/budget.ts';
import type { CallContext, RequestContext } from '../src/core/context.ts';
import { createDeadline } from '../src/core/deadline.ts';
import { systemClock } from '../src/core/ids.ts';
import { createModelBudget } from '../src/models/money/model-budget.ts';
import { createToolBudget } from '../src/models/money/tool-budget.ts';

const generousMs = 3_600_000;

/** What a call needs of its request. */
export const callContext = (given: Partial<CallContext> = {}): CallContext => ({
  deadline: createDeadline(generousMs),
  sink: () => undefined,
  clock: systemClock,
  ...given,
});

const nothing = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, unpricedCalls: 0 };

/** A budget that limits tools as it is told, and models not at all. */
export function toolBudget(limits: RequestLimits = {}): RequestBudget {
  return {
    ...createModelBudget({}, { name: 'this request' }),
    ...createToolBudget(limits),
    took: () => nothing,
    servedRoles: () => [],
    settled: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** A whole context; ids are the prefix and `1`. */
export const requestContext = (given: Partial<RequestContext> = {}): RequestContext => ({
  ...callContext(),
  traceId: 'trc_1',
  scope: { tenant: 'default', principal: { id: 'local', role: 'admin', groups: [] } },
  budget: toolBudget(),
  ids: { next: (prefix) => `${prefix}_1` },
  ...given,
});
