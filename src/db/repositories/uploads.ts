// Files that were uploaded and are not read before they are attached to a source, and sources as collections of such files: port. An upload
// is its uploader's (and an admin's) alone until then; what is attached is a document, and as readable as that.
import type { Metadata } from '../../core/document.ts';

export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly mime: string;
  readonly purpose: string;
  readonly size: number;
  readonly createdAt: string;
}

/** What is said of a source as a collection. */
export interface Collection {
  readonly source: string;
  /** The caller made it, and sees it while there is nothing in it, too. */
  readonly isOwn: boolean;
  readonly createdAt: string;
  readonly facts: { readonly name?: string; readonly metadata?: Readonly<Record<string, string>> };
}

export type AttachedState = 'pending' | 'done' | 'failed' | 'cancelled';
/** A file of a collection, from the moment it is attached. */
export interface AttachedFile {
  readonly source: string;
  readonly uri: string;
  readonly fileId: string;
  readonly runId: string;
  readonly createdAt: string;
  readonly state: AttachedState;
  /** Absent while it is no document, and of an archive, whose files are. */
  readonly documentId?: string;
  readonly facts: {
    readonly attributes?: Metadata;
    readonly chunking?: { readonly maxTokens: number; readonly overlapTokens: number };
    readonly error?: { readonly code: string; readonly message: string };
    /** Ids of the documents that its lines became: they may have uris of their own. */
    readonly lines?: readonly string[];
  };
}

/** Where something stands in a list by time. */
export interface ListKey {
  readonly at: string;
  readonly id: string;
}
export interface ListSlice {
  readonly limit: number;
  readonly descending: boolean;
  readonly after?: ListKey | undefined;
}
/** Either a document (`id`), or an attached file that is none (its `id` is that of the file). */
export interface ListedFile extends ListKey {
  readonly isDocument: boolean;
}
/** `runId`: those that one run attached. */
export interface FilesOf {
  readonly source: string;
  readonly runId?: string;
}
export type FileCounts = Readonly<Record<AttachedState, number>> & { readonly characters: number };

export interface UploadRepository {
  put(upload: Upload, bytes: Uint8Array): Promise<void>;
  get(id: string): Promise<Upload | undefined>;
  list(slice: ListSlice & { readonly purpose?: string | undefined }): Promise<readonly Upload[]>;
  /** Throws `data-corrupt` for bytes that are not those that came. */
  bytes(id: string): Promise<Uint8Array | undefined>;
  delete(id: string): Promise<boolean>;
  /** Of one that is there already only what is said of it changes. */
  putCollection(collection: Collection): Promise<void>;
  /** What was said of it stays, and it is nobody's. */
  disown(source: string): Promise<void>;
  collections(): Promise<readonly Collection[]>;
  /** Gives the ids of those files that were attached nowhere. */
  putAttached(files: readonly AttachedFile[]): Promise<ReadonlySet<string>>;
  /** Says what became of one; false if it was taken away meanwhile. */
  settle(file: AttachedFile): Promise<boolean>;
  /** Of a file in one collection, or in all. */
  attached(file: { readonly fileId: string; readonly source?: string }): Promise<readonly AttachedFile[]>;
  detach(source: string, uri: string): Promise<void>;
  /** Documents that may be read, and files that are none (of a run: all files), by time. */
  files(of: FilesOf, slice: ListSlice & { readonly state?: AttachedState | undefined }): Promise<readonly ListedFile[]>;
  counts(of: FilesOf): Promise<FileCounts>;
  /** When the first and the last document of a source were written. */
  times(source: string): Promise<{ readonly first?: string; readonly last?: string }>;
}
