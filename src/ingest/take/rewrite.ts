// Writes a recorded document anew from the bytes that the record kept of it, under the same identity: what of it was damaged is then made
// from what was not. Invariant: what is not known to be as it was recorded is not taken over.
import type { DocumentRecord, Source } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import { documentIdOf } from '../../core/ids.ts';
import { chunkingOf, type PreparePorts, toWrite } from '../write/prepare.ts';
import type { Writer } from '../write/writer.ts';
import { isBelowAny } from './inside.ts';
import type { Intake } from './intake.ts';

export interface RewritePorts extends PreparePorts {
  readonly intake: Intake;
  readonly writer: Writer;
}

export interface KeptDocument {
  readonly id: string;
  readonly source: Source;
  readonly uri: string;
  readonly bytes: Uint8Array;
  readonly contentHash: string;
  readonly mime?: string;
  /** Its entry, if that is sound. */
  readonly entry?: DocumentRecord;
  /** Names of the stores that it is meant for. Absent: all. */
  readonly stores?: readonly string[];
}

/** Said with a document whose entry had to be made anew. */
export const lostFacts =
  'The entry of this document was damaged and was made anew from its file: a title, metadata and access list that came with it are lost. Only admins read it until it is ingested again.';

/** Throws what the parser throws, and `data-corrupt` where not even the name of the document can be trusted. */
export async function rewriteDocument(ports: RewritePorts, kept: KeptDocument, signal?: AbortSignal): Promise<void> {
  const { record, parsers, clock, intake, writer } = ports;
  const { id, source, uri, bytes, contentHash, mime, entry, stores } = kept;
  if (entry === undefined && documentIdOf(source.name, uri) !== id)
    throw new FootnoteError('data-corrupt', 'Its entry is damaged, and its name does not fit its id.');
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  const incoming = { source, uri, name, contentHash };
  const { done } = intake.begin([incoming], async (present) => {
    // Another revision came in meanwhile: it is newer than what was kept.
    if (present.get(uri)?.revision !== entry?.revision) return;
    // How a file is cut that was attached to a store is said with it, and holds for all that came out of it.
    const files = await record.uploads.attached({ fileId: uri.split('/', 1)[0] ?? '', source: source.name });
    const chunking = chunkingOf(
      ports.chunking,
      files.find((file) => isBelowAny(uri, new Set([file.uri])))?.facts ?? {},
    );
    const cut = await parsers.cut(
      { bytes, name, ...(mime !== undefined && { mime }) },
      {
        documentId: id,
        chunking,
        name,
        ...(entry && { title: entry.title }),
        ...(entry?.language !== undefined && { language: entry.language }),
      },
      signal,
    );
    const revision = (entry?.revision ?? 0) + 1;
    const { document, ...write } = toWrite(incoming, cut, { id, revision, at: clock.now() });
    const writing = writer.put([
      {
        ...(stores && { stores }),
        write: {
          ...write,
          document: entry
            ? withEntry(document, entry)
            : { ...document, access: [], warnings: [...document.warnings, lostFacts] },
          ...(!cut.isOriginal && { file: bytes }),
        },
      },
    ]);
    await writer.flush();
    const [written] = await writing;
    if (written instanceof Error) throw written;
  });
  await done;
}

/** What came with the document stays; what was read of it is as it is read now. */
function withEntry(made: DocumentRecord, entry: DocumentRecord): DocumentRecord {
  const { revision, textHash, textLength, chunkCount, citeByLine, warnings, reading } = made;
  return {
    ...entry,
    revision,
    textHash,
    textLength,
    chunkCount,
    citeByLine,
    warnings,
    ...(reading !== undefined && { reading }),
  };
}
