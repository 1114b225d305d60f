// What models may cost: calls, tokens and money, for a request and for whatever stands above it (session, key, day). Invariant: the
// most a call can cost is reserved before it is sent, on every level or on none, so that no limit is ever passed by more than the
// provider overcharges.

import {
  type CallFacts,
  type ModelBudget,
  type ModelBudgetLimits,
  orUndone,
  type Reservation,
  type ServedCall,
  type Spending,
} from '../../core/budget.ts';
import { FootnoteError } from '../../core/errors.ts';
import { defined } from '../../core/values/defined.ts';

const kinds = ['calls', 'inputTokens', 'outputTokens', 'costUsd'] as const;
/** What limits are of: each, and the tokens of both ways together. */
const limited = [...kinds, 'tokens'] as const;
const amountOf = (spending: Spending, kind: (typeof limited)[number]): number | undefined =>
  kind === 'tokens' ? spending.inputTokens + spending.outputTokens : spending[kind];
const words = {
  tokens: 'tokens',
  calls: 'model calls',
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  costUsd: 'US dollars',
};

/** Sums of many prices differ from what was meant in the last places: less than any provider bills. */
const roundingUsd = 1e-9;
const shown = (amount: number): string => String(Number(amount.toFixed(6)));

export interface ModelBudgetOptions {
  readonly name: string;
  /** The budget that this one is a part of. */
  readonly above?: Pick<ModelBudget, 'reserve'>;
  /** Spent before: what a day's budget is reopened with. */
  readonly before?: Partial<Readonly<Record<keyof Spending, number>>>;
  /** Name of the setting that limits it, for the message. */
  readonly setting?: string;
  /** When it begins anew, RFC 3339; absent: never. */
  readonly opensAt?: string;
  /** Told of every call that was served on it. */
  readonly onServed?: (call: ServedCall, facts?: CallFacts) => void;
}

export function createModelBudget(limits: ModelBudgetLimits, options: ModelBudgetOptions): ModelBudget {
  const { name, above, before, setting, opensAt, onServed } = options;
  const { calls = 0, inputTokens = 0, outputTokens = 0, costUsd = 0 } = before ?? {};
  const spent = { calls, inputTokens, outputTokens, costUsd };
  const add = (spending: Spending, sign: 1 | -1): void => {
    // Rounding of many small amounts must not leave a debt, nor a credit.
    for (const kind of kinds) spent[kind] = Math.max(0, spent[kind] + sign * (spending[kind] ?? 0));
  };
  const check = (most: Spending): void => {
    for (const kind of limited) {
      const limit = limits[kind];
      if (limit === undefined) continue;
      const asked = amountOf(most, kind);
      const before = amountOf(spent, kind) ?? 0;
      if (asked === undefined)
        throw new FootnoteError(
          'config-invalid',
          `The cost of ${name} is limited to ${limit} US dollars, and no price is known for the model. Add its price to MODEL_PRICES, or remove the limit.`,
        );
      if (before + asked <= limit + (kind === 'costUsd' ? roundingUsd : 0)) continue;
      const left = shown(Math.max(0, limit - before));
      const advice = `${opensAt === undefined ? 'Ask for less' : `It begins anew at ${opensAt}: wait`}, or raise ${setting ?? 'the limit'}.`;
      throw new FootnoteError(
        'quota-exceeded',
        `A model call needs up to ${shown(asked)} ${words[kind]}; ${left} of ${limit} are left for ${name}. ${advice}`,
        {
          details: defined({ budget: name, kind, limit, spent: before, asked, setting, opensAt }),
        },
      );
    }
  };
  const reserve = (most: Spending, facts?: CallFacts): Reservation => {
    check(most);
    const upper = above?.reserve(most, facts);
    add(most, 1);
    let isOpen = true;
    const end = (): boolean => {
      const wasOpen = isOpen;
      isOpen = false;
      if (wasOpen) add(most, -1);
      return wasOpen;
    };
    return {
      ...orUndone(upper?.held, end),
      settle(actual) {
        if (!end()) return;
        add(actual, 1);
        upper?.settle(actual);
      },
    };
  };
  const budget: ModelBudget = {
    name,
    limits,
    spent: () => ({ ...spent }),
    reserve,
    served: (call, facts) => onServed?.(call, facts),
    forRole: (role) => ({
      ...budget,
      reserve: (most, facts) => reserve(most, { ...facts, role }),
      served: (call, facts) => onServed?.(call, { ...facts, role }),
    }),
  };
  return budget;
}
