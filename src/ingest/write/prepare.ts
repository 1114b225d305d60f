// From one document as it comes in to what the record writes: parsed, cut and hashed in the pool, put together here. Nothing
// here writes; the same bytes, settings and identity give the same result.

import { isDeepStrictEqual } from 'node:util';
import { titleFromName } from '@footnote/readers/file-names';
import { formatOfMime } from '@footnote/readers/media-types';
import type { AttachedFile, Chunk, DocumentRecord, Metadata, Source } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import { type Clock, chunkIdOf } from '../../core/ids.ts';
import { boundedMetadata, isBoundedMetadata, mostMetadataCharacters, mostMetadataValues } from '../../core/metadata.ts';
import { defined } from '../../core/values/defined.ts';
import type { DocumentWrite } from '../../db/repositories/changes.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import { unlessRouted } from '../read/file-route.ts';
import type { Chunking, CutDocument, CuttingPool } from '../read/parse.ts';
import type { Opening } from '../read/passwords.ts';
import type { EditionOf } from '../read/reading-editions.ts';
import { toldLeftOut, withoutOwnFacts } from './own-facts.ts';

/** What a document says of itself, or its sender of it. */
export interface DocumentFacts {
  readonly title?: string;
  readonly mime?: string;
  readonly language?: string;
  readonly category?: string;
  readonly version?: string;
  readonly publishedAt?: string;
  readonly updatedAt?: string;
  readonly metadata?: Metadata;
  readonly access?: readonly string[];
  /** How it is cut, where it is not cut as the others are. */
  readonly chunking?: Omit<Chunking, 'minTokens'>;
}

/** A document as it comes in, before it is read; its metadata without the names of facts of our own. */
export interface IncomingDocument extends DocumentFacts {
  readonly source: Source;
  readonly uri: string;
  /** File name: a hint for type and title. */
  readonly name: string;
  /** SHA-256 of what decides whether the document has changed. */
  readonly contentHash: string;
  /** Used as the id if nothing else of the tenant has it. */
  readonly wantedId?: string;
  /** Which file it came out of, if any: facts of our own. */
  readonly origin?: Metadata;
  /** Names in its metadata that were not its to give. */
  readonly leftOut?: readonly string[];
}

/** A document that comes in as a file of its own. */
export interface IncomingFileDocument extends IncomingDocument, Opening {
  readonly bytes: Uint8Array;
}

/** What reading a file led to: a document, or that it is an archive and the files in it are the documents. */
export type Prepared =
  | {
      readonly route: 'document';
      /** Or why there is nothing to write: a file may have attachments and no text of its own. */
      readonly write: DocumentWrite | FootnoteError;
      readonly attachments: readonly AttachedFile[];
    }
  | { readonly route: 'archive' };

export interface Identity {
  readonly id: string;
  readonly revision: number;
}

export interface PreparePorts {
  readonly record: TenantRecord;
  readonly parsers: CuttingPool;
  readonly clock: Clock;
  readonly chunking: Chunking;
  /** Default: that of this build. */
  readonly editionOf?: EditionOf | undefined;
  /** Counts bytes against a limit before they are read; what it gives takes them back. Absent: there is none. */
  readonly countBytes?: ((amount: number) => Promise<() => void>) | undefined;
}

/** Whether the recorded revision says all that the incoming document says: then there is nothing to do. */
export function isUnchanged(present: DocumentRecord, incoming: IncomingDocument): boolean {
  const kept = (value: unknown, recorded: unknown): boolean =>
    value === undefined || isDeepStrictEqual(value, recorded);
  return (
    present.contentHash === incoming.contentHash &&
    // Read as a text before, a page shows what it hides.
    !(formatOfMime(incoming.mime)?.mime === 'text/html' && /^text\/(?:plain|markdown)$/u.test(present.mime)) &&
    present.category === incoming.category &&
    present.version === incoming.version &&
    // Earlier builds let clients write it.
    'container' in present.metadata === (incoming.origin !== undefined) &&
    isDeepStrictEqual(present.access, incoming.access) &&
    kept(incoming.title, present.title) &&
    kept(incoming.publishedAt, present.publishedAt) &&
    Object.entries({ ...boundedMetadata(incoming.metadata ?? {}), ...incoming.origin }).every(
      // A page that was looked at again and is the same stays as it was when it was read.
      ([key, value]) => key === 'retrievedAt' || isDeepStrictEqual(value, present.metadata[key]),
    )
  );
}

/** Parses and cuts in the pool. Throws what the parser throws (`unsupported-media`, `invalid-media`, `too-large`, …). */
export async function prepareDocument(
  { parsers, clock, chunking }: PreparePorts,
  incoming: IncomingFileDocument,
  identity: Identity,
  signal?: AbortSignal,
): Promise<Prepared> {
  const { bytes, name, mime, password, title, language } = incoming;
  const cutting = parsers.cut(
    defined({ bytes, name, mime, password }),
    defined({ documentId: identity.id, chunking: chunkingOf(chunking, incoming), name, title, language }),
    signal,
  );
  const cut = await unlessRouted(cutting, 'archive');
  if (cut === 'archive') return { route: cut };
  const { attachments = [] } = cut;
  if (cut.text.trim() === '' && attachments.length > 0) return { route: 'document', write: noText(), attachments };
  const write = toWrite(incoming, cut, { ...identity, at: clock.now() });
  // Bytes are kept beside the text only where the text is not the same bytes: `file` falls back to the text.
  return { route: 'document', write: cut.isOriginal ? write : { ...write, file: bytes }, attachments };
}

export function chunkingOf(usual: Chunking, { chunking }: Pick<DocumentFacts, 'chunking'>): Chunking {
  return chunking ? { ...chunking, minTokens: Math.min(usual.minTokens, chunking.maxTokens) } : usual;
}

const noText = (): FootnoteError =>
  new FootnoteError('invalid-media', 'No text was found in this file, neither as such nor in its pictures.');

const tooMuchMetadata = `the metadata is more than a document keeps (${mostMetadataValues} values, ${mostMetadataCharacters} characters): what does not fit was left out`;

/** Throws `invalid-media` where there is no text. */
export function toWrite(
  incoming: IncomingDocument,
  cut: CutDocument,
  { id, revision, at }: Identity & { readonly at: string },
): DocumentWrite {
  const { text, textHash, pages, headings, words, places } = cut;
  if (text.trim() === '') throw noText();
  const own = withoutOwnFacts(cut.metadata);
  const leftOut = [...(incoming.leftOut ?? []), ...own.leftOut];
  const language = incoming.language ?? cut.language;
  const publishedAt = incoming.publishedAt ?? cut.publishedAt;
  const said = { ...own.metadata, ...incoming.metadata };
  const isWhole = isBoundedMetadata(said);
  // Where it is too much, what came with the document goes before what its parser found.
  const metadata = isWhole ? said : boundedMetadata({ ...incoming.metadata, ...said, ...incoming.metadata });
  const chunks = cut.chunks.map(
    (chunk): Chunk => ({
      ...chunk,
      id: id === cut.documentId ? chunk.id : chunkIdOf(id, textHash, chunk),
      documentId: id,
      text: text.slice(chunk.start, chunk.end),
    }),
  );
  const document: DocumentRecord = defined({
    id,
    source: incoming.source.name,
    sourceType: incoming.source.type,
    uri: incoming.uri,
    title: incoming.title ?? cut.title ?? titleFromName(incoming.name),
    mime: cut.mime,
    language,
    category: incoming.category,
    version: incoming.version,
    revision,
    publishedAt,
    updatedAt: incoming.updatedAt ?? at,
    contentHash: incoming.contentHash,
    textHash,
    textLength: text.length,
    chunkCount: chunks.length,
    metadata: { ...metadata, ...incoming.origin },
    access: incoming.access,
    citeByLine: cut.citeByLine,
    warnings: [...cut.warnings, ...(isWhole ? [] : [tooMuchMetadata]), ...toldLeftOut(leftOut)],
    reading: cut.reading,
  });
  return {
    document,
    text,
    chunks,
    structure: { pages, headings, words, ...(places.length > 0 && { places }) },
    fingerprint: cut.fingerprint,
  };
}
