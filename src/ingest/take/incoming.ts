// What one file brings: itself, or, where it is JSONL whose lines carry `text`, a document for each line. Identity is
// decided here: the uri of a document, and the id that it asks for.

import { isJsonlOfDocuments } from '@footnote/readers/data/jsonl';
import { addressWithoutSecrets } from '../../core/addresses.ts';
import type { DocumentRecord, Metadata, Source } from '../../core/document.ts';
import { sha256 } from '../../core/ids.ts';
import type { DocumentWrite } from '../../db/repositories/changes.ts';
import { namesOfLine } from '../chunk/names.ts';
import type { LinesRecord } from '../read/parse.ts';
import type { Opening } from '../read/passwords.ts';
import { withoutOwnFacts } from '../write/own-facts.ts';
import type { DocumentFacts, IncomingDocument, IncomingFileDocument } from '../write/prepare.ts';

const keptWarnings = 20;

export function addWarning(warnings: string[], warning: string): void {
  if (warnings.length < keptWarnings) warnings.push(warning);
  else if (warnings.length === keptWarnings) warnings.push('… and more lines with a problem.');
}

/** Where a file that came out of another one stands. */
export interface Inside {
  /** Uri of the outermost file. */
  readonly container: string;
  /** What its documents say of that: see own-facts. */
  readonly origin: Metadata;
  readonly deep: number;
  readonly archivesDeep: number;
  /** What the outermost file may still bring; shared by all that comes out of it. */
  readonly left: { files: number; bytes: number };
  /** Archives in one archive wait for each other: each is taken apart by a process of its own. */
  readonly turn: { last: Promise<unknown> };
}

export interface IncomingFile {
  readonly source: Source;
  readonly uri: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What the sender says of it; a line of JSONL may say otherwise for itself. */
  readonly facts: DocumentFacts;
  readonly opening: Opening;
  /** Of a page of the web: whether it waits for the end of the run before it replaces what is recorded. */
  readonly waits?: (recorded: DocumentRecord, write: DocumentWrite) => Promise<boolean>;
  /** Where it came from, if out of another file. */
  readonly inside?: Inside;
}

/** The document of a line, or why it is none. `taken`: uris of earlier lines. */
export function fromLine(record: LinesRecord, file: IncomingFile, taken: Set<string>): IncomingDocument | string {
  const { title: _, mime: __, metadata: given, ...shared } = file.facts;
  const { lineNumber, hasText, id, uri: said, cut: ___, metadata: own, ...facts } = record;
  const { name, ownUri } = namesOfLine(record, file.uri);
  const named = said === undefined ? undefined : addressWithoutSecrets(said);
  // What comes out of a container is found by the container's uri.
  const uri = named === undefined || taken.has(named) || file.inside ? ownUri : named;
  if (taken.has(uri)) return `Line ${lineNumber} repeats the id "${name}" of an earlier line and was left out.`;
  if (!hasText) return `Line ${lineNumber} has neither text nor title and was left out.`;
  taken.add(uri);
  const { metadata, leftOut } = withoutOwnFacts({ ...given, ...own });
  return {
    ...shared,
    ...facts,
    source: file.source,
    uri,
    name,
    ...(id !== undefined && { wantedId: id }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(file.inside && { origin: file.inside.origin }),
    ...(leftOut.length > 0 && { leftOut }),
  };
}

/** The file as one document. */
export function toSingle({ facts, opening, inside, waits: _, ...file }: IncomingFile): IncomingFileDocument {
  const { metadata, leftOut } = withoutOwnFacts(facts.metadata ?? {});
  return {
    ...facts,
    ...opening,
    ...file,
    ...(facts.metadata && { metadata }),
    ...(inside && { origin: inside.origin }),
    ...(leftOut.length > 0 && { leftOut }),
    contentHash: sha256(file.bytes),
  };
}

const namedJsonl = /\.(jsonl|ndjson)(\.gz)?$/i;
const jsonlMime = /^application\/(jsonl|x-jsonl|x-ndjson|jsonlines|x-jsonlines)\b/i;

/** True for names of files that may hold many documents. */
export const isCollectionName = (name: string): boolean => namedJsonl.test(name);

/** Whether the file holds many documents, so that each has a uri of its own. */
export async function isCollection({ name, bytes, facts }: IncomingFile): Promise<boolean> {
  return (isCollectionName(name) || jsonlMime.test(facts.mime ?? '')) && (await isJsonlOfDocuments(bytes));
}

/** The file that brought a line; undefined for what is none. Its path may hold the mark that parts them, too. */
export function collectionOf(uri: string): string | undefined {
  for (let mark = uri.indexOf('#'); mark >= 0; mark = uri.indexOf('#', mark + 1)) {
    const file = uri.slice(0, mark);
    if (isCollectionName(file)) return file;
  }
  return undefined;
}
