// How long a caller waits for models that say nothing. Invariant: whatever the models of a list do, silence, failures and pauses together
// leave the caller a share of the time, and one silent model leaves the same to each of those behind it.
import { FootnoteError } from '../../core/errors.ts';
import type { Patience } from '../language/call-options.ts';
import type { AttemptShare } from './attempts.ts';

/** A model that was given less time than this to begin, by nobody's wish, need not be down: some reason for long. */
export const tellingMs = 10_000;
const leastTellingMs = 1_000;
/** Timers may fire a little before their time by the monotonic clock. */
const timerErrorMs = 5;

const tooSlow = (name: string, tookMs: number): FootnoteError =>
  new FootnoteError(
    'upstream-unavailable',
    `${name} did not begin to answer in ${Math.round(tookMs)} ms, its share of the time.`,
    { details: { model: name } },
  );
/** It had its time, and would have it again. */
const tooSlowForGood =
  (enoughMs: number) =>
  (name: string, tookMs: number): FootnoteError => {
    const { code, message } = tooSlow(name, tookMs);
    const isHurried = tookMs + timerErrorMs < enoughMs;
    return new FootnoteError(code, message, { details: { model: name, isFinal: true, isHurried } });
  };

const stalled = (name: string, idleMs: number): FootnoteError =>
  new FootnoteError(
    'upstream-unavailable',
    `${name} said nothing more for ${Math.round(idleMs)} ms in the middle of its answer.`,
    {
      details: { model: name, isFinal: true },
    },
  );

/** Of the time, beside one for each model: for what the caller does without them. Models that reason are slow to begin. */
const callersShare = 0.5;

/** Whoever was silent for all of its time has half of it the next time, and so on down to what tells; a time that somebody set stays as it is. */
const shortened = (shareMs: number, silences: number): number =>
  Math.min(shareMs, Math.max(tellingMs, shareMs / 2 ** Math.min(silences, 20)));

/** Of a call of so many models. Without patience whatever hangs leaves time for those behind it, and the last takes all that is left. */
export function shareOfSilence(
  patience: Patience | undefined,
  { models, remainingMs, elapsedMs }: { models: number; remainingMs: number; elapsedMs: () => number },
): AttemptShare {
  if (!patience) return { ms: (leftMs, behind) => (behind > 0 ? leftMs / (behind + 1) : undefined), tooSlow };
  const { firstTokenMs, idleMs } = patience;
  const startedAt = elapsedMs();
  const mostMs =
    firstTokenMs === undefined
      ? (remainingMs * models) / (models + callersShare)
      : Math.min(remainingMs, firstTokenMs * models);
  const silenceLeftMs = (): number => Math.max(0, mostMs - (elapsedMs() - startedAt));
  return {
    ms: (_leftMs, behind, silences) => {
      const shareMs = Math.min(firstTokenMs ?? Number.POSITIVE_INFINITY, silenceLeftMs() / (behind + 1));
      return Math.max(1, firstTokenMs === undefined ? shortened(shareMs, silences) : shareMs);
    },
    // Whoever sets a time says how long is enough, but for times in which nobody answers.
    tooSlow: tooSlowForGood(Math.min(tellingMs, Math.max(leastTellingMs, firstTokenMs ?? tellingMs))),
    ...(idleMs !== undefined && { idleMs: (leftMs: number) => Math.min(idleMs, leftMs / 2), stalled }),
    mostPauseMs: silenceLeftMs,
  };
}
