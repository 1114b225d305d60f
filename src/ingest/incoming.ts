// What one file brings: itself, or, where it is JSONL whose lines carry `text`, a document for each line. Identity is
// decided here: the uri of a document, and the id that it asks for.
import type { Metadata, Source } from '../core/document.ts';
import { sha256 } from '../core/ids.ts';
import { isJsonlOfDocuments, type JsonlRecord, parseJsonlRecords } from './parsers/jsonl.ts';
import type { IncomingDocument } from './prepare.ts';

/** Facts that the sender gives; a line of JSONL may say otherwise for itself. */
export interface IncomingFacts {
  readonly title?: string;
  readonly mime?: string;
  readonly category?: string;
  readonly version?: string;
  readonly publishedAt?: string;
  readonly metadata?: Metadata;
  readonly access?: readonly string[];
  readonly password?: string;
}

export interface IncomingFile {
  readonly documents: readonly IncomingDocument[];
  /** Lines that could not be read, repeated ids. */
  readonly warnings: readonly string[];
  /** True where the file holds many documents, so that each has a uri of its own. */
  readonly isCollection: boolean;
}

const shownWarnings = 20;

function shorten(warnings: readonly string[]): readonly string[] {
  if (warnings.length <= shownWarnings) return warnings;
  return [...warnings.slice(0, shownWarnings), `… and ${warnings.length - shownWarnings} more lines with a problem.`];
}

function fromRecord(
  record: JsonlRecord,
  file: { source: Source; uri: string; facts: IncomingFacts },
): IncomingDocument {
  const { source, facts } = file;
  const { title: _, ...shared } = facts;
  const text = record.text.trim() === '' ? (record.title ?? '') : record.text;
  const id = record.id ?? `line-${record.line}`;
  const metadata = { ...facts.metadata, ...record.metadata };
  return {
    ...shared,
    source,
    uri: record.uri ?? `${file.uri}#${id}`,
    name: id,
    mime: 'text/plain',
    bytes: new TextEncoder().encode(text),
    contentHash: record.contentHash,
    ...(record.id !== undefined && { wantedId: record.id }),
    ...(record.title !== undefined && { title: record.title }),
    ...(record.language !== undefined && { language: record.language }),
    ...(record.category !== undefined && { category: record.category }),
    ...(record.version !== undefined && { version: record.version }),
    ...(record.publishedAt !== undefined && { publishedAt: record.publishedAt }),
    ...(record.updatedAt !== undefined && { updatedAt: record.updatedAt }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** Throws `unsupported-media` or `invalid-media` for JSONL of which no line can be read. */
export function readIncoming(file: {
  readonly source: Source;
  readonly uri: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly facts: IncomingFacts;
}): IncomingFile {
  const { source, uri, name, bytes, facts } = file;
  const single: IncomingFile = {
    documents: [{ ...facts, source, uri, name, bytes, contentHash: sha256(bytes) }],
    warnings: [],
    isCollection: false,
  };
  return single;
}
