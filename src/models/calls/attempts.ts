// Attempts at what somebody else serves, and may fail to: retries with backoff and jitter inside the deadline, Retry-After, the next of
// several targets, a circuit for each, and a budget that is asked before each attempt. Invariants: nothing outlives the deadline or the
// caller, what was given out is never taken back, and a result or a failure tells every attempt. Backoff: "full jitter" of Brooker,
// "Exponential Backoff And Jitter" (AWS, 2015).

import { setTimeout as sleep } from 'node:timers/promises';
import type { CallFacts, Reservation } from '../../core/budget.ts';
import type { Deadline } from '../../core/deadline.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { systemClock } from '../../core/ids.ts';
import type { CallOptions } from '../language/call-options.ts';
import type { ModelAttempt } from '../language/generation.ts';
import type { PricedTokens } from '../money/prices.ts';
import { startAttempt } from './attempt-clock.ts';
import type { Circuit } from './circuit.ts';

export interface AttemptTarget {
  /** `provider:model`. */
  readonly name: string;
  /** Shared by all that ask this target. */
  readonly circuit: Circuit;
}

/** What is not the same twice. */
export interface AttemptTiming {
  /** 0 <= x < 1. */
  readonly random: () => number;
  /** Resolves after so long, or rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly elapsedMs: () => number;
}

export const systemTiming: AttemptTiming = {
  random: Math.random,
  wait: async (ms, signal) => {
    await sleep(ms, undefined, { signal });
  },
  elapsedMs: systemClock.elapsedMs,
};

/** How long an attempt may say nothing. */
export interface AttemptShare {
  /** Until it begins its answer, with so many targets behind it, after so many silences in a row; undefined: all that is left. */
  readonly ms: (remainingMs: number, behind: number, silences: number) => number | undefined;
  readonly tooSlow: (name: string, tookMs: number) => FootnoteError;
  /** In the middle of its answer. Default: all that is left. */
  readonly idleMs?: (remainingMs: number) => number;
  readonly stalled?: (name: string, idleMs: number) => FootnoteError;
  /** Longest pause between attempts. Default: all that is left. */
  readonly mostPauseMs?: () => number;
}

export type AttemptPart<Result> =
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'end'; readonly result: Result };

/** What all attempts for one call took. */
export interface AttemptFacts {
  readonly attempts: readonly ModelAttempt[];
  /** US dollars; absent where a part of it has no known price. */
  readonly costUsd?: number;
}

/** What an attempt tells while it lasts. */
type Told = Pick<CallOptions, 'heard' | 'waits'>;

/** What differs from caller to caller. */
export interface AttemptPlan<Target extends AttemptTarget, Result> {
  /** In the order of trial; one attempt for each in each round. */
  readonly targets: readonly Target[];
  readonly rounds: number;
  /** First pause between rounds; it doubles, up to `longestPauseMs`, and what is waited is drawn below it. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  readonly timing: AttemptTiming;
  /**
   * One attempt. After its first `delta` there is no other; its `end` is the last part. `heard` is to be called where a target is at work
   * that says nothing yet; it is absent where others wait for their turn. `waits` is as in `CallOptions`: time in a line is no silence.
   */
  readonly attempt: (target: Target, deadline: Deadline, told: Told) => AsyncIterable<AttemptPart<Result>>;
  /** The result as the caller wants it. */
  readonly finish: (result: Result, facts: AttemptFacts) => Result;
  /** Default: all that is left. */
  readonly share?: AttemptShare;
  readonly tokens: {
    /** What an attempt can take at most; asked where there is a budget. */
    readonly most: (target: Target) => PricedTokens | Promise<PricedTokens>;
    readonly taken: (result: Result) => PricedTokens;
    /** What was read and written by an attempt that broke off or whose answer is of no use; not asked for one that was refused. */
    readonly broken: (said: string) => PricedTokens;
  };
  /** US dollars; undefined where no price is known. */
  readonly costOf: (target: Target, tokens: PricedTokens) => number | undefined;
  /** For whom a call is reserved, beside the target. */
  readonly facts?: CallFacts;
  /** Whether a failure says that the service is down, and counts against its circuit. Not asked for who stood in a line to the end. */
  readonly isOutage: (error: FootnoteError) => boolean;
  /** Further failures that another target may not have. */
  readonly othersMayServe?: ReadonlySet<string>;
  /** Waits for a circuit to close, as long as the deadline allows, and does not fail at once. */
  readonly waitsForCircuit?: boolean;
  /** Attempts are added to it; given by callers who make several calls for one result. */
  readonly attempts?: ModelAttempt[];
  /** Told of every attempt that somebody bills. */
  readonly billed?: (tokens: PricedTokens, costUsd: number | undefined) => void;
}

/** Failures that a later attempt, or another target, may not have. Final ones are not tried again at the same target. */
export const passing: ReadonlySet<string> = new Set(['upstream-unavailable', 'upstream-invalid', 'rate-limited']);

/** When a target may be asked again, kept for all that share its circuit: who asks to wait means every request. */
const dueAtMs = new WeakMap<Circuit, number>();

/** Timers may fire a little before their time by the monotonic clock. */
const timerErrorMs = 5;

/**
 * The parts of the attempt that serves. Throws the failure of the first target when all have failed, with `details.attempts`;
 * `quota-exceeded` and `config-invalid` of the budget at once, unsent; `cancelled`; `deadline-exceeded`.
 */
// oxlint-disable-next-line complexity, house/own-lines -- The tries of one call share its deadline, its price and what was heard so far.
export async function* runAttempts<Target extends AttemptTarget, Result>(
  plan: AttemptPlan<Target, Result>,
  call: CallOptions,
): AsyncGenerator<AttemptPart<Result>, void, void> {
  const { rounds, firstPauseMs, longestPauseMs, tokens, othersMayServe, attempts = [] } = plan;
  const { random, wait, elapsedMs } = plan.timing;
  const costs: (number | undefined)[] = [];
  const failures = new Map<Target, FootnoteError>();
  let alive = [...plan.targets];

  const endOf = (name: string, unsaidMs?: number): FootnoteError | undefined => {
    const isLeft = call.signal?.aborted === true;
    const cause = isLeft ? call.signal?.reason : thrownBy(() => call.deadline.check());
    if (!isLeft && cause === undefined) return undefined;
    // The signal of a caller with a time of its own ends for either reason.
    const { code } = toFootnoteError(cause);
    return code === 'cancelled' || (isLeft && code !== 'deadline-exceeded')
      ? new FootnoteError('cancelled', `The call of ${name} was cancelled.`, { cause })
      : new FootnoteError('deadline-exceeded', `${name} did not answer in the time that it had.`, {
          details: { model: name, ...(unsaidMs !== undefined && { unsaidMs }) },
          cause,
        });
  };
  const check = (): void => {
    const ended = endOf(plan.targets[0]?.name ?? 'a model');
    if (ended) throw ended;
  };
  /** False, at once, where the deadline comes first: waiting for it would turn a known failure into `deadline-exceeded`. */
  const pause = async (ms: number): Promise<boolean> => {
    if (ms <= 0) return true;
    if (ms >= Math.min(call.deadline.remainingMs(), plan.share?.mostPauseMs?.() ?? Number.POSITIVE_INFINITY))
      return false;
    const { signal } = call.deadline;
    await wait(ms, call.signal ? AbortSignal.any([signal, call.signal]) : signal).catch(check);
    return true;
  };
  const silence = (name: string, idleMs: number | undefined, tookMs: number): FootnoteError | undefined =>
    idleMs === undefined ? plan.share?.tooSlow(name, tookMs) : plan.share?.stalled?.(name, idleMs);
  /** What was given out is served, also where the rest of it failed or was not wanted. */
  const tellServed = (target: Target): void => {
    // Those behind it in the list were not replaced by it.
    const failed = plan.targets.slice(0, plan.targets.indexOf(target)).flatMap((before) => {
      const error = failures.get(before);
      return error ? [{ model: before.name, code: error.code, reason: error.message }] : [];
    });
    call.budget?.served({ model: target.name, failed }, plan.facts);
  };
  const heldForMs = ({ circuit }: Target): number => (dueAtMs.get(circuit) ?? 0) - elapsedMs();
  const allHeldForMs = (): number => Math.min(...alive.map(heldForMs));

  for (let round = 0; round < rounds && alive.length > 0; round++) {
    check();
    const pauseMs = round === 0 ? 0 : random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (round - 1));
    // The second time for those whom another call was told to wait for meanwhile.
    const isPatient = (await pause(Math.max(pauseMs, allHeldForMs()))) && (await pause(allHeldForMs() - timerErrorMs));
    for (const target of alive) {
      if (failures.has(target) || heldForMs(target) <= (isPatient ? timerErrorMs : 0)) continue;
      failures.set(target, held(target.name, heldForMs(target)));
      attempts.push({ model: target.name, code: 'rate-limited', latencyMs: 0 });
    }
    if (!isPatient) break;
    for (const target of alive.filter((one) => heldForMs(one) <= timerErrorMs)) {
      check();
      const { name, circuit } = target;
      let closedForMs = circuit.enter();
      while (closedForMs > 0 && plan.waitsForCircuit && (await pause(closedForMs))) closedForMs = circuit.enter();
      if (closedForMs > 0) {
        if (!failures.has(target)) failures.set(target, resting(name, closedForMs));
        alive = alive.filter((one) => one !== target);
        attempts.push({ model: name, code: 'upstream-unavailable', latencyMs: 0 });
        continue;
      }
      let reservation: Reservation | undefined;
      try {
        if (call.budget) {
          const { inputTokens, outputTokens } = await tokens.most(target);
          const costUsd = plan.costOf(target, { inputTokens, outputTokens });
          reservation = call.budget.reserve(
            { calls: 1, inputTokens, outputTokens, costUsd },
            { ...plan.facts, model: name },
          );
          if (reservation.held) await reservation.held;
        }
      } catch (error) {
        circuit.undecided();
        throw error;
      }
      let isSettled = false;
      const settle = (taken: PricedTokens, wasRefused = false): void => {
        if (isSettled) return;
        isSettled = true;
        const { inputTokens, outputTokens } = taken;
        const isFree = inputTokens + outputTokens === 0;
        // What took nothing costs nothing, whatever the price.
        const costUsd = isFree ? 0 : plan.costOf(target, taken);
        costs.push(costUsd);
        reservation?.settle({ calls: 1, inputTokens, outputTokens, costUsd, ...(wasRefused && { wasRefused }) });
        if (!isFree) plan.billed?.(taken, costUsd);
      };
      const behind = alive.length - alive.indexOf(target) - 1;
      const remainingMs = call.deadline.remainingMs();
      const idleMs = plan.share?.idleMs?.(remainingMs);
      const shareMs = plan.share?.ms(remainingMs, behind, circuit.silences());
      const clock = startAttempt(call.deadline, { shareMs, idleMs, elapsedMs }, call.signal);
      const startedAt = elapsedMs();
      /** Undefined while it serves others first. */
      let servedAt: number | undefined = startedAt;
      const told: Told = {
        ...(behind === 0 && { heard: clock.begun }),
        waits(ahead) {
          servedAt = ahead > 0 ? undefined : elapsedMs();
          call.waits?.(ahead);
        },
      };
      let said = '';
      try {
        for await (const part of plan.attempt(target, clock.deadline, told)) {
          if (part.type === 'delta') {
            // Models that have lost their way write blanks for ever.
            if (part.text.trim() !== '') clock.begun();
            said += part.text;
            yield part;
            continue;
          }
          circuit.succeeded();
          tellServed(target);
          settle(tokens.taken(part.result));
          attempts.push({ model: name, latencyMs: elapsedMs() - startedAt });
          const costUsd = sum(costs);
          yield {
            type: 'end',
            result: plan.finish(part.result, { attempts, ...(costUsd === undefined ? {} : { costUsd }) }),
          };
          return;
        }
        throw new FootnoteError('upstream-invalid', `${name} ended its stream without an end.`);
      } catch (thrown) {
        const wasServed = servedAt !== undefined;
        const workedMs = elapsedMs() - (servedAt ?? startedAt);
        const ended = endOf(name, wasServed && said.trim() === '' ? workedMs : undefined);
        const slow =
          ended === undefined && clock.isOver()
            ? silence(name, clock.hasBegun() ? idleMs : undefined, workedMs)
            : undefined;
        const error = ended ?? slow ?? toFootnoteError(thrown);
        attempts.push({ model: name, code: error.code, latencyMs: elapsedMs() - startedAt });
        if (said !== '') tellServed(target);
        if (wasServed && slow !== undefined && !clock.hasBegun() && error.details['isHurried'] !== true)
          circuit.silent();
        if (ended && said.trim() !== '') circuit.succeeded();
        else if (wasServed && plan.isOutage(error)) circuit.failed(error);
        else circuit.undecided(error);
        if (said !== '' || (wasServed && (slow !== undefined || isBilled(error)))) settle(tokens.broken(said));
        else settle({ inputTokens: 0, outputTokens: 0 }, true);
        const isPassing = passing.has(error.code);
        dueAtMs.set(circuit, Math.max(dueAtMs.get(circuit) ?? 0, elapsedMs() + toldToWaitMs(error)));
        if (said !== '' && ended === undefined) throw brokenOff(error, name);
        if (said !== '' || !(isPassing || othersMayServe?.has(error.code))) throw error;
        failures.set(target, error);
        if (!isPassing || error.details['isFinal'] === true) alive = alive.filter((one) => one !== target);
      } finally {
        clock.stop();
        // The reader left the loop: nothing was thrown, and what was said is billed.
        if (!isSettled) {
          if (said.trim() === '') circuit.undecided();
          else circuit.succeeded();
          if (said !== '') tellServed(target);
          settle(tokens.broken(said));
        }
      }
    }
  }
  throw allFailed(failures, attempts);
}

/** The result of attempts that give nothing before their end. Throws like `runAttempts`. */
export async function attemptWhole<Target extends AttemptTarget, Result>(
  plan: Omit<AttemptPlan<Target, Result>, 'attempt'> & {
    readonly attempt: (target: Target, deadline: Deadline, told: Told) => Promise<Result>;
  },
  call: CallOptions,
): Promise<Result> {
  const attempt: AttemptPlan<Target, Result>['attempt'] = async function* (target, deadline, told) {
    yield { type: 'end', result: await plan.attempt(target, deadline, told) };
  };
  for await (const part of runAttempts({ ...plan, attempt }, call)) if (part.type === 'end') return part.result;
  throw new FootnoteError('internal', 'Attempts ended without a result.');
}

/** Refused calls are free. One that was left, or whose answer was of no use, is billed for what the provider had read by then. */
function isBilled({ code, details }: FootnoteError): boolean {
  if (code === 'cancelled' || code === 'deadline-exceeded') return true;
  return code === 'upstream-invalid' && details['status'] === undefined;
}

/** The target had begun, and what it said cannot be taken back: whoever has shown nothing of it may ask another. */
const brokenOff = ({ code, message, details, cause }: FootnoteError, model: string): FootnoteError =>
  new FootnoteError(code, message, { details: { ...details, model, brokeOff: true }, cause });

function toldToWaitMs({ details }: FootnoteError): number {
  const told = details['retryAfterMs'];
  return typeof told === 'number' && told > 0 ? told : 0;
}

function thrownBy(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Total of what was charged, if every part of it has a price. */
function sum(parts: readonly (number | undefined)[]): number | undefined {
  let total = 0;
  for (const part of parts) {
    if (part === undefined) return undefined;
    total += part;
  }
  return total;
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

/** The failure of the target that was asked for, told with all the others. */
function allFailed(
  failures: ReadonlyMap<AttemptTarget, FootnoteError>,
  attempts: readonly ModelAttempt[],
): FootnoteError {
  const [first = new FootnoteError('upstream-unavailable', 'No model could be asked.')] = failures.values();
  // Of several it is said which failed how.
  const reasons = [...failures].map(([{ name }, { message }]) => (failures.size > 1 ? `${name}: ${message}` : message));
  const tries = attempts.length > 1 ? ` ${attempts.length} attempts were made.` : '';
  const message = `${reasons.join(' Then: ') || first.message}${tries}`;
  return new FootnoteError(first.code, message, { details: { ...first.details, attempts }, cause: first });
}
