// A call of an embedding model that lasts: retries with full jitter (Brooker, "Exponential Backoff And Jitter", AWS, 2015),
// Retry-After, a circuit, and a budget that stops before the call. Invariant: nothing outlives the deadline or an abort, and when
// a provider asks to wait, no call to it is begun by anybody before that time.
import { createDeadline, type Deadline } from '../core/deadline.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import { startAttempt } from './attempt-clock.ts';
import type { Circuit } from './circuit.ts';
import type { EmbedOptions } from './model.ts';
import type { Reservation } from './model-budget.ts';
import { believedInput, countPromptTokens } from './model-usage.ts';
import type { EmbeddedTexts, EmbeddingCall } from './provider-embeddings-call.ts';

export interface AttemptsOptions {
  readonly call: EmbeddingCall;
  /** For messages: `openai:text-embedding-3-small`. */
  readonly name: string;
  readonly circuit: Circuit;
  /** US dollars; undefined where no price is known. */
  readonly costOf: (tokens: number) => number | undefined;
  /** Each call that was billed. */
  readonly billed: (taken: BilledCall) => void;
  /** 0 <= x < 1. */
  readonly random: () => number;
  /** Resolves after so long, or rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly elapsedMs: () => number;
}

export interface BilledCall {
  readonly texts: number;
  readonly tokens: number;
  readonly costUsd: number | undefined;
}

/** A person waits for a query; documents survive a minute without the provider, or a limit that renews every minute. */
const patience = {
  query: { attempts: 3, totalMs: 10_000, attemptMs: 4000, longestPauseMs: 1000 },
  document: { attempts: 8, totalMs: 300_000, attemptMs: 60_000, longestPauseMs: 16_000 },
} as const;
const firstPauseMs = 250;

/** Failures that a second try may not have. */
const passing: ReadonlySet<string> = new Set(['upstream-unavailable', 'upstream-invalid', 'rate-limited']);

/**
 * Throws the last failure; `quota-exceeded` and `config-invalid` of the budget unsent; `cancelled`; `deadline-exceeded`. What is
 * billed is told to `billed` and to the caller.
 */
export function createAttempts(options: AttemptsOptions) {
  const { call, name, circuit, costOf, billed, random, wait, elapsedMs } = options;
  let heldUntilMs = 0;

  return async (texts: readonly string[], caller: EmbedOptions): Promise<EmbeddedTexts> => {
    const { kind, signal, budget, onUsage } = caller;
    const { attempts, totalMs, attemptMs, longestPauseMs } = patience[kind];
    const deadline = createDeadline(totalMs, signal);
    let failure: FootnoteError | undefined;

    const pause = async (ms: number, why = resting): Promise<void> => {
      if (ms <= 0) return;
      // Waiting past the deadline would turn a known failure into `deadline-exceeded`.
      if (ms >= deadline.remainingMs()) throw failure ?? why(name, ms);
      await wait(ms, deadline.signal).catch(() => deadline.check());
    };

    for (let attempt = 0; ; attempt++) {
      deadline.check();
      await pause(heldUntilMs - elapsedMs(), held);
      let closedForMs = circuit.enter();
      // Documents can wait for the service; whoever asks is told at once.
      for (; closedForMs > 0; closedForMs = circuit.enter()) {
        if (kind === 'query') throw failure ?? resting(name, closedForMs);
        await pause(closedForMs);
      }
      const counted = budget === undefined ? undefined : countAll(texts);
      let reservation: Reservation | undefined;
      try {
        const most = { calls: 1, inputTokens: counted ?? 0, outputTokens: 0, costUsd: costOf(counted ?? 0) };
        reservation = budget?.reserve(most, { role: 'embed', model: name });
      } catch (error) {
        circuit.undecided();
        throw error;
      }
      const settle = (tokens: number): void => {
        const costUsd = tokens === 0 ? 0 : costOf(tokens);
        reservation?.settle({ calls: 1, inputTokens: tokens, outputTokens: 0, costUsd });
        if (tokens === 0) return;
        billed({ texts: texts.length, tokens, costUsd });
        onUsage?.({ tokens, costUsd });
      };
      const clock = startAttempt(deadline, attemptMs);
      try {
        const found = await call(texts, clock.deadline.signal);
        circuit.succeeded();
        const count = (): number => counted ?? countAll(texts);
        settle(believedInput(found.tokens, count) ?? count());
        return found;
      } catch (thrown) {
        const ended = endOf(deadline);
        failure = clock.isOver() ? tooSlow(name, attemptMs) : toFootnoteError(thrown);
        // Refused requests are free; one that was left, or whose answer was of no use, may have been billed.
        const isBilled = ended !== undefined || clock.isOver() || failure.code === 'upstream-invalid';
        settle(isBilled && failure.details['status'] === undefined ? (counted ?? countAll(texts)) : 0);
        // Whoever asks to wait is alive.
        const isOutage = ended === undefined && passing.has(failure.code) && failure.code !== 'rate-limited';
        if (isOutage && failure.details['isFinal'] !== true) circuit.failed();
        else circuit.undecided();
        if (ended) throw ended;
        if (!passing.has(failure.code) || failure.details['isFinal'] === true || attempt + 1 >= attempts) throw failure;
        const toldMs = toldBy(failure);
        if (failure.code === 'rate-limited') heldUntilMs = Math.max(heldUntilMs, elapsedMs() + toldMs);
        await pause(Math.max(toldMs, random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt)));
      } finally {
        clock.stop();
      }
    }
  };
}

const countAll = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + countPromptTokens(text), 0);

const toldBy = ({ details }: FootnoteError): number => {
  const told = details['retryAfterMs'];
  return typeof told === 'number' && told > 0 ? told : 0;
};

/** Why the caller's own time ended, if it did. */
function endOf(deadline: Deadline): FootnoteError | undefined {
  try {
    deadline.check();
    return undefined;
  } catch (error) {
    return toFootnoteError(error);
  }
}

function resting(name: string, leftMs: number): FootnoteError {
  return new FootnoteError(
    'upstream-unavailable',
    `${name} failed several times in a row and is left alone for another ${Math.ceil(leftMs / 1000)} s.`,
    { details: { model: name, retryAfterMs: leftMs } },
  );
}

function held(name: string, leftMs: number): FootnoteError {
  return new FootnoteError(
    'rate-limited',
    `${name} takes no more requests now: it asked to wait another ${Math.ceil(leftMs / 1000)} s.`,
    { details: { model: name, retryAfterMs: leftMs } },
  );
}

function tooSlow(name: string, attemptMs: number): FootnoteError {
  return new FootnoteError('upstream-unavailable', `${name} gave no vectors within ${attemptMs / 1000} s.`, {
    details: { model: name },
  });
}
