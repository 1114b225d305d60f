// What belongs to one request and goes everywhere with it: whose it is, how long it may take, what it may spend, where its events go,
// and where it has its time and its ids from. Invariant: it is made once, where the request is run (agent/run.ts), and nothing that
// serves the request reads another clock or makes an id by itself, so that a replay which makes another context gets another request.
import type { RequestBudget } from './budget.ts';
import type { Deadline } from './deadline.ts';
import type { EventSink } from './events.ts';
import type { Clock, Ids } from './ids.ts';
import type { Scope } from './scope.ts';

export interface RequestContext {
  readonly traceId: string;
  readonly scope: Scope;
  /** Its signal aborts when the time is up, or when whoever asked went away. */
  readonly deadline: Deadline;
  readonly budget: RequestBudget;
  readonly sink: EventSink;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Told of work that others do, such as a store elsewhere; absent: nobody wants to know. */
  readonly waiting?: <T>(work: Promise<T>) => Promise<T>;
}

/** What a step or a call of a port needs of its request. Whoever calls one outside of requests (evaluations, trials) makes this alone. */
export type CallContext = Pick<RequestContext, 'deadline' | 'sink' | 'clock'>;
