// Whoever no longer wants a result does not wait for it.
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import { untilAborted } from '../../../src/core/waiting/until-aborted.ts';

const gone = new FootnoteError('cancelled', 'The client went away.');
const never = new Promise<never>(() => undefined);

describe('untilAborted', () => {
  it('gives what the work gives, and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve('done'), signal)).toBe('done');
    await expect(untilAborted(Promise.reject(gone), signal)).rejects.toBe(gone);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends with the signal, before the work and whatever becomes of it', async () => {
    const controller = new AbortController();
    const { promise: work, reject } = Promise.withResolvers<never>();
    const waiting = untilAborted(work, controller.signal);
    controller.abort(gone);
    await expect(waiting).rejects.toBe(gone);
    // Unhandled, it would fail this run.
    reject(new Error('heard by nobody'));
  });

  it('does not wait where the signal was aborted before', async () => {
    await expect(untilAborted(never, AbortSignal.abort(gone))).rejects.toBe(gone);
    await expect(untilAborted(Promise.resolve('done'), AbortSignal.abort(gone))).rejects.toBe(gone);
    await expect(untilAborted(never, AbortSignal.timeout(0))).rejects.toMatchObject({ code: 'deadline-exceeded' });
  });

  it('makes one error of one reason, however many wait', async () => {
    const signal = AbortSignal.timeout(0);
    const thrown = await Promise.allSettled([untilAborted(never, signal), untilAborted(never, signal)]);
    const [one, other] = thrown.map((outcome) => (outcome as PromiseRejectedResult).reason as FootnoteError);
    expect(one).toMatchObject({ code: 'deadline-exceeded' });
    expect(other).toBe(one);
  });
});
