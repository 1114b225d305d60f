// The progress of a run as the record keeps it: what is written together is asked for together, so that it shares one commit.

import { describe, expect, it } from 'vitest';
import type { Ingestion } from '../../src/core/documents/runs.ts';
import { systemClock } from '../../src/core/ids.ts';
import type { IngestionRepository } from '../../src/db/repositories/ingestions.ts';
import { createProgress } from '../../src/ingest/progress.ts';

describe('createProgress', () => {
  it('asks for the files and the counts of a run at once', async () => {
    const asked: string[] = [];
    const written = Promise.withResolvers<void>();
    const never = (): never => {
      throw new Error('Nothing is read.');
    };
    const ingestions: IngestionRepository = {
      put: ({ counts }) => {
        asked.push(`run ${counts.done}`);
        return written.promise;
      },
      putFiles: (_, files) => {
        asked.push(`files ${files.map(({ uri }) => uri).join()}`);
        return written.promise;
      },
      get: never,
      list: never,
      files: never,
    };
    let now = 0;
    const counts = { found: 0, done: 0, unchanged: 0, failed: 0, deleted: 0, chunks: 0 };
    const run: Ingestion = { id: 'i', source: 's', state: 'running', startedAt: '2026-01-01T00:00:00.000Z', counts };
    const progress = createProgress(run, { ingestions, clock: { now: systemClock.now, elapsedMs: () => now } });
    await progress.report({ uri: 'a.md', state: 'done' });
    expect(asked).toEqual([]);
    now = 1000;
    const saved = progress.report({ uri: 'b.md', state: 'done' });
    expect(asked).toEqual(['files a.md,b.md', 'run 2']);
    written.resolve();
    await saved;
  });
});
