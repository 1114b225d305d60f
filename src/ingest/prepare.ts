// From the bytes of one document to what the record writes: parsed in the pool, cut into chunks, hashed. Nothing here
// writes; the same bytes, settings and identity give the same result.
import { isDeepStrictEqual } from 'node:util';
import type { DocumentRecord, Metadata, ParsedDocument, Source } from '../core/document.ts';
import { FootnoteError } from '../core/errors.ts';
import { type Clock, documentIdOf, sha256 } from '../core/ids.ts';
import type { DocumentWrite, TenantRecord } from '../db/record.ts';
import { detectLanguage } from '../text/language.ts';
import { chunkDocument } from './chunk.ts';
import type { ParserPool } from './parse.ts';
import { paragraphBlocks, parsedDocument } from './parsers/canonical-text.ts';

export interface Chunking {
  readonly maxTokens: number;
  readonly overlapTokens: number;
  readonly minTokens: number;
}

/** One document as it comes in, before it is read. */
export interface IncomingDocument {
  readonly source: Source;
  readonly uri: string;
  /** File name: a hint for type and title. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Plain text that needs no parser: a line of JSONL. */
  readonly text?: string;
  /** SHA-256 of what decides whether the document has changed. */
  readonly contentHash: string;
  /** Used as the id if nothing else of the tenant has it. */
  readonly wantedId?: string;
  readonly title?: string;
  readonly mime?: string;
  readonly language?: string;
  readonly category?: string;
  readonly version?: string;
  readonly publishedAt?: string;
  readonly updatedAt?: string;
  readonly metadata?: Metadata;
  readonly access?: readonly string[];
  readonly password?: string;
}

export interface PreparePorts {
  readonly record: TenantRecord;
  readonly parsers: ParserPool;
  readonly clock: Clock;
  readonly chunking: Chunking;
}

const safeId = /^[A-Za-z0-9._:@-]{1,128}$/;

/** Whether the recorded revision says all that the incoming document says: then there is nothing to do. */
export function isUnchanged(present: DocumentRecord, incoming: IncomingDocument): boolean {
  const kept = (value: unknown, recorded: unknown): boolean =>
    value === undefined || isDeepStrictEqual(value, recorded);
  return (
    present.contentHash === incoming.contentHash &&
    present.category === incoming.category &&
    present.version === incoming.version &&
    isDeepStrictEqual(present.access, incoming.access) &&
    kept(incoming.title, present.title) &&
    kept(incoming.publishedAt, present.publishedAt) &&
    Object.entries(incoming.metadata ?? {}).every(([key, value]) => isDeepStrictEqual(value, present.metadata[key]))
  );
}

/** The id that a new document gets. `claimed`: ids of documents that are on their way into the record. */
export async function chooseId(
  record: TenantRecord,
  incoming: IncomingDocument,
  claimed: { has(id: string): boolean },
): Promise<string> {
  const wanted = incoming.wantedId;
  if (wanted === undefined || !safeId.test(wanted) || claimed.has(wanted))
    return documentIdOf(incoming.source.name, incoming.uri);
  const holder = await record.documents.get(wanted);
  return holder === undefined ? wanted : documentIdOf(incoming.source.name, incoming.uri);
}

const titleFromName = (name: string): string => name.replace(/\.[A-Za-z0-9]{1,8}$/, '') || name;

/** Bytes are kept beside the text only where the text is not the same bytes: `file` falls back to the text. */
function originalOf(parsed: ParsedDocument, bytes: Uint8Array): Uint8Array | undefined {
  return Buffer.from(parsed.text, 'utf8').equals(bytes) ? undefined : bytes;
}

/** Source code has words of its own and is in no human language; an unsure guess is worse than none. */
function languageOf(title: string, parsed: ParsedDocument): string | undefined {
  if (parsed.blocks.some((block) => block.symbol !== undefined)) return undefined;
  const { language, reliable } = detectLanguage(`${title}\n${parsed.text.slice(0, 2000)}`);
  return reliable ? language : undefined;
}

const toPlain = (text: string): ParsedDocument =>
  parsedDocument({ text, mime: 'text/plain', blocks: paragraphBlocks(text), citeByLine: false });

function parse(parsers: ParserPool, incoming: IncomingDocument, signal?: AbortSignal): Promise<ParsedDocument> {
  return parsers.parse(
    {
      bytes: incoming.bytes,
      name: incoming.name,
      ...(incoming.mime !== undefined && { mime: incoming.mime }),
      ...(incoming.password !== undefined && { password: incoming.password }),
    },
    signal ? { signal } : {},
  );
}

/** Throws what the parser throws (`unsupported-media`, `invalid-media`, `too-large`, `deadline-exceeded`, `cancelled`). */
export async function prepareDocument(
  { parsers, clock, chunking }: PreparePorts,
  incoming: IncomingDocument,
  identity: { readonly id: string; readonly revision: number },
  signal?: AbortSignal,
): Promise<DocumentWrite> {
  const parsed = incoming.text === undefined ? await parse(parsers, incoming, signal) : toPlain(incoming.text);
  if (parsed.text.trim() === '')
    throw new FootnoteError('invalid-media', 'No text was found in this file. A scan needs text recognition first.');
  const textHash = sha256(parsed.text);
  const chunks = chunkDocument(parsed, { documentId: identity.id, textHash, ...chunking });
  const title = incoming.title ?? parsed.title ?? titleFromName(incoming.name);
  const language = incoming.language ?? parsed.language ?? languageOf(title, parsed);
  const publishedAt = incoming.publishedAt ?? parsed.publishedAt;
  const document: DocumentRecord = {
    id: identity.id,
    source: incoming.source.name,
    sourceType: incoming.source.type,
    uri: incoming.uri,
    title,
    mime: parsed.mime,
    ...(language !== undefined && { language }),
    ...(incoming.category !== undefined && { category: incoming.category }),
    ...(incoming.version !== undefined && { version: incoming.version }),
    revision: identity.revision,
    ...(publishedAt !== undefined && { publishedAt }),
    updatedAt: incoming.updatedAt ?? clock.now(),
    contentHash: incoming.contentHash,
    textHash,
    textLength: parsed.text.length,
    chunkCount: chunks.length,
    metadata: { ...parsed.metadata, ...incoming.metadata },
    ...(incoming.access !== undefined && { access: incoming.access }),
    citeByLine: parsed.citeByLine,
    warnings: parsed.warnings,
  };
  const file = originalOf(parsed, incoming.bytes);
  return {
    document,
    text: parsed.text,
    chunks,
    structure: { pages: parsed.pages, headings: parsed.headings, words: parsed.words },
    ...(file && { file }),
  };
}
