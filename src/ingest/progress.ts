// The progress of one run of reading a source: counts and the outcome of each file, told to whoever follows at once and
// kept in the record a few times a second, so that a run can be looked at while it goes on and after a restart.

import { formatOfExtension, formatOfMime } from '@footnote/readers/media-types';
import { extensionOf } from '@footnote/readers/registry/sniff';
import type { DocumentRecord } from '../core/document.ts';
import type { Ingestion, IngestionCounts, IngestionFile } from '../core/documents/runs.ts';
import type { FootnoteError } from '../core/errors.ts';
import type { Clock } from '../core/ids.ts';
import type { IngestionRepository, RecordedFile } from '../db/repositories/ingestions.ts';

const saveEveryMs = 500;
const filesPerSave = 500;

/** What is told of a file that became one document. */
export function outcomeOf({ uri, id, revision, mime, warnings, chunkCount }: DocumentRecord): IngestionFile {
  const kind = formatOfMime(mime)?.name;
  return {
    uri,
    state: 'done',
    change: revision > 1 ? 'changed' : 'added',
    ...(kind !== undefined && { kind }),
    documentId: id,
    ...(chunkCount > 0 && { chunks: chunkCount }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/**
 * Why a file was not read, as it is told; `reason` says to programs what the code does not: a password is lacking, nobody knows the kind,
 * neither by what it holds nor by its name.
 */
export function faultOf(
  { code, message, details: { reason } }: FootnoteError,
  uri: string,
): NonNullable<IngestionFile['error']> {
  const isTold = typeof reason === 'string' && (reason !== 'unknown-kind' || !formatOfExtension(extensionOf(uri)));
  return { code, message, ...(isTold && { reason }) };
}

/** A file that became many documents is of the kind that its name says. */
function withKind(file: RecordedFile): RecordedFile {
  const kind = file.kind ?? formatOfExtension(extensionOf(file.uri))?.name;
  return file.state === 'done' && kind !== undefined ? { ...file, kind } : file;
}

export interface Progress {
  /** One more file was found. */
  found(): Promise<void>;
  /** The outcome of a file; `pending` says that work on it has begun. */
  report(file: RecordedFile): Promise<void>;
  /** An unchanged file was read by a newer edition of its reader. */
  readAgain(): void;
  /** So many documents stay as an earlier edition of their reader read them, or one that is not known. */
  readBefore(documents: number): void;
  /** More chunks are durable. */
  chunks(count: number): void;
  deleted(uris: readonly string[]): Promise<void>;
  /** Writes the last word. Where that fails it throws, unless the run failed: whoever has the run writes that again. */
  end(state: Ingestion['state'], error?: FootnoteError): Promise<Ingestion>;
}

export interface ProgressPorts {
  readonly ingestions: IngestionRepository;
  readonly clock: Clock;
  readonly onProgress?: ((ingestion: Ingestion, file?: IngestionFile) => void) | undefined;
}

export function createProgress(start: Ingestion, { ingestions, clock, onProgress }: ProgressPorts): Progress {
  const counts: { -readonly [name in keyof IngestionCounts]: number } = { ...start.counts };
  const unsaved = new Map<string, RecordedFile>();
  let savedAt = clock.elapsedMs();
  let saving: Promise<void> | undefined;

  const present = (): Ingestion => ({ ...start, counts: { ...counts } });

  async function saveNow(ingestion: Ingestion): Promise<void> {
    const files = [...unsaved.values()];
    unsaved.clear();
    savedAt = clock.elapsedMs();
    // Asked for at once, they share a commit.
    await Promise.all([...(files.length > 0 ? [ingestions.putFiles(start.id, files)] : []), ingestions.put(ingestion)]);
  }

  async function save(): Promise<void> {
    if (saving) return;
    if (unsaved.size < filesPerSave && clock.elapsedMs() - savedAt < saveEveryMs) return;
    saving = saveNow(present()).finally(() => {
      saving = undefined;
    });
    await saving;
  }

  return {
    async found() {
      counts.found += 1;
      onProgress?.(present());
      await save();
    },
    async report(given) {
      const file = withKind(given);
      if (file.state === 'done' || file.state === 'unchanged' || file.state === 'failed') counts[file.state] += 1;
      // Given up earlier, and not read in this run either.
      if (file.state === 'parked') counts.failed += 1;
      unsaved.set(file.uri, file);
      onProgress?.(present(), file);
      await save();
    },
    readAgain() {
      counts.readAgain = (counts.readAgain ?? 0) + 1;
    },
    readBefore(documents) {
      if (documents > 0) counts.readBefore = documents;
    },
    chunks(count) {
      counts.chunks += count;
      onProgress?.(present());
    },
    async deleted(uris) {
      counts.deleted += uris.length;
      for (const uri of uris) {
        const file: IngestionFile = { uri, state: 'deleted' };
        unsaved.set(uri, file);
        onProgress?.(present(), file);
      }
      await save();
    },
    async end(state, error) {
      const final: Ingestion = {
        ...present(),
        state,
        finishedAt: clock.now(),
        ...(error && { error: faultOf(error, start.source) }),
      };
      await saving?.catch(() => undefined);
      try {
        await saveNow(final);
      } catch (thrown) {
        if (state !== 'failed') throw thrown;
      }
      onProgress?.(final);
      return final;
    },
  };
}
