// Documents of the record with their texts and chunks, as the caller of one scope may read them.
import type { Chunk, Delivery, DeliveryStatus, DocumentRecord } from '../../core/document.ts';
import type { Fingerprint, VersionFacts } from '../../core/documents/fingerprint.ts';
import type { DuplicateLink } from '../../core/documents/runs.ts';
import type { Filter } from '../../core/search.ts';
import type { DocumentStructure } from './changes.ts';
import type { PageOf, PageRequest } from './page.ts';

/** Another document that says the same or nearly the same. */
/** An entry that is not as it was recorded: nothing of it can be trusted, so nothing of it is served. */
export interface DamagedDocument {
  readonly id: string;
  readonly source: string;
  readonly uri: string;
  /** What is wrong and what to do. */
  readonly detail: string;
}

export interface DocumentListRequest extends PageRequest {
  readonly filter?: Filter;
  /** Default `uri`: by source, then uri. `newest`: what was read last comes first. A cursor is of one order. */
  readonly sort?: 'uri' | 'newest';
}

export interface DocumentPage extends PageOf<DocumentRecord> {
  /** Damaged entries that stand among those of the page, for admins: who else may read them is not known any more. */
  readonly damaged?: readonly DamagedDocument[];
}

export interface ChunkHash {
  readonly chunkId: string;
  readonly documentId: string;
  /** Of the text of the chunk. */
  readonly hash: string;
}

export interface DocumentRepository {
  /** Throws `data-corrupt` for a damaged one, as all that reads one document does. */
  get(id: string): Promise<DocumentRecord | undefined>;
  findByUri(source: string, uri: string): Promise<DocumentRecord | undefined>;
  /** Those that there are of many, by the uri that was asked for; of damaged ones the id alone. */
  findByUris(
    source: string,
    uris: readonly string[],
  ): Promise<{ readonly sound: ReadonlyMap<string, DocumentRecord>; readonly damaged: ReadonlyMap<string, string> }>;
  /** Whether everything of a document (text, structure, file, chunks) is as it was recorded. */
  isSound(id: string): Promise<boolean>;
  /** Which of these ids are those of documents. */
  knownIds(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** `signal` ends a search for documents that few or none of a large collection are. */
  list(request: DocumentListRequest & { readonly signal?: AbortSignal }): Promise<DocumentPage>;
  /** Ids, uris, content hashes (`damaged` of a damaged entry) and readings of one source, for incremental sync. */
  listUris(
    source: string,
  ): AsyncIterable<{ id: string; uri: string; contentHash: string; sourceModifiedAt?: string; reading?: string }>;
  /** Sound documents that came out of a file of the source, however deep, in batches; `container`: the outermost of the files around it, or it. */
  inside(file: {
    readonly source: string;
    readonly uri: string;
    readonly container: string;
  }): AsyncIterable<readonly DocumentRecord[]>;
  count(): Promise<{ documents: number; chunks: number }>;
  /** The canonical text, checked against its hash. Throws `data-corrupt` if it does not match. */
  text(id: string): Promise<string | undefined>;
  file(id: string): Promise<Uint8Array | undefined>;
  structure(id: string): Promise<DocumentStructure | undefined>;
  /** What of the structure says where a span stands; cheap to ask again, however many words the pages have. */
  places(id: string): Promise<Required<Pick<DocumentStructure, 'pages' | 'places'>> | undefined>;
  chunks(documentId: string): Promise<readonly Chunk[]>;
  /** Chunks with their documents, in the order asked; unknown and unreadable ones are left out; each text is checked against its hash (`data-corrupt`). */
  chunksById(ids: readonly string[]): Promise<readonly { chunk: Chunk; document: DocumentRecord }[]>;
  /** The hashes of those that may be read, in the order asked. Rows are not checked: they say which chunks are worth reading. */
  hashes(chunkIds: readonly string[]): Promise<readonly ChunkHash[]>;
  /** Documents that say nearly the same, most similar first; at most `limit` (100), and only those that the caller may read. */
  duplicates(documentId: string, limit?: number): Promise<readonly DuplicateLink[]>;
  /** Recorded documents that a text would be linked with, were it written under this id: most similar first. Nothing is written. */
  similar(
    document: VersionFacts & { readonly id: string },
    fingerprint: Fingerprint,
  ): Promise<readonly DuplicateLink[]>;
  /** Which of these documents say the same, or nearly, as any other; cheaper than asking with which. */
  withDuplicates(documentIds: readonly string[]): Promise<readonly string[]>;
  /** Which of these documents are linked as duplicates with which others of them: every pair in both directions. */
  duplicatesAmong(documentIds: readonly string[]): Promise<readonly (readonly [id: string, otherId: string])[]>;
  /** Ids of documents of a source that were recorded before fingerprints were, in order after `after`. */
  withoutFingerprint(source: string, after: string | undefined, limit: number): Promise<readonly string[]>;
  /** The stores that were given what chunks are of, of those that may be read. */
  storesHolding(
    chunkIds: readonly string[],
  ): Promise<readonly { readonly chunkId: string; readonly stores: readonly string[] }[]>;
  deliveries(documentId: string): Promise<readonly Delivery[]>;
  /** Documents that are meant for a store and of which it was not given this revision, in order of their ids after `after`. */
  undelivered(store: string, after: string | undefined, limit: number): Promise<readonly string[]>;
  listDeliveries(request: PageRequest & { store?: string; status?: DeliveryStatus }): Promise<PageOf<Delivery>>;
}
