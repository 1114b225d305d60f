// What is told of sources and of how they were read.
import { describe, expect, it } from 'vitest';
import { descriptionOf, lastRuns, outcomeOf, type Run } from '../../src/sources/runs.ts';

const run = (id: string, source: string, counts: Partial<Run['counts']> = {}): Run => ({
  id,
  source,
  state: 'done',
  startedAt: '2026-11-29T12:00:00Z',
  counts: { found: 0, done: 0, unchanged: 0, failed: 0, deleted: 0, ...counts },
});

describe('a source', () => {
  it('is told by what it mirrors and when it is read', () => {
    const source = { type: 'docs' as const, name: 'a', documents: 1 };
    expect(descriptionOf(source)).toBe('1 document · filled by hand');
    expect(descriptionOf({ ...source, documents: 2, connector: { kind: 'git' }, schedule: { everyMinutes: 60 } })).toBe(
      '2 documents · mirrors a repository · read again every 60 minutes',
    );
    // Its folder is for admins to know.
    expect(descriptionOf({ ...source, watch: true })).toBe('1 document · read again when something changes');
  });

  it('is told with the outcome of its last run', () => {
    const runs = lastRuns([run('3', 'a'), run('2', 'b'), run('1', 'a')]);
    expect(runs.get('a')?.id).toBe('3');
    expect(runs.get('b')?.id).toBe('2');
    expect(outcomeOf(run('1', 'a', { done: 2, failed: 1 }))).toBe('Read: 2 new or changed, 1 failed.');
    expect(outcomeOf({ ...run('1', 'a'), state: 'failed' })).toBe('Reading failed: nothing found.');
  });
});
