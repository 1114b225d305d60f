// The time that search by meaning may take of a request: half of what is left, so that words can still be shown, and of a provider's
// model no more than is set. Invariant: the end of this time is told apart from the end of the request, whose deadline it never extends.
import type { Deadline } from '../../core/deadline.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { DeadlineClock } from '../../core/ids.ts';

export interface MeaningLimits {
  /** Of the request; without it there is no limit but the provider's. */
  readonly deadline?: Deadline | undefined;
  /** Longest wait for a model of a provider (EMBEDDING_TIMEOUT_MS). */
  readonly embeddingTimeoutMs?: number | undefined;
  /** Of the request. */
  readonly clock: DeadlineClock;
}

export interface MeaningTime {
  /** Aborts when the time is up, or with the request. */
  readonly signal: AbortSignal;
  /** Milliseconds left; undefined: nobody set a limit. */
  remainingMs(): number | undefined;
  /** The model turned out to be a provider's. */
  isRemote(): void;
  /** The failure, once this time is over and the request is not. */
  over(): FootnoteError | undefined;
  stop(): void;
}

const requestShare = 0.5;

export function startMeaningTime(
  { deadline, embeddingTimeoutMs = Number.POSITIVE_INFINITY, clock }: MeaningLimits,
  signal?: AbortSignal,
): MeaningTime {
  const startedAt = clock.elapsedMs();
  const ends = new AbortController();
  const leave = (): void => ends.abort(signal?.reason);
  let allowedMs = (deadline?.remainingMs() ?? Number.POSITIVE_INFINITY) * requestShare;
  let timer: NodeJS.Timeout | undefined;
  let failure: FootnoteError | undefined;
  const end = (): void => {
    if (ends.signal.aborted) return;
    failure = new FootnoteError(
      'deadline-exceeded',
      `Search by meaning gave nothing within ${Math.round(allowedMs)} ms. Look after the provider, or allow more (EMBEDDING_TIMEOUT_MS, REQUEST_TIMEOUT_MS).`,
    );
    ends.abort(failure);
  };
  const leftMs = (): number => Math.max(0, allowedMs - (clock.elapsedMs() - startedAt));
  /** Of a clock that is not the machine's: an earlier one that was armed means nothing any more. */
  let armed: AbortSignal | undefined;
  const arm = (): void => {
    clearTimeout(timer);
    if (!Number.isFinite(allowedMs)) return;
    const ms = leftMs();
    const own = clock.after?.(ms);
    armed = own;
    if (own) own.addEventListener('abort', () => armed === own && end(), { once: true });
    else timer = setTimeout(end, ms);
  };
  arm();
  if (signal?.aborted) leave();
  // Not `AbortSignal.any`, whose bookkeeping costs more than all else here.
  else signal?.addEventListener('abort', leave, { once: true });
  return {
    signal: ends.signal,
    remainingMs: () => (Number.isFinite(allowedMs) ? leftMs() : undefined),
    isRemote() {
      if (allowedMs <= embeddingTimeoutMs) return;
      allowedMs = embeddingTimeoutMs;
      arm();
    },
    over: () => (signal?.aborted ? undefined : failure),
    stop() {
      clearTimeout(timer);
      armed = undefined;
      signal?.removeEventListener('abort', leave);
    },
  };
}
