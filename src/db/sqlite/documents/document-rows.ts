// Rows of documents and chunks to values and back. Invariant: each row carries a seal (SHA-256 over all of its facts), so
// that a changed bit anywhere in a row (page, offsets, title, access list) is found when the row is read, not only in texts.
import type { Chunk, DocumentRecord, Metadata, MetadataValue, SourceType } from '../../../core/document.ts';
import { FootnoteError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/ids.ts';
import { sealOf } from '../file/seals.ts';

export interface DocumentRow {
  readonly tenant: string;
  readonly id: string;
  readonly source: string;
  readonly source_type: string;
  readonly uri: string;
  readonly title: string;
  readonly mime: string;
  readonly language: string | null;
  readonly category: string | null;
  readonly version: string | null;
  readonly revision: number;
  readonly published_at: string | null;
  readonly updated_at: string;
  readonly content_hash: string;
  readonly text_hash: string;
  readonly text_length: number;
  readonly chunk_count: number;
  readonly metadata: string;
  readonly access: string | null;
  readonly cite_by_line: number;
  readonly warnings: string;
  readonly reading: string | null;
  readonly seal: string;
}

export interface ChunkRow {
  readonly tenant: string;
  readonly id: string;
  readonly document_id: string;
  readonly ordinal: number;
  readonly start_offset: number;
  readonly end_offset: number;
  readonly text: string;
  readonly hash: string;
  readonly heading_path: string;
  readonly first_page: number | null;
  readonly last_page: number | null;
  readonly first_line: number | null;
  readonly last_line: number | null;
  readonly place: string | null;
  readonly tokens: number;
  readonly seal: string;
}

const documentFields = [
  'tenant',
  'id',
  'source',
  'source_type',
  'uri',
  'title',
  'mime',
  'language',
  'category',
  'version',
  'revision',
  'published_at',
  'updated_at',
  'content_hash',
  'text_hash',
  'text_length',
  'chunk_count',
  'metadata',
  'access',
  'cite_by_line',
  'warnings',
] as const satisfies (keyof DocumentRow)[];

const chunkFields = [
  'tenant',
  'id',
  'document_id',
  'ordinal',
  'start_offset',
  'end_offset',
  'hash',
  'heading_path',
  'first_page',
  'last_page',
  'first_line',
  'last_line',
  'tokens',
] as const satisfies (keyof ChunkRow)[];

const chunkRowFields = [...chunkFields, 'place', 'text', 'seal'] as const satisfies (keyof ChunkRow)[];
const documentRowFields = [...documentFields, 'reading', 'seal'] as const satisfies (keyof DocumentRow)[];

/** The columns of `document AS d` that `toDocument` needs. */
export const documentColumns = documentRowFields.map((field) => `d.${field}`).join(', ');
/** The columns of `chunk AS c` that `toChunk` needs. */
export const chunkColumns = chunkRowFields.map((field) => `c.${field}`).join(', ');

/** The values of `chunkColumns`, and behind them those of `documentColumns`, as a statement gives them in arrays. */
export interface ChunkAndDocumentValues {
  readonly [place: number]: unknown;
}

function rowFrom<Row>(fields: readonly (keyof Row & string)[], values: ChunkAndDocumentValues, from: number): Row {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < fields.length; at++) row[fields[at] as string] = values[from + at];
  return row as Row;
}

export const chunkRowFrom = (values: ChunkAndDocumentValues): ChunkRow => rowFrom<ChunkRow>(chunkRowFields, values, 0);
export const documentRowFrom = (values: ChunkAndDocumentValues): DocumentRow =>
  rowFrom<DocumentRow>(documentRowFields, values, chunkRowFields.length);

/** Documents of before readings were kept are sealed without theirs. */
const sealOfDocument = (row: Omit<DocumentRow, 'seal'>): string =>
  sealOf(row, row.reading === null ? documentFields : [...documentFields, 'reading']);

/** Chunks of before places were kept are sealed without theirs. */
export const sealOfChunk = (row: Omit<ChunkRow, 'seal' | 'text'>): string =>
  sealOf(row, row.place === null ? chunkFields : [...chunkFields, 'place']);

export function damaged(what: string, id: string, details: Readonly<Record<string, unknown>> = {}): FootnoteError {
  return new FootnoteError(
    'data-corrupt',
    `${what} of document ${id} is not what was recorded: its hash differs. Nothing of it is served. Ingest the document again, run footnote doctor --repair, or restore a backup.`,
    { details: { documentId: id, ...details } },
  );
}

/** Whether a value of the record is the text with this hash; damage may have made anything of it. */
export function isText(value: unknown, hash: unknown): value is string {
  return typeof value === 'string' && sha256(value) === hash;
}

/** Keeps nothing that UTF-8 cannot hold; lengths and offsets in UTF-16 code units stay the same. */
export function toWellFormed(value: MetadataValue): MetadataValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(toWellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), toWellFormed(item)]));
}

const text = (value: string): string => value.toWellFormed();
const optionalText = (value: string | undefined): string | null => (value === undefined ? null : text(value));

export function toDocumentRow(tenant: string, document: DocumentRecord): DocumentRow {
  const row = {
    tenant,
    id: text(document.id),
    source: text(document.source),
    source_type: document.sourceType,
    uri: text(document.uri),
    title: text(document.title),
    mime: text(document.mime),
    language: optionalText(document.language),
    category: optionalText(document.category),
    version: optionalText(document.version),
    revision: document.revision,
    published_at: optionalText(document.publishedAt),
    updated_at: text(document.updatedAt),
    content_hash: document.contentHash,
    text_hash: document.textHash,
    text_length: document.textLength,
    chunk_count: document.chunkCount,
    metadata: JSON.stringify(toWellFormed(document.metadata)),
    access: document.access === undefined ? null : JSON.stringify(document.access.map(text)),
    cite_by_line: document.citeByLine ? 1 : 0,
    warnings: JSON.stringify(document.warnings.map(text)),
    reading: optionalText(document.reading),
  };
  return { ...row, seal: sealOfDocument(row) };
}

/** The same entry, read by another edition of its reader. The row must be sound. */
export function withReading({ seal: _, ...row }: DocumentRow, reading: string): DocumentRow {
  const changed = { ...row, reading: text(reading) };
  return { ...changed, seal: sealOfDocument(changed) };
}

export function isSealed(row: DocumentRow): boolean {
  return sealOfDocument(row) === row.seal;
}

/** Throws `data-corrupt` if the row is not as it was sealed. */
export function toDocument(row: DocumentRow): DocumentRecord {
  if (!isSealed(row)) throw damaged('The entry', row.id, { source: row.source, uri: row.uri });
  return {
    id: row.id,
    source: row.source,
    sourceType: row.source_type as SourceType,
    uri: row.uri,
    title: row.title,
    mime: row.mime,
    ...(row.language === null ? {} : { language: row.language }),
    ...(row.category === null ? {} : { category: row.category }),
    ...(row.version === null ? {} : { version: row.version }),
    revision: row.revision,
    ...(row.published_at === null ? {} : { publishedAt: row.published_at }),
    updatedAt: row.updated_at,
    contentHash: row.content_hash,
    textHash: row.text_hash,
    textLength: row.text_length,
    chunkCount: row.chunk_count,
    metadata: JSON.parse(row.metadata) as Metadata,
    ...(row.access === null ? {} : { access: JSON.parse(row.access) as string[] }),
    citeByLine: row.cite_by_line === 1,
    warnings: JSON.parse(row.warnings) as string[],
    ...(row.reading === null ? {} : { reading: row.reading }),
  };
}

export function toChunkRow(tenant: string, chunk: Chunk): ChunkRow {
  const row = {
    tenant,
    id: chunk.id,
    document_id: text(chunk.documentId),
    ordinal: chunk.ordinal,
    start_offset: chunk.start,
    end_offset: chunk.end,
    hash: chunk.hash,
    heading_path: JSON.stringify(chunk.headingPath.map(text)),
    first_page: chunk.pages?.[0] ?? null,
    last_page: chunk.pages?.[1] ?? null,
    first_line: chunk.lines?.[0] ?? null,
    last_line: chunk.lines?.[1] ?? null,
    place: optionalText(chunk.place),
    tokens: chunk.tokens,
  };
  return { ...row, text: chunk.text, seal: sealOfChunk(row) };
}

/** Throws `data-corrupt` if the text is not the one that was hashed, or the row not as it was sealed. */
export function toChunk(row: ChunkRow): Chunk {
  if (sealOfChunk(row) !== row.seal || !isText(row.text, row.hash)) throw damaged('A chunk', row.document_id);
  return {
    id: row.id,
    documentId: row.document_id,
    ordinal: row.ordinal,
    start: row.start_offset,
    end: row.end_offset,
    text: row.text,
    hash: row.hash,
    headingPath: JSON.parse(row.heading_path) as string[],
    ...(row.first_page === null || row.last_page === null ? {} : { pages: [row.first_page, row.last_page] as const }),
    ...(row.first_line === null || row.last_line === null ? {} : { lines: [row.first_line, row.last_line] as const }),
    ...(row.place === null ? {} : { place: row.place }),
    tokens: row.tokens,
  };
}
