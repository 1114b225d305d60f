// Sessions, traces, answers, ingestions and idempotency keys: whose they are, and what a restart makes of them.

import { describe, expect, it } from 'vitest';
import type { Ingestion } from '../../src/core/documents/runs.ts';
import { recordForEachTest, scopeOf } from '../../testkit/record-fixture.ts';
import { effectSuite } from '../../testkit/record-suite/effects.ts';
import { sqlitePlace } from '../../testkit/record-suite/place.ts';
import { spendingSuite, traceSuite } from '../../testkit/record-suite/requests.ts';
import { runSuite } from '../../testkit/record-suite/runs.ts';
import { sessionSuite } from '../../testkit/record-suite/sessions.ts';

const place = recordForEachTest();

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
describe('what requests and runs leave behind', () => {
  traceSuite(sqlitePlace(place));
  spendingSuite(sqlitePlace(place));
  runSuite(sqlitePlace(place));
  effectSuite(Object.assign(sqlitePlace(place), { markInterrupted: () => place.record.markInterrupted() }));
});

describe('sessions', () => {
  sessionSuite(sqlitePlace(place));
});

describe('traces and answers', () => {
  it('are found to be damaged, never read wrongly', async () => {
    const handle = place.record.forScope(scopeOf());
    const events = [
      { seq: 1, atMs: 0, event: { type: 'delta' as const, text: 'long enough to be packed '.repeat(40) } },
    ];
    await handle.traces.save({ id: 't', kind: 'ask', startedAt: at(1), totalMs: 1, eventCount: 1 }, events);
    const size = place.record.read((database) =>
      Number(database.prepare('SELECT length(events) AS n FROM trace').get()?.['n']),
    );
    for (let byte = 0; byte < size; byte += 1) {
      await place.record.write((database) => {
        const row = database.prepare('SELECT events FROM trace').get() as { events: Uint8Array };
        const bytes = Uint8Array.from(row.events);
        bytes[byte] = (bytes[byte] ?? 0) ^ 0x10;
        database.prepare('UPDATE trace SET events = ?').run(bytes);
      });
      const found = await handle.traces.get('t').then(
        (value) => value?.events,
        (error: { code: string }) => error.code,
      );
      if (found !== 'data-corrupt') expect(found).toEqual(events);
      await place.record.write((database) => {
        const row = database.prepare('SELECT events FROM trace').get() as { events: Uint8Array };
        const bytes = Uint8Array.from(row.events);
        bytes[byte] = (bytes[byte] ?? 0) ^ 0x10;
        database.prepare('UPDATE trace SET events = ?').run(bytes);
      });
    }
  });
});

describe('ingestions', () => {
  const counts = { found: 2, done: 1, unchanged: 0, failed: 1, deleted: 0, chunks: 3 };
  const ingestion: Ingestion = { id: 'i', source: 's', state: 'running', startedAt: at(1), counts };

  it('that a dead process left running are marked interrupted, and its unfinished requests may be sent again', async () => {
    const handle = place.record.forScope(scopeOf());
    await handle.ingestions.put(ingestion);
    await handle.ingestions.put({ ...ingestion, id: 'j', state: 'done', finishedAt: at(2) });
    expect(await handle.idempotency.begin('r', 'k', 'h')).toBe('new');
    await place.reopen();
    expect(await place.record.markInterrupted()).toBe(1);
    expect(await place.record.markInterrupted()).toBe(0);
    const again = place.record.forScope(scopeOf());
    expect((await again.ingestions.get('i'))?.state).toBe('interrupted');
    expect((await again.ingestions.list({})).data.map(({ state }) => state).sort()).toEqual(['done', 'interrupted']);
    expect(await again.idempotency.begin('r', 'k', 'h')).toBe('new');
  });
});
