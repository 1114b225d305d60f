// The index of a tenant's archive, opened when it is first asked for, and the order in which it is changed: one change at a time, each first
// in the record and then in the index. Invariant: what a search finds is in the record, and what was acknowledged is found.
import type { ArchiveIndexRepository } from '../../db/repositories/archive.ts';
import { type KeptIndex, openArchiveIndex } from './index/index.ts';

export interface TenantArchive {
  index(): Promise<KeptIndex>;
  /** Runs `work` after all changes before it have ended. */
  exclusively<T>(work: (index: KeptIndex) => Promise<T>): Promise<T>;
}

export function createTenantArchive(repository: ArchiveIndexRepository): TenantArchive {
  let opened: Promise<KeptIndex> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const index = (): Promise<KeptIndex> => {
    opened ??= openArchiveIndex(repository).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    index,
    exclusively(work) {
      const run = last.then(async () => work(await index()));
      last = run.catch(async () => {
        // What was written may not be in the index: it is made anew from the record.
        opened = undefined;
      });
      return run;
    },
  };
}
