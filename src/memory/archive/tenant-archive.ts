// The index of a tenant's archive, opened when it is first asked for, and the order in which it is changed: one change at a time, each first
// in the record and then in the index. Invariant: what a search finds is in the record, and what was acknowledged is found.
import { isFootnoteError } from '../../core/errors.ts';
import type { ArchiveIndexRepository } from '../../db/repositories/archive.ts';
import { type KeptIndex, openArchiveIndex } from './index/index.ts';
import { type ArchiveMeaning, createArchiveMeaning, type TurnEncoder } from './index/meaning.ts';

export interface TenantArchive {
  /** As of what is committed now. */
  index(): Promise<KeptIndex>;
  /** Runs `work` after all changes before it have ended. */
  exclusively<T>(work: (index: KeptIndex) => Promise<T>): Promise<T>;
  /** Undefined: there is no encoder. */
  readonly meaning: Pick<ArchiveMeaning, 'nearTo'> | undefined;
  /** Ends what goes on in the background. */
  close(): Promise<void>;
}

export function createTenantArchive(repository: ArchiveIndexRepository, encoder?: TurnEncoder): TenantArchive {
  const meaning = encoder && createArchiveMeaning(repository, encoder);
  let opened: Promise<KeptIndex> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const open = (): Promise<KeptIndex> => {
    if (opened) return opened;
    const one = openArchiveIndex(repository);
    opened = one;
    one.then(meaning?.fill).catch(() => {
      if (opened === one) opened = undefined;
    });
    return one;
  };
  const index = async (): Promise<KeptIndex> => {
    for (;;) {
      const one = open();
      const current = await one;
      if (await current.follow()) return current;
      if (opened === one) opened = undefined;
    }
  };
  return {
    index,
    exclusively(work) {
      const run = last.then(async () => {
        const current = await open();
        const done = await work(current);
        void meaning?.fill(current);
        return done;
      });
      last = run.catch(async (thrown: unknown) => {
        // What was written may not be in the index: it is made anew from the record. What was refused wrote nothing.
        if (!isFootnoteError(thrown) || !['not-found', 'forbidden'].includes(thrown.code)) opened = undefined;
      });
      return run;
    },
    meaning,
    async close() {
      await meaning?.close();
    },
  };
}
