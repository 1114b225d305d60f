// What models may cost: calls, tokens and money, for a request and for whatever stands above it (session, key, day). Invariant: the
// most a call can cost is reserved before it is sent, on every level or on none, so that no limit is ever passed by more than the provider overcharges.
import { FootnoteError } from '../core/errors.ts';

/** What a call takes at most, or took. `costUsd` is undefined where no price is known. */
export interface Spending {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | undefined;
}

export type ModelBudgetLimits = { readonly [Kind in keyof Spending]?: number };

export interface Reservation {
  /** Puts what was really taken in the place of what was reserved. The second time changes nothing. */
  settle(actual: Spending): void;
}

export interface ModelBudget {
  /** As messages name it: `this request`, `this key today`. */
  readonly name: string;
  readonly limits: ModelBudgetLimits;
  /** Settled and reserved together. Calls of unknown price count as 0 dollars. */
  spent(): Readonly<Record<keyof Spending, number>>;
  /**
   * Throws `quota-exceeded` if that much is not left here or above, and `config-invalid` if money is limited and the price is
   * unknown; nothing is taken then.
   */
  reserve(most: Spending): Reservation;
}

const kinds = ['calls', 'inputTokens', 'outputTokens', 'costUsd'] as const;
const words = {
  calls: 'model calls',
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  costUsd: 'US dollars',
};

export interface ModelBudgetOptions {
  readonly name: string;
  /** The budget that this one is a part of. */
  readonly above?: ModelBudget;
  /** Spent before: what a day's budget is reopened with. */
  readonly before?: Partial<Readonly<Record<keyof Spending, number>>>;
}

export function createModelBudget(limits: ModelBudgetLimits, { name, above, before }: ModelBudgetOptions): ModelBudget {
  const spent = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, ...before };
  const add = (spending: Spending, sign: 1 | -1): void => {
    // Rounding of many small amounts must not leave a debt, nor a credit.
    for (const kind of kinds) spent[kind] = Math.max(0, spent[kind] + sign * (spending[kind] ?? 0));
  };
  return {
    name,
    limits,
    spent: () => ({ ...spent }),
    reserve(most) {
      for (const kind of kinds) {
        const limit = limits[kind];
        if (limit === undefined) continue;
        const asked = most[kind];
        if (asked === undefined)
          throw new FootnoteError(
            'config-invalid',
            `The cost of ${name} is limited to ${limit} US dollars, and no price is known for the model. Add its price to the price list, or remove the limit.`,
          );
        if (spent[kind] + asked > limit)
          throw new FootnoteError(
            'quota-exceeded',
            `A model call needs up to ${asked} ${words[kind]}; ${Math.max(0, limit - spent[kind])} of ${limit} are left for ${name}. Ask for less, or raise the limit.`,
            { details: { budget: name, kind, limit, spent: spent[kind], asked } },
          );
      }
      const upper = above?.reserve(most);
      add(most, 1);
      let isOpen = true;
      return {
        settle(actual) {
          if (!isOpen) return;
          isOpen = false;
          add(most, -1);
          add(actual, 1);
          upper?.settle(actual);
        },
      };
    },
  };
}
