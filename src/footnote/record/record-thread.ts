// Long documents are read and deleted on a thread with connections of its own: reading sixty megabytes, checking their hash, printing and
// overwriting them would hold the event loop for seconds. Invariants: the same access conditions and checks hold there, a deletion
// is one transaction that nothing else of this process writes beside, and what the thread does not do is done here, with the same outcome.
import type { Scope } from '../../core/scope.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import { entryFile } from '../../threads/entry-file.ts';
import { type Thread, threadEnded } from '../../threads/questions.ts';
import { startThread } from '../../threads/thread.ts';
import type { BoxesAsked, DocumentBoxes } from './document-boxes.ts';
import type { DocumentView, ViewRange } from './document-view.ts';
import type { ByteRange, FileSlice } from './text-range.ts';

/** `plain`: the text by itself, in UTF-8. */
export type DocumentPart = 'text' | 'chunks' | 'structure' | 'file' | 'plain';

interface RecordWork {
  readonly scope: Scope;
}
export type RecordOrder = { readonly task: number } & (
  | (RecordWork & {
      readonly kind: 'part';
      readonly id: string;
      readonly part: DocumentPart;
      readonly range: { readonly start?: number; readonly end?: number };
    })
  | (RecordWork & { readonly kind: 'view'; readonly id: string; readonly range: ViewRange })
  | (RecordWork & { readonly kind: 'boxes'; readonly id: string; readonly asked: BoxesAsked })
  | (RecordWork & { readonly kind: 'slice'; readonly id: string; readonly range: ByteRange })
  | (RecordWork & { readonly kind: 'delete'; readonly ids: readonly string[] })
);
type WithoutTask<Order> = Order extends unknown ? Omit<Order, 'task'> : never;

/** Of a part its bytes; null where there is no such document, or no file of it. */
export type RecordResult = Uint8Array | FileSlice | DocumentView | DocumentBoxes | number | null;

/** In place of an answer: it is to be done here. */
export const notDone: unique symbol = Symbol('not done elsewhere');

export interface RecordThread {
  /** A part as the HTTP API prints it, or the file as it is; null where there is none. Throws what reading throws. */
  part(
    scope: Scope,
    wanted: { readonly id: string; readonly part: DocumentPart; readonly range?: { start?: number; end?: number } },
  ): Promise<Uint8Array | null | typeof notDone>;
  view(scope: Scope, id: string, range: ViewRange): Promise<DocumentView | null | typeof notDone>;
  boxes(scope: Scope, id: string, asked: BoxesAsked): Promise<DocumentBoxes | null | typeof notDone>;
  /** Of the original file; one is kept while its parts are asked for. */
  slice(scope: Scope, id: string, range: ByteRange): Promise<FileSlice | null | typeof notDone>;
  /** Removes documents from the record and its index in one transaction; how many there were. */
  delete(scope: Scope, ids: readonly string[]): Promise<number | typeof notDone>;
  close(): Promise<void>;
}

/** Failures that are of the thread or of the place, not of what was asked: done here once more, where the reserve of a full disk helps. */
const triedHere: ReadonlySet<string> = new Set(['internal', 'storage-full', 'storage-busy']);
const entry = entryFile('./record-worker', import.meta.url);

export function createRecordThread(database: SqliteRecordDatabase): RecordThread {
  let thread: Thread<RecordOrder, RecordResult> | undefined;
  let isClosed = false;

  function ensure(): Thread<RecordOrder, RecordResult> | undefined {
    if (isClosed) return undefined;
    if (thread) return thread;
    const started = startThread<RecordOrder, RecordResult>({
      name: 'footnote-record',
      entry,
      setup: { path: database.path },
      onEnd() {
        if (thread === started) thread = undefined;
      },
    });
    thread = started;
    return started;
  }

  async function ask(work: WithoutTask<RecordOrder>): Promise<RecordResult | typeof notDone> {
    const on = ensure();
    if (!on) return notDone;
    try {
      const outcome = await on.ask((task) => ({ task, ...work }) as RecordOrder).answer;
      return outcome === threadEnded ? notDone : outcome;
    } catch (thrown) {
      if (triedHere.has((thrown as { code?: string }).code ?? '')) return notDone;
      throw thrown;
    }
  }

  return {
    part: (scope, { id, part, range = {} }) =>
      ask({ kind: 'part', scope, id, part, range }) as Promise<Uint8Array | null | typeof notDone>,
    view: (scope, id, range) =>
      ask({ kind: 'view', scope, id, range }) as Promise<DocumentView | null | typeof notDone>,
    boxes: (scope, id, asked) =>
      ask({ kind: 'boxes', scope, id, asked }) as Promise<DocumentBoxes | null | typeof notDone>,
    slice: (scope, id, range) => ask({ kind: 'slice', scope, id, range }) as Promise<FileSlice | null | typeof notDone>,
    delete: (scope, ids) =>
      // Whoever wrote meanwhile would wait for the lock of the database, and hold the event loop while waiting.
      database.exclusively(() => ask({ kind: 'delete', scope, ids })) as Promise<number | typeof notDone>,
    async close() {
      isClosed = true;
      await thread?.end();
    },
  };
}
