// A store at the far end whose calls fail as those of real services do: before anything is done, after it, in the middle, for single documents.
// Like some of them it keeps a file for each delivery, which it finds by the document's id: a fault may leave two until the next try.
import { FootnoteError } from '../../../src/core/errors.ts';
import type { StoreDeletion, StoreDocument, StoreOutcome } from '../../../src/stores/delivered.ts';
import type { Store } from '../../../src/stores/store.ts';
import { createMemoryStores } from '../../../testkit/memory-store.ts';

export interface RemoteFile {
  readonly name: string;
  readonly documentId: string;
  readonly revision: number;
  readonly text: string;
}

export type Fault = 'before' | 'after' | 'middle' | 'some' | 'limited' | 'badly' | 'silent' | 'late' | 'locked';
export const faults: readonly Fault[] = [
  'before',
  'after',
  'middle',
  'some',
  'limited',
  'badly',
  'silent',
  'late',
  'locked',
];

export interface FaultyStore {
  readonly store: Store;
  readonly files: readonly RemoteFile[];
  /** What the next calls do; `undefined`: what they should. */
  nextFault: () => Fault | undefined;
  /** A document that it takes in no batch. */
  refuses: string | undefined;
  readonly calls: { readonly operation: 'upsert' | 'delete'; readonly documentIds: readonly string[] }[];
  /** Lets calls go on that wait. */
  release(): void;
}

const scope = { tenant: 'default', principal: { id: 'local', role: 'admin', groups: [] } } as const;

export function createFaultyStore(): FaultyStore {
  let files: RemoteFile[] = [];
  let made = 0;
  let waiting: (() => void)[] = [];
  const calls: FaultyStore['calls'] = [];

  const drop = (documentId: string, but?: string): void => {
    files = files.filter((file) => file.documentId !== documentId || file.name === but);
  };
  function take({ document, chunks }: StoreDocument, isCut: boolean): StoreOutcome {
    made += 1;
    const name = `file-${made}`;
    const text = chunks.map((chunk) => chunk.text).join('');
    files = [...files, { name, documentId: document.id, revision: document.revision, text }];
    if (!isCut) drop(document.id, name);
    return { documentId: document.id, storeDocumentId: name };
  }

  async function run<T extends StoreDocument | StoreDeletion>(
    operation: 'upsert' | 'delete',
    batch: readonly T[],
    { work, signal }: { work: (one: T, isCut: boolean) => StoreOutcome; signal: AbortSignal | undefined },
  ): Promise<readonly StoreOutcome[]> {
    const idOf = (one: T): string => ('document' in one ? one.document.id : one.documentId);
    calls.push({ operation, documentIds: batch.map(idOf) });
    if (self.refuses !== undefined && batch.some((one) => idOf(one) === self.refuses))
      throw new FootnoteError('invalid-request', 'Too odd.');
    const fault = self.nextFault();
    const down = (retryAfterMs?: number): FootnoteError =>
      retryAfterMs === undefined
        ? new FootnoteError('upstream-unavailable', 'Down.')
        : new FootnoteError('rate-limited', 'Too many.', { details: { retryAfterMs } });
    if (fault === 'late' || fault === 'silent')
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    // Given up: a service may have heard it all the same.
    if (fault === 'silent') throw new FootnoteError('deadline-exceeded', 'Nothing came back.');
    if (fault === 'before') throw down();
    if (fault === 'locked') throw new FootnoteError('config-invalid', 'The key is not taken.');
    if (fault === 'limited') throw down(5000);
    if (fault === 'middle') {
      for (const one of batch.slice(0, Math.ceil(batch.length / 2))) work(one, true);
      throw down();
    }
    const outcomes = batch.map((one, at) =>
      fault === 'some' && at % 2 === 0
        ? { documentId: idOf(one), error: new FootnoteError('upstream-invalid', 'Not this one.') }
        : work(one, false),
    );
    if (fault === 'after') throw down();
    return fault === 'badly' ? outcomes.slice(1) : outcomes;
  }

  const self: FaultyStore = {
    calls,
    get files() {
      return files;
    },
    nextFault: () => undefined,
    refuses: undefined,
    release() {
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    store: {
      ...createMemoryStores({ name: 'far' }).store(scope),
      upsert: (batch, signal) => run('upsert', batch, { work: take, signal }),
      delete: (batch, signal) =>
        run('delete', batch, {
          work({ documentId }) {
            drop(documentId);
            return { documentId };
          },
          signal,
        }),
    },
  };
  return self;
}
