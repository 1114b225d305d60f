// Rows of documents and chunks to values and back. Invariant: each row carries a seal (SHA-256 over all of its facts), so
// that a changed bit anywhere in a row (page, offsets, title, access list) is found when the row is read, not only in texts.
import type { Chunk, ChunkHeadings, DocumentRecord, Metadata, MetadataValue, SourceType } from '../core/document.ts';
import { FootnoteError } from '../core/errors.ts';
import { sha256 } from '../core/ids.ts';
import { sealOf } from './seal-of.ts';

type Facts<Value> = Readonly<Record<string, (value: Value, tenant: string) => string | number | null>>;
type RowOf<Of> = { readonly [Field in keyof Of]: Of[Field] extends (...given: never[]) => infer Fact ? Fact : never };

/** The columns of a document and what stands in them, in the order in which they are sealed. */
const documentFacts = {
  tenant: (_: DocumentRecord, tenant: string) => tenant,
  id: ({ id }: DocumentRecord) => text(id),
  source: ({ source }: DocumentRecord) => text(source),
  source_type: ({ sourceType }: DocumentRecord): string => sourceType,
  uri: ({ uri }: DocumentRecord) => text(uri),
  title: ({ title }: DocumentRecord) => text(title),
  mime: ({ mime }: DocumentRecord) => text(mime),
  language: ({ language }: DocumentRecord) => optionalText(language),
  category: ({ category }: DocumentRecord) => optionalText(category),
  version: ({ version }: DocumentRecord) => optionalText(version),
  revision: ({ revision }: DocumentRecord) => revision,
  published_at: ({ publishedAt }: DocumentRecord) => optionalText(publishedAt),
  updated_at: ({ updatedAt }: DocumentRecord) => text(updatedAt),
  content_hash: ({ contentHash }: DocumentRecord) => contentHash,
  text_hash: ({ textHash }: DocumentRecord) => textHash,
  text_length: ({ textLength }: DocumentRecord) => textLength,
  chunk_count: ({ chunkCount }: DocumentRecord) => chunkCount,
  metadata: ({ metadata }: DocumentRecord) => JSON.stringify(toWellFormed(metadata)),
  access: ({ access }: DocumentRecord) => (access === undefined ? null : JSON.stringify(access.map(text))),
  cite_by_line: ({ citeByLine }: DocumentRecord) => (citeByLine ? 1 : 0),
  warnings: ({ warnings }: DocumentRecord) => JSON.stringify(warnings.map(text)),
} satisfies Facts<DocumentRecord>;

/** The same of a chunk. */
const chunkFacts = {
  tenant: (_: Chunk, tenant: string) => tenant,
  id: ({ id }: Chunk) => id,
  document_id: ({ documentId }: Chunk) => text(documentId),
  ordinal: ({ ordinal }: Chunk) => ordinal,
  start_offset: ({ start }: Chunk) => start,
  end_offset: ({ end }: Chunk) => end,
  hash: ({ hash }: Chunk) => hash,
  heading_path: ({ headingPath }: Chunk) => JSON.stringify(headingPath.map(text)),
  first_page: ({ pages }: Chunk) => pages?.[0] ?? null,
  last_page: ({ pages }: Chunk) => pages?.[1] ?? null,
  first_line: ({ lines }: Chunk) => lines?.[0] ?? null,
  last_line: ({ lines }: Chunk) => lines?.[1] ?? null,
  tokens: ({ tokens }: Chunk) => tokens,
} satisfies Facts<Chunk>;

type DocumentFacts = RowOf<typeof documentFacts> & { readonly reading: string | null };
export type DocumentRow = DocumentFacts & { readonly seal: string };
type ChunkFacts = RowOf<typeof chunkFacts> & { readonly place: string | null; readonly headings: string | null };
export type ChunkRow = ChunkFacts & { readonly text: string; readonly seal: string };

const documentFields = Object.keys(documentFacts) as (keyof typeof documentFacts)[];
const chunkFields = Object.keys(chunkFacts) as (keyof typeof chunkFacts)[];

function factsOf<Value, Of extends Facts<Value>>(facts: Of, value: Value, tenant: string): RowOf<Of> {
  const row: Record<string, unknown> = {};
  for (const field in facts) row[field] = facts[field]?.(value, tenant);
  return row as RowOf<Of>;
}

const chunkRowFields = [...chunkFields, 'place', 'headings', 'text', 'seal'] as const satisfies (keyof ChunkRow)[];
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
const sealOfDocument = (row: DocumentFacts): string =>
  sealOf(row, row.reading === null ? documentFields : [...documentFields, 'reading']);

/** Chunks of before places and headings were kept are sealed without theirs. */
export const sealOfChunk = (row: ChunkFacts): string =>
  sealOf(row, [...chunkFields, ...(['place', 'headings'] as const).filter((field) => row[field] !== null)]);

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
  const row = { ...factsOf(documentFacts, document, tenant), reading: optionalText(document.reading) };
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
    ...factsOf(chunkFacts, chunk, tenant),
    place: optionalText(chunk.place),
    headings: chunk.headings ? JSON.stringify(chunk.headings) : null,
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
    ...(row.headings === null ? {} : { headings: JSON.parse(row.headings) as ChunkHeadings }),
    ...(row.first_page === null || row.last_page === null ? {} : { pages: [row.first_page, row.last_page] as const }),
    ...(row.first_line === null || row.last_line === null ? {} : { lines: [row.first_line, row.last_line] as const }),
    ...(row.place === null ? {} : { place: row.place }),
    tokens: row.tokens,
  };
}
