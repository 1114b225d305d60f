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
  /** Read once. Throws `invalid-media` or `too-large` for a damaged stream. */
  readonly documents: AsyncIterable<IncomingDocument>;
  /** Lines that could not be read, repeated ids: complete when `documents` has ended. */
  readonly warnings: string[];
  /** True where the file holds many documents, so that each has a uri of its own. */
  readonly isCollection: boolean;
}

const keptWarnings = 20;

export function addWarning(warnings: string[], warning: string): void {
  if (warnings.length < keptWarnings) warnings.push(warning);
  else if (warnings.length === keptWarnings) warnings.push('… and more lines with a problem.');
}

interface FileToRead {
  readonly source: Source;
  readonly uri: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly facts: IncomingFacts;
}

function fromRecord(record: JsonlRecord, file: FileToRead, taken: Set<string>): IncomingDocument | string {
  const { title: _, mime: __, password: ___, ...shared } = file.facts;
  const id = record.id ?? `line-${record.lineNumber}`;
  const ownUri = `${file.uri}#${id}`;
  const uri = record.uri === undefined || taken.has(record.uri) ? ownUri : record.uri;
  if (taken.has(uri)) return `Line ${record.lineNumber} repeats the id "${id}" of an earlier line and was left out.`;
  const text = record.text.trim() === '' ? (record.title ?? '') : record.text;
  if (text.trim() === '') return `Line ${record.lineNumber} has neither text nor title and was left out.`;
  taken.add(uri);
  const { lineNumber: _line, id: _id, uri: _uri, text: _text, contentHash, metadata: own, ...facts } = record;
  const metadata = { ...file.facts.metadata, ...own };
  return {
    ...shared,
    ...facts,
    source: file.source,
    uri,
    name: id,
    text,
    bytes: new TextEncoder().encode(text),
    contentHash,
    ...(record.id !== undefined && { wantedId: record.id }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

async function* readCollection(file: FileToRead, warnings: string[]): AsyncGenerator<IncomingDocument> {
  const taken = new Set<string>();
  for await (const record of parseJsonlRecords(file.bytes)) {
    const document = 'error' in record ? record.error.message : fromRecord(record, file, taken);
    if (typeof document === 'string') addWarning(warnings, document);
    else yield document;
  }
}

async function* readSingle({ facts, ...file }: FileToRead): AsyncGenerator<IncomingDocument> {
  yield {
    ...file,
    ...(facts.title !== undefined && { title: facts.title }),
    ...(facts.mime !== undefined && { mime: facts.mime }),
    ...(facts.category !== undefined && { category: facts.category }),
    ...(facts.version !== undefined && { version: facts.version }),
    ...(facts.publishedAt !== undefined && { publishedAt: facts.publishedAt }),
    ...(facts.metadata && { metadata: facts.metadata }),
    ...(facts.access && { access: facts.access }),
    ...(facts.password !== undefined && { password: facts.password }),
    contentHash: sha256(file.bytes),
  };
}

const namedJsonl = /\.(jsonl|ndjson)(\.gz)?$/i;
const jsonlMime = /^application\/(jsonl|x-jsonl|x-ndjson|jsonlines|x-jsonlines)\b/i;

/** True for names of files that may hold many documents. */
export const isCollectionName = (name: string): boolean => namedJsonl.test(name);

export async function readIncoming(file: FileToRead): Promise<IncomingFile> {
  const isNamed = isCollectionName(file.name) || jsonlMime.test(file.facts.mime ?? '');
  const isCollection = isNamed && (await isJsonlOfDocuments(file.bytes));
  const warnings: string[] = [];
  return { documents: isCollection ? readCollection(file, warnings) : readSingle(file), warnings, isCollection };
}
