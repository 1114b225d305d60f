// Traces of searches are committed in groups behind their replies: each is read from the moment it was kept, a clean close loses none,
// and where writing fails they stay readable and new ones are not taken in.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { LoggedEvent } from '../../../../src/core/events.ts';
import { createTraceGroups, type WaitingTrace } from '../../../../src/db/both/trace-groups.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../../testkit/record-fixture.ts';

const place = recordForEachTest();

const startedAt = new Date(Date.UTC(2026, 0, 1)).toISOString();
const traceOf = (id: string, at = startedAt) => ({
  id,
  kind: 'search' as const,
  startedAt: at,
  totalMs: 1,
  eventCount: 1,
});
const eventsOf = (text: string): readonly LoggedEvent[] => [{ seq: 1, atMs: 0, event: { type: 'delta', text } }];

/** Rows of traces as any other process sees them. */
function committed(): number {
  const other = new DatabaseSync(join(place.folder, 'record.sqlite'), { readOnly: true });
  try {
    return Number(other.prepare('SELECT count(*) AS n FROM trace').get()?.['n']);
  } finally {
    other.close();
  }
}

describe('traces that wait for their group', () => {
  it('are read at once, by who asked and by admins only', async () => {
    const ann = place.record.forScope(scopeOf('default', 'ann', 'reader'));
    for (const [scope, visible] of [
      [scopeOf('default', 'ann', 'reader'), true],
      [scopeOf('default', 'bob', 'writer'), false],
      [scopeOf('default', 'root', 'admin'), true],
      [scopeOf('other', 'ann', 'admin'), false],
    ] as const) {
      const id = `t-${scope.tenant}-${scope.principal.id}`;
      await ann.traces.saveSoon(traceOf(id), eventsOf('found'));
      const found = await place.record.forScope(scope).traces.get(id);
      expect(found).toEqual(visible ? { trace: traceOf(id), events: eventsOf('found') } : undefined);
    }
    expect((await ann.traces.list({})).data).toHaveLength(4);
  });

  it('are not committed before the reply, and all of them by a clean close', async () => {
    const { traces } = place.tenant;
    for (let n = 0; n < 40; n += 1) await traces.saveSoon(traceOf(`t${n}`), eventsOf(`search ${n}`));
    expect(committed()).toBe(0);
    await place.reopen();
    expect(committed()).toBe(40);
    expect((await place.tenant.traces.get('t39'))?.events).toEqual(eventsOf('search 39'));
  });

  it('are committed by themselves a moment later', async () => {
    await place.tenant.traces.saveSoon(traceOf('t'), eventsOf('x'));
    await expect.poll(committed, { timeout: 60_000 }).toBe(1);
  });

  it('keep nothing of a document that was deleted while they waited', async () => {
    const write = createWrite('Otters swim at dawn.', { id: 'gone', uri: 'gone.md' });
    await place.tenant.commit([
      { kind: 'put-source', source: { name: write.document.source, type: 'docs' } },
      { kind: 'put-document', write },
    ]);
    const log = (): readonly LoggedEvent[] => [
      {
        seq: 1,
        atMs: 0,
        event: {
          type: 'call',
          call: { port: 'p', method: 'm', request: [], response: { documentId: 'gone', text: 'Otters' }, latencyMs: 1 },
        },
      },
    ];
    await place.tenant.traces.saveSoon(traceOf('t', new Date().toISOString()), log());
    await place.tenant.commit([{ kind: 'delete-document', id: 'gone' }]);
    expect((await place.tenant.traces.get('t'))?.events.map(({ event }) => event.type)).toEqual(['erased']);
  });
});

describe('groups of traces', () => {
  /** Groups whose commits and time are the test's own. */
  function openGroups() {
    let fails = false;
    let hasRoom = true;
    const saved: string[] = [];
    const timers: (() => void)[] = [];
    let rounds = 0;
    const groups = createTraceGroups({
      pack: (events) => new TextEncoder().encode(JSON.stringify(events)),
      async save(waiting: readonly WaitingTrace[]) {
        if (fails) return [];
        saved.push(...waiting.map(({ trace }) => trace.id));
        return waiting;
      },
      hasRoom: () => hasRoom,
      schedule: (work) => {
        rounds += 1;
        timers.push(work);
        return () => void timers.splice(timers.indexOf(work), 1);
      },
    });
    const scope = scopeOf();
    const add = (id: string): void => groups.add(scope, traceOf(id), eventsOf(id));
    return {
      groups,
      scope,
      add,
      saved,
      rounds: () => rounds,
      set(state: { fails?: boolean; hasRoom?: boolean }): void {
        fails = state.fails ?? fails;
        hasRoom = state.hasRoom ?? hasRoom;
      },
      pass: (): void => {
        for (const work of timers.splice(0)) work();
      },
    };
  }

  it('are one for all that came in its time, and at most 64', async () => {
    const { groups, add, saved, pass, rounds } = openGroups();
    for (let n = 0; n < 63; n += 1) add(`t${n}`);
    expect([saved.length, rounds()]).toEqual([0, 1]);
    pass();
    await groups.flush();
    expect(saved).toHaveLength(63);
    for (let n = 0; n < 64; n += 1) add(`u${n}`);
    await expect.poll(() => saved.length).toBe(127);
  });

  it('stay readable where they cannot be written, and go in with the next that can', async () => {
    const { groups, scope, add, saved, set, pass } = openGroups();
    set({ fails: true });
    add('t');
    await groups.flush();
    expect([groups.isOpen(), groups.find(scope, 't')?.trace.id, saved]).toEqual([false, 't', []]);
    expect(groups.find(scopeOf('default', 'bob', 'reader'), 't')).toBeUndefined();
    expect(groups.find(scopeOf('other'), 't')).toBeUndefined();
    set({ fails: false });
    groups.wrote();
    expect(groups.isOpen()).toBe(true);
    pass();
    await groups.flush();
    expect([groups.find(scope, 't'), saved]).toEqual([undefined, ['t']]);
  });

  it('take nothing in on a disk that is nearly full', () => {
    const { groups, set } = openGroups();
    expect(groups.isOpen()).toBe(true);
    set({ hasRoom: false });
    expect(groups.isOpen()).toBe(false);
  });
});
