import { describe, expect, it } from 'vitest';
import { createDeadline } from '../../src/core/deadline.ts';
import { FootnoteError } from '../../src/core/errors.ts';

const codeOf = (work: () => void): string | undefined => {
  try {
    work();
  } catch (error) {
    return error instanceof FootnoteError ? error.code : 'other';
  }
  return undefined;
};

describe('createDeadline', () => {
  it('passes while time is left and says so when it is up', () => {
    const long = createDeadline(60_000);
    expect(codeOf(() => long.check())).toBeUndefined();
    expect(long.remainingMs()).toBeGreaterThan(0);
    const over = createDeadline(0);
    expect(codeOf(() => over.check())).toBe('deadline-exceeded');
    expect(over.remainingMs()).toBe(0);
  });

  it('goes by the clock that it is given', () => {
    let nowMs = 5_000;
    const deadline = createDeadline(60_000, undefined, { elapsedMs: () => nowMs });
    expect(deadline.remainingMs()).toBe(60_000);
    nowMs = 64_999;
    expect(deadline.remainingMs()).toBe(1);
    expect(codeOf(() => deadline.check())).toBeUndefined();
    nowMs = 65_000;
    expect(codeOf(() => deadline.check())).toBe('deadline-exceeded');
  });

  it('tells a caller that went away from time that ran out', () => {
    const caller = new AbortController();
    const deadline = createDeadline(60_000, caller.signal);
    caller.abort();
    expect(deadline.signal.aborted).toBe(true);
    expect(codeOf(() => deadline.check())).toBe('cancelled');
  });
});
