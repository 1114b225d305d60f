// Knowledge in: bytes become recorded, chunked, delivered documents. Unchanged content costs no parsing and no write; a
// revision appears whole or not at all; one bad file never stops the rest; a run that was cut off goes on where it was.

import type { Connector } from '../core/connector.ts';
import type { DocumentRecord, Source } from '../core/document.ts';
import type { SkipReason } from '../core/documents/preview.ts';
import type { Ingestion, IngestionFile } from '../core/documents/runs.ts';
import { toFootnoteError } from '../core/errors.ts';
import type { Clock, Ids } from '../core/ids.ts';
import type { Demand } from '../core/waiting/demand.ts';
import type { TenantRecord } from '../db/tenant-record.ts';
import type { WrittenStore } from '../stores/embedded/port.ts';
import type { Connectors } from './connectors/connectors.ts';
import type { SourceItem } from './connectors/source-item.ts';
import type { Chunking, CuttingPool } from './read/parse.ts';
import { openPasswords } from './read/passwords.ts';
import type { EditionOf } from './read/reading-editions.ts';
import { syncSource } from './sync.ts';
import {
  createDirectIntake,
  type DirectDocument,
  type DirectOptions,
  type DirectResult,
  documentsInside,
} from './take/direct.ts';
import { linkRecorded } from './take/duplicates.ts';
import { containersOf } from './take/inside.ts';
import { createIntake } from './take/intake.ts';
import { type KeptDocument, rewriteDocument } from './take/rewrite.ts';
import { bringMissing, type StoreWithin } from './write/bring-within.ts';
import { createWriter, type DeleteElsewhere, type Writer } from './write/writer.ts';

export interface SyncRun {
  readonly source: Source;
  readonly connector: Connector;
  /** The run as it was recorded when it began. */
  readonly ingestion: Ingestion;
  /** Files that were given up are tried again. */
  readonly retry?: boolean;
  /**
   * True: every file is read, whatever its hash, also what was given up. False: no unchanged one is. Absent: unchanged ones whose reader was
   * improved since. What comes out as it is recorded stays.
   */
  readonly reread?: boolean | undefined;
  /** What would be doubtful counts. */
  readonly confirm?: boolean | undefined;
  /** Nothing is written: what the source holds is only looked at. */
  readonly isLook?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (ingestion: Ingestion, file?: IngestionFile) => void;
  /** Told of each item that the source names, before it is read, and of what is left out. */
  readonly onItem?: (item: SourceItem) => void;
  readonly onSkipped?: (uri: string, reason: SkipReason) => void;
}

export interface Pipeline {
  /** Durable and searchable when the promise resolves. Throws what the parser throws, `invalid-request`, `conflict`. */
  addDocument(document: DirectDocument, options?: DirectOptions): Promise<readonly DirectResult[]>;
  /** Reads a source anew; resolves with the run's final state, whatever it is. Throws only if the record cannot be read. */
  syncSource(run: SyncRun): Promise<Ingestion>;
  /** What came out of the document goes with it. False: there was no such document. */
  deleteDocument(id: string, signal?: AbortSignal): Promise<boolean>;
  /** Removes a source with all its documents; returns how many. */
  removeSource(name: string, signal?: AbortSignal): Promise<number>;
  /** Writes a document anew from bytes that the record kept. Throws what reading them throws. */
  rewrite(kept: KeptDocument, signal?: AbortSignal): Promise<void>;
  /** Fingerprints for documents of a source that have none. */
  link(source: string, signal?: AbortSignal): Promise<number>;
  /** Brings what a store within the record misses. Others are delivered to (write/delivery.ts). */
  bringMissing(store: StoreWithin, signal?: AbortSignal): Promise<{ delivered: number; failed: number }>;
}

export interface PipelineOptions {
  readonly record: TenantRecord;
  readonly stores: readonly WrittenStore[];
  readonly parsers: CuttingPool;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly chunking: Chunking;
  /** Who is served while documents go in: their work is done in small pieces then. Absent: nobody. */
  readonly demand?: Demand | undefined;
  readonly connectors: Pick<Connectors, 'open'>;
  /** Larger files are refused unread. Default 100 MiB. */
  readonly maxFileBytes?: number;
  /** Default: the editions of this build. */
  readonly editionOf?: EditionOf;
  /** As of a file: see `PreparePorts`. */
  readonly countBytes?: (amount: number) => Promise<() => void>;
  /** Where long documents are deleted. Absent: here. */
  readonly deleteElsewhere?: DeleteElsewhere;
  /** Called after documents were written, delivered or deleted. Must not throw. */
  readonly onChange?: () => void;
}

/** Nobody waits for a single file of a folder: those that come within this time share a commit, which costs a write to the disk. */
const syncLingerMs = 250;
const defaultMaxFileBytes = 100 * 1024 * 1024;

/** A document whose entry is damaged can be deleted like any other. */
function whatIsLeftOf(thrown: unknown): Pick<DocumentRecord, 'source' | 'uri'> & Partial<DocumentRecord> {
  const { code, details } = toFootnoteError(thrown);
  const { source, uri } = details;
  if (code !== 'data-corrupt' || typeof source !== 'string' || typeof uri !== 'string') throw thrown;
  return { source, uri };
}

export function createPipeline(options: PipelineOptions): Pipeline {
  const { record, stores, clock, demand } = options;
  const maxFileBytes = options.maxFileBytes ?? defaultMaxFileBytes;
  const { parsers, chunking, editionOf, countBytes } = options;
  const ports = { record, parsers, clock, chunking, editionOf, countBytes };
  const intake = createIntake(ports);
  const { onChange = (): void => undefined } = options;
  const writerWith = (lingerMs: number): Writer => {
    const { deleteElsewhere } = options;
    const writer = createWriter({ record, stores, clock, demand, lingerMs, deleteElsewhere });
    return {
      ...writer,
      put: (prepared) => writer.put(prepared).finally(onChange),
      delete: (documentIds, signal) => writer.delete(documentIds, signal).finally(onChange),
    };
  };

  const add = createDirectIntake({ ...ports, stores, intake, maxFileBytes, demand, writerWith, onChange });

  return {
    addDocument: add,

    async syncSource({ connector, signal, onSkipped, isLook = false, ...run }) {
      const reader = options.connectors.open(connector, { ...(onSkipped && { onSkipped }), isLook });
      const passwords = await openPasswords(connector.kind === 'folder' ? connector.passwordFile : undefined);
      const writer = writerWith(syncLingerMs);
      const final = await syncSource({ ...run, reader, passwords, maxFileBytes, intake, writer, ...ports }, signal);
      if (final.state === 'done' || final.state === 'doubtful')
        // What could not be linked now is tried again by the next run.
        await linkRecorded(ports, run.source.name, signal).catch((error: unknown) => toFootnoteError(error));
      return final;
    },

    async deleteDocument(id, signal) {
      const document = await record.documents.get(id).catch(whatIsLeftOf);
      if (document === undefined) return false;
      const { source, uri, metadata } = document;
      const outermost = metadata?.['container'];
      const container = typeof outermost === 'string' ? outermost : uri;
      const isContainer = (await record.readings.container(source, uri)) !== undefined;
      const inner = isContainer ? await documentsInside({ record, demand }, { source, uri, container }) : [];
      const deleted = await writerWith(0).delete([id, ...inner.map((one) => one.id)], signal);
      // The files that it lay in are no longer complete: read again, they bring what was deleted.
      if (isContainer || container !== uri) {
        const around = containersOf(uri, { has: ({ length }) => length >= container.length });
        await record.readings.forget(source, [uri, ...around]);
      }
      return deleted > 0;
    },

    async removeSource(name, signal) {
      let removed = 0;
      for (let round = 1; ; round += 1) {
        const ids: string[] = [];
        for await (const { id } of record.documents.listUris(name)) ids.push(id);
        removed += await writerWith(0).delete(ids, signal);
        try {
          await record.commit([{ kind: 'delete-source', name }]);
          return removed;
        } catch (error) {
          // Something came in meanwhile: it goes too. What this caller may not see stays, and so does the source.
          if (toFootnoteError(error).code !== 'conflict' || ids.length === 0 || round === 10) throw error;
        }
      }
    },

    rewrite: (kept, signal) => rewriteDocument({ ...ports, intake, writer: writerWith(0) }, kept, signal),

    link: (source, signal) => linkRecorded(ports, source, signal),

    bringMissing: (store, signal) => bringMissing({ record, clock }, store, signal).finally(onChange),
  };
}
