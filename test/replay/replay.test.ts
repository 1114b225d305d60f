// Recorded turns of every kind come out the same, byte for byte, from their traces alone, with every way out of the process blocked; and
// nothing of a replay is kept.
import { afterEach, describe, expect, it } from 'vitest';
import { replayTrace } from '../../src/footnote/replay/replay.ts';
import { withBlockedSockets } from './blocked-sockets.ts';
import type { SystemKind } from './recorded-systems.ts';
import { openTurns, type TurnSource } from './recorded-turns.ts';

const isLong = process.env['FOOTNOTE_TEST_LONG'] !== undefined;

/** Of each kind: 1,026 in all, a fifth of them in short. */
const counts: Readonly<Record<SystemKind, number>> = {
  words: 120,
  model: 120,
  prose: 48,
  file: 48,
  roles: 84,
  stores: 72,
  budget: 36,
  expanded: 60,
  silent: 24,
  parts: 48,
  planned: 36,
  tools: 36,
  hosted: 36,
  revised: 72,
  criticised: 72,
  memory: 24,
  chat: 18,
  team: 24,
  web: 48,
};

let source: TurnSource | undefined;
afterEach(async () => {
  await source?.close();
  source = undefined;
});

describe('a replay gives what was given then', () => {
  it.each(Object.keys(counts) as SystemKind[])('%s', async (kind) => {
    source = await openTurns(kind);
    const failures: object[] = [];
    let replayed = 0;
    const { traces } = source.footnote;
    // By their ids: what is a minute old is packed anew meanwhile.
    const kept = async (): Promise<string> => (await traces.list({ limit: 1000 })).data.map(({ id }) => id).join();
    for await (const turn of source.turns(isLong ? counts[kind] : Math.ceil(counts[kind] / 5))) {
      const before = await kept();
      const { value, tried } = await withBlockedSockets(() => replayTrace(turn.saved));
      replayed += 1;
      const { same, difference, divergences, answer } = value;
      const isWhole = turn.answer === undefined || answer === undefined || JSON.stringify(answer) === turn.answer;
      if (!same || !isWhole || tried.length > 0 || divergences.length > 0)
        failures.push({
          kind: turn.kind,
          status: turn.saved.trace.status,
          same,
          isWhole,
          difference,
          divergences,
          tried,
        });
      expect(await kept()).toBe(before);
    }
    expect(failures).toEqual([]);
    expect(replayed).toBeGreaterThan(3);
  });
});
