// The log of a job stays small however much goes through it, counts all of it, and keeps every kind of failure whole.
import { expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { LoggedEvent } from '../../../src/core/events.ts';
import { createJobLog } from '../../../src/trace/jobs/job-log.ts';

const head = {
  kind: 'sync',
  about: { source: 'press' },
  at: '2026-11-23T00:00:00.000Z',
  program: '1',
  config: 'c',
} as const;

function clockOf() {
  let ms = 0;
  return { now: () => head.at, elapsedMs: () => (ms += 1) };
}

const all = <Type extends LoggedEvent['event']['type']>(events: readonly LoggedEvent[], type: Type) =>
  events.flatMap(({ event }) => (event.type === type ? [event as Extract<LoggedEvent['event'], { type: Type }>] : []));

it('keeps the first calls and failures whole, counts all, and names the first things of each end', async () => {
  const log = createJobLog(head, clockOf());
  for (let n = 0; n < 10_000; n += 1) {
    const call = { port: 'connector', method: 'read', request: { documentId: `doc_${n}` } };
    const failing = n % 100 === 99;
    const work = async () => {
      if (failing) throw new FootnoteError('upstream-unavailable', `No ${n}.`);
      return n;
    };
    await log.during(call, work, (bytes) => ({ bytes })).catch(() => undefined);
    log.item({ outcome: failing ? 'failed' : 'added', document: { documentId: `doc_${n}`, uri: `${n}.md` } });
    log.count({ chunks: 2 });
  }
  const events = log.ended();
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, place) => place + 1));
  expect(JSON.stringify(events).length).toBeLessThan(20_000);
  expect(all(events, 'calls')).toMatchObject([{ port: 'connector', method: 'read', count: 10_000, failed: 100 }]);
  const calls = all(events, 'call').map(({ call }) => call);
  expect(calls.filter(({ error }) => !error)).toHaveLength(24);
  expect(calls.filter(({ error }) => error)).toHaveLength(48);
  expect(calls.find(({ error }) => error)).toMatchObject({
    request: { documentId: 'doc_99' },
    error: { code: 'upstream-unavailable', message: 'No 99.' },
  });
  expect(all(events, 'items').map(({ outcome, count, documents }) => [outcome, count, documents.length])).toEqual([
    ['added', 9900, 12],
    ['failed', 100, 12],
  ]);
  expect(all(events, 'ended')).toMatchObject([{ status: 'done', counts: { chunks: 20_000 } }]);
});

it('has a bound on different ends, and says how it ended where every call failed', async () => {
  const log = createJobLog(head, clockOf());
  for (let n = 0; n < 500; n += 1) log.item({ outcome: 'refused', reason: `reason-${n}` });
  await log
    .during({ port: 'store.cloud', method: 'upsert', request: {} }, () =>
      Promise.reject(new FootnoteError('rate-limited', 'Later.')),
    )
    .catch(() => undefined);
  const events = log.ended();
  const items = all(events, 'items');
  expect(items.length).toBeLessThanOrEqual(33);
  expect(items.reduce((sum, { count }) => sum + count, 0)).toBe(500);
  expect(all(events, 'ended')).toMatchObject([{ status: 'rate-limited' }]);
  // What comes too late is nowhere.
  log.item({ outcome: 'late' });
  expect(JSON.stringify(events)).not.toContain('late"');
});
