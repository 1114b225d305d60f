// What the doors may call of files that are uploaded first and attached to a source later, and of sources as collections of them.
import type { Metadata } from '../../core/document.ts';
import type { AttachedFile, Collection, Upload, UploadRepository } from '../../db/repositories/uploads.ts';

export type {
  AttachedFile,
  AttachedState,
  Collection,
  FileCounts,
  FilesOf,
  ListedFile,
  ListKey,
  ListSlice,
  Upload,
} from '../../db/repositories/uploads.ts';

export interface ToAttach extends Pick<AttachedFile['facts'], 'attributes' | 'chunking'> {
  readonly fileId: string;
}

export interface UploadCalls
  extends Pick<
    UploadRepository,
    'get' | 'list' | 'bytes' | 'delete' | 'collections' | 'disown' | 'attached' | 'files' | 'counts' | 'times'
  > {
  /** Keeps a file and reads nothing of it. */
  add(file: Pick<Upload, 'name' | 'mime' | 'purpose'>, bytes: Uint8Array): Promise<Upload>;
  /** Says something of a source that is there as a collection; `isMade`: the caller made it just now. */
  describe(source: string, facts: Collection['facts'], isMade?: boolean): Promise<void>;
  /** Begins a run that reads uploads into a source, and says which. Durable when it resolves. Throws `not-found` for a file that is not there. */
  attach(source: string, files: readonly ToAttach[]): Promise<string>;
  /** Whether files of a run are being read in. */
  isRunning(runId: string): Promise<boolean>;
  /** Takes a file out of a collection with all that came of it. */
  detach(file: AttachedFile): Promise<void>;
  /** Replaces what is said of a document; it is read again from its bytes. Throws `conflict` for one that mirrors something else. */
  setMetadata(documentId: string, said: Pick<ToAttach, 'chunking'> & { readonly metadata: Metadata }): Promise<void>;
}
