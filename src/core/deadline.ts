// A request carries one deadline and one budget, handed down, spent by every leg and never renewed.
// Running out is a typed, ordinary outcome.
import { FootnoteError } from './errors.ts';

export interface Deadline {
  /** Aborts when the time is up, or when the caller went away. */
  readonly signal: AbortSignal;
  /** Milliseconds left, never below 0, by the monotonic clock. */
  remainingMs(): number;
  /** Throws `deadline-exceeded` or `cancelled` if the request should not go on. */
  check(): void;
}

/** A deadline `timeoutMs` from now that also ends when `parent` aborts. */
export function createDeadline(timeoutMs: number, parent?: AbortSignal): Deadline {
  const endsAt = performance.now() + timeoutMs;
  const timer = AbortSignal.timeout(Math.max(0, Math.ceil(timeoutMs)));
  const signal = parent ? AbortSignal.any([timer, parent]) : timer;
  const remainingMs = (): number => Math.max(0, endsAt - performance.now());
  return {
    signal,
    remainingMs,
    check() {
      if (parent?.aborted) throw new FootnoteError('cancelled', 'The request was cancelled.', { cause: parent.reason });
      if (signal.aborted || remainingMs() === 0)
        throw new FootnoteError('deadline-exceeded', 'The time allowed for this request ran out.');
    },
  };
}

export interface BudgetLimits {
  readonly toolCalls: number;
  readonly contextTokens: number;
}

export interface Budget {
  readonly limits: BudgetLimits;
  readonly spent: Readonly<Record<keyof BudgetLimits, number>>;
  /** Takes `amount`; false (and nothing taken) if that much is not left. */
  spend(what: keyof BudgetLimits, amount: number): boolean;
}

export function createBudget(limits: BudgetLimits): Budget {
  const spent = { toolCalls: 0, contextTokens: 0 };
  return {
    limits,
    spent,
    spend(what, amount) {
      if (spent[what] + amount > limits[what]) return false;
      spent[what] += amount;
      return true;
    },
  };
}
