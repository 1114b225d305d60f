// Silence is remembered beyond the process, until the model serves.
import { describe, expect, it } from 'vitest';
import { createModelWatch } from '../../../src/models/calls/watch.ts';

describe('silences of a watched model', () => {
  it('begin with what is remembered, are noted as they come, and are forgotten when it serves', () => {
    const noted: [string, number][] = [];
    const silences = {
      of: (name: string) => (name === 'openai:a' ? 2 : 0),
      note: (...one: [string, number]) => noted.push(one),
    };
    const watch = createModelWatch({ now: () => '2026-01-01T00:00:00Z', elapsedMs: () => 0, silences });
    const [a, b] = ['openai:a', 'openai:b'].map((name) => watch.circuit(name, { elapsedMs: () => 0 }));
    expect([a?.silences(), b?.silences()]).toEqual([2, 0]);
    a?.silent();
    a?.succeeded();
    a?.succeeded();
    b?.succeeded();
    expect(a?.silences()).toBe(0);
    expect(noted).toEqual([
      ['openai:a', 3],
      ['openai:a', 0],
    ]);
  });
});
