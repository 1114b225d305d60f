// One signal out of several: the first that ends ends it, its owner can, and afterwards nobody is listened to.
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { joinedAbort } from '../../../src/core/signals/joined-abort.ts';

const listenersOf = ({ signal }: AbortController): number => getEventListeners(signal, 'abort').length;

describe('joinedAbort', () => {
  it('ends with the first of them and its reason, and lets go of the others', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const joined = joinedAbort([one.signal, other.signal]);
    expect([listenersOf(one), listenersOf(other)]).toEqual([1, 1]);
    other.abort('time is up');
    one.abort('later');
    expect(joined.signal.reason).toBe('time is up');
    expect([listenersOf(one), listenersOf(other)]).toEqual([0, 0]);
  });

  it('is over at once where one of them is', () => {
    const [one, over] = [new AbortController(), new AbortController()];
    over.abort('gone');
    expect(joinedAbort([one.signal, over.signal]).signal.reason).toBe('gone');
    expect(listenersOf(one)).toBe(0);
  });

  it('is ended by its owner, or released: then the others end it no more', () => {
    const one = new AbortController();
    const left = joinedAbort([one.signal]);
    left.abort('left');
    expect([left.signal.reason, listenersOf(one)]).toEqual(['left', 0]);
    const kept = joinedAbort([one.signal]);
    kept.release();
    one.abort('late');
    expect([kept.signal.aborted, listenersOf(one)]).toEqual([false, 0]);
  });
});
