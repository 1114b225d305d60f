// A call of an embedding model that lasts: attempts (attempts.ts) with the patience of who waits for them. Invariant: when a provider
// asks to wait, no call to it is begun by anybody before that time.
import { createDeadline } from '../../core/deadline.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { type AttemptTiming, attemptWhole, passing } from '../calls/attempts.ts';
import type { Circuit } from '../calls/circuit.ts';
import { readingTokens } from '../language/reading-tokens.ts';
import type { EmbeddedTexts, EmbeddingCall } from './call.ts';
import type { EmbeddingReference } from './facts.ts';
import type { EmbedOptions } from './model.ts';

export interface EmbeddingAttemptsOptions {
  readonly call: EmbeddingCall;
  readonly reference: EmbeddingReference;
  readonly circuit: Circuit;
  /** US dollars; undefined where no price is known. */
  readonly costOf: (tokens: number) => number | undefined;
  /** Each call that was billed. */
  readonly billed: (taken: BilledCall) => void;
  readonly timing: AttemptTiming;
}

export interface BilledCall {
  readonly texts: number;
  readonly tokens: number;
  readonly costUsd: number | undefined;
}

/** A person waits for a query; documents survive a minute without the provider, or a limit that renews every minute. */
const patience = {
  query: { rounds: 3, totalMs: 10_000, attemptMs: 4000, longestPauseMs: 1000 },
  document: { rounds: 8, totalMs: 300_000, attemptMs: 60_000, longestPauseMs: 16_000 },
} as const;
const firstPauseMs = 250;
/** A provider that was given less time than this and said nothing need not be down. */
const tellingMs = 1000;
/** Of the time that a caller has, what an attempt leaves for telling it what became of it. */
const endingShare = 0.05;

/**
 * Throws the first that stands: `quota-exceeded` and `config-invalid` of the budget, unsent; `cancelled`; `deadline-exceeded`; the last
 * failure. What is billed is told to `billed` and to the caller.
 */
export function createEmbeddingAttempts(options: EmbeddingAttemptsOptions) {
  const { call, reference, circuit, costOf, billed, timing } = options;
  const { provider, model } = reference;
  const name = `${provider}:${model}`;
  const targets = [{ name, circuit }];

  return (texts: readonly string[], caller: EmbedOptions): Promise<EmbeddedTexts> => {
    const { kind, signal, budget, onUsage, withinMs } = caller;
    const { attemptMs, ...usual } = patience[kind];
    const { totalMs, ...pauses } = withinMs === undefined ? usual : { ...usual, totalMs: withinMs };
    let shareMs: number = attemptMs;
    const shareOf = (remainingMs: number): number => {
      if (withinMs !== undefined) shareMs = Math.max(1, remainingMs - withinMs * endingShare);
      return shareMs;
    };
    const embedding: Promise<EmbeddedTexts> = attemptWhole(
      {
        ...pauses,
        targets,
        firstPauseMs,
        timing,
        attempt: (_target, deadline) => call(texts, deadline.signal),
        finish: (found) => found,
        share: {
          ms: shareOf,
          // Whoever waits no longer than that has no time for another attempt.
          tooSlow: () => tooSlow(name, shareMs, withinMs !== undefined),
        },
        tokens: readingTokens(reference, texts, ({ tokens }) => tokens),
        costOf: (_target, { inputTokens }) => costOf(inputTokens),
        facts: { role: 'embed' },
        // Whoever asks to wait is alive, and whoever understood what was asked.
        isOutage({ code, details }) {
          if (typeof details['silentMs'] === 'number') return details['silentMs'] >= tellingMs;
          return passing.has(code) && code !== 'rate-limited' && details['isFinal'] !== true;
        },
        // Documents can wait for the service; whoever asks is told at once.
        waitsForCircuit: kind === 'document',
        billed({ inputTokens: tokens }, costUsd) {
          billed({ texts: texts.length, tokens, costUsd });
          onUsage?.({ tokens, costUsd });
        },
      },
      { deadline: createDeadline(totalMs, signal), ...(budget && { budget }) },
    );
    return embedding.catch((thrown: unknown) => {
      // On a busy machine the time of the caller may end before that of the attempt is noticed.
      const isOver = withinMs !== undefined && toFootnoteError(thrown).code === 'deadline-exceeded';
      throw isOver ? tooSlow(name, withinMs, true) : thrown;
    });
  };
}

function tooSlow(name: string, silentMs: number, isFinal: boolean): FootnoteError {
  return new FootnoteError('upstream-unavailable', `${name} gave no vectors within ${Math.round(silentMs) / 1000} s.`, {
    details: { model: name, silentMs, ...(isFinal && { isFinal }) },
  });
}
