// Sessions, traces, answers, ingestions and idempotency keys: whose they are, and what a restart makes of them.

import { describe, expect, it } from 'vitest';
import type { Ingestion } from '../../src/core/documents/runs.ts';
import { recordForEachTest, scopeOf } from '../../testkit/record-fixture.ts';
import { createAnswer } from '../../testkit/record-suite/answer-fixture.ts';
import { sqlitePlace } from '../../testkit/record-suite/place.ts';
import { sessionSuite } from '../../testkit/record-suite/sessions.ts';

const place = recordForEachTest();

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const turn = (sessionId: string, n: number) => ({
  id: `turn_${sessionId}_${n}`,
  sessionId,
  content: `question ${n}`,
  resolvedQuestion: `resolved ${n}`,
  answer: createAnswer(`ans_${sessionId}_${n}`, `answer ${n}`),
  createdAt: at(n),
});

describe('sessions', () => {
  sessionSuite(sqlitePlace(place));

  it('go with their turns, answers and traces', async () => {
    const handle = place.record.forScope(scopeOf());
    await handle.sessions.appendTurn(turn('s', 1));
    await handle.answers.save(createAnswer('ans_s_1', 'x'), at(1));
    await handle.answers.save(createAnswer('kept', 'x'), at(1));
    await handle.traces.save(
      { id: 't1', kind: 'message', sessionId: 's', startedAt: at(1), totalMs: 2, eventCount: 0 },
      [],
    );
    expect(await handle.sessions.delete('s')).toBe(true);
    expect(await handle.sessions.get('s')).toBeUndefined();
    expect(await handle.answers.get('ans_s_1')).toBeUndefined();
    expect(await handle.answers.get('kept')).toBeDefined();
    expect(await handle.traces.get('t1')).toBeUndefined();
    expect(await handle.sessions.delete('s')).toBe(false);
  });
});

describe('traces and answers', () => {
  it('come back whole, to who asked and to admins only', async () => {
    const ann = place.record.forScope(scopeOf('default', 'ann', 'reader'));
    const events = [{ seq: 1, atMs: 0.5, event: { type: 'delta' as const, text: 'é\u{1F600}' } }];
    const trace = { id: 't', kind: 'ask' as const, startedAt: at(1), totalMs: 12.5, eventCount: 1 };
    await ann.traces.save(trace, events);
    await ann.answers.save(createAnswer('a', 'text'), at(1));
    expect(await ann.traces.get('t')).toEqual({ trace, events });
    expect(await ann.answers.get('a')).toEqual(createAnswer('a', 'text'));
    for (const [scope, visible] of [
      [scopeOf('default', 'bob', 'writer'), false],
      [scopeOf('default', 'root', 'admin'), true],
      [scopeOf('other', 'ann', 'admin'), false],
    ] as const) {
      const handle = place.record.forScope(scope);
      expect((await handle.traces.get('t')) !== undefined).toBe(visible);
      expect((await handle.answers.get('a')) !== undefined).toBe(visible);
      expect((await handle.traces.list({})).data).toHaveLength(visible ? 1 : 0);
    }
  });

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

  it('keep the outcome of each file, idempotent by uri, and are hidden from readers', async () => {
    const { ingestions } = place.record.forScope(scopeOf('default', 'w', 'writer'));
    await ingestions.put(ingestion);
    await ingestions.putFiles('i', [
      { uri: 'a', state: 'pending' },
      { uri: 'b', state: 'failed', error: { code: 'invalid-media', message: 'damaged' } },
    ]);
    await ingestions.putFiles('i', [{ uri: 'a', state: 'done', documentId: 'd', chunks: 3, warnings: ['w'] }]);
    expect((await ingestions.files('i', {})).data).toEqual([
      { uri: 'a', state: 'done', documentId: 'd', chunks: 3, warnings: ['w'] },
      { uri: 'b', state: 'failed', error: { code: 'invalid-media', message: 'damaged' } },
    ]);
    expect((await ingestions.files('i', { state: 'failed', limit: 1 })).data.map(({ uri }) => uri)).toEqual(['b']);
    const reader = place.record.forScope(scopeOf('default', 'r', 'reader')).ingestions;
    expect(await reader.get('i')).toBeUndefined();
    expect((await reader.files('i', {})).data).toEqual([]);
  });

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

describe('idempotency keys', () => {
  it('let one of many through, answer the others, and are free again after a failure or a day', async () => {
    const { idempotency } = place.record.forScope(scopeOf());
    const claims = await Promise.all(Array.from({ length: 5 }, () => idempotency.begin('POST /x', 'k', 'h')));
    expect(claims.map(String).sort()).toEqual(['new', 'running', 'running', 'running', 'running']);
    await idempotency.release('POST /x', 'k');
    expect(await idempotency.begin('POST /x', 'k', 'h')).toBe('new');
    await idempotency.finish('POST /x', 'k', { requestHash: 'h', status: 202, body: '{}' });
    await idempotency.release('POST /x', 'k');
    expect(await idempotency.begin('POST /x', 'k', 'other')).toEqual({ requestHash: 'h', status: 202, body: '{}' });
    expect(await idempotency.begin('POST /y', 'k', 'h')).toBe('new');
    expect(await idempotency.read('POST /y', 'k')).toBeUndefined();
    expect(await idempotency.read('POST /x', 'k')).toEqual({ requestHash: 'h', status: 202, body: '{}' });
    expect(await place.record.forScope(scopeOf('default', 'other')).idempotency.read('POST /x', 'k')).toBeUndefined();
    expect(await place.record.forScope(scopeOf('default', 'other')).idempotency.begin('POST /x', 'k', 'h')).toBe('new');
    await place.record.write((database) =>
      database.exec('UPDATE idempotency SET created_ms = created_ms - 25 * 3600000'),
    );
    expect(await idempotency.read('POST /x', 'k')).toBeUndefined();
    expect(await idempotency.begin('POST /x', 'k', 'h')).toBe('new');
  });

  it('forget a reply, and those of another route that hold a text, of one caller alone', async () => {
    const [mine, others] = ['one', 'other'].map((id) => place.record.forScope(scopeOf('default', id)).idempotency);
    if (!mine || !others) throw new Error('There is nobody.');
    const keep = async (of: typeof mine, route: string, key: string, body: string) =>
      of.finish(route, key, { requestHash: '', status: 200, body });
    for (const one of [mine, others]) {
      await keep(one, 'kept', 'a', '{"id":"a"}');
      await keep(one, 'kept', 'b', '{"id":"b","before":"a"}');
      await keep(one, 'POST /x', 'k1', '{"id":"a"}');
      await keep(one, 'POST /x', 'k2', '{"id":"b","before":"a"}');
    }
    await mine.forget('kept', 'a', { route: 'POST /x', holding: '"id":"a"' });
    const left = async (one: typeof mine) =>
      Promise.all(
        [
          ['kept', 'a'],
          ['kept', 'b'],
          ['POST /x', 'k1'],
          ['POST /x', 'k2'],
        ].map(async ([route = '', key = '']) => (await one.read(route, key)) !== undefined),
      );
    expect(await left(mine)).toEqual([false, true, false, true]);
    expect(await left(others)).toEqual([true, true, true, true]);
    // What is older than a day goes when another is kept.
    await place.record.write((database) =>
      database.exec('UPDATE idempotency SET created_ms = created_ms - 25 * 3600000'),
    );
    await keep(mine, 'kept', 'c', '{}');
    const count = await place.record.write((database) =>
      database.prepare('SELECT count(*) AS n FROM idempotency').get(),
    );
    expect(count?.['n']).toBe(1);
  });
});
