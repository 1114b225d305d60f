// Takes away files whose upload or deletion was cut off, or whose vector store is gone. Invariant: what is indexed after all is never taken away, however old the list is that
// does not show it: it is noted as held.
import { abortError } from '../../core/waiting/until-aborted.ts';
import type { StoreDeletion, StoreOutcome } from '../delivered.ts';
import { isFileOf } from './canonical-file.ts';
import type { VectorStoreClient } from './client.ts';
import { isMissing } from './errors.ts';
import { unlessMissing } from './outcomes.ts';
import { addFound, type Directory, type TenantPlace } from './tenant-place.ts';

interface SweptPlace {
  readonly client: VectorStoreClient;
  readonly tenant: string;
  readonly directory: Directory;
  readonly place: Pick<TenantPlace, 'isComing' | 'taking'>;
}

interface Sweeping {
  /** By name of the file: left for the delivery that is under way. */
  isWanted(name: string): boolean;
  each<T>(items: readonly T[], work: (item: T) => Promise<void>, signal?: AbortSignal): Promise<void>;
}

/** Left-over files that are deleted beside other work. */
const mostSwept = 50;

export async function sweep(
  { client, tenant, directory, place }: SweptPlace,
  { isWanted, each }: Sweeping,
  signal?: AbortSignal,
): Promise<void> {
  /** Whether it needs to be thought of no more. */
  async function isDone(fileId: string): Promise<boolean> {
    try {
      addFound(directory, tenant, await client.attached(directory.storeId, fileId, signal));
      return true;
    } catch (thrown) {
      if (!isMissing(thrown)) return false;
    }
    return place.taking(fileId, client.removeUploaded(fileId, signal)).then(
      () => true,
      (thrown: unknown) => isMissing(thrown) && !place.isComing(fileId),
    );
  }
  const left = [...directory.loose].filter(([name]) => !isWanted(name)).slice(0, mostSwept);
  await each(
    left,
    async ([name, files]) => {
      for (const fileId of files) if (await isDone(fileId)) files.delete(fileId);
      if (files.size === 0) directory.loose.delete(name);
    },
    signal,
  );
  if (signal?.aborted) throw abortError(signal);
}

/** Where there is no vector store any more, files that were sent for it may still be there: the name of each tells whose it is. */
export async function removeLeft(
  client: Pick<VectorStoreClient, 'uploadedFiles' | 'removeUploaded'>,
  batch: readonly StoreDeletion[],
  signal?: AbortSignal,
): Promise<readonly StoreOutcome[]> {
  const isSent = batch.some(({ storeDocumentId }) => storeDocumentId !== undefined);
  const names = new Map((isSent ? await client.uploadedFiles(signal) : []).map(({ id, filename }) => [id, filename]));
  for (const { documentId, storeDocumentId: fileId = '' } of batch)
    if (isFileOf(names.get(fileId) ?? '', documentId)) await client.removeUploaded(fileId, signal).catch(unlessMissing);
  return batch.map(({ documentId }) => ({ documentId }));
}
