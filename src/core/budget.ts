// What a request may take of models, as everything that asks one sees it: reserve before the call, settle after it. The limits are kept
// by `models/money`. Invariant: whoever calls a model on a budget can neither ask for its limits to change nor renew it.
import type { FootnoteError } from './errors.ts';
import type { SpendingTotals } from './spending.ts';

/** What a call takes at most, or took. `costUsd` is undefined where no price is known. */
export interface Spending {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | undefined;
}

export type ModelBudgetLimits = { readonly [Kind in keyof Spending]?: number } & {
  /** In and out together. */
  readonly tokens?: number;
};

/** What one request may take: of models, and of the tools that find what it rests on. */
export type RequestLimits = ModelBudgetLimits & {
  /** Calls of tools: every search is one. */
  readonly tools?: number;
  /** Of the text (UTF-8) that tools hand back. */
  readonly bytes?: number;
};

/** For whom money goes: what usage is told apart by. */
export interface CallFacts {
  /** The step that asks: `answer`, `judge`, `rerank`, `router`, `embed`. */
  readonly role?: string;
  /** `provider:model`. */
  readonly model?: string;
}

export interface Reservation {
  /** Resolves when it holds at every server; to be waited for before the call. Rejects like `reserve`; nothing is taken then. Absent: it holds. */
  readonly held?: Promise<void>;
  /**
   * Puts what was really taken in the place of what was reserved. The second time changes nothing. An attempt that was refused counts
   * against a limit of calls, so that nobody tries without end, and is told apart wherever calls are added up.
   */
  settle(actual: Spending & { readonly wasRefused?: boolean }): void;
}

/** What holds a reservation, and takes it back where it does not. */
export const orUndone = (
  held: Reservation['held'],
  undo: () => unknown,
): { readonly held?: NonNullable<Reservation['held']> } =>
  held === undefined
    ? {}
    : {
        held: held.catch((error: unknown) => {
          undo();
          throw error;
        }),
      };

export interface FailedModel {
  /** `provider:model`. */
  readonly model: string;
  readonly code: string;
  /** One sentence of ours. */
  readonly reason: string;
}

/** One call that was served. */
export interface ServedCall {
  /** `provider:model`. */
  readonly model: string;
  /** Asked before it, in their order; none where it was the first. */
  readonly failed: readonly FailedModel[];
}

export interface ServedRole {
  readonly role: string;
  /** In the order in which they first served. */
  readonly models: readonly string[];
  /** Models in whose place another served. */
  readonly replaced: readonly (FailedModel & { readonly by: string })[];
}

export interface ModelBudget {
  /** As messages name it: `this request`, `this key today`. */
  readonly name: string;
  readonly limits: ModelBudgetLimits;
  /** Settled and reserved together. Calls of unknown price count as 0 dollars. */
  spent(): Readonly<Record<keyof Spending, number>>;
  /**
   * Throws `quota-exceeded` if that much is not left here or above, with `details` of the budget that refused
   * (`{budget, kind, limit, spent, asked, setting?, opensAt?}`), and `config-invalid` if money is limited and the price is unknown;
   * nothing is taken then.
   */
  reserve(most: Spending, facts?: CallFacts): Reservation;
  /** Told of every call that was served: by whom, and who failed before. */
  served(call: ServedCall, facts?: CallFacts): void;
  /** The same budget; what is reserved through it is spent for this role, and served for it. */
  forRole(role: string): ModelBudget;
}

/** What tools may take of a request. */
export interface ToolBudget {
  /** Before a tool is called. Throws `quota-exceeded` where no call is left; nothing is taken then. */
  takeToolCall(): void;
  /** What a tool handed back, best first, by its bytes: how many of them fit into what is left, which they take. */
  takeBytes(sizes: readonly number[]): number;
  /** Why something did not fit. */
  bytesSpent(): FootnoteError;
}

/** The budget of one request. */
export interface RequestBudget extends ModelBudget, ToolBudget {
  /** What settled calls took, of one role or of all. */
  took(role?: string): SpendingTotals;
  /** Which models served so far, by role, and in whose place. */
  servedRoles(): readonly ServedRole[];
  /** Resolves when every call is settled, at once if none is under way, at the latest after so long. Never throws. */
  settled(withinMs: number): Promise<void>;
  /**
   * Ends the request: resolves when all that it settled is on disk. Throws what the record throws (`storage-full`); nothing is forgotten
   * then, and it is written later. What settles afterwards is written within a second; nothing more can be reserved (`cancelled`).
   */
  close(): Promise<void>;
}
