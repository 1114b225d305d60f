// A store that keeps failing is left alone: when, for how long, and what does not count.
import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import { localScope } from '../../../src/core/scope.ts';
import { guardSearcher } from '../../../src/footnote/beside/guarded-searcher.ts';
import { createCircuit } from '../../../src/models/calls/circuit.ts';
import type { Searcher } from '../../../src/stores/store.ts';
import { createMemoryStores } from '../../../testkit/memory-store.ts';

const query = { text: 'q', mode: 'vector', limit: 5 } as const;

function guarded() {
  const state = { nowMs: 0, calls: 0, fails: undefined as FootnoteError | undefined, takesMs: 0 };
  const memory = createMemoryStores().store(localScope());
  const searcher: Searcher = {
    ...memory,
    async search(asked, signal) {
      state.calls += 1;
      state.nowMs += state.takesMs;
      if (state.fails) throw state.fails;
      return memory.search(asked, signal);
    },
  };
  const elapsedMs = () => state.nowMs;
  const circuit = createCircuit({ failures: 3, pauseMs: 15_000, elapsedMs });
  const { search } = guardSearcher(searcher, { circuit, elapsedMs });
  const ask = () =>
    search(query).then(
      () => 'found',
      (error: FootnoteError) => error.code,
    );
  return { state, ask };
}

describe('guardSearcher', () => {
  it('asks nobody after failures in a row, then one search, then everybody again', async () => {
    const { state, ask } = guarded();
    state.fails = new FootnoteError('upstream-unavailable', 'Down.');
    for (let turn = 0; turn < 10; turn += 1) expect(await ask()).toBe('upstream-unavailable');
    expect(state.calls).toBe(3);
    state.nowMs += 15_000;
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill('upstream-unavailable'));
    expect(state.calls).toBe(4);
    state.nowMs += 15_000;
    state.fails = undefined;
    expect([await ask(), await ask()]).toEqual(['found', 'found']);
    expect(state.calls).toBe(6);
  });

  it('counts silence, and nobody who left early or asked wrongly', async () => {
    const { state, ask } = guarded();
    for (const code of ['deadline-exceeded', 'cancelled', 'invalid-request', 'unsupported'] as const) {
      state.fails = new FootnoteError(code, 'No.');
      for (let turn = 0; turn < 5; turn += 1) await ask();
    }
    expect(state.calls).toBe(20);
    state.fails = new FootnoteError('deadline-exceeded', 'Silent.');
    state.takesMs = 1000;
    for (let turn = 0; turn < 5; turn += 1) await ask();
    expect(state.calls).toBe(23);
  });
});
