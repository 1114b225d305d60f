import { describe, expect, it, vi } from 'vitest';
import type { Ingestion } from '../../../src/core/documents/runs.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { Clock, Ids } from '../../../src/core/ids.ts';
import { localScope } from '../../../src/core/scope.ts';
import type { TenantRecord } from '../../../src/db/tenant-record.ts';
import { createIngestionRuns, type SyncWork, watchRun } from '../../../src/footnote/handle/ingestion-runs.ts';

const clock: Clock = { now: () => '2026-01-01T00:00:00.000Z', elapsedMs: () => 0 };
const counting = (): Ids => {
  let next = 0;
  return { next: (prefix) => `${prefix}_${++next}` };
};
const put = async (): Promise<void> => undefined;
const record = { ingestions: { put } } as unknown as TenantRecord;
const ended = (ingestion: Ingestion, state: Ingestion['state']): Ingestion => ({ ...ingestion, state });

describe('createIngestionRuns', () => {
  it('lets one run at a time read a source, and another source meanwhile', async () => {
    const runs = createIngestionRuns(clock, counting());
    const gate = Promise.withResolvers<void>();
    const work: SyncWork = async ({ ingestion }) => gate.promise.then(() => ended(ingestion, 'done'));
    const first = await runs.start(localScope(), 'a', { record, work });
    await expect(runs.start(localScope(), 'a', { record, work })).rejects.toMatchObject({ code: 'conflict' });
    const other = await runs.start(localScope('t2'), 'a', { record, work });
    gate.resolve();
    expect((await first.finished).state).toBe('done');
    await other.finished;
    const again = await runs.start(localScope(), 'a', { record, work });
    expect((await again.finished).state).toBe('done');
  });

  it('lets runs stand beside others of a source, and stops all that read it', async () => {
    const runs = createIngestionRuns(clock, counting());
    const work: SyncWork = ({ ingestion, signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(ended(ingestion, 'cancelled'))));
    const beside = { record, work, isBeside: true };
    const of = [];
    for (const options of [{ record, work }, beside, beside]) of.push(await runs.start(localScope(), 'a', options));
    const elsewhere = await runs.start(localScope('t2'), 'a', beside);
    await runs.stop('default', 'a');
    expect(of.map(({ id }) => runs.find('default', id))).toEqual([undefined, undefined, undefined]);
    expect(runs.find('t2', elsewhere.id)).toBe(elsewhere);
    await runs.close();
  });

  it('shows watchers the present state, the changes and the end', async () => {
    const runs = createIngestionRuns(clock, counting());
    const gate = Promise.withResolvers<void>();
    const run = await runs.start(localScope(), 'a', {
      record,
      work: async ({ ingestion, report }) => {
        await gate.promise;
        report({ ...ingestion, counts: { ...ingestion.counts, done: 1 } });
        return { ...ended(ingestion, 'done'), counts: { ...ingestion.counts, done: 2 } };
      },
    });
    const seen: string[] = [];
    for await (const state of watchRun(run)) {
      seen.push(`${state.state} ${state.counts.done}`);
      gate.resolve();
    }
    expect(seen[0]).toBe('running 0');
    expect(seen.at(-1)).toBe('done 2');
  });

  it('ends a watch when its reader goes away', async () => {
    const runs = createIngestionRuns(clock, counting());
    const gate = Promise.withResolvers<void>();
    const run = await runs.start(localScope(), 'a', {
      record,
      work: async ({ ingestion }) => gate.promise.then(() => ended(ingestion, 'done')),
    });
    const gone = new AbortController();
    let count = 0;
    for await (const _ of watchRun(run, gone.signal)) {
      count += 1;
      gone.abort();
    }
    expect(count).toBe(1);
    gate.resolve();
    await run.finished;
  });

  it('cancels what runs when it closes', async () => {
    const runs = createIngestionRuns(clock, counting());
    const run = await runs.start(localScope(), 'a', {
      record,
      work: ({ ingestion, signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(ended(ingestion, 'cancelled')));
        }),
    });
    await runs.close();
    expect((await run.finished).state).toBe('cancelled');
    expect(run.controller.signal.reason).toBeInstanceOf(FootnoteError);
  });
});

describe('a run whose end cannot be written', () => {
  /** A record that takes the beginning of runs, and their end only once it is back. */
  function away() {
    const written: Ingestion[] = [];
    const place = { isBack: false };
    const putBack = async (ingestion: Ingestion): Promise<void> => {
      if (ingestion.state !== 'running' && !place.isBack) throw new FootnoteError('storage-busy', 'It is away.');
      written.push(ingestion);
    };
    return { place, written, record: { ingestions: { put: putBack } } as unknown as TenantRecord };
  }

  it.each([
    ['rejected', (): ReturnType<SyncWork> => Promise.reject(new FootnoteError('storage-busy', 'It is away.'))],
    ['said that it failed', async ({ ingestion }: Parameters<SyncWork>[0]) => ended(ingestion, 'failed')],
  ])('stays of this process until it is, where its work %s', async (_, work) => {
    const runs = createIngestionRuns(clock, counting());
    const { place, written, record: lost } = away();
    const run = await runs.start(localScope(), 'a', { record: lost, work });
    await run.finished.catch(() => undefined);
    expect(runs.find('default', run.id)?.latest).toMatchObject({ state: 'failed' });
    // Whoever follows it or removes its source sees that it has ended, and another may read the source.
    const seen: string[] = [];
    for await (const { state } of watchRun(run)) seen.push(state);
    expect(seen).toEqual(['failed']);
    await runs.stop('default', 'a');
    const done: SyncWork = async ({ ingestion }) => ended(ingestion, 'done');
    await (await runs.start(localScope(), 'a', { record, work: done })).finished;
    place.isBack = true;
    await vi.waitFor(() => expect(runs.find('default', run.id)).toBeUndefined(), { timeout: 60_000 });
    expect(written.map(({ id, state }) => [id, state])).toEqual([
      [run.id, 'running'],
      [run.id, 'failed'],
    ]);
  });

  it('is given up when the Footnote closes', async () => {
    const runs = createIngestionRuns(clock, counting());
    const { written, record: lost } = away();
    const work: SyncWork = async ({ ingestion }) => ended(ingestion, 'failed');
    const run = await runs.start(localScope(), 'a', { record: lost, work });
    await run.finished;
    await runs.close();
    expect(runs.find('default', run.id)).toBeUndefined();
    expect(written).toHaveLength(1);
  });

  it('is written though nobody knows whether its beginning was, and not where the disk is full', async () => {
    const runs = createIngestionRuns(clock, counting());
    const states: string[] = [];
    const failing = (code: 'storage-busy' | 'storage-full') => ({
      ingestions: {
        async put({ state }: Ingestion) {
          states.push(state);
          if (state === 'running') throw new FootnoteError(code, 'It cannot be written.');
        },
      },
    });
    const work: SyncWork = async ({ ingestion }) => ended(ingestion, 'done');
    for (const code of ['storage-busy', 'storage-full'] as const) {
      const run = await runs.start(localScope(), 'a', { record: failing(code) as unknown as TenantRecord, work });
      await expect(run.finished).rejects.toMatchObject({ code });
    }
    expect(states).toEqual(['running', 'failed', 'running']);
  });
});

it('whoever waits for a run of another server goes when its client does', async () => {
  const others = { cancelRuns: async () => 1, cancelled: async () => [] };
  const runs = createIngestionRuns(clock, counting(), { others });
  const gone = new AbortController();
  const waiting = [runs.cancelElsewhere('default', 'i', gone.signal), runs.stop('default', 'a', gone.signal)];
  gone.abort(new FootnoteError('cancelled', 'The client is gone.'));
  for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'cancelled' });
});
