// The upkeep of traces by a clock that is told: what is too old goes, what rested is packed, and pinned ones stay.
import { expect, it } from 'vitest';
import { createDemand } from '../../../src/core/waiting/demand.ts';
import { openLocalLeases } from '../../../src/db/servers/leases.ts';
import { createTracesUpkeep } from '../../../src/footnote/keeping/traces-upkeep.ts';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();

it('prunes by the days that are set and packs what rested', async () => {
  const { traces } = place.tenant;
  const event = { type: 'request', kind: 'ask', body: { question: 'q'.repeat(400) }, at: '' } as const;
  const save = (id: string, startedAt: string) =>
    traces.save({ id, kind: 'ask', startedAt, totalMs: 1, eventCount: 1 }, [{ seq: 1, atMs: 0, event }]);
  await save('old', '2026-10-01T00:00:00.000Z');
  await save('kept', '2026-10-02T00:00:00.000Z');
  await save('young', '2026-11-22T23:00:00.000Z');
  await save('fresh', '2026-11-22T23:59:59.000Z');
  await traces.pin('kept', true);
  const upkeep = createTracesUpkeep({
    upkeep: place.record.traceUpkeep,
    clock: { now: () => '2026-11-23T00:00:00.000Z' },
    retentionDays: 30,
    leases: openLocalLeases(),
    demand: createDemand({ elapsedMs: () => 0 }),
    every: () => () => undefined,
  });
  expect(await upkeep.run()).toEqual({ pruned: 1, packed: 2 });
  expect(await upkeep.run()).toEqual({ pruned: 0, packed: 0 });
  expect((await traces.list({})).data.map(({ id }) => id)).toEqual(['fresh', 'young', 'kept']);
  await upkeep.close();
});

it('has a tenth of the time at most while there are requests, and all of it without', async () => {
  let nowMs = 0;
  let left = 50;
  let workedMs = 0;
  const asked: number[] = [];
  let busyShare = 1;
  const step = async (_: string, most: number): Promise<number> => {
    const done = Math.min(most, left);
    left -= done;
    asked.push(most);
    nowMs += 15 * done;
    workedMs += 15 * done;
    return done;
  };
  const demand = { isBusy: true, giveWay: async () => undefined, isHigh: () => demand.isBusy };
  const upkeep = createTracesUpkeep({
    upkeep: { prune: async () => 0, compact: step },
    clock: { now: () => '2026-11-23T00:00:00.000Z' },
    retentionDays: 30,
    leases: openLocalLeases(),
    demand,
    every: () => () => undefined,
    time: {
      elapsedMs: () => nowMs,
      async rest(ms) {
        nowMs += ms;
        if (left > 40) return;
        demand.isBusy = false;
        busyShare = workedMs / nowMs;
      },
    },
  });
  expect(await upkeep.run()).toEqual({ pruned: 0, packed: 50 });
  expect(busyShare).toBeLessThanOrEqual(0.1);
  expect(asked.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 1));
  expect(asked.slice(-3)).toEqual([20, 20, 20]);
});
