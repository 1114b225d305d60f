// The index of a tenant as the record keeps it, and as an index in memory follows it: rows of analysed chunks that no segment holds yet (the
// log), segments, and what was removed from them. Invariant: all that one call tells is of one moment.
import { createHash } from 'node:crypto';
import type { DocumentRecord } from '../../core/document.ts';
import { sha256 } from '../../core/ids.ts';
import type { IndexedDocument, IndexedSpace } from './changes.ts';
import type { VectorDelta, VectorMark } from './vectors.ts';

export interface IndexState {
  readonly version: number;
  /** Counts the commits that changed the index. */
  readonly revision: number;
  /** Removals up to this revision may be gone from the table: whoever has seen less must load everything again. */
  readonly purged: number;
  readonly nextRow: number;
  /** Set while the index is built from the record: documents up to this id are done. */
  readonly rebuildAfter: string | null;
}

/** A run of rows, both ends included. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

export interface StoredSegment extends RowRange {
  readonly seal: string;
  readonly parts: number;
}

/** What a row of the log says of a chunk. */
export interface LogText {
  readonly documentId: string;
  readonly chunkId: string;
  readonly terms: string;
}

export interface LogRow {
  readonly row: number;
  readonly seal: string;
  /** In the turn in which the row was given. Who wrote it itself need not read it again. */
  read(): LogText;
}

export interface Removal extends RowRange {
  readonly revision: number;
  readonly seal: string;
}

/** What an index in memory holds. */
export interface IndexMark {
  /** -1: nothing. */
  readonly revision: number;
  /** The last row of the log that it has seen. */
  readonly row: number;
  readonly seals: ReadonlySet<string>;
}

export interface IndexChanges {
  /** The mark is too old or of another record: everything is told, and all before is to be dropped. */
  readonly isWhole: boolean;
  readonly segments: readonly StoredSegment[];
  rowsAfter(row: number): readonly LogRow[];
  /** All of them where a segment is new to the mark: a removal may be older and still name rows of it. */
  readonly removals: readonly Removal[];
  /** Of the chunks, most frequent first. */
  readonly languages: readonly LanguageCount[];
}

export interface LanguageCount {
  /** ISO 639-1. */
  readonly language: string;
  readonly chunks: number;
}

/** The rows of a document, and what it says about itself. */
export interface IndexedFacts extends RowRange {
  readonly document: DocumentRecord;
}

export interface IndexDelta {
  /** Undefined: there is no index. */
  readonly state: IndexState | undefined;
  /** Counts changes to what documents say about themselves. */
  readonly documents: number;
  readonly hasDocuments: boolean;
  /** Absent where the revision is that of the mark, and of an index that is not of the asked version. */
  readonly changes?: IndexChanges;
  /** Of documents that were written or indexed since, where it was asked for; damaged ones are left out. */
  readonly facts?: readonly IndexedFacts[];
  /** Where they were asked for. Absent: there is no such space. */
  readonly vectors?: VectorDelta;
}

/** What is wanted of the same moment. */
export interface AlsoWanted {
  /** Facts that came since this revision. */
  readonly facts?: number;
  /** Vectors that came since a mark. */
  readonly vectors?: VectorMark;
}

/** What takes the place of neighbouring segments, or of the rows with which the log begins; the run is theirs. */
export interface TurnOver extends RowRange {
  /** Undefined: no entry of them lives. */
  readonly made: { readonly seal: string; readonly bytes: Uint8Array } | undefined;
  /** Seals of the segments. */
  readonly replaced: readonly string[];
  /** The revision of the index that it was made of. */
  readonly revision: number;
  /** Looked at between the pieces in which bytes are written. */
  readonly signal?: AbortSignal;
}

export interface Unsealed {
  /** Rows that no segment holds. */
  readonly rows: number;
  /** A segment may hold deleted entries. */
  readonly hasDeleted: boolean;
  /** Something is left for `tidy`. */
  readonly hasLeft: boolean;
}

/** The log of a tenant in a database on a network. */
export interface IndexLog {
  /** What came since a mark, of an index of this version. */
  changes(since: IndexMark, version: number, also?: AlsoWanted): Promise<IndexDelta>;
  /** The next vectors after a mark, ahead of `changes`; undefined where there is no such space. */
  vectorsAfter(mark: VectorMark): Promise<VectorDelta | undefined>;
  /** The bytes of a segment; undefined where they are not what was sealed. */
  bytesOf(segment: StoredSegment): Promise<Uint8Array | undefined>;
  /** For whoever has the tenant's lease of it. Throws `conflict` where the index is no longer what it was made of: then nothing is changed. */
  turnOver(given: TurnOver): Promise<void>;
  /** What there is to do, as far as it can be told without the index; rows are counted up to `most`. */
  unsealed(most: number): Promise<Unsealed>;
  /** Deletes rows of the log that segments hold, and bytes that no segment names; for whoever has the same lease. How many segments there are. */
  tidy(): Promise<number>;
  /** Of the chunks, most frequent first. */
  languages(): Promise<readonly LanguageCount[]>;
  /** Documents that are indexed, and their chunks. */
  count(): Promise<{ readonly documents: number; readonly chunks: number }>;
}

/** A document as an index keeps it: its chunks in their order, and what each says. */
export interface PrintedDocument {
  readonly documentId: string;
  readonly language: string;
  readonly chunks: readonly Pick<LogText, 'chunkId' | 'terms'>[];
}

/** An index within the record, to a database that writes its rows itself. */
export interface IndexWithin {
  readonly version: number;
  /** What it keeps of documents; in no transaction, as it takes long. Throws for vectors that it could not hold. */
  print(documents: readonly IndexedDocument[], space?: IndexedSpace): readonly PrintedDocument[];
  /** Called when rows of a tenant were committed here. */
  written?(tenant: string): void;
}

const sealOf = (...parts: readonly (string | number)[]): string => sha256(JSON.stringify(parts));

/** Whatever can bring a hit carries a seal: databases find few of the bits that rot. */
export const sealRow = (tenant: string, row: number, { documentId, chunkId, terms }: LogText): string =>
  sealOf('log', tenant, row, documentId, chunkId, terms);

export const sealRemoval = (tenant: string, { revision, first, last }: Omit<Removal, 'seal'>): string =>
  sealOf('removed', tenant, revision, first, last);

/** `digest` is the SHA-256 of the segment's bytes. */
export const sealSegment = (tenant: string, { first, last }: RowRange, digest: string): string =>
  sealOf('segment', tenant, first, last, digest);

/** The bytes of a segment from its parts in their order; undefined where they are not what was sealed. */
export function bytesIn(tenant: string, segment: StoredSegment, parts: readonly Uint8Array[]): Uint8Array | undefined {
  const bytes = Buffer.concat(parts);
  return parts.length === segment.parts && sealSegment(tenant, segment, sha256(bytes)) === segment.seal
    ? bytes
    : undefined;
}

/** The same of parts of any length, hashed as they come. */
export async function bytesInParts(
  tenant: string,
  segment: StoredSegment,
  parts: AsyncIterable<Uint8Array>,
): Promise<Uint8Array | undefined> {
  const hash = createHash('sha256');
  const read: Uint8Array[] = [];
  for await (const part of parts) {
    hash.update(part);
    read.push(part);
  }
  return sealSegment(tenant, segment, hash.digest('hex')) === segment.seal ? Buffer.concat(read) : undefined;
}

/** Whether everything is to be told since a mark, and after which revision removals are. */
export function newSince(
  since: IndexMark,
  { revision, purged }: Pick<IndexState, 'revision' | 'purged'>,
  segments: readonly StoredSegment[],
): { readonly isWhole: boolean; readonly removalsAfter: number } {
  const isWhole = since.revision === -1 || purged > since.revision || revision < since.revision;
  const isNew = isWhole || segments.some(({ seal }) => !since.seals.has(seal));
  return { isWhole, removalsAfter: isNew ? -1 : since.revision };
}
